"""What the nodes of a level are made of, where records are followed: sets of them, with weights.

A *segment* is a set of records, the node, class and truths that they stand for, and the weight that
each of them carries there. The sets of a node and class have no record in common, so that Σw² is
added up like Σw.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from deniable.base.arrays import AnyCodes, Codes, Floats, Mask
from deniable.oracle.frontier.frontier import STAY
from deniable.oracle.frontier.record_sets import EMPTY, UNDIVIDED, RecordSets
from deniable.oracle.frontier.routed_frontier import PUBLIC, ReportLayout

UNTOUCHED = -1
"""The truth of a part that no path has named yet: its columns are as reported."""

FLIPPED = 1
"""The truth of a yes/no related group whose report is the opposite."""


@dataclass(frozen=True, eq=False)
class Segments:
    """Sets of records that stand for something."""

    node: Codes
    label: Codes
    set: Codes
    weight: Floats
    truth: AnyCodes
    """``[segment, part]``: which of the part's signed truths it stands for, or UNTOUCHED; last, a
    column for what is public, so that PUBLIC = −1 reads UNTOUCHED."""

    @classmethod
    def whole(cls, sets: int, parts: int) -> "Segments":
        """Each set as it is reported, a node each."""
        numbers, label = np.arange(sets), np.zeros(sets, dtype=np.int64)
        truth = np.full((sets, parts + 1), UNTOUCHED, dtype=np.int16)
        return cls(numbers, label, numbers, np.ones(sets), truth)

    def __len__(self) -> int:
        return len(self.node)

    def take(self, chosen: AnyCodes | Mask) -> "Segments":
        """Keep some, by number or by mask; one that is named twice is there twice."""
        return Segments(
            self.node[chosen], self.label[chosen], self.set[chosen], self.weight[chosen],
            self.truth[chosen],
        )  # fmt: skip

    def of_nodes(self, nodes: Codes) -> "Segments":
        """Those of some nodes, which are numbered anew; one that is named twice is there twice."""
        order = np.argsort(self.node, kind="stable")
        many = np.bincount(self.node, minlength=int(nodes.max(initial=-1)) + 1)
        first = np.cumsum(many) - many
        number, place = _each(many[nodes])
        return replace(self.take(order[first[nodes][number] + place]), node=number)

    def truths(self, part: Codes) -> AnyCodes:
        """The truth of a part of each segment."""
        found: AnyCodes = self.truth[np.arange(len(self)), part]
        return found

    def divisions(self, layout: ReportLayout, axis: Codes) -> tuple[Codes, Codes, Codes]:
        """Which sets an axis of each segment divides, by which column, and the number of that.

        Where an attribute that does not flip was undone before, a set stays whole.
        """
        part = layout.part_of(axis)
        divides = (self.truths(part) == UNTOUCHED) | layout.flips[part]
        by = np.where(divides & (axis != STAY), axis, UNDIVIDED)
        columns = len(layout.sizes) + 1  # one more for UNDIVIDED = −1
        pair, number = np.unique(self.set * columns + by - UNDIVIDED, return_inverse=True)
        whole, by = np.divmod(pair, columns)
        return whole, by + UNDIVIDED, number

    def divided(
        self, layout: ReportLayout, sets: RecordSets, axis: Codes
    ) -> tuple[RecordSets, "Segments", Codes]:
        """Divide by an axis of each segment, undoing its part: sets, segments, and their values."""
        part = layout.part_of(axis)
        newly = (part != PUBLIC) & (self.truths(part) == UNTOUCHED)
        whole, by, number = self.divisions(layout, axis)
        sets, numbers, first = sets.divided(whole, by)
        row, report = _each(np.diff(np.append(first, len(numbers)))[number])
        part_of = numbers[first[number[row]] + report]
        there = np.flatnonzero(part_of != EMPTY)
        row, report, part_of = row[there], report[there], part_of[there]
        truths = np.array([*(len(factor) for factor in layout.factors), 1])[part]
        again, option = _each(np.where(newly, truths, 1)[row])
        row, report = row[again], report[again]
        found = replace(self.take(row), set=part_of[again])
        found = found.undone(layout, np.where(newly, part, PUBLIC)[row], option, report)
        value = found.values(layout, axis[row], report)
        if found.weight.all():
            return sets, found, value
        kept = np.flatnonzero(found.weight)
        return sets, found.take(kept), value[kept]

    def undone(self, layout: ReportLayout, part: Codes, option: Codes, report: Codes) -> "Segments":
        """Let each segment stand for a truth of a part, unless that is PUBLIC."""
        weight, truth = self.weight.copy(), self.truth.copy()
        for each in np.unique(part[part != PUBLIC]).tolist():
            here = np.flatnonzero(part == each)
            factors = layout.factors[each]
            column = report[here] if factors.shape[1] > 1 else 0
            weight[here] *= factors[option[here], column]
            truth[here, each] = option[here]
        return replace(self, weight=weight, truth=truth)

    def values(self, layout: ReportLayout, axis: Codes, report: Codes) -> Codes:
        """What each segment stands for on an axis, by what its set was divided by."""
        part = layout.part_of(axis)
        truth = self.truths(part)
        value = np.where(layout.flips[part] & (truth == FLIPPED), 1 - report, report)
        return np.where((truth != UNTOUCHED) & ~layout.flips[part], truth, value)


def _each(many: Codes) -> tuple[Codes, Codes]:
    """Number k copies of every row: which row, and which copy."""
    row = np.repeat(np.arange(len(many)), many)
    return row, np.arange(len(row)) - np.repeat(np.cumsum(many) - many, many)


class SegmentSums:
    """Sums over the records of segments, by *cells*: a node and a class."""

    def __init__(
        self, layout: ReportLayout, sets: RecordSets, segments: Segments, nodes: int
    ) -> None:
        self._layout, self._sets = layout, sets
        self._cells = nodes * layout.classes
        cell = segments.node * layout.classes + segments.label
        order = np.argsort(cell, kind="stable")
        segments, self._cell = segments.take(order), cell[order]
        self._set, self._weight, self._truth = segments.set, segments.weight, segments.truth
        self._people = sets.size[self._set]

    def totals(self, power: int) -> Floats:
        """Σ weight^power of each cell."""
        return self._summed(self._weight**power * self._people)

    def ones(self, power: int) -> Floats:
        """The same for every value but the first of every axis ``[cell, value]``."""
        weight = self._weight**power
        found = np.empty((self._cells, int(np.sum(self._layout.sizes[:-1])) - self._layout.target))
        for part, columns, reported in self._reported:
            truth = self._truth[:, part]
            if self._layout.flips[part]:
                flipped = truth == FLIPPED
                sums = self._matrix(np.where(flipped, -weight, weight)) @ reported
                sums += self._summed(weight * self._people * flipped)[:, np.newaxis]
            else:
                sums = self._matrix(weight * (truth == UNTOUCHED)) @ reported
                for place in range(len(columns)) if (truth != UNTOUCHED).any() else ():
                    said = truth == place + 1  # of a single attribute
                    sums[:, place] += self._summed(weight * self._people * said)
            found[:, columns] = sums
        return found

    @cached_property
    def _reported(self) -> list[tuple[int, Codes, Floats]]:
        """Of each part, its columns, and what is reported of them ``[set, column]``."""
        layout, found = self._layout, []
        for part in (PUBLIC, *range(len(layout.parts))):
            axes = np.flatnonzero(layout.part[:-1] == part).tolist()
            columns = [
                layout.column[axis] + v for axis in axes for v in range(layout.sizes[axis] - 1)
            ]
            if columns:
                reported = self._sets.ones[:, columns].astype(np.float64)
                found.append((part, np.array(columns), reported))
        return found

    def _summed(self, people: Floats) -> Floats:
        return np.bincount(self._cell, people, minlength=self._cells).astype(np.float64)

    def _matrix(self, weight: Floats) -> Any:
        """Weights as a sparse matrix ``[cell, set]``."""
        from scipy.sparse import csr_array

        pointer = np.searchsorted(self._cell, np.arange(self._cells + 1))
        return csr_array((weight, self._set, pointer), shape=(self._cells, len(self._sets)))
