"""The most likely shares of a mixture, given counts of what it makes.

The log-likelihood Σ R·log(C p) is concave in the shares p: each truth is a component, a column of
C. EM climbs it but crawls near the edge of the simplex (with eight strongly disguised groups 20,000
steps were not enough). The constrained Newton method (Wang 2007) takes about ten steps: a quadratic
model, minimised over the simplex by non-negative least squares, then a line search.

The end is certified rather than guessed: at any p the maximum exceeds the log-likelihood by at most
n·(max gradient − 1).
"""

from collections.abc import Sequence

import numpy as np

from deniable.base.arrays import Floats, Mask

CLOSE_ENOUGH = 1e-4
"""Converged when the log-likelihood is certified to be this near its maximum."""

LIKELIHOOD_STEPS = 500
MOST_NEW = 100
"""Components that one step may take into use."""

TINY = 1e-300
LIKELIHOOD_ROUNDING = 1e-14


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
    ground = log_height(components, reports, shares)
    if np.isfinite(ground):
        ground -= LIKELIHOOD_ROUNDING * abs(
            ground
        )  # the last steps raise it by less than it can show
    for aim in aims:
        for halvings in range(30):
            there: Floats = shares + (aim - shares) / 2**halvings
            if aim.any() and log_height(components, reports, there) > ground:
                total = there.sum()
                there /= total
                return there
    return shares


def log_height(components: Floats, reports: Floats, shares: Floats) -> float:
    """The log-likelihood; nothing is worse than to expect none of what was reported."""
    expected = components @ shares
    return float(reports @ np.log(expected)) if expected.min() > 0 else -np.inf
