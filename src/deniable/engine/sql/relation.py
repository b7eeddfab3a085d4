"""Tables that Ibis reaches by an address: databases and clusters."""

import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from deniable.base.errors import DataError, DeniableError
from deniable.engine.engine import Columns, Engine
from deniable.engine.sql.faults import translated
from deniable.engine.sql.pushed_engine import PushedEngine
from deniable.engine.sql.scans import Choice
from deniable.engine.table import BATCH_RECORDS, Table
from deniable.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa


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
        self._table, self._kinds = as_text(table), dict(table.schema())
        self._driver, self._secret = driver or ByIbis(), secret

    @property
    def names(self) -> tuple[str, ...]:
        """The columns."""
        return tuple(self._kinds)

    @cached_property
    def types(self) -> "pa.Schema | None":
        """The columns' types, as they arrive."""
        import pyarrow as pa

        return pa.schema([(name, arriving(kind)) for name, kind in self._kinds.items()])

    def require(self, names: Iterable[str]) -> None:
        """Refuse columns that the table does not have, and such as hold no plain values."""
        wanted = tuple(names)
        super().require(wanted)
        for name in wanted:
            if is_compound(kind := self._kinds[name]):
                raise DataError(
                    f"{self.name}: the column {name!r} is of type {kind}, which holds no plain "
                    "values.",
                    hint="Make it text, numbers or booleans.",
                )

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


def arriving(kind: Any) -> "pa.DataType":
    """The type in which a column comes here."""
    import pyarrow as pa

    if kind.is_boolean():
        return pa.bool_()
    if kind.is_integer():
        return pa.int64()
    return pa.float64() if kind.is_numeric() else pa.string()


def is_compound(kind: Any) -> bool:
    """Whether values of a type of Ibis's are more than a word or a number."""
    return bool(kind.is_nested() or kind.is_json() or kind.is_binary() or kind.is_geospatial())


def is_plain(kind: Any) -> bool:
    """Whether values of a type of Ibis's come as they are."""
    return bool(kind.is_string() or kind.is_numeric() or kind.is_boolean())


def as_text(table: Any) -> Any:
    """Let the engine write as text what is neither text nor a number, such as dates."""
    texts = {
        name: table[name].cast("string")
        for name, kind in table.schema().items()
        if not (is_plain(kind) or is_compound(kind) or kind.is_unknown())
    }
    return table.mutate(**texts) if texts else table
