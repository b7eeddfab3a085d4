"""A database that hangs, is locked, full or only to be read: who does not need it goes on.

Health says so, answers are refused in time, and nothing that was acknowledged is lost.
"""

import resource
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest

from contracts.postgres import Server
from deniable.survey.protocol import Submission
from forking import Command, Nursery
from survey.nursery import nursery_in, served
from survey.serving import PASSWORD, open_store
from survey.visitors import person, send, stranger, write_survey
from waiting import eventually, free_port

pytestmark = pytest.mark.slow

ON_THE_LOOP = """
from deniable.survey.server import bounded_threads, reads

async def run(self, work, *given):
    return work(*given)

bounded_threads.BoundedThreads.run = run
"""
"""The weakness: the database is waited for where everybody else is answered."""

ONLY_READ = """
from deniable.survey.server import reads

reads.rehearse = lambda store: store.setting("survey")
"""
"""The weakness: health only reads."""


@pytest.fixture(scope="module")
def nursery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nursery]:
    with nursery_in(tmp_path_factory.mktemp("nursery")) as found:
        yield found


@pytest.fixture(scope="module")
def postgres() -> Iterator[Server]:
    server = Server()
    yield server
    server.remove()


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    return write_survey(tmp_path)


class Site:
    """A survey that is served by a process of its own."""

    def __init__(self, url: str, command: Command, database: str | Path) -> None:
        self.url, self.command, self.database = url, command, database
        with self.client() as client:
            self.described = client.get("/api/survey").json()
        self.acknowledged: list[Submission] = []

    def client(self) -> httpx.Client:
        found = stranger(self.url)
        found.timeout = httpx.Timeout(60)
        return found

    def answer(self) -> int:
        """Send an answer; note it if it is acknowledged."""
        answer = person(self.described).answer
        with self.client() as client:
            status = send(client, answer).status_code
        if status == 200:
            self.acknowledged.append(answer)
        return status

    def health(self) -> int:
        with self.client() as client:
            return client.get("/api/health").status_code

    def is_well_again(self, survey: Path) -> None:
        """What was acknowledged is kept, and answers are taken."""
        eventually(lambda: self.health() == 200)
        assert self.answer() == 200
        store = open_store(survey, self.database)
        try:
            assert self.acknowledged
            assert all(store.holds(answer.id) for answer in self.acknowledged)
        finally:
            store.database.close()


@contextmanager
def site(nursery: Nursery, survey: Path, database: str | Path, plant: str = "") -> Iterator[Site]:
    open_store(survey, database).database.close()  # whose password is known
    port = free_port()
    with served(nursery, survey, database, port, plant=plant) as command:
        found = Site(f"http://127.0.0.1:{port}", command, database)
        assert found.answer() == 200
        assert found.health() == 200
        yield found


# --- Hanging -------------------------------------------------------------------------------------


@contextmanager
def hanging(postgres: Server) -> Iterator[None]:
    """Stop PostgreSQL without ending it: connections stay, and nothing is answered."""
    postgres.send_to_all(signal.SIGSTOP)
    try:
        yield
    finally:
        postgres.send_to_all(signal.SIGCONT)


def test_a_database_that_hangs_holds_up_nobody_who_does_not_need_it(
    nursery: Nursery, survey: Path, postgres: Server
) -> None:
    database = postgres.new_database()
    with site(nursery, survey, database) as found, found.client() as researcher:
        researcher.post("/researcher/login", data={"password": PASSWORD})
        assert "Sign out" in researcher.get("/researcher").text
        with hanging(postgres):
            # Whoever needs the database is told to come again, in a time that has an end.
            assert researcher.get("/researcher").status_code == 503
            assert found.health() == 503
            assert found.answer() == 503
            for _ in range(20):
                with found.client() as client:
                    assert client.get("/").is_success
                    assert client.get("/respondent.js").is_success
                    assert client.get("/researcher").is_success  # the form to sign in
            assert found.health() == 503
        found.is_well_again(survey)
        assert "Sign out" in researcher.get("/researcher").text


def test_waiting_for_the_database_on_the_event_loop_would_hold_up_all(
    nursery: Nursery, survey: Path, postgres: Server
) -> None:
    database = postgres.new_database()
    with (
        site(nursery, survey, database, ON_THE_LOOP) as found,
        hanging(postgres),
        found.client() as client,
    ):
        client.timeout = httpx.Timeout(2)
        for path in ("/api/survey", "/"):
            with pytest.raises(httpx.TimeoutException):
                client.get(path)


# --- Nothing can be written ----------------------------------------------------------------------


@contextmanager
def locked(found: Site) -> Iterator[None]:
    with closing(sqlite3.connect(found.database, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")


@contextmanager
def full(found: Site) -> Iterator[None]:
    """Let no file of the server's process grow, as on a disk that is full."""
    before = resource.prlimit(found.command.process, resource.RLIMIT_FSIZE)
    resource.prlimit(found.command.process, resource.RLIMIT_FSIZE, (4_096, before[1]))
    yield
    resource.prlimit(found.command.process, resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("trouble", [locked, full])
def test_health_is_not_well_while_nothing_can_be_written(
    trouble: object, nursery: Nursery, survey: Path, tmp_path: Path
) -> None:
    assert callable(trouble)
    with site(nursery, survey, tmp_path / "ours.db") as found:
        with trouble(found):
            eventually(lambda: found.health() == 503)
            assert found.answer() == 503
            assert found.health() == 503
            with found.client() as client:
                assert client.get("/").is_success
                assert client.get("/api/survey").is_success
        found.is_well_again(survey)
    with site(nursery, survey, tmp_path / "weak.db", ONLY_READ) as weak, trouble(weak):
        assert weak.health() == 200  # it says that all is well
        assert weak.answer() == 503


def test_nor_while_the_database_may_only_be_read(
    nursery: Nursery, survey: Path, postgres: Server
) -> None:
    def only_read(wanted: str) -> None:
        postgres.run(f"ALTER SYSTEM SET default_transaction_read_only = {wanted}")
        postgres.run("SELECT pg_reload_conf()")

    with site(nursery, survey, postgres.new_database()) as found:
        only_read("on")
        try:
            eventually(lambda: found.health() == 503)
            assert found.answer() == 503
        finally:
            only_read("off")
        found.is_well_again(survey)


def test_health_leaves_nothing_behind_and_many_who_ask_share_one_look(
    nursery: Nursery, survey: Path, tmp_path: Path
) -> None:
    with site(nursery, survey, tmp_path / "ours.db") as found, found.client() as client:
        for _ in range(200):
            assert client.get("/api/health").status_code == 200
    with closing(sqlite3.connect(tmp_path / "ours.db")) as connection:
        names = {name for (name,) in connection.execute("SELECT name FROM settings")}
    assert "rehearsal" not in names
