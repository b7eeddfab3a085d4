"""What trees count within single parts: conjunctions of one part, crossed with the class.

Of a part that is narrow, all conjunctions are counted at once, for every tree; whatever level asks,
it is read off a table. Of a wide one, or where counts are dear, only what is asked.
"""

from math import prod

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.expression import ANY, Family, strides
from deniable.oracle.api import divisible
from deniable.oracle.replicates import Counts
from deniable.oracle.shrunk.group_counts import GroupCounts
from deniable.oracle.shrunk.single_attributes import SingleAttributes

MOST_CONJUNCTIONS = 1 << 13
"""Of a part with the class, up to which all are counted."""


class PartCounts:
    """Counts of several trees within parts."""

    def __init__(self, known: GroupCounts) -> None:
        self._known = known
        self._tables = {
            int(part): _Table(known, int(part))
            for part in np.unique(known.part)
            if self._is_narrow(int(part))
        }
        self._first = np.cumsum(known.sizes) - known.sizes
        self._given = SingleAttributes(known, *self._single_values()).shares()

    def given(self, tree: Codes, axis: Codes, size: int) -> Floats:
        """The share of each class that has a value, by an axis alone ``[pair, value, class]``."""
        value = self._first[axis][:, np.newaxis] + np.arange(size)
        found: Floats = self._given[tree[:, np.newaxis], value]
        return found

    def _single_values(self) -> Counts:
        """Count every value by class ``[oracle, value, class]``; off the tables where these are."""
        known = self._known
        many, axes = len(known.replicates.oracles), len(known.axes)
        found = np.empty((2, many, int(known.sizes.sum()), known.classes))
        for part in np.unique(known.part).tolist():
            columns = np.flatnonzero(known.part == part)
            value = np.concatenate([np.arange(known.sizes[column]) for column in columns])
            axis = np.repeat(columns, known.sizes[columns])
            paths = np.full((len(axis), axes), ANY, dtype=np.int64)
            paths[np.arange(len(axis)), axis] = value
            here = self._first[axis] + value
            if part in self._tables:
                found[:, :, here] = self._tables[part].counts_of_all(paths)
            else:
                family = known.by_class(part, paths)
                counted = known.replicates.count(family)
                found[:, :, here] = np.stack(counted).reshape(2, many, len(axis), -1)
        return found[0], found[1]

    def _is_narrow(self, part: int) -> bool:
        known = self._known
        many = prod((known.sizes[known.part == part] + 1).tolist()) * known.classes
        return divisible(known.oracle) and many <= MOST_CONJUNCTIONS

    def moments(self, part: int, paths: Codes, axis: Codes, size: int) -> Floats:
        """Give E[w²] of paths' terms about one part, crossed with an axis of each.

        ``[pair, value, class]`` for ``paths[pair, axis]``.
        """
        if part in self._tables:
            return self._tables[part].moments(paths, axis, size)
        family, again = self._distinct(part, paths, axis, size)
        return self._known.moments(family).reshape(-1, size, self._known.classes)[again]

    def counts(
        self, part: int, tree: Codes, paths: Codes, axis: Codes, size: int
    ) -> tuple[Floats, Floats]:
        """Count the same by the tree of each pair; and the variances that the disguise gives."""
        if part in self._tables:
            return self._tables[part].counts(tree, paths, axis, size)
        value, variance = np.empty((2, len(tree), size, self._known.classes))
        for number in np.unique(tree).tolist():
            here = np.flatnonzero(tree == number)
            family, again = self._distinct(part, paths[here], axis[here], size)
            found = self._known.replicates.count_by(number, family)
            value[here], variance[here] = (
                each.reshape(-1, size, self._known.classes)[again] for each in found
            )
        return value, variance

    def _distinct(self, part: int, paths: Codes, axis: Codes, size: int) -> tuple[Family, Codes]:
        """Conjunctions about one part, each once, and where each pair's stand among them."""
        known = self._known
        key = known.path_numbers(part, paths) * len(known.axes) + axis
        _, first, again = np.unique(key, return_index=True, return_inverse=True)
        return known.crossed(part, paths[first], axis[first], size), again


class _Table:
    """All conjunctions of a part, numbered as its paths are."""

    def __init__(self, known: GroupCounts, part: int) -> None:
        self._columns = np.flatnonzero(known.part == part)
        places = [int(size) + 1 for size in known.sizes[self._columns]]
        self._steps = np.zeros(len(known.axes), dtype=np.int64)
        self._steps[self._columns] = strides(places)
        paths = np.full((prod(places), len(known.axes)), ANY, dtype=np.int64)
        paths[:, self._columns] = np.indices(places).reshape(len(places), -1).T + ANY
        family = known.by_class(part, paths)
        self._value, self._variance = (
            each.reshape(-1, known.classes) for each in known.replicates.count(family)
        )
        self._moment = known.moments(family).reshape(-1, known.classes)

    def moments(self, paths: Codes, axis: Codes, size: int) -> Floats:
        """Read E[w²] off."""
        return self._moment[self._cells(paths, axis, size)]

    def counts(self, tree: Codes, paths: Codes, axis: Codes, size: int) -> tuple[Floats, Floats]:
        """Read counts off, and variances."""
        cell = self._cells(paths, axis, size) + tree[:, np.newaxis] * len(self._moment)
        return self._value[cell], self._variance[cell]

    def counts_of_all(self, paths: Codes) -> Floats:
        """Counts of paths, and variances, by every tree ``[2, tree, path, class]``."""
        found = np.stack([self._value, self._variance])
        here = (paths[:, self._columns] - ANY) @ self._steps[self._columns]
        return found.reshape(2, -1, *self._moment.shape)[:, :, here]

    def _cells(self, paths: Codes, axis: Codes, size: int) -> Codes:
        step = self._steps[axis][:, np.newaxis]
        path = (paths[:, self._columns] - ANY) @ self._steps[self._columns]
        named = paths[np.arange(len(paths)), axis]
        found: Codes = path[:, np.newaxis] + step * (np.arange(size) - named[:, np.newaxis])
        return found
