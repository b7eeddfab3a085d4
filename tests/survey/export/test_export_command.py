"""From the database of a survey to files, by the command line."""

import asyncio
import json
import shutil
from pathlib import Path

import httpx
import pytest

from commanding import Command
from deniable.respondents import SimulationOutcome, simulation
from deniable.survey.questionnaire import load
from deniable.survey.server.app import create
from deniable.survey.store.database import SurveyDatabase
from deniable.survey.store.store import Store

PEOPLE = 120


@pytest.fixture
def survey_file(tmp_path: Path) -> Path:
    return Path(shutil.copy(Path(__file__).with_name("habits.yaml"), tmp_path))


@pytest.fixture
def outcome(survey_file: Path) -> SimulationOutcome:
    """Answers that came in through the application."""
    store = Store(SurveyDatabase(survey_file.with_suffix(".db")), load(survey_file))
    try:
        transport = httpx.ASGITransport(create(store))
        answered = simulation("http://survey.test", PEOPLE, random_state=1, transport=transport)
        return asyncio.run(answered)
    finally:
        store.close()
        store.database.close()


@pytest.mark.slow
def test_answers_go_from_the_database_to_an_estimate(
    survey_file: Path, outcome: SimulationOutcome, tmp_path: Path, deniable: Command
) -> None:
    out = tmp_path / "out"
    done = deniable("survey", "export", survey_file, "--out", out)
    assert done.code == 0, done.err
    told = {arm: len(outcome.reports(arm)) for arm in ("disguised", "direct")}
    assert f"Wrote {told['disguised']} disguised and {told['direct']} direct answers" in done.out

    def share(table: str, design: str, expression: str) -> float:
        words = ("estimate", out / table, expression, "--design", out / design, "--json")
        return float(json.loads(deniable(*words).out)[0]["share"])

    # The public column and the direct answers are exact: they are what these people said.
    for arm, design in (("disguised", "design.yaml"), ("direct", "direct.yaml")):
        south = outcome.truth(arm).having({"region": "south"}).mean()
        for ending in ("csv", "parquet"):
            assert share(f"{arm}.{ending}", design, "region=south") == pytest.approx(south)
    drugs = outcome.truth("direct").having({"drugs": "yes"}).mean()
    assert share("direct.csv", "direct.yaml", "drugs=yes") == pytest.approx(drugs)


def test_formats_and_language_are_chosen(
    survey_file: Path, outcome: SimulationOutcome, tmp_path: Path, deniable: Command
) -> None:
    out = tmp_path / "out"
    words = ("--format", "csv", "--format", "spss", "--language", "de", "--json")
    done = deniable("survey", "export", survey_file, "--out", out, *words)
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert {name for name in found["files"] if name.startswith("di")} == {
        "disguised.csv",
        "disguised.sav",
        "direct.csv",
        "direct.sav",
        "direct.yaml",
    }
    assert "Gewohnheiten" in (out / "codebook.md").read_text(encoding="utf-8")


def test_what_is_not_there_is_not_exported(
    survey_file: Path, tmp_path: Path, deniable: Command
) -> None:
    missing = deniable("survey", "export", survey_file, "--out", tmp_path / "out")
    assert missing.code == 1
    Store(SurveyDatabase(survey_file.with_suffix(".db")), load(survey_file)).database.close()
    empty = deniable("survey", "export", survey_file, "--out", tmp_path / "out")
    assert empty.code == 1
    assert "no answers to export yet" in empty.err
    assert "once there are 10" in empty.err
    assert not (tmp_path / "out").exists()
