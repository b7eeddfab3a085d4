"""Frontiers of disguised reports: rows are routed down the tree and carry their weights.

A group is undone at a node when the path first names one of its attributes, and not before: its
rows then become signed *truths* of that group, which are routed like plain ones. So a row is never
dropped for what it reports, and a level costs what a level of a plain tree costs, times the signed
truths that a report stands for.

Rows are either all patterns, with signed counts (`PatternFrontier`, where there are few patterns),
or records, each in as many branches as it has signed truths (`RecordFrontier`). This module holds
what both share.

Σw² is carried down like the counts: a report has a weight in one of the patterns that satisfy a
path, at most. That is so of public attributes, yes/no related groups and groups of one attribute.
In other groups it has weights in several, and the square of their sum is not the sum of their
squares: those are weighed by what reports match (`MatchingFrontier`), and not routed.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np

from deniable.base.arrays import Codes, Floats, Mask
from deniable.channel import Channel
from deniable.channel.channel import BINARY
from deniable.design import Design
from deniable.oracle.api import Crossing, Frontier, Wanted
from deniable.oracle.frontier.frontier import pairs_by_size, population_variance

PUBLIC = -1
"""The part of an axis that is not disguised."""


@dataclass(frozen=True, eq=False)
class GroupInUse:
    """One group, as far as it is in use: the target's column is the last."""

    columns: tuple[int, ...]
    channel: Channel

    @property
    def squares_add_up(self) -> bool:
        """Whether a report has a weight in one at most of the patterns that satisfy a path."""
        return self.channel.flips or len(self.columns) == 1

    @property
    def truths(self) -> int:
        """How many signed truths a report that is routed stands for."""
        return BINARY if self.channel.flips else prod(self.channel.sizes)


@dataclass(frozen=True, eq=False)
class ReportLayout:
    """What stays the same on the way down."""

    sizes: tuple[int, ...]
    """Domain sizes of the axes, then of the target."""

    parts: tuple[GroupInUse, ...]
    n: int

    @classmethod
    def of(cls, design: Design, names: Sequence[str], n: int) -> "ReportLayout":
        """Lay out the axes, and the target as the last of the names; what is truthful is public."""
        parts = tuple(
            GroupInUse(
                tuple(list(names).index(group.names[place]) for place in places),
                group.channel.marginal(places),
            )
            for group, places in design.touched(names)
            if not group.channel.is_truthful
        )
        return cls(tuple(design.schema[name].size for name in names), parts, n)

    @cached_property
    def squares_add_up(self) -> bool:
        """Whether that is so of every group."""
        return all(part.squares_add_up for part in self.parts)

    @property
    def classes(self) -> int:
        """How many values the target has."""
        return self.sizes[-1]

    @property
    def target(self) -> int:
        """The target's column."""
        return len(self.sizes) - 1

    @cached_property
    def part(self) -> Codes:
        """Which part each column belongs to."""
        of = np.full(len(self.sizes), PUBLIC)
        for number, part in enumerate(self.parts):
            of[list(part.columns)] = number
        return of

    def part_of(self, choice: Codes) -> Codes:
        """Which part each choice names; PUBLIC if it names no axis."""
        found: Codes = np.concatenate([self.part, [PUBLIC, PUBLIC]])[choice]
        return found

    @cached_property
    def flips(self) -> Mask:
        """Which parts are yes/no related groups; last, False for what is public."""
        return np.array([*(part.channel.flips for part in self.parts), False])

    @cached_property
    def factors(self) -> list[Floats]:
        """Weights of each part's signed truths ``[truth, report]``.

        A yes/no related group's are as reported and opposite, whatever the report; those of a
        single attribute are all its values.
        """
        return [
            self.inverse[part.columns[0]][:, :1]
            if part.channel.flips
            else self.inverse[part.columns[0]]
            for part in self.parts
        ]

    @cached_property
    def column(self) -> Codes:
        """Where each axis' values begin among all of them, each axis' first one left out."""
        wide = np.array(self.sizes[:-1], dtype=np.int64) - 1
        return np.cumsum(wide) - wide

    @cached_property
    def inverse(self) -> list[Floats]:
        """What undoes each column by itself."""
        return [self.inverse_of(column) for column in range(len(self.sizes))]

    def inverse_of(self, column: int) -> Floats:
        """What undoes one column by itself."""
        whole = np.eye(self.sizes[column])
        return whole if self.part[column] == PUBLIC else self._alone(column).undo(whole)

    def inverses(self, size: int) -> Floats:
        """What undoes each column of a size ``[column, truth, report]``; zeros for the others."""
        if size not in self._by_size:
            alike = [i if len(i) == size else np.zeros((size, size)) for i in self.inverse]
            self._by_size[size] = np.stack(alike)
        return self._by_size[size]

    @cached_property
    def _by_size(self) -> dict[int, Floats]:
        return {}

    def _alone(self, column: int) -> Channel:
        part: GroupInUse = self.parts[self.part[column]]
        return part.channel.marginal([part.columns.index(column)])


