"""A survey as it is exported: values that a spreadsheet would run get an apostrophe before them.

Design, tables and codebook of an export all have the same values, so that what is written is read
again as it is. Almost no survey has such values; then nothing changes.
"""

from dataclasses import replace

from deniable.design import Design, Group
from deniable.schema import Attribute, Schema
from deniable.survey.questionnaire import Question, Survey
from deniable.survey.spreadsheet_cells import plain_cell


def with_plain_values(survey: Survey) -> Survey:
    """The same survey with values that every program takes for text."""
    return replace(
        survey,
        questions=tuple(map(_question, survey.questions)),
        design=_design(survey.design),
    )


def changed_values(survey: Survey) -> list[str]:
    """The values that an export writes otherwise, in order."""
    values = (value for attribute in survey.design.schema for value in attribute.values)
    return list(dict.fromkeys(value for value in values if plain_cell(value) != value))


def _question(question: Question) -> Question:
    known = question.known
    return replace(
        question,
        options=tuple(replace(o, value=plain_cell(o.value)) for o in question.options),
        known=known
        and replace(known, shares={plain_cell(v): share for v, share in known.shares.items()}),
    )


def _design(design: Design) -> Design:
    """The same devices; they know values by their places only."""
    groups = (Group(tuple(map(_attribute, g.attributes)), g.channel) for g in design.groups)
    return Design(Schema(tuple(map(_attribute, design.schema))), tuple(groups))


def _attribute(attribute: Attribute) -> Attribute:
    return Attribute(attribute.name, tuple(map(plain_cell, attribute.values)))
