"""Counting where the data is: scans run there, and only counts come back.

`scans` says which ones. No engine is asked for GROUPING SETS, which few run well
(docs/decisions/0017).
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np

from deniable.base.arrays import Codes
from deniable.base.errors import DataError, EstimateError, listed
from deniable.engine.engine import (
    DENSE_CELLS,
    Columns,
    Engine,
    Tabulation,
    joint_size,
    tally_keys,
)
from deniable.engine.memory.numpy_engine import pack
from deniable.engine.memory.records import Records
from deniable.engine.sql.scans import (
    Choice,
    Crossed,
    Literal,
    bundled,
    crossings,
    literals,
    portions,
)
from deniable.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa

FEW_PUSHED_CELLS = 1 << 16
"""Cells that may cross the wire whatever the number of records."""

FAR_FEWER = 8
"""Records for each cell, to fetch a larger joint table rather than ask again."""


class Grouping(Protocol):
    """What can run a GROUP BY."""

    name: str

    @property
    def local(self) -> bool:
        """Whether results stay on this machine."""

    @property
    def types(self) -> "pa.Schema | None":
        """The columns' types, or None where all is text."""

    def counted(self, base: Columns, choices: Sequence[Choice], most: int) -> "pa.Table":
        """Fetch distinct values of the base, how often each occurs, and how many have each choice.

        No more than so many rows, in any order.
        """


class PushedEngine(Engine):
    """Counts a table that Ibis can reach.

    What comes back is no more than the distinct reports over the columns asked for; a question
    with more of them than fit is refused.
    """

    def __init__(
        self, table: Grouping, schema: Schema, explain: Callable[[], None] = lambda: None
    ) -> None:
        """`explain` may raise a more exact error than "there is an unknown value"."""
        super().__init__(schema)
        self.table = table
        self._explain = explain
        self._sizes = dict(zip(schema.names, schema.sizes, strict=True))
        self._sound: set[str] = set()
        """Columns that are known to hold nothing but their values."""

    @cached_property
    def n(self) -> int:
        """How many records there are."""
        return self._grouped(()).n

    @property
    def most_cells(self) -> int:
        """Far fewer cells than records, where they must cross a wire."""
        if self.table.local:
            return DENSE_CELLS
        return min(DENSE_CELLS, max(FEW_PUSHED_CELLS, self.n // FAR_FEWER))

    def tabulate(self, column_sets: Sequence[Columns]) -> list[Tabulation]:
        """Count distinct records over each set of columns, by as few scans as can be."""
        found: dict[int, Tabulation] = {}
        crossed, rest = crossings(column_sets, self._literals)
        for crossing in crossed:
            found |= self._crossed(crossing)
        rest += [place for crossing in crossed for place in crossing.sets if place not in found]
        for columns, places in bundled([column_sets[place] for place in rest], self._sizes):
            whole = self._grouped(columns)
            found |= {rest[place]: whole for place in places}
        return [found[place].marginal(columns) for place, columns in enumerate(column_sets)]

    def _grouped(self, columns: Columns) -> Tabulation:
        """Count by all columns together."""
        keys, (counts,) = self._fetched(columns, ())
        return tally_keys(columns, self._sizes_of(columns), keys, counts)

    def _crossed(self, crossing: Crossed) -> dict[int, Tabulation]:
        """Count by the base together with each of the other columns."""
        names = list(dict.fromkeys(crossing.sets.values()))
        choices = [self._choices(name) for name in names]
        tables: dict[str, Tabulation] = {}
        for part in portions(choices):
            asked = [choice for each in choices[part] for choice in each]
            keys, (counts, *sums) = self._fetched(crossing.base, asked)
            for name, each in zip(names[part], choices[part], strict=True):
                by_value, sums = sums[: len(each)], sums[len(each) :]
                if name not in self._sound:
                    if (np.sum(by_value, axis=0) != counts).any():
                        self._grouped((name,))  # refuses what the domain does not have
                        self._literals.pop(name)  # or values are compared in another way
                        continue
                    self._sound.add(name)
                if len(by_value) < self._sizes[name]:
                    by_value = [*by_value, counts - np.sum(by_value, axis=0, dtype=np.int64)]
                tables[name] = self._stacked((*crossing.base, name), keys, by_value)
        return {place: tables[name] for place, name in crossing.sets.items() if name in tables}

    def _stacked(self, columns: Columns, keys: Codes, by_value: Sequence[Codes]) -> Tabulation:
        size = len(by_value)
        sizes = self._sizes_of(columns)
        joint_size(sizes)
        longer = (keys[:, None] * size + np.arange(size)).ravel()
        return tally_keys(columns, sizes, longer, np.stack(by_value, axis=1).ravel())

    def _fetched(self, base: Columns, choices: Sequence[Choice]) -> tuple[Codes, list[Codes]]:
        """Keys of the base's patterns; how often each occurs, and with each of the choices."""
        part = self.schema.select(base)
        cells = joint_size(part.sizes)
        try:
            # More distinct records than patterns: some value is none of the schema's.
            arrow = self.table.counted(base, choices, min(cells, DENSE_CELLS) + 1)
            if arrow.num_rows > DENSE_CELLS:
                raise EstimateError(
                    f"{self.table.name} has more than {DENSE_CELLS:,} distinct records over "
                    f"{len(base)} attributes.",
                    hint="Ask about fewer attributes at once.",
                )
            values = arrow.select(range(len(base))).rename_columns(list(base))
            records = Records.of(values, part, where=self.table.name, start=None)
        except DataError:
            self._explain()
            raise
        if arrow.num_rows > cells:
            raise DataError(
                f"{self.table.name} writes the same value of {listed(base)} in several ways.",
                hint="Make each column text.",
            )
        counts = [
            np.asarray(column.combine_chunks().fill_null(0), dtype=np.int64)
            for column in arrow.columns[len(base) :]
        ]
        return pack(records.columns, part.sizes, arrow.num_rows).astype(np.int64), counts

    def _choices(self, name: str) -> list[Choice]:
        """Values to be counted; once a column is known to be sound, the last is what is left."""
        values = self._literals[name]
        return [(name, value) for value in (values[:-1] if name in self._sound else values)]

    @cached_property
    def _literals(self) -> dict[str, list[Literal]]:
        """Values of every column that can be counted by comparing."""
        types = self.table.types
        kinds = {} if types is None else {field.name: field.type for field in types}
        found = {
            attribute.name: literals(attribute, kinds.get(attribute.name))
            for attribute in self.schema
        }
        return {name: values for name, values in found.items() if values is not None}

    def _sizes_of(self, columns: Columns) -> tuple[int, ...]:
        return tuple(self._sizes[name] for name in columns)
