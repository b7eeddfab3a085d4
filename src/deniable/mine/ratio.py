"""Ratios of two estimated counts: standard errors by the delta method, intervals by Fieller."""

from math import inf

import numpy as np

from deniable.base.arrays import Floats
from deniable.oracle.api import Target

Moments = tuple[Floats, Floats, Floats]
"""Variance of the upper count, covariance, variance of the lower one."""


def at_confidence(both: Floats, premise: Floats, moments: Moments, n: int, of: Target) -> Moments:
    """Take the sampling part of Var(N̂(A∧B) − c·N̂(A)) at the confidence c in question.

    That part is N(A)·c·(1 − c) if the confidence is c. At the estimated c nothing changes; and
    where nothing is disguised the interval becomes Wilson's, which does not collapse at 0 and 1.
    """
    if of == "sample":
        return moments
    top, shared, bottom = moments
    return (
        top + both**2 / n - both,
        shared + both * premise / n - both - premise / 2,
        bottom + premise**2 / n - 2 * premise,
    )


def ratio(top: Floats, bottom: Floats, moments: Moments, z2: float) -> Floats:
    """``[value, std_error, low, high]`` of a ratio, by the delta method and by Fieller.

    The moments are variance, covariance and variance of top and bottom. Written around the value,
    so that exact counts give exact bounds.
    """
    value = top / bottom
    above, shared, below = moments
    variance = np.maximum(above - 2 * value * shared + value**2 * below, 0.0)
    lead = bottom**2 - z2 * below
    root = np.sqrt(np.maximum(z2 * bottom**2 * variance + z2**2 * (shared**2 - above * below), 0.0))
    middle = z2 * (value * below - shared)
    bounded = lead > 0
    lead = np.where(bounded, lead, 1.0)
    low = np.where(bounded, value + (middle - root) / lead, -inf)
    high = np.where(bounded, value + (middle + root) / lead, inf)
    return np.stack([value, np.sqrt(variance) / bottom, low, high])
