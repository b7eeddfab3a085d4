"""What is known about a target before a tree is grown: the classes, the parts, and how to ask.

A part is a disguised group, or all that is public. Counts within one have the noise of one group's
device only (and of the class's, where it is disguised elsewhere), however many groups a node of a
tree touches.
"""

from collections.abc import Sequence
from math import prod

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.expression import ANY, Family, strides
from deniable.oracle.api import CountOracle, Designed
from deniable.oracle.simplex import expected_counts

PUBLIC_PART = 0
"""The part of all attributes that are not disguised; groups are numbered from 1."""

HARDLY = 1e-12

MOST_NUMBERS = 1 << 40
"""Paths of one part up to which their terms are digits of a number."""


class GroupCounts:
    """What some oracles of one design count about one target, part by part."""

    def __init__(
        self,
        oracles: Sequence[CountOracle],
        target: str,
        axes: Sequence[str],
        everybody: tuple[Floats, Floats],
    ) -> None:
        """Take the class counts of every oracle's records, too, and their variances."""
        self.oracles = oracles
        self.oracle, self.target, self.axes = oracles[0], target, tuple(axes)
        """Any of them: they differ in their reports only."""
        schema = self.oracle.schema
        self.sizes = np.array([schema[name].size for name in axes], dtype=np.int64)
        self.first = np.cumsum(self.sizes) - self.sizes
        """Where each axis' values begin among all of them."""
        self.classes = schema[target].size
        groups = self.oracle.groups if isinstance(self.oracle, Designed) else ()
        number = {name: k for k, group in enumerate(groups, start=1) for name in group}
        self.part = np.array([number.get(name, PUBLIC_PART) for name in axes], dtype=np.int64)
        self.parts = 1 + len(groups)
        self.target_part = number.get(target, PUBLIC_PART)
        value, variance = everybody
        errors = np.sqrt(self.disguise(value, variance))
        self.totals = expected_counts(value, errors, self.oracle.n)
        """People of each class ``[oracle, class]``, possible ones."""
        self.target_moment = self.moments(Family.table([target], schema))

    def moments(self, family: Family) -> Floats:
        """``E[w² | x ⊨ E]`` of each conjunction, by the design; 1 where it is not known."""
        if isinstance(self.oracle, Designed):
            return self.oracle.second_moment(family)
        return np.ones(len(family))

    def disguise(self, value: Floats, variance: Floats) -> Floats:
        """Take the sampling out of variances about the population: Σw² − N̂ is left."""
        return np.maximum(variance + value**2 / self.oracle.n - value, 0.0)

    def part_moments(self, part: int, paths: Codes, axis: Codes, size: int) -> Floats:
        """``E[w²]`` of paths' terms about one part, crossed with an axis of each, and the class.

        ``[pair, value, class]`` for ``paths[pair, axis]``.
        """
        key = self._path_numbers(part, paths) * len(self.axes) + axis
        _, first, again = np.unique(key, return_index=True, return_inverse=True)
        crossed = np.repeat(paths[first], size, axis=0)
        values = np.tile(np.arange(size), len(first))
        crossed[np.arange(len(crossed)), np.repeat(axis[first], size)] = values
        columns = np.flatnonzero(self.part == part)
        codes = np.repeat(crossed[:, columns], self.classes, axis=0)
        classes = np.tile(np.arange(self.classes), len(crossed))
        names = (*(self.axes[column] for column in columns), self.target)
        found = self.moments(Family(names, np.column_stack([codes, classes])))
        return found.reshape(-1, size, self.classes)[again]

    def _path_numbers(self, part: int, paths: Codes) -> Codes:
        """Number paths by their terms about one part: the same terms, the same number."""
        columns = np.flatnonzero(self.part == part)
        places = [int(size) + 1 for size in self.sizes[columns]]
        if prod(places) <= MOST_NUMBERS:
            found: Codes = (paths[:, columns] - ANY) @ np.array(strides(places), dtype=np.int64)
            return found
        return np.unique(paths[:, columns], axis=0, return_inverse=True)[1].ravel()
