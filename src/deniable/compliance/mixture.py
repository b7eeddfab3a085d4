"""Known components in unknown shares: how large each is, from counts of what was seen.

Of ``n`` people so many showed each cell, and a person of component b shows cell r with the known
chance ``P_b(r)``. There are weights with ``Σ_r A_c(r)·P_b(r) = [b = c]``, so that

    φ̂_c = Σ_r A_c(r)·N(r) / n                  is unbiased, whatever the shares are;

of all such weights those are taken that have the least variance at a planned mix, which also keeps
them small. They depend on the design alone, so that what a survey of n people will be able to see
can be said before anybody is asked.

Intervals are score intervals, as those of shares are: they hold the φ with
``(φ̂ − φ)² ≤ z²·V(φ)/n``, the variance taken at φ and not at φ̂. With two cells that is Wilson's,
mapped; it is not clipped. All functions take any number of surveys at once, along leading axes.
"""

from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist

import numpy as np

from deniable.base.arrays import Floats
from deniable.oracle.api import standard_errors

LEAST_SINGULAR = 1e-6
"""Below this, times the largest, components are taken to be the same."""


@dataclass(frozen=True, eq=False)
class Mixture:
    """Components ``[component, cell]``, the first being those who follow the device."""

    components: Floats
    planned: Floats
    """Shares of the components at which the weights are the best ones."""

    @property
    def identified(self) -> bool:
        """Whether counts tell the components apart."""
        values = np.linalg.svd(self.components, compute_uv=False)
        return len(values) == len(self.components) and bool(values[-1] > LEAST_SINGULAR * values[0])

    @cached_property
    def weights(self) -> Floats:
        """``A[component, cell]``; they add up to 1 in each cell that can be seen at all."""
        seen = self.planned @ self.components
        inverse = np.divide(1.0, seen, out=np.zeros_like(seen), where=seen > 0)
        scaled = self.components * inverse
        return np.linalg.solve(scaled @ self.components.T, scaled).astype(np.float64)

    @cached_property
    def _squares(self) -> Floats:
        """``E[A_c²]`` among people of each component: ``[c, component]``."""
        found: Floats = (self.weights**2) @ self.components.T
        return found

    def shares(self, counts: Floats) -> Floats:
        """Estimate the components' shares from counts ``[…, cell]``: ``[…, component]``."""
        found: Floats = counts @ self.weights.T / counts.sum(axis=-1, keepdims=True)
        return found

    def bounds(self, counts: Floats, component: int, z: float) -> tuple[Floats, Floats]:
        """Bounds of one component's share, so many standard errors apart from what is seen.

        The others keep the proportions that they are estimated to have.
        """
        n = counts.sum(axis=-1)
        shares = self.shares(counts)
        mean = shares[..., component]
        own, rest = self._moments(shares, component)
        # n(φ̂ − φ)² = z²(rest + φ(own − rest) − φ²)
        a, b = n + z**2, n * mean + z**2 * (own - rest) / 2
        c = n * mean**2 - z**2 * rest
        reach = np.sqrt(np.maximum(b**2 - a * c, 0))
        return (b - reach) / a, (b + reach) / a

    def _moments(self, shares: Floats, component: int) -> tuple[Floats, Floats]:
        others = np.delete(shares, component, axis=-1).clip(0)
        total = others.sum(axis=-1, keepdims=True)
        even = np.full_like(others, 1 / others.shape[-1])
        others = np.divide(others, total, out=even, where=total > 0)
        squares = self._squares[component]
        return squares[component], others @ np.delete(squares, component)

    def variance(self, shares: Floats, component: int) -> float:
        """Of one person's weight, if the shares of the components are these."""
        return float(self._squares[component] @ shares - shares[component] ** 2)

    def power(self, component: int, share: float, people: float, level: float) -> float:
        """How often an interval from so many people leaves 0 out, if the share is this.

        The others follow the device. By the normal approximation.
        """
        none, some = self._errors(component, share)
        return NormalDist().cdf((share * people**0.5 - standard_errors(level) * none) / some)

    def people_for(self, component: int, share: float, power: float, level: float) -> float:
        """How many people it takes to notice a share with a given power."""
        none, some = self._errors(component, share)
        distance = standard_errors(level) * none + NormalDist().inv_cdf(power) * some
        return float((distance / share) ** 2)

    def _errors(self, component: int, share: float) -> tuple[float, float]:
        """Standard deviations of one person's weight, with a share of 0 and with this one."""
        mixes = np.zeros((2, len(self.components)))
        mixes[:, 0] = 1, 1 - share
        mixes[1, component] = share
        none, some = (self.variance(mix, component) ** 0.5 for mix in mixes)
        return none, some
