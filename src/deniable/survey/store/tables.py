"""The tables of a survey's database, the same in SQLite and PostgreSQL.

No table holds a time, an address or a running number. Places in the files would tell what came
when; so rows that wait are written anew with each commit, by their random keys. Views named after
the arms show the reports in words.

What leaks to whoever reads the database: disguised reports; which invitations were used, but not
for which answer; which answers belong to the latest, unfinished batch.
"""

from sqlalchemy import Column, Integer, MetaData, Table, Text

metadata = MetaData()


def _table(name: str, *columns: Column[str] | Column[int]) -> Table:
    # Without a rowid, SQLite has no number that would tell in which order rows arrived.
    return Table(name, metadata, *columns, sqlite_with_rowid=False)


settings = _table("settings", Column("name", Text, primary_key=True), Column("value", Text))

invitations = _table(
    "invitations",
    Column("code", Text, primary_key=True, comment="SHA-256 of the invitation's code"),
    Column("blinded", Text, comment="SHA-256 of what was signed for it, or nothing yet"),
)

spent = _table("spent", Column("token", Text, primary_key=True, comment="SHA-256 of a used token"))

waiting = _table(
    "waiting",
    Column("id", Text, primary_key=True),
    Column("arm", Text, nullable=False),
    Column("report", Text, nullable=False),
)

answers = _table(
    "answers",
    Column("id", Text, primary_key=True),
    Column("arm", Text, nullable=False),
    Column("report", Text, nullable=False),
)

withdrawn = _table("withdrawn", Column("id", Text, primary_key=True))

tallies = _table(
    "tallies",
    Column("name", Text, primary_key=True),
    Column("count", Integer, nullable=False),
)
