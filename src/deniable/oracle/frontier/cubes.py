"""Cubes of the nodes of a level: sums for each answer to the axes that a path leaves open.

A cube's first open axis is the highest bit of its cells' numbers. All nodes of a level have as many
open axes, so a level is one array ``[cell, node, power, class]``. It is made for the nodes that are
asked for, from the level above.
"""

import numpy as np

from deniable.base.arrays import Codes, Floats, Mask
from deniable.channel.channel import BINARY


class Halves:
    """How the cubes of children come from their parents'."""

    def __init__(self, above: "Cubes", parent: Codes, place: Codes, value: Codes) -> None:
        """Take for each child its parent, the parent's open axis that is named, and its value."""
        self._above, self._parent, self._place, self._value = above, parent, place, value

    def __len__(self) -> int:
        return len(self._parent)

    def cells(self, children: Codes) -> Floats:
        """Cubes of some children ``[cell, child, power, class]``."""
        whole, column = self._above.cells(self._parent[children])
        numbers = _halved(len(whole), self._place[children], self._value[children])
        numbers *= whole.shape[1]
        numbers += column
        return whole.reshape(-1, *whole.shape[2:]).take(numbers, axis=0)


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

    def cells(self, nodes: Codes) -> tuple[Floats, Codes]:
        """Cubes ``[cell, place, power, class]``, and the place of each node that is asked for."""
        if self._cells is None or (self._place[nodes] < 0).any():
            assert self._halves is not None
            held: Mask = self._place >= 0
            held[nodes] = True
            children = np.flatnonzero(held)
            self._cells, self._folded = self._halves.cells(children), None
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
