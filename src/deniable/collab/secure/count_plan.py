"""What two parties must count together, and in the fewest encrypted vectors.

A miner asks for many conjunctions at once. Some are known, and some follow by subtraction: of
N(E ∧ a=1), …, N(E ∧ a=k), which sum to N(E), one need not be asked. What is left is about my
columns (counted here), about theirs (they count it), or about both: then it is the dot product of
a vector of mine and one of theirs, one of which is encrypted. An encrypted vector serves every
conjunction it is part of, so the fewest vectors are a minimum vertex cover (König).
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from deniable.collab.cells import Cell
from deniable.collab.protocol.fields import MOST_CELLS_PER_VECTOR
from deniable.schema import Schema

HolderSide = Literal["mine", "theirs"]


@dataclass(frozen=True)
class Derivation:
    """A count that follows: the parent's, less those of all siblings."""

    cell: Cell
    parent: Cell
    siblings: tuple[Cell, ...]


@dataclass(frozen=True, eq=False)
class CountPlan:
    """What to ask, and what follows from the answers."""

    cells: tuple[Cell, ...]
    """All that was wanted, each once."""

    ask: list[Cell]
    derive: list[Derivation]
    """In an order in which each rests on what is there before it."""

    known: Mapping[Cell, float]

    def resolve(self, values: Mapping[Cell, float]) -> dict[Cell, float]:
        """Give every wanted count from the answers; what rests on a refused one (NaN) is NaN.

        Nothing else could be given in its place: the parent and all siblings would tell it.
        """
        found = {cell: values[cell] for cell in self.ask}
        for cell in self.cells:
            if cell in self.known:
                found[cell] = self.known[cell]
        for step in self.derive:
            parent, *siblings = (
                found[cell] if cell in found else self.known[cell]
                for cell in (step.parent, *step.siblings)
            )
            found[step.cell] = parent - sum(siblings)
        return {cell: found[cell] for cell in self.cells}


def plan(cells: Iterable[Cell], schema: Schema, known: Mapping[Cell, float]) -> CountPlan:
    """Leave out what is known and what follows.

    What was refused counts as known: all that rests on it is refused too, whether it was asked in
    this batch, before, or by a process that was interrupted. So a run that is begun again asks the
    same.

    Of the values of an attribute, it is always the last open one that follows from the others; so
    whatever a count rests on has fewer terms, or earlier values, and nothing rests on itself.

    >>> schema = Schema.of({"a": ["0", "1"], "b": ["0", "1"]})
    >>> table = [frozenset({("a", a), ("b", b)}) for a in "01" for b in "01"]
    >>> margins = {frozenset({(name, value)}): 5.0 for name in "ab" for value in "01"}
    >>> planned = plan(table, schema, margins)
    >>> [sorted(cell) for cell in planned.ask]
    [[('a', '0'), ('b', '0')]]
    >>> list(planned.resolve({planned.ask[0]: 2.0}).values())
    [2.0, 3.0, 3.0, 2.0]
    """
    wanted = dict.fromkeys(cells)
    ask, derive = [], []
    search = _Search(schema, known, {cell for cell in wanted if cell not in known})
    for cell in wanted:
        if cell in search.open:
            step = search.derivation(cell)
            if step is None:
                ask.append(cell)
            else:
                derive.append(step)
    derive.sort(key=lambda step: search.depth(step.cell))
    return CountPlan(tuple(wanted), ask, derive, known)


class _Search:
    """Looks for a way to derive one cell of a batch."""

    def __init__(self, schema: Schema, known: Mapping[Cell, float], open_cells: set[Cell]) -> None:
        self.open = open_cells
        self._known = known
        self._codes = {a.name: {v: code for code, v in enumerate(a.values)} for a in schema}

    def derivation(self, cell: Cell) -> Derivation | None:
        for name, value in sorted(cell):  # a set's own order differs from process to process
            parent = cell - {(name, value)}
            if self._usable(parent):
                siblings = self._siblings(parent, name, value)
                if siblings is not None:
                    return Derivation(cell, parent, siblings)
        return None

    def depth(self, cell: Cell) -> tuple[int, int]:
        return len(cell), sum(self._codes[name][value] for name, value in cell)

    def _usable(self, cell: Cell) -> bool:
        return cell in self.open or cell in self._known

    def _siblings(self, parent: Cell, name: str, value: str) -> tuple[Cell, ...] | None:
        """Give the other values' cells if all are there and none after this one is open."""
        codes = self._codes[name]
        siblings = []
        for other, code in codes.items():
            if other == value:
                continue
            sibling = parent | {(name, other)}
            if not (sibling in self._known or (code < codes[value] and sibling in self.open)):
                return None
            siblings.append(sibling)
        return tuple(siblings)


class SplitTerms(NamedTuple):
    """A conjunction's terms by who can tell whether they hold."""

    mine: Cell
    theirs: Cell
    shared: Cell


