"""One verb: tabulate. An engine turns records into counts of distinct records.

Everything after that is independent of the number of records, and of where they are kept.
"""

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deniable.base.arrays import Codes
from deniable.base.errors import EstimateError
from deniable.base.extensions import Complete
from deniable.expression import digits, strides
from deniable.schema import Schema

DENSE_CELLS = 1 << 22
"""Joint domains up to this size are counted into an array, larger ones by sorting."""

BYTE_PAIRS = 1 << 16

LARGEST_DOMAIN = 1 << 62
"""A joint pattern must fit into one machine integer."""

Columns = tuple[str, ...]

Column = NDArray[np.unsignedinteger[Any]]
"""Codes of one attribute."""

Keys = NDArray[np.uint8] | Codes
"""Records as numbers; one byte each where that is enough."""


@dataclass(frozen=True, eq=False)
class Tabulation:
    """Distinct records over some columns, and how often each occurs.

    A record is a mixed-radix number, its key; ``keys`` is None where ``counts`` has a place for
    every possible key.
    """

    columns: Columns
    sizes: tuple[int, ...]
    keys: Codes | None
    counts: Codes

    @property
    def n(self) -> int:
        """How many records there are."""
        return int(self.counts.sum())

    def dense(self) -> Codes:
        """Give the counts as an array with an axis per column."""
        cells = self.counts
        if self.keys is not None:
            cells = np.zeros(prod(self.sizes), dtype=np.int64)
            cells[self.keys] = self.counts
        return cells.reshape(self.sizes)

    def occurring(self) -> tuple[Codes, Codes]:
        """Keys of records that occur, in ascending order, and their counts."""
        given = np.flatnonzero(self.counts)
        return given if self.keys is None else self.keys[given], self.counts[given]

    def marginal(self, columns: Columns) -> "Tabulation":
        """Count over fewer columns."""
        if columns == self.columns:
            return self
        if self.keys is None:
            return self._summed(columns)
        keys, counts = self.occurring()
        place = dict(zip(self.columns, strides(self.sizes), strict=True))
        size = dict(zip(self.columns, self.sizes, strict=True))
        sizes = tuple(size[name] for name in columns)
        kept = sum(
            (
                keys // place[name] % size[name] * step
                for name, step in zip(columns, strides(sizes), strict=True)
            ),
            start=np.zeros(len(keys), dtype=np.int64),
        )
        return tally_keys(columns, sizes, kept, counts)

    def _summed(self, columns: Columns) -> "Tabulation":
        """Add up an array's cells along the axes that are left out, the slowest varying first."""
        cells, before = self.counts, 1
        axes = list(zip(self.columns, self.sizes, strict=True))
        for kept, run in groupby(axes, lambda axis: axis[0] in columns):
            size = prod(size for _, size in run)
            if kept:
                before *= size
            else:
                cells = _added(cells.reshape(before, size, -1))
        left = dict(axis for axis in axes if axis[0] in columns)
        order = [list(left).index(name) for name in columns]
        cells = cells.reshape(list(left.values())).transpose(order)
        return Tabulation(columns, cells.shape, None, cells.ravel())

    @classmethod
    def merged(cls, parts: Iterable["Tabulation"]) -> "Tabulation":
        """Add up the tabulations of batches."""
        pieces = list(parts)
        first = pieces[0]
        if len(pieces) == 1:
            return first
        if all(piece.keys is None for piece in pieces):
            counts = np.sum([piece.counts for piece in pieces], axis=0)
            return cls(first.columns, first.sizes, None, counts)
        keys = np.concatenate([piece.keys for piece in pieces if piece.keys is not None])
        counts = np.concatenate([piece.counts for piece in pieces])
        return tally_keys(first.columns, first.sizes, keys, counts)


def _added(cells: Codes) -> Codes:
    """Add up along the middle axis, half to half: rows of a few cells would be slow to add up."""
    before, size, after = cells.shape
    while size > 1 and size % 2 == 0:
        size //= 2
        halves = cells.reshape(before, 2, size * after)
        cells = (halves[:, 0] + halves[:, 1]).reshape(before, size, after)
    found: Codes = cells[:, 0] if size == 1 else cells.sum(axis=1)
    return found


