"""All papers of a survey in one new folder: each language, each as HTML, Word and Markdown."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import DictLoader, Environment, StrictUndefined

import deniable
from deniable.base.errors import DataError
from deniable.base.files import sync, whole_folder
from deniable.base.wording import joined, three_digits
from deniable.privacy.report.figures import PrivacyReport
from deniable.survey.board_papers.analysis_scripts import python_script, r_script
from deniable.survey.board_papers.as_docx import as_docx
from deniable.survey.board_papers.as_html import as_html
from deniable.survey.board_papers.facts import (
    Numbers,
    certain_reports,
    known_of,
    precision_of,
    risks_of,
    rules_of,
)
from deniable.survey.board_papers.fieldwork import Fieldwork, told
from deniable.survey.board_papers.markdown_blocks import Heading, blocks_of, escaped, words_of
from deniable.survey.board_papers.rule_sentences import PHRASES
from deniable.survey.questionnaire import Survey

PAPER_LANGUAGES = tuple(PHRASES)

BOARD_PAPERS = ("information-sheet", "data-protection", "risks", "preregistration", "methods")

MANY_ANSWERS = (1, 2, 4)
"""By what the planned number of answers is multiplied, to show what more of them would bring."""


class Markdown(str):
    """Text that is Markdown already."""

    __slots__ = ()


@dataclass(frozen=True)
class Written:
    """What was written."""

    folder: Path
    files: tuple[str, ...]
    left_out: tuple[str, ...]
    """The survey's languages that there are no papers in."""


def write_papers(
    survey: Survey,
    report: PrivacyReport,
    folder: str | Path,
    *,
    planned: int | None = None,
    fieldwork: Fieldwork | None = None,
) -> Written:
    """Write every paper, and after the survey the scripts; the folder appears whole, or not."""
    require_disguise(survey)
    languages = paper_languages(survey)
    with whole_folder(folder) as new:
        for code in languages:
            (new / code).mkdir()
            for name, text in papers(
                survey, report, code, planned=planned or survey.after, fieldwork=fieldwork
            ).items():
                _write_paper(new / code / name, text, code)
        if fieldwork is not None:
            (new / "scripts").mkdir()
            (new / "scripts" / "analysis.py").write_text(python_script(survey), "utf-8")
            (new / "scripts" / "analysis.R").write_text(r_script(survey), "utf-8")
        written = sorted(path for path in new.rglob("*") if path.is_file())
        for path in written:
            sync(path)
        names = tuple(str(path.relative_to(new)) for path in written)
    left_out = tuple(code for code in survey.languages if code not in languages)
    return Written(Path(folder), names, left_out)


def require_disguise(survey: Survey) -> None:
    """Refuse a survey that the papers would have nothing to say of."""
    if not survey.design.groups:
        raise DataError(
            "This survey disguises nothing, and the papers are about what a disguise protects.",
            hint="Put sensitive questions into groups: deniable survey check says how.",
        )


def paper_languages(survey: Survey) -> list[str]:
    """The survey's languages that there are papers in; one, at least."""
    found = [code for code in survey.languages if code.split("-")[0] in PAPER_LANGUAGES]
    if not found:
        raise DataError(
            f"There are papers in {joined(PAPER_LANGUAGES)}, and the survey is in neither.",
            hint="Add 'en' to its languages, with its texts, and translate what comes out.",
        )
    return found


def papers(
    survey: Survey,
    report: PrivacyReport,
    language: str,
    *,
    planned: int,
    fieldwork: Fieldwork | None = None,
) -> dict[str, str]:
    """Write the papers of one language as Markdown."""
    own = language.split("-", maxsplit=1)[0]
    texts = files(__package__).joinpath("texts", own)
    loader = DictLoader(
        {n: texts.joinpath(f"{n}.md").read_text(encoding="utf-8") for n in BOARD_PAPERS}
    )
    pages = Environment(  # noqa: S701 (Markdown; `finalize` escapes)
        loader=loader,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalized,
        keep_trailing_newline=True,
    )
    given = _given(survey, report, language, own, planned=planned, fieldwork=fieldwork)
    return {name: _tidy(pages.get_template(name).render(given)) for name in BOARD_PAPERS}


def _tidy(text: str) -> str:
    """One empty line before each heading and table, and nowhere two."""
    apart = re.sub(r"\n(#+ )", r"\n\n\1", text)
    apart = re.sub(r"^([^|\n].*)\n(?=\|)", r"\1\n\n", apart, flags=re.MULTILINE)
    return re.sub(r"\n{3,}", "\n\n", apart)


def _finalized(value: Any) -> Any:
    return escaped(value) if isinstance(value, str) and not isinstance(value, Markdown) else value


def _given(
    survey: Survey,
    report: PrivacyReport,
    language: str,
    own: str,
    *,
    planned: int,
    fieldwork: Fieldwork | None,
) -> Mapping[str, Any]:
    numbers = Numbers(own)
    risks, whole = risks_of(survey, report, language)
    rules = rules_of(survey, language)
    hidden = {text for rule in rules for text in rule.questions}
    measured = report.record.measured
    many = [planned * factor for factor in MANY_ANSWERS]
    return {
        "survey": survey,
        "title": survey.title[language],
        "contact": survey.contact,
        "consent": re.split(r"\n\s*\n", survey.consent[language].strip()),
        "languages": numbers.joined(survey.languages),
        "questions": survey.questions,
        "disguised": sorted(hidden),
        "public": [q.text[language] for q in survey.questions if q.text[language] not in hidden],
        "rules": rules,
        "kinds": {rule.kind for rule in rules},
        "personal": [
            (q.personal.text[language], q.personal.source) for q in survey.questions if q.personal
        ],
        "known": known_of(survey, language),
        "direct": None if survey.direct is None else numbers.chance(survey.direct),
        "invitations": survey.invitations,
        "after": numbers.whole(survey.after),
        "every": numbers.whole(survey.every),
        "may_skip": any(question.skip for question in survey.questions),
        "for_some": any(question.condition for question in survey.questions),
        "risks": risks,
        "whole": whole,
        "certain": certain_reports(survey, language),
        "warnings": report.warnings,
        "even": report.population.source == "even",
        "attacked_people": numbers.whole(measured.people) if measured else "",
        "influence": numbers.own(three_digits(report.influence)),
        "precision": list(precision_of(survey, report, language, many)),
        "planned": [numbers.whole(each) for each in many],
        "fingerprint": survey.fingerprint,
        "design_fingerprint": survey.design.fingerprint,
        "version": deniable.__version__,
        "done": fieldwork and told(fieldwork, survey, language, numbers),
        "fill": lambda words: Markdown(f"⟦{words}⟧"),
    }


def _write_paper(path: Path, text: str, language: str) -> None:
    blocks = list(blocks_of(text))
    first = next(block for block in blocks if isinstance(block, Heading))
    title = words_of(first.line)
    path.with_suffix(".md").write_text(text, encoding="utf-8")
    path.with_suffix(".html").write_text(as_html(title, blocks, language), encoding="utf-8")
    path.with_suffix(".docx").write_bytes(as_docx(title, blocks, language))
