"""Papers say what the survey's file says, as measured, in every language and every format."""

import re
import zipfile
from dataclasses import replace
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from deniable.base.errors import DataError
from deniable.base.wording import people
from deniable.privacy.population import Population
from deniable.privacy.report.figures import PrivacyReport
from deniable.privacy.report.privacy_report import rehearsed_report
from deniable.survey.board_papers.as_docx import as_docx
from deniable.survey.board_papers.as_html import as_html
from deniable.survey.board_papers.folder import BOARD_PAPERS, PAPER_LANGUAGES, papers, write_papers
from deniable.survey.board_papers.markdown_blocks import (
    Block,
    Bullets,
    Code,
    Grid,
    Heading,
    Paragraph,
    blocks_of,
    words_of,
)
from deniable.survey.questionnaire import Survey, load
from survey.board_papers.sample_surveys import DEVICES, NASTY, survey_in

pytestmark = pytest.mark.slow

WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


@pytest.fixture(scope="module")
def survey(tmp_path_factory: pytest.TempPathFactory) -> Survey:
    return load(survey_in(tmp_path_factory.mktemp("survey")))


@pytest.fixture(scope="module")
def report(survey: Survey) -> PrivacyReport:
    return rehearsed_report(survey.design, people=2000)


@pytest.fixture(scope="module")
def written(survey: Survey, report: PrivacyReport) -> dict[str, dict[str, str]]:
    return {code: papers(survey, report, code, planned=200) for code in PAPER_LANGUAGES}


def changed(tmp_path: Path, *pairs: tuple[str, str]) -> Survey:
    words = DEVICES
    for old, new in pairs:
        assert old in words
        words = words.replace(old, new)
    return load(survey_in(tmp_path, words))


def texts(blocks: list[Block]) -> list[str]:
    """Every line of words, in order."""
    found: list[str] = []
    for block in blocks:
        match block:
            case Heading(_, line) | Paragraph(line, _):
                found.append(words_of(line))
            case Bullets(items):
                found += map(words_of, items)
            case Grid(rows):
                found += [words_of(cell) for row in rows for cell in row]
            case Code(text):
                found += text.splitlines()
    return found


