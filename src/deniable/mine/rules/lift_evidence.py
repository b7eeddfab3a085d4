"""Is a rule's lift more than chance? p-values of lift = 1, adjusted for how many were tried.

Lift is 1 just if ``D = N(A∧B) − N(A)·N(B)/n`` is 0. The variance of D about 0 is what sampling
makes it where A and B are independent, and what the disguise adds. Where an oracle leaves open how
the errors of the three counts go together, it is a bound, and so is p.

Of rare items a coincidence or two is many standard errors, so tails are not the normal's: they are
those of a gamma distribution with the variance and the skewness of D (Pearson's type III), which
holds half a person back because people come whole. Both tails are taken to be the heavier one.

Rules are tried by the thousand. Those that survive are, but for a share `max_false` in expectation,
rules whose lift is not 1, however they depend on each other (Benjamini & Yekutieli 2001, weighted
as by Blanchard & Roquain 2008). That holds for all that were *tried*: sets that were counted and
not kept were tried, too. Pairs have half of the level, sets of three a quarter, and so on: there
are few pairs, and they would have to pay for the many large sets.
"""

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.base.errors import ModelError

MAX_FALSE = 0.05

WHOLE = 1.0
"""People come one by one."""

NEARLY_EVEN = 1e-3
"""Skewness below which the normal distribution is as good."""

NO_VARIANCE = 1e-12


def lift_p_values(counts: Floats, covariance: Floats, n: int) -> Floats:
    """Two-sided p-values of "lift is 1" in the population, one for each rule, not adjusted.

    ``counts[rule]`` are those of A ∧ B, A and B; ``covariance`` is what the disguise does to them.
    It is 1 where a side is held by nobody, or by everybody.

    >>> smokers_cough, smokers_read = [49, 50, 50], [25, 50, 50]
    >>> exact = np.zeros((2, 3, 3))
    >>> lift_p_values(np.array([smokers_cough, smokers_read]), exact, 100).round(4)
    array([0., 1.])
    """
    both, premise, conclusion = np.asarray(counts, dtype=np.float64).T
    p_a, p_b = np.clip(premise / n, 0, 1), np.clip(conclusion / n, 0, 1)
    slope = np.stack([np.ones(len(p_a)), -p_b, -p_a], axis=1)
    disguise = np.einsum("ri,rij,rj->r", slope, covariance, slope)
    sampling = n * p_a * (1 - p_a) * p_b * (1 - p_b)
    noise = np.maximum(disguise, 0.0)
    # A report counts for one person, or for more where it is undone: then noise is large, too.
    third = sampling * np.abs((1 - 2 * p_a) * (1 - 2 * p_b)) + noise
    d = np.abs(both - premise * conclusion / n)
    return np.where(sampling > 0, 2 * skewed_tail(d - WHOLE / 2, sampling + noise, third), 1.0)


def skewed_tail(d: Floats, variance: Floats, third: Floats) -> Floats:
    """Give the chance beyond d of a mean of 0, by variance and third moment; ½ up to 0.

    >>> poisson = np.full(3, 0.9)  # P(X ≥ 4) = 0.013, beyond 3.5 − 0.9
    >>> skewed_tail(np.array([2.6, 0.0, -1.0]), poisson, poisson).round(3)
    array([0.016, 0.5  , 0.5  ])
    """
    from scipy.special import gammaincc, ndtr  # slow to load, and only needed here

    spread = np.sqrt(np.maximum(variance, NO_VARIANCE))
    skewness = third / spread**3
    shape = 4 / np.maximum(skewness, NEARLY_EVEN) ** 2
    skewed = gammaincc(shape, shape + 2 * d / np.maximum(skewness, NEARLY_EVEN) / spread)
    beyond: Floats = np.where(skewness > NEARLY_EVEN, skewed, ndtr(-d / spread))
    return np.where(d > 0, np.minimum(beyond, 0.5), 0.5)


def benjamini_yekutieli(p_values: Floats, share: Floats, tried: int) -> Floats:
    """Adjust p-values for how many were tried; each has its share of the level, at most 1 in all.

    Those up to a level hold no more than that share of false ones, in expectation.

    >>> benjamini_yekutieli(np.array([0.001, 0.02]), np.full(2, 1 / 2), 2)
    array([0.003, 0.03 ])
    """
    if tried < len(p_values):
        raise ModelError(
            f"{len(p_values)} p-values cannot come of {tried} that were tried.",
            hint="Count all that were looked at, also those that were not kept.",
        )
    from scipy.special import digamma  # slow to load, and only needed here

    raised = p_values / share
    order = np.argsort(raised, kind="stable")
    harmonic = digamma(tried + 1) + np.euler_gamma  # 1 + 1/2 + … + 1/tried
    steps = raised[order] * harmonic / np.arange(1, len(order) + 1)
    adjusted = np.empty(len(order))
    adjusted[order] = np.minimum(np.minimum.accumulate(steps[::-1])[::-1], 1.0)
    return adjusted


def shares_by_size(tried: Codes) -> Floats:
    """Give every rule's share of the level, by the size of its set.

    ``tried[k]`` is how many rules sets of k items have, from 0 up.

    >>> shares_by_size(np.array([0, 0, 10, 100])).round(4).tolist()
    [1.0, 1.0, 0.0667, 0.0033]
    """
    halves = 0.5 ** np.arange(len(tried), dtype=np.float64)
    halves /= halves[2:].sum() if len(tried) > 2 else 1.0  # noqa: PLR2004 (a rule has two sides)
    return np.divide(halves, tried, out=np.ones(len(tried)), where=tried > 0)
