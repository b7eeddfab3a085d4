"""Reports drawn again are counted at once as they are one by one."""

from typing import Any

import numpy as np
import pytest

from deniable import Design, PooledOracle, RandomizedOracle, Records
from deniable.engine.memory.numpy_engine import MemoryEngine
from deniable.expression import ANY, Family
from deniable.oracle import resampling
from deniable.oracle.replicates import Replicates
from oracle.test_frontiers import DESIGNS, WIDE, oracle_of

NAMES = ("a", "b", "d", "y")


def family(many: int = 40) -> Family:
    rng = np.random.default_rng(1)
    sizes = np.array([2, 2, 3, 2])
    codes = rng.integers(sizes, size=(many, len(sizes)))
    return Family(NAMES, np.where(rng.random(codes.shape) < 0.4, ANY, codes))


def one_by_one(replicates: Replicates, asked: Family) -> tuple[Any, Any]:
    found = [each.count(asked) for each in replicates.oracles]
    variance = np.stack([each.variance for each in found])
    return np.stack([each.value for each in found]), np.maximum(variance, 0.0)


@pytest.mark.parametrize("groups", (DESIGNS | WIDE).values(), ids=DESIGNS | WIDE)
def test_counted_at_once_they_are_what_each_counts(groups: list[dict[str, Any]]) -> None:
    again = Replicates(oracle_of(groups).resampled(5, np.random.default_rng(2)))
    assert again._together is not None
    for found, alone in zip(again.count(family()), one_by_one(again, family()), strict=True):
        np.testing.assert_allclose(found, alone, rtol=1e-9, atol=1e-7)


def test_few_of_many_patterns_are_counted_at_once_too() -> None:
    """Where most patterns do not occur, a table holds keys."""
    again = Replicates(oracle_of([], n=20).resampled(3, np.random.default_rng(2)))
    assert again.oracles[0].engine.table.keys is not None  # type: ignore[attr-defined]
    for found, alone in zip(again.count(family()), one_by_one(again, family()), strict=True):
        np.testing.assert_array_equal(found, alone)


def test_those_that_differ_in_more_than_reports_are_counted_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(2)
    drawn = oracle_of(DESIGNS["one related group"]).resampled(2, rng)
    other = oracle_of(DESIGNS["two related groups"]).resampled(1, rng)
    sites = PooledOracle([oracle_of([]), oracle_of(DESIGNS["certain"])]).resampled(2, rng)
    monkeypatch.setattr(resampling, "MOST_STACKED", 100)
    for oracles in ([*drawn, *other], sites, drawn):
        again = Replicates(oracles)
        assert again._together is None
        np.testing.assert_array_equal(again.count(family())[0], one_by_one(again, family())[0])


def test_an_attribute_may_have_any_name() -> None:
    """The one that numbers the drawings never has an attribute's."""
    oracle = oracle_of([])
    records = oracle.engine
    assert isinstance(records, MemoryEngine)
    names = ["#", "##", "b", "c#", "draw", "y", "z"]
    schema = type(oracle.schema).of(
        {
            name: oracle.schema[old].values
            for name, old in zip(names, oracle.schema.names, strict=True)
        }
    )
    codes = np.stack(records.codes(oracle.schema.names), axis=1)
    renamed = RandomizedOracle(Records.from_codes(codes, schema), Design.truthful(schema))
    again = Replicates(renamed.resampled(3, np.random.default_rng(2)))
    asked = Family(("#", "##"), np.array([[0, 1], [1, ANY]]))
    np.testing.assert_array_equal(again.count(asked)[0], one_by_one(again, asked)[0])
