"""Plain counts of many conjunctions at once, from tabulated reports.

While the joint domain is small, all of it is tabulated once and every axis gets a place for "left
open": then a conjunction's count is read off one cell. A yes/no attribute keeps two places (open,
yes); *no* is open minus yes. Otherwise only the columns in play are tabulated.
"""

from functools import cached_property
from math import prod

import numpy as np
from numpy.typing import NDArray

from deniable.engine.base import Columns, Engine, Tabulation, joint_size
from deniable.expression import ANY, strides

Codes = NDArray[np.int64]

OPEN_CELLS = 1 << 20
"""Largest table that is opened on every axis."""

MOST_NOES = 6
"""Yes/no attributes asked for "no" in one conjunction; each doubles the cells that are read."""

BINARY = 2


class Tally:
    """Counts over one engine; reads the records at most once while they are narrow."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._sizes = dict(zip(engine.schema.names, engine.schema.sizes, strict=True))
        self._cache: dict[Columns, Tabulation] = {}

    @cached_property
    def n(self) -> int:
        """How many records there are."""
        if self._narrow:
            return self._whole.n
        if self._cache:
            return next(iter(self._cache.values())).n
        return self._engine.tabulate([()])[0].n

    def count(self, columns: Columns, codes: Codes) -> NDArray[np.int64]:
        """Count the records that satisfy each row of codes."""
        if self._narrow:
            few = self._opened.fits(columns, codes)
            if few.all():
                return self._opened.count(columns, codes)
            counts = np.empty(len(codes), dtype=np.int64)
            counts[few] = self._opened.count(columns, codes[few])
            counts[~few] = self._count_by_columns(columns, codes[~few])
            return counts
        return self._count_by_columns(columns, codes)

    def table(self, columns: Columns) -> NDArray[np.int64]:
        """Give the joint table of reports, an axis per column."""
        return self._tabulated([columns])[0].dense()

    @cached_property
    def _narrow(self) -> bool:
        return prod(_places(size) for size in self._sizes.values()) <= OPEN_CELLS

    @cached_property
    def _whole(self) -> Tabulation:
        return self._engine.tabulate([self._engine.schema.names])[0]

    @cached_property
    def _opened(self) -> "_Opened":
        return _Opened(self._whole)

    def _count_by_columns(self, columns: Columns, codes: Codes) -> NDArray[np.int64]:
        masks, group = np.unique(codes != ANY, axis=0, return_inverse=True)
        named = [np.flatnonzero(mask) for mask in masks]
        tables = self._tabulated([tuple(columns[i] for i in places) for places in named])
        counts = np.empty(len(codes), dtype=np.int64)
        for index, (places, table) in enumerate(zip(named, tables, strict=True)):
            rows = np.flatnonzero(group == index)
            keys = codes[np.ix_(rows, places)] @ np.array(strides(table.sizes), dtype=np.int64)
            counts[rows] = _look_up(table, keys)
        return counts

    def _tabulated(self, column_sets: list[Columns]) -> list[Tabulation]:
        for columns in column_sets:
            joint_size([self._sizes[name] for name in columns])
        missing = [columns for columns in column_sets if columns not in self._cache]
        if missing and self._narrow:
            found = [self._whole.marginal(columns) for columns in missing]
        else:
            found = self._engine.tabulate(missing) if missing else []
        self._cache.update(zip(missing, found, strict=True))
        return [self._cache[columns] for columns in column_sets]


class _Opened:
    """A table with a place for "left open" on every axis, flattened."""

    def __init__(self, table: Tabulation) -> None:
        cells = table.dense()
        for size in table.sizes:
            # Open the first axis and make it the last; after all of them the order is the old one.
            rows = cells.reshape(size, -1)
            if size == BINARY:
                rows = np.stack([rows[0] + rows[1], rows[1]])
            elif size > BINARY:
                rows = np.concatenate([rows.sum(axis=0, keepdims=True), rows])
            cells = rows.T.ravel()
        self._cells = cells
        self._binary = np.array([size == BINARY for size in table.sizes])
        self._single = np.array([size == 1 for size in table.sizes])
        self._steps = np.array(strides([_places(size) for size in table.sizes]), dtype=np.int64)
        self._position = {name: place for place, name in enumerate(table.columns)}

    def _noes(self, columns: Columns, codes: Codes) -> tuple[list[int], NDArray[np.bool_]]:
        places = [self._position[name] for name in columns]
        return places, (codes == 0) & self._binary[places]

    def fits(self, columns: Columns, codes: Codes) -> NDArray[np.bool_]:
        """Whether a conjunction asks few enough attributes for "no"."""
        fits: NDArray[np.bool_] = self._noes(columns, codes)[1].sum(axis=1) <= MOST_NOES
        return fits

    def count(self, columns: Columns, codes: Codes) -> NDArray[np.int64]:
        places, noes = self._noes(columns, codes)
        steps = self._steps[places]
        # The place of a code: open 0; yes 1; of many values, the code plus one; of one value, 0.
        shift = np.where(self._binary[places] | self._single[places], 0, 1)
        slots = np.where(codes == ANY, 0, codes + shift)
        slots[:, self._single[places]] = 0
        cell = slots @ steps
        if not noes.any():
            return self._cells[cell]
        row, column = np.nonzero(noes)
        first = np.searchsorted(row, np.arange(len(codes)))
        jump = np.zeros((len(codes), int(noes.sum(axis=1).max())), dtype=np.int64)
        jump[row, np.arange(len(row)) - first[row]] = steps[column]
        return self._open_minus_yes(cell, jump)

    def _open_minus_yes(self, cell: Codes, jump: Codes) -> NDArray[np.int64]:
        """Inclusion and exclusion over the attributes asked for "no" (jump 0: no such one)."""
        counts = self._cells[cell]
        if jump.shape[1] == 0:
            return counts
        cells = cell[None, :]
        signs = np.ones((1, len(cell)), dtype=np.int64)
        for step in jump.T:
            cells = np.concatenate([cells, cells + step])
            signs = np.concatenate([signs, -signs * (step > 0)])
        total: NDArray[np.int64] = (self._cells[cells] * signs).sum(axis=0)
        return total


def _places(size: int) -> int:
    return size if size <= BINARY else size + 1


def _look_up(table: Tabulation, keys: Codes) -> NDArray[np.int64]:
    if table.keys is None:
        return table.counts[keys]
    place = np.minimum(np.searchsorted(table.keys, keys), len(table.keys) - 1)
    if not len(table.keys):
        return np.zeros(len(keys), dtype=np.int64)
    return np.where(table.keys[place] == keys, table.counts[place], 0)
