"""The first tables."""

from alembic import op
from sqlalchemy import Column, Integer, Text

revision = "first"
down_revision = None


def upgrade() -> None:
    """Make the tables of an empty database."""

    def key(name: str) -> Column[str]:
        return Column(name, Text, primary_key=True)

    def table(name: str, *columns: Column[str] | Column[int]) -> None:
        op.create_table(name, *columns, sqlite_with_rowid=False)

    table("settings", key("name"), Column("value", Text))
    table("invitations", key("code"), Column("blinded", Text))
    table("spent", key("token"))
    table("withdrawn", key("id"))
    for name in ("waiting", "answers"):
        arm, report = (Column(column, Text, nullable=False) for column in ("arm", "report"))
        table(name, key("id"), arm, report)
    table("tallies", key("name"), Column("count", Integer, nullable=False))
