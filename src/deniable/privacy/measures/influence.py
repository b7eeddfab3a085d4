"""What one respondent can do to the result.

The disguise is undone by signed weights, so a forged report counts for more than one honest person:
it moves the estimated number of people with a value by up to the largest weight. The stronger the
disguise, the more a few forgers can do. That is a price of every randomized response.
"""

from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import ArrayLike

from deniable.design import Design, Group
from deniable.privacy.measures.single_answer import entry
from deniable.privacy.measures.standard_error import share_variances, undone

RESPONDENTS = 1000
"""Assumed where nobody says how many there are."""


@dataclass(frozen=True)
class Influence:
    """Of forged reports on the estimated number of people with one value."""

    value: str
    most: float
    """By how many people one forged report moves the estimate, at most."""

    forgers: float
    """Out of the respondents, how many could move it by one standard error together."""

    share: float
    """The same as a share of the respondents."""

    std_error: float
    """Of the estimated share, for the population, with so many respondents."""


def influences(group: Group, name: str, prior: ArrayLike, respondents: int) -> list[Influence]:
    """For each value of an attribute.

    A forger replaces an honest report by the one that helps most; on average that shifts the
    estimate by the extreme weight minus the honest mean, which is the value's share.
    """
    weights, reported = undone(entry(group, name), prior)
    shares = weights @ reported
    shifts = np.maximum(weights.max(axis=1) - shares, shares - weights.min(axis=1))
    errors = np.sqrt(share_variances(weights, reported) / respondents)
    found = []
    for code, value in enumerate(group.attributes[group.names.index(name)].values):
        error, shift = float(errors[code]), float(shifts[code])
        forgers = respondents * error / shift if shift > 0 else float(respondents)
        most = float(np.abs(weights[code]).max())
        found.append(Influence(value, most, forgers, forgers / respondents, error))
    return found


def most_influence(design: Design) -> float:
    """By how many people one forged report moves a count that touches every group, at most."""
    return prod(group.channel.heaviest() for group in design.groups)
