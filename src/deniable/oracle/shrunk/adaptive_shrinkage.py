"""How much of a noisy difference is believed, learnt from all differences of its kind.

Adaptive shrinkage (Stephens 2017, "False discovery rates: a new deal"): a difference is 0, or of
one of a few sizes in proportion to what was expected; how common each size is, is estimated from
the family by EM; and the difference itself is replaced by its posterior mean. Where noise explains
the family, hardly anything is believed; where a few differences stand out, those are, and the
others are not.
"""

from dataclasses import dataclass

import numpy as np

from deniable.base.arrays import Floats, Mask

SIZES = np.array([0.0, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0])
"""Variances that a difference may have, as shares of the square of what was expected."""

NONE_MORE = 2.0
"""Dirichlet weight of *no difference*, where every other size has 1: believed unless refuted."""

EM_ROUNDS = 20
LARGEST_FAMILY = 1 << 9
"""Differences from which the sizes are learnt; more would hardly change them."""


SHARES_AT_ONCE = 1 << 11
"""Differences whose shares are computed at once: they should stay near the processor."""


@dataclass(frozen=True, eq=False)
class Differences:
    """Differences from what was expected, and how noisy they are."""

    difference: Floats
    variance: Floats
    expected: Floats

    def take(self, chosen: slice | Mask) -> "Differences":
        """Keep some."""
        return Differences(self.difference[chosen], self.variance[chosen], self.expected[chosen])

    def few(self) -> "Differences":
        """Keep as many as are learnt from."""
        return self.take(slice(None, None, max(1, -(-len(self.difference) // LARGEST_FAMILY))))


@dataclass(frozen=True, eq=False)
class LearntSizes:
    """What a family tells: how common each of the sizes is."""

    weights: Floats
    likelihood: float
    """Logarithm of the family's likelihood, a mean over the differences times their number."""

    def share(self, family: Differences) -> Floats:
        """Of each difference, how much of it is believed; 1 where it has no noise."""
        share = np.ones(len(family.difference))
        if (family.variance > 0).all():
            self._fill(share, family)
        else:
            noisy = family.variance > 0
            some = share[noisy]
            self._fill(some, family.take(noisy))
            share[noisy] = some
        return share

    def _fill(self, share: Floats, family: Differences) -> None:
        for start in range(0, len(share), SHARES_AT_ONCE):
            here = slice(start, start + SHARES_AT_ONCE)
            share[here] = self._shares(family.take(here))

    def _shares(self, family: Differences) -> Floats:
        """Mean of spread/(variance + spread) over the sizes, by their posterior weights."""
        chance, precision = _densities(family)
        chance *= self.weights[:, np.newaxis]
        found: Floats = np.einsum("s,sd,sd->d", SIZES, chance, precision)
        found *= family.expected**2 / chance.sum(axis=0)
        return found


def _densities(family: Differences) -> tuple[Floats, Floats]:
    """Density of each difference by each size, and 1/(total variance) ``[size, difference]``.

    Densities are in units of exp(−d²/2σ²) of the largest size, which explains any difference best
    but for its own width: so they are numbers, however far a difference is off.
    """
    above = SIZES[:, np.newaxis] * family.expected**2
    above += family.variance
    precision = np.reciprocal(above, out=above)
    density = precision - precision[-1]
    density *= -0.5 * family.difference**2
    np.exp(density, out=density)
    density *= np.sqrt(precision)
    return density, precision


def learnt(family: Differences) -> LearntSizes:
    """Learn from one family.

    >>> rng = np.random.default_rng(0)
    >>> noise = 10 * rng.standard_normal(1000)
    >>> few = np.where(np.arange(1000) < 20, 80.0, 0.0)
    >>> family = Differences(few + noise, np.full(1000, 100.0), np.full(1000, 100.0))
    >>> share = learnt(family).share(family)
    >>> bool(share[:20].min() > 0.9), bool(np.median(share[20:]) < 0.1)
    (True, True)
    """
    noisy = family.variance > 0
    if not noisy.all():
        family = family.take(noisy)
    many = len(family.difference)
    if not many:
        return LearntSizes(np.ones(len(SIZES)), 0.0)
    few = family.few()
    density, precision = _densities(few)
    weights, logs = _weights(density)
    logs -= 0.5 * few.difference**2 * precision[-1]
    return LearntSizes(weights, float(logs.mean()) * many)


def _weights(density: Floats) -> tuple[Floats, Floats]:
    """How common each size is (EM, the mode of the posterior), and log-densities of their mixture.

    By the density of each difference by each size ``[size, difference]``.
    """
    prior = np.ones(len(SIZES))
    prior[0] = NONE_MORE
    weights = prior / prior.sum()
    more, total = prior - 1, density.shape[1] + (prior - 1).sum()
    mixed, explained = np.empty(density.shape[1]), np.empty(len(SIZES))
    for _ in range(EM_ROUNDS):
        np.matmul(weights, density, out=mixed)
        np.reciprocal(mixed, out=mixed)
        np.matmul(density, mixed, out=explained)
        weights *= explained  # together they explain every difference once
        weights += more
        weights /= total
    return weights, np.log(weights @ density)
