"""Routing every record down a tree, through the branches of its signed truths.

A record of yes/no related groups is followed as reported and flipped in each group that a path
names: at most 2^groups branches of a level. A record of a one-attribute group goes to every child,
with the weights of C⁻¹.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deniable.oracle.base import Floats
from deniable.oracle.frontier import CLOSED
from deniable.oracle.histogram import OneHot
from deniable.oracle.routing import PUBLIC, Layout, RoutedFrontier

Codes = NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class States:
    """Signs that records carry: few different ones, whatever the number of records."""

    value: Floats
    square: Floats
    flipped: NDArray[np.bool_]
    """``[state, part]``: whether the record stands for its opposite there; last, a column for what
    is public, so that PUBLIC = −1 reads False."""

    def grown(self, factor: Floats, flip: int | None = None) -> "States":
        """Multiply every state by every factor: state s and factor f become s·len + f."""
        many = len(factor)
        flipped = np.repeat(self.flipped, many, axis=0)
        if flip is not None:
            flipped[:, flip] = np.tile([False, True], len(self.value))
        return States(
            np.outer(self.value, factor).ravel(), np.outer(self.square, factor**2).ravel(), flipped
        )

    def followed_by(self, other: "States") -> "States":
        """Append other states."""
        return States(
            np.concatenate([self.value, other.value]),
            np.concatenate([self.square, other.square]),
            np.concatenate([self.flipped, other.flipped]),
        )


@dataclass(frozen=True, eq=False)
class Rows:
    """Records in branches: a record's number, its node, class and state."""

    record: Codes
    node: Codes
    label: Codes
    state: Codes

    def take(self, chosen: Codes) -> "Rows":
        """Keep some rows, by number."""
        return Rows(*(getattr(self, name)[chosen] for name in ("record", "node", "label", "state")))

    @classmethod
    def joined(cls, parts: Sequence["Rows"]) -> "Rows":
        """Put rows together."""
        if len(parts) == 1:
            return parts[0]
        return cls(
            *(
                np.concatenate([getattr(part, name) for part in parts])
                for name in ("record", "node", "label", "state")
            )
        )


