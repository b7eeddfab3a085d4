"""How hard a text is to read, by school years: few-line formulas, with syllables counted roughly.

English: the grade of Flesch and Kincaid (1975), ``0.39·W/S + 11.8·Sy/W − 15.59``. German: the
first Wiener Sachtextformel (Bamberger and Vanecek, 1984), ``0.1935·MS + 0.1672·SL + 0.1297·IW −
0.0327·ES − 0.875``, from the percentages of words of three syllables and more, of more than six
letters, and of one syllable, and the words in a sentence. Both are made for whole texts; a single
short sentence may be far off. Syllables are groups of vowels, less an English silent e: some words
are off by one.
"""

import re
from collections.abc import Iterable, Sequence

WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d+")

_SILENT = re.compile(r"(?<=[^aeiouyl])e$|(?<=[^aeiouytd])ed$|(?<=[^aeiouysxzcg])es$")
_VOWELS = {
    "en": re.compile("[aeiouy]+"),
    "de": re.compile("eu|äu|au|ei|ai|ie|[aeiouyäöü]"),
}

LONG_SYLLABLES, LONG_LETTERS = 3, 6


def sentences(text: str) -> list[str]:
    """Take a text apart after full stops, question and exclamation marks."""
    return [part for part in re.split(r"(?<=[.!?])[”“\"]?\s+", text) if WORD.search(part)]


def syllables(word: str, language: str) -> int:
    """Count groups of vowels.

    >>> [syllables(word, "en") for word in ("people", "device", "decided", "guessed", "answers")]
    [2, 2, 3, 1, 2]
    >>> [syllables(word, "de") for word in ("Zufall", "Antworten", "geschützt", "Gerät", "die")]
    [2, 3, 2, 2, 1]
    """
    plain = word.lower()
    if language == "en":
        plain = _SILENT.sub("", plain)
    return max(len(_VOWELS[language].findall(plain)), 1)


def grade(texts: Iterable[str], language: str) -> float:
    """The school year in which texts are read with ease."""
    parts = [part for text in texts for part in sentences(text)]
    words = [word for part in parts for word in WORD.findall(part)]
    counts = [syllables(word, language) for word in words]
    if language == "en":
        return 0.39 * len(words) / len(parts) + 11.8 * sum(counts) / len(words) - 15.59
    return (
        0.1935 * _share([count >= LONG_SYLLABLES for count in counts])
        + 0.1672 * len(words) / len(parts)
        + 0.1297 * _share([len(word) > LONG_LETTERS for word in words])
        - 0.0327 * _share([count == 1 for count in counts])
        - 0.875
    )


def _share(them: Sequence[bool]) -> float:
    return 100 * sum(them) / len(them)
