"""A file of words to fill in: every sentence of the page, with the English one above it.

What is there already is kept: in an earlier file, in the survey itself, or among the words that
come along. So the file can be written again whenever the page has learned to say more.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

from deniable.base.wording import joined
from deniable.survey.words.page_words import (
    DECIDED_BY,
    USUAL_NUMBER,
    Sentence,
    Words,
    english,
    is_sentence,
    notes,
    placeholders,
    sentences,
    shipped,
    texts,
)
from deniable.survey.words.plural_forms import plural_forms

WIDTH = 96


@dataclass(frozen=True)
class Translation:
    """The text of the file, and what is in it."""

    text: str
    sentences: int
    empty: int
    unused: tuple[str, ...]
    """What an earlier file says and the page no longer does."""


def translation(language: str, kept: Words) -> Translation:
    """Write the file; what is kept goes before what comes along."""
    whole = english()
    given = {
        **dict(sentences(shipped(language) or {})),
        **{place: one for place, one in sentences(kept) if any(map(str.strip, texts(one)))},
    }
    places = {place for place, _ in sentences(whole)}
    unused = tuple(place for place, _ in sentences(kept) if place not in places)
    lines = [*_head(language), *_section(whole, given, language, "", "")]
    if unused:
        lines += ["", "# The page no longer says these:"]
        lines += [f"#   {place}: {_quoted(given[place])}" for place in unused if place in given]
    empty = sum(place not in given for place in places)
    return Translation("\n".join(lines) + "\n", len(places), empty, unused)


def _head(language: str) -> Iterator[str]:
    forms = plural_forms(language)
    for paragraph in (
        f"What the respondent's page says by itself, in {language}. Fill in what is empty, between "
        "the quotation marks; above each text stands the English one. Promise what it promises, no "
        "more and no less, in plain words: say disguised, never false.",
        "What stands in braces, such as {count}, is put there by the page: keep it as it is.",
        "Where numbers decide on the words, a sentence may have a text for each plural form of "
        f"the language ({joined(forms)}), as some here have. If the number that decides is not "
        f"{{{USUAL_NUMBER}}}, name it by `{DECIDED_BY}`.",
        f"Then write words: {{{language}: NAME OF THIS FILE}} in the survey's file, and run "
        "`deniable survey check`: it names what is missing.",
    ):
        yield from (f"# {line}" for line in wrap(paragraph, WIDTH))
        yield "#"


def _section(
    model: Words, given: Mapping[str, Sentence], language: str, place: str, indent: str
) -> Iterator[str]:
    told = notes()["parts"]
    for key, part in model.items():
        name = f"{place}.{key}" if place else key
        if not place or not is_sentence(part):
            yield ""
        if note := told.get(name):
            yield from _comment(f"({note})", indent)
        if is_sentence(part):
            yield from _sentence(key, part, given.get(name), language, indent)
        else:
            yield f"{indent}{key}:"
            yield from _section(part, given, language, name, f"{indent}  ")


def _sentence(
    key: str, model: Sentence, given: Sentence | None, language: str, indent: str
) -> Iterator[str]:
    for text in dict.fromkeys(texts(model)):
        yield from _comment(text, indent)
    for name in placeholders(model):
        yield from _comment(f"{{{name}}}: {notes()['placeholders'][name]['means']}", indent)
    if given is None:
        given = "" if isinstance(model, str) else _empty(model, language)
    yield from _value(key, given, indent)


def _empty(model: Mapping[str, Any], language: str) -> dict[str, Any]:
    """Leave room for each plural form of the language."""
    by = {DECIDED_BY: model[DECIDED_BY]} if DECIDED_BY in model else {}
    return {**by, **dict.fromkeys(plural_forms(language), "")}


def _value(key: str, value: Sentence, indent: str) -> Iterator[str]:
    if not isinstance(value, Mapping):
        yield f"{indent}{key}: {_quoted(value)}"
        return
    yield f"{indent}{key}:"
    for form, part in value.items():
        yield from _value(form, part, f"{indent}  ")


def _comment(text: str, indent: str) -> Iterator[str]:
    return (f"{indent}# {line}" for line in wrap(text, WIDTH - len(indent)))


def _quoted(value: Sentence) -> str:
    """Write text as JSON does, which YAML reads, too."""
    return json.dumps(value, ensure_ascii=False)
