"""What the commands say while a survey runs and when it ends: counts, closing, reminders."""

import json
import secrets
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from commanding import Command
from deniable.survey.protocol import Submission
from deniable.survey.questionnaire import EXAMPLE, load
from deniable.survey.store.database import SurveyDatabase
from deniable.survey.store.store import Store


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    path = tmp_path / "survey.yaml"
    path.write_text(EXAMPLE.replace("after: 200, every: 50", "after: 30, every: 20"), "utf-8")
    return path


@contextmanager
def stored(survey: Path) -> Iterator[Store]:
    with closing(SurveyDatabase(survey.with_suffix(".db"))) as database:
        yield Store(database, load(survey))


def answered(survey: Path, people: int) -> None:
    with stored(survey) as store:
        report = "0" * len(store.survey.design.schema)
        store.keep(
            [
                Submission("0" * 64, secrets.token_hex(16), "", "disguised", "page", 2, report)
                for _ in range(people)
            ]
        )


def test_closing_twice_says_nothing_false(survey: Path, deniable: Command) -> None:
    answered(survey, 100)
    assert deniable("survey", "close", survey).err == (
        "deniable: the survey is closed; all its answers are released\n"
    )
    assert deniable("survey", "close", survey).err == (
        "deniable: the survey was closed already; all its answers are released\n"
    )
    assert (
        deniable("survey", "close", survey, "--reopen").err
        == "deniable: the survey is open again\n"
    )
    assert (
        deniable("survey", "close", survey, "--reopen").err
        == "deniable: the survey is open already\n"
    )
    nobody_came = deniable("survey", "close", survey).err, deniable("survey", "status", survey).out
    deniable("survey", "close", survey, "--reopen")
    answered(survey, 3)
    said = deniable("survey", "close", survey).err
    assert "if answers came after it was opened again, they are too few for a batch" in said
    assert "fewer than 30" not in said
    # Somebody who opens a survey for one person does not learn whether they answered.
    assert (said, deniable("survey", "status", survey).out) == nobody_came


def test_too_few_answers_stay_hidden_and_are_not_counted(survey: Path, deniable: Command) -> None:
    answered(survey, 12)
    said = deniable("survey", "close", survey).err
    assert said == "deniable: the survey is closed; its answers are fewer than 30 and stay hidden\n"
    shown = deniable("survey", "status", survey).out
    assert "stay hidden" in shown
    assert "10 to 19" in shown


def test_status_says_what_each_count_means(survey: Path, deniable: Command) -> None:
    survey.write_text(survey.read_text("utf-8").replace("invitations: no", "invitations: yes"))
    with stored(survey) as store:
        store.invite(str(number) for number in range(50))
        for number in range(17):
            store.use_invitation(str(number), b"blinded")
    shown = deniable("survey", "status", survey).out
    for words in ("invited       50", "begun   10 to 19", "finished     0 to 9", "token signed"):
        assert " ".join(words.split()) in " ".join(shown.split())
    found = json.loads(deniable("survey", "status", survey, "--json").out)
    assert found == {
        "open": True,
        "results": False,
        "invited": 50,
        "begun": {"low": 10, "high": 19},
        "finished": {"low": 0, "high": 9},
    }


def test_of_an_open_link_no_rate_is_told(survey: Path, deniable: Command) -> None:
    answered(survey, 40)
    shown = deniable("survey", "status", survey).out
    assert "no response rate" in shown
    assert "invited" not in shown


def test_a_reminder_goes_to_everybody_whoever_has_answered(
    survey: Path, tmp_path: Path, deniable: Command
) -> None:
    survey.write_text(survey.read_text("utf-8").replace("invitations: no", "invitations: yes"))
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    people = tmp_path / "people.csv"
    people.write_text("email\na@example.org\nb@example.org\n")
    assert deniable("survey", "invite", survey, "--people", people, "--out", first).code == 0
    assert deniable("survey", "invite", survey, "--number", "3", "--out", second).code == 0
    remind = ("survey", "remind", first, second, "--out")
    assert deniable(*remind, tmp_path / "before.csv").code == 0
    with stored(survey) as store:
        code = first.read_text().splitlines()[1].partition("#i=")[2].partition("&")[0]
        assert store.use_invitation(code, b"blinded") is not None
    assert deniable(*remind, tmp_path / "after.csv").code == 0
    before, after = ((tmp_path / f"{name}.csv").read_text() for name in ("before", "after"))
    assert before == after
    assert len(before.splitlines()) == 6
    survey.with_suffix(".db").unlink()  # nor could it look
    assert deniable(*remind, tmp_path / "without.csv").code == 0
    assert (tmp_path / "without.csv").stat().st_mode & 0o777 == 0o600


def test_a_list_that_is_no_whole_one_is_refused(
    survey: Path, tmp_path: Path, deniable: Command
) -> None:
    survey.write_text(survey.read_text("utf-8").replace("invitations: no", "invitations: yes"))
    links, out = tmp_path / "links.csv", tmp_path / "out.csv"
    deniable("survey", "invite", survey, "--number", "2", "--out", links)
    twice = deniable("survey", "remind", links, links, "--out", out)
    assert "stands there twice" in twice.err
    other = tmp_path / "other.csv"
    other.write_text("link\nhttps://host/#i=abc&k=0123\n")
    assert "more than one survey" in deniable("survey", "remind", links, other, "--out", out).err
    assert not out.exists()
