"""Where nothing is disguised, counts are plain counts: equal, not close."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.oracle.exact import ExactOracle
from deniable.oracle.randomized import RandomizedOracle
from deniable.source.disguise import disguise_records
from deniable.source.randomness import SeededBits

YES_NO, SEVERAL = ["0", "1"], ["0", "1", "2", "3", "4"]
EVEN = {"0": "1/2", "1": "1/2"}

KEPT: dict[str, tuple[list[str], dict[str, Any]]] = {
    "truthful": (SEVERAL, {"channel": "truthful"}),
    "related": (YES_NO, {"channel": "related", "theta": "1"}),
    "related, categorical": (SEVERAL, {"channel": "related", "theta": "1"}),
    "unrelated": (
        YES_NO,
        {"channel": "unrelated", "theta": "1", "personal": {"a": EVEN, "b": EVEN}},
    ),
    "keep or uniform": (SEVERAL, {"channel": "keep-or-uniform", "theta": "1"}),
    "forced": (SEVERAL, {"channel": "forced", "theta": "1", "forced": {}}),
    "mangat": (YES_NO, {"channel": "mangat", "theta": "1"}),
    "kuk": (YES_NO, {"channel": "kuk", "red": {"0": "0", "1": "1"}}),
    "crosswise": (YES_NO, {"channel": "crosswise", "theta": "1"}),
    # The harmless trait, which hides the private one, is nobody's.
    "triangular": (YES_NO, {"channel": "triangular", "theta": "0"}),
    "matrix": (
        SEVERAL,
        {"channel": "matrix", "matrix": {v: {r: int(r == v) for r in SEVERAL} for v in SEVERAL}},
    ),
}
TURNED: dict[str, tuple[list[str], dict[str, Any]]] = {
    "related": (YES_NO, {"channel": "related", "theta": "0"}),
    "kuk": (YES_NO, {"channel": "kuk", "red": {"0": "1", "1": "0"}}),
    "crosswise": (YES_NO, {"channel": "crosswise", "theta": "0"}),
}
ALONE = {"forced", "mangat", "kuk", "crosswise", "triangular", "matrix"}

CASES = [(f"{name}, kept", *case) for name, case in KEPT.items()]
CASES += [(f"{name}, turned", *case) for name, case in TURNED.items()]


def design_of(values: list[str], entry: dict[str, Any]) -> Design:
    """Two attributes disguised, together if the channel can; a public one."""
    groups = [["a"], ["b"]] if entry["channel"] in ALONE else [["a", "b"]]
    return Design.of(
        {
            "attributes": {"a": values, "public": ["0", "1", "2"], "b": values},
            "groups": [{"attributes": names, **entry} for names in groups],
        }
    )


def people(design: Design) -> Records:
    codes = np.random.default_rng(5).integers(0, design.schema.sizes, size=(997, 3))
    return Records.from_codes(codes, design.schema)


QUESTIONS = ["*", "a=1", "b=0", "a=1 & b=0", "a=0 & b=0 & public=2", "public=1", "b=1 & public=0"]


@pytest.mark.parametrize(("values", "entry"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_reports_that_are_certain_give_plain_counts_without_error(
    values: list[str], entry: dict[str, Any]
) -> None:
    design = design_of(values, entry)
    raw = people(design)
    reports = disguise_records(raw, None, design, SeededBits(6))
    found = RandomizedOracle(reports, design).count(QUESTIONS)
    a, public, b = raw.columns
    plain = [
        len(raw),
        np.sum(a == 1),
        np.sum(b == 0),
        np.sum((a == 1) & (b == 0)),
        np.sum((a == 0) & (b == 0) & (public == 2)),
        np.sum(public == 1),
        np.sum((b == 1) & (public == 0)),
    ]
    assert found.value.tolist() == plain
    assert found.std_error.tolist() == [0] * len(plain)
    lower, upper = found.interval()
    assert lower.tolist() == plain
    assert upper.tolist() == plain


@pytest.mark.parametrize(("values", "entry"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_about_the_population_they_are_as_good_as_undisguised_records(
    values: list[str], entry: dict[str, Any]
) -> None:
    design = design_of(values, entry)
    raw = people(design)
    reports = disguise_records(raw, None, design, SeededBits(6))
    found = RandomizedOracle(reports, design).count(QUESTIONS, of="population")
    plain = ExactOracle(raw, design.schema).count(QUESTIONS, of="population")
    assert found.value.tolist() == plain.value.tolist()
    assert found.variance.tolist() == plain.variance.tolist()
    for ours, theirs in zip(found.interval(), plain.interval(), strict=True):
        assert ours == pytest.approx(theirs, rel=1e-12, abs=1e-9)


@pytest.mark.parametrize("theta", [Fraction(1), Fraction(0)])
def test_a_certain_coin_is_kept_or_turned_for_everybody(theta: Fraction) -> None:
    design = design_of(YES_NO, {"channel": "related", "theta": theta})
    raw = people(design)
    reports = disguise_records(raw, None, design, SeededBits(7))
    for place in (0, 2):
        turned = raw.columns[place] != reports.columns[place]
        assert turned.all() if theta == 0 else not turned.any()
    assert reports.columns[1].tolist() == raw.columns[1].tolist()
