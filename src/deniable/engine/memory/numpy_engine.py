"""Counting in memory, by NumPy."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deniable.engine.engine import (
    DENSE_CELLS,
    Column,
    Columns,
    HoldsRecords,
    Keys,
    Tabulation,
    code_type,
    joint_size,
    tally_keys,
)
from deniable.engine.memory.records import Records


class MemoryEngine(HoldsRecords):
    """Records as arrays of codes.

    Narrow records (a joint domain of up to 2^22 patterns) are packed once, so that each pass over
    them is one `numpy.bincount`.
    """

    at_hand = True

    def __init__(self, records: Records) -> None:
        super().__init__(records.schema)
        self.records = records

    @property
    def n(self) -> int:
        """How many records there are."""
        return len(self.records)

    def codes(self, columns: Columns) -> tuple[Column, ...]:
        """Codes of every record, as they are held."""
        return self.records.select(self.schema.select(columns)).columns

    def chosen(self, rows: NDArray[Any]) -> "MemoryEngine":
        """Some of the records, by a mask or by number."""
        return MemoryEngine(self.records.among(rows))

    def tabulate(self, column_sets: Sequence[Columns]) -> list[Tabulation]:
        """Count distinct records over each set of columns."""
        if self._narrow:
            whole = tally_keys(self.schema.names, self.schema.sizes, self.packed)
            return [whole.marginal(columns) for columns in column_sets]
        return [self._tabulate(columns) for columns in column_sets]

    @property
    def _narrow(self) -> bool:
        return prod(self.schema.sizes) <= DENSE_CELLS

    @cached_property
    def packed(self) -> Keys:
        """Every record as one number."""
        return pack(self.records.columns, self.schema.sizes, len(self.records))

    def _tabulate(self, columns: Columns) -> Tabulation:
        places = [self.schema.position(name) for name in columns]
        sizes = tuple(self.schema.sizes[place] for place in places)
        joint_size(sizes)
        chosen = [self.records.columns[place] for place in places]
        return tally_keys(columns, sizes, pack(chosen, sizes, len(self.records)))


def pack(columns: Sequence[NDArray[Any]], sizes: Sequence[int], n: int) -> Keys:
    """Number joint patterns, the last column varying fastest.

    Columns are gathered in the fewest bytes that hold their joint patterns, which moves less
    memory; only the result is widened, and not even that while it fits into one byte.
    """
    keys: Keys | None = None
    for run in _runs(sizes):
        patterns = prod(sizes[place] for place in run)
        part = columns[run.start].astype(code_type(patterns), copy=len(run) > 1)
        for place in run[1:]:
            part *= part.dtype.type(sizes[place])
            part += columns[place]
        keys = part if keys is None else keys.astype(np.int64) * patterns + part
    if keys is None:
        return np.zeros(n, dtype=np.uint8)
    return keys if keys.dtype == np.uint8 else keys.astype(np.int64, copy=False)


def _runs(sizes: Sequence[int]) -> Iterator[range]:
    """Cut the columns into runs whose joint patterns fit into 16 bits, if a single one does."""
    start, patterns = 0, 1
    for place, size in enumerate(sizes):
        if place > start and patterns * size > 1 << 16:
            yield range(start, place)
            start, patterns = place, 1
        patterns *= size
    if sizes:
        yield range(start, len(sizes))
