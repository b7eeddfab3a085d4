"""`survey delete` finds what is left of a survey, deletes that and no more, and says the rest."""

import json
import os
import secrets
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from commanding import Command
from contracts.postgres import fresh_database
from deniable.base.documents import strict_json
from deniable.survey.protocol import Submission
from deniable.survey.questionnaire import EXAMPLE, load
from deniable.survey.store.database import SurveyDatabase
from deniable.survey.store.store import Store

INVITED = EXAMPLE.replace("invitations: no", "invitations: yes").replace("after: 200", "after: 20")
REPORT = "0100101"


@pytest.fixture
def survey(tmp_path: Path, deniable: Command) -> Path:
    """A survey that ran: with answers, links, a backup and an export beside it."""
    path = tmp_path / "survey.yaml"
    path.write_text(INVITED, encoding="utf-8")
    deniable("survey", "invite", path, "--number", "3", "--out", tmp_path / "links.csv")
    with closing(SurveyDatabase(tmp_path / "survey.db")) as database:
        store = Store(database, load(path))
        store.keep(
            [
                Submission("0" * 64, secrets.token_hex(16), f"{n}", "disguised", "page", 2, REPORT)
                for n in range(30)
            ]
        )
    deniable("survey", "backup", path, "--out", tmp_path / "backup-1")
    deniable("survey", "close", path)
    assert deniable("survey", "export", path, "--out", tmp_path / "answers").code == 0
    return path


