"""A random device as a channel describes it: what it throws, what can happen, what else it asks.

A channel says what its device does with the dice, and holds no randomness: the dice are those of
`deniable.source`, or the respondent's own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from deniable.base.arrays import Codes, Mask

Answers = tuple[NDArray[Any], ...]
"""Codes of a group's answers: a column for each attribute, in whatever integers save room."""


class Dice(Protocol):
    """What is thrown: made by `deniable.source.randomness`."""

    def coin(self, theta: Fraction, n: int) -> Mask:
        """Toss n coins that show True with exactly the probability theta."""

    def draw(self, chances: Sequence[Fraction], n: int) -> NDArray[np.signedinteger[Any]]:
        """Draw n numbers 0, 1, …, each with exactly its chance."""


class Change(Enum):
    """How a report comes about that was not kept as it is."""

    TURNED = "every attribute became another value, evenly drawn, as the group's one coin decided"
    REPLACED = "the whole group became something that does not depend on the truth"
    TABLED = "each truth has chances of its own"


Do = Literal["truth", "opposite", "another", "drawn", "personal", "say"]


@dataclass(frozen=True)
class Outcome:
    """What a throw may tell a respondent to do, whatever the truth, and how likely it is."""

    chance: Fraction
    do: Do
    """Tell the truth, its opposite, another value, something drawn, the personal answer, a word."""

    say: int = 0
    """Code of the value that is dictated."""


@dataclass(frozen=True)
class PairedQuestion:
    """The personal question beside the private one, which is answered in its place."""

    theta: Fraction
    """How likely the private question is answered."""

    known: bool
    """Whether the distribution of the personal answers is: if not, two samples are needed."""


def with_values(column: NDArray[Any], rows: Codes, values: Any) -> NDArray[Any]:
    """A copy of a column with other values in some rows."""
    changed = column.copy()
    changed[rows] = values
    return changed
