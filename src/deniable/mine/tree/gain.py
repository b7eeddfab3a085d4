"""Information gain of estimated counts, and how far noise lets it be trusted."""

import numpy as np

from deniable.base.arrays import Floats

LN2 = float(np.log(2))

TIE = 1e-9
"""Gains this close are equal, and the first attribute is taken."""

TIE_DIGITS = 9


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
    total = cells.sum(axis=(1, 2))
    before = _bits(total) - _bits(cells.sum(axis=1)).sum(axis=1)
    after = _bits(cells.sum(axis=2)).sum(axis=1) - _bits(cells).sum(axis=(1, 2))
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


def _bits(counts: Floats) -> Floats:
    bits: Floats = counts * np.log2(np.where(counts > 0, counts, 1.0))
    return bits
