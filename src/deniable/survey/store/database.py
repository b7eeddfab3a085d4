"""Connections to a survey's database: one writer at a time, and what is committed stays."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import StaticPool

from deniable.base.errors import DataError
from deniable.base.extras import not_installed

WRITER = 0x64656E6961626C65 >> 1
"""The advisory lock that PostgreSQL's writers take, one after the other."""

LOCK_PATIENCE = 30
"""Seconds to wait for another writer."""

LOG_PATIENCE = 1.0
"""Seconds that a commit waits for readers, so that the log can be emptied behind it."""

SQLITE_SETTINGS = (
    "synchronous = FULL",  # acknowledged means: on the disk
    "secure_delete = ON",  # a deleted answer is overwritten
    "temp_store = MEMORY",  # no answer is left in another file
)


class DatabaseError(DataError):
    """A survey's database that cannot be used."""


class SurveyDatabase:
    """A SQLite file or a PostgreSQL database with a survey's tables, brought up to date."""

    def __init__(self, address: str | Path, *, log: str = "wal", only_read: bool = False) -> None:
        """Open or make a database; `log` is the journal mode of SQLite."""
        self.url = _url(address)
        self._engine = _sqlite(self.url, log) if self.is_sqlite else _postgres(self.url)
        self._logs = self.is_sqlite and log == "wal"
        self._migrate(only_read=only_read)
        if self._logs:  # only now that the file is known to be ours
            with closing(self._engine.raw_connection()) as connection:
                connection.cursor().execute("PRAGMA journal_mode = wal")

    @classmethod
    def existing(cls, address: str | Path) -> "SurveyDatabase":
        """Open a database that must be there."""
        file = _url(address)
        if file.get_backend_name() == "sqlite" and not Path(file.database or "").is_file():
            raise DatabaseError(
                f"There is no database {Path(file.database or '').name} yet.",
                hint="Serve the survey first, or name its --database.",
            )
        return cls(address)

    @property
    def is_sqlite(self) -> bool:
        """Whether it is a file of SQLite."""
        return self.url.get_backend_name() == "sqlite"

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a transaction that sees one snapshot and changes nothing."""
        level: dict[str, Any] = {} if self.is_sqlite else {"isolation_level": "REPEATABLE READ"}
        with (
            self._translated(),
            self._engine.connect().execution_options(**level) as connection,
            connection.begin(),
        ):
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Open a transaction; it is the only one that writes, whatever other processes do."""
        with (
            self._translated(),
            self._engine.connect().execution_options(writes=True) as connection,
            connection.begin(),
        ):
            if not self.is_sqlite:
                connection.execute(text(_LOCK), {"key": WRITER})
            yield connection
        if self._logs:
            self._empty_log()

    def tidy(self) -> None:
        """Write SQLite's file anew, by the random keys: places in it told what came when."""
        if self.is_sqlite:
            with closing(self._engine.raw_connection()) as connection:
                try:
                    connection.cursor().execute("VACUUM")
                except sqlite3.OperationalError as error:
                    raise DatabaseError(
                        f"The survey's database cannot be written anew: {error}.",
                        hint="It needs as much room again for a moment; nothing is lost.",
                    ) from None
            self._empty_log()

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """Open one moment for long reading; of SQLite, a copy in memory.

        A long look into the file itself would keep commits from emptying their log.
        """
        if not self.is_sqlite:
            with self.reading() as connection:
                yield connection
            return
        copy = create_engine("sqlite://", poolclass=StaticPool)
        try:
            with (
                self._translated(),
                closing(self._engine.raw_connection()) as file,
                closing(copy.raw_connection()) as memory,
            ):
                source: Any = file.driver_connection
                source.backup(memory.driver_connection)
            with copy.connect() as connection:
                yield connection
        finally:
            copy.dispose()

    def close(self) -> None:
        """Let go of every connection; of SQLite, only the file itself stays."""
        self._engine.dispose()

    def _empty_log(self) -> None:
        """Empty SQLite's log: commit by commit it would tell in which order answers came.

        What is committed is on the disk already, and stays there if this cannot be done now: a
        reader who stays for longer does not stop the survey, and the next commit tries again.
        """
        with closing(self._engine.raw_connection()) as connection:
            cursor = connection.cursor()
            cursor.execute(f"PRAGMA busy_timeout = {round(1000 * LOG_PATIENCE)}")
            with suppress(sqlite3.OperationalError):
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            cursor.execute(f"PRAGMA busy_timeout = {1000 * LOCK_PATIENCE}")

    def _migrate(self, *, only_read: bool) -> None:
        config = Config()
        config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
        scripts = ScriptDirectory.from_config(config)
        with self.reading() as connection:
            found = MigrationContext.configure(connection).get_current_revision()
            others = inspect(connection).get_table_names() if found is None else []
        if found == scripts.get_current_head():
            return
        if only_read:
            raise DatabaseError(
                f"{Path(self.url.database or '').name} is no backup that this version reads.",
                hint="Name a file that `deniable survey backup` wrote.",
            )
        if others or found not in {None, *(script.revision for script in scripts.walk_revisions())}:
            raise DatabaseError(
                "The database was made by another program, or by a newer version of this one.",
                hint="Use a database of its own, or update deniable.",
            )
        with self.writing() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            raise DatabaseError(
                f"The survey's database cannot be used: {str(error.orig).splitlines()[0]}.",
                hint=f"Check {self.url.render_as_string(hide_password=True)}.",
            ) from error