def left(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_everything_but_exports_goes_and_nothing_of_others(
    survey: Path, tmp_path: Path, deniable: Command
) -> None:
    other = tmp_path / "elsewhere"
    other.mkdir()
    shutil.copy(survey, other / "survey.yaml")
    changed = (other / "survey.yaml").read_text("utf-8").replace("theta: 4/5", "theta: 5/6")
    (other / "survey.yaml").write_text(changed, encoding="utf-8")
    deniable("survey", "invite", other / "survey.yaml", "--number", "2", "--out", other / "l.csv")
    (other / "survey.db").rename(tmp_path / "another.db")
    (other / "l.csv").rename(tmp_path / "others-links.csv")
    (tmp_path / "people.csv").write_text("email\na@example.org\n")
    done = deniable("survey", "delete", survey, "--yes")
    assert done.code == 0, done.err
    kept = {"survey.yaml", "answers", "elsewhere", "another.db", "others-links.csv", "people.csv"}
    assert left(tmp_path) == kept
    for words in ("deleted: database", "30 answers", "deleted: copy", "deleted: links", "3 links"):
        assert words in " ".join(done.out.split()), words
    assert "What only you can delete" in done.out
    assert "with --exports only" in done.out


def test_exports_go_when_asked_and_what_the_researcher_put_there_stays(
    survey: Path, tmp_path: Path, deniable: Command
) -> None:
    shutil.make_archive(str(tmp_path / "student-life"), "zip", tmp_path, "answers")
    (tmp_path / "answers" / "my-analysis.R").write_text("# mine")
    done = deniable("survey", "delete", survey, "--yes", "--exports", "--json")
    assert done.code == 0, done.err
    found = json.loads(done.out)["found"]
    assert sorted(each["kind"] for each in found) == [
        "copy",
        "database",
        "export",
        "export",
        "links",
    ]
    assert {each["outcome"] for each in found} == {"deleted"}
    assert left(tmp_path) == {"survey.yaml", "answers"}
    assert left(tmp_path / "answers") == {"my-analysis.R"}


def test_a_codebook_is_json_for_every_program_where_all_sent_the_same(survey: Path) -> None:
    """Nothing varies, so a share is infinitely many of its standard errors off: no word of JSON."""
    text = (survey.parent / "answers" / "codebook.json").read_text("utf-8")
    kinds = strict_json(text)["controls"]["kinds"]
    assert None in [kind["moved"] for kind in kinds]


def test_an_archive_of_more_than_an_export_is_named_and_kept(
    survey: Path, tmp_path: Path, deniable: Command
) -> None:
    (tmp_path / "answers" / "thesis.tex").write_text("years of work")
    shutil.make_archive(str(tmp_path / "everything"), "zip", tmp_path, "answers")
    done = deniable("survey", "delete", survey, "--yes", "--exports")
    assert done.code == 0, done.err
    assert (tmp_path / "everything.zip").exists()
    assert "with 1 other file" in " ".join(done.out.split())


def test_links_to_files_elsewhere_are_not_followed(
    survey: Path, tmp_path: Path, deniable: Command
) -> None:
    """Whoever puts a link among the files of an export does not have another's file destroyed."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    table, log = elsewhere / "table.csv", elsewhere / "log"
    for path in (table, log):
        path.write_text("somebody's")
    (tmp_path / "answers" / "direct.csv").unlink(missing_ok=True)
    (tmp_path / "answers" / "direct.csv").symlink_to(table)
    (tmp_path / "backup-1-wal").symlink_to(log)
    done = deniable("survey", "delete", survey, "--yes", "--exports")
    assert done.code == 0, done.err
    assert table.read_text() == log.read_text() == "somebody's"
    assert left(tmp_path / "answers") == {"direct.csv"}


@pytest.mark.parametrize("kind", ["deep", "pipe", "zip"])
def test_a_codebook_that_has_no_end_is_nobodys(
    kind: str, survey: Path, tmp_path: Path, deniable: Command
) -> None:
    folder = tmp_path / "odd"
    folder.mkdir()
    if kind == "pipe":
        os.mkfifo(folder / "codebook.json")
    else:
        (folder / "codebook.json").write_text("[" * 100_000)
    if kind == "zip":
        shutil.make_archive(str(tmp_path / "odd"), "zip", tmp_path, "odd")
    done = deniable("survey", "delete", survey, "--yes", "--exports")
    assert done.code == 0, done.err
    assert "odd" not in done.out


def test_what_is_deleted_is_written_over(survey: Path, tmp_path: Path, deniable: Command) -> None:
    (tmp_path / "held").hardlink_to(tmp_path / "backup-1")  # the same bytes under another name
    link = tmp_path / "kept-by-the-disk"
    link.mkdir()
    (tmp_path / "held").rename(link / "held")
    assert REPORT.encode() in (link / "held").read_bytes()
    deniable("survey", "delete", survey, "--yes")
    assert not any((link / "held").read_bytes())


@pytest.mark.parametrize("answer", ["n\n", ""])
def test_nothing_is_deleted_without_a_yes(
    answer: str,
    survey: Path,
    tmp_path: Path,
    deniable: Command,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO(answer))
    before = left(tmp_path)
    done = deniable("survey", "delete", survey)
    assert done.code == 1
    assert left(tmp_path) == before
    assert "delete: database" in done.out
    assert "keep: export" in done.out


def test_an_open_survey_is_not_deleted(survey: Path, tmp_path: Path, deniable: Command) -> None:
    deniable("survey", "close", survey, "--reopen")
    before = left(tmp_path)
    done = deniable("survey", "delete", survey, "--yes")
    assert done.code == 1
    assert "The survey is open" in done.err
    assert left(tmp_path) == before


def test_a_database_that_is_served_is_not_deleted(
    survey: Path, tmp_path: Path, deniable: Command
) -> None:
    with closing(SurveyDatabase(tmp_path / "survey.db")) as server, server.reading():
        done = deniable("survey", "delete", survey, "--yes")
        assert done.code == 1
        assert "failed: database" in done.out
        assert "is in use" in done.out
    assert (tmp_path / "survey.db").exists()
    assert not (tmp_path / "links.csv").exists()


def test_the_rest_is_found_when_the_database_is_gone(
    survey: Path, tmp_path: Path, deniable: Command
) -> None:
    (tmp_path / "survey.db").unlink()
    done = deniable("survey", "delete", survey, "--yes")
    assert done.code == 0
    assert "not surely of this survey" in " ".join(done.out.split())
    assert left(tmp_path) == {"survey.yaml", "answers", "links.csv"}


@pytest.mark.slow
def test_of_postgresql_the_tables_go_once_nobody_uses_them(
    tmp_path: Path, deniable: Command
) -> None:
    path, address = tmp_path / "survey.yaml", fresh_database()
    path.write_text(INVITED, encoding="utf-8")
    place = ("--database", address)
    deniable("survey", "invite", path, "--number", "3", "--out", tmp_path / "links.csv", *place)
    deniable("survey", "close", path, *place)
    with closing(SurveyDatabase(address)) as server, server.reading():
        done = deniable("survey", "delete", path, "--yes", *place)
        assert (done.code, "is in use" in " ".join(done.out.split())) == (1, True)
    done = deniable("survey", "delete", path, "--yes", *place)
    assert done.code == 0, done.err
    assert "write-ahead log" in " ".join(done.out.split())
    with closing(SurveyDatabase(address)) as again, again.reading() as connection:
        rows = connection.exec_driver_sql("SELECT count(*) FROM invitations").scalar_one()
    assert rows == 0  # made anew: nothing was there
