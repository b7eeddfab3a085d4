"""What single attributes, and the attributes of one disguised group, tell about the class.

These counts have the noise of one group's device only (and of the class's, where it is disguised
elsewhere), however many groups a node of a tree touches.
"""

from collections.abc import Sequence

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.expression import ANY, Family
from deniable.oracle.api import CountOracle, Designed
from deniable.oracle.frontier.frontier import BATCH
from deniable.oracle.simplex import expected_counts

PUBLIC_PART = 0
"""The part of all attributes that are not disguised; groups are numbered from 1."""

HARDLY = 1e-12


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
        self.given = [self._given(name) for name in axes]
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

    def _given(self, name: str) -> Floats:
        shape = (self.oracle.schema[name].size, self.classes)
        family = Family.table([name, self.target], self.oracle.schema)
        found = self.oracle.count(family)
        errors = self.oracle.count(family, of="population").std_error * (found.std_error > 0)
        table, errors = found.value.reshape(shape).T, errors.reshape(shape).T
        possible = expected_counts(table, errors, self.totals).T
        shares: Floats = possible / np.maximum(possible.sum(axis=0), HARDLY)
        return shares


def root_path(axes: int) -> Codes:
    """The path of a node that holds everybody."""
    return np.full((1, axes), ANY, dtype=np.int64)
