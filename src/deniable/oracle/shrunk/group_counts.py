"""What single attributes, and the attributes of one disguised group, tell about the class.

These counts have the noise of one group's device only (and of the class's, where it is disguised
elsewhere), however many groups a node of a tree touches.
"""

from collections.abc import Sequence
from functools import cached_property
from math import prod

import numpy as np

from deniable.base.arrays import Codes, Floats, added
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
        self.given = self._given()
        """``[oracle, value, class]``: the share of each class that has a value, axis after axis."""

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
        columns = np.flatnonzero(self.part == part)
        cells = size * self.classes
        codes = np.repeat(paths[:, columns], cells, axis=0)
        values = np.tile(np.repeat(np.arange(size), self.classes), len(paths))
        codes[np.arange(len(codes)), np.repeat(np.searchsorted(columns, axis), cells)] = values
        classes = np.tile(np.arange(self.classes), size * len(paths))
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

    def _given(self) -> Floats:
        """Count all attributes by the class, at once."""
        classes, axes = self.classes, len(self.axes)
        axis = np.repeat(np.arange(axes), self.sizes)
        value = np.arange(len(axis)) - np.repeat(np.cumsum(self.sizes) - self.sizes, self.sizes)
        codes = np.full((len(axis), axes), ANY, dtype=np.int64)
        codes[np.arange(len(axis)), axis] = value
        label = np.tile(np.arange(classes), len(axis))
        codes = np.column_stack([np.repeat(codes, classes, axis=0), label])
        found = self.replicates.count(Family((*self.axes, self.target), codes))
        shape = (len(self.replicates.oracles), len(axis), classes)
        table, noise = (each.reshape(shape) for each in found)
        drawn = table - (1 - self._believed(table, noise, axis)) * self._contrast(table)
        # About the population, where there is noise at all: what is public is known.
        variance = np.where(noise > 0, noise + table - table**2 / self.oracle.n, 0.0)
        errors = np.sqrt(np.maximum(variance, 0.0))
        shares = np.empty_like(drawn)
        for one in range(axes):
            here = axis == one
            counts, around = (each[:, here].swapaxes(1, 2) for each in (drawn, errors))
            possible = expected_counts(counts, around, self.totals).swapaxes(1, 2)
            shares[:, here] = possible / np.maximum(added(possible, axis=1), HARDLY)[:, np.newaxis]
        return shares

    def _believed(self, table: Floats, noise: Floats, axis: Codes) -> Floats:
        """How much of what single attributes say is believed ``[oracle, value, 1]``.

        Those of one part are judged together, by Z, the mean of their squared contrasts over the
        variance that the disguise gives them, which is about 1 if none says anything: Z²/(1 + Z)².
        """
        prior = self._prior
        others = noise.sum(axis=2, keepdims=True) - noise
        variance = (noise * (1 - prior) ** 2 + others * prior**2).sum(axis=2)
        contrast = (self._contrast(table) ** 2).sum(axis=2)
        starts = np.flatnonzero(np.diff(axis, prepend=-1))
        if len(axis):
            variance, contrast = (
                np.add.reduceat(each, starts, axis=1) for each in (variance, contrast)
            )
        noisy = variance > 0
        ratio = np.divide(contrast, variance, out=np.zeros_like(contrast), where=noisy)
        of_part = (self.part[:, np.newaxis] == np.arange(self.parts)).astype(np.float64)
        stands_out = (ratio @ of_part) / np.maximum(noisy @ of_part, 1)
        share = np.where(noisy, ((stands_out / (1 + stands_out)) ** 2)[:, self.part], 1.0)
        return share[:, axis, np.newaxis]

    @cached_property
    def _prior(self) -> Floats:
        """The share of each class ``[oracle, 1, class]``."""
        people = self.totals.sum(axis=1, keepdims=True)
        found: Floats = (self.totals / np.maximum(people, HARDLY))[:, np.newaxis]
        return found

    def _contrast(self, table: Floats) -> Floats:
        """By how much tables ``[oracle, value, class]`` differ from ones that say nothing."""
        found: Floats = table - table.sum(axis=2, keepdims=True) * self._prior
        return found
