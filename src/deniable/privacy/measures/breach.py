"""Posterior breach: a report that turns an unlikely suspicion into a likely one.

An upward ρ₁-to-ρ₂ breach: something held with a share of at most ρ₁ before becomes at least ρ₂
likely after some report; a downward one: from at least ρ₂ down to at most ρ₁ (Evfimievski, Gehrke
& Srikant 2003). γ = e^ε, the largest ratio of a report's chances, bounds it for *every* population:
no breach is possible while γ < ρ₂(1−ρ₁)/(ρ₁(1−ρ₂)).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from deniable.base.arrays import Floats
from deniable.base.errors import EstimateError


@dataclass(frozen=True)
class Suspicion:
    """How likely one value is before, and after the reports that speak most for and against it."""

    value: str
    before: float
    highest: float
    lowest: float

    def breached(self, low: float, high: float) -> bool:
        """Whether some report lifts it from at most low to at least high, or drops it back."""
        up = self.before <= low and self.highest >= high
        down = self.before >= high and self.lowest <= low
        return up or down


def suspicions(values: Sequence[str], prior: ArrayLike, after: Floats) -> list[Suspicion]:
    """Look at each value, from its posteriors ``[report, value]``, or the extremes of these."""
    columns = (np.asarray(prior, dtype=np.float64), after.max(axis=0), after.min(axis=0))
    return [
        Suspicion(value, *map(float, row)) for value, *row in zip(values, *columns, strict=True)
    ]


def breach_is_impossible(low: float, high: float, gamma: float) -> bool:
    """Whether γ rules out every breach from low to high."""
    return gamma * low * (1 - high) < high * (1 - low)


def checked_levels(low: float, high: float) -> tuple[float, float]:
    """Refuse levels that are not 0 < low < high < 1."""
    if not 0 < low < high < 1:
        raise EstimateError(
            f"A breach from {low} to {high} makes no sense.",
            hint="Give two shares, the lower one first, as 0.05,0.5.",
        )
    return low, high
