"""Routing every record down a tree, set by set, each in the branches of its signed truths.

Undoing a group multiplies segments and moves no record: who reports *yes* stands for yes as
reported, and for no as flipped, so that both children point to the same set. Only what a node is
split by, and was not divided by before, divides its sets.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from deniable.base.arrays import AnyCodes, Codes, Floats, Mask
from deniable.oracle.api import Branching
from deniable.oracle.frontier.frontier import CountedFrontier, children, split_nodes
from deniable.oracle.frontier.record_sets import UNDIVIDED, RecordSets, ReportColumns
from deniable.oracle.frontier.routed_frontier import ReportLayout, RoutedFrontier
from deniable.oracle.frontier.segments import Segments, SegmentSums

MOST_ROWS = 1 << 27
"""Rows of all sets that are held at once."""

MOST_SEGMENTS = 1 << 21
"""Sets in use, each as often as it stands for other truths."""

MOST_SET_SUMS = 1 << 27
"""Sums that are held at once: sets of records times axes."""


class RecordFrontier(RoutedFrontier):
    """Sets of records with signed weights; squares must add up in all parts."""

    def __init__(
        self,
        layout: ReportLayout,
        touched: Mask,
        sets: RecordSets,
        segments: Segments,
        counted: CountedFrontier,
    ) -> None:
        super().__init__(layout, touched)
        self._sets, self._segments = sets, segments
        self._counted = counted
        """The same nodes by plain counts: the way on where rows would be many."""

    @classmethod
    def roots(
        cls,
        layout: ReportLayout,
        reports: ReportColumns,
        rows: Sequence[AnyCodes],
        counted: CountedFrontier,
    ) -> "RecordFrontier":
        """Begin a tree with each of some sets of records, divided by the class."""
        everybody = RecordSets.of(reports, rows)
        by_class = np.full(len(rows), layout.target)
        sets, segments, label = Segments.whole(len(rows), len(layout.parts)).divided(
            layout, everybody, by_class
        )
        touched = layout.part[by_class][:, np.newaxis] == np.arange(len(layout.parts))
        return cls(layout, touched, sets, replace(segments, label=label), counted)

    def split(self, choice: Codes) -> Branching:
        """Divide what was not divided before, and route segments to the children."""
        return self.branch(*split_nodes(choice))

    def branch(self, nodes: Codes, choice: Codes) -> Branching:
        """Do the same for some nodes, each as often as it is named."""
        counted, segments = self._counted.branch(nodes, choice), self._segments.of_nodes(nodes)
        axis = choice[segments.node]
        if len(segments) > MOST_SEGMENTS or self._rows_below(segments, axis) > MOST_ROWS:
            return counted
        parent, _, first = children(choice, self.layout.sizes[:-1])
        touched = (self._touched[nodes] | self._newly(nodes, choice))[parent]
        sets, segments, value = segments.divided(self.layout, self._sets, axis)
        if len(sets) * len(self.layout.column) > MOST_SET_SUMS:
            return counted
        segments = replace(segments, node=first[segments.node] + value)
        return RecordFrontier(self.layout, touched, sets, segments, counted)

    def _rows_below(self, segments: Segments, axis: Codes) -> int:
        """Rows that are held when sets are divided: those that are, and what is divided."""
        whole, by, _ = segments.divisions(self.layout, axis)
        divided = self._sets.size[whole[by != UNDIVIDED]].sum()
        return int(divided) + sum(map(len, self._sets.lists))

    @cached_property
    def _sums(self) -> SegmentSums:
        return SegmentSums(self.layout, self._sets, self._segments, len(self._touched))

    def _totals(self, power: int) -> Floats:
        return self._sums.totals(power).reshape(len(self._touched), -1)

    def _ones(self, power: int) -> Floats:
        return self._sums.ones(power).reshape(len(self._touched), self.layout.classes, -1)
