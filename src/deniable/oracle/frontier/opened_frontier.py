"""Counting down trees where every path there can be is counted beforehand: they are few.

A table has a place for "left open" on every axis, and then one for each value: a node is a cell of
it, and so are those below.
"""

import numpy as np

from deniable.base.arrays import Codes, Floats, along
from deniable.expression import strides
from deniable.oracle.api import Crossing, Wanted
from deniable.oracle.frontier.frontier import (
    STAY,
    children,
    pairs_by_size,
    population_variance,
    split_nodes,
)
from deniable.oracle.frontier.routed_frontier import PUBLIC, GroupInUse, ReportLayout


class OpenedFrontier:
    """Nodes of several trees; squares must add up in all parts."""

    def __init__(
        self, layout: ReportLayout, sums: tuple[Floats, Floats], trees: int, cell: Codes
    ) -> None:
        self._layout, self._sums, self._trees, self._cell = layout, sums, trees, cell
        self._sizes = np.array(layout.sizes[:-1], dtype=np.int64)
        self._steps = trees * np.array(strides((self._sizes + 1).tolist()), dtype=np.int64)

    @classmethod
    def roots(cls, layout: ReportLayout, reports: Codes) -> "OpenedFrontier":
        """Begin with counts of the reports of each tree ``[tree, column, …]``."""
        sums = _opened(layout, reports, 1), _opened(layout, reports, 2)
        return cls(layout, sums, len(reports), np.arange(len(reports)))

    def classes(self) -> tuple[Floats, Floats]:
        """Count the target's values at every node."""
        return self._sums[0][self._cell], self._variance(self._cell)

    def tables(self, wanted: Wanted) -> list[Crossing]:
        """Count by an axis' values and the target's."""
        return [
            Crossing(node, axis, self._sums[0][cells]) for node, axis, cells in self._asked(wanted)
        ]

    def variances(self, wanted: Wanted) -> list[Floats]:
        """Give the variances of the counts in `tables`."""
        return [self._variance(cells) for *_, cells in self._asked(wanted)]

    def split(self, choice: Codes) -> "OpenedFrontier":
        """Go to the children's cells."""
        return self.branch(*split_nodes(choice))

    def branch(self, nodes: Codes, choice: Codes) -> "OpenedFrontier":
        """Go to the cells of children."""
        parent, code, _ = children(choice, self._layout.sizes[:-1])
        cell, axis = self._cell[nodes[parent]], choice[parent]
        down = np.flatnonzero(axis != STAY)
        cell[down] = self._cells(cell[down], axis[down], code[down, np.newaxis])[:, 0]
        return OpenedFrontier(self._layout, self._sums, self._trees, cell)

    def _variance(self, cells: Codes) -> Floats:
        value, square = (each[cells] for each in self._sums)
        return population_variance(square, value, self._layout.n)

    def _asked(self, wanted: Wanted) -> list[tuple[Codes, Codes, Codes]]:
        """Pairs of node and axis, and their cells ``[pair, value]``."""
        return [
            (node, axis, self._cells(self._cell[node], axis, np.arange(size)))
            for size, node, axis in pairs_by_size(wanted, self._layout.sizes[:-1])
        ]

    def _cells(self, cell: Codes, axis: Codes, codes: Codes) -> Codes:
        """Cells where an axis has a value, too; nobody's if it had another ``[cell, value]``."""
        step, nobody = self._steps[axis], len(self._sums[0]) - 1
        named = (cell // step % (self._sizes[axis] + 1))[:, np.newaxis]
        found = cell[:, np.newaxis] + step[:, np.newaxis] * (codes + 1 - named)
        found[(named != 0) & (named != codes + 1) | (cell == nobody)[:, np.newaxis]] = nobody
        return found


def _opened(layout: ReportLayout, reports: Codes, power: int) -> Floats:
    """Σ weight^power of every path, and of nobody in the end ``[path and tree, class]``."""
    table = np.moveaxis(reports, 0, -2).astype(np.float64)  # long rows are added up at once
    for part in layout.parts:
        axes = [layout.target + 1 if column == layout.target else column for column in part.columns]
        whole = table.sum(axis=tuple(axes), keepdims=True)
        table = _undone(table, axes, part, layout.inverse[part.columns[0]] ** power)
        own = [axis for axis in axes if axis < layout.target]
        for axis in own:
            table = _with_sum(table, axis)
        if len(own) == len(axes):
            # A path that names nothing of the part has the weights of nothing.
            nothing = tuple(
                slice(0, 1) if axis in own else slice(None) for axis in range(table.ndim)
            )
            table[nothing] = whole
    for axis in np.flatnonzero(layout.part[:-1] == PUBLIC).tolist():
        table = _with_sum(table, axis)
    nobody = np.zeros((1, layout.classes))
    return np.concatenate([table.reshape(-1, layout.classes), nobody])


def _with_sum(table: Floats, axis: int) -> Floats:
    """Put the sum over an axis before its values."""
    return np.concatenate([table.sum(axis=axis, keepdims=True), table], axis=axis)


def _undone(table: Floats, axes: list[int], part: GroupInUse, inverse: Floats) -> Floats:
    """Weigh reports of a part by what undoes it, or its squares."""
    if not part.channel.flips:
        return along(table, axes, inverse.__matmul__)
    match, clash = inverse[:, 0]
    found: Floats = match * table + clash * np.flip(table, tuple(axes))
    return found
