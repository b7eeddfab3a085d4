"""Databases by their address: files of DuckDB and SQLite, PostgreSQL, and what else Ibis has."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from deniable.base.errors import DataError, listed, nearest
from deniable.engine.address import FILES, Address
from deniable.engine.sql.relation import Relation, faults

if TYPE_CHECKING:
    from deniable.engine.sql.drivers import Database


def database_table(address: Address) -> Relation:
    """Open a table of a database."""
    with faults(address.shown, address.secret):
        database = _database(address)
        if database is not None:
            table = _table(database, address, database.tables)
        else:
            import ibis

            backend = ibis.connect(address.url)  # any other database, as Ibis does
            table = _table(backend, address, backend.list_tables)
        found = Relation(address.shown, table, database, secret=address.secret)
        if address.scheme in FILES:
            found.paths = (address.file,)
        return found


def _database(address: Address) -> "Database | None":
    """Connect to a database whose driver is known here."""
    if address.scheme in {"postgresql", "postgres"}:
        from deniable.engine.sql.postgres import Postgres

        return Postgres(address.url)
    if address.scheme not in FILES:
        return None
    from deniable.engine.sql.drivers import DuckDB, SQLite

    file = address.file
    if not file.is_file():
        hint = "Write # in a file's name as %23." if "#" in address.table else "Check the name."
        problem = "is a directory" if file.is_dir() else "does not exist"
        raise DataError(f"{file} {problem}.", hint=hint)
    return SQLite(file) if address.scheme == "sqlite" else DuckDB(file)


def known_to_ibis() -> set[str]:
    """Kinds of addresses that Ibis takes, beside those that are opened here."""
    from ibis.util import backend_entry_points

    return {entry.name for entry in backend_entry_points()} - {"pyspark", "postgres"}


def _table(database: Any, address: Address, tables: Callable[[], list[str]]) -> Any:
    """Find a table, in the schema named before a dot if there is one."""
    from ibis.common.exceptions import TableNotFound

    if not address.table:
        raise DataError(
            f"{address.place} names no table.",
            hint=f"Put its name after #; there are {listed(tables())}.",
        )
    folder, dot, table = address.table.partition(".")
    for name, within in ((address.table, None), *([(table, folder)] if dot else [])):
        try:
            return database.table(name, database=within)
        except TableNotFound:
            continue
    raise DataError(
        f"{address.place} has no table {address.table!r}.", hint=nearest(address.table, tables())
    )
