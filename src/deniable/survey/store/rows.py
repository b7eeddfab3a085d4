"""Rows read and written within a transaction."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, insert, select, text, update

from deniable.survey.store.tables import answers, settings, tallies, waiting


def kept(connection: Connection, ids: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Answers among some ids, each with its arm and report."""
    found: dict[str, tuple[str, str]] = {}
    for table in (waiting, answers):
        for row in connection.execute(select(table).where(table.c.id.in_(ids))):
            found[row.id] = (row.arm, row.report)
    return found


def all_tallies(connection: Connection) -> dict[str, int]:
    """Every tally."""
    return {row.name: row[1] for row in connection.execute(select(tallies))}


def add_to_tallies(connection: Connection, counts: Mapping[str, int]) -> None:
    """Add to some tallies."""
    change = update(tallies).where(tallies.c.name == bindparam("which"))
    change = change.values(count=tallies.c.count + bindparam("more"))
    rows: list[dict[str, Any]] = [{"which": n, "more": m} for n, m in sorted(counts.items()) if m]
    if rows:
        connection.execute(change, rows)


def setting(connection: Connection, name: str) -> str | None:
    """Read a setting."""
    found = select(settings.c.value).where(settings.c.name == name)
    return connection.execute(found).scalar_one_or_none()


def put_setting(connection: Connection, name: str, value: str) -> None:
    """Write a setting."""
    connection.execute(delete(settings).where(settings.c.name == name))
    connection.execute(insert(settings).values(name=name, value=value))


def how_many(connection: Connection, place: int, digit: str) -> int:
    """Answers that have a digit at a place."""
    found = 0
    for table in (waiting, answers):
        have = func.substr(table.c.report, place + 1, 1) == digit
        found += connection.execute(select(func.count()).where(have)).scalar_one()
    return found


def shuffle(connection: Connection, table: str) -> None:
    """Write rows anew, by their random ids: their places on the disk told when they arrived."""
    for statement in _SHUFFLE[connection.dialect.name]:
        connection.execute(text(statement.format(table=table)))


_SHUFFLE = {
    "postgresql": (
        "WITH moved AS (DELETE FROM {table} RETURNING id, arm, report) "
        "INSERT INTO {table} SELECT id, arm, report FROM moved ORDER BY id",
    ),
    "sqlite": (
        "CREATE TEMPORARY TABLE moved AS SELECT * FROM {table}",
        "DELETE FROM {table}",
        "INSERT INTO {table} SELECT * FROM moved ORDER BY id",
        "DROP TABLE moved",
    ),
}
