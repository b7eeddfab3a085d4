"""An empirical audit: how much ε a randomizer is *seen* to spend.

Run a randomizer many times on one truth and as often on another, and look for the event that tells
them apart best. With p and q its chances, any ε-private randomizer has ln(p/q) ≤ ε. Exact binomial
(Clopper–Pearson) bounds on p and q turn counts into a lower confidence bound on ε: a value above
the promised ε convicts the randomizer, whatever its code looks like.
"""

from math import log

import numpy as np
from numpy.typing import ArrayLike

from deniable.base.errors import EstimateError


def audited_epsilon(first: ArrayLike, second: ArrayLike, level: float = 0.99) -> float:
    """Give a lower bound on ε, from counts of each report under two truths, in the same order.

    It is at most the true ε with probability `level` or more: every single report is tried as the
    event, in both directions, and the bounds share the error probability among all of these tries.
    Unbounded promises are audited too: a bound keeps growing with the number of runs.

    >>> round(audited_epsilon([8000, 2000], [2000, 8000]), 2)  # ln 4 = 1.386
    1.31
    """
    from scipy.stats import beta  # slow to load, and only needed here

    if not 0 < level < 1:
        raise EstimateError(
            f"level = {level} is no confidence level.", hint="Use one such as 0.99."
        )
    one, other = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if one.shape != other.shape or one.ndim != 1 or min(one.sum(), other.sum()) <= 0:
        raise EstimateError(
            "An audit needs counts of the same reports under two truths.",
            hint="Give two lists of equal length, each with at least one run.",
        )
    if min(one.min(), other.min()) < 0:
        raise EstimateError("A count of reports is negative.", hint="Counts are 0 or more.")
    counts = np.stack([one, other])
    runs = counts.sum(axis=1, keepdims=True)
    # A bound from below and one from above for each report and truth.
    risk = (1 - level) / (2 * counts.size)
    low = np.where(counts > 0, beta.ppf(risk, np.maximum(counts, 1), runs - counts + 1), 0.0)
    rest = np.maximum(runs - counts, 1)
    high = np.where(counts < runs, beta.ppf(1 - risk, counts + 1, rest), 1.0)
    ratios = np.concatenate([low[0] / high[1], low[1] / high[0]])
    return log(max(float(ratios.max()), 1.0))
