"""The page's words are read with ease in grade 7, in English and in German."""

import re
from collections.abc import Iterator
from itertools import groupby

import pytest

from deniable.survey.words.page_words import notes, sentences, shipped, texts
from survey.reading_level import WORD, grade

GRADE = 7
SINGLE = 12
"""Of one sentence alone: the formulas are about texts, and one long word makes a short one hard."""

FEWEST_WORDS = 5
"""Labels of fewer words are no sentences."""

MIXED = {"en": "an answer", "de": "eine Antwort"}


def prose(language: str) -> Iterator[tuple[str, str]]:
    """All that is said in whole sentences, and where; placeholders filled."""
    for key, sentence in sentences(shipped(language) or {}):
        for text in texts(sentence):
            filled = re.sub(r"\{(\w+)\}", lambda name: _filling(name[1], language), text)
            if re.search(r"[.!?:]”?$", filled) and len(WORD.findall(filled)) >= FEWEST_WORDS:
                yield key, filled


def _filling(name: str, language: str) -> str:
    return "8" if notes()["placeholders"][name]["is"] == "number" else MIXED[language]


@pytest.mark.parametrize("language", MIXED)
def test_the_page_is_read_in_grade_seven(language: str) -> None:
    found = list(prose(language))
    assert len(found) > 100
    assert grade((text for _, text in found), language) <= GRADE
    for section, parts in groupby(found, lambda one: one[0].partition(".")[0]):
        said = [text for _, text in parts]
        if sum(len(WORD.findall(text)) for text in said) >= 100:  # a text, not a line
            assert grade(said, language) <= GRADE, section


@pytest.mark.parametrize("language", MIXED)
def test_no_sentence_stands_out(language: str) -> None:
    hard = {
        text: round(grade([text], language), 1)
        for _, text in prose(language)
        if len(WORD.findall(text)) >= 12 and grade([text], language) > SINGLE
    }
    assert hard == {}


def test_the_formulas_tell_easy_from_hard() -> None:
    easy = ["You can stop at any time. Just close this page."]
    hard = ["The randomisation mechanism guarantees deniability irrespective of prior information."]
    assert grade(easy, "en") < GRADE
    assert grade(hard, "en") > 2 * GRADE
    leicht = ["Sie können gern jetzt schon gehen. Machen Sie einfach die Seite zu."]
    schwer = [
        "Das Randomisierungsverfahren gewährleistet Abstreitbarkeit ungeachtet Vorkenntnissen."
    ]
    assert grade(leicht, "de") < GRADE
    assert grade(schwer, "de") > 2 * GRADE


WORDS_AVOIDED = {
    "en": ("coin", "admission", "false", "lie", "infer", "bytes"),
    "de": ("Schleier", "verschleiert", "Geständnis", "falsch antworten", "Lüge", "wie gesagt"),
}


@pytest.mark.parametrize("language", MIXED)
def test_words_that_nobody_would_say_so_are_avoided(language: str) -> None:
    said = {
        key: text
        for key, sentence in sentences(shipped(language) or {})
        for text in texts(sentence)
        if not key.startswith(("own.tools.coin", "choose.tools.coin"))  # a real coin
    }
    for word in WORDS_AVOIDED[language]:
        assert [key for key, text in said.items() if re.search(rf"\b{word}\b", text)] == [], word
