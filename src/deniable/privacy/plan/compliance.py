"""People who do not follow the device, planned for (as RRreg's complyRates does).

A share of the respondents follows the device; the others answer the first value ("no") whatever
the truth, or answer the truth and ignore the coin. Seen from the collector that is another channel,

    C'[:, x] = c(x)·C[:, x] + (1 − c(x))·A[:, x],      A the answer of those who do not follow it,

with c(x) the share of followers among those whose truth is x. Whoever counts through C is off by
``C⁻¹·C'·p − p``; whoever counts through C' is not, if the rates are right.

What is promised about privacy holds for those who follow the device. Who always answers no gives
nothing away; who answers the truth has no protection at all.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from deniable.base.arrays import Floats
from deniable.base.errors import DesignError
from deniable.channel import Matrix
from deniable.design import Group

Otherwise = Literal["no", "truth"]


@dataclass(frozen=True)
class Compliance:
    """How many follow the device, and what the others answer."""

    having: Fraction
    """Share of followers among those with the trait: any value but the first."""

    lacking: Fraction
    """Share of followers among those whose truth is the first value."""

    otherwise: Otherwise = "no"

    @property
    def is_full(self) -> bool:
        """Whether everybody follows the device."""
        return self.having == self.lacking == 1

    def effective(self, group: Group) -> Group:
        """Give the channel as the collector sees it, exactly, as a custom matrix.

        Refused where reports would no longer point towards the truth: right rates could still undo
        that, but slightly wrong ones would turn the answer around.
        """
        columns = np.array(group.channel.exact_columns())  # of fractions, [truth, report]
        size = len(columns)
        follow = np.array([[self.lacking], *[[self.having]] * (size - 1)])
        answers = np.eye(size, dtype=int)[range(size) if self.otherwise == "truth" else [0] * size]
        mixed = follow * columns + (1 - follow) * answers
        if any(mixed[v, v] <= np.delete(mixed[:, v], v).max() for v in range(size)):
            raise DesignError(
                "So few follow the device that some value is reported as often by others as by "
                "those whose truth it is.",
                hint="Plan for more people who follow it, or for another channel.",
            )
        return Group(group.attributes, Matrix(group.channel.sizes, tuple(map(tuple, mixed))))


def biases(followed: Group, actual: Group, shares: Sequence[float] | Floats) -> Floats:
    """By how much each share is misestimated if everybody is taken to follow the device."""
    truth = np.asarray(shares, dtype=np.float64)[:, None]
    off: Floats = followed.channel.undo(actual.channel.send(truth)) - truth
    return off[:, 0]
