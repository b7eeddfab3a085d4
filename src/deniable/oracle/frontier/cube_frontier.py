"""Counting down trees of yes/no attributes, where a joint table of the reports is small.

A node is a table of what is still open there: a *cube*, with a cell for each answer to the axes
that its path has not named, and in a cell, for each class, the signed count and Σw². A child is
half of its parent's cube. Where its path names a group for the first time, it is that half,
weighed, plus the opposite cells, weighed: a cell's number with the group's bits turned.

All nodes of a level have as many open axes, so a level is one array, of one tree or of many.
Folding cubes axis by axis gives the tables of all axes for about two additions a cell. Only nodes
that are asked for tables get a cube; what a child holds in all is known from its parent's tables.
"""

from collections.abc import Sequence

import numpy as np

from deniable.base.arrays import ROUNDING, AnyCodes, Codes, Floats, Mask
from deniable.channel.channel import BINARY
from deniable.expression import ANY
from deniable.oracle.api import Crossing, Wanted
from deniable.oracle.frontier.frontier import CLOSED
from deniable.oracle.frontier.routed_frontier import PUBLIC, ReportLayout

POWERS = 2
"""Of weights, that are added up: counts, and Σw²."""


class CubeFrontier:
    """The nodes of one level; it may begin with several roots, of trees that are designed alike."""

    def __init__(
        self, layout: "YesNoLayout", paths: AnyCodes, totals: Floats, cubes: "Cubes"
    ) -> None:
        self.layout = layout
        self._paths, self._totals = paths, totals
        self.cubes = cubes
        self._asked: Wanted | None = None
        self._tables: list[tuple[Codes, Codes, Floats]] = []

    @classmethod
    def root(cls, layout: "YesNoLayout", reports: Codes) -> "CubeFrontier":
        """Begin with counts of reports, an axis per column."""
        return cls._begun(layout, layout.opened(reports))

    @classmethod
    def joined(cls, roots: Sequence["CubeFrontier"]) -> "CubeFrontier":
        """Put roots of several trees side by side."""
        cells = np.concatenate([root.cubes.everybody() for root in roots], axis=1)
        return cls._begun(roots[0].layout, cells)

    @classmethod
    def _begun(cls, layout: "YesNoLayout", cells: Floats) -> "CubeFrontier":
        paths = np.full((cells.shape[1], layout.axes), ANY, dtype=np.int8)
        return cls(layout, paths, cells.sum(axis=0), Cubes.given(cells))

    def classes(self) -> tuple[Floats, Floats]:
        """Count the target's values at every node."""
        return self._estimated(self._totals)

    def tables(self, wanted: Wanted) -> list[Crossing]:
        """Count by an axis' values and the target's."""
        return [
            Crossing(node, axis, self._estimated(table)[0])
            for node, axis, table in self._crossed(wanted)
        ]

    def variances(self, wanted: Wanted) -> list[Floats]:
        """Give the variances of the counts in `tables`."""
        return [self._estimated(table)[1] for *_, table in self._crossed(wanted)]

    def split(self, choice: Codes) -> "CubeFrontier":
        """Halve the cubes of the nodes that are split."""
        nodes = np.flatnonzero(choice != CLOSED)
        parent, axis = np.repeat(nodes, BINARY), np.repeat(choice[nodes], BINARY)
        value = np.tile(np.arange(BINARY), len(nodes))
        paths = self._paths[parent]
        paths[np.arange(len(parent)), axis] = value
        totals = self._table(nodes, choice[nodes]).reshape(-1, *self._totals.shape[1:])
        halves = Halves(self.layout, self._paths, self.cubes, parent, axis, value)
        return CubeFrontier(self.layout, paths, totals, Cubes.halved(halves))

    def _estimated(self, sums: Floats) -> tuple[Floats, Floats]:
        """Counts and their variances, from sums ``[..., power, class]``."""
        value, square = sums[..., 0, :], sums[..., 1, :]
        variance = square - value**2 / self.layout.n
        variance[variance <= ROUNDING * square] = 0.0
        return value, variance

    def _crossed(self, wanted: Wanted) -> list[tuple[Codes, Codes, Floats]]:
        """Sums of all pairs, kept: whoever asks for variances has just asked for counts."""
        if self._asked is not wanted:
            node, axis = np.nonzero(wanted)
            self._tables = [(node, axis, self._table(node, axis))] if len(node) else []
            self._asked = wanted
        return self._tables

    def _table(self, node: Codes, axis: Codes) -> Floats:
        """Sums of truths ``[pair, value, power, class]``."""
        asked = np.zeros(len(self._paths), dtype=np.bool_)
        asked[node] = True
        folded, place = self.cubes.folded(asked)
        named = self._paths[node, axis]
        opened = (self._paths == ANY).cumsum(axis=1)[node, axis] - 1
        table = folded[np.where(named == ANY, opened, 0), :, place[node]]
        for value in range(BINARY):
            said = np.flatnonzero(named == value)
            table[said, 1 - value] = 0.0
            table[said, value] = self._totals[node[said]]
        newly = np.flatnonzero(self.layout.newly(self._paths[node], axis))
        own, other = self.layout.own[axis[newly]], self.layout.other[axis[newly]]
        reported = table[newly]
        table[newly] = own * reported + other * reported[:, ::-1]
        return table


