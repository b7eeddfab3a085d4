"""How far an estimated share may be off: the variance of a weight, standard errors, margins.

A share is estimated by the mean, over the respondents, of the weights w that undo the disguise. So
one respondent's w has all there is to know about its precision: the share is E[w], and the variance
of the estimate is that of w over the number of respondents.
"""

from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from deniable.base.arrays import Floats
from deniable.channel import Channel
from deniable.oracle.api import standard_errors

Number = TypeVar("Number", float, Floats)


def weight_variance(mean: Floats, square: Floats) -> Floats:
    """Of one respondent's w, from E[w] and E[w²]; the estimated share's is that over n."""
    variance: Floats = np.maximum(square - mean**2, 0.0)
    return variance


def share_variances(weights: Floats, reported: Floats) -> Floats:
    """The same for each value, from weights ``[value, report]`` and the chances of the reports."""
    return weight_variance(weights @ reported, weights**2 @ reported)


def undone(entry: Channel, shares: ArrayLike) -> tuple[Floats, Floats]:
    """Both for the channel of one attribute, by the shares of its values."""
    matrix = entry.matrix([0])
    return entry.undo(np.eye(len(matrix))), matrix @ np.asarray(shares, dtype=np.float64)


def margin(std_error: Number, level: float = 0.95) -> Number:
    """Half the width of an interval for an estimate, by the normal approximation.

    >>> round(margin(0.01), 4)
    0.0196
    """
    return standard_errors(level) * std_error


def mean_and_error(values: Floats) -> tuple[float, float]:
    """The mean of a sample, and its standard error."""
    return float(values.mean()), float(values.std() / np.sqrt(len(values)))
