"""Thieves at a survey's files: what was deleted is gone, and what is killed tells one commit."""

import os
import signal
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from threading import Thread

import httpx
import pytest

from deniable.survey.protocol import Submission
from deniable.survey.questionnaire import load
from deniable.survey.store.backup import back_up
from deniable.survey.store.database import SurveyDatabase
from deniable.survey.store.store import Store
from forking import Nursery
from survey.crowd import crowd
from survey.nursery import nursery_in, served
from survey.serving import serving
from survey.visitors import person, send, stranger, write_survey
from waiting import eventually, free_port

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def nursery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nursery]:
    with nursery_in(tmp_path_factory.mktemp("nursery")) as found:
        yield found


# --- Deleted answers -----------------------------------------------------------------------------


def row_of(answer: Submission) -> bytes:
    """An answer as a file of SQLite holds it: its columns, one after the other."""
    return f"{answer.id}{answer.arm}{answer.report}".encode()


def found_in(folder: Path, answer: Submission) -> int:
    return sum(path.read_bytes().count(row_of(answer)) for path in folder.iterdir())


def deleted_after(folder: Path, number: int) -> list[Submission]:
    """Serve a survey to some people, of whom every third deletes their answer; give theirs."""
    survey = write_survey(folder, after=number // 2, every=number)
    with serving(survey) as running, stranger(running.url) as client:
        described = client.get("/api/survey").json()
        people = [person(described) for _ in range(number)]
        for someone in people:
            assert send(client, someone.answer).status_code == 200
        assert all(found_in(folder, someone.answer) == 1 for someone in people)
        for someone in people[::3]:
            asked = {"receipt": someone.shown_receipt}
            assert client.post("/api/receipts/delete", json=asked).json() == {"deleted": True}
        back_up(running.store.database, folder / "backup")
        return [someone.answer for someone in people[::3]]


def test_a_deleted_answer_is_in_no_file_at_once(tmp_path: Path) -> None:
    assert not any(found_in(tmp_path, answer) for answer in deleted_after(tmp_path, 30))


def test_the_thief_finds_deleted_answers_where_nothing_is_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = ["synchronous = FULL", "secure_delete = OFF", "temp_store = MEMORY"]
    monkeypatch.setattr("deniable.survey.store.database.SQLITE_SETTINGS", settings)
    assert any(found_in(tmp_path, answer) for answer in deleted_after(tmp_path, 30))


# --- Killed servers ------------------------------------------------------------------------------


def test_a_killed_server_leaves_one_commit_in_its_log_at_most(
    nursery: Nursery, tmp_path: Path
) -> None:
    survey = write_survey(tmp_path, after=1000, every=1000)
    database, port = tmp_path / "habits.db", free_port()
    log = tmp_path / "habits.db-wal"
    described = load(survey).document()
    arrived: list[Submission] = []
    left = []

    def come_one_by_one() -> None:
        url = f"http://127.0.0.1:{port}"
        with suppress(httpx.TransportError), stranger(url) as client:  # until the server is killed
            for _ in range(1000):
                arrived.append(person(described).answer)
                send(client, arrived[-1])

    for number in range(10):
        with served(nursery, survey, database, port) as server:
            assert not log.stat().st_size  # what a server that was killed had left is gone
            before = len(arrived)
            people = Thread(target=come_one_by_one)
            people.start()
            enough = before + 4 + number % 5
            eventually(lambda: len(arrived) >= enough)  # noqa: B023 (it waits here)
            assert server.end(signal.SIGKILL) == -signal.SIGKILL
            people.join()
        file, content = database.read_bytes(), log.read_bytes()
        new = [a for a in arrived if a.id.encode() in content and a.id.encode() not in file]
        left.append(len(new))
    assert max(left) <= 1


# --- Files that others can read ------------------------------------------------------------------


def test_a_file_that_was_made_for_everybody_becomes_private_with_its_logs(tmp_path: Path) -> None:
    survey = load(write_survey(tmp_path))
    database = tmp_path / "habits.db"
    database.touch()
    database.chmod(0o666)
    before = os.umask(0)
    try:
        with closing(SurveyDatabase(database)) as opened:
            Store(opened, survey)
            modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.glob("habits.db*")}
    finally:
        os.umask(before)
    assert modes == dict.fromkeys(("habits.db", "habits.db-wal", "habits.db-shm"), 0o600)


def test_the_log_stays_empty_under_many_at_once_and_while_the_survey_is_closed(
    nursery: Nursery, tmp_path: Path
) -> None:
    """Between commits, whoever writes: the server, or a command beside it."""
    survey = write_survey(tmp_path, after=30, every=20)
    database, port = tmp_path / "habits.db", free_port()
    url = f"http://127.0.0.1:{port}"
    with served(nursery, survey, database, port):
        with crowd(url, load(survey).document()) as people:
            people.wait_for(acknowledged=100)
        assert not (tmp_path / "habits.db-wal").stat().st_size
        assert nursery.run("survey", "close", survey)[0] == 0
        assert not (tmp_path / "habits.db-wal").stat().st_size
