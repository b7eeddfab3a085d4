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
from deniable.oracle.replicates import Replicates
from deniable.oracle.simplex import expected_counts

PUBLIC_PART = 0
"""The part of all attributes that are not disguised; groups are numbered from 1."""

HARDLY = 1e-12

MOST_NUMBERS = 1 << 40
"""Paths of one part up to which their terms are digits of a number."""


class GroupCounts:
    """What some oracles of one design count about one target, part by part."""

    def __init__(self, oracles: Sequence[CountOracle], target: str, axes: Sequence[str]) -> None:
        self.oracle, self.target, self.axes = oracles[0], target, tuple(axes)
        """Any of them: they differ in their reports only."""
        self.replicates = Replicates(oracles)
        schema = self.oracle.schema
        self.sizes = np.array([schema[name].size for name in axes], dtype=np.int64)
        self.classes = schema[target].size
        groups = self.oracle.groups if isinstance(self.oracle, Designed) else ()
        number = {name: k for k, group in enumerate(groups, start=1) for name in group}
        self.part = np.array([number.get(name, PUBLIC_PART) for name in axes], dtype=np.int64)
        self.parts = 1 + len(groups)
        self.target_part = number.get(target, PUBLIC_PART)
        alone = Family.table([target], schema)
        value, variance = self.replicates.count(alone)
        self.totals = expected_counts(value, np.sqrt(variance), self.oracle.n)
        """People of each class ``[oracle, class]``, possible ones."""
        self.target_moment = self.moments(alone)

    def moments(self, family: Family) -> Floats:
        """``E[w² | x ⊨ E]`` of each conjunction, by the design; 1 where it is not known."""
        if isinstance(self.oracle, Designed):
            return self.oracle.second_moment(family)
        return np.ones(len(family))

    def disguise(self, value: Floats, variance: Floats) -> Floats:
        """Take the sampling out of variances about the population: Σw² − N̂ is left."""
        return np.maximum(variance + value**2 / self.oracle.n - value, 0.0)

    def crossed(self, part: int, paths: Codes, axis: Codes, size: int) -> Family:
        """Cross paths of one part ``[pair, axis]`` with an axis's values and the class."""
        paths = np.repeat(paths, size, axis=0)
        values = np.tile(np.arange(size), len(paths) // size)
        paths[np.arange(len(paths)), np.repeat(axis, size)] = values
        return self.by_class(part, paths)

    def by_class(self, part: int, paths: Codes) -> Family:
        """Cross paths of one part ``[path, axis]`` with the class."""
        columns = np.flatnonzero(self.part == part)
        codes = np.repeat(paths[:, columns], self.classes, axis=0)
        classes = np.tile(np.arange(self.classes), len(paths))
        names = (*(self.axes[column] for column in columns), self.target)
        return Family(names, np.column_stack([codes, classes]))

    def path_numbers(self, part: int, paths: Codes) -> Codes:
        """Number paths by their terms about one part: the same terms, the same number."""
        columns = np.flatnonzero(self.part == part)
        places = [int(size) + 1 for size in self.sizes[columns]]
        if prod(places) <= MOST_NUMBERS:
            found: Codes = (paths[:, columns] - ANY) @ np.array(strides(places), dtype=np.int64)
            return found
        return np.unique(paths[:, columns], axis=0, return_inverse=True)[1].ravel()
