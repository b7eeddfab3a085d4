"""Yes/no axes and how their reports are undone: what the cubes of a tree share on the way down.

All parts are undone at the root, for which every count is a plain sum of signed cells. Σw² of a
path has the squares of the parts that it names only. In a yes/no group, w² adds up to the same over
the truths that any report stands for; so one number for each part, multiplied in where it is first
named, makes plain sums of Σw² as well.
"""

import sys
from functools import cached_property
from math import prod

import numpy as np

from deniable.base.arrays import AnyCodes, Codes, Floats, Mask
from deniable.channel.channel import BINARY
from deniable.expression import ANY
from deniable.oracle.frontier.routed_frontier import PUBLIC, ReportLayout

SQUARED = 2
"""Of weights, that are added up: counts, and Σw²."""

ROUNDING_OF_CELLS = 1e-10
"""Share of the records by which a count may be off."""

UNDONE_TOGETHER = 1 << 18
"""Cells of several roots that are undone at once: they should stay near the processor."""


class YesNoLayout:
    """A layout of reports whose axes are all yes/no; the target may have any values."""

    def __init__(self, layout: ReportLayout) -> None:
        self._layout = layout
        self.n, self.axes, self.part = layout.n, layout.target, layout.part[:-1]

    @classmethod
    def fits(cls, layout: ReportLayout) -> bool:
        """Whether all axes are yes/no, opposite cells undo every group, and cells stay exact.

        Cells are larger than what they add up to where a path leaves groups alone, by the product
        of what undoes these; and those of squares differ in size. A truth that is reported by half
        (a triangular question with θ = ½) has a weight of 0 there: a cube cannot tell its errors.
        """
        yes_no = all(size == BINARY for size in layout.sizes[:-1])
        if not (yes_no and layout.squares_add_up):
            return False
        named = {part.columns[0] for part in layout.parts}
        larger = prod(float(np.abs(layout.inverse[column]).sum(axis=0).max()) for column in named)
        if larger * sys.float_info.epsilon > ROUNDING_OF_CELLS:
            return False
        undone = cls(layout).undone_together
        weights = (np.abs(_once(layout.inverse[columns[0]])) for columns in undone)
        least = prod(float(each.min() / each.max()) for each in weights)
        return least * ROUNDING_OF_CELLS >= sys.float_info.epsilon

    @cached_property
    def undone_together(self) -> list[Codes]:
        """Axes of each part but the target's, which is asked about from the root."""
        target = self._layout.part[self._layout.target]
        undone = set(self.part.tolist()) - {PUBLIC, int(target)}
        return [np.flatnonzero(self.part == part) for part in sorted(undone)]

    @cached_property
    def first_square(self) -> Floats:
        """What Σw² is multiplied by where an axis is the first that is asked of its part.

        ``[axis, value]``. Until then a part counts once, whatever is reported of it.
        """
        found = np.ones((self.axes, BINARY))
        for columns in self.undone_together:
            found[columns] = 1 / _once(self._layout.inverse[columns[0]])
        return found

    def undone(self, reports: Codes) -> Floats:
        """Make the cubes of roots ``[cell, root, power, class]``, every part undone.

        Counts are then plain sums of signed ones; and so is Σw², with `first_square` for each part
        that is asked about.
        """
        classes = self._layout.classes
        counts = reports.reshape(-1, 1 << self.axes, classes).transpose(1, 0, 2)
        found = np.empty((*counts.shape[:2], SQUARED, classes))
        many = max(1, UNDONE_TOGETHER // len(counts))
        for start in range(0, counts.shape[1], many):
            some = slice(start, start + many)
            found[:, some] = self._undone(counts[:, some])
        return found

    def _undone(self, counts: Codes) -> Floats:
        cells = np.empty((*counts.shape[:2], SQUARED, counts.shape[2]))
        cells[:] = counts[:, :, np.newaxis]
        cells = self._class_undone(cells.reshape((BINARY,) * self.axes + cells.shape[1:]))
        for columns in self.undone_together:
            inverse = self._layout.inverse[columns[0]]
            squares = inverse**SQUARED * _once(inverse)[:, np.newaxis]
            cells = _weighed(cells, np.stack([inverse, squares], axis=-1), columns)
        return cells.reshape(len(counts), *cells.shape[-3:])

    def _class_undone(self, cells: Floats) -> Floats:
        """Undo the class, and its part: it is asked about from the root."""
        part, inverse = self._layout.part[self._layout.target], self._layout.inverse[-1]
        if part == PUBLIC:
            return cells
        powers = np.stack([inverse, inverse**SQUARED], axis=-1)
        columns = np.flatnonzero(self.part == part)
        if len(columns):
            return _weighed(cells, powers, np.append(columns, cells.ndim - 1))
        found: Floats = np.einsum("dcp,...pc->...pd", powers, cells)
        return found


def _weighed(cells: Floats, weights: Floats, columns: Codes) -> Floats:
    """Weigh cells, and the opposite ones in some columns, by ``[truth, report, power]``.

    The cells ``[…, root, power, class]`` are changed.
    """
    said = np.arange(BINARY)
    shape = [BINARY if column == columns[0] else 1 for column in range(cells.ndim - 3)]
    row = cells.shape[-3:]
    own, other = (
        # In full, so that long rows are multiplied at once.
        np.broadcast_to(weights[said, reported, np.newaxis, :, np.newaxis], (BINARY, *row)).copy()
        for reported in (said, 1 - said)
    )
    found: Floats = np.flip(cells, tuple(columns.tolist())) * other.reshape(*shape, *row)
    cells *= own.reshape(*shape, *row)
    found += cells
    return found


def _once(inverse: Floats) -> Floats:
    """Weights of a part's truths by which squares of what undoes it add up to 1, for any report."""
    return np.linalg.solve((inverse**SQUARED).T, np.ones(BINARY)).astype(np.float64)


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
