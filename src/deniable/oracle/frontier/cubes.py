"""Cubes of the nodes of a level: sums for each answer to the axes that a path leaves open.

A cube's first open axis is the highest bit of its cells' numbers. All nodes of a level have as many
open axes, so a level is one array ``[cell, node, power, class]``. It is made for the nodes that are
asked for, from the level above.
"""

import numpy as np

from deniable.base.arrays import Codes, Floats, Mask
from deniable.channel.channel import BINARY
from deniable.oracle.frontier.yes_no_layout import OpenAxes, YesNoLayout


class Halves:
    """How the cubes of children come from their parents'."""

    def __init__(
        self,
        layout: YesNoLayout,
        above: "Cubes",
        axes: OpenAxes,
        parent: Codes,
        axis: Codes,
        value: Codes,
    ) -> None:
        self._layout, self._above, self._axes = layout, above, axes
        self._parent, self._axis, self._value = parent, axis, value

    def __len__(self) -> int:
        return len(self._parent)

    def cells(self, children: Codes) -> tuple[Codes, Floats]:
        """Cubes of some children ``[cell, child, power, class]``, those that are undone first."""
        newly = self._axes.untouched[self._parent[children], self._axis[children]]
        undone, others = children[newly], children[~newly]
        ordered = np.concatenate([undone, others])
        _, column = self._above.cells(self._parent[ordered])
        first, rest = np.split(column, [len(undone)])
        parts = [self._half(undone, first, undo=True), self._half(others, rest, undo=False)]
        filled = [part for part in parts if part.size] or parts[:1]
        return ordered, filled[0] if len(filled) == 1 else np.concatenate(filled, axis=1)

    def _half(self, children: Codes, column: Codes, *, undo: bool) -> Floats:
        parent, axis, value = (each[children] for each in (self._parent, self._axis, self._value))
        whole, _ = self._above.cells(parent)
        flat = whole.reshape(-1, *whole.shape[2:])
        numbers = _halved(len(whole), self._axes.place[parent, axis], value)
        found: Floats = flat.take(numbers * whole.shape[1] + column, axis=0)
        if undo:
            turned = numbers ^ self._axes.opposite(parent, axis)
            other = flat.take(turned * whole.shape[1] + column, axis=0)
            # A weight for each number of a row: long rows are multiplied at once.
            found *= np.broadcast_to(self._layout.own[axis, value], found.shape[1:]).copy()
            other *= np.broadcast_to(self._layout.other[axis, value], found.shape[1:]).copy()
            found += other
        return found


class Cubes:
    """Cubes of a level, made when they are asked for."""

    def __init__(self, cells: Floats | None, place: Codes, halves: Halves | None) -> None:
        self._cells, self._place, self._halves = cells, place, halves
        self._folded: Floats | None = None

    @classmethod
    def given(cls, cells: Floats) -> "Cubes":
        """Of the roots."""
        return cls(cells, np.arange(cells.shape[1]), None)

    @classmethod
    def halved(cls, halves: Halves) -> "Cubes":
        """Of children."""
        return cls(None, np.full(len(halves), -1), halves)

    def held(self) -> "Cubes":
        """Those that were made, without the levels above that they are made from."""
        return Cubes(self._cells, self._place.copy(), None)

    def everybody(self) -> Floats:
        """Give all cubes ``[cell, node, power, class]``."""
        return self.cells(np.arange(len(self._place)))[0]

    def cells(self, nodes: Codes) -> tuple[Floats, Codes]:
        """Cubes ``[cell, place, power, class]``, and the place of each node that is asked for."""
        if self._cells is None or (self._place[nodes] < 0).any():
            assert self._halves is not None
            held: Mask = self._place >= 0
            held[nodes] = True
            children = np.flatnonzero(held)
            children, self._cells = self._halves.cells(children)
            self._folded = None
            self._place[children] = np.arange(len(children))
        return self._cells, self._place[nodes]

    def sums(self, nodes: Codes, place: Codes) -> Floats:
        """Sums by one open axis of each node ``[node, value, power, class]``."""
        cells, column = self.cells(nodes)
        if self._folded is None:
            self._folded = _folded(cells)
        flat = self._folded.reshape(-1, *cells.shape[2:])
        no = place * BINARY * cells.shape[1] + column
        found: Floats = flat.take(np.stack([no, no + cells.shape[1]], axis=1), axis=0)
        return found


def _folded(cells: Floats) -> Floats:
    """Sums by each open axis ``[axis, value, place, power, class]``.

    Neither side is the whole less the other: what is empty has to be 0.
    """
    axes = len(cells).bit_length() - 1
    found = np.zeros((max(axes, 1), BINARY, *cells.shape[1:]))
    for sums in found[:axes]:
        no, yes = cells.reshape(BINARY, -1, *cells.shape[1:])
        np.sum(no, axis=0, out=sums[0])
        np.sum(yes, axis=0, out=sums[1])
        cells = no + yes
    return found


def _halved(whole: int, axis: Codes, value: Codes) -> Codes:
    """Numbers ``[cell, child]`` in a whole cube of what is in the half where an axis has a value.

    >>> _halved(4, np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]))
    array([[0, 2, 0, 1],
           [1, 3, 2, 3]])
    """
    half, alike = np.unique(axis * BINARY + value, return_inverse=True)
    axis, value = np.divmod(half, BINARY)
    below = 1 << (whole.bit_length() - 2 - axis)
    cell = np.arange(whole // BINARY)[:, np.newaxis]
    numbers: Codes = cell + cell // below * below + value * below
    return numbers[:, alike]
