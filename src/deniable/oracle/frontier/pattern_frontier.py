"""Routing every pattern down a tree, where a joint table of the columns is small."""

from functools import cached_property, lru_cache
from math import prod

import numpy as np

from deniable.base.arrays import Codes, Floats, Mask, along
from deniable.expression import strides
from deniable.oracle.frontier.frontier import CLOSED, children
from deniable.oracle.frontier.routed_frontier import (
    PUBLIC,
    GroupInUse,
    ReportLayout,
    RoutedFrontier,
)

KEPT = 1 << 16
"""Patterns up to which they are kept for the next tree."""


class PatternFrontier(RoutedFrontier):
    """Every pattern is a row, in one node, with a signed count; groups are undone as tables."""

    def __init__(
        self,
        layout: ReportLayout,
        touched: Mask,
        patterns: "Patterns",
        weights: tuple[Floats, Floats],
        rows: Codes,
        node: Codes,
    ) -> None:
        super().__init__(layout, touched)
        self._patterns, self._weights, self._rows, self._node = patterns, weights, rows, node

    @classmethod
    def root(cls, layout: ReportLayout, reports: Codes) -> "PatternFrontier":
        """Begin with counts of reports, an axis per column."""
        patterns = _patterns(layout.sizes)
        counts = reports.astype(np.float64).ravel()
        rows = np.arange(len(counts))
        touched = np.zeros((1, len(layout.parts)), dtype=bool)
        nowhere = np.zeros_like(rows)
        start = cls(layout, touched, patterns, (counts, counts), rows, nowhere)
        part = layout.part[layout.target]
        if part != PUBLIC:
            touched[0, part] = True
            start._weights = start._undone(touched)
        return start

    def _totals(self, power: int) -> Floats:
        shape = (len(self._touched), self.layout.classes)
        totals = np.bincount(self._cell, self._carried(power), minlength=prod(shape))
        return totals.astype(np.float64, copy=False).reshape(shape)

    def _ones(self, power: int) -> Floats:
        cells = len(self._touched) * self.layout.classes
        ones = self._patterns.added_up(self._rows, self._cell, cells, self._carried(power))
        return ones.reshape(len(self._touched), self.layout.classes, -1)

    def _carried(self, power: int) -> Floats:
        weights = self._weights[power - 1]
        return weights if len(self._rows) == len(weights) else weights[self._rows]

    @cached_property
    def _cell(self) -> Codes:
        cell: Codes = self._node * self.layout.classes + self._patterns.codes[-1][self._rows]
        return cell

    def split(self, choice: Codes) -> "PatternFrontier":
        """Undo what is named for the first time, then route."""
        newly = self._newly(np.arange(len(choice)), choice)
        weights = self._undone(newly) if newly.any() else self._weights
        parent, _, first = children(choice, self.layout.sizes[:-1])
        rows, node = self._rows, self._node
        axis = choice[node]
        if (choice == CLOSED).any():
            kept = np.flatnonzero(axis != CLOSED)
            rows, node, axis = rows[kept], node[kept], axis[kept]
        codes = self._patterns.codes
        child = first[node] + codes.ravel().take(axis * codes.shape[1] + rows)
        touched = (self._touched | newly)[parent]
        return PatternFrontier(self.layout, touched, self._patterns, weights, rows, child)

    def _undone(self, newly: Mask) -> tuple[Floats, Floats]:
        """Undo each part at the nodes that ask for it: all its patterns are there."""
        value, square = self._weights
        for number, part in enumerate(self.layout.parts):
            rows = self._rows[newly[self._node, number]]
            if not len(rows):
                continue
            before, squared_before = value, square
            value, square = value.copy(), square.copy()
            if part.channel.flips:
                opposite = self._patterns.opposite(part)[rows]
                match, clash = self.layout.factors[number][:, 0]
                value[rows] = match * before[rows] + clash * before[opposite]
                square[rows] = match**2 * squared_before[rows] + clash**2 * squared_before[opposite]
            else:
                inverse, (axis,) = self.layout.factors[number], part.columns
                value[rows] = self._patterns.undone(axis, before, inverse)[rows]
                square[rows] = self._patterns.undone(axis, squared_before, inverse**2)[rows]
        return value, square


class Patterns:
    """Codes of every joint pattern, and a way to reach one group's."""

    def __init__(self, sizes: tuple[int, ...]) -> None:
        self._sizes = sizes
        codes = np.indices(sizes, dtype=np.min_scalar_type(max(sizes)))
        self.codes = codes.reshape(len(sizes), prod(sizes))
        self._opposite: dict[tuple[int, ...], Codes] = {}

    @cached_property
    def _ones(self) -> Floats:
        """1 where a pattern has a value of an axis, but its first ``[pattern, value]``."""
        values = [(a, v) for a, size in enumerate(self._sizes[:-1]) for v in range(1, size)]
        found = np.empty((self.codes.shape[1], len(values)))
        for column, (axis, value) in enumerate(values):
            found[:, column] = self.codes[axis] == value
        return found

    def added_up(self, rows: Codes, cell: Codes, cells: int, weights: Floats) -> Floats:
        """Add up weights of rows ``[cell, value]``; a row is in one cell only."""
        from scipy.sparse import csc_array

        starts = np.zeros(self.codes.shape[1] + 1, dtype=np.int64)
        starts[1:][rows] = 1
        # One entry per row: by columns, the matrix is its entries as they stand.
        matrix = csc_array((weights, cell, np.cumsum(starts)), shape=(cells, len(starts) - 1))
        found: Floats = matrix @ self._ones
        return found

    def opposite(self, part: GroupInUse) -> Codes:
        """Give for each pattern the number of the one that is opposite in a yes/no group."""
        if part.columns not in self._opposite:
            places = np.array(strides(self._sizes), dtype=np.int64)
            number = np.arange(self.codes.shape[1])
            for column in part.columns:
                number += (1 - 2 * self.codes[column].astype(np.int64)) * places[column]
            self._opposite[part.columns] = number
        return self._opposite[part.columns]

    def undone(self, column: int, table: Floats, inverse: Floats) -> Floats:
        """Apply to a table of all columns what undoes one of them."""
        return along(table.reshape(self._sizes), [column], inverse.__matmul__).ravel()


def _patterns(sizes: tuple[int, ...]) -> Patterns:
    """Make the patterns; small ones are kept, for the many trees of folds and forests."""
    return _kept_patterns(sizes) if prod(sizes) <= KEPT else Patterns(sizes)


@lru_cache(maxsize=2)
def _kept_patterns(sizes: tuple[int, ...]) -> Patterns:
    return Patterns(sizes)
