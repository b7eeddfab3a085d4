"""Plain counts of many conjunctions at once, from tabulated reports.

Only columns in play are tabulated. While their joint domain is small, they are tabulated together
and every axis gets a place for "left open": then a conjunction's count is read off one cell. A
yes/no attribute keeps two places (open, yes); *no* is open minus yes. Otherwise each set of columns
that some conjunction names is tabulated by itself.
"""

from collections.abc import Sequence
from functools import cached_property
from math import prod

import numpy as np

from deniable.base.arrays import Codes, Mask
from deniable.base.errors import EstimateError
from deniable.channel.channel import BINARY
from deniable.engine.engine import (
    LARGEST_DOMAIN,
    Column,
    Columns,
    Engine,
    Tabulation,
    coded,
    joint_size,
)
from deniable.expression import ANY, strides

OPEN_CELLS = 1 << 20
"""Largest table that is opened on every axis."""

FEW_TALLY_CELLS = 1 << 12
"""The same where records are far away: a larger one is slow to make and to fetch."""

FAR_FEWER = 8
"""Records for each cell that is fetched from far away."""

KEPT_COUNTS = 1 << 24
"""Counts that are kept for later questions; beyond that, tables are made anew."""

CELLS_PER_RECORD = 8
"""Cells that are added up again in the time in which a record is counted again."""

MOST_NOES = 6
"""Yes/no attributes asked for "no" in one conjunction; each doubles the cells that are read."""

WORD_BITS = 62
"""Columns whose names fit into one machine integer."""

Part = tuple[Columns, Codes]
"""Columns, and rows of codes for them."""


