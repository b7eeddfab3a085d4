"""What all nodes of a tree over matches share: every kind of record, and its reports by group."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deniable.base.arrays import AnyCodes, Codes, Floats
from deniable.expression import ANY
from deniable.oracle.frontier.report_matches import ReportMatches
from deniable.oracle.frontier.routed_frontier import PUBLIC, ReportLayout

Reports = tuple[Sequence[NDArray[Any]], Codes]
"""Codes of every column, the target's last, and how many records have them."""

Weighed = list[tuple[ReportMatches, list[Floats]]]
"""Groups, and the weights of their reports by some paths ``[report, path]``; for each class where
it belongs to the group."""


@dataclass(frozen=True, eq=False)
class Nodes:
    """The open nodes of one level."""

    paths: Codes
    """``[node, column]``, the target's column open."""

    chosen: Codes
    people: list[list[AnyCodes]]
    """Public terms choose records: a node's are ``people[chosen[node]]``, those of each class apart
    if it is public."""


class ReportedRecords:
    """Records that report alike are one kind."""

    def __init__(self, layout: ReportLayout, reports: Reports) -> None:
        self.layout = layout
        self.codes = reports[0]
        self.counts = reports[1].astype(np.float64)
        """How many records there are of each kind."""
        self.groups = [
            ReportMatches(part, [self.codes[column] for column in part.columns])
            for part in layout.parts
        ]
        self.of_target = int(layout.part[layout.target])

    def root(self) -> Nodes:
        """Begin with all of them."""
        people: list[AnyCodes]
        if self.of_target != PUBLIC:
            people = [np.arange(len(self.counts))]
        else:
            labels = range(self.layout.classes)
            people = [np.flatnonzero(self.codes[-1] == label) for label in labels]
        nowhere = np.full((1, len(self.layout.sizes)), ANY, dtype=np.int64)
        return Nodes(nowhere, np.zeros(1, dtype=np.int64), [people])

    def below(self, nodes: Nodes, parent: Codes, axis: Codes, code: Codes) -> Nodes:
        """Go down; the same public terms in another order choose the same records."""
        paths = nodes.paths[parent]
        paths[np.arange(len(parent)), axis] = code
        public = np.flatnonzero(self.layout.part[:-1] == PUBLIC)
        _, first, chosen = np.unique(
            paths[:, public], axis=0, return_index=True, return_inverse=True
        )
        people = []
        for child in first:
            above = nodes.people[nodes.chosen[parent[child]]]
            if self.layout.part[axis[child]] == PUBLIC:
                column = self.codes[axis[child]]
                above = [rows[column[rows] == code[child]] for rows in above]
            people.append(above)
        return Nodes(paths, chosen.ravel(), people)

    def longest(self, nodes: Nodes) -> int:
        """How many attributes of one group a path names, at most."""
        named = nodes.paths != ANY
        many = (named[:, group.columns].sum(axis=1).max(initial=0) for group in self.groups)
        return max(map(int, many), default=0)

    def weighed(self, paths: Codes, left_out: int = PUBLIC) -> Weighed:
        """Weights of some paths in the groups that they name, all but one."""
        found: Weighed = []
        for number, group in enumerate(self.groups):
            own = paths[:, group.columns]
            if number == left_out:
                continue
            if number == self.of_target:
                found.append((group, [group.weights(self.labelled(own, label))
                                      for label in range(self.layout.classes)]))  # fmt: skip
            elif (own != ANY).any():
                found.append((group, [group.weights(own)]))
        return found

    def labelled(self, own: Codes, label: int) -> Codes:
        """Add a class to paths of the target's own group."""
        named = own.copy()
        named[:, self.groups[self.of_target].place(self.layout.target)] = label
        return named


def product(weighed: Weighed, rows: AnyCodes, paths: int, label: int) -> Floats:
    """``[record, path]``: what the groups' weights of some records multiply to."""
    found = np.ones((len(rows), paths))
    for group, weights in weighed:
        found *= np.take(weights[label % len(weights)], group.number[rows], axis=0)
    return found
