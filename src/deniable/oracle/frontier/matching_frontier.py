"""Counting down a tree over groups of many values, by what of the paths reports match.

A record's weight at a node is the product of its groups' weights, and each of those is known from
*which* of the path's answers a report matches. So nothing is unrolled into patterns, however many
values there are: a level costs a few passes over the records for each of its nodes. The square of
a product is the product of the squares: variances are exact, and come of the same passes.

Public attributes have no weights: a path chooses records by them.
"""

from functools import cached_property

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.expression import ANY
from deniable.oracle.api import Branching, Crossing, Wanted
from deniable.oracle.frontier.frontier import (
    CountedFrontier,
    children,
    pairs_by_size,
    population_variance,
    split_nodes,
)
from deniable.oracle.frontier.matched_tables import matched_tables, totals
from deniable.oracle.frontier.report_matches import MOST_MATCHED
from deniable.oracle.frontier.reported_records import Nodes, ReportedRecords, Reports
from deniable.oracle.frontier.routed_frontier import ReportLayout

Tables = tuple[list[Crossing], list[Floats]]
"""Counts, and their variances."""


class MatchingFrontier:
    """The open nodes of one level; a record is never dropped for what a group reports."""

    def __init__(
        self,
        records: ReportedRecords,
        nodes: Nodes,
        counted: CountedFrontier,
        classes: tuple[Floats, Floats] | None = None,
    ) -> None:
        self._records, self._nodes, self._known_classes = records, nodes, classes
        self._counted = counted
        """The same nodes by plain counts: the way on where paths get too long."""
        self._kept: tuple[Wanted, Tables] | None = None
        """What was asked last: children's classes are among it."""

    @classmethod
    def root(
        cls, layout: ReportLayout, reports: Reports, counted: CountedFrontier
    ) -> "MatchingFrontier":
        """Begin with every report, those that are alike as one."""
        records = ReportedRecords(layout, reports)
        return cls(records, records.root(), counted)

    def classes(self) -> tuple[Floats, Floats]:
        """Count the target's values at every node."""
        return self._classes

    @cached_property
    def _classes(self) -> tuple[Floats, Floats]:
        if self._known_classes is not None:
            return self._known_classes
        value, square = np.moveaxis(totals(self._records, self._nodes), -1, 0)
        return value, population_variance(square, value, self._records.layout.n)

    def tables(self, wanted: Wanted) -> list[Crossing]:
        """Count by an axis' values and the target's."""
        return self._crossed(wanted)[0]

    def variances(self, wanted: Wanted) -> list[Floats]:
        """Give the variances of the counts in `tables`."""
        return self._crossed(wanted)[1]

    def split(self, choice: Codes) -> Branching:
        """Go down; the children's classes are the tables of the axes chosen."""
        layout = self._records.layout
        parent, _, first = children(choice, layout.sizes[:-1])
        value, variance = np.empty((2, len(parent), layout.classes))
        wanted = choice[:, None] == np.arange(len(layout.sizes) - 1)
        for crossing, error in zip(*self._crossed(wanted), strict=True):
            rows = first[crossing.node][:, None] + np.arange(crossing.value.shape[1])
            value[rows], variance[rows] = crossing.value, error
        return self._below(*split_nodes(choice), (value, variance))

    def branch(self, nodes: Codes, choice: Codes) -> Branching:
        """Go down from some nodes, each as often as it is named."""
        return self._below(nodes, choice, None)

    def _below(
        self, nodes: Codes, choice: Codes, classes: tuple[Floats, Floats] | None
    ) -> Branching:
        counted = self._counted.branch(nodes, choice)
        parent, code, _ = children(choice, self._records.layout.sizes[:-1])
        below = self._records.below(self._nodes, nodes[parent], choice[parent], code)
        named = [
            (below.paths[:, group.columns] != ANY).sum(axis=1) for group in self._records.groups
        ]
        if any(many.max(initial=0) > MOST_MATCHED for many in named):
            return counted
        return MatchingFrontier(self._records, below, counted, classes)

    def _crossed(self, wanted: Wanted) -> Tables:
        """Count, with variances; pairs that were asked before are not counted again."""
        if self._kept is None or (wanted & ~self._kept[0]).any():
            self._kept = wanted.copy(), self._counted_tables(wanted)
        before, (tables, errors) = self._kept
        if np.array_equal(before, wanted):
            return tables, errors
        here = [wanted[table.node, table.axis] for table in tables]
        kept = [(t, e, w) for t, e, w in zip(tables, errors, here, strict=True) if w.any()]
        few = [Crossing(t.node[w], t.axis[w], t.value[w]) for t, _, w in kept]
        return few, [error[w] for _, error, w in kept]

    def _counted_tables(self, wanted: Wanted) -> Tables:
        layout, nodes = self._records.layout, self._nodes
        named = nodes.paths[:, :-1] != ANY
        place = np.full(wanted.shape, -1)
        sums = {}
        pairs = list(pairs_by_size(wanted, layout.sizes[:-1]))
        for size, node, axis in pairs:
            place[node, axis] = np.arange(len(node))
            sums[size] = np.zeros((len(node), size, layout.classes, 2))
        for some, by, part in matched_tables(self._records, nodes, wanted & ~named):
            sums[layout.sizes[by]][place[some, by]] = part
        tables, errors = [], []
        for size, node, axis in pairs:
            value, square = sums[size][..., 0].copy(), sums[size][..., 1]
            variance = population_variance(square, value, layout.n)
            again = np.flatnonzero(named[node, axis])  # all have the path's own value
            own = nodes.paths[node[again], axis[again]]
            value[again, own] = self._classes[0][node[again]]
            variance[again, own] = self._classes[1][node[again]]
            tables.append(Crossing(node, axis, value))
            errors.append(variance)
        return tables, errors
