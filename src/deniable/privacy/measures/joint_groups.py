"""Reading a whole report: groups whose answers say something about each other.

Groups are disguised independently, but people's answers are not independent of each other, so a
reader weighs the whole report at once. Groups that no block of the population connects can be read
one by one; a *part* is what must be read together. Its table of shares has an axis per group (all
of the group's patterns in a row) and the channels act along the axes, one after the other: the
channel of the whole record is never built.

- the best guess of the whole record: `guess` along every axis (the largest of products is found
  axis by axis, as a sum of products is);
- the best guess of one group: `send` along the others, then `guess` along its own;
- the best guess of one attribute: what each of its values would send, and the largest of these.

The sum of the largest entries is the Bayes vulnerability: no reader with this knowledge, however
clever, is right more often.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.channel import Channel, Truthful
from deniable.design import Design, Group
from deniable.privacy.measures.pattern_numbers import codes_of, pattern_count, shape
from deniable.privacy.measures.single_answer import best_guess, posterior, pse
from deniable.privacy.population import Population
from deniable.schema import Attribute

MOST_JOINT_CELLS = 1 << 18
"""Joint patterns up to which a part's table is kept whole."""


@dataclass(frozen=True, eq=False)
class Guess:
    """For every possible report the likeliest truth, and the chance of that report with it."""

    chance: Floats
    truth: Codes

    @property
    def success(self) -> float:
        """How often the guess is right."""
        return float(self.chance.sum())


