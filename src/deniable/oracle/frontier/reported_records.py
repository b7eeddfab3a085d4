"""What all nodes of a tree over matches share: every kind of record, and its reports by group."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deniable.base.arrays import AnyCodes, Codes, Floats
from deniable.expression import ANY, distinct_patterns
from deniable.oracle.frontier.frontier import STAY
from deniable.oracle.frontier.report_matches import ReportMatches
from deniable.oracle.frontier.routed_frontier import PUBLIC, ReportLayout

Reports = tuple[Sequence[NDArray[Any]], Codes]
"""Codes of every column, the target's last, and how many records have them."""


@dataclass(frozen=True, eq=False)
class Nodes:
    """The open nodes of one level."""

    paths: Codes
    """``[node, column]``, the target's column open."""

    chosen: Codes
    people: list[AnyCodes]
    """Public terms choose records: a node's are ``people[chosen[node]]``."""

    def take(self, some: Codes) -> "Nodes":
        """Keep some nodes."""
        return Nodes(self.paths[some], self.chosen[some], self.people)


@dataclass(frozen=True, eq=False)
class Rows:
    """Records in the order of the rows that they are added up in."""

    order: AnyCodes
    pointer: Codes
    """Where each row begins, and the end."""

    @classmethod
    def of(cls, people: AnyCodes, row: AnyCodes, rows: int) -> "Rows":
        """Put some records in order; ``row`` is each one's."""
        few = row.astype(np.min_scalar_type(rows))  # numbers of few bits are sorted in no time
        pointer = np.append(0, np.cumsum(np.bincount(row, minlength=rows)))
        return cls(people[np.argsort(few, kind="stable")], pointer)

    def beside(self, other: "Rows") -> "Rows":
        """Put other rows behind these."""
        pointer = np.concatenate([self.pointer, len(self.order) + other.pointer[1:]])
        return Rows(np.concatenate([self.order, other.order]), pointer)


class ReportedRecords:
    """Records that report alike are one kind.

    A class that is public, or that a device of its own disguises, only tells records apart by what
    they report of it; what was added up for each report is undone in the end. In a group with
    others it is one more answer that a path may name.
    """

    def __init__(self, layout: ReportLayout, reports: Reports) -> None:
        self.layout = layout
        self.codes = reports[0]
        self.counts = reports[1].astype(np.float64)
        """How many records there are of each kind."""
        self.groups = [
            ReportMatches(part, [self.codes[column] for column in part.columns])
            for part in layout.parts
        ]
        part = int(layout.part[layout.target])
        alone = part != PUBLIC and len(layout.parts[part].columns) == 1
        self.of_target = PUBLIC if alone else part
        """The group in which the class is one of several."""
        self.labels = layout.classes if self.of_target == PUBLIC else 1
        """Classes that records are told apart by."""
        self._undone = layout.inverse_of(layout.target) if alone else None

    def root(self) -> Nodes:
        """Begin with all of them."""
        nowhere = np.full((1, len(self.layout.sizes)), ANY, dtype=np.int64)
        return Nodes(nowhere, np.zeros(1, dtype=np.int64), [np.arange(len(self.counts))])

    def below(self, nodes: Nodes, parent: Codes, axis: Codes, code: Codes) -> Nodes:
        """Go down, or STAY; the same public terms in another order choose the same records."""
        paths, going = nodes.paths[parent], np.flatnonzero(axis != STAY)
        paths[going, axis[going]] = code[going]
        public = np.flatnonzero(self.layout.part[:-1] == PUBLIC)
        _, first, chosen = np.unique(
            paths[:, public], axis=0, return_index=True, return_inverse=True
        )
        people = []
        for child in first:
            rows = nodes.people[nodes.chosen[parent[child]]]
            if axis[child] != STAY and self.layout.part[axis[child]] == PUBLIC:
                rows = rows[self.codes[axis[child]][rows] == code[child]]
            people.append(rows)
        return Nodes(paths, chosen.ravel(), people)

    def rows(self, people: AnyCodes, row: AnyCodes, rows: int) -> Rows:
        """Tell records apart by their rows, and by the class where it tells them apart."""
        own = row[people]
        if self.labels > 1:
            own = own.astype(np.int64) * self.labels + self.codes[-1][people]
        return Rows.of(people, own, rows * self.labels)

    def labelled(self, paths: Codes) -> Codes:
        """Repeat paths for every class, where it is one of a group's answers."""
        if self.of_target == PUBLIC:
            return paths
        classes = self.layout.classes
        named = np.repeat(paths, classes, axis=0)
        named[:, -1] = np.tile(np.arange(classes), len(paths))
        return named

    def undone(self, sums: Floats) -> Floats:
        """Undo the class's own device: ``[…, class, power]`` by what is reported of it."""
        if self._undone is None:
            return sums
        powers = [sums[..., power] @ (self._undone ** (power + 1)).T for power in (0, 1)]
        return np.stack(powers, axis=-1)


class PathWeights:
    """Weights of the paths of a level in the groups that they name, each made once."""

    def __init__(self, records: ReportedRecords, paths: Codes) -> None:
        self._records = records
        self._groups = [
            distinct_patterns(paths[:, group.columns], group.channel.sizes)
            for group in records.groups
        ]
        self.size = sum(
            len(own) * len(group)
            for (own, _), group in zip(self._groups, records.groups, strict=True)
        )
        """How many weights there are."""
        self._weights: dict[int, Floats] = {}

    def number(self, group: int) -> Codes:
        """Number each path's terms about a group."""
        return self._groups[group][1]

    def names(self, group: int, path: Codes) -> bool:
        """Whether some of the paths name a group."""
        own, number = self._groups[group]
        return bool((own[number[path]] != ANY).any())

    def of(self, group: int) -> Floats:
        """Weights of the group's reports ``[report, number]``."""
        if group not in self._weights:
            own, _ = self._groups[group]
            self._weights[group] = self._records.groups[group].weights(own)
        return self._weights[group]
