"""How well two orders fit, and how well they would by chance."""

from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
from scipy.stats import rankdata

FALSE_ALARM = 1e-6
"""How likely a test may fail by bad luck alone."""


def score(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """How well two orders fit, either way round, as a standard score."""
    return abs(signed_score(ours, theirs))


def signed_score(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """How well two orders fit, as a standard score; below 0 where they are opposite.

    Who knows nothing gets a rank correlation with mean 0 and variance 1/(n − 1).
    """
    if len(set(ours)) < 2 or len(set(theirs)) < 2:
        return 0.0  # where all are alike, nothing can be matched
    correlation = np.corrcoef(rankdata(ours), rankdata(theirs))[0, 1]
    return float(correlation * np.sqrt(len(ours) - 1))


def chance(tries: int) -> float:
    """The standard score that the best of so many blind tries stays under."""
    return NormalDist().inv_cdf(1 - FALSE_ALARM / (2 * tries))