class Words(HTMLParser):
    """The words of a page's elements, in order; tags must end in the order they began."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "meta":
            self.open.append(tag)
        if tag in {"h1", "h2", "h3", "p", "li", "th", "td"}:
            self.found.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if {"h1", "h2", "h3", "p", "li", "th", "td"} & set(self.open):
            self.found[-1] += data


@pytest.mark.parametrize("name", BOARD_PAPERS)
@pytest.mark.parametrize("language", PAPER_LANGUAGES)
def test_every_format_says_the_same(
    written: dict[str, dict[str, str]], language: str, name: str
) -> None:
    blocks = list(blocks_of(written[language][name]))
    said = texts(blocks)
    html = as_html("A title", blocks, language)
    page = Words()
    page.feed(html)
    assert page.open in ([], ["!doctype"])
    assert page.found == said
    assert f'<html lang="{language}">' in html
    with zipfile.ZipFile(BytesIO(as_docx("A title", blocks, language))) as archive:
        parts = {n: ET.fromstring(archive.read(n)) for n in archive.namelist()}  # noqa: S314
    body = parts["word/document.xml"].find(f"{WORD}body")
    assert body is not None
    lines = ["".join(t.text or "" for t in p.iter(f"{WORD}t")) for p in body.iter(f"{WORD}p")]
    assert [line for line in lines if line] == [line for line in said if line]
    assert len(list(body.iter(f"{WORD}tbl"))) == sum(isinstance(b, Grid) for b in blocks)
    for row in body.iter(f"{WORD}tr"):
        widths = [int(str(w.get(f"{WORD}w"))) for w in row.iter(f"{WORD}tcW")]
        assert sum(widths) == 9356
    styles = {style.get(f"{WORD}styleId") for style in parts["word/styles.xml"]}
    used = {style.get(f"{WORD}val") for style in body.iter(f"{WORD}pStyle")}
    assert used <= styles
    for origin, base in (("_rels/.rels", ""), ("word/_rels/document.xml.rels", "word/")):
        for relation in parts[origin]:
            assert base + str(relation.get("Target")) in parts


def test_a_word_document_is_the_same_whenever_it_is_written() -> None:
    blocks = list(blocks_of("# A\n\nb **c** *d* `e` ⟦f⟧\n\n```\ng\n\x0b```"))
    assert as_docx("A", blocks, "en") == as_docx("A", blocks, "en")


def test_what_people_wrote_in_the_file_stands_there_as_they_wrote_it(
    written: dict[str, dict[str, str]],
) -> None:
    for language in PAPER_LANGUAGES:
        for name in ("information-sheet", "risks", "methods"):
            said = texts(list(blocks_of(written[language][name])))
            assert any(NASTY in line for line in said), name
            assert "<b>" not in as_html("", blocks_of(written[language][name]), language)
    title = texts(list(blocks_of(written["en"]["information-sheet"])))[0]
    assert title == "1. Devices & people"


def test_every_language_says_as_much(written: dict[str, dict[str, str]]) -> None:
    for name in BOARD_PAPERS:
        shapes = {
            tuple(
                (type(b).__name__, len(b.rows) if isinstance(b, Grid) else 0)
                for b in blocks_of(written[language][name])
            )
            for language in PAPER_LANGUAGES
        }
        assert len(shapes) == 1, name


def test_the_risk_table_has_the_figures_of_the_privacy_report(
    written: dict[str, dict[str, str]], report: PrivacyReport
) -> None:
    grid = next(b for b in blocks_of(written["en"]["risks"]) if isinstance(b, Grid))
    rows = [[words_of(cell) for cell in row] for row in grid.rows[1:]]
    figures = [*report.attributes.values(), report.record]
    assert len(rows) == len(figures)
    for row, found in zip(rows, figures, strict=True):
        assert found.measured is not None
        assert found.guess is not None
        assert found.before is not None
        assert row[1:3] == [people(found.before), people(found.guess)]
        assert row[3].startswith(f"{100 * found.measured.success:.1f}\u00a0%")
        # 2,000 invented people: a share's sd is at most .0112, so 4.5 sd are .05.
        assert abs(found.measured.success - found.guess) < 0.05
    epsilons = {row[0]: row[4] for row in rows}
    assert (
        epsilons["Pills?"] == "2.34"
    )  # yes: .775 if it is true, .075 if not; ln(31/3) = 2.335, rounded up
    assert epsilons["Fraud?"] == "∞"
    assert {row[5] for row in rows if row[4] == "∞"} == {"no bound"}


def test_what_is_certain_is_said_and_otherwise_no_admission(
    written: dict[str, dict[str, str]], tmp_path: Path
) -> None:
    sheet = written["en"]["information-sheet"]
    assert "leave no doubt once they are sent: “No” to “Fraud?”. Any other" in sheet
    assert "never an admission" not in sheet
    survey = changed(tmp_path, ("mangat, theta: 2/3", "related, theta: 2/3"))
    report = rehearsed_report(survey.design, people=200)
    told = papers(survey, report, "en", planned=100)["information-sheet"]
    assert "never an admission" in told
    assert "no doubt" not in told


def test_papers_follow_how_the_survey_is_configured(
    written: dict[str, dict[str, str]], tmp_path: Path
) -> None:
    survey = changed(tmp_path, ("invitations: yes", "invitations: no"), ("direct: 1/10\n", ""))
    told = papers(survey, rehearsed_report(survey.design, people=200), "en", planned=100)
    here, there = ("".join(each.values()) for each in (written["en"], told))
    for words in (
        "blind-signed",
        "by the link that you were sent",
        "asked directly",
        "List of lin",
    ):
        assert words in here, words
        assert words not in there, words
    for words in ("One person answers several times", "Open link", "the address from which"):
        assert words in there, words
        assert words not in here, words


def test_the_rules_are_the_devices(written: dict[str, dict[str, str]]) -> None:
    sheet = written["en"]["information-sheet"]
    for words in (
        "In 80 % of cases the answer itself is sent, in 20 % its opposite.",
        "in 30 % the answer to the harmless question “Born in spring?”.",
        "in 50 % any of the possible answers, each as likely, whatever is true.",
        "in 8.33 % “No”, whatever is true, in 16.7 % “Yes”, whatever is true.",
        "Where “No” is true: “No” in 66.7 % of cases, “Yes” in 33.3 % of cases.",
        "One throw decides for these questions together.",
    ):
        assert words in sheet, words


def test_expected_shares_are_what_the_reader_knows(survey: Survey) -> None:
    shares = Population.of_document({"theft": {"no": "0.95", "yes": "0.05"}}, survey.design.schema)
    report = rehearsed_report(survey.design, shares, people=2000)
    told = papers(survey, report, "en", planned=100)["risks"]
    (row,) = re.findall(r"^\| Theft\? \| (\d+) \| (\d+) \|", told, re.MULTILINE)
    assert row == ("95", "95")  # so rare that a reader never guesses yes
    assert "know how common each answer is" in told


def test_languages_without_papers_are_named_and_none_at_all_is_refused(
    survey: Survey, tmp_path: Path
) -> None:
    report = rehearsed_report(survey.design, people=200)
    some = replace(survey, languages=("fr", "en"))
    done = write_papers(some, report, tmp_path / "out")
    assert done.left_out == ("fr",)
    assert {name.split("/")[0] for name in done.files} == {"en"}
    with pytest.raises(DataError, match="the survey is in neither"):
        write_papers(replace(survey, languages=("fr",)), report, tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_a_survey_without_a_disguise_has_no_papers(tmp_path: Path) -> None:
    words = DEVICES[: DEVICES.index("groups:")]
    start, end = words.index("    personal:"), words.index("  sport:")
    survey = load(survey_in(tmp_path, words[:start] + words[end:]))
    with pytest.raises(DataError, match="disguises nothing"):
        write_papers(survey, rehearsed_report(survey.design, people=50), tmp_path / "out")
