"""What open nodes' paths say about one part, and the counts of each: tables by its attributes.

Paths of one part are a tree of their own. A node of the tree that is grown is at one of its nodes,
and its children are there too while they go on by other parts. So a part has a frontier of its own,
over its attributes only, of which some nodes stay from level to level and others are split, by
several attributes each. A path's tables are counted once, for all nodes that are there.
"""

from dataclasses import dataclass

import numpy as np

from deniable.base.arrays import Codes, Floats, Mask
from deniable.expression import ANY, Family, distinct_patterns
from deniable.oracle.api import Branching, divisible
from deniable.oracle.frontier.frontier import STAY, children
from deniable.oracle.replicates import branch_each
from deniable.oracle.shrunk.group_counts import GroupCounts

ELSEWHERE = -1
"""In place of a part's column: a node was split by another part's attribute."""


MOMENTS_AT_ONCE = 1 << 14
"""Paths of which moments are asked at once."""


class Part:
    """The attributes of a part, as columns of their own."""

    def __init__(self, known: GroupCounts, part: int) -> None:
        self.axes = np.flatnonzero(known.part == part)
        self.sizes = known.sizes[self.axes]
        self.first = np.cumsum(self.sizes) - self.sizes
        """Where each column's values begin among all of them."""
        self.column = np.full(len(known.axes), ELSEWHERE)
        self.column[self.axes] = np.arange(len(self.axes))
        """Of each axis of the tree."""
        self.all_at_once = divisible(known.oracle)
        """Whether all columns are counted when one is asked for; else counts may be dear."""
        self._known = known

    def begun(self) -> Branching:
        """Begin with everybody, once for each oracle."""
        known = self._known
        return branch_each(known.oracles, known.target, [known.axes[axis] for axis in self.axes])

    def disguise(self, value: Floats, variance: Floats) -> Floats:
        """Variances that the disguise gives."""
        return self._known.disguise(value, variance)

    def nowhere(self) -> "Paths":
        """Paths that name nothing, one for each oracle."""
        codes = np.full((len(self._known.oracles), len(self.axes)), ANY, dtype=np.int64)
        shape = (len(codes), int(self.sizes.sum()), self._known.classes)
        unknown = np.zeros(codes.shape, dtype=np.bool_)
        counts = np.empty((3, *shape))
        return Paths(codes, unknown, unknown.copy(), *counts)

    def moments(self, codes: Codes, path: Codes, column: Codes, value: Codes) -> Floats:
        """``E[w²]`` of paths, each with a value of a column, and the class ``[pair, class]``."""
        known = self._known
        names = (*(known.axes[axis] for axis in self.axes), known.target)
        found = np.empty((len(path), known.classes))
        for start in range(0, len(path), MOMENTS_AT_ONCE):
            some = slice(start, start + MOMENTS_AT_ONCE)
            asked = np.empty((len(path[some]), known.classes, len(names)), dtype=np.int64)
            asked[:, :, :-1] = codes[path[some], np.newaxis]
            asked[np.arange(len(asked)), :, column[some]] = value[some, np.newaxis]
            asked[:, :, -1] = np.arange(known.classes)
            family = Family(names, asked.reshape(-1, len(names)))
            found[some] = known.moments(family).reshape(-1, known.classes)
        return found


@dataclass(frozen=True, eq=False)
class Paths:
    """Paths of some trees, and what was counted of them."""

    codes: Codes
    """``[path, column]``, ANY where it names none."""

    known: Mask
    """Which tables were counted ``[path, column]``."""

    moments_known: Mask
    """Of which the moments are known."""

    value: Floats
    """Unbiased counts ``[path, value, class]``, those of one column's values after another's."""

    variance: Floats
    """Variances that the disguise gives them."""

    moment: Floats
    """``E[w²]`` of whoever they count, by the design."""

    def take(self, chosen: Codes) -> "Paths":
        """Keep some."""
        return Paths(
            self.codes[chosen], self.known[chosen], self.moments_known[chosen],
            self.value[chosen], self.variance[chosen], self.moment[chosen],
        )  # fmt: skip


