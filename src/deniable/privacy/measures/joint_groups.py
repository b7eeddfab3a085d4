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

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from math import prod

import numpy as np

from deniable.base.arrays import Codes, Floats, Mask
from deniable.channel import Channel, Truthful
from deniable.design import Design, Group
from deniable.privacy.measures.pattern_numbers import codes_of, pattern_count, shape
from deniable.privacy.measures.single_answer import posterior, pse
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
    """The same for one attribute."""

    pse: float
    extremes: Floats
    """The highest and the lowest posterior of each value, ``[2, value]``."""


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

    def by_public(self, axes: Iterable[int]) -> Floats:
        """Shares of some groups' patterns, ``[pattern, public pattern]``."""
        disguised, kept = range(self.table.ndim - self.public), set(axes)
        shares: Floats = self.table.sum(axis=tuple(axis for axis in disguised if axis not in kept))
        return shares.reshape(prod(shares.shape[: len(kept)]), -1)

    def values_by_public(self, axis: int, name: str) -> Floats:
        """Shares of one attribute's values, ``[value, public pattern]``."""
        by_pattern, codes = self.by_public([axis]), codes_of(self.groups[axis], name)
        values = range(int(codes.max()) + 1)
        return np.stack([by_pattern[codes == value].sum(axis=0) for value in values])

    def given(self, known: Mapping[str, int]) -> "JointGroups":
        """Keep the patterns that have some values; what is left is not made to sum to 1."""
        table = self.table
        for axis, group in enumerate(self.groups):
            for name in known.keys() & group.names:
                fits = codes_of(group, name) == known[name]
                table = np.where(on_axis(fits, axis, table), table, 0.0)
        return replace(self, table=table)

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
        reported = self._reported
        given = reported > 0
        best, truth = np.full(reported.shape, -1.0), np.zeros(reported.shape, dtype=np.int64)
        wrong, extremes = 0.0, []
        for value, those in enumerate(self._split(axis, name)):
            chance = through(those, self.groups, [axis])
            after = posterior(chance, reported)[given]
            wrong += pse(chance[given], after)
            extremes.append((after.max(), after.min()))
            better = chance > best
            best, truth = np.where(better, chance, best), np.where(better, value, truth)
        return AttributeGuess(best, truth, wrong, np.clip(np.transpose(extremes), 0.0, 1.0))

    @cached_property
    def _reported(self) -> Floats:
        """Chance of every report."""
        return through(self.table, self.groups)

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
            return sent_but(through(table, self.groups, right), left) + sent_but(
                through(table, self.groups, left), right
            )

        return sent_but(self.table, range(len(self.groups)))

    def _split(self, axis: int, name: str) -> Iterator[Floats]:
        """People by their value of one attribute, the other groups as reported."""
        table, codes = self._all_but_one[axis], codes_of(self.groups[axis], name)
        for value in range(int(codes.max()) + 1):
            yield np.where(on_axis(codes == value, axis, table), table, 0.0)


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
    return Group((attribute,), Truthful((attribute.size,)))


def through(
    table: Floats,
    groups: Sequence[Group],
    axes: Iterable[int] | None = None,
    *,
    transposed: bool = False,
) -> Floats:
    """Send a table through the channels along some of its axes, or all of them."""
    for axis in range(len(groups)) if axes is None else axes:
        table = along(table, axis, partial(groups[axis].channel.send, transposed=transposed))
    return table


def on_axis(patterns: Mask, axis: int, table: Floats) -> Mask:
    """Lay out what is said of one group's patterns along its axis of a table."""
    return patterns.reshape(-1, *(1,) * (table.ndim - axis - 1))


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
