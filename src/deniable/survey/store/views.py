"""Reports in words: a view for each arm, one column per attribute, as engines read tables."""

from sqlalchemy import Connection, Text, case, cast, func, literal, select, text

from deniable.schema import Schema
from deniable.survey.protocol import ARMS, REPORT_LETTERS
from deniable.survey.store.tables import answers


def make_views(connection: Connection, schema: Schema) -> None:
    """Make the views ``disguised`` and ``direct`` over all released answers."""
    columns = []
    for place, attribute in enumerate(schema, start=1):
        digit = func.substr(answers.c.report, place, 1)
        words = {
            REPORT_LETTERS[code]: literal(value) for code, value in enumerate(attribute.values)
        }
        columns.append(cast(case(words, value=digit), Text).label(attribute.name))
    for arm in ARMS:
        query = select(*columns).where(answers.c.arm == literal(arm))
        written = query.compile(connection, compile_kwargs={"literal_binds": True})
        connection.execute(text(f"DROP VIEW IF EXISTS {arm}"))
        connection.exec_driver_sql(f"CREATE VIEW {arm} AS {written}")
