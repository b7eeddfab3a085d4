"""Oracles whose reports were drawn from the same ones, asked together.

Which of them a report was drawn for is one more public attribute: so all are counted at once,
where a table of that holds little.
"""

from collections.abc import Sequence
from typing import Protocol, Self, runtime_checkable

import numpy as np

from deniable.base.arrays import Floats
from deniable.expression import Family
from deniable.oracle.api import CountOracle, Frontier
from deniable.oracle.frontier.frontier import BATCH, descend
from deniable.oracle.frontier.joined_frontier import JoinedFrontier

Counts = tuple[Floats, Floats]
"""Unbiased counts of every oracle, and the variances that the disguise gives them."""


@runtime_checkable
class Stackable(CountOracle, Protocol):
    """An oracle that may be able to hold others' reports beside its own."""

    def stacked(self, oracles: Sequence[CountOracle]) -> tuple[Self, str] | None:
        """Give one oracle of all, and the attribute that numbers them, if they are alike."""

    def descend_each(self, number: str, target: str, axes: Sequence[str]) -> Frontier | None:
        """Begin a tree for each value of that attribute, where all can be begun at once."""


class Replicates:
    """One oracle or several of one schema and design."""

    def __init__(self, oracles: Sequence[CountOracle]) -> None:
        self.oracles = tuple(oracles)
        first = oracles[0]
        self._together = None
        if len(oracles) > 1 and isinstance(first, Stackable):
            self._together = first.stacked(oracles)

    def count(self, family: Family) -> Counts:
        """Count each conjunction by every oracle ``[oracle, conjunction]``."""
        many = len(self.oracles)
        if self._together is None:
            values, variances = zip(*(_counted(each, family) for each in self.oracles), strict=True)
            return np.stack(values), np.stack(variances)
        oracle, number = self._together
        which = np.repeat(np.arange(many), len(family))
        codes = np.column_stack([which, np.tile(family.codes, (many, 1))])
        value, variance = _counted(oracle, Family((number, *family.columns), codes))
        return value.reshape(many, -1), variance.reshape(many, -1)

    def descend(self, target: str, axes: Sequence[str]) -> Frontier:
        """Begin a tree for each oracle, their roots side by side."""
        if self._together is not None:
            oracle, number = self._together
            found = oracle.descend_each(number, target, axes)
            if found is not None:
                return found
        roots = [descend(oracle, target, axes) for oracle in self.oracles]
        return roots[0] if len(roots) == 1 else JoinedFrontier(roots)

    def count_by(self, number: int, family: Family) -> Counts:
        """Count each conjunction by one of the oracles ``[conjunction]``."""
        return _counted(self.oracles[number], family)


def _counted(oracle: CountOracle, family: Family) -> Counts:
    """Count in batches."""
    found = [
        oracle.count(Family(family.columns, family.codes[start : start + BATCH]))
        for start in range(0, max(len(family), 1), BATCH)
    ]
    value = np.concatenate([part.value for part in found])
    variance = np.concatenate([part.variance for part in found])
    return value, np.maximum(variance, 0.0)
