"""Histograms of many columns at once: for segments of rows, how many have each value.

A record's values are written as one byte each, 1 where it has the value; the first value of a
column is left out, being all the others' complement. Sums of bytes are made eight at a time inside
machine words, in runs of at most 255 rows, so that no byte overflows.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deniable.base.arrays import AnyCodes, Floats

BYTES = 8
RUN = 255


class OneHot:
    """Codes of some columns, ``codes[column, row]``."""

    def __init__(self, codes: NDArray[Any], sizes: Sequence[int]) -> None:
        self.codes = codes
        self._sizes = sizes

    @cached_property
    def width(self) -> int:
        """How many values there are, the first of each column left out."""
        return sum(size - 1 for size in self._sizes)

    @cached_property
    def by_record(self) -> NDArray[Any]:
        """The codes of a record side by side."""
        return np.ascontiguousarray(self.codes.T)

    @cached_property
    def _bytes(self) -> NDArray[np.uint8]:
        wide = -(-self.width // BYTES) * BYTES
        found = np.zeros((wide, self.codes.shape[1]), dtype=np.uint8)
        values = ((axis, v) for axis, size in enumerate(self._sizes) for v in range(1, size))
        for column, (axis, value) in enumerate(values):
            np.equal(self.codes[axis], value, out=found[column].view(bool))
        return np.ascontiguousarray(found.T)

    @cached_property
    def _floats(self) -> Floats:
        return self._bytes[:, : self.width].astype(np.float64)

    def weighted(self, rows: AnyCodes, segment: AnyCodes, segments: int, weights: Floats) -> Floats:
        """Add up weights ``[segment, value]``; a row may be in one segment only."""
        from scipy.sparse import csc_array

        starts = np.zeros(self.codes.shape[1] + 1, dtype=np.int64)
        starts[1:][rows] = 1
        # One entry per row: by columns, the matrix is its entries as they stand.
        matrix = csc_array((weights, segment, np.cumsum(starts)), shape=(segments, len(starts) - 1))
        found: Floats = matrix @ self._floats
        return found

    def counted(self, rows: AnyCodes, segment: AnyCodes, segments: int) -> Floats:
        """Count rows ``[segment, value]``; a row may be in many segments."""
        from scipy.sparse import coo_array, csr_array

        entries = coo_array(
            (np.ones(len(rows), dtype=np.uint64), (segment.astype(np.int32), rows)),
            shape=(segments, self.codes.shape[1]),
        )
        entries.has_canonical_format = True  # a row drawn twice is counted twice
        ordered = entries.tocsr()
        lengths = np.diff(ordered.indptr)
        runs = -(-lengths // RUN)
        first = np.cumsum(runs) - runs
        starts = np.repeat(ordered.indptr[:-1], runs) + RUN * (
            np.arange(runs.sum()) - np.repeat(first, runs)
        )
        pointer = np.append(starts, len(rows)).astype(ordered.indptr.dtype)
        cut = csr_array(
            (ordered.data, ordered.indices, pointer), shape=(len(starts), self.codes.shape[1])
        )
        words = cut @ self._bytes.view(np.uint64)
        sums = np.ascontiguousarray(words).view(np.uint8).reshape(len(starts), -1)
        found = np.zeros((segments, self.width))
        filled = lengths > 0
        if filled.any():
            found[filled] = np.add.reduceat(
                sums[:, : self.width], first[filled], axis=0, dtype=np.int64
            )
        return found
