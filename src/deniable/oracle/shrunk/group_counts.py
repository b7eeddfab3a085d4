"""What is known about a target before a tree is grown: the classes, the parts, and how to ask.

A part is a disguised group, or all that is public. Counts within one have the noise of one group's
device only (and of the class's, where it is disguised elsewhere), however many groups a node of a
tree touches.
"""

from collections.abc import Sequence

import numpy as np

from deniable.base.arrays import Floats
from deniable.expression import Family
from deniable.oracle.api import CountOracle, Designed
from deniable.oracle.simplex import expected_counts

PUBLIC_PART = 0
"""The part of all attributes that are not disguised; groups are numbered from 1."""

HARDLY = 1e-12


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
