"""Reading what organisations write to each other: words in mappings and lists, and their places.

A collaboration file comes from outside, and people sign what is shown of it. So it must have an
end, and nothing in it may be shown otherwise than it is: no control characters, no writing that
turns direction.
"""

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar
from unicodedata import bidirectional, category

from deniable.base.errors import CollabError, DeniableError, nearest, shortened
from deniable.design import Group, read_group, read_yaml
from deniable.schema import Attribute, Schema

MOST_WORDS = 200_000
MOST_LEVELS = 20
"""No such file has more; one that refers to itself has no end of them."""

MOST_DIGITS = 9
HIGHEST_PORT = 65535

NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?")
"""What a certificate or a file can be called."""

TURNING = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})

IN_ORDER = frozenset({"parties", "columns"})
"""Mappings whose order has a meaning: it is that of the joint table's columns."""

Read = TypeVar("Read")
Otherwise = TypeVar("Otherwise")


class Entries(dict[str, "Entry"]):
    """What stands under the keys of a mapping."""

    def read(
        self, key: str, reader: "Callable[[Entry], Read]", otherwise: Otherwise
    ) -> Read | Otherwise:
        """Read an entry, if it is there."""
        return reader(self[key]) if key in self else otherwise


@dataclass(frozen=True)
class Entry:
    """A piece of a file: what was written, and where."""

    value: Any
    place: str = ""

    def mistake(self, message: str, hint: str = "") -> CollabError:
        """Say what is wrong here, to be raised."""
        return CollabError(f"{self.place}: {message}" if self.place else message, hint=hint)

    @contextmanager
    def judged(self) -> Iterator[None]:
        """Let others read it; what they refuse gets its place."""
        try:
            yield
        except DeniableError as error:
            raise self.mistake(error.message, error.hint) from None

    def entries(
        self, hint: str, known: Collection[str] = (), required: Collection[str] = ()
    ) -> Entries:
        """Read a mapping; with known keys, refuse others."""
        if not isinstance(self.value, Mapping):
            raise self.mistake("This must be a mapping.", hint)
        if not self.value:
            raise self.mistake("There is nothing in it.", hint)
        for key in self.value:
            if known and key not in known:
                raise self.mistake(f"There is no entry {key!r} here.", nearest(key, known))
        for key in required:
            if key not in self.value:
                raise self.mistake(f"{key!r} is missing.", hint)
        return Entries({key: self._inner(key, value) for key, value in self.value.items()})

    def items(self, hint: str) -> "list[Entry]":
        """Read a list."""
        if not isinstance(self.value, list):
            raise self.mistake("This must be a list.", hint)
        return [self._inner(str(n), value) for n, value in enumerate(self.value, start=1)]

    def text(self, hint: str = "Write a word.") -> str:
        """Read words."""
        if not isinstance(self.value, str):
            raise self.mistake("This must be text.", hint)
        if not self.value.strip():
            raise self.mistake("There is no text here.", hint)
        return self.value.strip()

    def name(self) -> str:
        """Read a short name, which may also name a file."""
        name = self.text()
        if not NAME.fullmatch(name):
            raise self.mistake(
                f"{shortened(name)} is no short name.",
                "Use up to 63 letters of the English alphabet, digits, - and _.",
            )
        return name

    def choice(self, known: Collection[str]) -> str:
        """Read one of some words."""
        word = self.text(f"Write one of: {', '.join(known)}.")
        if word not in known:
            raise self.mistake(f"There is no {shortened(word)} here.", nearest(word, known))
        return word

    def chosen(self, known: Collection[str], what: str) -> tuple[str, ...]:
        """Read a list of names that are known, each once."""
        names: list[str] = []
        for item in self.items(f"Write a list of {what}s: [name, name]."):
            name = item.text()
            if name not in known:
                raise item.mistake(f"There is no {what} {name!r}.", nearest(name, known))
            if name in names:
                raise item.mistake(f"{name!r} stands twice.", "Name it once.")
            names.append(name)
        return tuple(names)

    def whole(self, least: int, most: int | None = None) -> int:
        """Read a whole number."""
        word = self.text("Write a whole number.")
        if not (word.isascii() and word.isdigit()) or len(word) > MOST_DIGITS:
            raise self.mistake(f"{shortened(word)} is not a whole number.", "Write digits, as 6.")
        if int(word) < least or (most is not None and int(word) > most):
            limit = f"at least {least}" if most is None else f"{least} to {most}"
            raise self.mistake(f"{word} is out of range.", f"Give {limit}.")
        return int(word)

    def endpoint(self) -> tuple[str, int]:
        """Read where a party listens: a host and a port."""
        hint = "Write host:port, as 127.0.0.1:7440 or [::1]:7440."
        host, colon, port = self.text(hint).rpartition(":")
        inner = host[1:-1] if host.startswith("[") and host.endswith("]") else host
        if not (colon and inner and port.isascii() and port.isdigit()) or (
            ":" in inner and inner == host
        ):
            raise self.mistake(f"{shortened(self.value)} is no address.", hint)
        self._inner("port", port).whole(1, HIGHEST_PORT)
        return inner, int(port)

    def columns(self) -> Schema:
        """Read columns with their values."""
        hint = "Write columns: {smokes: [no, yes]}."
        attributes = []
        for name, entry in self.entries(hint).items():
            values = entry.items(f"Write {name}: [value, value].")
            for item in values:
                if not isinstance(item.value, str):
                    raise item.mistake("A value must be text.", "Write it as a word, or in quotes.")
            with entry.judged():
                attributes.append(Attribute(name, tuple(item.value for item in values)))
        return Schema(tuple(attributes))

    def groups(self, schema: Schema) -> tuple[Group, ...]:
        """Read groups of columns that are disguised together, as in a design."""
        groups = []
        for entry in self.items("Begin each group with '- ', or leave it out."):
            with entry.judged():
                groups.append(read_group(entry.value, schema))
            if groups[-1].needs_second_sample:
                raise entry.mistake(
                    "A personal distribution that is unknown needs two samples, and a "
                    "collaboration takes one.",
                    "Write the distribution: personal: {column: {value: 1/2, …}}.",
                )
        return tuple(groups)

    def _inner(self, name: str, value: Any) -> "Entry":
        return Entry(value, f"{self.place}.{name}" if self.place else name)


