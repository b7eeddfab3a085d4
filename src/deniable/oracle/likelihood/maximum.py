"""Maximum likelihood of a small table of true counts, given tables of reports.

The log-likelihood Σ R·log(C p) is concave in the shares p, and its maximum is that of a mixture:
each cell of the truth is a component, a column of C. EM climbs it but crawls near the edge of the
simplex (with eight strongly disguised groups 20,000 steps were not enough). The constrained Newton
method (Wang 2007) takes about ten steps: a quadratic model, minimised over the simplex by
non-negative least squares, then a line search.

The end is certified rather than guessed: at any p the maximum exceeds the log-likelihood by at most
n·(max gradient − 1).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deniable.base.arrays import Floats, Mask, along

CLOSE_ENOUGH = 1e-4
"""Converged when the log-likelihood is certified to be this near its maximum."""

LIKELIHOOD_STEPS = 500
LIKELIHOOD_CYCLES = 100
MOST_NEW = 100
"""Components that one step may take into use."""

TINY = 1e-300
LIKELIHOOD_ROUNDING = 1e-14


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
            higher = _height(components, reports, marginals[-1])
            if higher - height < CLOSE_ENOUGH:
                break
            height = higher
        return self.n * _product(marginals)

    def _components(self, tables: Floats) -> Floats:
        """What each of some tables (along the last axis) would report, at all sites together."""
        found = [site.through(tables).reshape(-1, tables.shape[-1]) for site in self.sites]
        return np.concatenate(found)


def most_likely(
    components: Floats,
    reports: Floats,
    start: Floats,
    *,
    bounded: bool = True,
    close: float = CLOSE_ENOUGH,
) -> tuple[Floats, int, float]:
    """Maximise Σ reports·log(components @ shares) to within `close`; give steps and gap too.

    Shares sum to 1; they are at least 0 only if bounded. At the maximum the gradient is 1, or below
    where a share is 0.
    """
    seen = reports > 0
    components, reports = components[seen], reports[seen]
    n = reports.sum()
    shares, gap = start, np.inf
    for step in range(LIKELIHOOD_STEPS):
        expected = np.maximum(components @ shares, TINY)
        gradient = components.T @ (reports / expected) / n
        gap = float(n * (gradient.max() - (1 if bounded else gradient.min())))
        if gap <= close:
            return shares, step, gap
        chosen = _candidates(shares, gradient) if bounded else np.ones(len(shares), dtype=bool)
        aim = _newton(components, reports, expected, chosen, bounded=bounded)
        higher = _climbed(components, reports, shares, [aim, shares * gradient])
        if higher is shares:  # nothing leads up from here, and would not the next time either
            return shares, step, gap
        shares = higher
    return shares, LIKELIHOOD_STEPS, gap


def _candidates(shares: Floats, gradient: Floats) -> Mask:
    """Which components the next step may use: those in use, and the most promising others."""
    chosen = shares > 0
    others = np.where(chosen, -np.inf, gradient)
    best = np.argsort(-others, kind="stable")[:MOST_NEW]
    chosen[best] |= others[best] > 1
    return chosen


def _newton(
    components: Floats,
    reports: Floats,
    expected: Floats,
    chosen: Mask,
    *,
    bounded: bool,
) -> Floats:
    """Minimise the quadratic model of the negative log-likelihood.

    The model is Σ R·(C p / expected − 2)²/2. As the shares sum to 1, the 2 can be taken into every
    column, and the constraint becomes one more equation of the least squares (Dax 1990).
    """
    from scipy.optimize import nnls  # slow to load, and only needed here

    root = np.sqrt(reports / reports.sum())
    columns = root[:, None] * (components[:, chosen] / expected[:, None] - 2)
    system = np.vstack([columns, np.ones(columns.shape[1])])
    target = np.append(np.zeros(len(root)), 1.0)
    aim = np.zeros(len(chosen))
    try:
        solved = nnls(system, target) if bounded else np.linalg.lstsq(system, target)
        aim[chosen] = solved[0]
    except (RuntimeError, np.linalg.LinAlgError):  # no solution: leave it to the step of EM
        return aim
    total = aim.sum()
    return aim / total if total > 0 else aim


def _climbed(components: Floats, reports: Floats, shares: Floats, aims: Sequence[Floats]) -> Floats:
    """Go towards the first aim that leads up, as far as it does."""
    ground = _height(components, reports, shares)
    if np.isfinite(ground):
        ground -= LIKELIHOOD_ROUNDING * abs(
            ground
        )  # the last steps raise it by less than it can show
    for aim in aims:
        for halvings in range(30):
            there: Floats = shares + (aim - shares) / 2**halvings
            if aim.any() and _height(components, reports, there) > ground:
                total = there.sum()
                there /= total
                return there
    return shares


def _height(components: Floats, reports: Floats, shares: Floats) -> float:
    """The log-likelihood; nothing is worse than to expect none of what was reported."""
    expected = components @ shares
    return float(reports @ np.log(expected)) if expected.min() > 0 else -np.inf


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
