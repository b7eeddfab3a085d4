"""Margin against privacy: what one attribute's device would do if it hid more, or less.

Every device C is one of a family, ``C_s = C̄ + s·(C − C̄)``, where each column of C̄ is the mean of
C's columns. s = 1 is the device itself. Below, it hides more: ``C_s = C·(s·I + (1−s)·J/k)``, the
same device after the truth was replaced, with probability 1 − s, by an evenly drawn value; hence
``C_s⁻¹ = (C⁻¹ − (1−s)/k)/s``. Above, it hides less, as long as no chance falls below 0. The family
of a Warner coin is every coin.

Nothing is for free along it. The best guess, ``Σ_r max_x π(x)·C_s(r|x)``, is convex in s and
least at s = 0, so it never falls as s grows. The variance of an estimated share is
``Var_s(W)/s²`` with W = C⁻¹, the numerator concave in s, so the margin only falls.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from deniable.base.arrays import Floats
from deniable.privacy.measures.single_answer import guess_after
from deniable.privacy.measures.standard_error import margin, share_variances

HIDDEN = 1 / 20
"""The smallest s that is looked at: margins are about 20 times as wide there."""


@dataclass(frozen=True, eq=False)
class TradeOff:
    """A curve of settings, from those that hide most to those that hide least."""

    openness: Floats
    """s: 1 is the design's own setting, which is always among them."""

    guesses: Floats
    """How often the best guess from the attribute's own answer is right."""

    margins: Floats
    """Half the width of a 95 % interval for the share of a value, the worst value counting.

    About the population that the respondents are drawn from, by the normal approximation.
    """

    @property
    def own(self) -> tuple[float, float]:
        """Guess and margin of the design as it is."""
        here = int(np.searchsorted(self.openness, 1.0))
        return float(self.guesses[here]), float(self.margins[here])


def trade_off(
    matrix: ArrayLike, prior: ArrayLike, respondents: int, *, points: int = 80
) -> TradeOff:
    """Follow one attribute's family of devices.

    A reader knows the shares `prior` of the truths; the same shares are what is estimated.

    >>> curve = trade_off([[0.8, 0.2], [0.2, 0.8]], [0.5, 0.5], 1000)
    >>> guess, margin = curve.own
    >>> round(guess, 3), round(margin, 4), curve.guesses[-1].round(3).item()
    (0.8, 0.0516, 1.0)
    """
    C, shares = np.asarray(matrix, dtype=np.float64), np.asarray(prior, dtype=np.float64)
    mean = C.mean(axis=1)
    openness = np.unique(np.append(np.geomspace(HIDDEN, most_open(C), points), 1.0))
    guesses = [guess_after(mean[:, None] + s * (C - mean[:, None]), shares) for s in openness]
    reported = mean[:, None] + openness * (C @ shares - mean)[:, None]
    inverse = np.linalg.inv(C).astype(np.float64)
    worst = share_variances(inverse, reported).max(axis=0)
    margins = margin(np.sqrt(worst / respondents) / openness)
    return TradeOff(openness, np.array(guesses), margins)


def most_open(matrix: ArrayLike) -> float:
    """The largest s for which no chance is negative: at least 1, and 1 where one is 0 already.

    >>> round(most_open([[0.8, 0.2], [0.2, 0.8]]), 12)
    1.666666666667
    """
    C = np.asarray(matrix, dtype=np.float64)
    mean = np.broadcast_to(C.mean(axis=1, keepdims=True), C.shape)
    below = mean > C
    return max(1.0, float((mean[below] / (mean - C)[below]).min(initial=np.inf)))
