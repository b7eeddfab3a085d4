"""Distinct reports of one group, and their weights by what of a path they match.

Through related, unrelated and keep-or-uniform groups a report's weight in a conjunction depends on
*which* of the named answers it matches, and not on what it says instead. So the weights of a path
of m terms are a table of 2^m numbers, and so are the sums of whatever reports match alike.
"""

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deniable.base.arrays import AnyCodes, Codes, Floats
from deniable.channel.terms import by_positions
from deniable.engine.engine import LARGEST_DOMAIN
from deniable.expression import ANY, distinct_patterns, strides
from deniable.oracle.frontier.routed_frontier import GroupInUse

MOST_MATCHED = 10
"""Attributes of one group in a path; each doubles the table of its weights."""

MOST_ENTRIES = 1 << 21
"""Reports times paths times attributes that are added up at once."""


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

    def summed(self, paths: Codes, axes: Sequence[int], weights: Floats) -> list[Floats]:
        """Add up ``weights[path, report, column]`` by what is matched and what an axis says.

        ``[path, matches, value, column]`` for each of the axes; paths name the same attributes.
        """
        from scipy.sparse import csc_array

        positions = np.flatnonzero(paths[0] != ANY)
        matches = self._matches(paths, positions)
        matches += (np.arange(len(paths), dtype=np.int32) << len(positions))[:, None]
        columns = weights.reshape(matches.size, -1)
        together = max(1, MOST_ENTRIES // matches.size)
        found = []
        for start in range(0, len(axes), together):
            some = axes[start : start + together]
            sizes = np.array(self.channel.sizes)[some]
            cells = len(paths) * (sizes << len(positions))
            first = np.cumsum(cells) - cells
            cell = np.empty((*matches.shape, len(some)), dtype=np.int32)
            for place, axis in enumerate(some):
                np.multiply(matches, sizes[place], out=cell[:, :, place], casting="same_kind")
                cell[:, :, place] += self.codes[axis] + first[place].astype(np.int32)
            pointer = np.arange(0, cell.size + 1, len(some), dtype=np.int32)
            matrix = csc_array(
                (np.ones(cell.size), cell.ravel(), pointer), shape=(cells.sum(), matches.size)
            )
            parts = np.split(matrix @ columns, first[1:])
            shapes = [(len(paths), 1 << len(positions), size, -1) for size in sizes.tolist()]
            found += [part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)]
        return found

    def crossed(self, paths: Codes, axis: int, sums: Floats) -> Floats:
        """Turn sums ``[path, matches, value, class, power]`` into those of the true values.

        All paths name the same attributes; `summed` has added up the rest of the weights.
        """
        size = self.channel.sizes[axis]
        if len(self.columns) == 1:
            inverse = np.stack([self._inverse, self._inverse**2])
            alone: Floats = np.einsum("pvu,nucp->nvcp", inverse, sums[:, 0])
            return alone
        named = np.repeat(paths, size, axis=0)
        named[:, axis] = np.tile(np.arange(size), len(paths))
        weights = self._by_matches(named)
        place = int((paths[0, :axis] != ANY).sum())
        shape = (len(paths), size) if len(weights) > 1 else (1, 1)
        bits = weights.reshape(*shape, 1 << place, 2, -1)
        miss, hit = (bits[:, :, :, way].reshape(*shape, -1) for way in (0, 1))
        everyone, found = sums.sum(axis=2), []
        for power in (0, 1):
            if power:
                miss, hit = miss**2, hit**2
            missed = np.einsum("nvm,nmc->nvc", miss, everyone[..., power])
            found.append(missed + np.einsum("nvm,nmvc->nvc", hit - miss, sums[..., power]))
        return np.stack(found, axis=-1)

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
