"""A survey's database as one file, and back: the same from SQLite and from PostgreSQL.

A backup sees one moment, also while answers arrive, and holds rows only: no traces of deleted
answers, no write-ahead log. Like the database, it can make tokens: keep it as safe.
"""

from pathlib import Path

from sqlalchemy import Connection, func, insert, select

from deniable.base.files import refuse_to_overwrite, whole_file
from deniable.survey.questionnaire import Survey
from deniable.survey.store.database import DatabaseError, SurveyDatabase
from deniable.survey.store.store import belongs_to
from deniable.survey.store.tables import metadata, settings

ROWS_AT_ONCE = 10_000


def back_up(database: SurveyDatabase, path: Path) -> int:
    """Write a backup, whole or not at all; give the number of rows."""
    refuse_to_overwrite(path, [Path(database.url.database or "")] if database.is_sqlite else [])
    if path.exists():
        raise DatabaseError(f"{path} exists already.", hint="Name a new file.")
    with whole_file(path, private=True, new=True) as temporary:
        copy = SurveyDatabase(temporary, log="off")
        try:
            with database.snapshot() as source, copy.writing() as target:
                rows = _copy(source, target)
        finally:
            copy.close()
    return rows


def restore(path: Path, database: SurveyDatabase, survey: Survey) -> int:
    """Fill an empty database from a survey's backup; give the number of rows."""
    if not path.is_file():
        raise DatabaseError(f"{path} does not exist.", hint="Name a backup.")
    backup = SurveyDatabase(path, log="off", only_read=True)
    try:
        with backup.reading() as source, database.writing() as target:
            belongs_to(survey, source)
            if target.execute(select(func.count()).select_from(settings)).scalar_one():
                raise DatabaseError(
                    "The database holds a survey already.",
                    hint="Restore into a new one, then serve that.",
                )
            return _copy(source, target)
    finally:
        backup.close()


def _copy(source: Connection, target: Connection) -> int:
    rows = 0
    for table in metadata.sorted_tables:
        key = next(iter(table.primary_key))
        found = source.execution_options(stream_results=True).execute(select(table).order_by(key))
        for part in found.mappings().partitions(ROWS_AT_ONCE):
            target.execute(insert(table), [dict(row) for row in part])
            rows += len(part)
    return rows
