"""Routing every record down a tree, through the branches of its signed truths.

A record of yes/no related groups is followed as reported and flipped in each group that a path
names: at most 2^groups branches of a level. A record of any other group that has few patterns is
followed through all of them, with the weights of C⁻¹.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from deniable.base.arrays import AnyCodes, Codes, Floats, Mask
from deniable.oracle.api import Frontier
from deniable.oracle.frontier.frontier import CLOSED, CountedFrontier
from deniable.oracle.frontier.histogram import OneHot
from deniable.oracle.frontier.routed_frontier import PUBLIC, ReportLayout, RoutedFrontier

MOST_BRANCH_ROWS = 1 << 24
"""Rows that are followed at once: records times the signed truths they stand for."""

MOST_BRANCH_SUMS = 1 << 24
"""Sums that are held at once while a level is counted."""

UNTOUCHED = -1
"""The truth of a part that no path has named yet: its columns are as reported."""


class States(NamedTuple):
    """Signs that records carry: few different ones, whatever the number of records."""

    value: Floats
    square: Floats
    truth: AnyCodes
    """``[state, part]``: which of the part's signed truths the record stands for, or UNTOUCHED;
    last, a column for what is public, so that PUBLIC = −1 reads UNTOUCHED."""

    def unrolled(self, factors: Floats, part: int) -> "States":
        """Multiply every state by ``factors[truth, report]``; numbered state, truth, report."""
        truths, reports = factors.shape
        truth = np.repeat(self.truth, factors.size, axis=0)
        truth[:, part] = np.tile(np.repeat(np.arange(truths), reports), len(self.value))
        value, square = np.outer(self.value, factors), np.outer(self.square, factors**2)
        return States(value.ravel(), square.ravel(), truth)

    def followed_by(self, other: "States") -> "States":
        """Append other states."""
        pairs: Iterable[Any] = zip(self, other, strict=True)
        return States(*map(np.concatenate, pairs))


class Rows(NamedTuple):
    """Records in branches: a record's number, its node, class and state."""

    record: AnyCodes
    node: AnyCodes
    label: AnyCodes
    state: AnyCodes

    def take(self, chosen: AnyCodes) -> "Rows":
        """Keep some rows, by number."""
        return Rows(*(column[chosen] for column in self))

    @classmethod
    def joined(cls, parts: Sequence["Rows"]) -> "Rows":
        """Put rows together."""
        return parts[0] if len(parts) == 1 else cls(*map(np.concatenate, zip(*parts, strict=True)))


