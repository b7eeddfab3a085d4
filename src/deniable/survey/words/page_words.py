"""The words of the respondent's page, as they stand in a file per language.

They are a tree: sections, and in them sentences. A sentence is text with {placeholders} or, where
the language counts, a text for each plural form, by the number that decides. The page is built with
the files of this folder; a survey may bring others (`deniable.survey.words.own_words`).
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any
from unicodedata import bidirectional, category

Words = Mapping[str, Any]
"""Sections and sentences by their keys."""

Sentence = str | Mapping[str, Any]

ENGLISH = "en"

DECIDED_BY = "by"
"""Names the number that decides on the plural form; without it, it is the one called `count`."""

USUAL_NUMBER = "count"

FORMS = ("zero", "one", "two", "few", "many", "other")

EARLY = ("early",)
"""Sections that are said before the survey is there: in the page's own languages only."""

READER = "needs"
"""Says in a file what it still needs; no sentence of the page."""

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_FILES = files(__package__)
_NOTES = "notes"

_NAMES = {each.name.removesuffix(".json") for each in _FILES.iterdir() if "json" in each.name}
PAGE_LANGUAGES = (ENGLISH, *sorted(_NAMES - {ENGLISH, _NOTES}))
"""Languages that the page is built with; the first is that of early notices to all others."""


@cache
def shipped(language: str) -> Words | None:
    """Words that come along, also for varieties, as fr-CA; None where there are none."""
    code = language.split("-", maxsplit=1)[0]
    if code not in PAGE_LANGUAGES:
        return None
    return {key: part for key, part in _file(code).items() if key != READER}


def needs_reader(language: str) -> bool:
    """Whether nobody whose language it is has read them yet."""
    code = language.split("-", maxsplit=1)[0]
    return code in PAGE_LANGUAGES and READER in _file(code)


def english() -> Words:
    """Give the words that all others are held to."""
    return {key: part for key, part in _file(ENGLISH).items() if key not in EARLY}


def notes() -> Mapping[str, Any]:
    """Give what translators are told about placeholders, and about parts of the page."""
    return _file(_NOTES)


@cache
def _file(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(_FILES.joinpath(f"{name}.json").read_text("utf-8"))
    return found


def is_sentence(part: object) -> bool:
    """Tell a sentence, maybe with plural forms, from a section.

    >>> is_sentence("Yes"), is_sentence({"other": "…"}), is_sentence({"title": "…"})
    (True, True, False)
    """
    return isinstance(part, str) or (
        isinstance(part, Mapping) and set(part) <= {DECIDED_BY, *FORMS}
    )


def sentences(words: Words, place: str = "") -> Iterator[tuple[str, Sentence]]:
    """Go through all sentences, by their keys: `consent.title`."""
    for key, part in words.items():
        name = f"{place}.{key}" if place else key
        if is_sentence(part):
            yield name, part
        elif isinstance(part, Mapping):
            yield from sentences(part, name)


def texts(sentence: Sentence) -> Iterator[str]:
    """Go through what a sentence may say: one text, or one of each plural form."""
    if isinstance(sentence, str):
        yield sentence
        return
    for form, part in sentence.items():
        if form != DECIDED_BY and is_sentence(part):
            yield from texts(part)


def placeholders(sentence: Sentence) -> tuple[str, ...]:
    """Name what a sentence is given, in the order in which it is said.

    >>> placeholders({"one": "One of {of}", "other": "{count} of {of}"})
    ('of', 'count')
    """
    found = (name for text in texts(sentence) for name in _PLACEHOLDER.findall(text))
    return tuple(dict.fromkeys(found))


def odd_braces(text: str) -> bool:
    """Whether a brace belongs to no placeholder.

    >>> odd_braces("{count} people"), odd_braces("{count people")
    (False, True)
    """
    return bool(re.search(r"[{}]", _PLACEHOLDER.sub("", text)))


def is_number(placeholder: str) -> bool:
    """Whether a number stands there, which may decide on a plural form."""
    return bool(notes()["placeholders"][placeholder]["is"] == "number")


REORDERING = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF"})
"""Signs that show letters in another order than a file has them: what a board read in the file is
not what people read. Arabic and Hebrew need none; where order is in doubt, isolates do."""

SPOT = "\N{OBJECT REPLACEMENT CHARACTER}"
"""Where the page puts a link or a button into a sentence; a second one would cut the rest off."""


def unfit_for_pages(sign: str) -> bool:
    """Whether a page cannot show it, or would show it as something else."""
    hidden = category(sign) in {"Cc", "Cs"} and sign not in "\n\t"
    return hidden or sign == SPOT or bidirectional(sign) in REORDERING