class Engine(Complete):
    """Where records are: all that oracles know of it. It needs a schema and one verb."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        """The attributes that can be counted."""

    @abstractmethod
    def tabulate(self, column_sets: Sequence[Columns]) -> list[Tabulation]:
        """Count distinct records over each set of columns, in one pass where that is possible.

        A tabulation has the columns in the order asked for, the sizes of their domains, and keys in
        ascending order (`tally_keys` makes one); over no columns it counts all records. A value
        that the schema does not have is a DataError that names it: it is never left out.
        """

    @property
    def at_hand(self) -> bool:
        """Whether records or counts are in memory, so that asking again costs little."""
        return False

    @property
    def most_cells(self) -> int:
        """Cells of the largest joint table that is cheaper than many questions about parts."""
        return DENSE_CELLS

    @property
    def n(self) -> int:
        """How many records there are."""
        return self.tabulate([()])[0].n

    def codes(self, columns: Columns) -> tuple[Column, ...]:
        """Codes of every record, an array per column; records in any order, but in the same."""
        (table,) = self.tabulate([columns])
        return coded(np.repeat(*table.occurring()), table.sizes)


class HoldsRecords(Engine):
    """An engine with each record in memory, however wide: for what counts are too many for."""

    @abstractmethod
    def codes(self, columns: Columns) -> tuple[Column, ...]:
        """Codes of every record, without counting them."""

    @abstractmethod
    def chosen(self, rows: NDArray[Any]) -> "HoldsRecords":
        """Some of the records, by a mask or by number; one that is named twice is there twice."""

    @property
    def drawn(self) -> "tuple[HoldsRecords, NDArray[Any]] | None":
        """The records that these are some of, and which, by number; nothing if they are all."""
        return None


def tally_keys(
    columns: Columns,
    sizes: tuple[int, ...],
    keys: Keys,
    counts: Codes | None = None,
) -> Tabulation:
    """Count keys: into an array while the joint domain is small, by sorting otherwise."""
    domain = joint_size(sizes)
    if domain <= DENSE_CELLS:
        if counts is None:
            dense = _histogram(keys, domain)
        else:
            # Weights are added as floats, which are exact up to 2^53 records.
            dense = np.bincount(keys, counts, minlength=domain).astype(np.int64)
        return Tabulation(columns, sizes, None, dense)
    if counts is None:
        distinct, totals = np.unique(keys.astype(np.int64, copy=False), return_counts=True)
    else:
        distinct, place = np.unique(keys.astype(np.int64, copy=False), return_inverse=True)
        totals = np.bincount(place, counts, minlength=len(distinct)).astype(np.int64)
    return Tabulation(columns, sizes, distinct, totals)


def _histogram(keys: Keys, domain: int) -> Codes:
    """Count keys; those of one byte two at a time, which halves the passes through memory."""
    if keys.dtype != np.uint8 or len(keys) < BYTE_PAIRS:
        return np.bincount(keys, minlength=domain)
    even = len(keys) // 2 * 2
    pairs = np.bincount(keys[:even].view(np.uint16), minlength=BYTE_PAIRS).reshape(256, 256)
    counts: Codes = pairs.sum(axis=0) + pairs.sum(axis=1)
    counts[keys[even:]] += 1
    return counts[:domain]


def coded(keys: Codes, sizes: Sequence[int]) -> tuple[Column, ...]:
    """Codes of records that are given as keys, an array per column."""
    return tuple(c.astype(code_type(s)) for c, s in zip(digits(keys, sizes), sizes, strict=True))


def joint_size(sizes: Sequence[int]) -> int:
    """How many joint patterns there are, if they can be numbered."""
    domain = prod(sizes)
    if domain > LARGEST_DOMAIN:
        raise EstimateError(
            f"One question names {len(sizes)} attributes with {float(domain):.1g} joint patterns.",
            hint="Ask about fewer attributes at once.",
        )
    return domain


def code_type(size: int) -> type[np.unsignedinteger[Any]]:
    """Pick the smallest type that holds a domain's codes."""
    if size <= 1 << 8:
        return np.uint8
    return np.uint16 if size <= 1 << 16 else np.uint32
