"""Pieces of a document, which read what the caller expects of them.

Where a piece is something else, its findings hear of it. They raise an error, or note the mistake:
then something empty is returned, so that reading goes on and finds the next mistake; what was read
is of use only if no mistake was noted.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from deniable.base.documents import Lines
from deniable.base.errors import DeniableError, nearest, shortened
from deniable.base.findings import Finding, Findings, Kind

MOST_DIGITS = 9

YES_OR_NO = {"yes": True, "true": True, "no": False, "false": False}

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
    """What was written, what the place is called, and its line, if it was written in a file."""

    value: Any
    findings: Findings
    place: str = ""
    line: int = 0
    lines: Lines = field(default_factory=dict, repr=False)
    file: str = ""
    """The name of the file, if it is another than the one that is read."""

    def mistake(self, message: str, hint: str = "") -> DeniableError:
        """Say what is wrong here; a `raise` before it says that reading cannot go on."""
        self._note("mistake", message, hint)
        return DeniableError(message, hint=hint)

    def warning(self, message: str, hint: str = "") -> None:
        """Say what is worrying here."""
        self._note("warning", message, hint)

    def _note(self, kind: Kind, message: str, hint: str) -> None:
        said = f"{self.place}: {message}" if self.place else message
        self.findings.add(Finding(self.line, kind, said, hint, self.file))

    @contextmanager
    def judged(self) -> Iterator[None]:
        """Let others read it; what they refuse gets its place."""
        try:
            yield
        except DeniableError as error:
            refused = error
        else:
            return
        self.mistake(refused.message, refused.hint)

    def is_text(self) -> bool:
        """Whether this is a word or sentence, not a list or mapping."""
        return isinstance(self.value, str)

    def text(self, hint: str = "Write a word or a sentence.") -> str:
        """Read words."""
        words = self.value.strip() if isinstance(self.value, str) else ""
        if not words:
            self.mistake("There is no text here." if self.is_text() else "This must be text.", hint)
        return words

    def switch(self) -> bool:
        """Read yes or no."""
        word = self.text("Write yes or no.").lower()
        if word and word not in YES_OR_NO:
            self.mistake(f"{shortened(word)} is neither yes nor no.", "Write yes or no.")
        return YES_OR_NO.get(word, False)

    def whole(self, least: int, most: int | None = None) -> int:
        """Read a whole number."""
        word = self.text("Write a whole number.")
        if not word:
            return least
        if not (word.isascii() and word.isdigit()) or len(word) > MOST_DIGITS:
            self.mistake(f"{shortened(word)} is not a whole number.", "Write digits, as 100.")
            return least
        if most is None and int(word) < least:
            self.mistake(f"{word} is too small.", f"Give at least {least}.")
        elif most is not None and not least <= int(word) <= most:
            self.mistake(f"{word} is out of range.", f"Give {least} to {most}.")
        return int(word)

    def choice(self, known: Collection[str]) -> str:
        """Read one of some words."""
        word = self.text(f"Write one of: {', '.join(known)}.")
        if word and word not in known:
            self.mistake(f"There is no {shortened(word)} here.", nearest(word, known))
        return word

    def chosen(self, known: Collection[str], what: str) -> tuple[str, ...]:
        """Read a list of names that are known, each once."""
        names: list[str] = []
        for item in self.items(f"Write a list of {what}s: [name, name].", least=0):
            name = item.text()
            if name not in known:
                item.mistake(f"There is no {what} {name!r}.", nearest(name, known))
            elif name in names:
                item.mistake(f"{name!r} stands twice.", "Name it once.")
            names.append(name)
        return tuple(names)

    def words(self, hint: str) -> tuple[str, ...]:
        """Read a list of texts, each to the letter."""
        items = self.items(hint, least=0)
        for item in items:
            if not item.is_text():
                item.mistake("A value must be text.", "Write it as a word, or in quotes.")
        return tuple(item.value for item in items)

    def entries(
        self, hint: str, known: Collection[str] = (), required: Collection[str] = ()
    ) -> Entries:
        """Read a mapping; with known keys, refuse others; say which required ones are missing."""
        if not isinstance(self.value, Mapping):
            self.mistake("This must be a mapping.", hint)
            return Entries()
        if not self.value:
            self.mistake("There is nothing in it.", hint)
        found = Entries()
        for key, value in self.value.items():
            if known and key not in known:
                here = replace(self, line=self._line_of(key))
                here.mistake(f"There is no entry {shortened(key)} here.", nearest(key, known))
            else:
                found[key] = self.inner(key, value)
        for key in required:
            if self.value and key not in found:
                self.mistake(f"{key!r} is missing.", hint)
        return found

    def items(self, hint: str, least: int = 1) -> "list[Entry]":
        """Read a list."""
        if not isinstance(self.value, list):
            self.mistake("This must be a list.", hint)
            return []
        if len(self.value) < least:
            self.mistake("The list is empty.", hint)
        return [self.inner(index, value) for index, value in enumerate(self.value)]

    def inner(self, key: str | int, value: Any) -> "Entry":
        """Give a piece of it, under a key or an index."""
        name = str(key + 1) if isinstance(key, int) else key if key.isprintable() else repr(key)
        place = f"{self.place}.{name}" if self.place else name
        return replace(self, value=value, place=place, line=self._line_of(key))

    def _line_of(self, key: str | int) -> int:
        return self.lines.get(id(self.value), {}).get(key, self.line)
