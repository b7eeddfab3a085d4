"""Databases by their address: DuckDB's and SQLite's own files, PostgreSQL, and what else Ibis has.

Tables are only read. A PostgreSQL session sees one snapshot, so that counts of a table that grows
meanwhile still belong together.
"""

from typing import Any

from deniable.engine.address import Address
from deniable.engine.embedded import connect
from deniable.engine.relation import Relation, faults
from deniable.errors import DataError, nearest

SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"


def database_table(address: Address) -> Relation:
    """Open a table of a database."""
    if not address.table:
        raise DataError(f"{address.shown} names no table.", hint="Put its name after #: …#table.")
    with faults(address.shown, address.secret):
        connection = _connected(address)
        table = _table(connection, address)
        if connection.name == "postgres":
            connection.raw_sql(SNAPSHOT).close()
    return Relation(address.shown, table, secret=address.secret)


def _connected(address: Address) -> Any:
    import ibis

    if address.scheme in {"duckdb", "sqlite"}:
        file = address.file
        if not file.is_file():
            raise DataError(f"{file} does not exist.", hint="Check the name.")
        if address.scheme == "duckdb":
            return connect(database=str(file), read_only=True)
        return ibis.sqlite.connect(file)
    if address.scheme == "postgres":
        return ibis.connect(address.url.replace("postgres:", "postgresql:", 1))
    if not hasattr(ibis.backends, address.scheme) and address.scheme not in _known():
        raise DataError(
            f"{address.shown} is of no known kind.", hint=nearest(address.scheme, _known())
        )
    return ibis.connect(address.url)


def _known() -> list[str]:
    from ibis.util import backend_entry_points

    names = {entry.name for entry in backend_entry_points()}
    return sorted((names - {"pyspark", "postgres"}) | {"postgresql", "spark", "spark+local"})


def _table(connection: Any, address: Address) -> Any:
    """Find a table, in the schema named before a dot if there is one."""
    from ibis.common.exceptions import TableNotFound

    folder, dot, table = address.table.partition(".")
    for name, database in ((address.table, None), *([(table, folder)] if dot else [])):
        try:
            return connection.table(name, database=database)
        except TableNotFound:
            continue
    raise DataError(
        f"{address.shown.partition('#')[0]} has no table {address.table!r}.",
        hint=nearest(address.table, connection.list_tables()),
    )
