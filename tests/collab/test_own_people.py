"""The people behind a side's own terms, against an enumeration of all sums of three sets."""

from itertools import combinations, product

import numpy as np
import pytest
from numpy.typing import NDArray

from deniable.collab.cells import Cell
from deniable.collab.policy import own_people
from deniable.collab.policy.own_people import OwnPeople
from effort import calls_of

Bits = NDArray[np.bool_]
SICK = ("diagnosis", "yes")


def cell(name: str, *others: tuple[str, str]) -> Cell:
    return frozenset({(name, "1"), *others})


class Side:
    """A party with yes/no columns."""

    def __init__(self, columns: dict[str, Bits]) -> None:
        self.columns = columns
        self.n = len(next(iter(columns.values())))
        self.people = OwnPeople(columns, self.having)

    def having(self, part: Cell) -> Bits:
        found = np.ones(self.n, dtype=np.bool_)
        for name, value in part:
            found &= self.columns[name] == (value == "1")
        return found

    def refused(self, minimum: int) -> list[str]:
        """Ask about every column with the same other part; which ones tell of few."""
        found = []
        for name in self.columns:
            new = cell(name, SICK)
            among = self.people.asked_with(frozenset({SICK}))
            if self.people.tells_of_few(new, among, minimum):
                found.append(name)
            else:
                self.people.note(new)
        return found


def by_hand(columns: dict[str, Bits], minimum: int) -> list[str]:
    """The same, without any shortcut."""
    n = len(next(iter(columns.values())))
    known, found = [np.ones(n, dtype=np.int64)], []
    for name, each in columns.items():
        new = each.astype(np.int64)
        if any(np.array_equal(new, other) for other in known):
            continue
        few = False
        for first, second in combinations(known, 2):
            for plus, also in product((1, -1), repeat=2):
                _, many = np.unique(new + plus * first + also * second, return_counts=True)
                few |= 0 < n - many.max() < minimum
        if few:
            found.append(name)
        else:
            known.append(new)
    return found


@pytest.mark.parametrize("seed", range(6))
def test_a_set_is_refused_if_a_sum_with_two_others_is_the_same_for_nearly_all(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 70
    base = [rng.random(n) < share for share in (0.3, 0.5, 0.6)]
    columns: dict[str, Bits] = {}
    for number in range(24):
        a, b = (base[place] for place in rng.integers(3, size=2))
        made = [a, ~a, a & b, a | b, a ^ b, rng.random(n) < 1 / 2][rng.integers(6)].copy()
        made[rng.integers(n, size=rng.integers(4))] ^= True
        columns[f"c{number}"] = made
    refused = Side(columns).refused(3)
    assert refused == by_hand(columns, 3)
    assert 0 < len(refused) < 24


def test_sets_are_compared_among_counts_with_the_same_other_part_only() -> None:
    base = np.arange(100) < 40
    side = Side({"a": base, "b": base | (np.arange(100) == 70)})
    side.people.note(cell("a", SICK))
    for others, few in (({SICK}, True), ({("diagnosis", "no")}, False), (set(), False)):
        among = side.people.asked_with(frozenset(others))
        assert side.people.tells_of_few(cell("b", *others), among, 10) is few


def test_the_same_people_have_one_name_whatever_the_terms() -> None:
    base = np.arange(100) < 40
    side = Side({"a": base, "b": base.copy(), "c": ~base})
    people = side.people
    assert (
        people.name(cell("a"))
        == people.name(cell("b", SICK))
        == people.name(frozenset({("c", "0")}))
    )
    assert people.name(cell("a")) != people.name(cell("c"))
    people.note(cell("a", SICK))
    among = people.asked_with(frozenset({SICK}))
    assert people.again(cell("b", SICK), among)
    assert not people.again(cell("a", SICK), among), "that is the same question"
    assert not people.again(cell("b"), people.asked_with(frozenset())), "that is a size"
    assert not people.tells_of_few(cell("b", SICK), among, 10), "and tells nothing new"


def test_sets_that_are_not_at_hand_are_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    columns = {f"c{number}": rng.random(64) < 1 / 2 for number in range(20)}
    columns["again"] = columns["c0"] ^ (np.arange(64) < 2)
    wanted = Side(columns).refused(3)
    assert "again" in wanted
    monkeypatch.setattr(own_people, "MOST_PACKED_BYTES", 1)
    assert Side(columns).refused(3) == wanted


def test_most_sets_are_told_apart_by_their_sizes() -> None:
    rng = np.random.default_rng(1)
    n, many = 20_000, 200
    side = Side({f"c{k}": rng.random(n) < share for k, share in enumerate(rng.random(many))})
    assert side.refused(10) == []
    new = cell("c0", SICK)
    among = side.people.asked_with(frozenset({SICK})).copy()
    del among.by_set[side.people.name(new)]
    calls = calls_of(lambda: side.people.tells_of_few(new, among, 10)).total()
    assert calls < 10 * many, "and not of every two of them, 3 · 20,000"
