"""What a spreadsheet would run is written as text, and read again by `deniable` as it was."""

import csv
import io
import json
from collections import Counter
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from commanding import Command
from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.survey.export import export
from deniable.survey.protocol import Submission
from deniable.survey.questionnaire import Survey, load
from deniable.survey.spreadsheet_cells import plain_cell
from deniable.survey.store.database import SurveyDatabase
from deniable.survey.store.store import Store

RUN = ["=1+1", '=HYPERLINK("x")', "+", "-", "@home", "-1+cmd|' /C calc'!A0", "\t=1", "\r1", "\n1"]
PLAIN = ["yes", "-1", "+5", "-0.5", "+49 (30) 12-34", "1=1", "a@b.example", "'tis", ""]

SURVEY = """\
survey: signs
title: Signs
languages: [en]
consent: We ask you kindly.
contact: us@example.org
invitations: no
results: {after: 10, every: 5}
questions:
  better:
    text: Better or worse?
    options: {"-": Worse, "'-": Much worse, "=A1": As it was, "+": Better}
    known: {shares: {"-": 1, "'-": 0, "=A1": 0, "+": 0}, source: The office.}
  change:
    text: By how much?
    options: {"-1": Down, "0": Not, "1": Up}
groups:
  - {attributes: [better], channel: keep-or-uniform, theta: 1/2}
"""


@pytest.mark.parametrize("text", RUN)
def test_what_would_run_gets_an_apostrophe(text: str) -> None:
    assert plain_cell(text) == f"'{text}"


@pytest.mark.parametrize("text", PLAIN)
def test_numbers_and_words_stay_as_they_are(text: str) -> None:
    assert plain_cell(text) == text


def test_no_two_cells_become_the_same() -> None:
    texts = [*RUN, *PLAIN, *(f"'{text}" for text in RUN), *(f"''{text}" for text in RUN)]
    assert len({plain_cell(text) for text in texts}) == len(texts)


SPLIT = ["Ann;=1+1", 'Ann";=1+1', "Ann;@home;-cmd", "Ann;'=1", "Ann;\t=1", ";+1+1", 'Ann;"=1+1']
BROKEN = [
    "Ann\n=1+1;",
    "Ann\r=1+1;",
    "Ann\r\n=1+1;",
    "Ann\n'=1;",
    'Ann\n"=1;',
    "Ann\n\n@home;",
    ";\n=1",
    "\r=1",
]
"""Over two lines: the second is a row of its own where quotes within a line part nothing."""


def parted(row: list[str]) -> list[str]:
    """The cells that a spreadsheet with semicolons finds, whatever it makes of the quotes."""
    written = io.StringIO()
    csv.writer(written).writerow(row)
    return [cell for line in written.getvalue().splitlines() for cell in line.split(";")]


def running(cells: list[str]) -> list[str]:
    return [cell for cell in cells if cell.lstrip('"').startswith(("=", "+", "-", "@", "\t"))]


@pytest.mark.parametrize("text", [*SPLIT, *BROKEN])
@pytest.mark.parametrize("place", [0, 1])
def test_where_a_semicolon_parts_the_cells_nothing_runs_either(text: str, place: int) -> None:
    """Excel reads .csv so in much of Europe: quotes within a line then part nothing."""
    row = ["Bo", "Bo"]
    row[place] = plain_cell(text)
    assert not running(parted(row))
    row[place] = text
    assert running(parted(row)) or "'=" in text


def test_no_two_cells_with_semicolons_or_lines_become_the_same() -> None:
    texts = [*SPLIT, *BROKEN]
    texts += [*map(plain_cell, texts), *(f"'{text}" for text in texts)]
    assert len({plain_cell(text) for text in texts}) == len(set(texts))
    for text in ("Ann; Bo;1=1", "Ann\nBo", "Ann\r\nBo = 1"):
        assert plain_cell(text) == text


@pytest.fixture
def survey(tmp_path: Path) -> Survey:
    path = tmp_path / "signs.yaml"
    path.write_text(SURVEY, encoding="utf-8")
    return load(path)


def test_an_export_runs_nothing_and_is_read_again(
    survey: Survey, tmp_path: Path, deniable: Command
) -> None:
    schema = survey.design.schema
    chance = np.random.default_rng(16)
    answers = Records.from_codes([chance.integers(0, a.size, 200) for a in schema], schema)
    arms = {"disguised": answers, "direct": answers}
    folder = export(survey, arms, tmp_path / "out", formats=["csv", "parquet"]).folder

    with (folder / "disguised.csv").open(encoding="utf-8", newline="") as file:
        cells = Counter(row["better"] for row in csv.DictReader(file))
    assert set(cells) == {"'-", "''-", "'=A1", "'+"}
    assert all(plain_cell(cell) == cell or cell.startswith("'") for cell in cells)
    with (folder / "disguised.csv").open(encoding="utf-8", newline="") as file:
        assert {row["change"] for row in csv.DictReader(file)} == {"-1", "0", "1"}

    design = Design.load(folder / "design.yaml")
    assert design.groups[0].channel == survey.design.groups[0].channel
    codes = answers.columns[0]
    for kind in ("csv", "parquet"):
        for code, value in enumerate(design.schema["better"].values):
            done = deniable(
                *("estimate", folder / f"direct.{kind}", f"better={json.dumps(value)}"),
                *("--design", folder / "direct.yaml", "--json"),
            )
            (estimate,) = json.loads(done.out)
            assert estimate["value"] == (codes == code).sum()
        done = deniable(
            *("table", folder / f"disguised.{kind}", "better", "change"),
            *("--design", folder / "design.yaml"),
        )
        assert done.code == 0, done.err

    book = json.loads((folder / "codebook.json").read_text(encoding="utf-8"))
    assert book["plain_values"] == ["-", "'-", "=A1", "+"]
    assert book["survey_fingerprint"] == survey.fingerprint
    assert book["design_fingerprint"] == design.fingerprint
    assert [v["value"] for v in book["questions"][0]["columns"][0]["values"]] == list(
        design.schema["better"].values
    )
    assert "apostrophe before them" in (folder / "codebook.md").read_text(encoding="utf-8")


def test_the_database_is_read_by_the_design_of_an_export(
    survey: Survey, tmp_path: Path, deniable: Command
) -> None:
    with closing(SurveyDatabase(tmp_path / "signs.db")) as database:
        store = Store(database, survey)
        ids = (f"{number:032x}" for number in range(10))
        name = survey.fingerprint
        store.keep([Submission(name, each, "", "disguised", "page", 2, "31") for each in ids])
        arms = {"disguised": store.records("disguised")}
    folder = export(survey, arms, tmp_path / "out", formats=["csv"]).folder
    counts = []
    for table in (folder / "disguised.csv", f"sqlite:///{tmp_path / 'signs.db'}#disguised"):
        words = ("--design", folder / "design.yaml", "--json")
        done = deniable("estimate", table, 'better="\'+"', *words)
        counts.append(json.loads(done.out)[0]["value"])
    assert counts[0] == counts[1] > 10  # more than all: none of them was drawn by lot


def test_an_export_without_such_values_is_as_ever(tmp_path: Path) -> None:
    path = Path(__file__).with_name("habits.yaml")
    survey = load(path)
    schema = survey.design.schema
    answers = Records.from_codes([np.zeros(20, dtype=np.uint8) for _ in schema], schema)
    folder = export(survey, {"disguised": answers}, tmp_path / "out", formats=["csv"]).folder
    assert Design.load(folder / "design.yaml").fingerprint == survey.design.fingerprint
    assert "apostrophe" not in (folder / "codebook.md").read_text(encoding="utf-8")
