"""p-values of lift: uniform where lift is 1, small where it is not, and adjusted for many."""

from math import comb
from typing import Any

import numpy as np
import pytest
from scipy.stats import false_discovery_control, poisson

from deniable.base.arrays import Floats
from deniable.base.errors import ModelError
from deniable.engine.memory.records import Records
from deniable.expression import Conjunction
from deniable.mine.rules.association_rules import mine_rules
from deniable.mine.rules.count_errors import rule_covariances
from deniable.mine.rules.lift_evidence import (
    benjamini_yekutieli,
    lift_p_values,
    shares_by_size,
    skewed_tail,
)
from deniable.oracle.api import CountOracle
from deniable.oracle.exact import ExactOracle
from deniable.oracle.recoded import RecodedOracle
from deniable.schema import Schema
from mine.test_chance import GROUPS, designed, disguised, unrelated_people

RULES = [(Conjunction.of({a: "1"}), Conjunction.of(y="1")) for a in "abcd"] + [
    (Conjunction.of(a="1", b="0"), Conjunction.of(y="1"))
]
FIVE = Schema.of({name: ["0", "1"] for name in "abcdy"})


def p_values(oracle: CountOracle) -> Floats:
    """Of the rules above, not adjusted."""
    written = [each for a, b in RULES for each in (a & b, a, b)]
    found = oracle.count(written, of="sample")
    rows = np.arange(len(written)).reshape(-1, 3)
    counts = np.stack([found.value, found.std_error])
    covariance = rule_covariances(oracle, rows, written.__getitem__, counts, "sample")
    return lift_p_values(found.value[rows], covariance, oracle.n)


def test_without_a_disguise_z_is_that_of_pearson_and_yates() -> None:
    x = unrelated_people(500, 1)
    x[0] = np.arange(500) % 2  # an even share has no skewness
    oracle = ExactOracle(Records(FIVE, tuple(x.astype(np.uint8))), FIVE)
    from scipy.stats import norm

    off = abs(np.cov(x[0], x[4], bias=True)[0, 1]) * 500 - 0.5
    assert p_values(oracle)[0] == pytest.approx(
        2 * norm.sf(off / np.sqrt(500) / x[0].std() / x[4].std())
    )


@pytest.mark.parametrize("mean", [0.05, 0.2, 0.9, 2.0, 5.0, 30.0, 400.0])
def test_tails_are_no_lighter_than_those_of_few_people(mean: float) -> None:
    people = np.arange(int(mean) + 1, int(mean + 5 * mean**0.5) + 5)
    exact = poisson.sf(people - 1, mean)
    same = np.full(len(people), mean)
    beyond: Floats = (people - mean - 0.5).astype(np.float64)
    told, small = skewed_tail(beyond, same, same), exact <= 0.04
    assert (told >= exact)[small].all()
    assert (told <= 2 * exact + 0.003)[small].all()  # and no heavier than that


def test_rare_coincidences_prove_nothing() -> None:
    """Items of 3 % that are independent: with normal tails 16 of 40 surveys had a rule."""
    schema = Schema.of({f"i{k}": ["no", "yes"] for k in range(30)})
    settings: dict[str, Any] = {"min_support": 0.004, "min_confidence": 0, "min_lift": 1}
    found = 0
    for run in range(25):
        rare = np.random.default_rng(run).random((30, 1000)) < 0.03
        oracle = ExactOracle(Records(schema, tuple(rare.astype(np.uint8))), schema)
        found += len(mine_rules(oracle, **settings, max_len=2)) > 0
    # At a level of 5 %, more than 4 of 25 have a chance of .7 %.
    assert found <= 4


@pytest.mark.parametrize("groups", [GROUPS, (*GROUPS, "y"), (("a", "b", "y"), ("c", "d"))])
def test_p_is_uniform_where_lift_is_one(groups: tuple[tuple[str, ...], ...]) -> None:
    design = designed(groups)
    found = np.array(
        [p_values(disguised(unrelated_people(800, run), design, run)) for run in range(80)]
    )
    # Shares of 80 for each rule: more than 12 at 5 % have a chance of .02 % (binomial).
    assert ((found <= 0.05).sum(axis=0) <= 12).all()
    # The mean of 80 uniform numbers has a standard error of .032; variances are never too small.
    assert ((found.mean(axis=0) > 0.5 - 4 * 0.033) & (found.mean(axis=0) < 0.5 + 0.15)).all()


def test_what_goes_together_is_found_and_only_that() -> None:
    rng = np.random.default_rng(3)
    x = rng.integers(0, 2, (5, 20_000))
    x[4] = np.where(rng.random(20_000) < 0.3, x[2], x[4])
    oracle = disguised(x, designed([*GROUPS, "y"]), 4)
    settings: dict[str, Any] = {"min_support": 0.1, "min_confidence": 0.5, "max_len": 2}
    found = mine_rules(oracle, **settings)
    ends = {"".join(sorted(n for n, _ in (r.premise & r.conclusion).terms)) for r in found}
    assert ends == {"cy"}
    assert all(rule.p_value <= 0.05 for rule in found)
    assert found.tried == comb(5, 2) * 4
    whole = mine_rules(oracle, **settings, max_false=1.0)
    assert len(whole) == len(found) + found.unproven > len(found)
    assert [rule for rule in whole if rule.p_value <= 0.05] == list(found)


