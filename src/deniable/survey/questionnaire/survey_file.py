"""Survey files: loaded, or checked for mistakes and warnings; and one to start from.

Warnings say where people get little privacy, or researchers little to know.
"""

from importlib.resources import files
from math import prod
from pathlib import Path

from deniable.base.documents import parse, read_text
from deniable.base.entries import Entry
from deniable.base.errors import SurveyError, listed
from deniable.base.findings import Finding, Findings
from deniable.base.wording import of_100, points
from deniable.design import Design, Group
from deniable.privacy.report.design_warnings import design_warnings, in_total
from deniable.schema import Schema
from deniable.survey.questionnaire.read_survey import Places, read
from deniable.survey.questionnaire.survey import Survey
from deniable.survey.questionnaire.survey_story import outlooks
from deniable.survey.words.page_words import unfit_for_pages

EXAMPLE = files(__package__).joinpath("example.yaml").read_text(encoding="utf-8")
"""A survey to start from, with comments."""

UNCERTAIN_MARGIN = 0.25
"""A 95 % margin above which a share is as good as unknown."""

ROUNDED_MARGIN = 1.005
"""A margin that is this much larger than the planned one is the planned one, rounded."""

FEWEST_ALIKE = 5
"""People with the same public answers, on average, below which some stand alone."""

FEWEST_AT_ONCE = 10
"""Answers by which results should move at least."""


def load(path: str | Path) -> Survey:
    """Read a survey, or refuse it for its first mistake."""
    findings, found = _read(path)
    if found is not None:
        return found[0]
    first, *others = findings.mistakes
    more = f" ({len(others)} more: see deniable survey check.)" if others else ""
    raise SurveyError(f"{first.at(path)}: {first.message}", hint=f"{first.hint}{more}".strip())


def check(path: str | Path) -> list[Finding]:
    """List every mistake, and where there is none, what is worrying; in the order of the lines."""
    findings, found = _read(path)
    if found is not None:
        _warn(*found)
    return findings.in_order()


def _read(path: str | Path) -> tuple[Findings, tuple[Survey, Places] | None]:
    findings = Findings()
    document = parse(read_text(path), unfit_for_pages)
    for problem in document.problems:
        findings.add(Finding(problem.line, "mistake", problem.message, problem.hint))
    if document.value is None:
        if not document.problems:
            start = "Start with deniable survey new."
            findings.add(Finding(1, "mistake", "The file is empty.", start))
        return findings, None
    root = Entry(document.value, findings, line=document.first_line, lines=document.lines)
    return findings, read(root, Path(path).parent)


def _warn(survey: Survey, places: Places) -> None:
    """Note all warnings, each at its line."""
    if survey.bit is None:
        _about_groups(survey, places)
        _about_public_answers(survey, places)
    _about_control_items(survey, places)
    if survey.direct is not None:
        places.entries["direct"].warning(
            f"{of_100(float(survey.direct))} people are asked directly: nothing protects their "
            "answers, and whoever gets hold of them can read them.",
            "Leave this out where an answer could harm somebody.",
        )
    if survey.every < FEWEST_AT_ONCE:
        places.entries["results"].warning(
            f"Results move by as few as {survey.every} answers, so that two looks at them say much "
            "about these few people.",
            f"Write every: {FEWEST_AT_ONCE}, or more.",
        )


def _about_groups(survey: Survey, places: Places) -> None:
    design, lines = survey.design, dict(zip(survey.design.groups, places.groups, strict=True))
    for group, node in lines.items():
        for concern in design_warnings(Design(Schema(group.attributes), (group,))):
            node.warning(concern.sentence, _remedy(survey, group))
    for concern in in_total(design) if design.groups else design_warnings(design):
        places.entries.get("groups", places.root).warning(concern.sentence, concern.remedy)
    told = {outlook.attribute: outlook for outlook in outlooks(survey)}
    for group, node in lines.items():
        worst = max((told[name] for name in group.names), key=lambda outlook: outlook.margin)
        if worst.margin > UNCERTAIN_MARGIN:
            node.warning(
                f"With {survey.planned:,} answers the shares of {worst.attribute} are known to ± "
                f"{points(worst.margin)} points only.",
                "Raise results.after, or choose another theta with `deniable plan`."
                if survey.expected.answers is None
                else "Ask more people and raise expected.answers, or plan with a larger margin.",
            )
        for name in group.names:
            outlook = told[name]
            if outlook.wanted is not None and outlook.margin > outlook.wanted * ROUNDED_MARGIN:
                node.warning(
                    f"{name} is known to ± {points(outlook.margin)} points from "
                    f"{survey.planned:,} answers, not to the ± {points(outlook.wanted)} that are "
                    "expected.",
                    "Ask more people, accept a larger margin, or plan again with `deniable plan`.",
                )


def _remedy(survey: Survey, group: Group) -> str:
    """What to do about a device; where it was planned, the plan has weighed all others."""
    margins = survey.expected.margins
    wanted = [points(float(margins[name])) for name in group.names if name in margins]
    if not wanted or survey.expected.answers is None:
        return "`deniable plan` compares channels and thetas."
    return (
        f"± {wanted[0]} points from {survey.planned:,} answers take as much: ask more people, or "
        "accept a wider margin, and plan again."
    )


def _about_public_answers(survey: Survey, places: Places) -> None:
    public = survey.design.public
    cells = prod(survey.design.schema[name].size for name in public)
    if public and survey.after < FEWEST_ALIKE * cells:
        places.entries["questions"].warning(
            f"{listed(public)} are told as they are, in {cells:,} combinations: of {survey.after} "
            "people some are alone with theirs, and whoever knows them finds their report.",
            "Ask less, offer fewer options, or disguise some of it.",
        )


def _about_control_items(survey: Survey, places: Places) -> None:
    for question in survey.questions:
        if question.known is not None and question.name in survey.design.public:
            places.asked[question.name].entries["known"].warning(
                "A control item that is told as it is says nothing about the disguise.",
                "Add it to a group like those of the questions that it stands for.",
            )
