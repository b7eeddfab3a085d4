"""Translation by machine: every letter becomes a Hebrew one, and what stands in braces stays."""

import re
from collections.abc import Mapping
from typing import Any

from deniable.survey.words.page_words import DECIDED_BY, Sentence, texts
from deniable.survey.words.translation_file import translation

LETTERS = "אבגדהוזחטיכלמנסעפצקרשת"
_WORDS_AND_BRACES = re.compile(r"(\{\w+\})|[^\W\d_]")


def hebrew(text: str) -> str:
    """Say it in letters that nobody takes for English."""
    return _WORDS_AND_BRACES.sub(
        lambda found: found[1] or LETTERS[ord(found[0].lower()) % len(LETTERS)], text
    )


def filled_in(empty: Mapping[str, Any], model: Mapping[str, Any]) -> dict[str, Any]:
    """Fill in a file of words, as `survey translate` wrote it, by the English ones."""
    return {
        key: _said(part, model[key])
        if isinstance(part, str) or isinstance(model[key], str) or "other" in model[key]
        else filled_in(part, model[key])
        for key, part in empty.items()
    }


def _said(part: Sentence, model: Sentence) -> Sentence:
    *_, last = texts(model)
    if isinstance(part, str):
        return hebrew(last)
    return {form: each if form == DECIDED_BY else hebrew(last) for form, each in part.items()}


def empty_file(language: str) -> str:
    """The text of a file to fill in."""
    return translation(language, {}).text
