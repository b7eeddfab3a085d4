"""Tests of shapes: whether something rises or falls, by ranks and at a stated level."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

LEVEL = 0.01
"""Of every test of a shape: how often it would find one where there is none."""


@dataclass(frozen=True)
class Trend:
    """What a test of an order says."""

    statistic: float
    p: float
    test: str

    @property
    def found(self) -> bool:
        """Whether the order is there beyond what chance explains."""
        return self.p < LEVEL


def rising(blocks: ArrayLike) -> Trend:
    """Page's test that columns rise from left to right, each row being ranked by itself.

    >>> rising([[1, 2, 3, 4]] * 3).found, rising([[4, 3, 2, 1]] * 3).found
    (True, False)
    """
    table = np.asarray(blocks, dtype=np.float64)
    found = stats.page_trend_test(table)
    return Trend(float(found.statistic), float(found.pvalue), "Page's L")
