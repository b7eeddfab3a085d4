"""What a reader of whole reports finds out, by whatever way it can be computed.

Exactly, where joint patterns can be listed (`ExactReader`); over a sample of reports, where only
people can be (`deniable.privacy.measures.sampled_reader`); in closed form, where a group is too
large for either but every pattern is equally likely (`EvenReader`). Otherwise nothing is said
(`NoReader`).
"""

from dataclasses import dataclass
from math import prod
from typing import Protocol

import numpy as np

from deniable.base.arrays import Floats
from deniable.design import Group
from deniable.privacy.measures.joint_groups import JointGroups
from deniable.privacy.measures.single_answer import (
    entry_matrix,
    guess_after,
    guess_before,
    guess_if_even,
)

MOST_LISTED_WORK = 1 << 27
"""Joint patterns times values of an attribute, up to which each value is followed."""


@dataclass(frozen=True)
class BestGuess:
    """How often a guess is right before any report, and after it; None where it is not known."""

    before: float | None
    guess: float | None
    std_error: float = 0.0
    """0 where the guess is exact; else it is an average over a sample of reports."""


@dataclass(frozen=True, eq=False)
class AttributeBestGuess(BestGuess):
    """One attribute; a reader of its own answer alone knows the public attributes, too."""

    alone: float | None = None
    highest: Floats | None = None
    """How likely a report can make each value: an array over the values, if it is known."""

    lowest: Floats | None = None


class Reader(Protocol):
    """Groups that are read together."""

    def record(self) -> BestGuess:
        """Guess all of them at once."""

    def group(self, group: Group) -> BestGuess:
        """Guess one group's pattern."""

    def attribute(self, group: Group, name: str) -> AttributeBestGuess:
        """Guess one attribute."""

    def knowing(self, group: Group) -> dict[str, float]:
        """How often a group's pattern is guessed by one who knows this attribute of it."""


class ExactReader:
    """All joint patterns, one by one."""

    def __init__(self, part: JointGroups) -> None:
        self._part = part

    def record(self) -> BestGuess:
        """Guess all of them at once."""
        return BestGuess(self._part.record_before(), float(self._part.record()[0].sum()))

    def group(self, group: Group) -> BestGuess:
        """Guess one group's pattern."""
        axis = self._part.groups.index(group)
        return BestGuess(self._part.group_before(axis), self._part.group(axis).success)

    def attribute(self, group: Group, name: str) -> AttributeBestGuess:
        """Guess one attribute."""
        axis = self._part.groups.index(group)
        shares = self._part.by_public(axis, name)
        before, alone = guess_before(shares), guess_after(entry_matrix(group, name), shares)
        if len(shares) * self._part.table.size > MOST_LISTED_WORK:
            single = len(group.names) == 1  # then the attribute is the group's pattern
            guess = self._part.group(axis).success if single else None
            return AttributeBestGuess(before, guess, alone=alone)
        found = self._part.attribute(axis, name)
        highest, lowest = np.array(found.highest), np.array(found.lowest)
        return AttributeBestGuess(before, found.success, 0.0, alone, highest, lowest)

    def knowing(self, group: Group) -> dict[str, float]:
        """How often a group's pattern is guessed by one who knows this attribute of it."""
        axis = self._part.groups.index(group)
        return {name: self._part.group_knowing(axis, name) for name in group.names}


class EvenReader:
    """One group, all of whose patterns are equally likely, and too many to list."""

    def __init__(self, group: Group) -> None:
        self._patterns = prod(group.channel.sizes)
        self._guess = group.channel.even_guess()

    def record(self) -> BestGuess:
        """Guess the group's pattern."""
        return BestGuess(1 / self._patterns, self._guess)

    def group(self, group: Group) -> BestGuess:
        """Guess the group's pattern."""
        return self.record()

    def attribute(self, group: Group, name: str) -> AttributeBestGuess:
        """Guess from its own answer: the others say nothing more where all are equally likely."""
        size = group.attributes[group.names.index(name)].size
        alone = guess_if_even(group, name)
        return AttributeBestGuess(1 / size, alone, alone=alone)

    def knowing(self, group: Group) -> dict[str, float]:
        """Say nothing."""
        return {}


class NoReader:
    """Too many patterns, and nobody to list instead."""

    def record(self) -> BestGuess:
        """Say nothing."""
        return BestGuess(None, None)

    def group(self, group: Group) -> BestGuess:
        """Say nothing."""
        return BestGuess(None, None)

    def attribute(self, group: Group, name: str) -> AttributeBestGuess:
        """Say nothing."""
        return AttributeBestGuess(None, None)

    def knowing(self, group: Group) -> dict[str, float]:
        """Say nothing."""
        return {}