class YesNoLayout:
    """What stays the same on the way down."""

    def __init__(self, layout: ReportLayout) -> None:
        self._layout = layout
        self.n, self.axes, self.classes = layout.n, layout.target, layout.classes
        inverse = np.stack([np.eye(BINARY), *layout.inverse[:-1]])[1:]
        powers = np.stack([inverse, inverse**POWERS], axis=-1)[..., np.newaxis]
        value = np.arange(BINARY)
        self.own, self.other = powers[:, value, value], powers[:, value, 1 - value]
        """What undoes an axis ``[axis, value, power, 1]``: weights of a cell, of its opposite."""
        self._target_part = layout.part[layout.target]

    @staticmethod
    def fits(layout: ReportLayout) -> bool:
        """Whether all axes are yes/no, and opposite cells undo every group."""
        yes_no = all(size == BINARY for size in layout.sizes[:-1])
        return yes_no and layout.squares_add_up

    def is_like(self, other: "YesNoLayout") -> bool:
        """Whether trees of both may be counted together."""
        return self.kind == other.kind

    @property
    def kind(self) -> tuple[object, ...]:
        """All that the trees of one frontier share."""
        parts = ((part.columns, part.channel) for part in self._layout.parts)
        return (self._layout.sizes, self.n, *parts)

    def newly(self, paths: AnyCodes, axis: Codes) -> Mask:
        """Whether each path, going on by an axis, names the axis' part for the first time."""
        part = self._layout.part[axis]
        found: Mask = (part != PUBLIC) & (part != self._target_part)
        for number in np.unique(part[found]).tolist():
            here = np.flatnonzero(part == number)
            found[here] = ~(paths[here][:, self._columns(number)] != ANY).any(axis=1)
        return found

    def opposite(self, paths: AnyCodes, axis: Codes) -> Codes:
        """Bits of an axis' part among the open axes of each path; the last open axis is bit 0."""
        own = self._layout.part[:-1] == self._layout.part[axis][:, np.newaxis]
        is_open = paths == ANY
        place = is_open[:, ::-1].cumsum(axis=1)[:, ::-1] - 1
        found: Codes = ((own & is_open) << np.where(is_open, place, 0)).sum(axis=1)
        return found

    def opened(self, reports: Codes) -> Floats:
        """Make the cube of a root ``[cell, root, power, class]``, the class undone."""
        layout = self._layout
        cells = reports.astype(np.float64).reshape(-1, layout.classes)
        sums = np.stack([cells, cells], axis=1)
        part = self._target_part
        if part != PUBLIC:
            weights = layout.inverse[layout.target]
            if layout.flips[part]:
                columns = self._columns(part)
                mask = int((1 << (self.axes - 1 - np.array(columns, dtype=np.int64))).sum())
                turned = sums[np.arange(len(sums)) ^ mask][..., ::-1]
                match, clash = weights[:, 0]
                power = np.array([1, POWERS])[:, np.newaxis]
                sums = match**power * sums + clash**power * turned
            else:
                sums = np.stack([sums[:, 0] @ weights.T, sums[:, 1] @ (weights**POWERS).T], axis=1)
        return sums[:, np.newaxis]

    def _columns(self, part: int) -> list[int]:
        return [c for c in self._layout.parts[part].columns if c != self._layout.target]


class Halves:
    """How the cubes of children come from their parents'."""

    def __init__(
        self,
        layout: YesNoLayout,
        paths: AnyCodes,
        cubes: "Cubes",
        parent: Codes,
        axis: Codes,
        value: Codes,
    ) -> None:
        self._layout, self._paths, self._cubes = layout, paths, cubes
        self._parent, self._axis, self._value = parent, axis, value

    def __len__(self) -> int:
        return len(self._parent)

    def cells(self, children: Codes) -> Floats:
        """Cubes of some children ``[cell, child, power, class]``."""
        parent, axis, value = (each[children] for each in (self._parent, self._axis, self._value))
        asked = np.zeros(len(self._paths), dtype=np.bool_)
        asked[parent] = True
        whole, place = self._cubes.cells(asked)
        paths, place = self._paths[parent], place[parent]
        above = (paths == ANY).cumsum(axis=1)[np.arange(len(axis)), axis] - 1
        numbers = _halved(len(whole), above, value)
        flat = whole.reshape(-1, *whole.shape[2:])
        found: Floats = flat.take(numbers * whole.shape[1] + place, axis=0)
        newly = np.flatnonzero(self._layout.newly(paths, axis))
        if len(newly):
            turned = numbers[:, newly] ^ self._layout.opposite(paths[newly], axis[newly])
            other = flat.take(turned * whole.shape[1] + place[newly], axis=0)
            other *= self._layout.other[axis[newly], value[newly]]
            other += self._layout.own[axis[newly], value[newly]] * found[:, newly]
            found[:, newly] = other
        return found


class Cubes:
    """Cubes of the nodes of a level, made when they are asked for."""

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

    def everybody(self) -> Floats:
        """Give all cubes ``[cell, node, power, class]``."""
        return self.cells(np.ones(len(self._place), dtype=np.bool_))[0]

    def cells(self, asked: Mask) -> tuple[Floats, Codes]:
        """Cubes ``[cell, place, power, class]``, and the place of each node that is asked for."""
        if self._cells is None or (self._place[asked] < 0).any():
            assert self._halves is not None
            children = np.flatnonzero(asked | (self._place >= 0))
            self._cells, self._folded = self._halves.cells(children), None
            self._place[children] = np.arange(len(children))
        return self._cells, self._place

    def folded(self, asked: Mask) -> tuple[Floats, Codes]:
        """Sums by each open axis ``[axis, value, place, power, class]``; places as in `cells`."""
        cells, place = self.cells(asked)
        if self._folded is None:
            axes = len(cells).bit_length() - 1
            self._folded = np.zeros((max(axes, 1), BINARY, *cells.shape[1:]))
            for sums in self._folded[:axes]:
                # Not the whole less the one side: what is empty has to be 0.
                no, yes = cells.reshape(BINARY, -1, *cells.shape[1:])
                np.sum(no, axis=0, out=sums[0])
                np.sum(yes, axis=0, out=sums[1])
                cells = no + yes
        return self._folded, place


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
