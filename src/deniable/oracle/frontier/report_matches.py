"""Distinct reports of one group, and their weights by what of a path they match.

Through related, unrelated and keep-or-uniform groups a report's weight in a conjunction depends on
*which* of the named answers it matches, and not on what it says instead. So the weights of a path
of m terms are a table of 2^m numbers, and so are the sums of whatever reports match alike.
"""

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deniable.base.arrays import AnyCodes, Codes, Floats
from deniable.channel.channel import BINARY, patterns
from deniable.channel.terms import by_positions
from deniable.engine.engine import LARGEST_DOMAIN
from deniable.expression import ANY, distinct_patterns, strides
from deniable.oracle.frontier.routed_frontier import GroupInUse

MOST_MATCHED = 10
"""Attributes of one group in a path; each doubles the table of its weights."""

MOST_ENTRIES = 1 << 19
"""Reports times paths that are added up at once."""

MOST_TOGETHER, FEWER = 1 << 7, 2
"""Joint patterns of attributes that are added up together first: at most so many, and at least so
many reports for each."""


def matches_tell(part: GroupInUse) -> bool:
    """Whether a report's weight is known from which answers of a path it matches."""
    channel = part.channel
    if len(part.columns) == 1:
        return True  # a table of its own
    named = np.full((1, len(part.columns)), ANY)
    named[0, 0] = 0
    return prod(channel.sizes) <= LARGEST_DOMAIN and channel.by_matches(named) is not None


