"""`deniable survey …` from the outside: a survey is made, served, answered, closed and exported."""

import csv
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from commanding import Command
from deniable.base import files
from deniable.survey import invitations
from deniable.survey.questionnaire import EXAMPLE, load
from deniable.survey.store.database import SurveyDatabase
from deniable.survey.store.intake import Verdict
from deniable.survey.store.store import Store
from waiting import PATIENCE, eventually, free_port

INVITED = EXAMPLE.replace("invitations: no", "invitations: yes").replace("after: 200", "after: 20")


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    path = tmp_path / "survey.yaml"
    path.write_text(INVITED, encoding="utf-8")
    return path


def answers(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/api/health").is_success
    except httpx.TransportError:
        return False


@contextmanager
def served(survey: Path, *more: str) -> Iterator[tuple[str, Callable[[], tuple[str, str]]]]:
    """The real command in a process of its own; gives the address and a way to stop it."""
    port = free_port()
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "deniable", "survey", "serve", survey),
            *("--port", str(port), *more),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )

    def stopped() -> tuple[str, str]:
        process.send_signal(signal.SIGINT)
        return process.communicate(timeout=PATIENCE)

    try:
        eventually(lambda: process.poll() is not None or answers(port))
        yield f"http://127.0.0.1:{port}", stopped
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()


@pytest.mark.slow
def test_a_survey_from_invitation_to_estimate(
    survey: Path, tmp_path: Path, deniable: Command
) -> None:
    people = tmp_path / "people.csv"
    people.write_text("email,name\n" + "".join(f"p{i}@example.org,P {i}\n" for i in range(40)))
    links = tmp_path / "links.csv"
    with served(survey) as (url, stop):
        deniable("survey", "invite", survey, "--people", people, "--out", links, "--url", url)
        with links.open(newline="") as file:
            rows = list(csv.DictReader(file))
        assert [row["email"] for row in rows] == [f"p{i}@example.org" for i in range(40)]
        assert len({row["link"] for row in rows}) == 40
        done = deniable(
            "survey", "simulate", url, "--invitations", links, "--random-state", "1", "--json"
        )
        assert json.loads(done.out)["acknowledged"] == 40
        backup = tmp_path / "backup"
        deniable("survey", "backup", survey, "--out", backup)
        deniable("survey", "close", survey)
        assert not httpx.get(f"{url}/api/survey").json()["open"]
        out, err = stop()
    assert f"For respondents:    {url}/" in out
    assert "Password, shown once: " in out
    assert "all answers are kept" in err
    assert not list(tmp_path.glob("survey.db-*"))  # the log is written into the file

    folder = tmp_path / "export"
    deniable("survey", "export", survey, "--out", folder)
    done = deniable(
        "estimate", folder / "disguised.parquet", "--design", folder / "design.yaml",
        "copied=yes", "--of", "population", "--json",
    )  # fmt: skip
    (estimate,) = json.loads(done.out)
    assert estimate["n"] == 40
    address = f"sqlite:///{survey.with_suffix('.db')}#disguised"
    again = deniable(
        "estimate", address, "--design", folder / "design.yaml", "copied=yes", "--of", "population",
        "--json",
    )  # fmt: skip
    assert json.loads(again.out) == [estimate]

    other = tmp_path / "other.db"
    deniable("survey", "restore", survey, "--from", backup, "--database", str(other))
    deniable("survey", "close", survey, "--database", str(other))
    folder = tmp_path / "again"
    deniable("survey", "export", survey, "--out", folder, "--database", str(other))
    assert (folder / "disguised.csv").read_text().count("\n") == 41


@pytest.mark.slow
def test_the_password_is_shown_once_and_can_be_changed(survey: Path, deniable: Command) -> None:
    with served(survey) as (url, stop):
        first = httpx.post(f"{url}/researcher/login", data={"password": "nothing like it"})
        assert first.status_code == 403
        new = deniable("survey", "password", survey).out.strip()
        entered = httpx.post(f"{url}/researcher/login", data={"password": new})
        assert entered.status_code == 303
        out, _ = stop()
    assert new not in out
    with served(survey) as (_, stop):
        out, _ = stop()
    assert "Password" not in out


