"""The page in each of its languages, from consent to receipt; a new one needs no more test."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deniable.survey.words.page_words import PAGE_LANGUAGES
from survey.browser.looks import violations
from survey.browser.person import Person, Serve, Visit

pytestmark = pytest.mark.slow

TEXTS = Path(__file__).parents[3] / "web/src/texts/texts.ts"


def everywhere(word: str) -> dict[str, str]:
    """The survey's own words: the same in every language, for they are not what is tested."""
    return dict.fromkeys(PAGE_LANGUAGES, word)


ASKED: dict[str, Any] = {
    "title": everywhere("Pills"),
    "languages": list(PAGE_LANGUAGES),
    "consent": everywhere("Please."),
    "questions": {
        "pills": {
            "text": everywhere("Pills?"),
            "options": {"no": everywhere("0"), "yes": everywhere("1")},
        }
    },
    "groups": [{"attributes": ["pills"], "channel": "related", "theta": "5/6"}],
}


def test_python_and_the_page_know_the_same_languages() -> None:
    (listed,) = re.findall(r"SHIPPED = \{ (.*) \}", TEXTS.read_text(encoding="utf-8"))
    assert tuple(listed.split(", ")) == PAGE_LANGUAGES


def steps(person: Person) -> Iterator[None]:
    """Go through the whole survey; stop wherever there is something new to read."""
    person.open()
    yield
    person.read()
    yield
    person.next()
    yield
    person.choose("own")
    yield
    person.practise()
    yield
    person.understand().answer({"pills": "yes"})
    yield
    person.send()
    yield


HEADINGS: dict[str, list[str]] = {}
"""Of languages that were gone through already: English is what the others are held to."""


def headings(language: str, serve: Serve, visit: Visit) -> list[str]:
    """Go through every step in a language, and look at it as screen readers do."""
    if language not in HEADINGS:
        person, found = visit(serve("related", **ASKED), locale=language), []
        for _ in steps(person):
            assert person.page.get_attribute("html", "lang") == language
            assert violations(person.page) == []
            found.append(person.heading.inner_text())
        HEADINGS[language] = found
    return HEADINGS[language]


@pytest.mark.parametrize("language", PAGE_LANGUAGES)
def test_every_step_is_said_in_the_language(language: str, serve: Serve, visit: Visit) -> None:
    english, own = headings("en", serve, visit), headings(language, serve, visit)
    assert len(english) == len({*english}) == 7
    if language != "en":
        assert all(ours != theirs for ours, theirs in zip(own, english, strict=True))
