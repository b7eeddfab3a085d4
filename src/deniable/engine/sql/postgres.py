"""PostgreSQL: a session that only reads, and sees one snapshot."""

import logging
import os
import weakref
from collections.abc import Iterator
from itertools import count, islice
from typing import Any

import ibis
import ibis.expr.operations as ops
import psycopg
import pyarrow as pa
from psycopg import postgres
from psycopg.conninfo import conninfo_to_dict

from deniable.engine.sql.drivers import arrow
from deniable.engine.sql.relation import is_compound
from deniable.engine.table import BATCH_RECORDS

CONNECT_OPTIONS = {
    "connect_timeout": 10,
    "keepalives_idle": 60,
    "keepalives_interval": 10,
    "keepalives_count": 6,
}
"""After how many seconds a server that does not answer is given up, unless the address says."""

ROWS_PER_FETCH = 1 << 13 if psycopg.capabilities.has_stream_chunked() else 1
"""Rows that arrive together; an old libpq knows only one by one."""

SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

NOTICE_THE_END = """
SELECT set_config(name, '10s', false) FROM pg_catalog.pg_settings
WHERE name = 'client_connection_check_interval'
"""
"""Ask a server that can (14 or newer) to end a query whose asker is gone."""

TABLES = """
SELECT CASE WHEN nspname = current_schema THEN '' ELSE nspname || '.' END || relname
FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace ON relnamespace = pg_namespace.oid
WHERE relkind IN ('r', 'v', 'm', 'p', 'f') AND NOT relispartition
  AND nspname !~ '^pg_' AND nspname <> 'information_schema'
ORDER BY nspname <> current_schema, 1
"""

COLUMNS = """
SELECT attname, CASE typtype WHEN 'd' THEN typbasetype ELSE atttypid END
FROM pg_catalog.pg_attribute JOIN pg_catalog.pg_type ON atttypid = pg_type.oid
WHERE attrelid = to_regclass(format('%%I.%%I', %s::text, %s::text))
  AND attnum > 0 AND NOT attisdropped
"""
"""Columns and their types; of a domain, what it is made of."""

TYPE_KINDS = {
    postgres.types[name].oid: kind
    for kind, names in {
        "boolean": ("bool",),
        "int64": ("int2", "int4", "int8"),
        "float64": ("float4", "float8", "numeric"),
        "string": ("text", "varchar", "name"),
    }.items()
    for name in names
}
"""What values are counted as; all others as text."""

# What it has to say of a connection that broke is said in one sentence elsewhere.
logging.getLogger("psycopg").addHandler(logging.NullHandler())


class Postgres:
    """A session of PostgreSQL."""

    def __init__(self, url: str) -> None:
        # libpq reads the address: it knows IPv6, several hosts, sockets, services, …
        options: dict[str, Any] = {"fallback_application_name": "deniable", **CONNECT_OPTIONS}
        if "PGCONNECT_TIMEOUT" in os.environ:
            del options["connect_timeout"]
        options |= conninfo_to_dict(url)
        connection = self._connection = psycopg.connect(**options, autocommit=True)
        self._backend = ibis.postgres.from_connection(connection)
        weakref.finalize(self, connection.close)
        connection.execute(NOTICE_THE_END)
        connection.execute(SNAPSHOT)
        self._cursors = count()

    def tables(self) -> list[str]:
        """Names of tables and views; those of another schema with its name before them."""
        return [name for (name,) in self._connection.execute(TABLES)]

    def table(self, name: str, database: str | None = None) -> Any:
        """A table in which all is numbers, booleans or text, and char(n) has no padding."""
        table = self._backend.table(name, database=database)
        schema = database or self._backend.current_database
        types = dict(self._connection.execute(COLUMNS, (schema, name)).fetchall())
        changed = {}
        for column, kind in table.schema().items():
            known = TYPE_KINDS.get(types.get(column, 0))
            if not is_compound(kind) and (known is None or kind.is_decimal() or kind.is_unknown()):
                # Unlike .cast, not left out where Ibis takes a type, such as an enum, for text.
                changed[column] = ops.Cast(table[column], ibis.dtype(known or "string")).to_expr()
        return table.mutate(**changed) if changed else table

    def fetch(self, question: Any) -> pa.Table:
        """Answer a question at once; where that fails, the snapshot stays."""
        # Not through a cursor of the server's, which it fills by one process only.
        with self._connection.transaction(), self._connection.cursor() as cursor:
            rows = cursor.stream(self._backend.compile(question), size=ROWS_PER_FETCH)
            batches = iter(lambda: list(islice(rows, BATCH_RECORDS)), [])
            return pa.concat_tables([arrow(question, ()), *(arrow(question, b) for b in batches)])

    def stream(self, question: Any) -> Iterator[pa.RecordBatch]:
        """Answer a question a batch at a time, from a cursor of the server's."""
        with self._connection.cursor(name=f"deniable_{next(self._cursors)}") as cursor:
            cursor.execute(self._backend.compile(question))
            while rows := cursor.fetchmany(BATCH_RECORDS):
                yield from arrow(question, rows).to_batches()
