"""A survey file from a plan: everything but the words, which the researcher writes."""

from collections.abc import Iterator

from deniable.base.documents import to_yaml
from deniable.channel.channel import exact
from deniable.channel.group_options import fraction
from deniable.survey.study_plan import StudyPlan

FIRST_RESULTS = 200
"""Answers after which results are shown, or half of those expected if they are fewer."""

FEWEST_RESULTS, FEWEST_STEP = 20, 10

HEADER = """\
# Written by deniable plan. What is missing are your words: search for "Write". Then run
#   deniable survey check FILE       what it will do, and how well you will know what you ask
#   deniable survey simulate FILE --people {answers} --ignore no=0.1     a pilot
# Each device was chosen for the margins under `expected`; with another one, plan again.
"""

CONSENT = """\
consent: |-
  Write here who asks, why, and what becomes of the answers.

  Taking part is voluntary. Results are published as percentages of everybody who took part.
"""


def survey_text(plan: StudyPlan) -> str:
    """Write survey.yaml, which `deniable survey check` accepts as it is."""
    after = min(FIRST_RESULTS, max(FEWEST_RESULTS, plan.answers // 2))
    about = {
        "survey": "planned",
        "languages": ["en"],
        "title": "Write a title",
        "contact": "write-your-address@institution.example",
    }
    rules = {
        "invitations": "yes",
        "devices": ["page", "own"] if plan.by_hand else ["page"],
        "results": {"after": str(after), "every": str(max(FEWEST_STEP, after // 4))},
    }
    parts = (
        {"expected": _expected(plan)},
        {"questions": {**dict(_questions(plan)), **dict(_controls(plan))}},
        {"groups": plan.design.document()["groups"]},
    )
    head = HEADER.format(answers=plan.answers)
    return "\n".join([head, to_yaml(about) + CONSENT + to_yaml(rules), *map(to_yaml, parts)])


def _expected(plan: StudyPlan) -> dict[str, object]:
    shares = {}
    for question in plan.questions:
        (attribute,) = question.group.attributes
        told = plan.population.table([attribute.name]).tolist()
        shares[attribute.name] = {
            value: exact(fraction(f"{share:.9g}", attribute.name))
            for value, share in zip(attribute.values, told, strict=True)
        }
    margins = {question.name: f"{question.wanted:g}" for question in plan.questions}
    return {"answers": str(plan.answers), "shares": shares, "margins": margins}


def _questions(plan: StudyPlan) -> Iterator[tuple[str, object]]:
    for question in plan.questions:
        values = question.group.attributes[0].values
        yield (
            question.name,
            {
                "text": f"Write the question about {question.name}",
                "options": {value: value.capitalize() for value in values},
            },
        )


def _controls(plan: StudyPlan) -> Iterator[tuple[str, object]]:
    for name, words, everybody in plan.controls:
        yield (
            name,
            {
                "text": words,
                "help": "We ask this to see whether the method works.",
                "options": {"no": "No", "yes": "Yes"},
                "known": {
                    "shares": {"no": str(int(not everybody)), "yes": str(int(everybody))},
                    "source": f"It is true of {'everybody' if everybody else 'nobody'}.",
                },
            },
        )
