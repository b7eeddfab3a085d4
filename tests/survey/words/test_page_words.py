"""The words that come along: each language says all that English says, and nothing else."""

import json
import re
import string
import subprocess
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from deniable.base.entries import Entry
from deniable.base.findings import Findings
from deniable.survey.words import page_words
from deniable.survey.words.own_words import read_words_of
from deniable.survey.words.page_words import (
    ENGLISH,
    FORMS,
    PAGE_LANGUAGES,
    english,
    is_sentence,
    needs_reader,
    notes,
    placeholders,
    sentences,
    shipped,
)
from deniable.survey.words.plural_forms import plural_forms
from survey.node import node

FOLDER = Path(page_words.__file__).parent
LIES = re.compile(
    r"\blie[sd]?\b|\blying|\bfalse|lüg|mensong|mentir|mentira|\bfals[oa]|\byalan|كذب|كاذب",
    re.IGNORECASE,
)


def whole(language: str) -> dict[str, Any]:
    found = shipped(language)
    assert found is not None
    return dict(found)


@pytest.mark.parametrize("language", PAGE_LANGUAGES)
def test_every_language_has_the_keys_placeholders_and_plural_forms_of_english(
    language: str,
) -> None:
    findings = Findings()
    read_words_of(Entry(whole(language), findings), language, whole(ENGLISH))
    assert [str(finding) for finding in findings] == []


@pytest.mark.parametrize("language", PAGE_LANGUAGES)
def test_nothing_is_said_twice_or_in_english(language: str) -> None:
    """A sentence of several words that is the same as in English was forgotten."""
    if language == ENGLISH:
        return
    own = dict(sentences(whole(language)))
    same = [place for place, said in sentences(whole(ENGLISH)) if said == own[place]]
    words = [re.findall(r"[^\W\d_]+", re.sub(r"\{\w+\}", "", str(own[place]))) for place in same]
    assert [found for found in words if len(found) > 1] == []


@pytest.mark.parametrize("language", PAGE_LANGUAGES)
def test_no_language_speaks_of_lies(language: str) -> None:
    text = (FOLDER / f"{language}.json").read_text(encoding="utf-8")
    assert LIES.findall(text) == []


def test_those_that_nobody_has_read_say_so() -> None:
    assert [code for code in PAGE_LANGUAGES if not needs_reader(code)] == ["en", "de"]
    assert shipped("fr-CA") == shipped("fr")
    assert shipped("pl") is None


def sections(words: dict[str, Any], place: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    for key, part in words.items():
        if isinstance(part, dict):
            yield f"{place}{key}", part
            yield from sections(part, f"{place}{key}.")


def test_sections_cannot_be_taken_for_plural_forms() -> None:
    for place, part in sections(whole(ENGLISH)):
        assert not is_sentence(part) or "other" in part, place


def test_translators_are_told_about_every_placeholder_and_every_section() -> None:
    told = notes()
    given = {name for _, said in sentences(whole(ENGLISH)) for name in placeholders(said)}
    assert set(told["placeholders"]) == given
    places = {place for place, _ in sentences(whole(ENGLISH))}
    places |= {place for place, _ in sections(whole(ENGLISH))}
    assert set(told["parts"]) <= places
    assert {key for key, part in english().items() if not is_sentence(part)} <= set(told["parts"])


RULES = """
const asked = JSON.parse(process.argv[1]);
const found = {};
for (const language of asked) {
  if (Intl.PluralRules.supportedLocalesOf(language).length === 0) continue;
  const rules = new Intl.PluralRules(language);
  found[language] = [...new Set(Array.from({ length: 1001 }, (_, n) => rules.select(n)))];
}
console.log(JSON.stringify(found));
"""


def test_plural_forms_are_those_that_a_browser_chooses() -> None:
    """All codes of two letters, and some of three: whatever Node knows of them."""
    codes = ["".join(pair) for pair in product(string.ascii_lowercase, repeat=2)]
    codes += ["dsb", "hsb", "kab", "lag", "naq", "nqo", "prg", "shi", "smj", "tzm", "fil", "pt-BR"]
    done = subprocess.run(
        [node(), "--eval", RULES, json.dumps(codes)], capture_output=True, text=True, check=True
    )
    found = json.loads(done.stdout)
    assert len(found) > 150
    for code, forms in found.items():
        assert set(plural_forms(code)) == set(forms), code
        assert list(plural_forms(code)) == [form for form in FORMS if form in forms]
    assert plural_forms("xx") == ("one", "other")
