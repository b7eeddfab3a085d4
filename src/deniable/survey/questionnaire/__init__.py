"""The survey file: what is asked, how it is disguised, and what is wrong with a file that says so.

`load` gives a `Survey`, or refuses; `check` lists every mistake and warning with its line.
"""

from deniable.base.findings import Finding
from deniable.survey.questionnaire.survey import (
    AnswerOption,
    Known,
    PersonalQuestion,
    Question,
    Survey,
    Text,
)
from deniable.survey.questionnaire.survey_file import EXAMPLE, check, load

__all__ = [
    "EXAMPLE",
    "AnswerOption",
    "Finding",
    "Known",
    "PersonalQuestion",
    "Question",
    "Survey",
    "Text",
    "check",
    "load",
]
