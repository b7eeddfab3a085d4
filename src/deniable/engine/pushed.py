"""Counting where the data is: one GROUP BY for each bundle of columns; only counts come back.

Column sets that overlap are answered by one GROUP BY over their union, as long as its joint table
stays small: twelve pairs of a class and an attribute are one table of thirteen columns. The sets'
own counts are then added up here. That is one scan of each column in engines that store columns,
and it needs no GROUPING SETS, which few engines run well (docs/decisions/0017).
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Protocol

import numpy as np

from deniable.engine.base import DENSE_CELLS, Columns, Tabulation, joint_size, tally_keys
from deniable.engine.memory import pack
from deniable.engine.records import Records
from deniable.errors import DataError, EstimateError, listed
from deniable.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa

BUNDLE_CELLS = 1 << 11
"""Cells of a joint table up to which column sets share one."""

OPEN_BUNDLES = 64
"""Bundles that a further column set may join."""

FEW_CELLS = 1 << 16
"""Cells that may cross the wire whatever the number of records."""

FAR_FEWER = 8
"""Records for each cell, to fetch a larger joint table rather than ask again."""


class Grouping(Protocol):
    """What can run a GROUP BY."""

    name: str

    @property
    def local(self) -> bool:
        """Whether results stay on this machine."""

    def distinct(self, columns: Columns, most: int) -> "pa.Table":
        """Fetch distinct values of the columns, and at last how often each occurs."""


class PushedEngine:
    """Counts a table that Ibis can reach.

    What comes back is no more than the distinct reports over the columns asked for; a question
    with more of them than fit is refused.
    """

    def __init__(
        self, table: Grouping, schema: Schema, explain: Callable[[], None] = lambda: None
    ) -> None:
        """`explain` may raise a more exact error than "there is an unknown value"."""
        self.table, self.schema = table, schema
        self._explain = explain
        self._sizes = dict(zip(schema.names, schema.sizes, strict=True))

    @cached_property
    def n(self) -> int:
        """How many records there are."""
        return self._tabulate(())[0].n

    @property
    def most_cells(self) -> int:
        """Far fewer cells than records, where they must cross a wire."""
        if self.table.local:
            return DENSE_CELLS
        return min(DENSE_CELLS, max(FEW_CELLS, self.n // FAR_FEWER))

    def tabulate(self, column_sets: Sequence[Columns]) -> list[Tabulation]:
        """Count distinct records over each set of columns, a bundle of sets at a time."""
        found: list[Tabulation | None] = [None] * len(column_sets)
        for columns, places in bundled(column_sets, self._sizes):
            parts = self._tabulate(columns, [column_sets[place] for place in places])
            for place, part in zip(places, parts, strict=True):
                found[place] = part
        return [table for table in found if table is not None]

    def _tabulate(
        self, columns: Columns, column_sets: Sequence[Columns] = ((),)
    ) -> list[Tabulation]:
        part = self.schema.select(columns)
        cells = joint_size(part.sizes)
        # More distinct records than patterns: some value is none of the schema's.
        arrow = self.table.distinct(columns, min(cells, DENSE_CELLS) + 1)
        if arrow.num_rows > DENSE_CELLS:
            raise EstimateError(
                f"{self.table.name} has more than {DENSE_CELLS:,} distinct records over "
                f"{len(columns)} attributes.",
                hint="Ask about fewer attributes at once.",
            )
        try:
            values = arrow.select(range(len(columns))).rename_columns(list(columns))
            records = Records.of(values, part, where=self.table.name, start=None)
        except DataError:
            self._explain()
            raise
        if arrow.num_rows > cells:
            raise DataError(
                f"{self.table.name} writes the same value of {listed(columns)} in several ways.",
                hint="Make each column text.",
            )
        counts = np.asarray(arrow.column(len(columns)).combine_chunks(), dtype=np.int64)
        keys = pack(records.columns, part.sizes, len(counts))
        whole = tally_keys(columns, part.sizes, keys, counts)
        return [whole.marginal(each) for each in column_sets]


def bundled(
    column_sets: Sequence[Columns], sizes: Mapping[str, int], cells: int = BUNDLE_CELLS
) -> list[tuple[Columns, list[int]]]:
    """Join column sets while their union stays small; give each union, and which sets it answers.

    >>> sizes = {"class": 2, "a": 2, "b": 2, "c": 8}
    >>> bundled([("class", "a"), ("class", "b"), ("class", "c")], sizes, cells=8)
    [(('class', 'a', 'b'), [0, 1]), (('class', 'c'), [2])]
    """
    bundles: list[tuple[set[str], list[int]]] = []
    for place, columns in enumerate(column_sets):
        best: tuple[float, set[str], list[int]] | None = None
        for names, places in bundles[-OPEN_BUNDLES:]:
            growth = prod(sizes[name] for name in columns if name not in names)
            joint = growth * prod(sizes[name] for name in names)
            if (growth == 1 or joint <= cells) and (best is None or growth < best[0]):
                best = growth, names, places
        if best is None:
            bundles.append((set(columns), [place]))
        else:
            best[1].update(columns)
            best[2].append(place)
    return [(tuple(name for name in sizes if name in names), places) for names, places in bundles]
