"""`deniable plan --survey FILE`: the plan of a whole study, and its survey file."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import typer

from deniable.base.errors import DataError, DesignError, nearest
from deniable.base.files import write_new
from deniable.base.wording import epsilon_bound, percent, points
from deniable.channel.group_options import fraction
from deniable.cli.show.output import note, print_items, print_json, print_paragraph, print_table
from deniable.compliance.check_sentences import foreseen
from deniable.privacy.measures.single_answer import json_number
from deniable.privacy.plan.limits import Per
from deniable.privacy.plan.plan_survey import USUAL_MARGIN
from deniable.privacy.plan.read_request import expected, shares_in
from deniable.survey.planned_survey import survey_text
from deniable.survey.study_plan import StudyPlan, plan_study

KNOWN_DESIGNS = (
    (
        "1.61",
        "a die: 1 no, 6 yes, else the truth",
        "Nigeria, 2,457 people (Blair, Imai & Zhou 2015)",
    ),
    (
        "1.73",
        "crosswise, birthdays with p = 0.15",
        "the example of R's cWise (Atsusaka & Stevenson)",
    ),
    (
        "∞",
        "Mangat's device, p = 2/12 or 10/12",
        "minarets, 1,621 people (R's RRreg: Moshagen et al.)",
    ),
)
"""ε of published designs, by their chances: ln of the largest ratio of two chances of a report."""


def margins_of(given: Sequence[str], names: Sequence[str]) -> dict[str, float]:
    """Read ``0.03`` and ``drugs=0.02``: one margin for all, others by name."""
    found = dict.fromkeys(names, USUAL_MARGIN)
    plain = [each for each in given if "=" not in each]
    if len(plain) > 1:
        raise DesignError(
            "Two margins are given for all questions.", hint="Write --margin drugs=0.02."
        )
    for each in [*plain, *(each for each in given if "=" in each)]:
        name, sign, margin = each.rpartition("=")
        share = float(fraction(margin.strip(), "margin"))
        if sign and name.strip() not in found:
            raise DesignError(f"There is no question {name!r}.", hint=nearest(name, names))
        if not 0 < share < 1:
            raise DesignError(f"margin = {share:g} is no share.", hint="Write ± 3 points as 0.03.")
        found.update({name.strip(): share} if sign else dict.fromkeys(names, share))
    return found


def answers_of(respondents: int | None, invited: int | None, response: str) -> int | None:
    """How many answer: given, or people invited times those who respond."""
    if invited is None:
        return respondents
    if respondents is not None:
        raise DataError("--respondents and --invited say the same.", hint="Leave one out.")
    return int(invited * fraction(response, "--response"))


def plan_survey_file(
    names: Sequence[str],
    file: Path,
    *,
    margins: Sequence[str],
    answers: int | None,
    epsilon: float | None,
    per: Per,
    level: float,
    by_hand: bool,
    controls: int | None,
    as_json: bool,
) -> None:
    """Plan, write the file, and say what it comes to."""
    if file.exists():
        raise DataError(f"{file} exists already.", hint="Name a new file.")
    population = expected(shares_in(names))
    plan = plan_study(
        population,
        margins_of(margins, population.schema.names),
        answers=answers,
        limit=epsilon,
        per=per,
        by_hand=by_hand,
        level=level,
        controls=controls,
    )
    write_new(file, survey_text(plan))
    if as_json:
        print_json(_document(plan, file))
    else:
        _show(plan, file)


def _document(plan: StudyPlan, file: Path) -> Mapping[str, object]:
    return {
        "survey": str(file),
        "answers": plan.answers,
        "epsilon": json_number(plan.epsilon),
        "questions": [
            {
                "name": question.name,
                "epsilon": json_number(question.epsilon),
                "margin": question.margin,
                "wanted": question.wanted,
                "guess_before": question.before,
                "guess_after": question.after,
            }
            for question in plan.questions
        ],
        "controls": [name for name, _, _ in plan.controls],
        "design": plan.design.document(),
    }


def _show(plan: StudyPlan, file: Path) -> None:
    typer.echo(
        f"For {plan.answers:,} answers, of every question the most private device that does:"
    )
    print_items(
        question.group.channel.story(question.group.attributes) for question in plan.questions
    )
    print_table(
        "What each gives away, and how well it will be known (95 of 100 surveys)",
        ["Question", "#ε", "#guessed before", "#after", "#± points", "#wanted"],
        [
            [
                question.name,
                epsilon_bound(question.epsilon),
                percent(question.before),
                percent(question.after),
                points(question.margin),
                points(question.wanted),
            ]
            for question in plan.questions
        ],
    )
    if plan.items is not None:
        print_paragraph(foreseen(plan.items, plan.answers))
    typer.echo(
        f"ε of the whole record is {epsilon_bound(plan.epsilon)}. For comparison, one question of:"
    )
    print_items(f"ε = {value}: {device}; {where}." for value, device, where in KNOWN_DESIGNS)
    print_paragraph(
        "These were fielded, or are taught; that an ethics board named an ε we have not found. "
        "Tell yours how often a guess is right before and after: the columns above."
    )
    note(f"wrote {file}; write your words into it, then run: deniable survey check {file}")
