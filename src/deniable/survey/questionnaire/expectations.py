"""Reading what a survey was planned with: how many answer, shares, margins.

`deniable plan --survey` writes it, and `survey check` says by it what will be known. It is no part
of what people are asked, and may change while a survey runs.
"""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial

from deniable.base.entries import Entry
from deniable.base.errors import nearest
from deniable.channel.group_options import distribution, fraction
from deniable.schema import Attribute
from deniable.survey.questionnaire.questions import AskedQuestions
from deniable.survey.questionnaire.survey import Expected

NOTHING_EXPECTED = Expected(None, {}, {})

EXPECTED_HINT = "Write expected: {answers: 900, shares: {drugs: {no: 0.9, yes: 0.1}}}."


def read_expected(node: Entry, asked: Mapping[str, AskedQuestions]) -> Expected:
    """Read what is expected; shares and margins of questions that there are."""
    entries = node.entries(EXPECTED_HINT, ("answers", "shares", "margins"))
    attributes = {
        attribute.name: attribute
        for one in asked.values()
        if one.sound
        for attribute in one.question.attributes
    }
    return Expected(
        entries.read("answers", partial(Entry.whole, least=1), None),
        entries.read("shares", partial(_shares, attributes=attributes), {}),
        entries.read("margins", partial(_margins, attributes=attributes), {}),
    )


def _shares(node: Entry, attributes: Mapping[str, Attribute]) -> dict[str, Mapping[str, Fraction]]:
    found: dict[str, Mapping[str, Fraction]] = {}
    for name, child in _of_questions(node, attributes).items():
        with child.judged():
            shares = distribution(child.value, attributes[name], "The expected shares")
            found[name] = dict(zip(attributes[name].values, shares, strict=True))
    return found


def _margins(node: Entry, attributes: Mapping[str, Attribute]) -> dict[str, Fraction]:
    found: dict[str, Fraction] = {}
    for name, child in _of_questions(node, attributes).items():
        word = child.text("Write ± 3 points as 0.03.")
        if not word:
            continue
        with replace(child, place="").judged():
            found[name] = fraction(word, child.place)
    return found


def _of_questions(node: Entry, attributes: Mapping[str, Attribute]) -> dict[str, Entry]:
    children = node.entries(EXPECTED_HINT)
    for name, child in children.items():
        if name not in attributes:
            child.mistake(f"There is no question {name!r}.", nearest(name, attributes))
    return {name: child for name, child in children.items() if name in attributes}