class PartPaths:
    """The paths that the open nodes of some trees are at; each is a node of a frontier."""

    def __init__(
        self, part: Part, front: Branching | None, paths: Paths, steps: Codes, below: Codes
    ) -> None:
        self._part, self._front, self._paths = part, front, paths
        """A tree over one part only has no other: what the part says, the tree says itself."""
        self._steps, self._below = steps, below
        """Paths that were gone down from, each with a column as one rising number; and the paths
        below ``[step, value]``, or ELSEWHERE."""

    @classmethod
    def roots(cls, known: GroupCounts, part: int) -> "PartPaths":
        """Begin with one path for each oracle, which names nothing."""
        own, none = Part(known, part), np.zeros(0, dtype=np.int64)
        below = np.zeros((0, int(own.sizes.max())), dtype=np.int64)
        front = None if len(own.axes) == len(known.axes) else own.begun()
        return cls(own, front, own.nowhere(), none, below)

    def moments(self, path: Codes, axis: Codes, size: int) -> Floats:
        """``E[w²]`` of each path, crossed with an axis and the class ``[pair, value, class]``."""
        paths, part = self._paths, self._part
        column = part.column[axis]
        missing = ~paths.moments_known[path, column]
        if missing.any():
            asked, column = path[missing], column[missing]
            rows, place = np.unique(asked, return_inverse=True)
            # Trees that grow together have many paths in common.
            distinct, number = distinct_patterns(paths.codes[rows], part.sizes.tolist())
            number = number[place]
            wanted = np.zeros(distinct.shape, dtype=np.bool_)
            wanted[number, column] = True
            some, by = np.nonzero(wanted)
            found = np.empty((*wanted.shape, size, paths.moment.shape[2]))
            values = np.tile(np.arange(size), len(some))
            moments = part.moments(distinct, np.repeat(some, size), np.repeat(by, size), values)
            found[some, by] = moments.reshape(len(some), *found.shape[2:])
            paths.moment[self._values(asked, axis[missing], size)] = found[number, column]
            paths.moments_known[asked, column] = True
        return paths.moment[self._values(path, axis, size)]

    def counts(self, path: Codes, axis: Codes, size: int) -> tuple[Floats, Floats]:
        """Count by an axis of each path: counts and variances ``[pair, value, class]``."""
        if self._front is not None:
            self._count(self._front, path, axis)
        at = self._values(path, axis, size)
        return self._paths.value[at], self._paths.variance[at]

    def _values(self, path: Codes, axis: Codes, size: int) -> tuple[Codes, Codes]:
        first = self._part.first[self._part.column[axis]]
        return path[:, np.newaxis], first[:, np.newaxis] + np.arange(size)

    def _count(self, front: Branching, path: Codes, axis: Codes) -> None:
        """Count what is not known yet."""
        paths, part = self._paths, self._part
        column = part.column[axis]
        missing = ~paths.known[path, column]
        if not missing.any():
            return
        wanted = np.zeros(paths.codes.shape, dtype=np.bool_)
        wanted[path[missing]] = part.all_at_once & (paths.codes[path[missing]] == ANY)
        wanted[path[missing], column[missing]] = True
        wanted &= ~paths.known
        tables, spreads = front.tables(wanted), front.variances(wanted)
        for table, spread in zip(tables, spreads, strict=True):
            values = part.first[table.axis][:, np.newaxis] + np.arange(table.value.shape[1])
            at = table.node[:, np.newaxis], values
            paths.value[at] = table.value
            paths.variance[at] = part.disguise(table.value, spread)
        paths.known[wanted] = True

    def split(self, path: Codes, axis: Codes, value: Codes) -> tuple["PartPaths", Codes]:
        """Go down to the nodes whose parents' paths, axes and values are given.

        Gives the path of each, too. Paths that no node is at are forgotten.
        """
        sizes, columns, many = self._part.sizes, len(self._part.axes), len(self._paths.codes)
        column = self._part.column[axis]
        going = np.flatnonzero(column != ELSEWHERE)
        step, again = np.unique(path[going] * columns + column[going], return_inverse=True)
        new = np.setdiff1d(step, self._steps, assume_unique=True)
        parent, by = np.divmod(new, columns)
        # New paths are numbered behind those that are there, until some of these are forgotten.
        value_of = np.arange(sizes.max())
        fresh = np.where(value_of < sizes[by, np.newaxis], 0, ELSEWHERE)
        fresh[fresh == 0] = np.arange(many, many + sizes[by].sum())
        steps, below = np.append(self._steps, new), np.concatenate([self._below, fresh])
        order = np.argsort(steps)
        steps, below = steps[order], below[order]
        at = path.copy()
        at[going] = below[np.searchsorted(steps, step)[again], value[going]]
        # Those that stay, and those that are gone down from, as one list of nodes.
        live = np.unique(at[at < many])
        nodes, choice = np.append(live, parent), np.append(np.full(len(live), STAY), by)
        order = np.argsort(nodes, kind="stable")
        nodes, choice = nodes[order], choice[order]
        above, code, first = children(choice, sizes.tolist())
        first[order] = first.copy()
        number = np.full(many + sizes[by].sum() + 1, ELSEWHERE)  # ELSEWHERE = −1 reads the last
        number[live] = first[: len(live)]
        number[fresh] = np.where(
            fresh == ELSEWHERE, fresh, first[len(live) :, np.newaxis] + value_of
        )
        paths, named = self._paths.take(nodes[above]), np.flatnonzero(choice[above] != STAY)
        paths.codes[named, choice[above[named]]] = code[named]
        paths.known[named] = paths.moments_known[named] = False
        parent, by, below = number[steps // columns], steps % columns, number[below]
        kept = np.flatnonzero(
            (parent != ELSEWHERE) & ((below != ELSEWHERE).sum(axis=1) == sizes[by])
        )
        steps = parent[kept] * columns + by[kept]
        order = np.argsort(steps)
        front = None if self._front is None else self._front.branch(nodes, choice)
        found = PartPaths(self._part, front, paths, steps[order], below[kept[order]])
        return found, number[at]