@dataclass(frozen=True, eq=False)
class AttributeGuess(Guess):
    """The same for one attribute, with PSE, and each value's highest and lowest posterior."""

    pse: float
    highest: tuple[float, ...]
    lowest: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class JointGroups:
    """Shares of true patterns, an axis per group; public attributes are groups of their own."""

    groups: tuple[Group, ...]
    table: Floats
    public: int = 0
    """How many of the last axes are public: known to a reader before any report."""

    @classmethod
    def of(cls, linked: "LinkedGroups", population: Population) -> "JointGroups":
        """Read the shares of some groups' attributes."""
        groups = (*linked.groups, *linked.public)
        # An attribute with one value takes no room, but would take one of NumPy's few axes.
        names = [a.name for group in groups for a in group.attributes if a.size > 1]
        return cls(groups, population.table(names).reshape(shape(groups)), len(linked.public))

    def record_before(self) -> float:
        """How often everything is guessed by one who has seen no report."""
        disguised = tuple(range(self.table.ndim - self.public))
        return best_guess(self.table, disguised)

    def group_before(self, axis: int) -> float:
        """How often one group's pattern is guessed without a report."""
        others = tuple(o for o in range(self.table.ndim - self.public) if o != axis)
        return best_guess(self.table.sum(axis=others))

    def by_public(self, axis: int, name: str) -> Floats:
        """Shares of one attribute's values, ``[value, public pattern]``."""
        others = tuple(o for o in range(self.table.ndim - self.public) if o != axis)
        by_pattern = self.table.sum(axis=others)
        by_pattern = by_pattern.reshape(len(by_pattern), -1)
        codes = codes_of(self.groups[axis], name)
        values = range(int(codes.max()) + 1)
        return np.stack([by_pattern[codes == value].sum(axis=0) for value in values])

    def record(self) -> tuple[Floats, list[Codes]]:
        """Guess everything at once: the chance by report, and for each group the pattern."""
        best = self.table
        found: list[Codes] = []
        for axis, group in enumerate(self.groups):
            best, truth = _guessed(best, axis, group.channel)
            # What was found for the groups before depends on the truth that is chosen for this one.
            found = [np.take_along_axis(earlier, truth, axis) for earlier in found]
            found.append(truth)
        return best, found

    def group(self, axis: int) -> Guess:
        """Guess one group's pattern from the whole report."""
        return Guess(*_guessed(self._all_but_one[axis], axis, self.groups[axis].channel))

    def attribute(self, axis: int, name: str) -> "AttributeGuess":
        """Guess one attribute from the whole report, and look how sure a reader can become."""
        channel, reported = self.groups[axis].channel, self.reported
        given = reported > 0
        best, truth = np.full(reported.shape, -1.0), np.zeros(reported.shape, dtype=np.int64)
        wrong, highest, lowest = 0.0, [], []
        for value, those in enumerate(self._split(axis, name)):
            chance = sent(those, axis, channel)
            after = posterior(chance, reported)[given]
            wrong += pse(chance[given], after)
            highest.append(min(float(after.max()), 1.0))
            lowest.append(max(float(after.min()), 0.0))
            better = chance > best
            best, truth = np.where(better, chance, best), np.where(better, value, truth)
        return AttributeGuess(best, truth, wrong, tuple(highest), tuple(lowest))

    @cached_property
    def reported(self) -> Floats:
        """Chance of every report."""
        return self._through(self.table, range(len(self.groups)))

    def group_knowing(self, axis: int, name: str) -> float:
        """How often the group's pattern is guessed by one who knows one of its attributes."""
        channel = self.groups[axis].channel
        right = (_guessed(those, axis, channel)[0].sum() for those in self._split(axis, name))
        return float(sum(right))

    @cached_property
    def _all_but_one(self) -> list[Floats]:
        """For each group the table with all others sent; halves share what they have in common."""

        def sent_but(table: Floats, axes: range) -> list[Floats]:
            if len(axes) == 1:
                return [table]
            left, right = axes[: len(axes) // 2], axes[len(axes) // 2 :]
            return sent_but(self._through(table, right), left) + sent_but(
                self._through(table, left), right
            )

        return sent_but(self.table, range(len(self.groups)))

    def _through(self, table: Floats, axes: range) -> Floats:
        for axis in axes:
            table = sent(table, axis, self.groups[axis].channel)
        return table

    def _split(self, axis: int, name: str) -> Iterator[Floats]:
        """People by their value of one attribute, the other groups as reported."""
        table, codes = self._all_but_one[axis], codes_of(self.groups[axis], name)
        codes = codes.reshape(-1, *(1,) * (table.ndim - axis - 1))
        for value in range(int(codes.max()) + 1):
            yield np.where(codes == value, table, 0.0)


@dataclass(frozen=True)
class LinkedGroups:
    """Groups, and public attributes, that have to be read together."""

    groups: tuple[Group, ...]
    public: tuple[Group, ...]

    @property
    def cells(self) -> int:
        """How many joint patterns there are."""
        return pattern_count((*self.groups, *self.public))

    @property
    def names(self) -> tuple[str, ...]:
        """All their attributes, in order."""
        return tuple(name for group in (*self.groups, *self.public) for name in group.names)


def linked_groups(design: Design, population: Population) -> list[LinkedGroups]:
    """Put the groups together that some block of the population connects.

    Public attributes count as groups that report the truth; those that tell nothing about any
    disguised group are left out.
    """
    public = public_groups(design)
    found: list[list[Group]] = [[group] for group in (*design.groups, *public)]
    for block in population.blocks:
        touched = [p for p in found if any(not set(g.names).isdisjoint(block.names) for g in p)]
        found = [p for p in found if p not in touched]
        found.append([group for part in touched for group in part])
    return [
        LinkedGroups(
            tuple(group for group in part if group in design.groups),
            tuple(group for group in part if group in public),
        )
        for part in found
        if any(group in design.groups for group in part)
    ]


def public_groups(design: Design) -> list[Group]:
    """Public attributes, as groups that report the truth; one with a single value says nothing."""
    attributes = (design.schema[name] for name in design.public)
    return [public_group(attribute) for attribute in attributes if attribute.size > 1]


def public_group(attribute: Attribute) -> Group:
    """One attribute, reported as it is."""
    return Group((attribute,), Truthful.over((attribute.size,)))


def sent(table: Floats, axis: int, channel: Channel, *, transposed: bool = False) -> Floats:
    """Send a table through one group's channel."""
    return along(table, axis, lambda columns: channel.send(columns, transposed=transposed))


def along(table: Floats, axis: int, function: Callable[[Floats], Floats]) -> Floats:
    """Apply a function of columns to the patterns along one axis."""
    front = np.moveaxis(table, axis, 0)
    moved = function(front.reshape(len(front), -1))
    return np.moveaxis(moved.reshape(front.shape), 0, axis)


def _guessed(table: Floats, axis: int, channel: Channel) -> tuple[Floats, Codes]:
    """For each report of one group the largest chance, and the truth that it belongs to."""
    front = np.moveaxis(table, axis, 0)
    best, truth = channel.guess(front.reshape(len(front), -1))
    return (
        np.moveaxis(best.reshape(front.shape), 0, axis),
        np.moveaxis(truth.reshape(front.shape), 0, axis),
    )
