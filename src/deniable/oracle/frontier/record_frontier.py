"""Routing every record down a tree, set by set, each in the branches of its signed truths.

Undoing a group multiplies segments and moves no record: who reports *yes* stands for yes as
reported, and for no as flipped, so that both children point to the same set. Only what a node is
split by, and was not divided by before, divides its sets.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deniable.base.arrays import Codes, Floats, Mask
from deniable.oracle.api import Frontier
from deniable.oracle.frontier.frontier import CLOSED, CountedFrontier, children
from deniable.oracle.frontier.record_sets import RecordSets, ReportColumns
from deniable.oracle.frontier.routed_frontier import ReportLayout, RoutedFrontier
from deniable.oracle.frontier.segments import UNTOUCHED, Segments, SegmentSums

MOST_BRANCH_ROWS = 1 << 24
"""Rows that are followed at once: records times the signed truths they stand for."""

MOST_BRANCH_SUMS = 1 << 27
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
    def root(
        cls, layout: ReportLayout, codes: Sequence[NDArray[Any]], counted: CountedFrontier
    ) -> "RecordFrontier":
        """Begin with every record, divided by the class."""
        everybody = RecordSets.everybody(ReportColumns(codes, layout.sizes, len(codes[-1])))
        by_class = np.array([layout.target])
        sets, segments, label = Segments.everybody(len(layout.parts)).divided(
            layout, everybody, by_class
        )
        touched = layout.part[by_class][:, np.newaxis] == np.arange(len(layout.parts))
        return cls(layout, touched, sets, replace(segments, label=label), counted)

    def split(self, choice: Codes) -> Frontier:
        """Divide what was not divided before, and route segments to the children."""
        counted, segments = self._counted.split(choice), self._segments
        if (choice == CLOSED).any():
            segments = segments.take(choice[segments.node] != CLOSED)
        axis = choice[segments.node]
        if self._branch_rows(segments, axis) > MOST_BRANCH_ROWS:
            return counted
        parent, _, first = children(choice, self.layout.sizes[:-1])
        touched = (self._touched | self._newly(choice))[parent]
        sets, segments, value = segments.divided(self.layout, self._sets, axis)
        if len(sets) * len(self.layout.column) > MOST_BRANCH_SUMS:
            return counted
        segments = replace(segments, node=first[segments.node] + value)
        return RecordFrontier(self.layout, touched, sets, segments, counted)

    def _branch_rows(self, segments: Segments, axis: Codes) -> int:
        """Rows that a split would follow, if no two segments had a set in common."""
        part = self.layout.part[axis]
        truths = np.array([*(len(factor) for factor in self.layout.factors), 1])[part]
        newly = segments.truths(part) == UNTOUCHED
        return int((self._sets.size[segments.set] * np.where(newly, truths, 1)).sum())

    @cached_property
    def _sums(self) -> SegmentSums:
        return SegmentSums(self.layout, self._sets, self._segments, len(self._touched))

    def _totals(self, power: int) -> Floats:
        return self._sums.totals(power).reshape(len(self._touched), -1)

    def _ones(self, power: int) -> Floats:
        return self._sums.ones(power).reshape(len(self._touched), self.layout.classes, -1)