class RecordFrontier(RoutedFrontier):
    """Every record is a row for each of its signed truths; all parts must route records."""

    def __init__(
        self,
        layout: ReportLayout,
        touched: Mask,
        one_hot: OneHot,
        rows: Rows,
        states: States,
        counted: CountedFrontier,
    ) -> None:
        super().__init__(layout, touched, counted)
        self._one_hot, self._rows, self._states = one_hot, rows, states

    @classmethod
    def root(
        cls, layout: ReportLayout, codes: Sequence[NDArray[Any]], counted: CountedFrontier
    ) -> "RecordFrontier":
        """Begin with every record, as reported."""
        one_hot = OneHot(_stacked(codes[:-1], len(codes[-1])), layout.sizes[:-1])
        label = codes[-1].astype(np.int32)
        nowhere = np.zeros(len(label), dtype=np.int32)
        rows = Rows(np.arange(len(label), dtype=np.int32), nowhere, label, nowhere)
        untouched = np.full((1, len(layout.parts) + 1), UNTOUCHED)
        touched = np.zeros((1, len(layout.parts)), dtype=bool)
        states = States(np.ones(1), np.ones(1), untouched)
        start = cls(layout, touched, one_hot, rows, states, counted)
        part = layout.part[layout.target]
        if part == PUBLIC:
            return start
        touched[0, part] = True
        rows, states = start._unrolled(rows, start._states, part)
        truth = states.truth[rows.state, part]
        if layout.flips[part]:
            rows = rows._replace(label=rows.label ^ truth.astype(np.int32))
        else:
            digits = layout.digits[layout.target].astype(np.int32)
            rows = rows._replace(label=digits[truth])
        return cls(layout, touched, one_hot, *_compact(rows, states), counted)

    @cached_property
    def _segment(self) -> AnyCodes:
        many = len(self._states.value)
        return (self._rows.node * self.layout.classes + self._rows.label) * many + self._rows.state

    @cached_property
    def _counts(self) -> Floats:
        """How many rows each node, class and state has."""
        shape = (len(self._touched), self.layout.classes, len(self._states.value))
        return np.bincount(self._segment, minlength=prod(shape)).reshape(shape).astype(np.float64)

    @cached_property
    def _ones_of_truths(self) -> tuple[Floats, Floats]:
        """Sums of weights and of squares for every value but the first of every axis."""
        nodes, classes, states = self._counts.shape
        width = self._one_hot.width
        value, square = np.zeros((2, nodes * classes, width))
        present = np.flatnonzero(self._counts)
        step = max(1, MOST_BRANCH_SUMS // max(1, width))
        for start in range(0, len(present), step):
            segments = present[start : start + step]
            cell, state = np.divmod(segments, states)
            ones = self._ones_by_segment(segments, state)
            filled = np.flatnonzero(np.diff(cell, prepend=-1))
            value[cell[filled]] += np.add.reduceat(ones * self._states.value[state, None], filled)
            square[cell[filled]] += np.add.reduceat(ones * self._states.square[state, None], filled)
        shape = (nodes, classes, width)
        return value.reshape(shape), square.reshape(shape)

    def _ones_by_segment(self, segments: AnyCodes, state: AnyCodes) -> Floats:
        """Count rows ``[segment, value]`` by the values that their states stand for."""
        place = np.full(self._counts.size, -1, dtype=np.int32)
        place[segments] = np.arange(len(segments), dtype=np.int32)
        segment = place[self._segment]
        here = np.flatnonzero(segment >= 0)
        record = self._rows.record
        if len(here) < len(segment):
            record, segment = record[here], segment[here]
        ones = self._one_hot.counted(record, segment, len(segments))
        counts = self._counts.ravel()[segments]
        for axis, size in enumerate(self.layout.sizes[:-1]):
            part, column = self.layout.part[axis], self.layout.column[axis]
            if part == PUBLIC:
                continue
            truth = self._states.truth[state, part]
            if self.layout.flips[part]:
                turned = np.flatnonzero(truth == 1)
                ones[turned, column] = counts[turned] - ones[turned, column]
                continue
            known = np.flatnonzero(truth != UNTOUCHED)
            value = self.layout.digits[axis][truth[known]]
            for code in range(1, size):
                ones[known, column + code - 1] = counts[known] * (value == code)
        return ones

    def _totals(self, power: int) -> Floats:
        totals: Floats = self._counts @ self._factor(power)
        return totals

    def _ones(self, power: int) -> Floats:
        return self._ones_of_truths[power - 1]

    def _exact_variances(self) -> Floats:
        """Add up the weights of each report at each node and class before they are squared."""
        from scipy.sparse import coo_array

        rows, cells = self._rows, len(self._touched) * self.layout.classes
        cell = rows.node.astype(np.int64) * self.layout.classes + rows.label
        shape = (cells, self._one_hot.codes.shape[1])
        weights = coo_array((self._states.value[rows.state], (cell, rows.record)), shape).tocsr()
        owner = np.repeat(np.arange(cells), np.diff(weights.indptr))
        square: Floats = np.bincount(owner, weights.data**2, minlength=cells).astype(np.float64)
        return self._variance(square.reshape(self._counts_by_class.shape), self._counts_by_class)

    def _factor(self, power: int) -> Floats:
        return self._states.value if power == 1 else self._states.square

    def split(self, choice: Codes) -> Frontier:
        """Give each record the branches of what is named for the first time, then route."""
        newly = self._newly(choice)
        counted = self._counted.split(choice)
        truths = np.array([factor.shape[0] for factor in self.layout.factors], dtype=np.int64)
        by_node = np.bincount(self._rows.node, minlength=len(newly))
        if (newly * by_node[:, None] @ truths).sum() > MOST_BRANCH_ROWS:
            return counted
        first, parent = self._first_children(choice)
        first = first.astype(np.int32)
        rows, states = self._rows, self._states
        if (choice == CLOSED).any():
            rows = rows.take(np.flatnonzero(choice[rows.node] != CLOSED))
        # A node names one part at a level, so parts are unrolled side by side, not one in another.
        unrolled: list[Rows] = []
        for number in np.flatnonzero(newly.any(axis=0)).tolist():
            named = newly[rows.node, number]
            ones, states = self._unrolled(rows.take(np.flatnonzero(named)), states, number)
            unrolled.append(ones)
            rows = rows.take(np.flatnonzero(~named))
        rows = Rows.joined([rows, *unrolled])
        rows = rows._replace(node=first[rows.node] + self._codes(rows, states, choice[rows.node]))
        touched = (self._touched | newly)[parent]
        if states is not self._states:
            rows, states = _compact(rows, states)
        return RecordFrontier(self.layout, touched, self._one_hot, rows, states, counted)

    def _codes(self, rows: Rows, states: States, axis: AnyCodes) -> AnyCodes:
        """What each row stands for on one axis."""
        part = self.layout.part[axis]
        truth = states.truth[rows.state, part]
        code = self._one_hot.by_record[rows.record, axis].astype(np.int32)
        code ^= (truth == 1) & self.layout.flips[part]
        spread = np.flatnonzero((truth != UNTOUCHED) & ~self.layout.flips[part])
        if len(spread):
            code[spread] = self.layout.digits[axis[spread], truth[spread]]
        return code

    def _unrolled(self, rows: Rows, states: States, part: int) -> tuple[Rows, States]:
        """Let rows of this frontier's states stand for every signed truth of a part."""
        factors = self.layout.factors[part]
        truths, reports = factors.shape
        reported = self._reported(rows, part) if reports > 1 else np.int32(0)
        base = len(states.value)
        branches = [
            rows._replace(state=base + (rows.state * truths + truth) * reports + reported)
            for truth in range(truths)
        ]
        return Rows.joined(branches), states.followed_by(self._states.unrolled(factors, part))

    def _reported(self, rows: Rows, part: int) -> AnyCodes:
        """Number the report of a part, as its patterns are numbered."""
        reported = np.zeros(len(rows.record), dtype=np.int32)
        for column in self.layout.parts[part].columns:
            is_target = column == self.layout.target
            code = rows.label if is_target else self._one_hot.codes[column][rows.record]
            reported = reported * self.layout.sizes[column] + code
        return reported.astype(np.int32)


def _compact(rows: Rows, states: States) -> tuple[Rows, States]:
    """Forget rows without weight, and states that are the same or unused."""
    table = np.column_stack([states.value, states.square, states.truth])
    kept = np.flatnonzero((states.value != 0) & (np.bincount(rows.state, minlength=len(table)) > 0))
    distinct, number = np.unique(table[kept], axis=0, return_inverse=True)
    place = np.full(len(table), -1, dtype=np.int32)
    place[kept] = number.ravel()
    moved = place[rows.state]
    if (states.value == 0).any():
        weighty = np.flatnonzero(moved >= 0)
        rows, moved = rows.take(weighty), moved[weighty]
    found = States(distinct[:, 0], distinct[:, 1], distinct[:, 2:].astype(np.int64))
    return rows._replace(state=moved), found


def _stacked(columns: Sequence[NDArray[Any]], n: int) -> NDArray[Any]:
    return np.stack(columns) if len(columns) else np.zeros((0, n), dtype=np.uint8)
