"""Tables that Ibis reaches by an address: databases and clusters."""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from deniable.base.errors import DeniableError
from deniable.engine.engine import Columns, Engine
from deniable.engine.sql.faults import translated
from deniable.engine.sql.pushed_engine import PushedEngine
from deniable.engine.sql.scans import Choice
from deniable.engine.table import Table
from deniable.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa

BATCH_RECORDS = 1 << 16


class Driver(Protocol):
    """A connection to a database."""

    def fetch(self, question: Any) -> "pa.Table":
        """Answer a question at once."""

    def stream(self, question: Any) -> "Iterator[pa.RecordBatch]":
        """Answer a question a batch at a time."""


class ByIbis:
    """Any engine of Ibis's, in its own way."""

    def fetch(self, question: Any) -> "pa.Table":
        """Answer a question at once."""
        return question.to_pyarrow()

    def stream(self, question: Any) -> "Iterator[pa.RecordBatch]":
        """Answer a question a batch at a time."""
        return iter(question.to_pyarrow_batches(chunk_size=BATCH_RECORDS))


class Relation(Table):
    """A table in a database or on a cluster: only counts come back, or records if asked for."""

    local = False

    def __init__(
        self, name: str, table: Any, driver: Driver | None = None, *, secret: str | None = None
    ) -> None:
        self.name = name
        self._table, self._driver, self._secret = table, driver or ByIbis(), secret

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The columns."""
        return tuple(self._table.columns)

    @cached_property
    def types(self) -> "pa.Schema | None":
        """The columns' types, as they arrive."""
        with faults(self.name, self._secret):
            return self._table.schema().to_pyarrow()

    def batches(self, columns: Sequence[str]) -> "Iterator[pa.RecordBatch]":
        """Read records themselves: for their owner, who disguises them."""
        present = [name for name in columns if name in self.names]
        self.require(present)
        with faults(self.name, self._secret):
            stream = self._driver.stream(self._table.select(present))
        while True:
            with faults(self.name, self._secret):
                batch = next(stream, None)
            if batch is None:
                return
            yield batch

    def engine(self, schema: Schema) -> Engine:
        """Count where the data is."""
        self.require(schema.names)
        return PushedEngine(self, schema)

    def counted(self, base: Columns, choices: Sequence[Choice], most: int) -> "pa.Table":
        """Fetch distinct values of the base, how often each occurs, and with each choice."""
        with faults(self.name, self._secret):
            return self._driver.fetch(counting(self._table, base, choices).limit(most))


def counting(table: Any, base: Sequence[str], choices: Sequence[Choice]) -> Any:
    """Group and count, as an expression that every engine of Ibis runs.

    Choices are counted by sums of comparisons: DuckDB takes a hundred times as long for FILTER.
    """
    # Numbered, so that no engine minds what the columns are called.
    sums = {
        f"s{place}": (table[name] == value).cast("int32").sum()
        for place, (name, value) in enumerate(choices)
    }
    keys = {f"c{place}": table[name] for place, name in enumerate(base)}
    return (table.group_by(**keys) if keys else table).aggregate(n=table.count(), **sums)


@contextmanager
def faults(name: str, secret: str | None = None) -> Iterator[None]:
    """Turn what an engine says when it fails into one sentence, without the password."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of one library about another: not the user's to mend
            yield
    except DeniableError:
        raise
    except Exception as error:
        raise translated(error, name, secret) from None
