"""Where records are: a table with a name, read in batches or counted in place."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deniable.base.errors import DataError, nearest
from deniable.base.extensions import Complete
from deniable.engine.engine import Engine
from deniable.engine.memory.counted_engine import CountedEngine
from deniable.engine.memory.numpy_engine import MemoryEngine
from deniable.engine.memory.records import Records, as_arrow, fingerprint_of, require_fingerprint
from deniable.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa


class Table(Complete):
    """Records somewhere: in files, as counts, or in a database."""

    name: str = "The table"
    """What messages call it; never holds a password."""

    @property
    def paths(self) -> tuple[Path, ...]:
        """The files that are read, so that nothing is written over them."""
        return ()

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """The columns."""

    @property
    def types(self) -> "pa.Schema | None":
        """The columns' types, or None where all values are text, as in CSV."""
        return None

    @property
    def fingerprint(self) -> str | None:
        """Of the design that disguised the records, if the table says so."""
        return None

    @abstractmethod
    def batches(self, columns: Sequence[str]) -> "Iterator[pa.RecordBatch]":
        """Read some columns, a batch at a time; columns that are not there are left out."""

    @abstractmethod
    def engine(self, schema: Schema) -> Engine:
        """Count the records of a schema, wherever that is best; begin with `require`."""

    def records(self, schema: Schema) -> Iterator[Records]:
        """Read records of a schema, a batch at a time; errors name the row."""
        self.require(schema.names)
        start = 0
        for batch in self.batches(schema.names):
            records = Records.of(batch, schema, where=self.name, start=start)
            start += batch.num_rows
            yield records

    def all_records(self, schema: Schema) -> Records:
        """Read every record; there must be one."""
        records = self.read(schema)
        if not len(records):
            raise DataError(f"{self.name} has no records.", hint="Collect some first.")
        return records

    def read(self, schema: Schema) -> Records:
        """Read every record, if there is any."""
        none = Records.from_codes([[] for _ in schema], schema)
        return Records.joined([none, *self.records(schema)])

    def held(self, schema: Schema) -> Engine:
        """Count for many questions: all columns at once, where that is cheap."""
        engine = self.engine(schema)
        if prod(schema.sizes) > engine.most_cells:
            return engine
        return CountedEngine(schema, engine.tabulate([schema.names])[0])

    def require(self, names: Iterable[str]) -> None:
        """Refuse names that the table does not have."""
        for name in names:
            if name not in self.names:
                raise DataError(
                    f"{self.name} has no column {name!r}.", hint=nearest(name, self.names)
                )

    def check_fingerprint(self, expected: str) -> None:
        """Refuse a table of another design."""
        require_fingerprint(self.fingerprint, expected, self.name)


class MemoryTable(Table):
    """What the caller holds: a pandas, polars or Arrow table, columns, an array, or records."""

    def __init__(self, table: Any) -> None:
        self._table = table

    @cached_property
    def _arrow(self) -> "pa.Table":
        whole = isinstance(self._table, Records)
        return self._table.to_arrow() if whole else as_arrow(self._table, Schema(()))

    @property
    def names(self) -> tuple[str, ...]:
        """The columns."""
        return tuple(self._arrow.column_names)

    @property
    def types(self) -> "pa.Schema | None":
        """The columns' types."""
        return self._arrow.schema

    @property
    def fingerprint(self) -> str | None:
        """Of the design that an Arrow table was disguised by."""
        return fingerprint_of(self._table)

    def batches(self, columns: Sequence[str]) -> "Iterator[pa.RecordBatch]":
        """Give some columns."""
        yield from self._arrow.select([n for n in columns if n in self.names]).to_batches()

    def engine(self, schema: Schema) -> Engine:
        """Count in memory, where the records are."""
        return MemoryEngine(Records.of(self._table, schema))

    def held(self, schema: Schema) -> Engine:
        """The same."""
        return self.engine(schema)
