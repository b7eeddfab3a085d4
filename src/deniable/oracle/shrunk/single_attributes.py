"""What every single attribute tells about the class, drawn towards saying nothing.

Attributes of one part are judged together, by how far what they say stands out from their noise.
"""

from functools import cached_property

import numpy as np

from deniable.base.arrays import Floats, added
from deniable.oracle.shrunk.group_counts import HARDLY, GroupCounts
from deniable.oracle.simplex import expected_counts


class SingleAttributes:
    """Counts of values by class ``[oracle, value, class]``, those of one axis after another's."""

    def __init__(self, known: GroupCounts, table: Floats, noise: Floats) -> None:
        """Take the unbiased counts, and the variances that the disguise gives them."""
        self._known, self._table, self._noise = known, table, noise
        self._axis = np.repeat(np.arange(len(known.axes)), known.sizes)

    def shares(self) -> Floats:
        """The share of each class that has a value."""
        table, n = self._table, self._known.oracle.n
        drawn = table - (1 - self._believed()) * self._contrast
        # About the population, where there is noise at all: what is public is known.
        variance = np.where(self._noise > 0, self._noise + table - table**2 / n, 0.0)
        errors = np.sqrt(np.maximum(variance, 0.0))
        shares = np.empty_like(drawn)
        for axis in range(len(self._known.axes)):
            here = self._axis == axis
            counts, around = (each[:, here].swapaxes(1, 2) for each in (drawn, errors))
            possible = expected_counts(counts, around, self._known.totals).swapaxes(1, 2)
            shares[:, here] = possible / np.maximum(added(possible, axis=1), HARDLY)[:, np.newaxis]
        return shares

    def _believed(self) -> Floats:
        """How much of what attributes say is believed ``[oracle, value, 1]``.

        Those of one part are judged together, by Z, the mean of their squared contrasts over the
        variance that the disguise gives them, which is about 1 if none says anything: Z²/(1 + Z)².
        """
        noise, prior, known = self._noise, self._prior, self._known
        others = noise.sum(axis=2, keepdims=True) - noise
        variance = (noise * (1 - prior) ** 2 + others * prior**2).sum(axis=2)
        contrast = (self._contrast**2).sum(axis=2)
        starts = np.flatnonzero(np.diff(self._axis, prepend=-1))
        if len(starts):
            variance, contrast = (
                np.add.reduceat(each, starts, axis=1) for each in (variance, contrast)
            )
        noisy = variance > 0
        ratio = np.divide(contrast, variance, out=np.zeros_like(contrast), where=noisy)
        of_part = (known.part[:, np.newaxis] == np.arange(known.parts)).astype(np.float64)
        stands_out = (ratio @ of_part) / np.maximum(noisy @ of_part, 1)
        share = np.where(noisy, ((stands_out / (1 + stands_out)) ** 2)[:, known.part], 1.0)
        return share[:, self._axis, np.newaxis]

    @cached_property
    def _prior(self) -> Floats:
        """The share of each class ``[oracle, 1, class]``."""
        totals = self._known.totals
        people = totals.sum(axis=1, keepdims=True)
        found: Floats = (totals / np.maximum(people, HARDLY))[:, np.newaxis]
        return found

    @cached_property
    def _contrast(self) -> Floats:
        """By how much the tables differ from ones that say nothing."""
        found: Floats = self._table - self._table.sum(axis=2, keepdims=True) * self._prior
        return found
