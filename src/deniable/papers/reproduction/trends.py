"""Tests of shapes and of differences: by ranks, or by what chance explains, at a stated level."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from deniable.base.arrays import Floats
from deniable.base.wording import decimal, given_p, plural
from deniable.papers.reproduction.paper_claims import Ruling

TEST_LEVEL = 0.01
"""Of every test: how often it would find something where there is nothing."""


PAGES_TEST = f"Page’s trend test, p < {TEST_LEVEL}"
GAIN_TEST = f"mean paired difference above 0, p < {TEST_LEVEL}"
"""What claims say of the tests below."""


SAME_MEAN = 1e-9
"""Accuracies that differ less are equal: the smallest difference is one test record."""


@dataclass(frozen=True)
class Trend:
    """What a test of an order says."""

    statistic: float
    p: float

    @property
    def found(self) -> bool:
        """Whether the order is there beyond what chance explains."""
        return self.p < TEST_LEVEL

    def __str__(self) -> str:
        return f"L = {self.statistic:,g}, {given_p(self.p)}"


def rising(blocks: ArrayLike) -> Trend:
    """Page's test that columns rise from left to right, each row being ranked by itself.

    >>> rising([[1, 2, 3, 4]] * 3).found, rising([[4, 3, 2, 1]] * 3).found
    (True, False)
    """
    table = np.asarray(blocks, dtype=np.float64)
    if len(table) < 2:  # noqa: PLR2004 (a single block has no chance to disagree)
        return Trend(float("nan"), 1.0)
    found = stats.page_trend_test(table)
    return Trend(float(found.statistic), float(found.pvalue))


def chi_square(pairs: Sequence[tuple[Floats, Floats]]) -> float:
    """Give the p-value of samples that should have equal means, pair by pair, all at once.

    Pairs without any variance must be equal, and tell nothing more.

    >>> rng = np.random.default_rng(1)
    >>> even = [(rng.normal(size=20), rng.normal(size=20)) for _ in range(30)]
    >>> chi_square(even) > 0.01, chi_square([(a, b + 1) for a, b in even]) < 1e-6
    (True, True)
    """
    total, freedom = 0.0, 0
    for first, second in pairs:
        t, p = _welch(first, second)
        if np.isnan(t):
            if abs(first.mean() - second.mean()) > SAME_MEAN:
                return 0.0
            continue
        # As a normal's square of the same p-value: a t of few repeats has heavier tails.
        total += float(stats.chi2.isf(p, 1))
        freedom += 1
    return float(stats.chi2.sf(total, freedom)) if freedom else 1.0


def _welch(first: Floats, second: Floats) -> tuple[float, float]:
    few = min(len(first), len(second)) < 2  # noqa: PLR2004 (which have no variance)
    if few or max(np.ptp(first), np.ptp(second)) < SAME_MEAN:
        return float("nan"), float("nan")
    found = stats.ttest_ind(first, second, equal_var=False)
    return float(found.statistic), float(found.pvalue)


def gain(cells: Sequence[Floats]) -> tuple[float, float, float]:
    """Give the mean of paired differences over cells, its standard error, and a one-sided p-value.

    Each cell counts alike. The cells are given; what varies is the disguise, so the error is that
    of the repeats within the cells. With a single repeat it is taken from the cells' spread, which
    holds their true differences, too: on the safe side.

    >>> mean, error, p = gain([np.array([1.0, 3.0]), np.array([3.0, 5.0])])
    >>> mean, round(error, 2), round(p, 3)
    (3.0, 0.71, 0.026)
    """
    mean = float(np.mean([cell.mean() for cell in cells]))
    freedom = sum(len(cell) - 1 for cell in cells)
    if min(map(len, cells)) > 1:
        error = float(np.sqrt(sum(cell.var(ddof=1) / len(cell) for cell in cells))) / len(cells)
    else:
        error = float(np.std([cell.mean() for cell in cells], ddof=1)) / len(cells) ** 0.5
        freedom = len(cells) - 1
    if error == 0:
        return mean, error, 0.0 if mean > 0 else 1.0
    return mean, error, float(stats.t.sf(mean / error, freedom))


def paired(ours: Floats, theirs: Floats) -> Floats:
    """Subtract, repeat by repeat; of costly miners there are fewer."""
    many = min(len(ours), len(theirs))
    return ours[:many] - theirs[:many]


def gained(cells: Sequence[Floats]) -> Ruling:
    """Check that paired differences are above 0, on average over cells."""
    mean, error, p = gain(cells)
    repeats = plural(min(map(len, cells)), "repeat")
    said = f"{decimal(mean, 3)} ± {error:.3f} over {len(cells)} cells of {repeats}, {given_p(p)}"
    return Ruling(mean > 0 and p < TEST_LEVEL, said)
