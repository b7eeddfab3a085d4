"""What single attributes, and the attributes of one disguised group, tell about the class.

These counts have the noise of one group's device only (and of the class's, where it is disguised
elsewhere), however many groups a node of a tree touches.
"""

from collections.abc import Sequence
from math import prod

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.expression import ANY, Family, strides
from deniable.oracle.api import CountOracle, Designed
from deniable.oracle.frontier.frontier import BATCH
from deniable.oracle.simplex import expected_counts

PUBLIC_PART = 0
"""The part of all attributes that are not disguised; groups are numbered from 1."""

HARDLY = 1e-12

MOST_NUMBERS = 1 << 40
"""Paths of one part up to which their terms are digits of a number."""


class GroupCounts:
    """An oracle's counts about one target, part by part."""

    def __init__(self, oracle: CountOracle, target: str, axes: Sequence[str]) -> None:
        self.oracle, self.target, self.axes = oracle, target, tuple(axes)
        self.sizes = np.array([oracle.schema[name].size for name in axes], dtype=np.int64)
        self.classes = oracle.schema[target].size
        groups = oracle.groups if isinstance(oracle, Designed) else ()
        number = {name: k for k, group in enumerate(groups, start=1) for name in group}
        self.part = np.array([number.get(name, PUBLIC_PART) for name in axes], dtype=np.int64)
        self.parts = 1 + len(groups)
        self.target_part = number.get(target, PUBLIC_PART)
        found = oracle.count(Family.table([target], oracle.schema))
        self.totals = expected_counts(found.value, found.std_error, oracle.n)
        """People of each class, possible ones."""
        self.target_moment = self.moments(Family.table([target], oracle.schema))
        self.given = self._given()
        """``[value, class]``: the share of each class that has the value, axis by axis."""

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

    def count(self, family: Family) -> tuple[Floats, Floats]:
        """Give unbiased counts, and the variances that the disguise gives them."""
        found = [
            self.oracle.count(
                Family(family.columns, family.codes[start : start + BATCH]), of="population"
            )
            for start in range(0, len(family), BATCH)
        ]
        value = np.concatenate([np.zeros(0), *(part.value for part in found)])
        variance = np.concatenate([np.zeros(0), *(part.variance for part in found)])
        return value, self.disguise(value, variance)

    def path_numbers(self, part: int, paths: Codes) -> Codes:
        """Number paths by their terms about one part: the same terms, the same number."""
        columns = np.flatnonzero(self.part == part)
        places = [int(size) + 1 for size in self.sizes[columns]]
        if prod(places) <= MOST_NUMBERS:
            found: Codes = (paths[:, columns] - ANY) @ np.array(strides(places), dtype=np.int64)
            return found
        return np.unique(paths[:, columns], axis=0, return_inverse=True)[1].ravel()

    def _given(self) -> list[Floats]:
        """Count all attributes by the class, at once."""
        if not self.axes:
            return []
        cells = self.sizes * self.classes
        ends = np.cumsum(cells)
        codes = np.full((ends[-1], len(self.axes) + 1), ANY, dtype=np.int64)
        place = np.arange(ends[-1]) - np.repeat(ends - cells, cells)
        codes[np.arange(len(codes)), np.repeat(np.arange(len(cells)), cells)] = (
            place // self.classes
        )
        codes[:, -1] = place % self.classes
        family = Family((*self.axes, self.target), codes)
        found = self.oracle.count(family)
        errors = self.oracle.count(family, of="population").std_error * (found.std_error > 0)
        tables = [
            (found.value[start:stop].reshape(-1, self.classes),
             errors[start:stop].reshape(-1, self.classes))
            for start, stop in zip(ends - cells, ends, strict=True)
        ]  # fmt: skip
        believed = self._believed(tables)
        shares = []
        for (table, error), share in zip(tables, believed, strict=True):
            drawn = table - (1 - share) * self._contrast(table)
            possible = expected_counts(drawn.T, error.T, self.totals).T
            shares.append(possible / np.maximum(possible.sum(axis=0), HARDLY))
        return shares

    def _believed(self, tables: list[tuple[Floats, Floats]]) -> Floats:
        """How much of what single attributes say about the class is believed.

        Those of one part are judged together, by Z, the mean of their squared contrasts over the
        variance that the disguise gives them, which is about 1 if none says anything: Z²/(1 + Z)².
        """
        prior = self.totals / max(self.totals.sum(), HARDLY)
        ratios = np.full(len(tables), np.nan)
        for place, (table, error) in enumerate(tables):
            noise = self.disguise(table, error**2) * (error > 0)
            others = noise.sum(axis=1, keepdims=True) - noise
            variance = (noise * (1 - prior) ** 2 + others * prior**2).sum()
            if variance > 0:
                ratios[place] = (self._contrast(table) ** 2).sum() / variance
        share = np.ones(len(tables))
        for part in np.unique(self.part):
            noisy = (self.part == part) & ~np.isnan(ratios)
            if noisy.any():
                stands_out = ratios[noisy].mean()
                share[noisy] = (stands_out / (1 + stands_out)) ** 2
        return share

    def _contrast(self, table: Floats) -> Floats:
        """By how much a table ``[value, class]`` differs from one that says nothing."""
        prior = self.totals / max(self.totals.sum(), HARDLY)
        found: Floats = table - table.sum(axis=1, keepdims=True) * prior
        return found
