"""Which of the page's own sentences a page shows, and what was put into them.

Whatever stands there and is neither a sentence of the page, nor words of the survey, nor a code, is
an *unknown* sentence: nobody has said what would make it true.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from deniable.survey.words.page_words import ENGLISH, sentences, shipped, texts

CODES = re.compile(
    r"([0-9A-Z]{4}-){3}[0-9A-Z]{4}"  # a receipt
    r"|\{.*\}|[\d–, ]+|[AB]"  # the message, outcomes of a throw, names of two questions
    r"|(Heads|Tails)(, (Heads|Tails))+"
)

Given = Mapping[str, str]


@dataclass(frozen=True)
class Said:
    """A sentence of the page, by its place in the file of words."""

    key: str
    given: Given

    def number(self, name: str) -> int:
        """A number that was put in."""
        return int(self.given[name].replace(",", ""))


class Reader:
    """Knows the page's English sentences, and the words of one survey."""

    def __init__(self, own: Iterable[str]) -> None:
        self._own = {" ".join(text.split()) for text in own if text.strip()}

    @cached_property
    def _sentences(self) -> list[tuple[str, re.Pattern[str]]]:
        every = sentences(shipped(ENGLISH) or {})
        found = [
            (key, _pattern(text))
            for key, sentence in every
            for text in texts(sentence)
            if re.search(r"[^\W\d_]", re.sub(r"\{\w+\}", "", text))  # else it would be anything
        ]
        # The longest first: a short one may be the beginning of it.
        return sorted(found, key=lambda one: -len(one[1].pattern))

    def read(self, lines: Iterable[str]) -> tuple[list[Said], list[str]]:
        """Take lines apart into sentences of the page; and what is none of them."""
        said: list[Said] = []
        unknown = []
        for line in (" ".join(line.split()) for line in lines):
            found = self._taken_apart(line)
            if found is None:
                unknown.append(line)
            else:
                said += found
        return said, unknown

    def _taken_apart(self, line: str) -> list[Said] | None:
        if not line or CODES.fullmatch(line) or self._is_own(line):
            return []
        for key, pattern in self._sentences:
            if (whole := pattern.fullmatch(line)) is not None:
                return [Said(key, whole.groupdict())]
        for key, pattern in self._sentences:
            start = pattern.match(line)
            if start is not None and line[start.end() : start.end() + 1] == " ":
                rest = self._taken_apart(line[start.end() + 1 :])
                if rest is not None:
                    return [Said(key, start.groupdict()), *rest]
        return None

    def _is_own(self, line: str) -> bool:
        """Whether it is the survey's, maybe several answers joined."""
        return line in self._own or self._own.issuperset(re.split(", | and ", line))


def _pattern(text: str) -> re.Pattern[str]:
    """What a sentence looks like when it is filled; a name that stands twice is the same."""
    parts = re.split(r"\{(\w+)\}", " ".join(text.split()))
    written, known = re.escape(parts[0]), set[str]()
    for name, after in zip(parts[1::2], parts[2::2], strict=True):
        written += f"(?P={name})" if name in known else f"(?P<{name}>.+?)"
        known.add(name)
        written += re.escape(after)
    return re.compile(written)
