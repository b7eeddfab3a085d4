"""The tables of a survey's database, the same in SQLite and PostgreSQL.

No table holds a time, an address or a running number. Places in the files would tell what came
when; so rows that wait are written anew with each commit, by their random keys, and SQLite's log is
emptied. Views named after the arms show the reports in words.

What leaks to whoever reads the database: disguised reports; which invitations were used, but not
for which answer; which answers belong to the latest, unfinished batch.
"""

from sqlalchemy import (
    Column,
    Connection,
    Integer,
    MetaData,
    Table,
    Text,
    case,
    cast,
    func,
    literal,
    select,
    text,
)

from deniable.schema import Schema
from deniable.survey.protocol import ARMS, REPORT_LETTERS
from deniable.survey.spreadsheet_cells import plain_cell

metadata = MetaData()


def _table(name: str, *columns: Column[str] | Column[int]) -> Table:
    # Without a rowid, SQLite has no number that would tell in which order rows arrived.
    return Table(name, metadata, *columns, sqlite_with_rowid=False)


def _reports(name: str) -> Table:
    arm, report = (Column(column, Text, nullable=False) for column in ("arm", "report"))
    return _table(name, Column("id", Text, primary_key=True), arm, report)


settings = _table("settings", Column("name", Text, primary_key=True), Column("value", Text))

invitations = _table(
    "invitations",
    Column("code", Text, primary_key=True, comment="SHA-256 of the invitation's code"),
    Column("blinded", Text, comment="SHA-256 of what was signed for it, or a mark of that length"),
)

spent = _table("spent", Column("token", Text, primary_key=True, comment="SHA-256 of a used token"))

waiting = _reports("waiting")

answers = _reports("answers")

withdrawn = _table("withdrawn", Column("id", Text, primary_key=True))

tallies = _table(
    "tallies",
    Column("name", Text, primary_key=True),
    Column("count", Integer, nullable=False),
)


def make_views(connection: Connection, schema: Schema) -> None:
    """Make the views ``disguised`` and ``direct`` over all released answers, in words."""
    columns = []
    for place, attribute in enumerate(schema, start=1):
        digit = func.substr(answers.c.report, place, 1)
        values = map(plain_cell, attribute.values)  # as an export has them
        words = dict(zip(REPORT_LETTERS, map(literal, values), strict=False))
        columns.append(cast(case(words, value=digit), Text).label(attribute.name))
    for arm in ARMS:
        query = select(*columns).where(answers.c.arm == literal(arm))
        written = query.compile(connection, compile_kwargs={"literal_binds": True})
        connection.execute(text(f"DROP VIEW IF EXISTS {arm}"))
        connection.exec_driver_sql(f"CREATE VIEW {arm} AS {written}")
