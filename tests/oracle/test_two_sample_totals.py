"""Functions of the record, added up over samples of unknown personal distribution."""

from functools import partial

import numpy as np
import pytest

from deniable.base.errors import EstimateError
from deniable.design import Design
from deniable.expression import Family
from deniable.oracle.api import Divisible, SeveralSamples, TotalOracle, divisible, noise_target
from deniable.oracle.covariance import indicators
from deniable.oracle.exact import ExactOracle
from deniable.oracle.randomized import RandomizedOracle
from deniable.oracle.two_samples import GreenbergOracle
from oracle.simulated import Floats
from oracle.test_unknown_personal import ALIKE, drawn, people

COLUMNS = ("a", "c")
VALUES = np.array([[0.3, -1.0], [2.0, 0.7]])
"""A function of a and c that is no product."""

TWO = (ALIKE[0], ALIKE[2])


def function(codes: np.ndarray) -> Floats:
    cells = VALUES[codes[:, 0], codes[:, 1]]
    return np.stack([cells, cells**2], axis=1)


def test_a_total_is_solved_from_the_means_of_both_samples() -> None:
    """With one group alone: π = ((1−θ₂)·λ₁ − (1−θ₁)·λ₂) / (θ₁ − θ₂), λ being means of reports."""
    rng = np.random.default_rng(1)
    reports, oracles = [], []
    for theta, n in ((0.75, 3000), (0.25, 2000)):
        unknown = {"channel": "unrelated", "personal": "unknown", "theta": str(theta)}
        design = Design.of(
            {
                "attributes": {"a": ["0", "1"], "c": ["0", "1"]},
                "groups": [{"attributes": ["a"], **unknown}],
            }
        )
        codes = rng.integers(0, 2, (n, 2))
        reports.append(codes)
        table = {name: codes[:, k].astype(str) for k, name in enumerate(COLUMNS)}
        oracles.append(RandomizedOracle(table, design))
    found = GreenbergOracle(*oracles).total(COLUMNS, function)
    one, two = map(function, reports)
    factors = np.array([0.75, -0.25]) / 0.5
    n = len(one) + len(two)
    mean = factors[0] * one.mean(axis=0) + factors[1] * two.mean(axis=0)
    assert found.value / n == pytest.approx(mean, abs=1e-12)
    spread = sum(
        f**2 * np.cov(own.T, bias=True) / len(own)
        for f, own in zip(factors, (one, two), strict=True)
    )
    assert found.covariance / n**2 == pytest.approx(spread, abs=1e-15)


def test_totals_of_indicators_are_counts() -> None:
    rng = np.random.default_rng(2)
    oracle = GreenbergOracle(*(drawn(pair, 2000, rng) for pair in ALIKE))
    family = Family.of(["a=1 & b=1", "a=1 & b=0", "a=0 & b=1"], oracle.schema)
    found = oracle.total(family.columns, partial(indicators, family))
    counted = oracle.count(family)
    assert found.value == pytest.approx(counted.value)
    assert np.diagonal(found.covariance) == pytest.approx(counted.variance)
    assert found.covariance == pytest.approx(oracle.covariance(family))


@pytest.mark.parametrize("weighed", [False, True])
def test_totals_through_other_groups_are_unbiased_and_their_covariances_honest(
    weighed: bool,
) -> None:
    repeats, rng = 400, np.random.default_rng(3)
    shares = people().sum(axis=(1, 3, 4))
    truth = np.array([(shares * VALUES).sum(), (shares * VALUES**2).sum()])
    errors, stated = [], []
    for _ in range(repeats):
        oracle: TotalOracle = GreenbergOracle(*(drawn(pair, 1500, rng) for pair in TWO))
        if weighed:  # as for b, too; which takes a third sample
            oracle = GreenbergOracle(*(drawn(pair, 1500, rng) for pair in ALIKE)).together("ab")
        found = oracle.total(COLUMNS, function)
        errors.append(found.value / found.n - truth)
        stated.append(found.covariance / found.n**2)
    gaps = np.einsum("ri,rj->rij", errors, errors) - stated
    # A mean of r values has the s.d. of one over √r; 4 of them.
    assert (np.abs(np.mean(errors, axis=0)) < 4 * np.std(errors, axis=0) / repeats**0.5).all()
    assert (np.abs(gaps.mean(axis=0)) < 4 * gaps.std(axis=0) / repeats**0.5).all()


def test_samples_weighed_for_some_columns_agree_in_every_sum() -> None:
    rng = np.random.default_rng(4)
    oracle = GreenbergOracle(*(drawn(pair, 2000, rng) for pair in TWO))
    parts = ["a=0 & c=1", "a=1 & c=1", "c=1"]
    apart, alike = oracle.count(parts), oracle.together(["a"]).count(parts)
    assert apart.value[:2] == pytest.approx(alike.value[:2])
    assert alike.value[:2].sum() == pytest.approx(alike.value[2])
    assert abs(apart.value[:2].sum() - apart.value[2]) > 1
    assert alike.std_error[2] > apart.std_error[2]


def test_what_samples_cannot_tell_is_refused() -> None:
    rng = np.random.default_rng(5)
    oracle = GreenbergOracle(*(drawn(pair, 500, rng) for pair in TWO))
    with pytest.raises(EstimateError, match="names 2 groups of unknown") as refused:
        oracle.total(("a", "b"), function)
    assert "--with" in refused.value.hint
    with pytest.raises(EstimateError, match="population") as refused:
        oracle.total(COLUMNS, function, of="sample")
    assert "--of population" in refused.value.hint


def test_reports_of_each_sample_are_dealt_and_drawn_by_themselves() -> None:
    rng = np.random.default_rng(6)
    oracle = GreenbergOracle(
        *(drawn(pair, n, rng) for pair, n in zip(TWO, (900, 600), strict=True))
    )
    assert divisible(oracle)
    folds = oracle.folds(3, rng)
    sizes = np.array([[sample.n for sample in fold.samples] for _, fold in folds])
    assert sizes.sum(axis=0).tolist() == [900, 600]
    left = np.array([[sample.n for sample in rest.samples] for rest, _ in folds])
    assert (left + sizes == [900, 600]).all()
    everyone = oracle.count(["a=1", "c=1"])
    for rest, fold in folds:  # different people: six standard errors for six differences
        apart = (rest.count(["a=1", "c=1"]), fold.count(["a=1", "c=1"]))
        errors = np.hypot(*(each.std_error / each.n for each in apart))
        assert (np.abs(apart[0].share - apart[1].share) < 6 * errors).all()
        assert (apart[0].std_error / apart[0].n > everyone.std_error / everyone.n).all()
    again = oracle.resampled(2, rng)
    assert [[sample.n for sample in each.samples] for each in again] == [[900, 600]] * 2
    few = GreenbergOracle(drawn(TWO[0], 4, rng), drawn(TWO[1], 400, rng))
    with pytest.raises(EstimateError, match="leaves some of them empty") as refused:
        few.folds(10, rng)
    assert "fewer folds" in refused.value.hint


def test_several_samples_are_told_from_one() -> None:
    rng = np.random.default_rng(7)
    one = drawn(TWO[0], 100, rng)
    both = GreenbergOracle(one, drawn(TWO[1], 100, rng))
    plain = ExactOracle({"a": ["0", "1"]}, one.schema.select(["a"]))
    assert isinstance(both, SeveralSamples)
    assert isinstance(both, Divisible)
    assert [noise_target(each) for each in (both, one, plain)] == ["population", "sample", "sample"]
    assert both.groups == (("a",), ("b",), ("c",))