def test_without_covariances_p_is_a_bound() -> None:
    rng = np.random.default_rng(3)
    x = rng.integers(0, 2, (5, 20_000))
    x[4] = np.where(rng.random(20_000) < 0.3, x[2], x[4])
    oracle = disguised(x, designed([*GROUPS, "y"]), 4)
    counted = p_values(RecodedOracle(oracle, oracle.schema))
    assert counted[2] < 0.01
    assert (counted >= p_values(oracle) - 1e-9).all()


def test_p_is_the_same_whatever_the_estimates_are_about() -> None:
    oracle = disguised(unrelated_people(3000, 5), designed([*GROUPS, "y"]), 5)
    settings: dict[str, Any] = {"min_support": 0.1, "min_confidence": 0.2, "tolerance": 1.0}
    one = mine_rules(oracle, **settings, max_false=1.0, of="sample")
    two = mine_rules(oracle, **settings, max_false=1.0, of="population")
    assert [r.p_value for r in one] == pytest.approx([r.p_value for r in two], rel=1e-6)


def test_a_side_that_everybody_holds_proves_nothing() -> None:
    everybody = lift_p_values(np.array([[3, 6, 3]]), np.zeros((1, 3, 3)), 6)
    assert everybody.tolist() == [1.0]
    assert len(lift_p_values(np.zeros((0, 3)), np.zeros((0, 3, 3)), 6)) == 0


def test_a_rule_and_its_reverse_are_one_test() -> None:
    x = unrelated_people(500, 1)
    found = mine_rules(
        ExactOracle(Records(FIVE, tuple(x.astype(np.uint8))), FIVE),
        min_support=0.01,
        min_confidence=0.0,
        tolerance=1.0,
        max_false=1.0,
    )
    by_sides = {(rule.premise, rule.conclusion): rule.p_value for rule in found}
    assert all(by_sides[b, a] == p for (a, b), p in by_sides.items())
    # All of 5 yes/no attributes: C(5, k)·2^k sets, each parted in 2^(k−1) − 1 ways.
    assert found.tried == sum(comb(5, k) * 2**k * (2 ** (k - 1) - 1) for k in range(2, 6))


@pytest.mark.parametrize(
    ("settings", "tried"),
    [
        ({"conclusions": "single"}, sum(comb(5, k) * 2**k * (k if k > 2 else 1) for k in (2, 3))),
        ({"target": "y"}, 2 * (4 * 2 + 6 * 4)),
    ],
)
def test_what_was_tried_is_what_could_have_been_concluded(settings: Any, tried: int) -> None:
    x = unrelated_people(500, 1)
    oracle = ExactOracle(Records(FIVE, tuple(x.astype(np.uint8))), FIVE)
    found = mine_rules(oracle, min_support=0.01, min_confidence=0.5, max_len=3, **settings)
    assert found.tried == tried


def test_the_adjustment_is_that_of_benjamini_and_yekutieli() -> None:
    p = np.random.default_rng(5).random(30) ** 3
    even = np.full(30, 1 / 30)
    assert np.allclose(benjamini_yekutieli(p, even, 30), false_discovery_control(p, method="by"))
    padded = np.append(p, np.ones(20))
    assert np.allclose(
        benjamini_yekutieli(p, np.full(30, 1 / 50), 50),
        false_discovery_control(padded, method="by")[:30],
    )
    with pytest.raises(ModelError, match="30 p-values cannot come of 3"):
        benjamini_yekutieli(p, even, 3)


@pytest.mark.parametrize("tried", [[0, 0], [0, 0, 7], [0, 0, 40, 0, 9], [0, 0, 3, 12, 28, 15]])
def test_shares_of_the_level_are_no_more_than_all_of_it(tried: list[int]) -> None:
    many = np.array(tried)
    shares = shares_by_size(many)
    assert (shares[2:] * many[2:]).sum() <= 1 + 1e-12


@pytest.mark.parametrize("max_false", [0.0, -1.0, 1.5, float("nan")])
def test_a_share_of_false_rules_that_is_none_is_refused(max_false: float) -> None:
    with pytest.raises(ModelError, match="max_false"):
        mine_rules(
            ExactOracle({"a": ["0"] * 6, "b": ["0", "1"] * 3}, Schema.of({"a": "01", "b": "01"})),
            min_support=0.1,
            min_confidence=0.5,
            max_false=max_false,
        )


@pytest.mark.parametrize("place", ["y", "ay"])
def test_nothing_from_nothing(place: str) -> None:
    groups = [*GROUPS, "y"] if place == "y" else [("a", "b", "y"), ("c", "d")]
    found = 0
    for run in range(60):
        x = np.random.default_rng(run).permuted(unrelated_people(500, run), axis=1)
        oracle = disguised(x, designed(groups), run)
        found += len(mine_rules(oracle, min_support=0.1, min_confidence=0.5)) > 0
    # At a level of 5 %, more than 9 of 60 have a chance of .2 %.
    assert found <= 9
