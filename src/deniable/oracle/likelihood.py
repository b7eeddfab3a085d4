"""Maximum likelihood of a small table of true counts, given tables of reports.

The log-likelihood is Σ R·log(C p): concave in p. EM climbs it but crawls near the edge of the
simplex (stopped at 50 steps it was 27 times worse than at 3,000), so steps are extrapolated
(SQUAREM, Varadhan & Roland 2008) and the end is certified rather than guessed: at any p the
maximum exceeds the log-likelihood by at most n·(max gradient − 1).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from deniable.oracle.base import Floats

CLOSE = 1e-4
"""Converged when the log-likelihood is certified to be this near its maximum."""

MOST_STEPS = 20_000


@dataclass(frozen=True, eq=False)
class Observed:
    """One site's table of reports, and the channel matrices that act on its axes."""

    reports: Floats
    factors: list[tuple[list[int], Floats]]

    @property
    def n(self) -> float:
        """How many reports there are."""
        return float(self.reports.sum())

    def through(self, counts: Floats) -> Floats:
        """Reports to expect from true counts."""
        for axes, matrix in self.factors:
            counts = _along(counts, axes, matrix)
        return counts

    def back(self, reports: Floats) -> Floats:
        """Transpose of `through`."""
        for axes, matrix in self.factors:
            reports = _along(reports, axes, matrix.T)
        return reports


@dataclass(frozen=True, eq=False)
class Maximum:
    """The most likely table, as counts, and how surely it is that."""

    counts: Floats
    converged: bool
    steps: int
    gap: float
    """By how much, at most, a better table could raise the log-likelihood."""


class Likelihood:
    """Of one table of shares, common to all sites."""

    def __init__(self, sites: Sequence[Observed]) -> None:
        self.sites = tuple(sites)
        self.shape = self.sites[0].reports.shape
        self.n = sum(site.n for site in self.sites)

    def maximum(self, start: Floats) -> Maximum:
        """Maximise over all tables of shares, from an estimate by inversion."""
        inverted = start / start.sum()
        if len(self.sites) == 1 and inverted.min() >= 0:
            return Maximum(start.ravel(), converged=True, steps=0, gap=0.0)
        shares = np.maximum(inverted, 0)
        shares = 0.9 * shares / shares.sum() + 0.1 / shares.size
        shares, steps = _squarem(self._em, self.gap, self._log_likelihood, shares)
        gap = self.gap(shares)
        return Maximum(self.n * shares.ravel(), gap <= CLOSE, steps, gap)

    def independent(self) -> Floats:
        """Give the most likely counts among products of marginals."""
        shares = np.ones(self.shape) / np.prod(self.shape)

        def em(shares: Floats) -> Floats:
            return _product_of_marginals(self._em(shares))

        def unmoved(shares: Floats) -> float:
            change = self._log_likelihood(em(shares)) - self._log_likelihood(shares)
            return float(CLOSE * change / 1e-9)  # an EM step below 1e-9 counts as close

        shares, _ = _squarem(em, unmoved, self._log_likelihood, em(shares), _product_of_marginals)
        return self.n * shares

    def gap(self, shares: Floats) -> float:
        """How far, at most, the maximum lies above these shares."""
        return float(self.n * (self._gradient(shares).max() - 1))

    def _gradient(self, shares: Floats) -> Floats:
        total = np.zeros(self.shape)
        for site in self.sites:
            expected = site.through(shares)
            total += site.back(site.reports / np.maximum(expected, 1e-300))
        return total / self.n

    def _em(self, shares: Floats) -> Floats:
        moved = shares * self._gradient(shares)
        em: Floats = moved / moved.sum()
        return em

    def _log_likelihood(self, shares: Floats) -> float:
        total = 0.0
        for site in self.sites:
            expected = site.through(shares)
            seen = site.reports > 0
            total += float(site.reports[seen] @ np.log(np.maximum(expected[seen], 1e-300)))
        return total


def _squarem(
    em: Callable[[Floats], Floats],
    gap: Callable[[Floats], float],
    height: Callable[[Floats], float],
    start: Floats,
    project: Callable[[Floats], Floats] = lambda shares: shares,
) -> tuple[Floats, int]:
    """Take EM steps, each pair extrapolated as far as the log-likelihood still rises."""
    shares = start
    for step in range(0, MOST_STEPS, 3):
        if gap(shares) <= CLOSE:
            return shares, step
        one = em(shares)
        two = em(one)
        first, second = one - shares, (two - one) - (one - shares)
        curvature = float(np.linalg.norm(second))
        length = float(np.linalg.norm(first)) / curvature if curvature > 0 else 1.0
        best = two
        if length > 1:
            far = np.maximum(shares + 2 * length * first + length**2 * second, 0)
            far = em(project(far / far.sum())) if far.sum() > 0 else two
            if height(far) >= height(two):
                best = far
        shares = best
    return shares, MOST_STEPS


def _product_of_marginals(shares: Floats) -> Floats:
    product = np.ones((1,) * shares.ndim)
    for axis in range(shares.ndim):
        others = tuple(other for other in range(shares.ndim) if other != axis)
        product = product * shares.sum(axis=others, keepdims=True)
    return product


def _along(table: Floats, axes: list[int], matrix: Floats) -> Floats:
    """Apply a matrix to the joint patterns of some axes."""
    front = np.moveaxis(table, axes, range(len(axes)))
    moved = (matrix @ front.reshape(matrix.shape[1], -1)).reshape(front.shape)
    return np.moveaxis(moved, range(len(axes)), axes)
