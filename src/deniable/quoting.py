"""Words of an expression: how names and values are quoted, and what badly quoted text was to say.

A word stands as it is, or between two ' or two ". It must be quoted where it holds an ``&`` (or is
a name that holds an ``=``), begins with a quote, or begins or ends in a space, and in a rule where
it holds the rule's ``=>``; inside quotes a backslash takes the next character as it is. A name that
begins with a dash is quoted for commands.
"""

import re
import unicodedata
from collections.abc import Iterator

from deniable.schema import Schema

EVERYONE = "*"

RULE_SIGN = "=>"
"""What stands between a rule's premise and its conclusion."""

QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
TERM_NAME = re.compile(rf"\s*({QUOTED}|[^\s=&'\"][^=&]*|)\s*", re.DOTALL)
TERM_VALUE = re.compile(rf"\s*({QUOTED}|[^\s&'\"][^&]*|)\s*", re.DOTALL)

LONGEST_GUESSED = 500
"""Characters of a text that is guessed at; people write no longer ones by hand."""

_SEPARATED = re.compile(r"\s*(?:&&?|[,;|]|\b(?:and|und|et)\b)\s*", re.IGNORECASE)
_EQUALS = re.compile(r"\s*={1,2}\s*")
_NOTHING_ELSE = re.compile(r"\s*$")


def quoted(word: str, *, name: bool = False) -> str:
    """Quote a word only where parsing it back, or a command that is given it, would need it.

    >>> print(quoted("north & west"), quoted("a=b"), quoted("a=b", name=True), quoted("it's, | é"))
    "north & west" a=b "a=b" it's, | é
    """
    plain = word == word.strip() and word and word[0] not in "'\"" and word != EVERYONE
    plain = plain and RULE_SIGN not in word
    option = name and word.startswith("-")  # a command would take the expression for an option
    if plain and not option and not set(word) & set("&=" if name else "&"):
        return word
    return '"' + re.sub(r'(["\\])', r"\\\1", word) + '"'


def unquoted(word: str) -> str:
    """Give what a bare or quoted word means."""
    if word[:1] in {"'", '"'}:
        return re.sub(r"\\(.)", r"\1", word[1:-1], flags=re.DOTALL)
    return word.rstrip()


def meant_terms(text: str, schema: Schema) -> tuple[tuple[str, str], ...]:
    """Guess the terms of text whose quoting is wrong, or nothing.

    Names and values of the schema are looked for to the letter, with or without quotes; between
    terms also stands what people write for ``&``, and between a name and a value ``==``.

    >>> schema = Schema.of({"tea & milk": ["no", "a, b"], "x": ["no", "yes"]})
    >>> meant_terms("tea & milk=a, b and x==yes", schema)
    (('tea & milk', 'a, b'), ('x', 'yes'))
    >>> meant_terms("tea=no", schema)
    ()
    """
    if len(text) > LONGEST_GUESSED:
        return ()
    return _Guess(unicodedata.normalize("NFC", text), schema).terms(0) or ()


class _Guess:
    """Reads a text from any place on, once."""

    def __init__(self, text: str, schema: Schema) -> None:
        self._text, self._schema = text, schema
        self._seen: dict[int, tuple[tuple[str, str], ...] | None] = {}

    def terms(self, start: int) -> tuple[tuple[str, str], ...] | None:
        """Terms up to the end of the text; None where it cannot be read."""
        if start not in self._seen:
            self._seen[start] = None  # nothing can be read twice from one place
            self._seen[start] = next(self._readings(start), None)
        return self._seen[start]

    def _readings(self, start: int) -> Iterator[tuple[tuple[str, str], ...]]:
        for name, after in self._words(self._schema.names, start):
            equals = _EQUALS.match(self._text, after)
            if equals is None:
                continue
            for value, end in self._words(self._schema[name].values, equals.end()):
                if _NOTHING_ELSE.match(self._text, end):
                    yield ((name, value),)
                separated = _SEPARATED.match(self._text, end)
                others = self.terms(separated.end()) if separated else None
                if others is not None:
                    yield ((name, value), *others)

    def _words(self, words: tuple[str, ...], start: int) -> Iterator[tuple[str, int]]:
        """Words that stand at a place, and where each ends; long ones first."""
        for word in sorted(words, key=len, reverse=True):
            plain = unicodedata.normalize("NFC", word)
            escaped = re.sub(r'(["\\])', r"\\\1", plain)
            for spelled in dict.fromkeys((plain, plain.strip(), escaped)):
                found = re.compile(rf"\s*['\"]?{re.escape(spelled)}['\"]?").match(self._text, start)
                if found and (spelled or found.group().strip()):
                    yield word, found.end()