class RecordFrontier(RoutedFrontier):
    """Every record is a row for each of its signed truths; all parts must route records."""

    def __init__(
        self,
        layout: Layout,
        touched: NDArray[np.bool_],
        one_hot: OneHot,
        rows: Rows,
        states: States,
    ) -> None:
        super().__init__(layout, touched)
        self._one_hot, self._rows, self._states = one_hot, rows, states

    @classmethod
    def root(cls, layout: Layout, codes: Sequence[NDArray[Any]]) -> "RecordFrontier":
        """Begin with every record, as reported."""
        one_hot = OneHot(
            np.stack(codes[:-1]) if len(codes) > 1 else np.zeros((0, len(codes[0])), np.uint8),
            layout.sizes[:-1],
        )
        label = codes[-1].astype(np.int32)
        nowhere = np.zeros(len(label), dtype=np.int32)
        rows = Rows(np.arange(len(label), dtype=np.int32), nowhere, label, nowhere)
        states = States(np.ones(1), np.ones(1), np.zeros((1, len(layout.parts) + 1), dtype=bool))
        touched = np.zeros((1, len(layout.parts)), dtype=bool)
        start = cls(layout, touched, one_hot, rows, states)
        part = layout.part[layout.target]
        if part == PUBLIC:
            return start
        touched[0, part] = True
        everywhere = (np.arange(len(label)), np.zeros(0, dtype=np.int64))
        if layout.parts[part].flips:
            rows, states = start._flipped(rows, states, everywhere, part)
            rows = replace(rows, label=rows.label ^ states.flipped[rows.state, part])
        else:
            rows, states = start._spread(rows, states, rows.label, layout.target)
            rows = replace(rows, label=rows.node, node=np.zeros_like(rows.node))
        return cls(layout, touched, one_hot, *_compact(rows, states))

    @cached_property
    def _segment(self) -> Codes:
        many = len(self._states.value)
        return (self._rows.node * self.layout.classes + self._rows.label) * many + self._rows.state

    @cached_property
    def _counts(self) -> Floats:
        """How many rows each node, class and state has."""
        shape = (len(self._touched), self.layout.classes, len(self._states.value))
        return np.bincount(self._segment, minlength=prod(shape)).reshape(shape).astype(np.float64)

    @cached_property
    def _ones_by_state(self) -> Floats:
        """The same for every value but the first of every axis, flipped where the state says so."""
        nodes, classes, states = self._counts.shape
        found = self._one_hot.counted(self._rows.record, self._segment, self._counts.size)
        ones = found.reshape(nodes, classes, states, -1)
        column = 0
        for axis, size in enumerate(self.layout.sizes[:-1]):
            part = self.layout.part[axis]
            if part != PUBLIC:
                flipped = np.flatnonzero(self._states.flipped[:, part])
                ones[:, :, flipped, column] = (
                    self._counts[:, :, flipped] - ones[:, :, flipped, column]
                )
            column += size - 1
        return ones

    def _totals(self, power: int) -> Floats:
        totals: Floats = self._counts @ self._factor(power)
        return totals

    def _ones(self, power: int) -> Floats:
        ones: Floats = np.einsum("ncsv,s->ncv", self._ones_by_state, self._factor(power))
        return ones

    def _factor(self, power: int) -> Floats:
        return self._states.value if power == 1 else self._states.square

    def split(self, choice: NDArray[np.int64]) -> "RecordFrontier":
        """Give each record the branches of what is named for the first time, then route."""
        newly = self._newly(choice)
        first, parent = self._first_children(choice)
        first = first.astype(np.int32)
        rows, states = self._rows, self._states
        done: list[Rows] = []
        if (choice == CLOSED).any():
            rows = rows.take(np.flatnonzero(choice[rows.node] != CLOSED))
        for number in np.flatnonzero(newly.any(axis=0)).tolist():
            named = newly[rows.node, number]
            here, others = np.flatnonzero(named), np.flatnonzero(~named)
            part = self.layout.parts[number]
            if part.flips:
                rows, states = self._flipped(rows, states, (here, others), number)
            else:
                column, ones = part.columns[0], rows.take(here)
                reported = self._one_hot.codes[column][ones.record]
                spread, states = self._spread(ones, states, reported, column)
                child = np.tile(first[ones.node], self.layout.sizes[column]) + spread.node
                done.append(replace(spread, node=child))
                rows = rows.take(others)
        axis = choice[rows.node]
        code = self._one_hot.by_record[rows.record, axis].astype(np.int32)
        code ^= states.flipped[rows.state, self.layout.part[axis]]
        rows = Rows.joined([*done, replace(rows, node=first[rows.node] + code)])
        touched = (self._touched | newly)[parent]
        if states is not self._states:
            rows, states = _compact(rows, states)
        return RecordFrontier(self.layout, touched, self._one_hot, rows, states)

    def _flipped(
        self, rows: Rows, states: States, chosen: tuple[Codes, Codes], part: int
    ) -> tuple[Rows, States]:
        """Let some rows stand for their report and for its opposite."""
        column = self.layout.parts[part].columns[0]
        match, clash = self.layout.inverse[column][:, 0]
        here, others = chosen
        ones, base = rows.take(here), len(states.value)
        as_is = replace(ones, state=base + 2 * ones.state)
        opposite = replace(ones, state=as_is.state + 1)
        grown = states.followed_by(states.grown(np.array([match, clash]), flip=part))
        return Rows.joined([rows.take(others), as_is, opposite]), grown

    def _spread(
        self, rows: Rows, states: States, reported: Codes, column: int
    ) -> tuple[Rows, States]:
        """Let rows stand for every value of one column; ``node`` becomes that value."""
        size, base = self.layout.sizes[column], len(states.value)
        factors = self.layout.inverse[column].ravel()  # [truth, report]
        branches = [
            replace(
                rows,
                node=np.full_like(rows.node, value),
                state=base + rows.state * len(factors) + (value * size + reported).astype(np.int32),
            )
            for value in range(size)
        ]
        return Rows.joined(branches), states.followed_by(states.grown(factors))


def _compact(rows: Rows, states: States) -> tuple[Rows, States]:
    """Forget rows without weight, and states that are the same or unused."""
    table = np.column_stack([states.value, states.square, states.flipped])
    kept = np.flatnonzero((states.value != 0) & (np.bincount(rows.state, minlength=len(table)) > 0))
    distinct, number = np.unique(table[kept], axis=0, return_inverse=True)
    place = np.full(len(table), -1, dtype=np.int32)
    place[kept] = number.ravel()
    moved = place[rows.state]
    if (states.value == 0).any():
        weighty = np.flatnonzero(moved >= 0)
        rows, moved = rows.take(weighty), moved[weighty]
    found = States(distinct[:, 0], distinct[:, 1], distinct[:, 2:].astype(bool))
    return replace(rows, state=moved), found


def _stacked(columns: Sequence[NDArray[Any]], n: int) -> NDArray[Any]:
    return np.stack(columns) if len(columns) else np.zeros((0, n), dtype=np.uint8)
