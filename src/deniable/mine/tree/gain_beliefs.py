"""What is believed of the gains that were not counted exactly, and which are worth counting.

A gain is taken as a share of its node's entropy, so it lies between 0 and 1. Before anything is
counted, every share is as likely as any other. Going down, a gain drifts away from what it was at
the node above, the further the less is known; a noisy estimate draws the belief towards itself by
as much as its variance allows; an exact count settles it. This is a Kalman filter, and how far
gains drift it learns from those that were counted exactly at a node and at the node above.
"""

from dataclasses import dataclass, replace

import numpy as np

from deniable.base.arrays import Codes, Floats, Mask

UNIFORM_MEAN, UNIFORM_VARIANCE = 1 / 2, 1 / 12

PRICE = 1 / 2
"""Bits that confirming a candidate must be expected to tell about the records of its node.

A split that tells nothing gains χ²/(2 ln 2) bits by chance, of which the median is 1/3 and the mean
3/4: what is worth less is luck.
"""


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
        order = np.argsort(-mean.round(9), axis=1, kind="stable")
        rank = np.argsort(order, axis=1)
        best = order[:, :1]
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
