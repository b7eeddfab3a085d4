"""Who was not asked, as an export marks them: one more value, which nothing disguises.

It follows from public answers that stand in the same row. With it in the design, as a matrix that
reports it as it is and the others as before, every command counts right: a share of everybody, and
among those who were asked with a condition beside it.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from fractions import Fraction

import numpy as np

from deniable.base.arrays import Mask
from deniable.channel import Matrix
from deniable.design import Design, Group
from deniable.engine.memory.records import Records
from deniable.schema import Attribute, Schema
from deniable.survey.export.plain_values import with_plain_values
from deniable.survey.export.variables import Variable
from deniable.survey.questionnaire import Survey
from deniable.survey.questionnaire.conditions import NOT_ASKED, masks

NOT_ASKED_WORDS = "not asked"


def partly_asked(survey: Survey) -> set[str]:
    """Attributes that not everybody was asked for."""
    return {
        a.name for question in survey.reported if question.condition for a in question.attributes
    }


def who_was_asked(survey: Survey, records: Records) -> Mapping[str, Mask]:
    """Who was asked, by attribute, where not everybody was."""
    return masks(survey.reported, survey.design.schema, records.columns)


def with_value(design: Design, names: Collection[str]) -> Design:
    """Give attributes one more value, which is told as it is; they are alone in their groups."""
    if not names:
        return design
    schema = Schema(tuple(_wider(attribute, names) for attribute in design.schema))
    groups = []
    for group in design.groups:
        attributes = tuple(_wider(attribute, names) for attribute in group.attributes)
        channel = group.channel
        if set(group.names) & set(names):
            none = Fraction(0)
            columns = (*((*column, none) for column in channel.exact_columns()),)
            alone = (*(none for _ in columns), Fraction(1))
            channel = Matrix((len(alone),), (*columns, alone))
        groups.append(Group(attributes, channel))
    return Design(schema, tuple(groups))


def exported_design(survey: Survey) -> Design:
    """The design of an export: values that every program reads, and who was not asked."""
    return with_value(with_plain_values(survey).design, partly_asked(survey))


def marked(records: Records, schema: Schema, asked: Mapping[str, Mask]) -> Records:
    """Write the value into the rows of those who were not asked; ``schema`` has it."""
    columns = [
        np.where(asked[a.name], column, a.size - 1) if a.name in asked else column
        for a, column in zip(schema, records.columns, strict=True)
    ]
    return Records.from_codes(columns, schema)


def with_words(variables: Collection[Variable], names: Collection[str]) -> list[Variable]:
    """The same columns with the value and its words."""
    return [
        replace(v, attribute=_wider(v.attribute, names), words=(*v.words, NOT_ASKED_WORDS))
        if v.name in names
        else v
        for v in variables
    ]


def _wider(attribute: Attribute, names: Collection[str]) -> Attribute:
    if attribute.name not in names:
        return attribute
    return Attribute(attribute.name, (*attribute.values, NOT_ASKED))
