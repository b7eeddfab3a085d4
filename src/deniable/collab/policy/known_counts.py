"""Counts that are known, and what follows from them.

A cell is wider than another if its terms are some of the other's, and narrower if the other's are
some of its own. The cells that add one attribute's values to the same parent are a *family*: their
counts sum to the parent's.
"""

from collections.abc import Callable, Collection, Iterator
from itertools import combinations

import numpy as np

from deniable.collab.cells import Cell
from deniable.schema import Schema


class Own:
    """What one side knows of a cell by itself: how many records satisfy its own terms."""

    def __init__(self, schema: Schema, n: int, count: Callable[[Cell], int] | None) -> None:
        self._n, self._count = n, count
        self._sizes: dict[Cell, int] = {frozenset(): n}
        # Terms about others' columns hold for all, as far as this side can tell.
        self._columns = frozenset(
            attribute.name
            for attribute in schema
            if count and any(count(frozenset({(attribute.name, v)})) < n for v in attribute.values)
        )

    def __contains__(self, name: str) -> bool:
        return name in self._columns

    def part(self, cell: Cell) -> Cell:
        """The terms about own columns."""
        return frozenset(term for term in cell if term[0] in self._columns)

    def size(self, cell: Cell) -> int:
        """How many records satisfy the terms about own columns."""
        part = self.part(cell)
        if part not in self._sizes:
            self._sizes[part] = self._count(part) if self._count else self._n
        return self._sizes[part]


class Counts:
    """Counts by cell, upon others that stay as they are beneath.

    For each term, and for each attribute, a long integer says which cells have it: bit i stands for
    the i-th cell. So wider and narrower cells are found by a few operations, however many there
    are.
    """

    def __init__(self, schema: Schema, own: Own, beneath: "Counts | None" = None) -> None:
        self.schema, self.own, self.beneath = schema, own, beneath
        self.added: dict[Cell, int] = {}
        self._listed: list[tuple[Cell, int]] = []
        self._with: dict[tuple[str, str], int] = {}
        self._about: dict[str, int] = {}
        self._long: dict[int, int] = {}
        self.terms: dict[str, list[Cell]] = beneath.terms if beneath else _terms(schema)

    def get(self, cell: Cell) -> int | None:
        """A cell's count, if it is known."""
        found = self.added.get(cell)
        return self.beneath.get(cell) if found is None and self.beneath is not None else found

    def __contains__(self, cell: Cell) -> bool:
        return self.get(cell) is not None

    def add(self, cell: Cell, count: int) -> None:
        """Add one count that is not known yet, and nothing that follows from it."""
        bit = 1 << len(self._listed)
        self.added[cell] = count
        self._listed.append((cell, count))
        self._long[len(cell)] = self._long.get(len(cell), 0) | bit
        for term in cell:
            self._with[term] = self._with.get(term, 0) | bit
            self._about[term[0]] = self._about.get(term[0], 0) | bit

    def wider(self, cell: Cell) -> list[tuple[Cell, int]]:
        """Known cells that say less, with their counts."""
        others = self._long.get(len(cell), 0)
        values = dict(cell)
        for name, about in self._about.items():
            others |= about ^ self._with.get((name, values[name]), 0) if name in values else about
        found = self._chosen(~others & self._all)
        return found if self.beneath is None else found + self.beneath.wider(cell)

    def narrower(self, cell: Cell) -> list[tuple[Cell, int]]:
        """Known cells that say more, with their counts."""
        found = self._chosen(self._holding(cell) & ~self._long.get(len(cell), 0))
        return found if self.beneath is None else found + self.beneath.narrower(cell)

    def children(self, cell: Cell) -> list[tuple[Cell, int]]:
        """Known cells that say one thing more, with their counts."""
        return self._longer(cell, 1)

    def _longer(self, cell: Cell, by: int) -> list[tuple[Cell, int]]:
        """Known cells that say so many things more."""
        longer = self._long.get(len(cell) + by, 0)
        found = self._chosen(longer and longer & self._holding(cell))
        return found if self.beneath is None else found + self.beneath._longer(cell, by)  # noqa: SLF001 (another of its kind)

    def squares(
        self, cell: Cell, among: Collection[str]
    ) -> Iterator[tuple[Cell, Cell, Cell, Cell]]:
        """Every E, E ∧ s, E ∧ t, E ∧ s ∧ t that a cell is one of, by terms on some attributes.

        What is beside the cell may be unknown; what says more than it is known.
        """
        terms = [term for term in sorted(cell) if term[0] in among]
        for s, t in combinations(terms, 2):
            yield cell - {s, t}, cell - {t}, cell - {s}, cell
        for longer, _ in self.children(cell):
            (t,) = longer - cell
            if t[0] in among:
                for s in terms:
                    yield cell - {s}, cell, cell - {s} | {t}, longer
        for longest, _ in self._longer(cell, 2):
            s, t = sorted(longest - cell)
            if s[0] in among and t[0] in among:
                yield cell, cell | {s}, cell | {t}, longest

    @property
    def _all(self) -> int:
        return (1 << len(self._listed)) - 1

    def _holding(self, cell: Cell) -> int:
        """The cells that have all terms of this one."""
        chosen = self._all
        for term in cell:
            chosen &= self._with.get(term, 0)
        return chosen

    def _chosen(self, bits: int) -> list[tuple[Cell, int]]:
        if not bits:
            return []
        octets = np.frombuffer(bits.to_bytes(bits.bit_length() // 8 + 1, "little"), dtype=np.uint8)
        places = np.flatnonzero(np.unpackbits(octets, bitorder="little").view(np.bool_))
        return [self._listed[place] for place in places.tolist()]

    def family(self, parent: Cell, name: str) -> tuple[list[Cell], list[Cell]]:
        """The parent's cells by the values of an attribute: those known, and those not."""
        there: list[Cell] = []
        missing: list[Cell] = []
        for term in self.terms[name]:
            cell = parent | term
            (there if cell in self else missing).append(cell)
        return there, missing

    def total(self, cells: list[Cell]) -> int:
        """Sum of known counts."""
        return sum(self.get(cell) or 0 for cell in cells)

    def conclude(self, cell: Cell, count: int) -> None:
        """Add a count, and all that follow from it by families; what is known stays as it is."""
        waiting = [(cell, count)]
        while waiting:
            cell, count = waiting.pop()
            if cell not in self:
                self.add(cell, count)
                waiting += self._following(cell)

    def _following(self, cell: Cell) -> Iterator[tuple[Cell, int]]:
        """A whole family tells its parent; a parent and all but one of its family tell the last."""
        divided_by = {name for child, _ in self.children(cell) for name, _ in child - cell}
        for parent, name in [*_parents(cell), *((cell, name) for name in sorted(divided_by))]:
            there, missing = self.family(parent, name)
            if not missing:
                yield parent, self.total(there)
            elif len(missing) == 1:
                whole = self._whole(parent, name)
                if whole is not None:
                    yield missing[0], whole - self.total(there)

    def _whole(self, parent: Cell, name: str) -> int | None:
        """A parent's count: told, or this side's own where the family is about others' columns."""
        if name not in self.own and self.own.part(parent) == parent:
            return self.own.size(parent)
        return self.get(parent)


def _parents(cell: Cell) -> Iterator[tuple[Cell, str]]:
    for term in sorted(cell):  # a set's own order differs from process to process
        yield cell - {term}, term[0]


def _terms(schema: Schema) -> dict[str, list[Cell]]:
    return {a.name: [frozenset({(a.name, value)}) for value in a.values] for a in schema}
