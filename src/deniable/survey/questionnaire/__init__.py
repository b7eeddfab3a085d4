"""The survey file: what is asked, how it is disguised, and what is wrong with a file that says so.

`load` gives a `Survey`, or refuses; `check` lists every mistake and warning with its line.
"""

from deniable.survey.questionnaire.files import EXAMPLE, check, load
from deniable.survey.questionnaire.findings import Finding
from deniable.survey.questionnaire.hand import by_hand
from deniable.survey.questionnaire.model import (
    Known,
    Option,
    PersonalQuestion,
    Question,
    Survey,
    Text,
)

__all__ = [
    "EXAMPLE",
    "Finding",
    "Known",
    "Option",
    "PersonalQuestion",
    "Question",
    "Survey",
    "Text",
    "by_hand",
    "check",
    "load",
]
