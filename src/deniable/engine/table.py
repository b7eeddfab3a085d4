"""Where records are: a table with a name, read in batches or counted in place."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deniable.base.errors import DataError, FingerprintError, nearest
from deniable.base.extensions import Complete
from deniable.base.wording import plural
from deniable.engine.engine import Engine
from deniable.engine.memory.counted_engine import CountedEngine
from deniable.engine.memory.numpy_engine import MemoryEngine
from deniable.engine.memory.records import (
    Records,
    as_arrow,
    fingerprint_of,
    require_fingerprint,
    says_undisguised,
)
from deniable.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa

NumberedBatch = tuple[str, int, "pa.RecordBatch"]
"""Some records, with what messages call their place: a name, and how many come before."""

BATCH_RECORDS = 1 << 16
"""Records that are read at once, unless a file has its own way."""


class Table(Complete):
    """Records somewhere: in files, as counts, or in a database."""

    name: str = "The table"
    """What messages call it; never holds a password."""

    paths: tuple[Path, ...] = ()
    """The files that are read, so that nothing is written over them."""

    fingerprint: str | None = None
    """Of the design that disguised the records, if the table says so."""

    undisguised: bool = False
    """Whether the table says that it holds answers as they are."""

    any_thread: bool = False
    """Whether another thread than the one that opened it may read it, as files can be read."""

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """The columns."""

    @property
    def types(self) -> "pa.Schema | None":
        """The columns' types, or None where all values are text, as in CSV."""
        return None

    @abstractmethod
    def batches(self, columns: Sequence[str]) -> "Iterator[pa.RecordBatch]":
        """Read some columns, a batch at a time; columns that are not there are left out."""

    @abstractmethod
    def engine(self, schema: Schema) -> Engine:
        """Count the records of a schema, wherever that is best; begin with `require`."""

    def numbered(self, columns: Sequence[str]) -> Iterator[NumberedBatch]:
        """Read the same, for errors that name the row."""
        return numbered(self.batches(columns), self.name)

    def records(self, schema: Schema) -> Iterator[Records]:
        """Read records of a schema, a batch at a time; errors name the row."""
        self.require(schema.names)
        for where, start, batch in self.numbered(schema.names):
            yield Records.of(batch, schema, where=where, start=start)

    def all_records(self, schema: Schema) -> Records:
        """Read every record; there must be one."""
        records = self.read(schema)
        self.require_some(len(records))
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
                raise DataError(f"{self.name} has no column {name!r}.", hint=self._hint(name))

    def _hint(self, name: str) -> str:
        """A name that is much the same, but never all: of CSV they may be somebody's answers."""
        close = nearest(name, self.names)
        if close.startswith("Did"):
            return close
        told = f"It has {plural(len(self.names), 'column')}, and none of that name."
        return told if self.types is not None else f"{told} The first line must name them."

    def require_some(self, records: int) -> None:
        """Refuse a table in which no records were found."""
        if not records:
            raise DataError(f"{self.name} has no records.", hint="Collect some first.")

    def check_fingerprint(self, expected: str) -> None:
        """Refuse a table of another design."""
        require_fingerprint(self.fingerprint, expected, self.name)

    def require_reports(self) -> None:
        """Refuse what says that it was never disguised."""
        if self.undisguised:
            raise FingerprintError(
                f"{self.name} holds answers as they are (of deniable prepare), not reports.",
                hint="Disguise them first (deniable disguise), or leave the design out.",
            )


def numbered(
    batches: "Iterable[pa.RecordBatch]", where: str, start: int = 0
) -> Iterator[NumberedBatch]:
    """Count the records that come before each batch."""
    for batch in batches:
        yield where, start, batch
        start += batch.num_rows


class MemoryTable(Table):
    """What the caller holds: a pandas, polars or Arrow table, columns, an array, or records."""

    def __init__(self, table: Any) -> None:
        self._table, self.fingerprint = table, fingerprint_of(table)
        self.undisguised = says_undisguised(
            getattr(getattr(table, "schema", None), "metadata", None)
        )

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

    def batches(self, columns: Sequence[str]) -> "Iterator[pa.RecordBatch]":
        """Give some columns."""
        yield from self._arrow.select([n for n in columns if n in self.names]).to_batches()

    def engine(self, schema: Schema) -> Engine:
        """Count in memory, where the records are."""
        return MemoryEngine(Records.of(self._table, schema))

    def held(self, schema: Schema) -> Engine:
        """The same."""
        return self.engine(schema)
