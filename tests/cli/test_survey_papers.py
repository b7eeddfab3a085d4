"""`survey papers` before a survey, while it runs, and after it."""

import json
from pathlib import Path

import pytest

from commanding import Command
from survey.board_papers.sample_surveys import answered, survey_in

pytestmark = pytest.mark.slow


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    return survey_in(tmp_path)


def test_before_anybody_answers_there_are_five_papers_in_each_language_and_format(
    survey: Path, tmp_path: Path, deniable: Command
) -> None:
    done = deniable("survey", "papers", survey, "--out", tmp_path / "out", "--json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert len(found["files"]) == 2 * 5 * 3
    for name in found["files"]:
        assert (tmp_path / "out" / name).stat().st_size > 500
    methods = (tmp_path / "out" / "en" / "methods.md").read_text("utf-8")
    assert "Results" not in methods
    assert "⟦Who was invited" in methods
    again = deniable("survey", "papers", survey, "--out", tmp_path / "out")
    assert again.code == 1
    assert "is a folder that is not empty" in again.err


def test_after_it_is_closed_the_methods_have_response_rate_dates_and_results(
    survey: Path, tmp_path: Path, deniable: Command
) -> None:
    answered(survey, 150, 15, invited=300, began=172)
    dates = ("--began", "1 October", "--ended", "1 November 2026")
    early = deniable("survey", "papers", survey, "--out", tmp_path / "early", *dates)
    assert early.code == 1
    assert "Dates belong to a survey that is over" in early.err
    deniable("survey", "close", survey)
    done = deniable("survey", "papers", survey, "--out", tmp_path / "out", *dates)
    assert done.code == 0, done.err
    methods = (tmp_path / "out" / "en" / "methods.md").read_text("utf-8")
    for words in (
        "Fieldwork: 1 October to 1 November 2026.",
        "Of 300 people who were invited, 172 agreed to take part and 165 sent an answer",
        "a response rate of 55.0\N{NO-BREAK SPACE}%; 7 of those who agreed did not finish.",
        "150 answers with randomized response and 15 that were asked for directly",
        "| How old? | Young | 150 |",
        "(asked directly) | Yes | 15 |",
        "Warner (1965)".replace(" (", ", S. L. ("),
        "score intervals",
        "deniable, version",
    ):
        assert words in methods, words
    german = (tmp_path / "out" / "de" / "methods.md").read_text("utf-8")
    assert "ein Rücklauf von 55,0\N{NO-BREAK SPACE}%" in german
    assert (tmp_path / "out" / "scripts" / "analysis.R").exists()


def test_where_people_seem_to_ignore_the_device_shares_are_corrected_beside(
    survey: Path, tmp_path: Path, deniable: Command
) -> None:
    # 60 % seem to have been on the moon: the estimate's s.e. is .034 of 600, so 0 is far away.
    answered(survey, 600, 0, invited=2, began=0, moon=0.6)
    deniable("survey", "close", survey)
    assert deniable("survey", "papers", survey, "--out", tmp_path / "out").code == 0
    for code, corrected in (("en", "Shares corrected for"), ("de", "Anteile, korrigiert um")):
        methods = (tmp_path / "out" / code / "methods.md").read_text("utf-8")
        assert "Some people seem not to follow the device." in methods
        table = methods[methods.index(corrected) :].split("\n\n")[1].splitlines()
        assert len({row.replace(r"\|", "").count("|") for row in table}) == 1
        assert any(row.startswith(("| Theft? |", "| Diebstahl? |")) for row in table)
        assert not any("moon" in row or "Mond" in row for row in table)


def test_too_few_answers_stay_hidden_from_papers_too(
    survey: Path, tmp_path: Path, deniable: Command
) -> None:
    answered(survey, 40, 0, invited=60, began=41)
    deniable("survey", "close", survey)
    done = deniable("survey", "papers", survey, "--out", tmp_path / "out")
    assert done.code == 1
    assert "too few to be shown" in done.err
    assert not (tmp_path / "out").exists()


def test_expected_shares_and_a_planned_number_are_taken(
    survey: Path, tmp_path: Path, deniable: Command
) -> None:
    shares = tmp_path / "shares.yaml"
    shares.write_text('theft: {"no": 0.95, "yes": 0.05}\n')
    out = tmp_path / "out"
    words = ("--population", shares, "--planned", "400")
    assert deniable("survey", "papers", survey, "--out", out, *words).code == 0
    assert "| Theft? | 95 | 95 |" in (out / "en" / "risks.md").read_text("utf-8")
    assert "400 answers | 800 answers" in (out / "en" / "preregistration.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "said"),
    [(("--began", "today"), "Give both"), (("--population", "survey.yaml"), "survey.yaml")],
)
def test_what_cannot_be_done_is_one_sentence(
    words: tuple[str, ...],
    said: str,
    survey: Path,
    deniable: Command,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(survey.parent)
    done = deniable("survey", "papers", "survey.yaml", "--out", "out", *words)
    assert done.code == 1
    assert said in done.err
    assert done.err.count("\n") == 1
    assert not (survey.parent / "out").exists()
