"""YAML that knows its lines. Every scalar stays the text it was written as: ``no`` is no boolean.

A `Node` reads what the caller expects of it. Where it is something else, the mistake is noted with
its line and something empty is returned, so that reading goes on and finds the next mistake; what
was read is of use only if no mistake was noted.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar
from unicodedata import category

import yaml

from deniable.base.errors import DesignError, nearest, shortened
from deniable.channel.group_options import fraction
from deniable.survey.questionnaire.findings import Finding, Findings, Kind

MOST_NODES = 100_000
MOST_LEVELS = 50
"""No survey has more; a file that refers to itself has no end of them."""

YES_OR_NO = {"yes": True, "true": True, "no": False, "false": False}

Read = TypeVar("Read")
Otherwise = TypeVar("Otherwise")


class Entries(dict[str, "Node"]):
    """What stands under the keys of a mapping."""

    def read(
        self, key: str, reader: "Callable[[Node], Read]", otherwise: Otherwise
    ) -> Read | Otherwise:
        """Read an entry, if it is there."""
        return reader(self[key]) if key in self else otherwise


@dataclass(frozen=True)
class Node:
    """A piece of the file: where it stands, what it is called, and what was written."""

    raw: yaml.Node
    line: int
    path: str
    findings: Findings

    def mistake(self, message: str, hint: str = "") -> None:
        """Note what is wrong here."""
        self._note("mistake", message, hint)

    def warning(self, message: str, hint: str = "") -> None:
        """Note what is worrying here."""
        self._note("warning", message, hint)

    def _note(self, kind: Kind, message: str, hint: str) -> None:
        said = f"{self.path}: {message}" if self.path else message
        self.findings.add(Finding(self.line, kind, said, hint))

    def is_text(self) -> bool:
        """Whether this is a word or sentence, not a list or mapping."""
        return isinstance(self.raw, yaml.ScalarNode)

    def text(self, hint: str = "Write a word or a sentence.") -> str:
        """Read words."""
        words = str(self.raw.value).strip() if self.is_text() else ""
        if not words:
            self.mistake("There is no text here." if self.is_text() else "This must be text.", hint)
        return words

    def switch(self) -> bool:
        """Read yes or no."""
        word = self.text("Write yes or no.").lower()
        if word and word not in YES_OR_NO:
            self.mistake(f"{shortened(word)} is neither yes nor no.", "Write yes or no.")
        return YES_OR_NO.get(word, False)

    def number(self, least: int) -> int:
        """Read a whole number."""
        word = self.text("Write a whole number.")
        if not word:
            return least
        if not (word.isascii() and word.isdigit()) or len(word) > 9:  # noqa: PLR2004
            self.mistake(f"{shortened(word)} is not a whole number.", "Write digits, as 100.")
            return least
        if int(word) < least:
            self.mistake(f"{word} is too small.", f"Give at least {least}.")
        return int(word)

    def share(self) -> Fraction:
        """Read a probability, exactly."""
        word = self.text("Write a fraction, as 1/10.")
        try:
            return fraction(word, self.path) if word else Fraction(0)
        except DesignError as error:
            self.findings.add(Finding(self.line, "mistake", error.message, error.hint))
            return Fraction(0)

    def entries(
        self, hint: str, known: Collection[str] = (), required: Collection[str] = ()
    ) -> Entries:
        """Read a mapping; with known keys, refuse others; say which required ones are missing."""
        if not isinstance(self.raw, yaml.MappingNode):
            self.mistake("This must be a mapping.", hint)
            return Entries()
        if not self.raw.value:
            self.mistake("There is nothing in it.", hint)
            return Entries()
        found = Entries()
        for key, value in self.raw.value:
            if not isinstance(key, yaml.ScalarNode):
                continue  # noted when the file was looked through
            child = self._child(value, key.start_mark.line + 1, key.value)
            if known and key.value not in known:
                child.mistake("There is no such entry.", nearest(key.value, known))
            elif key.value not in found:
                found[key.value] = child
        for key in required:
            if key not in found:
                self.mistake(f"{key!r} is missing.", hint)
        return found

    def items(self, hint: str) -> "list[Node]":
        """Read a list."""
        if not isinstance(self.raw, yaml.SequenceNode):
            self.mistake("This must be a list.", hint)
            return []
        if not self.raw.value:
            self.mistake("The list is empty.", hint)
        return [
            self._child(value, value.start_mark.line + 1, str(number))
            for number, value in enumerate(self.raw.value, start=1)
        ]

    def plain(self) -> object:
        """Everything in it, as text, lists and mappings."""
        return _plain(self.raw)

    def _child(self, raw: yaml.Node, line: int, name: str) -> "Node":
        word = name if name.isprintable() else repr(name)
        return Node(raw, line, f"{self.path}.{word}" if self.path else word, self.findings)


def parse(text: str, findings: Findings) -> Node | None:
    """Parse a file; None, and a mistake, where it is no YAML or has no end."""
    try:
        raw = yaml.compose(text, Loader=yaml.BaseLoader)
    except RecursionError:
        findings.add(Finding(1, "mistake", "This is nested too deeply.", "A survey is not."))
        return None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "it cannot be parsed"
        hint = "Check indentation and quotes."
        if "'?'" in problem:  # what questions end with, and what YAML takes for a sign of its own
            hint = "Put a text with a question mark in quotes, or in a line of its own."
        message = f"This is not valid YAML: {problem}."
        findings.add(Finding(mark.line + 1 if mark else 1, "mistake", message, hint))
        return None
    if raw is None:
        findings.add(Finding(1, "mistake", "The file is empty.", "Start with deniable survey new."))
        return None
    root = Node(raw, raw.start_mark.line + 1, "", findings)
    return root if _look_through(root) else None


def _look_through(root: Node) -> bool:
    """Note what is wrong wherever it stands: keys that stand twice, odd characters, no end."""
    waiting, seen = [(root.raw, 0)], 0
    while waiting:
        raw, level = waiting.pop()
        seen += 1
        if seen > MOST_NODES or level > MOST_LEVELS:
            root.mistake("This has no end: it is nested too deeply, or refers to itself.")
            return False
        inner = raw.value
        if isinstance(raw, yaml.ScalarNode):
            _look_at_text(raw, root.findings)
            inner = []
        elif isinstance(raw, yaml.MappingNode):
            _look_at_keys(raw, root.findings)
            inner = [node for pair in raw.value for node in pair]
        waiting += [(node, level + 1) for node in inner]
    return True


def _look_at_text(raw: yaml.ScalarNode, findings: Findings) -> None:
    odd = next((c for c in raw.value if category(c) in {"Cc", "Cs"} and c not in "\n\t"), None)
    if odd is not None:
        message = f"The text holds the character {odd!r}, which cannot be shown."
        findings.add(Finding(raw.start_mark.line + 1, "mistake", message, "Remove it."))


def _look_at_keys(raw: yaml.MappingNode, findings: Findings) -> None:
    first: dict[str, int] = {}
    for key, _ in raw.value:
        line = key.start_mark.line + 1
        if not isinstance(key, yaml.ScalarNode):
            findings.add(Finding(line, "mistake", "A name must be a word.", "Write NAME: …."))
        elif key.value in first:
            message = f"{shortened(key.value)} stands twice, first in line {first[key.value]}."
            findings.add(Finding(line, "mistake", message, "Remove one of them."))
        else:
            first[key.value] = line


def _plain(raw: yaml.Node) -> object:
    if isinstance(raw, yaml.MappingNode):
        return {str(key.value): _plain(value) for key, value in raw.value}
    if isinstance(raw, yaml.SequenceNode):
        return [_plain(value) for value in raw.value]
    return raw.value
