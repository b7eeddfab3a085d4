"""Skipping: "I would rather not say" as a value like any other, and so disguised like any other.

Whoever skips is not left out, which would show it, but gives one more answer. A disguise protects
it if others send it, too; a group whose device cannot see to that is refused.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from deniable.base.entries import Entries, Entry
from deniable.design import Group
from deniable.survey.protocol import SKIPPED
from deniable.survey.questionnaire.survey import AnswerOption, Question, Text
from deniable.survey.words.page_words import Words, english, shipped

SKIP = "may_skip"

USE_WITH_SKIP = (
    "With skipped as one more value, use related, keep-or-uniform, or a device that gives it a "
    "chance; or write may_skip: no."
)


@dataclass(frozen=True)
class Skipping:
    """Whether every question may be skipped, and the words for it."""

    everywhere: bool
    words: Text


def read_skipping(entries: Entries, languages: Sequence[str], own: Mapping[str, Words]) -> Skipping:
    """Read the entry of the whole survey; the words are the page's own."""
    words = {code: _said(own.get(code), shipped(code)) for code in languages}
    return Skipping(entries.read(SKIP, Entry.switch, otherwise=False), words)


def _said(*files: Words | None) -> str:
    for words in (*files, english()):
        found = (words or {}).get("questions", {}).get("skip")
        if isinstance(found, str):
            return found
    raise AssertionError  # the English words have it


def skippable(entries: Entries, skipping: Skipping) -> bool:
    """Read whether a question may be skipped; what makes no sense is noted."""
    everywhere = skipping.everywhere and "known" not in entries
    may: bool = entries.read(SKIP, Entry.switch, otherwise=everywhere)
    if may and "known" in entries:
        entries[SKIP].mistake(
            "The true answers to a control item are known, so nobody needs to skip it.",
            "Leave this out.",
        )
    elif may and "personal" in entries:
        place = entries[SKIP] if SKIP in entries else entries["personal"]
        place.mistake(
            "Whoever skips would be known: nobody can say how often the personal question is "
            "skipped.",
            "Write may_skip: no here, or remove personal and give skipped a share of its own.",
        )
    return may


def with_skip(
    entries: Entries, options: tuple[AnswerOption, ...], skipping: Skipping, *, several: bool
) -> tuple[AnswerOption, ...]:
    """Add the answer of whoever would rather not say; boxes get it as a value each."""
    if any(option.value == SKIPPED for option in options) and not several:
        entries["options"].mistake(
            f"The value {SKIPPED!r} is that of people who would rather not say.",
            "Write may_skip: no, or choose another value.",
        )
        return options
    return options if several else (*options, AnswerOption(SKIPPED, skipping.words))


def why_skip_shows(group: Group, questions: Sequence[Question]) -> tuple[str, str] | None:
    """Say why a report would show who skipped, with a hint; None if it does not.

    Boxes that are skipped are skipped together. One coin that turns each of them into another value
    makes some skipped and some not, which shows how the coin fell, and so what is not true of any.
    """
    for question in questions:
        if question.skip and question.several and group.channel.shares_coin:
            return (
                f"Whoever skips {question.name!r} skips all of its boxes at once, and with one "
                "coin that turns them all a report would show it.",
                "Write channel: keep-or-uniform, or may_skip: no.",
            )
    return None
