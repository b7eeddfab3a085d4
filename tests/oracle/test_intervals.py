"""Intervals are score intervals: for one proportion, Wilson's, mapped through the channel."""

from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from deniable.base.errors import EstimateError
from deniable.design import Design
from deniable.oracle.api import Estimates, Target
from deniable.oracle.randomized import RandomizedOracle
from oracle.simulated import Reports

CHANNELS: dict[str, dict[str, Any]] = {
    "truthful": {"channel": "truthful"},
    "related": {"channel": "related", "theta": "0.7"},
    "related, more often turned": {"channel": "related", "theta": "0.2"},
    "unrelated": {
        "channel": "unrelated",
        "theta": "0.6",
        "personal": {"a": {"0": "0.9", "1": "0.1"}},
    },
    "keep or uniform": {"channel": "keep-or-uniform", "theta": "0.5"},
    "forced": {"channel": "forced", "forced": {"0": "1/12", "1": "1/6"}},
    "mangat": {"channel": "mangat", "theta": "0.7"},
    "kuk": {"channel": "kuk", "red": {"0": "0.3", "1": "0.8"}},
    "crosswise": {"channel": "crosswise", "theta": "0.25"},
    "triangular": {"channel": "triangular", "theta": "0.25"},
    "matrix": {
        "channel": "matrix",
        "matrix": {"0": {"0": "0.9", "1": "0.1"}, "1": {"0": "0.3", "1": "0.7"}},
    },
}


def wilson(yes: int, n: int, level: float) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Bounds of a proportion."""
    z = NormalDist().inv_cdf((1 + level) / 2)
    p = yes / n
    middle = p + z**2 / (2 * n)
    half = z * np.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    return np.array([middle - half, middle + half]) / (1 + z**2 / n)


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
@pytest.mark.parametrize("share", [0.05, 0.5, 0.9])
@pytest.mark.parametrize("entry", CHANNELS.values(), ids=CHANNELS)
def test_for_one_yes_no_attribute_it_is_wilsons_interval_mapped_through_the_channel(
    entry: dict[str, Any], share: float, level: float
) -> None:
    n = 400
    design = Design.of(
        {"attributes": {"a": ["0", "1"]}, "groups": [{"attributes": ["a"], **entry}]}
    )
    C = design.groups[0].channel.matrix([0])
    yes = round(n * (C[1] @ [1 - share, share]))
    oracle = RandomizedOracle(Reports(design.schema, np.array([n - yes, yes])), design)
    found = oracle.count(["a=1"], of="population")
    mapped = n * (wilson(yes, n, level) - C[1, 0]) / (C[1, 1] - C[1, 0])
    bounds = [float(bound[0]) for bound in found.interval(level)]
    assert bounds == pytest.approx(sorted(mapped), rel=1e-9)


@pytest.mark.parametrize("of", ["sample", "population"])
def test_a_wider_level_gives_a_wider_interval_around_the_same_value(of: Target) -> None:
    design = Design.of(
        {"attributes": {"a": ["0", "1"]}, "groups": [{"attributes": ["a"], **CHANNELS["kuk"]}]}
    )
    found = RandomizedOracle(Reports(design.schema, np.array([260, 140])), design).count(
        ["a=1", "a=0"], of=of
    )
    narrow, wide = found.interval(0.5), found.interval(0.99)
    assert (wide[0] < narrow[0]).all()
    assert (narrow[0] < found.value).all()
    assert (found.value < narrow[1]).all()
    assert (narrow[1] < wide[1]).all()


@pytest.mark.parametrize("of", ["sample", "population"])
@pytest.mark.parametrize("entry", CHANNELS.values(), ids=CHANNELS)
def test_the_two_answers_of_an_attribute_have_mirrored_intervals(
    entry: dict[str, Any], of: Target
) -> None:
    design = Design.of(
        {"attributes": {"a": ["0", "1"]}, "groups": [{"attributes": ["a"], **entry}]}
    )
    found = RandomizedOracle(Reports(design.schema, np.array([220, 180])), design).count(
        ["a=1", "a=0"], of=of
    )
    lower, upper = found.interval()
    assert found.value.sum() == pytest.approx(400)
    assert lower[0] + upper[1] == pytest.approx(400)
    assert lower[1] + upper[0] == pytest.approx(400)


def test_shares_are_counts_over_n() -> None:
    found = Estimates(200, "sample", np.array([50.0]), np.array([4.0]), *np.zeros((2, 1)))
    assert found.share.tolist() == [0.25]
    assert found.std_error.tolist() == [2.0]


@pytest.mark.parametrize("level", [0, 1, -0.5, 95])
def test_a_level_that_is_no_probability_is_refused_with_a_hint(level: float) -> None:
    found = Estimates(200, "sample", np.array([50.0]), np.array([4.0]), *np.zeros((2, 1)))
    with pytest.raises(EstimateError, match="confidence level") as refusal:
        found.interval(level)
    assert "0.95" in refusal.value.hint


def test_a_target_that_does_not_exist_is_refused_with_a_hint() -> None:
    design = Design.of({"attributes": {"a": ["0", "1"]}})
    oracle = RandomizedOracle(Reports(design.schema, np.array([3, 4])), design)
    with pytest.raises(EstimateError, match="'populations'") as refusal:
        oracle.count(["a=1"], of="populations")  # type: ignore[arg-type]
    assert "population" in refusal.value.hint
