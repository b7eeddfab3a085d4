"""What a reader of whole reports finds out, by whatever way it can be computed.

Exactly, where joint patterns can be listed (`ListedReading`); over a sample of reports, where only
people can be (`deniable.privacy.measures.sampled_reading`); in closed form, where a group is too
large for either but every pattern is equally likely (`EvenReading`). Otherwise nothing is said
(`NoReading`).
"""

from dataclasses import dataclass
from math import prod
from typing import Protocol

import numpy as np

from deniable.base.arrays import Floats
from deniable.design import Group
from deniable.privacy.measures.joint_groups import JointGroups
from deniable.privacy.measures.single_answer import entry_matrix, guess_after

MOST_LISTED_WORK = 1 << 27
"""Joint patterns times values of an attribute, up to which each value is followed."""


@dataclass(frozen=True)
class Seen:
    """How often a guess is right before any report, and after it; None where it is not known."""

    before: float | None
    guess: float | None
    std_error: float = 0.0
    """0 where the guess is exact; else it is an average over a sample of reports."""


@dataclass(frozen=True, eq=False)
class AttributeSeen(Seen):
    """One attribute; a reader of its own answer alone knows the public attributes, too."""

    alone: float | None = None
    highest: Floats | None = None
    """How likely a report can make each value: an array over the values, if it is known."""

    lowest: Floats | None = None


class ReportReading(Protocol):
    """Groups that are read together."""

    def record(self) -> Seen:
        """Guess all of them at once."""

    def group(self, group: Group) -> Seen:
        """Guess one group's pattern."""

    def attribute(self, group: Group, name: str) -> AttributeSeen:
        """Guess one attribute."""

    def knowing(self, group: Group) -> dict[str, float]:
        """How often a group's pattern is guessed by one who knows this attribute of it."""


class ListedReading:
    """All joint patterns, one by one."""

    def __init__(self, part: JointGroups) -> None:
        self._part = part

    def record(self) -> Seen:
        """Guess all of them at once."""
        return Seen(self._part.record_before(), float(self._part.record()[0].sum()))

    def group(self, group: Group) -> Seen:
        """Guess one group's pattern."""
        axis = self._part.groups.index(group)
        return Seen(self._part.group_before(axis), self._part.group(axis).success)

    def attribute(self, group: Group, name: str) -> AttributeSeen:
        """Guess one attribute."""
        axis = self._part.groups.index(group)
        shares = self._part.by_public(axis, name)
        before, alone = float(shares.max(axis=0).sum()), guess_from_own_answer(group, name, shares)
        if len(shares) * self._part.table.size > MOST_LISTED_WORK:
            single = len(group.names) == 1  # then the attribute is the group's pattern
            guess = self._part.group(axis).success if single else None
            return AttributeSeen(before, guess, alone=alone)
        found = self._part.attribute(axis, name)
        highest, lowest = np.array(found.highest), np.array(found.lowest)
        return AttributeSeen(before, found.success, 0.0, alone, highest, lowest)

    def knowing(self, group: Group) -> dict[str, float]:
        """How often a group's pattern is guessed by one who knows this attribute of it."""
        axis = self._part.groups.index(group)
        return {name: self._part.group_knowing(axis, name) for name in group.names}


class EvenReading:
    """One group, all of whose patterns are equally likely, and too many to list."""

    def __init__(self, group: Group) -> None:
        self._patterns = prod(group.channel.sizes)
        self._guess = group.channel.even_guess()

    def record(self) -> Seen:
        """Guess the group's pattern."""
        return Seen(1 / self._patterns, self._guess)

    def group(self, group: Group) -> Seen:
        """Guess the group's pattern."""
        return self.record()

    def attribute(self, group: Group, name: str) -> AttributeSeen:
        """Guess from its own answer: the others say nothing more where all are equally likely."""
        size = group.attributes[group.names.index(name)].size
        alone = guess_after(entry_matrix(group, name), np.full(size, 1 / size))
        return AttributeSeen(1 / size, alone, alone=alone)

    def knowing(self, group: Group) -> dict[str, float]:
        """Say nothing."""
        return {}


class NoReading:
    """Too many patterns, and nobody to list instead."""

    def record(self) -> Seen:
        """Say nothing."""
        return Seen(None, None)

    def group(self, group: Group) -> Seen:
        """Say nothing."""
        return Seen(None, None)

    def attribute(self, group: Group, name: str) -> AttributeSeen:
        """Say nothing."""
        return AttributeSeen(None, None)

    def knowing(self, group: Group) -> dict[str, float]:
        """Say nothing."""
        return {}


def guess_from_own_answer(group: Group, name: str, shares: Floats) -> float:
    """How often an attribute is guessed from its own report, knowing the public attributes.

    Shares are ``[value, public pattern]``.
    """
    rows = entry_matrix(group, name)
    return float(sum((row[:, None] * shares).max(axis=0).sum() for row in rows))
