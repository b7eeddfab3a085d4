"""Secure counts beside the disguised estimates of the same people: two witnesses that must agree.

The estimate of a true count N errs by at most

    t = W·L/3 + √((W·L/3)² + 2·σ²·L),    L = ln(2 / p)

but with probability p (Bernstein): W is the largest weight of one report, σ² the variance of the
estimate. p is that of five standard errors of a normal variable; W matters where few reports of
large weight make up an estimate, and σ alone would cry wolf.
"""

from collections.abc import Sequence
from math import erfc, log, prod, sqrt

import numpy as np

from deniable.base.errors import AnswerError
from deniable.base.wording import plus_minus
from deniable.collab.cells import Cell, family_of, written
from deniable.oracle.randomized import RandomizedOracle

SIGMAS = 5
CHANCE = erfc(SIGMAS / sqrt(2))
_L = log(2 / CHANCE)


class PlausibilityCheck:
    """Compares released counts with what the disguised records say."""

    def __init__(self, screen: RandomizedOracle) -> None:
        self._screen = screen

    def require(self, cells: Sequence[Cell], values: Sequence[int], slack: int = 0) -> None:
        """Stop where a count and its estimate cannot both be honest."""
        if not cells:
            return
        schema = self._screen.schema
        found = self._screen.count(family_of(cells, schema))
        counted = np.array(values, dtype=np.float64)
        variance = np.maximum(found.variance + found.tilt * (counted - found.value), found.variance)
        reach = np.array([self._heaviest(cell) for cell in cells]) * _L / 3
        bound = reach + np.sqrt(reach**2 + 2 * np.maximum(variance, 0.0) * _L) + slack
        far = np.flatnonzero(np.abs(found.value - counted) > np.maximum(bound, 0.5))
        if len(far):
            worst = int(far[0])
            raise AnswerError(
                f"The secure count of {written(cells[worst], schema)} is {values[worst]:,}, but "
                f"the disguised records say {plus_minus(found.value[worst], bound[worst], 0)}.",
                hint="One of the two was not made from the same honest data; the run is stopped.",
            )

    def _heaviest(self, cell: Cell) -> float:
        """The largest weight that one report has in the estimate; 0 where nothing is disguised."""
        names = {name for name, _ in cell}
        touched = [g for g in self._screen.design.groups if names & set(g.names)]
        return prod(group.channel.heaviest() for group in touched) if touched else 0.0
