"""Information gain of estimated counts: how noisy it is, and what is believed before it is counted.

A belief is about a gain as a share of its node's entropy, so it lies between 0 and 1. Before
anything is counted, every share is as likely as any other. Going down, a gain drifts away from what
it was at the node above, the further the less is known; a noisy estimate draws the belief towards
itself by as much as its variance allows; an exact count settles it. This is a Kalman filter, and
how far gains drift it learns from those that were counted exactly at a node and at the node above.
"""

from dataclasses import dataclass, replace

import numpy as np

from deniable.base.arrays import Codes, Floats, Mask, added

LN2 = float(np.log(2))

TIE = 1e-9
"""Gains this close are equal, and the first attribute is taken."""

TIE_DIGITS = 9

UNIFORM_MEAN, UNIFORM_VARIANCE = 1 / 2, 1 / 12

PRICE = 1 / 2
"""Bits that confirming a candidate must be expected to tell about the records of its node.

A split that tells nothing gains χ²/(2 ln 2) bits by chance, of which the median is 1/3 and the mean
3/4: what is worth less is luck.
"""


def entropy(counts: Floats) -> Floats:
    """Bits of class per record; ``counts[node, class]``.

    >>> entropy(np.array([[4.0, 4.0], [3.0, 0.0]]))
    array([1., 0.])
    """
    cells = np.maximum(counts, 0.0)
    total = cells.sum(axis=1)
    bits: Floats = (_bits(total) - _bits(cells).sum(axis=1)) / np.maximum(total, TIE)
    return bits


def information_gain(table: Floats) -> Floats:
    """Bits that a split tells about the class, per record; ``table[node, value, class]``.

    Counts below 0 are impossible and read as 0 here, where a logarithm is taken; the counts
    themselves stay as they are.
    """
    cells = np.maximum(table, 0.0)
    of_class, of_value = added(cells, axis=1), added(cells, axis=2)
    total = added(of_class, axis=1)
    before = _bits(total) - added(_bits(of_class), axis=1)
    after = added(_bits(of_value), axis=1) - added(added(_bits(cells), axis=2), axis=1)
    gain: Floats = (before - after) / np.maximum(total, TIE)
    return gain


def gain_variance(table: Floats, variance: Floats) -> Floats:
    """Variance of the gain by the variances of its counts, taken as independent.

    The first term is the delta method's; it vanishes where a split tells nothing, and there the
    second one, of the square of the noise, is what remains.
    """
    cells = np.maximum(table, 0.0)
    total = np.maximum(cells.sum(axis=(1, 2), keepdims=True), TIE)
    expected = cells.sum(axis=2, keepdims=True) * cells.sum(axis=1, keepdims=True) / total
    slope = np.log2(np.maximum(cells, TIE) / np.maximum(expected, TIE))
    slope[cells == 0] = 0.0
    spread = np.maximum(variance, 0.0)
    curve = spread / np.maximum(expected, np.sqrt(spread) + TIE) / LN2
    summed: Floats = (slope**2 * spread + curve**2 / 2).sum(axis=(1, 2))
    variance_of_gain: Floats = summed / total[:, 0, 0] ** 2
    return variance_of_gain


def ranked(gains: Floats) -> Codes:
    """Places ``[node, axis]`` by falling gain, from 0; the first of equal ones comes first."""
    order = np.argsort(-gains.round(TIE_DIGITS), axis=1, kind="stable")
    return np.argsort(order, axis=1)


@dataclass(frozen=True, eq=False)
class Beliefs:
    """Mean and variance of every gain ``[node, axis]``, as shares of the node's entropy."""

    mean: Floats
    variance: Floats
    settled: Mask
    """Whether the mean was counted exactly, here or at the node above."""

    drift: float = UNIFORM_VARIANCE
    """Variance that a level adds."""

    @classmethod
    def of_nothing(cls, axes: int) -> "Beliefs":
        """At the root, before the first count."""
        shape = (1, axes)
        mean, variance = np.full(shape, UNIFORM_MEAN), np.full(shape, UNIFORM_VARIANCE)
        return cls(mean, variance, np.zeros(shape, dtype=bool))

    def estimated(self, gain: Floats, variance: Floats) -> "Beliefs":
        """Take noisy estimates into account; one that is not finite is none."""
        told = np.isfinite(gain)
        weight = np.where(told, self.variance / (self.variance + variance), 0.0)
        toward = np.clip(np.where(told, gain, 0.0), 0.0, 1.0) - self.mean
        return replace(
            self, mean=self.mean + weight * toward, variance=self.variance * (1 - weight)
        )

    def worthwhile(self, open_axes: Mask, bits: Floats) -> Mask:
        """Choose the candidates to confirm, where a node's records hold so many `bits` of class.

        The best one always; another by how much better than the best it may be expected to turn
        out, φ(z)·s − Φ(−z)·d. The k-th counts for 1/k of that, as the maximum of k draws grows.
        """
        from scipy.special import ndtr  # slow to load, and only needed here

        mean = np.where(open_axes, self.mean, -1.0)
        rank = ranked(mean)
        best = rank.argmin(axis=1)[:, None]
        behind = np.take_along_axis(mean, best, axis=1) - mean
        spread = np.sqrt(self.variance + np.take_along_axis(self.variance, best, axis=1)) + 1e-12
        z = behind / spread
        better = spread * np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi) - behind * ndtr(-z)
        pays = bits[:, None] * better >= PRICE * (rank + 1)
        chosen: Mask = open_axes & (pays | (rank == 0))
        return chosen

    def counted(self, gain: Floats) -> "Beliefs":
        """Settle the gains that were counted exactly; the others are not finite."""
        told = np.isfinite(gain)
        moved = (gain - self.mean)[told & self.settled] ** 2
        return Beliefs(
            np.where(told, gain, self.mean),
            np.where(told, 0.0, self.variance),
            told,
            float((moved.sum() + UNIFORM_VARIANCE) / (len(moved) + 1)),
        )

    def below(self, above: Codes) -> "Beliefs":
        """Pass on to the children, each of the node `above` it."""
        return Beliefs(
            self.mean[above], self.variance[above] + self.drift, self.settled[above], self.drift
        )


def _bits(counts: Floats) -> Floats:
    bits: Floats = counts * np.log2(np.where(counts > 0, counts, 1.0))
    return bits