def _url(address: str | Path) -> URL:
    if isinstance(address, Path) or "://" not in address:
        return URL.create("sqlite", database=str(Path(address).absolute()))
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        raise DatabaseError(
            "The address of the database cannot be read.", hint=_ADDRESSES
        ) from None
    if url.get_backend_name() == "sqlite" and url.database:
        return url.set(drivername="sqlite")
    if url.get_backend_name() == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    raise DatabaseError(f"A survey is not kept in {url.drivername!r}.", hint=_ADDRESSES)


_ADDRESSES = "Use a file such as survey.db, or postgresql://user@host/database."


def _make_private(file: Path) -> None:
    """Let nobody else read a new file, nor SQLite's logs beside it: they inherit its mode.

    A file that somebody made and left empty is new, too; one that holds answers is its owner's.
    """
    try:
        opened = os.open(file, os.O_CREAT | os.O_RDWR, 0o600)
        try:
            if not os.fstat(opened).st_size:
                os.fchmod(opened, 0o600)
        finally:
            os.close(opened)
    except OSError as error:
        raise DatabaseError(f"{file} cannot be opened: {error.strerror}.") from None


def _sqlite(url: URL, log: str) -> Engine:
    folder = Path(url.database or "").parent
    if not folder.is_dir():
        raise DatabaseError(f"The folder {folder} does not exist.", hint="Make it first.")
    _make_private(Path(url.database or ""))
    engine = create_engine(
        url,
        connect_args={"timeout": LOCK_PATIENCE, "check_same_thread": False},
        hide_parameters=True,  # errors are not to repeat answers
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: object) -> None:
        connection.isolation_level = None  # transactions begin below, as they were asked for
        if log != "wal":
            connection.execute(f"PRAGMA journal_mode = {log}")
        for pragma in SQLITE_SETTINGS:
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


_LOCK = """
SELECT pg_advisory_xact_lock(:key), CASE current_setting('synchronous_commit')
    WHEN 'off' THEN set_config('synchronous_commit', 'on', true) END
"""
"""One writer at a time; and acknowledged means on the disk, whatever PostgreSQL was told before."""


def _postgres(url: URL) -> Engine:
    try:
        return create_engine(
            url,
            pool_pre_ping=True,
            hide_parameters=True,
            connect_args={"connect_timeout": LOCK_PATIENCE},
        )
    except (ModuleNotFoundError, NoSuchModuleError, SQLAlchemyError):
        raise not_installed("PostgreSQL needs", ["psycopg"], "deniable[survey,postgres]") from None
