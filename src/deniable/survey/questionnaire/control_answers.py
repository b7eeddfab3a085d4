"""What a survey's control items say of its reports: the true shares are in its file."""

from deniable.compliance.control_check import ControlCheck, control_check
from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.schema import Schema
from deniable.survey.questionnaire.survey import Survey


def known_shares(survey: Survey) -> dict[str, dict[str, float]]:
    """The true shares of control items, by question and value."""
    return {
        question.name: {value: float(share) for value, share in question.known.shares.items()}
        for question in survey.reported
        if question.known
    }


def checked(survey: Survey, disguised: Records) -> ControlCheck | None:
    """Check the reports of those who were asked through the device; None without control items.

    What not everybody is asked is left out: it would show less of people, not more.
    """
    partly = {a.name for q in survey.reported if q.condition for a in q.attributes}
    design = Design(
        Schema(tuple(a for a in survey.design.schema if a.name not in partly)),
        tuple(group for group in survey.design.groups if not partly & set(group.names)),
    )
    columns = dict(zip(disguised.schema.names, disguised.columns, strict=True))
    return control_check(design if partly else survey.design, known_shares(survey), columns)
