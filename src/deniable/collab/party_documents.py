"""Reading what organisations write to each other: words in mappings and lists, and their places.

A collaboration file comes from outside, and people sign what is shown of it. So nothing in it may
be shown otherwise than it is: no control characters, no writing that turns direction.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from unicodedata import bidirectional, category

from deniable.base.documents import MOST_LEVELS, MOST_NODES, NO_END, WITHOUT_ANCHORS
from deniable.base.entries import Entry
from deniable.base.errors import CollabError, placed, shortened
from deniable.base.findings import Findings
from deniable.base.fingerprint import digest_of_json
from deniable.design import Group, read_group
from deniable.schema import Schema

HIGHEST_PORT = 65535

DIGEST_DIGITS = 16
"""Of a digest, where a person reads it."""

SAFE_DIGITS = 40
"""Of a digest, where a file is named by it: whoever writes two agreements could make 16 agree."""

NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?")
"""What a certificate or a file can be called."""

DRAWN = "drawn"
"""In place of a leader's name: the parties toss a coin."""

TURNING = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})

IN_ORDER = frozenset({"parties", "columns"})
"""Mappings whose order has a meaning: it is that of the joint table's columns."""


def entry_of(document: object) -> Entry:
    """Take a document to be read; its first mistake is an error."""
    return Entry(words(document), Findings(CollabError))


def read_name(entry: Entry) -> str:
    """Read a short name, which may also name a file."""
    name = entry.text()
    if not NAME.fullmatch(name):
        raise entry.mistake(
            f"{shortened(name)} is no short name.",
            "Use up to 63 letters of the English alphabet, digits, - and _.",
        )
    return name


def read_party_name(entry: Entry) -> str:
    """Read what a party is called."""
    if read_name(entry) == DRAWN:
        raise entry.mistake(f"No party can be called {DRAWN!r}.", "Choose another name.")
    return entry.text()


def read_endpoint(entry: Entry) -> tuple[str, int]:
    """Read where a party listens: a host and a port."""
    hint = "Write host:port, as 127.0.0.1:7440 or [::1]:7440."
    host, colon, port = entry.text(hint).rpartition(":")
    inner = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    if not (colon and inner and port.isascii() and port.isdigit()) or (
        ":" in inner and inner == host
    ):
        raise entry.mistake(f"{shortened(entry.value)} is no address.", hint)
    return inner, entry.inner("port", port).whole(1, HIGHEST_PORT)


def read_disguise(entry: Entry, schema: Schema) -> tuple[Group, ...]:
    """Read groups of columns that are disguised together, as in a design."""
    groups = []
    for each in entry.items("Begin each group with '- ', or leave it out.", least=0):
        with each.judged():
            groups.append(read_group(each.value, schema))
    return tuple(groups)


@contextmanager
def in_file(path: str | Path) -> Iterator[None]:
    """Name the file in what is refused of it."""
    with placed(path, CollabError):
        yield


def words(document: object) -> Any:
    """Take a document as text, lists and mappings, all of it fit to be shown."""
    left = MOST_NODES

    def taken(value: object, level: int) -> Any:
        nonlocal left
        left -= 1
        if left < 0 or level > MOST_LEVELS:
            raise CollabError(f"The file has {NO_END}", hint=WITHOUT_ANCHORS)
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
    return digest_of_json(_ordered(document))


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
