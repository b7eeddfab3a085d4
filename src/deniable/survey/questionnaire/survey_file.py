"""Survey files: loaded, checked, and one to start from."""

from importlib.resources import files
from pathlib import Path
from unicodedata import category

from deniable.base.documents import parse, read_text
from deniable.base.entries import Entry
from deniable.base.errors import SurveyError
from deniable.base.findings import Finding, Findings
from deniable.survey.questionnaire.read_survey import Places, read
from deniable.survey.questionnaire.survey import Survey
from deniable.survey.questionnaire.survey_warnings import survey_warnings

EXAMPLE = files(__package__).joinpath("example.yaml").read_text(encoding="utf-8")
"""A survey to start from, with comments."""


def load(path: str | Path) -> Survey:
    """Read a survey, or refuse it for its first mistake."""
    findings, found = _read(path)
    if found is not None:
        return found[0]
    first, *others = findings.mistakes
    more = f" ({len(others)} more: see deniable survey check.)" if others else ""
    raise SurveyError(f"{path}:{first.line}: {first.message}", hint=f"{first.hint}{more}".strip())


def check(path: str | Path) -> list[Finding]:
    """List every mistake, and where there is none, what is worrying; in the order of the lines."""
    findings, found = _read(path)
    if found is not None:
        survey_warnings(*found)
    return findings.in_order()


def _read(path: str | Path) -> tuple[Findings, tuple[Survey, Places] | None]:
    findings = Findings()
    document = parse(read_text(path), _unfit)
    for problem in document.problems:
        findings.add(Finding(problem.line, "mistake", problem.message, problem.hint))
    if document.value is None:
        if not document.problems:
            start = "Start with deniable survey new."
            findings.add(Finding(1, "mistake", "The file is empty.", start))
        return findings, None
    root = Entry(document.value, findings, line=document.first_line, lines=document.lines)
    return findings, read(root)


def _unfit(sign: str) -> bool:
    """Whether a page cannot show it."""
    return category(sign) in {"Cc", "Cs"} and sign not in "\n\t"
