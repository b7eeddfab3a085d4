"""Counting down trees of yes/no attributes, where a joint table of the reports is small.

A node is a table of what is still open there: a *cube*, with a cell for each answer to the axes
that its path has not named, and in a cell, for each class, the signed count and Σw². A child is
half of its parent's cube: groups are undone at the root.

A level is one array, of one tree or of many. Folding cubes axis by axis gives the tables of all
axes for a few additions a cell. Only nodes that are asked for tables get a cube; what a child holds
in all is known from its parent's tables.
"""

from functools import cached_property

import numpy as np

from deniable.base.arrays import ROUNDING, AnyCodes, Codes, Floats
from deniable.channel.channel import BINARY
from deniable.expression import ANY
from deniable.oracle.api import Crossing, Wanted
from deniable.oracle.frontier.cubes import Cubes, Halves
from deniable.oracle.frontier.frontier import CLOSED
from deniable.oracle.frontier.yes_no_layout import OpenAxes, YesNoLayout


class CubeFrontier:
    """The nodes of one level; it may begin with several roots, of trees that are designed alike."""

    def __init__(
        self, layout: YesNoLayout, paths: AnyCodes, squares: Floats, totals: Floats, cubes: Cubes
    ) -> None:
        self._layout, self._paths, self._totals, self._cubes = layout, paths, totals, cubes
        self._squares = squares
        """What Σw² in a node's cube is multiplied by ``[node]``."""
        self._asked: Wanted | None = None
        self._tables: list[tuple[Codes, Codes, Floats]] = []

    @classmethod
    def roots(cls, layout: YesNoLayout, reports: Codes) -> "CubeFrontier":
        """Begin with counts of the reports of each tree ``[tree, column, …]``."""
        cells = layout.undone(reports)
        many = cells.shape[1]
        paths = np.full((many, layout.axes), ANY, dtype=np.int8)
        return cls(layout, paths, np.ones(many), cells.sum(axis=0), Cubes.given(cells))

    def classes(self) -> tuple[Floats, Floats]:
        """Count the target's values at every node."""
        return self._totals[:, 0], self._variance(self._totals)

    def tables(self, wanted: Wanted) -> list[Crossing]:
        """Count by an axis' values and the target's."""
        return [Crossing(node, axis, table[:, :, 0]) for node, axis, table in self._crossed(wanted)]

    def variances(self, wanted: Wanted) -> list[Floats]:
        """Give the variances of the counts in `tables`."""
        return [self._variance(table) for *_, table in self._crossed(wanted)]

    def split(self, choice: Codes) -> "CubeFrontier":
        """Halve the cubes of the nodes that are split."""
        nodes = np.flatnonzero(choice != CLOSED)
        totals = self._table(nodes, choice[nodes]).reshape(-1, *self._totals.shape[1:])
        squares = self._squared(nodes, choice[nodes]).ravel()
        parent, axis = np.repeat(nodes, BINARY), np.repeat(choice[nodes], BINARY)
        value = np.tile(np.arange(BINARY), len(nodes))
        paths = self._paths[parent]
        paths[np.arange(len(parent)), axis] = value
        place = self._axes.place[parent, axis]
        cubes = Cubes.halved(Halves(self._cubes.held(), parent, place, value))
        return CubeFrontier(self._layout, paths, squares, totals, cubes)

    @cached_property
    def _axes(self) -> OpenAxes:
        return OpenAxes(self._layout, self._paths)

    def _variance(self, sums: Floats) -> Floats:
        """Variances of counts from sums ``[..., power, class]``."""
        square: Floats = sums[..., 1, :]
        variance = square - sums[..., 0, :] ** 2 / self._layout.n
        variance[variance <= ROUNDING * square] = 0.0
        return variance

    def _crossed(self, wanted: Wanted) -> list[tuple[Codes, Codes, Floats]]:
        """Sums of all pairs, kept: whoever asks for variances has just asked for counts."""
        if self._asked is None or not np.array_equal(self._asked, wanted):
            node, axis = np.nonzero(wanted)
            self._tables = [(node, axis, self._table(node, axis))] if len(node) else []
            self._asked = wanted.copy()
        return self._tables

    def _table(self, node: Codes, axis: Codes) -> Floats:
        """Sums of truths ``[pair, value, power, class]``."""
        named = self._paths[node, axis]
        table = self._cubes.sums(node, np.where(named == ANY, self._axes.place[node, axis], 0))
        table[:, :, 1] *= self._squared(node, axis)[..., np.newaxis]
        for value in range(BINARY) if (named != ANY).any() else ():
            said = np.flatnonzero(named == value)
            table[said, 1 - value] = 0.0
            table[said, value] = self._totals[node[said]]
        return table

    def _squared(self, node: Codes, axis: Codes) -> Floats:
        """What Σw² is multiplied by where an axis has a value ``[pair, value]``."""
        first = self._axes.untouched[node, axis, np.newaxis]
        own = np.where(first, self._layout.first_square[axis], 1.0)
        found: Floats = self._squares[node, np.newaxis] * own
        return found
