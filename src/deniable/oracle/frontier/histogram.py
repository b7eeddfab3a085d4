"""Histograms of many columns at once: weights of rows added up by every value of every column.

The first value of a column is left out, being all the others' complement.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deniable.base.arrays import AnyCodes, Floats


class OneHot:
    """Codes of some columns, ``codes[column, row]``."""

    def __init__(self, codes: NDArray[Any], sizes: Sequence[int]) -> None:
        self.codes = codes
        self._sizes = sizes

    @cached_property
    def _floats(self) -> Floats:
        """1 where a row has a value ``[row, value]``."""
        found = np.empty((self.codes.shape[1], sum(size - 1 for size in self._sizes)))
        values = ((axis, v) for axis, size in enumerate(self._sizes) for v in range(1, size))
        for column, (axis, value) in enumerate(values):
            found[:, column] = self.codes[axis] == value
        return found

    def weighted(self, rows: AnyCodes, segment: AnyCodes, segments: int, weights: Floats) -> Floats:
        """Add up weights ``[segment, value]``; a row may be in one segment only."""
        from scipy.sparse import csc_array

        starts = np.zeros(self.codes.shape[1] + 1, dtype=np.int64)
        starts[1:][rows] = 1
        # One entry per row: by columns, the matrix is its entries as they stand.
        matrix = csc_array((weights, segment, np.cumsum(starts)), shape=(segments, len(starts) - 1))
        found: Floats = matrix @ self._floats
        return found
