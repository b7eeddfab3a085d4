"""`deniable survey new` and `check`: write a survey file, and see what it will do."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deniable.base.wording import joined, percent, plural, points, times
from deniable.cli.options import AsJson
from deniable.cli.show.output import (
    note,
    print_items,
    print_json,
    print_paragraph,
    print_table,
    say,
)

if TYPE_CHECKING:
    from deniable.survey.questionnaire import Finding, Survey
    from deniable.survey.questionnaire.survey_story import Outlook


def new(
    file: Annotated[Path, typer.Argument(help="The file to write.", metavar="SURVEY.yaml")],
) -> None:
    """Write a survey to start from, with comments; an existing file is left alone."""
    from deniable.base.files import write_new
    from deniable.survey.questionnaire import EXAMPLE

    write_new(file, EXAMPLE)
    note(f"wrote {file}; edit it, then run: deniable survey check {file}")


def check(
    file: Annotated[Path, typer.Argument(help="The survey.", metavar="SURVEY.yaml")],
    json: AsJson = False,
) -> None:
    """Find every mistake in a survey, with its line; say what it will do, and warn.

    Exits with 1 if there is a mistake, and with 0 if there are only warnings.
    """
    from deniable.survey.questionnaire import check as look_at
    from deniable.survey.questionnaire import load
    from deniable.survey.questionnaire.survey_story import outlooks, story

    findings = look_at(file)
    wrong = sum(finding.kind == "mistake" for finding in findings)
    survey = None if wrong else load(file)
    if json:
        found = {"findings": [asdict(finding) for finding in findings]}
        print_json(found if survey is None else {**_document(survey), **found})
    else:
        if survey is not None:
            _show(file, survey, story(survey), list(outlooks(survey)))
        _show_findings(file, findings)
    if wrong:
        note(f"{file} has {plural(wrong, 'mistake')}.")
        raise typer.Exit(1)


def _document(survey: "Survey") -> dict[str, object]:
    from deniable.privacy.measures.single_answer import json_number
    from deniable.survey.questionnaire.survey_story import outlooks, story

    return {
        "survey": survey.name,
        "fingerprint": survey.fingerprint,
        "story": story(survey),
        "outlook": [
            {**asdict(each), "epsilon": json_number(each.epsilon)} for each in outlooks(survey)
        ],
    }


def _show(file: Path, survey: "Survey", story: list[str], outlooks: "list[Outlook]") -> None:
    typer.echo(
        f"{file}: {plural(len(survey.questions), 'question')}, "
        f"{plural(len(survey.design.groups), 'group')}, in {joined(survey.languages)}."
    )
    print_items(story)
    if outlooks:
        print_table(
            _supposed(survey),
            ["Attribute", "#times likelier", "#guessed before", "#after", "#± points"],
            [
                [
                    each.attribute,
                    times(each.epsilon),
                    percent(each.before),
                    percent(each.after),
                    points(each.margin),
                ]
                for each in outlooks
            ],
        )
        print_paragraph(
            "Times likelier: how much likelier one report can be under one truth than under "
            "another. Guessed: how often a reader is right about somebody, before and after seeing "
            f"that report. Points: how well a share is known from {survey.planned:,} answers "
            "(95 %)."
        )
    typer.echo(f"Fingerprint {survey.fingerprint}")


def _supposed(survey: "Survey") -> str:
    """What the figures suppose of the answers."""
    return (
        f"If answers are as common as expected, and {survey.planned:,} people answer"
        if survey.expected.shares
        else "If all answers are equally common"
    )


def _show_findings(file: Path, findings: "list[Finding]") -> None:
    for finding in findings:
        kind = "warning: " if finding.kind == "warning" else ""
        say(f"{finding.at(file)}: {kind}{finding}")