class RoutedFrontier(ABC):
    """What both kinds share: how sums over rows become counts of truths."""

    def __init__(self, layout: ReportLayout, touched: Mask) -> None:
        self.layout = layout
        self._touched = touched
        """``[node, part]``: whether the path names the part, so that its rows are truths."""
        self._kept: tuple[Wanted, list[Crossing]] | None = None
        """What was asked last: whoever asks for variances has just asked for counts."""

    @abstractmethod
    def _totals(self, power: int) -> Floats:
        """Σ weight^power of each node and class ``[node, class]``."""

    @abstractmethod
    def _ones(self, power: int) -> Floats:
        """The same for every value but the first of every axis ``[node, class, value]``."""

    @abstractmethod
    def split(self, choice: Codes) -> Frontier:
        """Route the rows to the children of the axes chosen."""

    def classes(self) -> tuple[Floats, Floats]:
        """Count the target's values at every node."""
        return self._counts_by_class, population_variance(
            self._totals(2), self._counts_by_class, self.layout.n
        )

    @cached_property
    def _counts_by_class(self) -> Floats:
        return self._totals(1)

    def tables(self, wanted: Wanted) -> list[Crossing]:
        """Count by an axis' values and the target's."""
        if self._kept is None or not np.array_equal(self._kept[0], wanted):
            self._kept = wanted.copy(), self._crossed(wanted, 1)
        return self._kept[1]

    def variances(self, wanted: Wanted) -> list[Floats]:
        """Give the variances of the counts in `tables`."""
        pairs = zip(self._crossed(wanted, 2), self.tables(wanted), strict=True)
        return [
            population_variance(square.value, found.value, self.layout.n) for square, found in pairs
        ]

    def _crossed(self, wanted: Wanted, power: int) -> list[Crossing]:
        totals = self._counts_by_class if power == 1 else self._totals(power)
        ones = self._ones(power)
        found = []
        for size, node, axis in pairs_by_size(wanted, self.layout.sizes[:-1]):
            columns = self.layout.column[axis][:, None] + np.arange(size - 1)
            rest = ones[node[:, None], :, columns]
            first = totals[node] - rest.sum(axis=1)
            table = np.concatenate([first[:, None], rest], axis=1)
            part = self.layout.part[axis]
            if (part != PUBLIC).any():
                # PUBLIC = −1 reads the last part, but is never undone.
                reported = np.flatnonzero((part != PUBLIC) & ~self._touched[node, part])
                undo = self.layout.inverses(size)[axis[reported]] ** power
                table[reported] = undo @ table[reported]
            found.append(Crossing(node, axis, table))
        return found

    def _newly(self, nodes: Codes, choice: Codes) -> Mask:
        """``[node, part]``: parts that are named for the first time where some nodes are split."""
        part = self.layout.part_of(choice)
        newly: Mask = part[:, None] == np.arange(len(self.layout.parts))
        return newly & ~self._touched[nodes]