class ReportMatches:
    """The reports of one group: each record's number among the distinct ones."""

    def __init__(self, part: GroupInUse, columns: Sequence[NDArray[Any]]) -> None:
        self.columns, self.channel = list(part.columns), part.channel
        codes = np.stack(columns).astype(np.int64)
        keys = np.array(strides(part.channel.sizes)) @ codes
        _, first, number = np.unique(keys, return_index=True, return_inverse=True)
        self.number = number.astype(np.int32)
        """Of each record."""
        self.codes = codes[:, first].astype(np.int32)
        """``[attribute, report]``."""

    def __len__(self) -> int:
        return int(self.codes.shape[1])

    def place(self, column: int) -> int:
        """Where a column stands in the group."""
        return self.columns.index(column)

    def weights(self, paths: Codes) -> Floats:
        """``w(r; path)``: ``[report, path]``."""
        alike, number = distinct_patterns(paths, self.channel.sizes)
        found = np.ones((len(self), len(alike)))
        for rows, positions in by_positions(alike):
            if len(self.columns) == 1 and positions:
                found[:, rows] = self._inverse[alike[rows, 0]][:, self.codes[0]].T
            elif positions:
                weights = self._by_matches(alike[rows])
                which = np.arange(len(weights))[:, None]
                found[:, rows] = weights[which, self._matches(alike[rows], positions)].T
        return np.take(found, number, axis=1)

    def summed(
        self,
        paths: Codes,
        axes: Sequence[int],
        label: int | None,
        weights: Floats,
        owner: Codes,
    ) -> list[Floats]:
        """Add up ``weights[owner, report, class, power]`` by what is matched and what an axis says.

        ``[path, matches, value, class, power]`` for each of the axes; paths name the same
        attributes. Where the class is the group's attribute ``label``, it is what the report says.
        """
        positions = np.flatnonzero(paths[0] != ANY)
        alike = 1 << len(positions)
        if label is not None:
            alike *= self.channel.sizes[label]
        largest = max(self.channel.sizes[axis] for axis in axes)
        step = max(1, MOST_ENTRIES // max(len(self), alike * largest))
        blocks = self._blocks(axes, min(MOST_TOGETHER, len(self) // (FEWER * alike)))
        parts = []
        for start in range(0, len(paths), step):
            some = slice(start, start + step)
            cell = self._matches(paths[some], positions)
            if label is not None:
                cell = cell * self.channel.sizes[label] + self.codes[label]
            columns = weights[owner[some]].reshape(cell.size, -1)
            tables = [self._added(cell, alike, block, columns) for block in blocks]
            parts.append([table for of_block in tables for table in of_block])
        found = [np.concatenate(each) for each in zip(*parts, strict=True)]
        classes = weights.shape[2] if label is None else self.channel.sizes[label]
        return [self._by_class(table, classes, label) for table in found]

    def _blocks(self, axes: Sequence[int], most: int) -> list[list[int]]:
        """Axes, in order, that are added up at once: joint patterns must be few."""
        found: list[list[int]] = []
        room = 0
        for axis in axes:
            size = self.channel.sizes[axis]
            if size > room:
                found.append([])
                room = most
            found[-1].append(axis)
            room //= size
        return found

    def _added(
        self, cell: AnyCodes, alike: int, block: Sequence[int], columns: Floats
    ) -> Iterator[Floats]:
        """Add up by cells and joint patterns, then by attribute ``[path, alike, value, sum]``."""
        from scipy.sparse import csc_array

        sizes = [self.channel.sizes[axis] for axis in block]
        pattern = np.array(strides(sizes), dtype=np.int32) @ self.codes[list(block)]
        numbers = cell + np.arange(0, alike * len(cell), alike, dtype=np.int32)[:, np.newaxis]
        numbers = numbers * prod(sizes) + pattern
        pointer = np.arange(cell.size + 1, dtype=np.int32)
        matrix = csc_array(
            (np.ones(cell.size), numbers.ravel(), pointer),
            shape=(len(cell) * alike * prod(sizes), cell.size),
        )
        sums = matrix @ columns
        for place, size in enumerate(sizes):
            before, after = prod(sizes[:place]), prod(sizes[place + 1 :])
            shape = (len(cell), alike, before, size, after, -1)
            yield sums.reshape(shape).sum(axis=(2, 4))

    @staticmethod
    def _by_class(table: Floats, classes: int, label: int | None) -> Floats:
        """``[path, matches, value, class, power]``."""
        paths, alike, size, _ = table.shape
        if label is None:
            return table.reshape(paths, alike, size, classes, 2)
        return table.reshape(paths, -1, classes, size, 2).swapaxes(2, 3)

    def crossed(self, paths: Codes, axis: int, label: int | None, sums: Floats) -> Floats:
        """Turn sums by match into those of true values ``[path, value, class, power]``.

        All paths name the same attributes; `summed` has added up the rest of the weights. A report
        weighs what it does whatever it says, and more or less where that is the value asked for.
        """
        size = self.channel.sizes[axis]
        if len(self.columns) == 1:
            inverse = np.stack([self._inverse, self._inverse**2])
            alone: Floats = np.einsum("pvu,nucp->nvcp", inverse, sums[:, 0])
            return alone
        asked = [axis] if label is None else [axis, label]
        shape = [self.channel.sizes[each] for each in asked]
        named = np.repeat(paths, prod(shape), axis=0)
        named[:, asked] = np.tile(patterns(shape), (len(paths), 1))
        weights = self._by_matches(named)
        lead = [len(paths), *shape] if len(weights) > 1 else [1, *[1] * len(shape)]
        places = np.searchsorted(np.flatnonzero(named[0] != ANY), asked)
        bits = weights.reshape(*lead, *[BINARY] * int((named[0] != ANY).sum()))
        bits = np.moveaxis(bits, len(lead) + places, range(len(asked)))
        bits = bits.reshape(*[BINARY] * len(asked), *lead, -1)
        found = np.zeros((len(paths), size, sums.shape[3], 2))
        for power in (0, 1):
            added = sums[..., power]  # [path, matches, value, class]
            by_value = [added.sum(axis=2, keepdims=True), added]
            hit = bits ** (power + 1)
            for way, of_value in enumerate(by_value):
                if label is None:
                    weight = hit[way] - hit[0] if way else hit[0]
                    found[..., power] += np.einsum("nvm,nmvc->nvc", weight, of_value)
                    continue
                everyone = of_value.sum(axis=3, keepdims=True)
                miss, match = (hit[1, to] - hit[0, to] if way else hit[0, to] for to in (0, 1))
                found[..., power] += np.einsum("nvcm,nmvc->nvc", miss, everyone)
                found[..., power] += np.einsum("nvcm,nmvc->nvc", match - miss, of_value)
        return found

    @property
    def _inverse(self) -> Floats:
        return self.channel.undo(np.eye(self.channel.sizes[0]))

    def _by_matches(self, codes: Codes) -> Floats:
        weights = self.channel.by_matches(codes)
        assert weights is not None  # asked for before
        return weights

    def _matches(self, paths: Codes, positions: Sequence[int] | Codes) -> AnyCodes:
        """Which of the named attributes each report matches ``[path, report]``, as a number."""
        found = np.zeros((len(paths), len(self)), dtype=np.int32)
        for position in positions:
            found <<= 1
            found |= self.codes[position] == paths[:, position, None]
        return found
