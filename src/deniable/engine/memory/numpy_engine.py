"""Counting in memory, by NumPy."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deniable.base.arrays import AnyCodes
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
        self._last: tuple[Columns, Keys] | None = None

    @property
    def n(self) -> int:
        """How many records there are."""
        return len(self.records)

    def codes(self, columns: Columns) -> tuple[Column, ...]:
        """Codes of every record, as they are held."""
        return self.records.select(self.schema.select(columns)).columns

    def chosen(self, rows: NDArray[Any]) -> "DrawnEngine":
        """Some of the records, by a mask or by number."""
        numbers = np.flatnonzero(rows) if rows.dtype == np.bool_ else rows
        return DrawnEngine(self, numbers.astype(np.min_scalar_type(-len(self.records))))

    def tabulate(self, column_sets: Sequence[Columns]) -> list[Tabulation]:
        """Count distinct records over each set of columns."""
        if self._narrow:
            whole = tally_keys(self.schema.names, self.schema.sizes, self.packed)
            return [whole.marginal(columns) for columns in column_sets]
        return [
            tally_keys(columns, self.schema.select(columns).sizes, self.keys(columns))
            for columns in column_sets
        ]

    @property
    def _narrow(self) -> bool:
        return prod(self.schema.sizes) <= DENSE_CELLS

    @cached_property
    def packed(self) -> Keys:
        """Every record as one number."""
        return pack(self.records.columns, self.schema.sizes, len(self.records))

    def keys(self, columns: Columns) -> Keys:
        """Number every record by its codes of some columns; kept, for records drawn from these."""
        kept = self._last
        if kept is None or kept[0] != columns:
            places = [self.schema.position(name) for name in columns]
            sizes = tuple(self.schema.sizes[place] for place in places)
            joint_size(sizes)
            chosen = [self.records.columns[place] for place in places]
            kept = self._last = columns, pack(chosen, sizes, len(self.records))
        return kept[1]


class DrawnEngine(HoldsRecords):
    """Some records of another engine, a fold or a sample: nothing is copied."""

    at_hand = True

    def __init__(self, whole: MemoryEngine, rows: AnyCodes) -> None:
        super().__init__(whole.schema)
        self.whole, self.rows = whole, rows

    @property
    def drawn(self) -> tuple[MemoryEngine, AnyCodes]:
        """All records, and which of them were drawn."""
        return self.whole, self.rows

    @property
    def n(self) -> int:
        """How many were drawn."""
        return len(self.rows)

    def codes(self, columns: Columns) -> tuple[Column, ...]:
        """Codes of every record that was drawn."""
        return tuple(column[self.rows] for column in self.whole.codes(columns))

    def chosen(self, rows: NDArray[Any]) -> "DrawnEngine":
        """Draw from those that were drawn."""
        return DrawnEngine(self.whole, self.rows[rows])

    def tabulate(self, column_sets: Sequence[Columns]) -> list[Tabulation]:
        """Count distinct records over each set of columns."""
        sizes = [self.schema.select(columns).sizes for columns in column_sets]
        return [
            tally_keys(columns, size, self.whole.keys(columns)[self.rows])
            for columns, size in zip(column_sets, sizes, strict=True)
        ]


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
