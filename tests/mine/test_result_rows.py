"""Rows that are made when somebody looks at them are the rows they would be."""

import pickle
from collections.abc import Sequence
from typing import Any

import pytest

from deniable.mine.rules import result_rows
from deniable.mine.rules.association_rules import mine_rules
from deniable.mine.rules.frequent_sets import FrequentSets, mine_itemsets
from deniable.mine.rules.rule_set import RuleSet
from deniable.oracle.exact import ExactOracle
from deniable.schema import Schema
from mine.datasets import random_records

FEW = Schema.of({name: ["0", "1"] for name in "abcd"})
ORACLE = ExactOracle(random_records(FEW, 300, seed=1), FEW)
SETS = mine_itemsets(ORACLE, min_support=0.2)
RULES = mine_rules(ORACLE, min_support=0.2, min_confidence=0.6, max_false=1)

both = pytest.mark.parametrize("rows", [SETS.sets, RULES.rules], ids=["sets", "rules"])


@both
def test_rows_are_a_sequence(rows: Sequence[Any]) -> None:
    listed = list(rows)
    assert len(listed) == len(rows) > 20
    assert [rows[place] for place in range(len(rows))] == listed
    assert (rows[-1], list(rows[3:9:2])) == (listed[-1], listed[3:9:2])
    assert (listed[5] in rows, rows.index(listed[5])) == (True, 5)
    assert repr(rows) == repr(listed)
    with pytest.raises(IndexError):
        rows[len(rows)]


@both
def test_rows_are_equal_to_the_same_rows_of_any_sequence(rows: Sequence[Any]) -> None:
    listed = list(rows)
    same: list[Any] = [listed, tuple(listed), rows[:]]
    different: list[Any] = [listed[1:], listed[::-1], "rows", None]
    assert all(rows == each and each == rows for each in same)
    assert hash(rows) == hash(tuple(listed))
    assert all(rows != each and each != rows for each in different)


@both
def test_rows_are_the_same_however_many_are_made_at_once(
    rows: Sequence[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = list(rows)
    monkeypatch.setattr(result_rows, "MADE_AT_ONCE", 1)
    assert list(rows) == listed


@pytest.mark.parametrize("model", [SETS, RULES], ids=["sets", "rules"])
def test_a_model_of_rows_is_what_it_is_read_and_unpickled_as(model: FrequentSets | RuleSet) -> None:
    again = type(model).read(FEW, model.body())
    assert again == model == again
    assert pickle.loads(pickle.dumps(model)) == model  # noqa: S301
    assert list(model) == list(again) == model.rows()
