"""Answering again with a fresh coin: how the disguise averages away.

A person who answers k times, each time disguised anew, gives a reader k independent reports of one
truth. ε adds up to k·ε; what the best guess gains is computed over all multisets of reports.
One coin per person, survey and group, kept, is the remedy.
"""

from collections.abc import Iterator
from itertools import combinations, pairwise
from math import comb

import numpy as np
from numpy.typing import ArrayLike

from deniable.base.arrays import Floats
from deniable.privacy.measures.single_answer import best_guess, guess_after

MOST_REPEAT_WORK = 200_000
"""Multisets of reports, times truths."""


def guess_after_repeats(matrix: ArrayLike, prior: ArrayLike, times: int) -> float | None:
    """Chance that the best guess is right after so many independent reports of one entry.

    None where there are too many different multisets of reports to weigh.

    >>> warner = [[0.8, 0.2], [0.2, 0.8]]
    >>> [round(guess_after_repeats(warner, [0.5, 0.5], times), 3) for times in (1, 3, 9)]
    [0.8, 0.896, 0.98]
    """
    from scipy.special import gammaln  # slow to load, and only needed here

    C = np.asarray(matrix, dtype=np.float64)
    shares = np.asarray(prior, dtype=np.float64)
    if times == 1:
        return guess_after(C, shares)
    if comb(times + len(C) - 1, len(C) - 1) * len(C) > MOST_REPEAT_WORK:
        return None
    counts = np.array(list(_multisets(times, len(C))), dtype=np.float64)
    orders = gammaln(times + 1) - gammaln(counts + 1).sum(axis=1)
    excluded = counts @ (C == 0) > 0
    powers = counts @ np.log(np.where(C == 0, 1.0, C))
    likely: Floats = np.where(excluded, 0.0, np.exp(orders[:, None] + powers) * shares)
    return best_guess(likely, 1)


def _multisets(times: int, reports: int) -> Iterator[tuple[int, ...]]:
    """Every way to write `times` as an ordered sum of `reports` counts (stars and bars)."""
    for bars in combinations(range(times + reports - 1), reports - 1):
        ends = (-1, *bars, times + reports - 1)
        yield tuple(b - a - 1 for a, b in pairwise(ends))
