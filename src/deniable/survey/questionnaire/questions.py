"""Reading the questions: texts, options, personal questions and control items."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from deniable.base.entries import Entries, Entry
from deniable.channel.group_options import distribution
from deniable.survey.questionnaire.languages import read_words
from deniable.survey.questionnaire.skipping import Skipping, skippable, with_skip
from deniable.survey.questionnaire.survey import (
    AnswerOption,
    Known,
    PersonalQuestion,
    Question,
    Text,
)

MOST_OPTIONS = 36
"""A report writes each answer as one character: a digit or a letter."""

LONGEST_COLUMN = 32
"""Characters of a column's name in Stata, the shortest of all."""

_COLUMN = re.compile(r"[A-Za-z][A-Za-z0-9_]*")

_ANSWER_COLUMNS = frozenset({"id", "arm", "report", "device", "understood"})
"""Columns that answers are kept with."""

_KEPT = re.compile(
    r"all|and|by|eq|ge|gt|le|lt|ne|not|or|to|with|byte|double|float|if|in|int|long|using|str(\d+|l)",
    re.IGNORECASE,
)
"""Words that SPSS and Stata keep for themselves."""

ENTRIES = ("text", "help", "several", "options", "may_skip", "if", "personal", "known")

QUESTION = "Write text: … and options: {no: …, yes: …}."
PERSONAL_HINT = "Write personal: {text: …, source: where its distribution is known from}."
KNOWN = "Write known: {shares: {no: 1, yes: 0}, source: how they are known}."


Words = Callable[[Entry], Text]
"""Reads the same words in every language."""


@dataclass(frozen=True)
class AskedQuestions:
    """A question with its place in the file."""

    question: Question
    node: Entry
    entries: Entries
    sound: bool
    """Whether its attributes are clear, whatever else may be wrong."""


def read_questions(
    node: Entry, languages: Sequence[str], skipping: Skipping
) -> dict[str, AskedQuestions]:
    """Read all questions; their attributes' names are unique also where capitals do not count."""
    asked: dict[str, AskedQuestions] = {}
    taken: set[str] = set()
    for name, child in node.entries("Write questions: {NAME: {text: …, options: …}}.").items():
        found = _read_question(name, child, languages, skipping)
        for column in columns_of(found.question):
            if column.lower() in taken:
                child.mistake(f"There would be two columns {column!r}.", "Choose another name.")
                found = replace(found, sound=False)
            taken.add(column.lower())
        asked[name] = found
    return asked


def _read_question(
    name: str, node: Entry, languages: Sequence[str], skipping: Skipping
) -> AskedQuestions:
    entries = node.entries(QUESTION, ENTRIES, required=("text", "options"))
    words = partial(read_words, languages=languages)
    before = node.findings.wrong
    several = entries.read("several", Entry.switch, otherwise=False)
    may_skip = skippable(entries, skipping)
    counted = node.findings.wrong == before
    question = Question(
        name,
        entries.read("text", words, {}),
        entries.read("options", partial(_read_options, words=words), ()),
        several,
        entries.read("help", words, None),
        entries.read("personal", partial(_read_personal, words=words), None),
    )
    _check_columns(node, entries, question)
    _check_options(entries, question, most=MOST_OPTIONS - may_skip)
    sound = counted and bool(name) and len(question.options) >= (1 if several else 2)
    if may_skip and question.options:
        options = with_skip(entries, question.options, skipping, several=several)
        question = replace(question, options=options, skip=skipping.words)
    if "known" in entries and sound and not several:
        question = replace(question, known=_read_known(entries["known"], question))
    return AskedQuestions(question, node, entries, sound)


def _read_options(node: Entry, words: Words) -> tuple[AnswerOption, ...]:
    entries = node.entries("Write options: {VALUE: its words, …}.")
    for value, child in entries.items():
        if not value.strip() or value != value.strip() or "\n" in value:
            child.mistake("A value must be plain words.", "Put no spaces around it.")
    return tuple(AnswerOption(value, words(child)) for value, child in entries.items())


def _read_personal(node: Entry, words: Words) -> PersonalQuestion:
    entries = node.entries(PERSONAL_HINT, ("text", "source"), required=("text", "source"))
    return PersonalQuestion(entries.read("text", words, {}), entries.read("source", Entry.text, ""))


def _read_known(node: Entry, question: Question) -> Known | None:
    entries = node.entries(KNOWN, ("shares", "source"), required=("shares", "source"))
    source = entries.read("source", Entry.text, "")
    (attribute,) = question.attributes
    if "shares" in entries:
        with entries["shares"].judged():
            shares = distribution(entries["shares"].value, attribute, "The known shares")
            return Known(dict(zip(attribute.values, shares, strict=True)), source)
    return None


def columns_of(question: Question) -> list[str]:
    """The names of its attributes, also of a question that is not sound."""
    if not question.several:
        return [question.name]
    return [f"{question.name}_{option.value}" for option in question.options]


def _check_columns(node: Entry, entries: Entries, question: Question) -> None:
    """Refuse names that some program could not use for a column; one reason is enough."""
    for column in dict.fromkeys([question.name, *columns_of(question)]):
        if (reason := why_unusable(column)) is not None:
            place = node if column == question.name else entries["options"]
            place.mistake(*reason)
            return


def why_unusable(name: str) -> tuple[str, str] | None:
    """Say why a name cannot be a column's in every database, SPSS and Stata; None if it can.

    >>> why_unusable("drugs")
    >>> why_unusable("2nd job")
    ("'2nd job' cannot be a column's name.", 'Begin with a letter; use letters, digits and _ only.')
    """
    if not _COLUMN.fullmatch(name):
        hint = "Begin with a letter; use letters, digits and _ only."
        return f"{name!r} cannot be a column's name.", hint
    if len(name) > LONGEST_COLUMN:
        hint = (
            f"Use at most {LONGEST_COLUMN} characters, counting the option's of a question "
            "with several."
        )
        return f"{name!r} is too long for a column's name in Stata.", hint
    if _KEPT.fullmatch(name):
        return f"{name!r} is a word that SPSS or Stata keeps for itself.", "Choose another name."
    if name.lower() in _ANSWER_COLUMNS:
        return f"{name!r} is a column that answers are kept with.", "Choose another name."
    return None


def _check_options(entries: Entries, question: Question, *, most: int) -> None:
    given = len(question.options)
    if question.several:
        for key in ("personal", "known"):
            if key in entries:
                entries[key].mistake(
                    "A question with several answers cannot have this.",
                    "Leave it out, or allow one answer only.",
                )
        if given == 1:
            entries["options"].warning("A single option makes it a yes/no question.")
    elif given == 1:
        entries["options"].mistake("There is only one option.", "Give at least two.")
    elif given > most:
        entries["options"].mistake(f"There are {given} options.", f"Give at most {most}.")