def test_a_port_that_is_taken_is_said_in_one_sentence(survey: Path, deniable: Command) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = deniable("survey", "serve", survey, "--port", port)
    assert done.err.startswith(f"deniable: Port {port} of 127.0.0.1 cannot be opened: ")


REFUSED = {
    "There is no database survey.db yet.": ("close",),
    "Say whom to invite.": ("invite", "--out", "links.csv"),
    "is no address of a page": ("invite", "--out", "l.csv", "--number", "2", "--url", "ftp://x"),
    "nobody.csv cannot be read: No such file": (
        "invite", "--out", "links.csv", "--people", "nobody.csv",
    ),
    "https needs both": ("serve", "--certificate", "survey.yaml"),
    "missing.db does not exist": ("restore", "--from", "missing.db"),
    "file is not a database": ("restore", "--from", "survey.yaml"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("words", REFUSED)
def test_what_cannot_be_done_is_one_sentence_and_leaves_nothing(
    words: str, survey: Path, deniable: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(survey.parent)
    command, *more = REFUSED[words]
    done = deniable("survey", command, "survey.yaml", *more)
    assert words in done.err
    assert done.err.count("\n") == 1
    assert not (survey.parent / "links.csv").exists()


def test_what_is_not_installed_is_named(
    survey: Path, deniable: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fastapi", None)
    done = deniable("survey", "serve", survey)
    assert done.err == ("deniable: Surveys need 'fastapi'. Run pip install 'deniable[survey]'.\n")
    assert deniable("survey", "check", survey).code == 0


def test_links_of_an_earlier_version_are_not_served_but_its_answers_are_at_hand(
    survey: Path, deniable: Command
) -> None:
    deniable("survey", "invite", survey, "--number", "2", "--out", survey.with_name("l.csv"))
    with closing(SurveyDatabase(survey.with_suffix(".db"))) as database:
        Store(database, load(survey)).set("fingerprint", load(survey).earlier_fingerprints[0])
    done = deniable("survey", "serve", survey)
    assert done.code == 1
    assert "made by an earlier version" in done.err
    assert deniable("survey", "close", survey).code == 0


@pytest.mark.slow
def test_links_are_private_and_a_second_wave_does_not_overwrite_them(
    survey: Path, tmp_path: Path, deniable: Command
) -> None:
    links = tmp_path / "links.csv"
    words = ("survey", "invite", survey, "--number", "2", "--out")
    assert deniable(*words, links).code == 0
    assert links.stat().st_mode & 0o777 == 0o600
    first = links.read_bytes()
    done = deniable(*words, links)
    assert done.code == 1
    assert "exists already, and its links are nowhere else. Name a new file" in done.err
    assert links.read_bytes() == first
    assert deniable(*words, tmp_path / "second.csv").code == 0
    opened = closing(SurveyDatabase(survey.with_suffix(".db")))
    with opened as database, database.reading() as connection:
        made = connection.exec_driver_sql("SELECT count(*) FROM invitations").scalar_one()
    assert made == 4  # of both waves, and none for links that were not written


@pytest.mark.slow
@pytest.mark.parametrize("is_ours", [True, False], ids=["ours", "planted"])
def test_two_waves_at_once_do_not_overwrite_each_others_links(
    is_ours: bool, survey: Path, tmp_path: Path, deniable: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    links, of_another = tmp_path / "links.csv", "link\nof another wave\n"
    write = invitations.write_invitations

    def write_late(*given: Any) -> None:
        """Meanwhile, another command has written its own."""
        write(*given)
        links.write_text(of_another)

    monkeypatch.setattr(invitations, "write_invitations", write_late)
    if not is_ours:
        monkeypatch.setattr(files, "_take_a_free_name", lambda at, it: it.replace(at))
    done = deniable("survey", "invite", survey, "--number", "2", "--out", links)
    assert (done.code, "links.csv exists already" in done.err) == (int(is_ours), is_ours)
    assert (links.read_text() == of_another) == is_ours
    assert not list(tmp_path.glob(".*.part"))


@pytest.mark.slow
def test_what_people_call_themselves_does_not_run_in_a_spreadsheet(
    survey: Path, tmp_path: Path, deniable: Command
) -> None:
    people, links = tmp_path / "people.csv", tmp_path / "links.csv"
    evil = "=HYPERLINK(A1)"
    people.write_text(f"name,telephone\n{evil},+49 30 1234\nAnn,-\n", encoding="utf-8")
    words = ("--people", people, "--out", links)
    assert deniable("survey", "invite", survey, *words).code == 0
    with links.open(encoding="utf-8", newline="") as file:
        rows = [(row["name"], row["telephone"]) for row in csv.DictReader(file)]
    assert rows == [(f"'{evil}", "+49 30 1234"), ("Ann", "'-")]


@pytest.mark.slow
def test_a_lost_invitation_is_replaced_for_the_people_whose_lines_are_given(
    survey: Path, tmp_path: Path, deniable: Command
) -> None:
    people, links, lost = (tmp_path / f"{name}.csv" for name in ("people", "links", "lost"))
    people.write_text("name\nAnn\nBen\nCem\n", encoding="utf-8")
    deniable("survey", "invite", survey, "--people", people, "--out", links)
    header, *lines = links.read_text(encoding="utf-8").splitlines()
    lost.write_text("\n".join((header, *lines[:2])), encoding="utf-8")
    with closing(SurveyDatabase(survey.with_suffix(".db"))) as database:
        store = Store(database, load(survey))
        ann, ben, cem = (line.partition("#i=")[2].partition("&")[0] for line in lines)
        store.use_invitation(ann, b"1")
        new = tmp_path / "new.csv"
        done = deniable("survey", "invite", survey, "--replace", lost, "--out", new)
        assert "wrote 2 invitations" in done.err
        assert "1 of the old ones had been begun" in done.err
        with new.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        assert [row["name"] for row in rows] == ["Ann", "Ben"]
        assert not {row["link"] for row in rows} & {line.partition(",")[2] for line in lines}
        assert [store.knows_invitation(code) for code in (ann, ben, cem)] == [True] * 3
        assert store.use_invitation(ben, b"2") is Verdict.SPENT
        assert store.use_invitation(cem, b"3") is Verdict.KEPT
    done = deniable("survey", "invite", survey, "--replace", lost, "--out", tmp_path / "again.csv")
    assert "One of these invitations has been replaced already." in done.err
    assert not (tmp_path / "again.csv").exists()


def test_an_open_survey_takes_no_invitations(tmp_path: Path, deniable: Command) -> None:
    path = tmp_path / "open.yaml"
    path.write_text(EXAMPLE, encoding="utf-8")
    done = deniable("survey", "invite", path, "--number", "3", "--out", tmp_path / "l.csv")
    assert "This survey is open to everybody." in done.err


@pytest.mark.slow
def test_the_demo_shows_estimates_and_two_addresses(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "deniable", "survey", "demo", "--people", "200"),
            *("--port", str(free_port()), "--out", tmp_path / "demo"),
        ],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "COLUMNS": "100"},
    )
    assert process.stdout
    shown = []
    for line in process.stdout:
        shown.append(line)
        if "Password" in line:
            break
    text = "".join(shown)
    try:
        assert "200 simulated people answered" in text
        assert "moon=yes" in text
        url = text.partition("Answer it yourself:")[2].split()[0]
        assert httpx.get(url).text.lower().startswith("<!doctype html>")
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
