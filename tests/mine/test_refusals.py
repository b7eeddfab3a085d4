"""Miners over an oracle that does not release every count: they go on without the candidate."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from deniable.base.errors import ModelError
from deniable.expression import ANY, Family
from deniable.mine.bayes import counted_bayes, mine_bayes
from deniable.mine.rules.association_rules import mine_rules
from deniable.mine.rules.item_sets import ItemSets, frequent
from deniable.mine.tree.decision_tree import DecisionTree
from deniable.mine.tree.mine_tree import mine_tree
from deniable.oracle.api import CountOracle, Estimates, Target
from deniable.oracle.exact import ExactOracle
from deniable.schema import Schema
from mine.datasets import random_records

SCHEMA = Schema.of({name: ["0", "1"] for name in "abcdef"})
EXACT = ExactOracle(random_records(SCHEMA, 400, seed=21), SCHEMA)
MINIMUM = 10

Refusal = Callable[[dict[str, str], float], bool]


class Refusing:
    """Counts, but for what it refuses."""

    def __init__(self, oracle: CountOracle, refuses: Refusal) -> None:
        self._oracle, self._refuses = oracle, refuses
        self.schema, self.n = oracle.schema, oracle.n

    def count(self, expressions: Any, *, of: Target = "sample") -> Estimates:
        family = Family.of(expressions, self.schema)
        found = self._oracle.count(family, of=of)
        refused = [
            self._refuses(self._terms(family.columns, row), value)
            for row, value in zip(family.codes.tolist(), found.value.tolist(), strict=True)
        ]
        value = np.where(refused, np.nan, found.value)
        return Estimates(found.n, of, value, found.variance, found.tilt, found.bend)

    def _terms(self, columns: tuple[str, ...], row: list[int]) -> dict[str, str]:
        return {
            name: self.schema[name].values[code]
            for name, code in zip(columns, row, strict=True)
            if code != ANY
        }


def about(*names: str) -> Refusal:
    """Refuse whatever names all of these attributes."""
    return lambda terms, _: set(names) <= terms.keys()


def too_small(_: dict[str, str], value: float) -> bool:
    return value < MINIMUM


def used(tree: DecisionTree) -> set[str]:
    return {tree.features[axis] for axis in tree.axis if axis >= 0}


def same(one: DecisionTree, other: DecisionTree) -> bool:
    """The same splits by name, and the same counts."""
    names = [[t.features[axis] if axis >= 0 else "" for axis in t.axis] for t in (one, other)]
    return names[0] == names[1] and np.array_equal(one.counts, other.counts)


WITHOUT_B = mine_tree(EXACT, "f", features=["a", "c", "d", "e"], growth="faithful")


def test_without_refusals_the_attribute_would_be_used() -> None:
    assert "b" in used(mine_tree(EXACT, "f", growth="faithful"))


def test_a_tree_does_without_an_attribute_whose_counts_are_refused() -> None:
    assert same(mine_tree(Refusing(EXACT, about("b")), "f", growth="faithful"), WITHOUT_B)


@pytest.mark.parametrize("window", [None, 2, 5, "adaptive"])
def test_neither_screen_nor_confirmation_chooses_a_refused_attribute(window: Any) -> None:
    refusing = Refusing(EXACT, about("b"))
    for screen, confirm in ((refusing, EXACT), (EXACT, refusing), (refusing, refusing)):
        tree = mine_tree(screen, "f", growth="faithful", confirm=confirm, window=window)
        if confirm is refusing or window is not None:
            assert "b" not in used(tree)
        if window is not None and screen is refusing:
            assert same(tree, WITHOUT_B)


def test_one_refused_cell_is_enough_to_drop_a_candidate() -> None:
    def cell(terms: dict[str, str], _: float) -> bool:
        return terms == {"b": "1", "f": "0"}

    everywhere = mine_tree(EXACT, "f", growth="faithful", features=["b"])
    assert used(everywhere) == {"b"}
    assert not used(mine_tree(Refusing(EXACT, cell), "f", growth="faithful", features=["b"]))


@pytest.mark.parametrize("window", [None, 3, "adaptive"])
def test_a_minimum_cell_stops_a_tree_where_nothing_is_left_to_split_by(window: Any) -> None:
    refusing = Refusing(EXACT, too_small)
    alone = mine_tree(refusing, "f", growth="faithful")
    hybrid = mine_tree(EXACT, "f", growth="faithful", confirm=refusing, window=window)
    full = mine_tree(EXACT, "f", growth="faithful")
    for tree in (alone, hybrid):
        assert 1 < len(tree.axis) < len(full.axis)
        assert tree.counts.min() >= MINIMUM
        assert np.isfinite(tree.shares).all()
    assert full.counts.min() < MINIMUM


@pytest.mark.parametrize("options", [{}, {"confirm": EXACT, "window": 2}])
def test_everything_but_the_classes_refused_leaves_one_leaf(options: dict[str, Any]) -> None:
    def all_but_classes(terms: dict[str, str], _: float) -> bool:
        return terms.keys() != {"f"}

    tree = mine_tree(Refusing(EXACT, all_but_classes), "f", growth="faithful", **options)
    assert len(tree.axis) == 1


@pytest.mark.parametrize("confirmed", [False, True])
def test_a_tree_without_its_class_counts_is_refused_in_a_sentence(confirmed: bool) -> None:
    refusing = Refusing(EXACT, about("f"))
    options: dict[str, Any] = {"confirm": refusing, "window": 2} if confirmed else {}
    with pytest.raises(ModelError, match="refused, so no tree can be grown"):
        mine_tree(EXACT if confirmed else refusing, "f", growth="faithful", **options)


def shares(found: ItemSets) -> dict[str, float]:
    return {str(row.items): row.support.value for row in found.rows()}


@pytest.mark.parametrize("tolerance", ["derived", 0.1])
def test_item_sets_that_are_refused_are_dropped_with_all_that_contain_them(tolerance: Any) -> None:
    refusing = Refusing(EXACT, about("a", "b"))
    plain = frequent(EXACT, min_support=0.2)
    for screen, confirm in ((refusing, None), (refusing, EXACT), (EXACT, refusing)):
        found = frequent(screen, min_support=0.2, tolerance=tolerance, confirm=confirm)
        kept = {items: s for items, s in shares(plain).items() if not {"a=", "b="} <= ab(items)}
        assert shares(found) == kept
        assert len(kept) < len(plain)
        # The four pairs of a and b, less those that the screen does not let through.
        assert 0 < found.refused <= 4
    assert frequent(refusing, min_support=0.2).refused == 4
    assert plain.refused == 0


def ab(items: str) -> set[str]:
    return {letter for letter in ("a=", "b=") if letter in items}


def test_rules_are_made_of_released_sets_only() -> None:
    refusing = Refusing(EXACT, about("a", "b"))
    plain = mine_rules(EXACT, min_support=0.2, min_confidence=0.5)
    found = mine_rules(EXACT, min_support=0.2, min_confidence=0.5, confirm=refusing)
    told = [
        str(rule) for rule in plain if not {"a=", "b="} <= ab(f"{rule.premise} {rule.conclusion}")
    ]
    assert 0 < len(told) < len(plain)
    assert sorted(map(str, found)) == sorted(told)


def test_naive_bayes_leaves_a_refused_feature_out() -> None:
    found = mine_bayes(Refusing(EXACT, about("b")), "f")
    without = counted_bayes(EXACT, "f", features=["a", "c", "d", "e"])
    assert found.document() == without.document()


@pytest.mark.parametrize("names", [("f",), ()])
def test_naive_bayes_without_classes_or_features_is_refused_in_a_sentence(
    names: tuple[str, ...],
) -> None:
    def all_but_classes(terms: dict[str, str], _: float) -> bool:
        return terms.keys() != {"f"}

    with pytest.raises(ModelError, match="Too many counts of 'f' are refused"):
        mine_bayes(Refusing(EXACT, about(*names) if names else all_but_classes), "f")


@pytest.mark.parametrize("window", [1, "adaptive"])
def test_where_a_whole_window_is_refused_the_next_candidates_are_counted(window: Any) -> None:
    """By a window of one, the candidate that ranks second stands in for a refused first."""
    free = mine_tree(EXACT, "f", growth="faithful", max_depth=1)
    best = free.features[free.axis[0]]
    found = mine_tree(
        EXACT,
        "f",
        growth="faithful",
        max_depth=1,
        confirm=Refusing(EXACT, about(best)),
        window=window,
    )
    others = [name for name in "abcde" if name != best]
    without = mine_tree(EXACT, "f", features=others, growth="faithful", max_depth=1)
    assert found.features[found.axis[0]] == without.features[without.axis[0]]
