"""The columns of an export: what was asked, in the words of one language, and how it is coded."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from deniable.engine.files.labelled_files import value_codes
from deniable.schema import Attribute
from deniable.survey.questionnaire import Question, Survey

DISGUISED_MARK = " [disguised]"


@dataclass(frozen=True)
class Variable:
    """One column."""

    attribute: Attribute
    question: Question
    text: str
    """The question; of several answers, with the option."""

    words: tuple[str, ...]
    """The values' words, in the order of the values."""

    disguise: str | None
    """What happens to an answer before it is sent; None where it is sent as it is."""

    @property
    def name(self) -> str:
        """The column's name."""
        return self.attribute.name

    @property
    def codes(self) -> tuple[int, ...]:
        """Numbers for the values."""
        return value_codes(self.attribute.values)

    def label(self, longest: int) -> str:
        """The question in so many bytes; that it is disguised always stays."""
        mark = DISGUISED_MARK if self.disguise else ""
        return cut(" ".join(self.text.split()), longest - len(mark)) + mark

    def told(self) -> "Variable":
        """The same column where people were asked directly."""
        return replace(self, disguise=None)


def variables_of(survey: Survey, language: str) -> list[Variable]:
    """Every column of an export, in order."""
    stories = _stories(survey)
    return [
        Variable(attribute, question, text, words, stories.get(attribute.name))
        for question in survey.reported
        for attribute, text, words in _columns(question, language)
    ]


def _columns(question: Question, language: str) -> Iterator[tuple[Attribute, str, tuple[str, ...]]]:
    asked = question.text[language]
    words = tuple(option.text[language] for option in question.options)
    if not question.several:
        yield question.attributes[0], asked, words
        return
    for attribute, option in zip(question.attributes, words, strict=True):
        yield attribute, f"{asked} {option}", attribute.values


def _stories(survey: Survey) -> Mapping[str, str]:
    return {
        name: group.channel.story(group.attributes)
        for group in survey.design.groups
        for name in group.names
    }


def cut(text: str, longest: int) -> str:
    """Shorten a text to so many bytes, never within a character.

    >>> cut("Größe", 6), cut("Größe", 7)
    ('Gr…', 'Größe')
    """
    if len(text.encode()) <= longest:
        return text
    kept = text.encode()[: longest - len("…".encode())].decode(errors="ignore")
    return kept.rstrip() + "…"
