"""The algebra of "another value, drawn evenly": means and deviations.

Replacing a value by an even draw among the others is diagonal in the basis of means and deviations:
an axis of k values is its mean, which stays, and k − 1 deviations, which shrink to −1/(k−1) of
themselves. So the related channel has one eigenvalue for each set of deviating attributes.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import prod

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.base.errors import EstimateError
from deniable.channel.terms import POWERS, raised

MOST_CATEGORICAL = 14
"""Attributes of one categorical group in one conjunction: each doubles the number of terms."""


def best_elsewhere(table: Floats, labels: Codes) -> tuple[Floats, Codes]:
    """For every place of the middle axis, the largest entry at another place, and its label."""
    first = table.argmax(axis=1)[:, None]
    runner_up = table.copy()
    np.put_along_axis(runner_up, first, -np.inf, axis=1)
    second = runner_up.argmax(axis=1)[:, None]
    place = np.arange(table.shape[1])[None, :, None]
    chosen = np.where(place == first, second, first)
    return np.take_along_axis(table, chosen, 1), np.take_along_axis(labels, chosen, 1)


def eigenvalue(theta: Fraction, product: Fraction) -> Fraction:
    """λ = θ + (1−θ)·Π −1/(k−1), from the product over the deviating attributes."""
    return theta + (1 - theta) * product


def is_singular(theta: Fraction, sizes: Sequence[int]) -> bool:
    """Whether λ is 0 for some choice of attributes: Π (k−1) = (1−θ)/θ, over an odd number of them.

    Only divisors of that number are followed, so that many attributes do not mean many products.
    """
    if theta == 0 or ((1 - theta) / theta).denominator != 1:
        return False
    whole = int((1 - theta) / theta)
    reached = {(1, 0)}
    for size in sizes:
        grown = {(product * (size - 1), 1 - odd) for product, odd in reached}
        reached |= {(product, odd) for product, odd in grown if product and whole % product == 0}
    return (whole, 1) in reached


@cache
def inverse_eigenvalues(theta: Fraction, sizes: tuple[int, ...]) -> Floats:
    """``1/λ_T`` for every subset T, an axis per attribute: 0 averaged, 1 deviating."""
    found = np.empty((2,) * len(sizes))
    for subset in np.ndindex(found.shape):
        deviating = [size for size, chosen in zip(sizes, subset, strict=True) if chosen]
        product = prod((Fraction(-1, size - 1) for size in deviating), start=Fraction(1))
        found[subset] = float(1 / eigenvalue(theta, product))
    return found


@cache
def match_weights(theta: Fraction, sizes: tuple[int, ...]) -> Floats:
    """Give w by which attributes match, an axis for each of them: 0 clashes, 1 matches.

    The channel leaves "which attributes match" as the only thing that matters. In the basis of
    means and deviations it is diagonal, with eigenvalue ``λ_T`` where T deviates and the rest is
    averaged; each axis then turns (mean, deviation) into (nothing asked, match asked).
    """
    if len(sizes) > MOST_CATEGORICAL:
        raise EstimateError(
            f"A conjunction names {len(sizes)} attributes of one categorical related group.",
            hint=f"Ask for at most {MOST_CATEGORICAL} of them at once.",
        )
    weight = inverse_eigenvalues(theta, sizes)
    for axis, size in enumerate(sizes):
        mean, deviation = np.take(weight, 0, axis), np.take(weight, 1, axis)
        weight = np.stack([(mean - deviation) / size, deviation], axis)
    for axis in range(len(sizes)):  # every subset that is asked for and matches counts
        weight = np.cumsum(weight, axis)
    return weight


@cache
def match_terms(theta: Fraction, sizes: tuple[int, ...]) -> Floats:
    """Coefficients of ``[r_T = e_T]``, for every subset T of the attributes, in w, w² and w³."""
    powers = raised(match_weights(theta, sizes))
    for axis in range(1, len(sizes) + 1):
        powers = np.diff(powers, axis=axis, prepend=0.0)
    return powers.reshape(POWERS, -1)
