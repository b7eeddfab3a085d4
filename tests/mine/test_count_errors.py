"""How errors of counts go together, where only counts exist: exact where counts say it."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, get_args

import numpy as np
import pytest

from deniable.design import Design
from deniable.expression import Expression, Family
from deniable.mine.rules.association_rules import mine_rules
from deniable.oracle.api import CountOracle, Estimates, Target
from deniable.oracle.counted_reports import reports_from_counts
from deniable.oracle.covariance import covariance, indicators
from deniable.oracle.randomized import RandomizedOracle
from deniable.oracle.two_samples import GreenbergOracle
from deniable.schema import Schema
from oracle.simulated import Reports

YES_NO: dict[str, Any] = {name: ["0", "1"] for name in "abcd"}
SCHEMA = Schema.of(YES_NO)
EVEN = {"0": "0.5", "1": "0.5"}
WITH_E: dict[str, Any] = {**YES_NO, "e": ["0", "1", "2"]}
MIXED = Design.of(
    {
        "attributes": WITH_E,
        "groups": [
            {"attributes": ["a", "b"], "channel": "related", "theta": "0.8"},
            {
                "attributes": ["c", "e"],
                "channel": "unrelated",
                "theta": "0.7",
                "personal": {"c": EVEN, "e": {"0": "0.5", "1": "0.3", "2": "0.2"}},
            },
        ],
    }
)


@dataclass
class CountsOnly:
    """A party that tells estimated counts, and nothing else."""

    oracle: CountOracle

    @property
    def schema(self) -> Schema:
        return self.oracle.schema

    @property
    def n(self) -> int:
        return self.oracle.n

    def count(
        self, expressions: Iterable[Expression] | Family, *, of: Target = "sample"
    ) -> Estimates:
        return self.oracle.count(expressions, of=of)


def reported(design: Design, seed: int = 3, n: int = 3000) -> RandomizedOracle:
    generator = np.random.default_rng(seed)
    cells = int(np.prod(design.schema.sizes))
    shares = generator.dirichlet(np.full(cells, 2.0))
    return RandomizedOracle(Reports(design.schema, generator.multinomial(n, shares)), design)


@pytest.mark.parametrize("of", get_args(Target))
def test_with_yes_no_conclusions_confidences_have_the_errors_that_totals_give(of: Target) -> None:
    oracle = reported(MIXED)
    settings: dict[str, Any] = {"min_support": 0.02, "min_confidence": 0, "max_len": 2, "of": of}
    settings["max_false"] = 1.0  # p-values that are bounds let fewer rules pass
    known = mine_rules(oracle, tolerance=1.0, **settings)
    counted = mine_rules(CountsOnly(oracle), tolerance=1.0, **settings)
    exact = 0
    for mine, other in zip(known, counted, strict=True):
        assert (mine.premise, mine.conclusion) == (other.premise, other.conclusion)
        assert other.lift.std_error >= mine.lift.std_error * (1 - 1e-9)
        if "e=" not in str(other.conclusion):
            exact += 1
            for name in ("std_error", "low", "high"):
                wanted = getattr(mine.confidence, name)
                assert getattr(other.confidence, name) == pytest.approx(wanted, rel=1e-7)
    assert exact > 20


def test_undisguised_counts_about_a_population_leave_nothing_open() -> None:
    oracle = reported(Design.of({"attributes": {"a": ["0", "1"], "e": ["0", "1", "2"]}}))
    settings: dict[str, Any] = {"min_support": 0.01, "min_confidence": 0, "of": "population"}
    settings["max_false"] = 1.0
    known, counted = mine_rules(oracle, **settings), mine_rules(CountsOnly(oracle), **settings)
    for mine, other in zip(known, counted, strict=True):
        for name in ("confidence", "lift"):
            measure, wanted = getattr(other, name), getattr(mine, name)
            assert measure.std_error == pytest.approx(wanted.std_error, rel=1e-7)


@pytest.mark.parametrize("columns", [("c",), ("d", "e", "a"), ("e", "c", "b", "a")])
def test_reports_are_read_back_from_the_counts_of_all_joint_values(columns: Any) -> None:
    oracle = reported(MIXED)
    found = reports_from_counts(CountsOnly(oracle), MIXED, columns, "sample")
    assert np.array_equal(found.reported(columns), oracle.reported(columns))
    family = Family.of([{name: "1"} for name in columns], MIXED.schema)
    for of in get_args(Target):
        theirs = oracle.total(family.columns, partial(indicators, family), of=of)
        mine = found.total(family.columns, partial(indicators, family), of=of)
        np.testing.assert_allclose(mine.covariance, theirs.covariance, atol=1e-6)


def test_two_samples_know_how_the_errors_of_their_counts_go_together() -> None:
    def sample(theta: str, seed: int) -> RandomizedOracle:
        unknown = {"channel": "unrelated", "theta": theta, "personal": "unknown"}
        groups = [{"attributes": ["a", "b"], **unknown}]
        return reported(Design.of({"attributes": YES_NO, "groups": groups}), seed)

    oracle = GreenbergOracle(sample("0.75", 1), sample("0.25", 2))
    asked = Family.of(["a=1", "a=1 & b=1", "a=1 & b=0", "c=1", "c=1 & d=0", "a=1 & c=1"], SCHEMA)
    found = covariance(oracle, asked, "population")
    np.testing.assert_allclose(np.diag(found), oracle.count(asked).variance, rtol=1e-9)
    # Errors of a sum are those of its parts: N(a) = N(a & b) + N(a & not b).
    np.testing.assert_allclose(found[0], found[1] + found[2], rtol=1e-9, atol=1e-6)
