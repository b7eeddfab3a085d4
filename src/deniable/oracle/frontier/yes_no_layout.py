"""Yes/no axes and how their reports are undone: what the cubes of a tree share on the way down.

All parts are undone at the root, for which every count is a plain sum of signed cells. Σw² of a
path has the squares of the parts that it names only. In a yes/no group, w² adds up to the same over
the truths that any report stands for; so one number for each part, multiplied in where it is first
named, makes plain sums of Σw² as well.
"""

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
            found[columns] = 1 / _once(self._inverse(columns))
        return found

    def undone(self, reports: Codes) -> Floats:
        """Make the cubes of roots ``[cell, root, power, class]``, every part undone.

        Counts are then plain sums of signed ones; and so is Σw², with `first_square` for each part
        that is asked about.
        """
        yes_no, classes = (BINARY,) * self.axes, self._layout.classes
        counts = reports.reshape(-1, 1 << self.axes, classes).transpose(1, 0, 2)
        counts = counts.astype(np.float64, order="C").reshape(*yes_no, -1, classes)
        found = np.empty((1 << self.axes, counts.shape[-2], SQUARED, classes))
        for power in (1, SQUARED):
            cells = self._class_undone(counts, power)
            for columns in self.undone_together:
                weights = self._inverse(columns) ** power
                if power == SQUARED:
                    weights *= _once(self._inverse(columns))[:, np.newaxis]
                cells = _weighed(cells, weights, columns)
            found[:, :, power - 1] = cells.reshape(len(found), -1, classes)
        return found

    def _class_undone(self, cells: Floats, power: int) -> Floats:
        """Undo the class ``[…, root, class]``, and its part: it is asked about from the root."""
        part = self._layout.part[self._layout.target]
        if part == PUBLIC:
            return cells
        weights = self._layout.inverse[-1] ** power
        columns = np.flatnonzero(self.part == part)
        if len(columns):
            return _weighed(cells, weights, np.append(columns, cells.ndim - 1))
        found: Floats = np.einsum("dc,...c->...d", weights, cells)
        return found

    def _inverse(self, columns: Codes) -> Floats:
        """What undoes a part, by any of its axes ``[truth, report]``."""
        return self._layout.inverse[columns[0]]


def _weighed(cells: Floats, weights: Floats, columns: Codes) -> Floats:
    """Weigh cells, and the opposite ones in some columns, by what is said ``[truth, report]``."""
    said = np.arange(BINARY)
    along = [-1 if column == columns[0] else 1 for column in range(cells.ndim)]
    found: Floats = np.flip(cells, columns) * weights[said, 1 - said].reshape(along)
    found += cells * weights[said, said].reshape(along)
    return found


def _once(inverse: Floats) -> Floats:
    """Weights of a part's truths by which squares of what undoes it add up to 1, for any report."""
    return np.linalg.solve((inverse**SQUARED).T, np.ones(BINARY))


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
