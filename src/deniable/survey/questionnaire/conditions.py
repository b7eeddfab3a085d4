"""Questions that are asked of some people only, as their public answers say.

Whether somebody was asked follows from answers that everybody can read. So nothing more is learned
from it; and of people who were not asked, a report has the first value, always the same.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from deniable.base.arrays import AnyCodes, Mask
from deniable.base.entries import Entry
from deniable.base.errors import nearest, shortened
from deniable.design import Group
from deniable.schema import Schema
from deniable.survey.questionnaire.questions import AskedQuestions
from deniable.survey.questionnaire.survey import Condition, Question

IF = "if"

NOT_ASKED = "not_asked"
"""How an export marks people who were not asked."""

IF_HINT = "Write if: {age: under 25}, or several values: {age: [under 25, 25 to 40]}."


def read_conditions(
    asked: Mapping[str, AskedQuestions], groups: Iterable[Group]
) -> dict[str, AskedQuestions]:
    """Read of whom each question is asked; every mistake is noted at its line."""
    homes = {name: group for group in groups for name in group.names}
    found: dict[str, AskedQuestions] = {}
    for name, one in asked.items():
        condition: Condition = {}
        if IF in one.entries:
            condition = _read_condition(one.entries[IF], name, asked, found, homes)
            _check_place(one, homes)
        found[name] = replace(one, question=replace(one.question, condition=condition))
    return found


def _read_condition(
    node: Entry,
    name: str,
    asked: Mapping[str, AskedQuestions],
    before: Mapping[str, AskedQuestions],
    homes: Mapping[str, Group],
) -> Condition:
    condition = {}
    for other, child in node.entries(IF_HINT).items():
        if other not in asked:
            child.mistake(f"There is no question {shortened(other)}.", nearest(other, asked))
        elif other not in before:
            child.mistake(
                f"{other!r} is not asked before {name!r}.",
                "Put the question that decides first." if other != name else "Name another one.",
            )
        elif other in homes or asked[other].question.several:
            child.mistake(
                f"{other!r} cannot decide who is asked: it must have one answer, that is told as "
                "it is. Of a disguised answer, nobody may learn anything.",
                "Name a question that is in no group, and has no several: yes.",
            )
        else:
            condition[other] = _read_values(child, other, asked[other].question)
    return condition


def _read_values(node: Entry, name: str, question: Question) -> tuple[str, ...]:
    values = [option.value for option in question.options]
    items = [node] if node.is_text() else list(node.items(IF_HINT))
    found = []
    for item in items:
        value = item.text(IF_HINT)
        if value and value not in values:
            item.mistake(f"{name!r} has no value {shortened(value)}.", nearest(value, values))
        found.append(value)
    return tuple(found)


def _check_place(one: AskedQuestions, homes: Mapping[str, Group]) -> None:
    """Where one coin is for several answers, all of them must have been asked."""
    group = homes.get(one.question.attributes[0].name) if one.sound else None
    if group is not None and len(group.names) > 1:
        one.entries[IF].mistake(
            "A disguised question that is asked of some people only needs a group of its own.",
            "Ask it alone in a group, and with one answer.",
        )
    if "known" in one.entries:
        one.entries[IF].mistake("A control item is asked of everybody.", "Remove this.")
    values = [value for attribute in one.question.attributes for value in attribute.values]
    if NOT_ASKED in values:
        one.entries["options"].mistake(
            f"The value {NOT_ASKED!r} marks people who are not asked.", "Choose another value."
        )


def asked_of(
    conditions: Mapping[str, Condition], schema: Schema, columns: Mapping[str, AnyCodes]
) -> dict[str, Mask]:
    """Say of whom each conditional question is asked: by the codes of the public answers.

    ``conditions`` stand in the order in which people are asked, by the name of the question.
    """
    found: dict[str, Mask] = {}
    for name, condition in conditions.items():
        mask: Mask | None = None
        for other, values in condition.items():
            codes = [schema[other].code(value) for value in values]
            fits: Mask = np.isin(columns[other], codes)
            if other in found:
                fits = fits & found[other]
            mask = fits if mask is None else mask & fits
        if mask is not None:
            found[name] = mask
    return found


def conditions_of(questions: Iterable[Question]) -> dict[str, Condition]:
    """The questions that are not asked of everybody, and of whom they are."""
    return {question.name: question.condition for question in questions if question.condition}


def masks(
    questions: Iterable[Question], schema: Schema, columns: Iterable[AnyCodes]
) -> dict[str, Mask]:
    """Say who was asked for each attribute that not everybody was asked for, from their reports."""
    every = tuple(questions)
    by_name = dict(zip(schema.names, columns, strict=True))
    found = asked_of(conditions_of(every), schema, by_name)
    return {a.name: found[q.name] for q in every if q.name in found for a in q.attributes}


def stray(questions: Iterable[Question], schema: Schema, codes: Sequence[int]) -> bool:
    """Whether a report answers what was not asked: it has another than the first value there."""
    every = tuple(questions)
    if not conditions_of(every):
        return False
    found = masks(every, schema, np.reshape(codes, (-1, 1)))
    return any(not mask[0] and codes[schema.position(name)] for name, mask in found.items())