class Tally:
    """Counts over one engine; reads the records once for all questions about the same columns."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._sizes = dict(zip(engine.schema.names, engine.schema.sizes, strict=True))
        self._cache: dict[Columns, Tabulation] = {}
        self._kept = 0
        """Counts in the cache: adding them up for each question would make many questions slow."""

        self._opened: _Opened | None = None
        self._joint: Tabulation | None = None

    @cached_property
    def n(self) -> int:
        """How many records there are."""
        if self._opened is not None:
            return self._opened.table.n
        if self._cache:
            return next(iter(self._cache.values())).n
        return self.engine.n

    def require_reports(self) -> int:
        """How many reports there are; there must be some."""
        if self.n == 0:
            raise EstimateError("There are no reports.", hint="Collect some first.")
        return self.n

    def count(self, parts: Sequence[Part]) -> list[Codes]:
        """Count the records that satisfy each row of codes, for parts with columns of their own."""
        named = {name for columns, _ in parts for name in columns}
        opened = self._open(tuple(name for name in self._sizes if name in named))
        if opened is None:
            return self._count_by_columns(parts)
        counted = [opened.count(columns, codes) for columns, codes in parts]
        many = [
            (columns, codes[~few])
            for (columns, codes), (_, few) in zip(parts, counted, strict=True)
        ]
        if any(len(codes) for _, codes in many):
            others = self._count_by_columns(many)
            for (counts, few), other in zip(counted, others, strict=True):
                counts[~few] = other
        return [counts for counts, _ in counted]

    def table(self, columns: Columns) -> Codes:
        """Give the joint table of reports, an axis per column."""
        self._joint = self.tabulation(columns)
        return self._joint.dense()

    def tabulation(self, columns: Columns) -> Tabulation:
        """Give the distinct reports, and how often each occurs."""
        return self._tabulated([columns])[0]

    def reports(self, columns: Columns) -> tuple[tuple[Column, ...], Codes]:
        """Give codes of reports, an array per column, and how often each occurs.

        Those that are alike are one, if they can be numbered.
        """
        sizes = [self._sizes[name] for name in columns]
        if prod(sizes) > LARGEST_DOMAIN:
            codes = self.engine.codes(columns)
            return codes, np.ones(len(codes[0]), dtype=np.int64)
        keys, counts = self.tabulation(columns).occurring()
        return coded(keys, sizes), counts

    def _open(self, columns: Columns) -> "_Opened | None":
        """A table that holds these columns, opened on every axis, if that is small enough."""
        if self._opened is None or not set(columns) <= set(self._opened.table.columns):
            before = () if self._opened is None else self._opened.table.columns
            most = OPEN_CELLS if self.engine.at_hand else min(FEW_TALLY_CELLS, self.n // FAR_FEWER)
            for wanted in ({*columns, *before}, set(columns)):
                names = tuple(name for name in self._sizes if name in wanted)
                if prod(_places(self._sizes[name]) for name in names) <= most:
                    self._opened = _Opened(self.tabulation(names))
                    return self._opened
            return None
        return self._opened

    def _count_by_columns(self, parts: Sequence[Part]) -> list[Codes]:
        """Count by the columns that each conjunction names, all of them in one question."""
        cut = []
        for columns, codes in parts:
            masks, group = distinct_rows(codes != ANY)
            places = [np.flatnonzero(mask) for mask in masks]
            cut.append((places, group, [tuple(columns[i] for i in place) for place in places]))
        asked = list(dict.fromkeys(named for *_, sets in cut for named in sets))
        tables = dict(zip(asked, self._tabulated(asked), strict=True))
        found = []
        for (_, codes), (places, group, sets) in zip(parts, cut, strict=True):
            counts = np.empty(len(codes), dtype=np.int64)
            for index, (place, named) in enumerate(zip(places, sets, strict=True)):
                rows = np.flatnonzero(group == index)
                steps = np.array(strides(tables[named].sizes), dtype=np.int64)
                counts[rows] = _look_up(tables[named], codes[np.ix_(rows, place)] @ steps)
            found.append(counts)
        return found

    def _tabulated(self, column_sets: list[Columns]) -> list[Tabulation]:
        for columns in column_sets:
            joint_size([self._sizes[name] for name in columns])
        missing = [columns for columns in column_sets if columns not in self._cache]
        held = self._held({name for columns in missing for name in columns})
        if held is not None:
            found = [held.marginal(columns) for columns in missing]
        else:
            found = self.engine.tabulate(missing) if missing else []
        fresh = dict(zip(missing, found, strict=True))
        known = {columns: self._cache[columns] for columns in column_sets if columns not in fresh}
        if self._kept > KEPT_COUNTS:
            self._cache.clear()
            self._kept = 0
        self._cache.update(fresh)
        self._kept += sum(len(table.counts) for table in fresh.values())
        return [fresh.get(columns) or known[columns] for columns in column_sets]

    def _held(self, names: set[str]) -> Tabulation | None:
        """A table that holds these columns already, if adding it up is less work than counting."""
        opened = None if self._opened is None else self._opened.table
        for table in (opened, self._joint):
            if table is not None and names <= set(table.columns):
                few = len(table.counts) <= CELLS_PER_RECORD * self.n
                if few or table is opened or not self.engine.at_hand:
                    return table
        return None


class _Opened:
    """A table with a place for "left open" on every axis, flattened."""

    def __init__(self, table: Tabulation) -> None:
        self.table = table
        cells = table.dense().ravel()
        cut = len(table.sizes) // 2
        for sizes in (table.sizes[:cut], table.sizes[cut:]):
            # Open the first axes, where runs of memory are long, and make them the last.
            cells = _opened(cells.reshape(prod(sizes), -1), sizes).T.ravel()
        self._cells = cells
        self._binary = np.array([size == BINARY for size in table.sizes], dtype=bool)
        # The place of a code: of two values, yes is 1; of many, the code plus one; of one, 0.
        self._shift = np.array([size > BINARY for size in table.sizes], dtype=np.int64)
        self._steps = np.array(strides([_places(size) for size in table.sizes]), dtype=np.int64)
        self._position = {name: place for place, name in enumerate(table.columns)}

    def count(self, columns: Columns, codes: Codes) -> tuple[Codes, Mask]:
        """Count what asks few enough attributes for "no"; say which rows those are."""
        places = np.array([self._position[name] for name in columns], dtype=np.int64)
        named = np.flatnonzero(codes != ANY)
        row, column = np.divmod(named, max(len(columns), 1))
        value, place = codes.ravel()[named], places[column]
        no = self._binary[place] & (value == 0)
        slot = (value + self._shift[place]) * self._steps[place]
        slot[no] = 0
        cell = np.bincount(row, slot, minlength=len(codes)).astype(np.int64)
        noes = np.bincount(row[no], minlength=len(codes))
        few = noes <= MOST_NOES
        kept = no & few[row]
        jump = np.zeros((len(codes), int(noes[few].max(initial=0))), dtype=np.int64)
        rank = np.arange(kept.sum()) - np.repeat(np.cumsum(noes * few) - noes * few, noes * few)
        jump[row[kept], rank] = self._steps[place[kept]]
        return self._open_minus_yes(cell, jump), few

    def _open_minus_yes(self, cell: Codes, jump: Codes) -> Codes:
        """Inclusion and exclusion over the attributes asked for "no" (jump 0: no such one)."""
        counts = self._cells[cell]
        signs = np.ones(len(cell), dtype=np.int64)
        alternatives = [(cell, signs)]
        for step in jump.T:
            alternatives += [(cells + step, -signs * (step > 0)) for cells, signs in alternatives]
        for cells, signs in alternatives[1:]:
            counts += self._cells[cells] * signs
        return counts


def _opened(cells: Codes, sizes: Sequence[int]) -> Codes:
    """Open the axes that the rows are made of."""
    cells = cells.copy()
    before, after = 1, len(cells)
    for size in sizes:
        after //= size
        axis = cells.reshape(before, size, -1)
        if size == BINARY:
            axis[:, 0] += axis[:, 1]
        elif size > BINARY:
            axis = np.concatenate([axis.sum(axis=1, keepdims=True), axis], axis=1)
        before *= _places(size)
        cells = axis.reshape(before * after, -1)
    return cells


def _places(size: int) -> int:
    return size if size <= BINARY else size + 1


def distinct_rows(masks: Mask) -> tuple[Mask, Codes]:
    """Find the different rows, and which of them each row is."""
    number = np.zeros(len(masks), dtype=np.int64)
    first = np.zeros(min(1, len(masks)), dtype=np.int64)
    for start in range(0, masks.shape[1], WORD_BITS):
        part = masks[:, start : start + WORD_BITS]
        word = part @ (1 << np.arange(part.shape[1], dtype=np.int64))
        _, word = np.unique(word, return_inverse=True)
        _, first, number = np.unique(
            number * (word.max(initial=0) + 1) + word, return_index=True, return_inverse=True
        )
    return masks[first], number


def _look_up(table: Tabulation, keys: Codes) -> Codes:
    if table.keys is None:
        return table.counts[keys]
    place = np.minimum(np.searchsorted(table.keys, keys), len(table.keys) - 1)
    if not len(table.keys):
        return np.zeros(len(keys), dtype=np.int64)
    return np.where(table.keys[place] == keys, table.counts[place], 0)
