"""What was acknowledged is kept, exactly once: through kills, restarts, backups and migrations."""

import random
import signal
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from contracts.postgres import Server, fresh_database
from deniable.survey.questionnaire import load
from deniable.survey.store.database import SurveyDatabase
from deniable.survey.store.store import Store
from forking import Nursery
from survey.crowd import Crowd, crowd
from survey.nursery import nursery_in, served
from survey.visitors import everything, person, send, stranger, write_survey
from waiting import free_port

pytestmark = pytest.mark.slow

KILLS = 20
Address = str | Path


@pytest.fixture(scope="module")
def nursery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nursery]:
    with nursery_in(tmp_path_factory.mktemp("nursery")) as found:
        yield found


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    return write_survey(tmp_path, after=30, every=20)


def described(survey: Path) -> dict[str, object]:
    return load(survey).document()


def kept(database: Address, survey: Path) -> Counter[str]:
    """How often the database holds each answer; its tallies must agree with its rows."""
    store = Store(SurveyDatabase(database), load(survey))
    found, tallies = everything(store), store.tallies()
    store.database.close()
    ids = Counter(row[0] for table in ("waiting", "answers") for row in found[table])
    for table in ("waiting", "answers"):
        assert tallies[f"in {table}"] == len(found[table])
    for kind in ("arm", "device", "understood"):
        named = [count for name, count in tallies.items() if name.startswith(f"{kind} ")]
        assert sum(named) == ids.total()
    return ids


# --- Kills ---------------------------------------------------------------------------------------


def kill_again_and_again(
    nursery: Nursery, survey: Path, database: Address, between: Callable[[int, Crowd], None]
) -> Crowd:
    """Kill a server under load again and again, each time start another on the same port."""
    answers = random.Random(6)
    port = free_port()
    with crowd(f"http://127.0.0.1:{port}", described(survey)) as people:
        for number in range(KILLS):
            with served(nursery, survey, database, port) as server:
                people.wait_for(acknowledged=answers.randint(11, 25))
                between(number, people)
                assert server.end(signal.SIGKILL) == -signal.SIGKILL
            people.wait_for(retries=2)
        with served(nursery, survey, database, port) as server:
            people.stop()
            assert server.end(signal.SIGTERM) == 0
    return people


def check_nothing_lost_nothing_doubled(people: Crowd, database: Address, survey: Path) -> None:
    assert not people.refusals
    assert people.acknowledged.keys() == people.sent.keys()
    assert kept(database, survey) == Counter(people.acknowledged.keys())
    assert len(people.acknowledged) > 10 * KILLS  # there was load
    assert people.retries > KILLS  # and it was felt


