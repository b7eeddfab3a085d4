"""Counting down trees where every path there can be is counted beforehand: they are few.

A table has a place for "left open" on every axis, and then one for each value: a node is a cell of
it, and so are those below.
"""

from math import prod

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
from deniable.oracle.frontier.routed_frontier import GroupInUse, ReportLayout


class OpenedFrontier:
    """Nodes of several trees; squares must add up in all parts."""

    def __init__(self, layout: ReportLayout, counts: tuple[Floats, Floats], cell: Codes) -> None:
        self._layout, self._counts, self._cell = layout, counts, cell
        self._sizes = np.array(layout.sizes[:-1], dtype=np.int64)
        self._steps = np.array(strides((self._sizes + 1).tolist()), dtype=np.int64)

    @classmethod
    def roots(cls, layout: ReportLayout, reports: Codes) -> "OpenedFrontier":
        """Begin with counts of the reports of each tree ``[tree, column, …]``."""
        value, square = (_opened(layout, reports, power) for power in (1, 2))
        cells = prod(size + 1 for size in layout.sizes[:-1])
        counts = value, population_variance(square, value, layout.n)
        return cls(layout, counts, cells * np.arange(len(reports)))

    def classes(self) -> tuple[Floats, Floats]:
        """Count the target's values at every node."""
        value, variance = self._counts
        return value[self._cell], variance[self._cell]

    def tables(self, wanted: Wanted) -> list[Crossing]:
        """Count by an axis' values and the target's."""
        return [Crossing(node, axis, table) for node, axis, table in self._crossed(wanted, 0)]

    def variances(self, wanted: Wanted) -> list[Floats]:
        """Give the variances of the counts in `tables`."""
        return [table for *_, table in self._crossed(wanted, 1)]

    def split(self, choice: Codes) -> "OpenedFrontier":
        """Go to the children's cells."""
        return self.branch(*split_nodes(choice))

    def branch(self, nodes: Codes, choice: Codes) -> "OpenedFrontier":
        """Go to the cells of children."""
        parent, code, _ = children(choice, self._layout.sizes[:-1])
        cell, axis = self._cell[nodes[parent]], choice[parent]
        down = np.flatnonzero(axis != STAY)
        cell[down] = self._cells(cell[down], axis[down], code[down, np.newaxis])[:, 0]
        return OpenedFrontier(self._layout, self._counts, cell)

    def _crossed(self, wanted: Wanted, which: int) -> list[tuple[Codes, Codes, Floats]]:
        return [
            (node, axis, self._counts[which][self._cells(self._cell[node], axis, np.arange(size))])
            for size, node, axis in pairs_by_size(wanted, self._layout.sizes[:-1])
        ]

    def _cells(self, cell: Codes, axis: Codes, codes: Codes) -> Codes:
        """Cells where an axis has a value, too; nobody's if it had another ``[cell, value]``."""
        step, nobody = self._steps[axis], len(self._counts[0]) - 1
        named = (cell // step % (self._sizes[axis] + 1))[:, np.newaxis]
        found = cell[:, np.newaxis] + step[:, np.newaxis] * (codes + 1 - named)
        found[(named != 0) & (named != codes + 1) | (cell == nobody)[:, np.newaxis]] = nobody
        return found


def _opened(layout: ReportLayout, reports: Codes, power: int) -> Floats:
    """Σ weight^power of every path, tree by tree, and of nobody in the end ``[path, class]``."""
    table = reports.astype(np.float64)
    for axis in range(1, layout.target + 1):
        whole = table.sum(axis=axis, keepdims=True)
        table = np.concatenate([whole, table], axis=axis)
    for part in layout.parts:
        table = _undone(layout, table, part, power)
    nobody = np.zeros((1, layout.classes))
    return np.concatenate([table.reshape(-1, layout.classes), nobody])


def _undone(layout: ReportLayout, table: Floats, part: GroupInUse, power: int) -> Floats:
    """Undo a part in paths that name it, or the class in it; what an axis leaves open stays so."""
    axes = [column + 1 for column in part.columns]  # behind the trees
    if not part.channel.flips:
        (axis,) = axes
        inverse = layout.inverse[part.columns[0]] ** power
        if axis == layout.target + 1:
            return along(table, [axis], inverse.__matmul__)
        whole, named = np.split(table, [1], axis=axis)
        return np.concatenate([whole, along(named, [axis], inverse.__matmul__)], axis=axis)
    (match, clash), *_ = (layout.inverse[part.columns[0]] ** power).T
    opposite = table
    for axis in axes:
        swapped = [1, 0] if axis == layout.target + 1 else [0, 2, 1]
        opposite = opposite.take(swapped, axis=axis)
    found: Floats = match * table + clash * opposite
    if layout.target + 1 not in axes:
        nothing = tuple(0 if place in axes else slice(None) for place in range(table.ndim))
        found[nothing] = table[nothing]
    return found
