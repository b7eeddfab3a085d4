"""Maximum likelihood of a small table of true counts, given tables of reports.

Each cell of the truth is a component of a mixture (`most_likely`), the end of whose climb is
certified rather than guessed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deniable.base.arrays import Floats, along
from deniable.oracle.likelihood.mixture import CLOSE_ENOUGH, log_height, most_likely

LIKELIHOOD_CYCLES = 100


@dataclass(frozen=True, eq=False)
class Observed:
    """One site's table of reports, the same inverted, and the channel matrices between them."""

    reports: Floats
    inverted: Floats
    factors: list[tuple[list[int], Floats]]

    def through(self, counts: Floats) -> Floats:
        """Reports to expect from true counts (more axes may follow those of the table)."""
        for axes, matrix in self.factors:
            counts = along(counts, axes, matrix.__matmul__)
        return counts


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
        self.reports: Floats = np.concatenate([site.reports.ravel() for site in self.sites])
        self.n = float(self.reports.sum())
        self._inverted: Floats = np.sum([site.inverted for site in self.sites], axis=0)

    def maximum(self) -> Maximum:
        """Maximise over all tables of shares, from what inversion gives."""
        inverted = self._inverted.ravel()
        if len(self.sites) == 1 and inverted.min() >= 0:
            return Maximum(inverted, converged=True, steps=0, gap=0.0)
        shares = np.maximum(inverted, 0)
        shares = 0.9 * shares / shares.sum() + 0.1 / shares.size
        units = np.eye(shares.size).reshape(*self.shape, shares.size)
        shares, steps, gap = most_likely(self._components(units), self.reports, shares)
        return Maximum(self.n * shares, gap <= CLOSE_ENOUGH, steps, gap)

    def independent(self) -> Floats:
        """Give the most likely counts among products of marginals, from those of inversion.

        Marginals sum to 1 but may be negative, as inversion's may: what is fitted are the reports,
        and a test of the fit is calibrated only if nothing holds it back at the edge.

        With all marginals but one held, that one is a mixture again; a cycle over the attributes
        changes little after the first, because their scores are uncorrelated under independence.
        """
        axes = set(range(len(self.shape)))
        marginals = [
            self._inverted.sum(axis=tuple(axes - {axis})) / self.n for axis in sorted(axes)
        ]
        if self._components(_product(marginals)[..., None]).min() <= 0:
            marginals = [np.full(size, 1 / size) for size in self.shape]
        # A cell without reports counts as half a one, which keeps its expectation above 0.
        reports = np.where(self.reports > 0, self.reports, 0.5)
        height = -np.inf
        for _ in range(LIKELIHOOD_CYCLES):
            for axis in range(len(self.shape)):
                components = self._components(_slices(marginals, axis))
                marginals[axis], _, _ = most_likely(
                    components, reports, marginals[axis], bounded=False
                )
            higher = log_height(components, reports, marginals[-1])
            if higher - height < CLOSE_ENOUGH:
                break
            height = higher
        return self.n * _product(marginals)

    def _components(self, tables: Floats) -> Floats:
        """What each of some tables (along the last axis) would report, at all sites together."""
        found = [site.through(tables).reshape(-1, tables.shape[-1]) for site in self.sites]
        return np.concatenate(found)


def _product(marginals: Sequence[Floats]) -> Floats:
    product: Floats = np.ones(())
    for marginal in marginals:
        product = np.asarray(np.multiply.outer(product, marginal))
    return product


def _slices(marginals: Sequence[Floats], axis: int) -> Floats:
    """Tables, one for each value of an attribute, that are independent and have only that value."""
    size = len(marginals[axis])
    one = [m if place != axis else np.ones(size) for place, m in enumerate(marginals)]
    shape = [size if place == axis else 1 for place in range(len(marginals))]
    return _product(one)[..., None] * np.eye(size).reshape(*shape, size)
