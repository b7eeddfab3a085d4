"""How answers come back from databases: Ibis writes the query, the database's own driver runs it.

Ibis itself would fetch all of SQLite's records at once and PostgreSQL's counts through a cursor,
which PostgreSQL fills by one process only; and DuckDB and SQLite do not heed Ctrl-C.

Tables are only read. All questions see one snapshot, so that counts of a table that grows
meanwhile still belong together.
"""

import shutil
import sqlite3
import tempfile
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeVar
from urllib.parse import quote

import duckdb
import ibis
import pyarrow as pa

from deniable.engine.sql.faults import interruptible
from deniable.engine.sql.relation import Driver, arriving
from deniable.engine.table import BATCH_RECORDS

Found = TypeVar("Found")

MEMORY = "1GiB"
"""What DuckDB may use before it spills to a temporary folder."""

LONGEST_RECORD = 1 << 24
"""Bytes of a value or a record of SQLite's, at most."""

NOTHING_FETCHED: Mapping[str, Any] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
}
"""Nothing comes from anywhere, whatever a file is called or asks for."""

DUCKDB_TABLES = """
SELECT CASE WHEN table_schema = current_schema() THEN '' ELSE table_schema || '.' END || table_name
FROM information_schema.tables ORDER BY table_schema <> current_schema(), 1
"""
"""Asked here, for Ibis 12 lists them by a function that DuckDB 2 does not have."""


class Database(Driver, Protocol):
    """A database with tables in it."""

    def tables(self) -> list[str]:
        """Names of tables and views, for hints."""

    def table(self, name: str, database: str | None = None) -> Any:
        """A table of this name as Ibis sees it, perhaps of a schema within the database."""


class SQLite:
    """A file of SQLite, opened for reading."""

    def __init__(self, file: Path) -> None:
        self._connection = sqlite3.connect(
            f"file:{quote(str(file.absolute()))}?mode=ro",
            uri=True,
            check_same_thread=False,  # one at a time, but not always the same
        )
        # A view of somebody else's may call no function that does more than compute.
        self._connection.execute("PRAGMA trusted_schema = OFF")
        # Nor may it make a value that fills the memory out of a file of a few bytes.
        self._connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_RECORD)
        self._backend = ibis.sqlite.from_connection(self._connection)
        weakref.finalize(self, self._connection.close)

    def tables(self) -> list[str]:
        """Names of tables and views."""
        return sorted(self._backend.list_tables())

    def table(self, name: str, database: str | None = None) -> Any:
        """A table; of a view without types, one record is read to know them."""
        return self._interruptible(lambda: self._backend.table(name, database=database))

    def fetch(self, question: Any) -> pa.Table:
        """Answer a question at once."""
        return arrow(question, self._interruptible(lambda: self._asked(question).fetchall()))

    def stream(self, question: Any) -> Iterator[pa.RecordBatch]:
        """Answer a question a batch at a time."""
        cursor = self._interruptible(lambda: self._asked(question))
        while rows := self._interruptible(lambda: cursor.fetchmany(BATCH_RECORDS)):
            yield from arrow(question, rows).to_batches()

    def _asked(self, question: Any) -> sqlite3.Cursor:
        if not self._connection.in_transaction:
            self._connection.execute("BEGIN")
        return self._connection.execute(self._backend.compile(question))

    def _interruptible(self, work: Callable[[], Found]) -> Found:
        return interruptible(work, self._connection.interrupt)


class DuckDB:
    """A file of DuckDB, opened for reading; nobody can write to it meanwhile."""

    _open: ClassVar[weakref.WeakValueDictionary[Path, Any]] = weakref.WeakValueDictionary()

    def __init__(self, file: Path) -> None:
        # DuckDB opens a file once in a process, or with the same settings.
        found = self._open.get(file.resolve())
        if found is None:
            # What cannot be opened is refused before there is a folder for what spills.
            duckdb.connect(str(file), read_only=True, config=dict(NOTHING_FETCHED)).close()
        self._backend = found or self._alone(file)
        self._open[file.resolve()] = self._backend

    @staticmethod
    def _alone(file: Path) -> Any:
        """Open a file, which may be anybody's: its views see this file, and no other one."""
        opened = connect(database=str(file), read_only=True, enable_external_access=False)
        opened.con.execute("SET lock_configuration = true")
        return opened

    def tables(self) -> list[str]:
        """Names of tables and views; those of another schema with its name before them."""
        return [name for (name,) in self._backend.con.execute(DUCKDB_TABLES).fetchall()]

    def table(self, name: str, database: str | None = None) -> Any:
        """A table."""
        return self._backend.table(name, database=database)

    def fetch(self, question: Any) -> pa.Table:
        """Answer a question at once."""
        cursor, query = self._backend.con.cursor(), self._backend.compile(question)
        found: pa.Table = interruptible(
            lambda: cursor.execute(query).to_arrow_table(), cursor.interrupt
        )
        return found

    def stream(self, question: Any) -> Iterator[pa.RecordBatch]:
        """Answer a question a batch at a time."""
        cursor, query = self._backend.con.cursor(), self._backend.compile(question)
        # Not by execute, which would gather the whole answer first, whatever the limit on memory.
        reader = interruptible(
            lambda: cursor.sql(query).to_arrow_reader(BATCH_RECORDS), cursor.interrupt
        )
        while (batch := interruptible(lambda: next(reader, None), cursor.interrupt)) is not None:
            yield batch


def connect(**options: Any) -> Any:
    """Start DuckDB, with a folder for what does not fit into memory."""
    folder = tempfile.mkdtemp(prefix="deniable-")
    try:
        connection = ibis.duckdb.connect(
            **options,
            memory_limit=MEMORY,
            preserve_insertion_order=False,
            temp_directory=folder,
            **NOTHING_FETCHED,
        )
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    weakref.finalize(connection, shutil.rmtree, folder, ignore_errors=True)
    return connection


def arrow(question: Any, rows: Sequence[tuple[Any, ...]]) -> pa.Table:
    """Rows that a driver gave, as a table of the question's columns."""
    kinds = question.schema()
    columns = zip(*rows, strict=True) if rows else ((),) * len(kinds)
    arrays = [_array(*each) for each in zip(columns, kinds.values(), strict=True)]
    return pa.table(arrays, names=list(kinds))


def _array(values: Sequence[Any], kind: Any) -> pa.Array:
    """A column of the kind that the table promises; as text where SQLite does not keep to it."""
    if kind.is_boolean():
        values = [bool(value) if value in {0, 1} else value for value in values]
    try:
        return pa.array(values, arriving(kind))
    except pa.ArrowException:
        return pa.array([None if value is None else str(value) for value in values], pa.string())
