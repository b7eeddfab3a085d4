"""Possible counts from unbiased ones: none negative, and they sum to a known total.

For logarithms only (entropy, naive Bayes). A constrained count is biased: whatever is added up,
tested or given an interval stays with the oracle's own numbers.
"""

from math import pi, sqrt

import numpy as np
from numpy.typing import ArrayLike

from deniable.base.arrays import ROUNDING, Floats, Mask


def onto_simplex(values: ArrayLike, total: ArrayLike) -> Floats:
    """Give the nearest possible counts (Euclidean), a row ``[..., k]`` to a total ``[...]``.

    The maximum likelihood if the errors are normal and all alike. Rows that are possible already
    come back as they are, bit for bit; rows whose total is not positive come back as zeros.

    >>> onto_simplex([[3, 1], [5, -1], [2, 6]], [4, 4, 4])
    array([[3., 1.],
           [4., 0.],
           [0., 4.]])
    """
    given, sums = _rows(values, total)
    possible = _possible(given, sums)
    if possible.all():
        return given.copy()
    # The answer is max(v − t, 0). Measured from the largest, so that the first always counts.
    shifted = given - given.max(axis=-1, keepdims=True)
    ordered = -np.sort(-shifted, axis=-1)
    levels = (ordered.cumsum(axis=-1) - sums) / np.arange(1, given.shape[-1] + 1)
    last = np.maximum((ordered > levels).sum(axis=-1, keepdims=True) - 1, 0)
    nearest = np.maximum(shifted - np.take_along_axis(levels, last, axis=-1), 0.0)
    found: Floats = np.where(possible, given, np.where(sums > 0, nearest, 0.0))
    return found


def clipped_counts(values: ArrayLike, total: ArrayLike) -> Floats:
    """Read counts below 0 as 0 and scale the others, a row ``[..., k]`` to a total ``[...]``.

    Rows that are possible already come back as they are, bit for bit; of a row without a positive
    count nothing is known, and its total is shared evenly.

    >>> clipped_counts([[3, 1], [6, -2], [-1, -1]], [4, 4, 4])
    array([[3., 1.],
           [4., 0.],
           [2., 2.]])
    """
    given, sums = _rows(values, total)
    positive = np.maximum(given, 0.0)
    together = positive.sum(axis=-1, keepdims=True)
    positive = np.where(together > 0, positive, 1.0)
    together = np.where(together > 0, together, given.shape[-1])
    scaled = positive * (np.maximum(sums, 0.0) / together)
    return np.where(_possible(given, sums), given, scaled)


def expected_counts(values: ArrayLike, std_errors: ArrayLike, total: ArrayLike) -> Floats:
    """Give what each count is expected to be, knowing that it is not negative.

    With a normal error and every count from 0 up equally likely beforehand that is
    ``N̂ + s·φ(z)/Φ(z)``, z = N̂/s; a row ``[..., k]`` is then scaled to its total ``[...]``. A count
    far above its standard error s hardly changes, an exact one not at all; one that the noise could
    explain becomes about s, never 0: it is not known to be rare.

    >>> expected_counts([[30, 10], [41, -1]], [[0, 0], [5, 5]], [40, 40]).round(1)
    array([[30. , 10. ],
           [36.7,  3.3]])
    """
    from scipy.special import erfcx  # slow to load, and only needed here

    given, sums = _rows(values, total)
    errors = np.broadcast_to(np.asarray(std_errors, dtype=np.float64), given.shape)
    z = np.divide(given, errors, out=np.zeros_like(given), where=errors > 0)
    # φ(z)/Φ(z) = √(2/π)/erfcx(−z/√2), which neither overflows nor loses digits in a tail.
    raised = np.maximum(given + errors * (sqrt(2 / pi) / erfcx(-z / sqrt(2))), 0.0)
    together = raised.sum(axis=-1, keepdims=True)
    raised = np.where(together > 0, raised, 1.0)  # nothing known of such a row: evenly
    together = np.where(together > 0, together, given.shape[-1])
    scaled: Floats = raised * (np.maximum(sums, 0.0) / together)
    return scaled


def _rows(values: ArrayLike, total: ArrayLike) -> tuple[Floats, Floats]:
    """Rows of numbers, and a column of their totals."""
    given = np.asarray(values, dtype=np.float64)
    sums = np.broadcast_to(np.asarray(total, dtype=np.float64), given.shape[:-1])
    return given, sums[..., np.newaxis]


def _possible(given: Floats, sums: Floats) -> Mask:
    """Whether each row is nonnegative and sums to its total, but for rounding."""
    off = np.abs(given.sum(axis=-1, keepdims=True) - sums)
    possible: Mask = (given >= 0).all(axis=-1, keepdims=True) & (off <= ROUNDING * sums)
    return possible
