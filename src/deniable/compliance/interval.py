"""A share between two bounds, as results and exports hold it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Interval:
    """A share, between two bounds."""

    share: float
    low: float
    high: float

    def holds(self, share: float) -> bool:
        """Whether a share lies between the bounds."""
        return self.low <= share <= self.high
