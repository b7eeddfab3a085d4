"""How much of a noisy difference is believed, learnt from all differences of its kind.

Adaptive shrinkage (Stephens 2017, "False discovery rates: a new deal"): a difference is 0, or of
one of a few sizes in proportion to what was expected; how common each size is, is estimated from
the family by EM; and the difference itself is replaced by its posterior mean. Where noise explains
the family, hardly anything is believed; where a few differences stand out, those are, and the
others are not.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deniable.base.arrays import Floats, Mask

SIZES = np.array([0.0, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0])
"""Variances that a difference may have, as shares of the square of what was expected."""

NONE_MORE = 2.0
"""Dirichlet weight of *no difference*, where every other size has 1: believed unless refuted."""

EM_ROUNDS = 30
LARGEST_FAMILY = 1 << 11
"""Differences from which the sizes are learnt; more would hardly change them."""


@dataclass(frozen=True, eq=False)
class Believed:
    """What a family of differences tells."""

    difference: Floats
    variance: Floats
    square: Floats
    """Of what was expected."""

    noisy: Mask
    weights: Floats
    """How common each of the sizes is."""

    likelihood: float
    """Logarithm of the family's likelihood, a mean over the differences times their number."""

    @cached_property
    def share(self) -> Floats:
        """Of each difference, how much of it is believed; 1 where it has no noise."""
        share = np.ones(len(self.noisy))
        if self.noisy.any():
            spread = SIZES[:, None] * self.square
            above = self.variance + spread
            logs = _logs(self.difference, above)
            chance = self.weights[:, None] * np.exp(logs - logs.max(axis=0))
            chance /= chance.sum(axis=0)
            share[self.noisy] = (chance * (spread / above)).sum(axis=0)
        return share


def believed(difference: Floats, variance: Floats, expected: Floats) -> Believed:
    """Learn from one family; arrays of one length.

    >>> rng = np.random.default_rng(0)
    >>> noise = 10 * rng.standard_normal(1000)
    >>> few = np.where(np.arange(1000) < 20, 80.0, 0.0)
    >>> share = believed(few + noise, np.full(1000, 100.0), np.full(1000, 100.0)).share
    >>> bool(share[:20].min() > 0.9), bool(np.median(share[20:]) < 0.1)
    (True, True)
    """
    noisy = variance > 0
    if not noisy.all():
        difference, variance, expected = difference[noisy], variance[noisy], expected[noisy]
    square = expected**2
    if not len(difference):
        return Believed(difference, variance, square, noisy, np.ones(len(SIZES)), 0.0)
    few = slice(None, None, -(-len(difference) // LARGEST_FAMILY))
    logs = _logs(difference[few], variance[few] + SIZES[:, None] * square[few])
    weights, likelihood = _weights(logs)
    return Believed(difference, variance, square, noisy, weights, likelihood * len(difference))


def _logs(difference: Floats, variance: Floats) -> Floats:
    """Log-density of each difference by each size ``[size, difference]``."""
    found: Floats = -0.5 * (np.log(variance) + difference**2 / variance)
    return found


def _weights(logs: Floats) -> tuple[Floats, float]:
    """How common each size is (EM, the mode of the posterior), and the mean log-likelihood."""
    highest = logs.max(axis=0)
    density = np.exp(logs - highest)
    prior = np.ones(len(SIZES))
    prior[0] = NONE_MORE
    weights = prior / prior.sum()
    for _ in range(EM_ROUNDS):
        mixed = weights @ density
        weights = weights * (density @ (1 / mixed)) + prior - 1
        weights /= weights.sum()
    return weights, float((highest + np.log(weights @ density)).mean())