def read_document(path: str | Path) -> Any:
    """Read a file as words, without judging what they mean."""
    with in_file(path):
        return words(read_yaml(path))


@contextmanager
def in_file(path: str | Path) -> Iterator[None]:
    """Name the file in what is refused of it."""
    try:
        yield
    except DeniableError as error:
        named = error.message.startswith(str(path))
        message = error.message if named else f"{path}: {error.message}"
        raise CollabError(message, hint=error.hint) from None


def words(document: object) -> Any:
    """Take a document as text, lists and mappings, all of it fit to be shown."""
    left = MOST_WORDS

    def taken(value: object, level: int) -> Any:
        nonlocal left
        left -= 1
        if left < 0 or level > MOST_LEVELS:
            raise CollabError(
                "The file has no end: it is nested too deeply, or refers to itself.",
                hint="Write it without anchors (& and *).",
            )
        if isinstance(value, Mapping):
            return {_word(key, ""): taken(inner, level + 1) for key, inner in value.items()}
        if isinstance(value, (list, tuple)):
            return [taken(inner, level + 1) for inner in value]
        return _word(value)

    return taken(document, 0)


@cache
def _hidden(sign: str) -> bool:
    return category(sign) in {"Cc", "Cs", "Zl", "Zp"} or bidirectional(sign) in TURNING


def _word(value: object, allowed: str = "\n\t") -> str:
    if value is None or isinstance(value, bool):
        raise CollabError(
            f"The value {value} is not text (YAML reads an unquoted no or yes so).",
            hint='Put it in quotes: "no", "yes".',
        )
    text = str(value)
    odd = next((sign for sign in text if _hidden(sign) and sign not in allowed), None)
    if odd is not None:
        raise CollabError(
            f"The text holds the character {odd!r}, which cannot be shown.", hint="Remove it."
        )
    return text


def digest(document: Any) -> str:
    """Hash what a file says, not how it is laid out.

    Comments do not matter, nor does the order of keys, except where columns get theirs from it.

    >>> digest({"a": "1", "b": "2"}) == digest({"b": "2", "a": "1"})
    True
    >>> digest({"columns": {"a": [], "b": []}}) == digest({"columns": {"b": [], "a": []}})
    False
    """
    canonical = json.dumps(_ordered(document), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def _ordered(value: Any) -> Any:
    if isinstance(value, list):
        return [_ordered(inner) for inner in value]
    if not isinstance(value, Mapping):
        return value
    return {
        key: [[name, _ordered(each)] for name, each in inner.items()]
        if key in IN_ORDER and isinstance(inner, Mapping)
        else _ordered(inner)
        for key, inner in value.items()
    }
