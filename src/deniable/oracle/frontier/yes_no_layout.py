"""Yes/no axes and how their reports are undone: what the cubes of a tree share on the way down."""

from functools import cached_property

import numpy as np

from deniable.base.arrays import AnyCodes, Codes, Floats, Mask
from deniable.channel.channel import BINARY
from deniable.expression import ANY
from deniable.oracle.frontier.routed_frontier import PUBLIC, ReportLayout

SQUARED = 2
"""Of weights, that are added up: counts, and Σw²."""


class YesNoLayout:
    """A layout of reports whose axes are all yes/no; the target may have any values."""

    def __init__(self, layout: ReportLayout) -> None:
        self._layout = layout
        self.n, self.axes, self.part = layout.n, layout.target, layout.part[:-1]

    @staticmethod
    def fits(layout: ReportLayout) -> bool:
        """Whether all axes are yes/no, and opposite cells undo every group."""
        yes_no = all(size == BINARY for size in layout.sizes[:-1])
        return yes_no and layout.squares_add_up

    @property
    def kind(self) -> tuple[object, ...]:
        """What trees must share to be counted together."""
        parts = ((part.columns, part.channel) for part in self._layout.parts)
        return (self._layout.sizes, self.n, *parts)

    @cached_property
    def own(self) -> Floats:
        """What undoes an axis ``[axis, value, power, 1]``: weights of a cell itself."""
        return self._undoing(0)

    @cached_property
    def other(self) -> Floats:
        """The same of the opposite cell."""
        return self._undoing(1)

    def _undoing(self, turned: int) -> Floats:
        inverse = np.stack([np.eye(BINARY), *self._layout.inverse[:-1]])[1:]
        value = np.arange(BINARY)
        weights = inverse[:, value, value ^ turned]
        found: Floats = np.stack([weights, weights**SQUARED], axis=-1)[..., np.newaxis]
        return found

    @cached_property
    def together(self) -> Floats:
        """``[axis, axis]``: 1 where two axes are of one part, and both are turned."""
        found: Floats = (self.part == self.part[:, np.newaxis]).astype(np.float64)
        return found

    @cached_property
    def undone_together(self) -> list[Codes]:
        """Axes of each part that is undone on the way; the target's is undone at the root."""
        target = self._layout.part[self._layout.target]
        undone = set(self.part.tolist()) - {PUBLIC, int(target)}
        return [np.flatnonzero(self.part == part) for part in sorted(undone)]

    def opened(self, reports: Codes) -> Floats:
        """Make the cube of a root ``[cell, root, power, class]``, the class undone."""
        layout = self._layout
        cells = reports.astype(np.float64).reshape(-1, layout.classes)
        part = layout.part[layout.target]
        if part == PUBLIC:
            return np.stack([cells, cells], axis=1)[:, np.newaxis]
        weights = layout.inverse_of(layout.target)
        if layout.flips[part]:
            mask = int((1 << (self.axes - 1 - np.flatnonzero(self.part == part))).sum())
            turned = cells[np.arange(len(cells)) ^ mask, ::-1]
            match, clash = weights[:, 0]
            sums = [match**p * cells + clash**p * turned for p in (1, SQUARED)]
        else:
            sums = [cells @ weights.T, cells @ (weights**SQUARED).T]
        return np.stack(sums, axis=1)[:, np.newaxis]


class OpenAxes:
    """What the paths of a level leave open."""

    def __init__(self, layout: YesNoLayout, paths: AnyCodes) -> None:
        self._layout = layout
        self._is_open: Mask = paths == ANY

    @cached_property
    def place(self) -> Codes:
        """``[node, axis]``: how many open axes come before."""
        # Not a matrix product here or below: for one so small BLAS wakes threads that run idle.
        found: Codes = np.cumsum(self._is_open, axis=1, dtype=np.int64) - self._is_open
        return found

    @cached_property
    def untouched(self) -> Mask:
        """``[node, axis]``: whether naming an axis is the first that is asked of its part."""
        found = np.zeros(self._is_open.shape, dtype=bool)
        for columns in self._layout.undone_together:
            found[:, columns] = self._is_open[:, columns].all(axis=1, keepdims=True)
        return found

    def opposite(self, node: Codes, axis: Codes) -> Codes:
        """Bits of an axis' part in the numbers of a node's cells; the last open axis is bit 0."""
        last = self._is_open[node].sum(axis=1, keepdims=True) - 1
        bits = self._is_open[node] * np.exp2(last - self.place[node])
        found: Codes = np.einsum("na,na->n", bits, self._layout.together[axis]).astype(np.int64)
        return found