def split(cell: Cell, mine: Collection[str], theirs: Collection[str]) -> SplitTerms:
    """Part the terms by columns only I have, only they have, and both have."""
    only_mine = frozenset(term for term in cell if term[0] not in theirs)
    only_theirs = frozenset(term for term in cell if term[0] not in mine)
    return SplitTerms(only_mine, only_theirs, cell - only_mine - only_theirs)


@dataclass(frozen=True, eq=False)
class CountPlacement:
    """Conjunctions by where they are counted."""

    local: list[Cell]
    """I count these myself."""

    remote: list[Cell]
    """They count these, without cryptography."""

    crossing: list[Cell]
    """These need both sides."""

    pairs: list[tuple[Cell, Cell]]
    """My part and their part of each of `crossing`."""


def place(cells: Iterable[Cell], mine: Collection[str], theirs: Collection[str]) -> CountPlacement:
    """Say where each conjunction is counted, and who sees to the terms that both know.

    Cells with a part in common hang together at that part, their hub. The hub is to be encrypted
    once for all of them, so the shared terms, which differ from cell to cell, go to the other side.
    """
    placed = CountPlacement([], [], [], [])
    crossing = []
    for cell in cells:
        terms = split(cell, mine, theirs)
        if not terms.theirs:
            placed.local.append(cell)
        elif not terms.mine:
            placed.remote.append(cell)
        else:
            placed.crossing.append(cell)
            crossing.append(terms)
    at_mine = Counter(terms.mine for terms in crossing)
    at_theirs = Counter(terms.theirs for terms in crossing)
    for terms in crossing:
        if at_mine[terms.mine] >= at_theirs[terms.theirs]:
            placed.pairs.append((terms.mine, terms.theirs | terms.shared))
        else:
            placed.pairs.append((terms.mine | terms.shared, terms.theirs))
    return placed


class PlannedVector(NamedTuple):
    """One vector to encrypt, and the pairs that it serves, by number."""

    holder: HolderSide
    part: Cell
    pairs: list[int]


def cover(
    pairs: Sequence[tuple[Cell, Cell]], most: int = MOST_CELLS_PER_VECTOR
) -> list[PlannedVector]:
    """Choose the fewest vectors that serve every pair, at most so many pairs each.

    A part that serves more pairs is sent more than once.

    >>> hub, others = frozenset({("a", "1")}), [frozenset({("b", value)}) for value in "012"]
    >>> cover([(hub, other) for other in others])
    [PlannedVector(holder='mine', part=frozenset({('a', '1')}), pairs=[0, 1, 2])]
    """
    chosen = _fewest_parts(pairs)
    served: defaultdict[tuple[HolderSide, Cell], list[int]] = defaultdict(list)
    undecided = []
    for number, (mine, theirs) in enumerate(pairs):
        ends: tuple[tuple[HolderSide, Cell], ...] = ("mine", mine), ("theirs", theirs)
        serving = [end for end in ends if end in chosen]
        if len(serving) == 1:
            served[serving[0]].append(number)
        else:
            undecided.append((number, serving))
    for number, (first, second) in undecided:
        # A pair costs nothing where a vector has room left.
        room = len(served[first]) % most > 0
        served[first if room else second].append(number)
    return [
        PlannedVector(*part, numbers[start : start + most])
        for part, numbers in served.items()
        for start in range(0, len(numbers), most)
    ]


def _fewest_parts(pairs: Sequence[tuple[Cell, Cell]]) -> set[tuple[HolderSide, Cell]]:
    """Find a minimum vertex cover by a maximum matching (König 1931).

    Paths from the unmatched parts of mine go by any edge to theirs, and by a matched one back. The
    cover is what they do not reach of mine, and what they reach of theirs.
    """
    mine, rows = _numbered(mine for mine, _ in pairs)
    theirs, columns = _numbered(theirs for _, theirs in pairs)
    edges = csr_array((np.ones(len(pairs)), (rows, columns)), shape=(len(mine), len(theirs)))
    matched = maximum_bipartite_matching(edges, perm_type="row").tolist()
    reached_mine = set(range(len(mine))) - set(matched)
    reached_theirs: set[int] = set()
    waiting = sorted(reached_mine)
    while waiting:
        row = waiting.pop()
        beyond = set(edges.indices[edges.indptr[row] : edges.indptr[row + 1]].tolist())
        for column in beyond - reached_theirs:
            reached_theirs.add(column)
            if matched[column] not in reached_mine:
                reached_mine.add(matched[column])
                waiting.append(matched[column])
    cover: set[tuple[HolderSide, Cell]] = {("theirs", theirs[column]) for column in reached_theirs}
    return cover | {("mine", part) for row, part in enumerate(mine) if row not in reached_mine}


def _numbered(parts: Iterable[Cell]) -> tuple[list[Cell], list[int]]:
    """List what occurs, and where in the list each part is."""
    numbers: dict[Cell, int] = {}
    places = [numbers.setdefault(part, len(numbers)) for part in parts]
    return list(numbers), places