def test_sqlite_loses_and_doubles_nothing_when_the_server_is_killed(
    nursery: Nursery, survey: Path, tmp_path: Path
) -> None:
    database = tmp_path / "habits.db"
    people = kill_again_and_again(nursery, survey, database, lambda *_: None)
    check_nothing_lost_nothing_doubled(people, database, survey)
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_postgresql_loses_and_doubles_nothing_when_either_server_is_killed(
    nursery: Nursery, survey: Path
) -> None:
    postgres = Server()

    def kill_postgres_twice(number: int, people: Crowd) -> None:
        if number in {KILLS // 3, 2 * KILLS // 3}:
            postgres.kill()
            people.wait_for(retries=1)
            postgres.start()
            people.wait_for(acknowledged=1)

    try:
        # Somebody has told PostgreSQL to acknowledge before it has written.
        postgres.run("ALTER SYSTEM SET synchronous_commit = off")
        postgres.run("SELECT pg_reload_conf()")
        database = postgres.url()
        people = kill_again_and_again(nursery, survey, database, kill_postgres_twice)
        check_nothing_lost_nothing_doubled(people, database, survey)
    finally:
        postgres.remove()


# --- Backups, and an end in good order -----------------------------------------------------------


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_backup_under_load_restores_to_what_was_acknowledged(
    kind: str, nursery: Nursery, survey: Path, tmp_path: Path
) -> None:
    database = tmp_path / "habits.db" if kind == "sqlite" else fresh_database()
    port = free_port()
    copies = [tmp_path / f"backup{number}" for number in range(3)]
    before = []
    with (
        served(nursery, survey, database, port) as server,
        crowd(f"http://127.0.0.1:{port}", described(survey)) as people,
    ):
        for copy in copies:
            people.wait_for(acknowledged=10)
            before.append(people.known())
            run(nursery, "backup", survey, "--database", database, "--out", copy)
        assert server.end(signal.SIGTERM) == 0
        with served(nursery, survey, database, port):
            people.stop()
    assert not people.refusals
    for path in (*copies, *(path for path in [database] if isinstance(path, Path))):
        assert path.stat().st_mode & 0o077 == 0  # for nobody else's eyes
    assert kept(database, survey) == Counter(people.sent.keys())
    assert people.sent.keys() == people.acknowledged.keys()
    targets: list[Address] = [tmp_path / "one.db", fresh_database(), tmp_path / "two.db"]
    for copy, known, target in zip(copies, before, targets, strict=True):
        run(nursery, "restore", survey, "--from", copy, "--database", target)
        restored = kept(target, survey)
        assert set(restored.values()) == {1}
        assert known.keys() <= restored.keys() <= people.sent.keys()
    with (
        served(nursery, survey, target, port),
        stranger(f"http://127.0.0.1:{port}") as client,
    ):
        for answer in list(people.sent.values())[:50]:
            assert send(client, answer).status_code == 200
    assert kept(target, survey) == restored | Counter(list(people.sent)[:50])


def run(nursery: Nursery, *words: object) -> str:
    status, output = nursery.run("survey", *words)
    assert status == 0, output
    return output


def test_a_backup_of_another_survey_is_refused_and_leaves_nothing(
    nursery: Nursery, survey: Path, tmp_path: Path
) -> None:
    Store(SurveyDatabase(tmp_path / "habits.db"), load(survey)).database.close()
    copy = tmp_path / "backup"
    run(nursery, "backup", survey, "--out", copy)
    (tmp_path / "other").mkdir()
    other = tmp_path / "other" / "other.yaml"
    other.write_text(survey.read_text().replace("survey: habits", "survey: other"))
    status, output = nursery.run("survey", "restore", other, "--from", copy)
    assert status == 1
    assert "another survey, 'habits'" in output
    store = Store(SurveyDatabase(other.with_suffix(".db")), load(other))  # it is still free
    assert not store.tallies()["in waiting"]
    store.database.close()


# --- Older and other files -----------------------------------------------------------------------

FIRST = """
CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY);
INSERT INTO alembic_version VALUES ('first');
CREATE TABLE settings (name TEXT NOT NULL, value TEXT, PRIMARY KEY (name)) WITHOUT ROWID;
CREATE TABLE invitations (code TEXT NOT NULL, blinded TEXT, PRIMARY KEY (code)) WITHOUT ROWID;
CREATE TABLE spent (token TEXT NOT NULL, PRIMARY KEY (token)) WITHOUT ROWID;
CREATE TABLE withdrawn (id TEXT NOT NULL, PRIMARY KEY (id)) WITHOUT ROWID;
CREATE TABLE waiting (id TEXT NOT NULL, arm TEXT NOT NULL, report TEXT NOT NULL,
    PRIMARY KEY (id)) WITHOUT ROWID;
CREATE TABLE answers (id TEXT NOT NULL, arm TEXT NOT NULL, report TEXT NOT NULL,
    PRIMARY KEY (id)) WITHOUT ROWID;
CREATE TABLE tallies (name TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (name)) WITHOUT ROWID;
INSERT INTO waiting VALUES ('00000000000000000000000000000001', 'disguised', '01');
INSERT INTO answers VALUES ('00000000000000000000000000000002', 'disguised', '10');
INSERT INTO tallies VALUES ('in waiting', 1), ('in answers', 1), ('arm disguised', 2),
    ('device page', 2), ('understood 2', 2);
"""
"""A database as the first version left it; never to be changed."""


def test_a_database_of_the_first_version_still_opens(survey: Path, tmp_path: Path) -> None:
    database = tmp_path / "first.db"
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript(FIRST)
    assert sorted(kept(database, survey)) == [f"{1:032}", f"{2:032}"]
    store = Store(SurveyDatabase(database), load(survey))
    store.keep([person(described(survey)).answer])
    assert store.tallies()["in waiting"] == 2
    assert store.reports("disguised") == {"10": 1}
    store.database.close()


def _foreign(path: Path, statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(statements)


def _cut(path: Path, survey: Path) -> None:
    Store(SurveyDatabase(path), load(survey)).database.close()
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])


UNUSABLE: dict[str, Callable[[Path, Path], object]] = {
    "text": lambda path, _: path.write_text("Dear database,\n" * 100),
    "cut": _cut,
    "zeros": lambda path, _: path.write_bytes(bytes(8192)),
    "somebody else's": lambda path, _: _foreign(path, "CREATE TABLE bookmarks (url TEXT);"),
    "somebody else's settings": lambda path, _: _foreign(
        path, "CREATE TABLE settings (name TEXT, value TEXT);"
    ),
    "somebody else's version": lambda path, _: _foreign(
        path, FIRST.replace("('first')", "('4f1c0ffee')")
    ),
    "a folder": lambda path, _: path.mkdir(),
}


@pytest.mark.parametrize("how", UNUSABLE)
def test_a_file_that_is_no_database_of_ours_is_refused_in_one_sentence(
    how: str, nursery: Nursery, survey: Path, tmp_path: Path
) -> None:
    database = tmp_path / "unusable.db"
    UNUSABLE[how](database, survey)
    before = database.read_bytes() if database.is_file() else None
    for words in (
        ("serve", survey, "--port", 0, "--database", database),
        ("restore", survey, "--from", database, "--database", tmp_path / "new.db"),
    ):
        status, output = nursery.run("survey", *words)
        assert status == 1, (words, output)
        assert output.startswith("deniable: ")
        assert len(output.splitlines()) == 1, output
    assert (database.read_bytes() if database.is_file() else None) == before


def test_an_empty_file_becomes_a_database(nursery: Nursery, survey: Path, tmp_path: Path) -> None:
    database = tmp_path / "empty.db"
    database.touch()
    port = free_port()
    with served(nursery, survey, database, port):
        answer = person(described(survey)).answer
        with stranger(f"http://127.0.0.1:{port}") as client:
            assert send(client, answer).status_code == httpx.codes.OK
    assert kept(database, survey) == Counter([answer.id])
