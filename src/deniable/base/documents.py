"""YAML files, read and written: every scalar stays the text it was written as, and has its line.

A file comes from anywhere, so it must have an end. Anchors are allowed, but what they unfold to is
counted before it is unfolded: a few lines can stand for more than any memory holds. JSON, which
comes from programs, is read here too, and as strictly.
"""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import yaml

from deniable.base.errors import DataError, DeniableError, DesignError, shortened
from deniable.base.files import read_errors

MOST_FILE_BYTES = 1 << 22
MOST_NODES = 200_000
MOST_LEVELS = 20
"""No file of ours has more words, lists and mappings, or has them deeper within each other."""

MOST_LETTERS = 100_000
"""Nor a longer text."""

MOST_LETTERS_IN_ALL = MOST_FILE_BYTES
"""Nor more of it, where what an anchor names is counted each time that it is named."""

NO_END = "no end: it is nested too deeply, or refers to itself."
WITHOUT_ANCHORS = "Write it without anchors (& and *)."

Lines = Mapping[int, Mapping[str | int, int]]
"""By a list's or mapping's id: the line of each of its items or keys."""


@dataclass(frozen=True)
class FileProblem:
    """What is wrong with a file as such, whatever it is about."""

    line: int
    message: str
    hint: str
    of_file: str
    """The same, to follow the name of the file where nobody says the line."""


@dataclass
class Document:
    """Text, lists and mappings, as they were written; None if the file is empty or no YAML."""

    value: Any = None
    lines: dict[int, dict[str | int, int]] = field(default_factory=dict)
    first_line: int = 1
    problems: list[FileProblem] = field(default_factory=list)


def read_yaml(path: str | Path, error: type[DeniableError] = DesignError) -> Any:
    """Read a YAML file without interpreting its words, or refuse it for its first problem.

    Python's own ``yaml.safe_load`` would make ``no`` a boolean and 0.7 inexact.
    """
    document = parse(read_text(path))
    for problem in document.problems:
        raise error(f"{path}{problem.of_file}", hint=problem.hint)
    return document.value


def parse(text: str, unfit: Callable[[str], bool] = lambda _: False) -> Document:
    """Read a document and everything that is wrong with it, such as unfit characters."""
    document = Document()
    try:
        root = _Reader(text).get_single_node()
        if root is not None:
            document.first_line = _line(root)
            _Unfolded(document, unfit).add(root)
    except _EndlessError as endless:
        document.value = None
        document.problems = [
            FileProblem(
                document.first_line,
                f"This has {endless}",
                WITHOUT_ANCHORS,
                f": The file has {endless}",
            )
        ]
    except yaml.YAMLError as error:
        document.problems = [_no_yaml(error)]
    return document


class _EndlessError(Exception):
    """Too many nodes, or too deep."""


class _Reader(yaml.BaseLoader):
    """Stops as soon as there is too much of it."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.nodes = self.level = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        self.nodes += 1
        self.level += 1
        if self.level > MOST_LEVELS:
            raise _EndlessError(NO_END)
        if self.nodes > MOST_NODES:
            raise _EndlessError(f"more than {MOST_NODES:,} words.")
        found: yaml.Node | None = super().compose_node(parent, index)
        self.level -= 1
        return found


@dataclass(frozen=True, slots=True)
class _Built:
    """What a node stands for, and how much of everything there is to it."""

    value: Any
    nodes: int
    levels: int
    letters: int


class _Unfolded:
    """Builds a document of nodes; what an anchor names is built once, and counted each time."""

    def __init__(self, document: Document, unfit: Callable[[str], bool]) -> None:
        self._document, self._unfit = document, unfit
        self._built: dict[int, _Built | None] = {}

    def add(self, root: yaml.Node) -> None:
        self._document.value = self._of(root).value

    def _of(self, node: yaml.Node) -> "_Built":
        """What a node stands for, and how much that is."""
        if id(node) in self._built:
            built = self._built[id(node)]
            if built is None:  # within itself
                raise _EndlessError(NO_END)
            return built
        self._built[id(node)] = None
        value: Any
        if isinstance(node, yaml.ScalarNode):
            if len(node.value) > MOST_LETTERS:
                raise _EndlessError(f"a text of more than {MOST_LETTERS:,} letters.")
            self._look_at(node)
            value, inner, letters = node.value, [], len(node.value)
        elif isinstance(node, yaml.SequenceNode):
            inner = [self._of(each) for each in node.value]
            value, letters = [each.value for each in inner], 0
            self._document.lines[id(value)] = dict(enumerate(map(_line, node.value)))
        else:
            (value, inner), letters = self._mapping(node), 0
        built = _Built(
            value,
            nodes=1 + sum(each.nodes for each in inner),
            levels=1 + max((each.levels for each in inner), default=0),
            letters=letters + sum(each.letters for each in inner),
        )
        if built.nodes > MOST_NODES or built.levels > MOST_LEVELS:
            raise _EndlessError(NO_END)
        if built.letters > MOST_LETTERS_IN_ALL:
            raise _EndlessError(f"more than {MOST_LETTERS_IN_ALL:,} letters, those named by * too.")
        self._built[id(node)] = built
        return built

    def _mapping(self, node: yaml.Node) -> "tuple[dict[str, Any], list[_Built]]":
        value: dict[str, Any] = {}
        lines: dict[str | int, int] = {}
        inner = []
        for key, each in node.value:
            inner += [self._of(key), self._of(each)]
            name, line = key.value, _line(key)
            if not isinstance(key, yaml.ScalarNode):
                of_file = f", line {line} is not valid YAML: a name must be a word."
                self._problem(line, "A name must be a word.", "Write NAME: ….", of_file)
            elif name in value:
                twice = f"{shortened(name)} stands twice"
                of_file = f": {twice}, the second time in line {line}."
                message = f"{twice}, first in line {lines[name]}."
                self._problem(line, message, "Remove one of them.", of_file)
            else:
                value[name], lines[name] = inner[-1].value, line
        self._document.lines[id(value)] = lines
        return value, inner

    def _look_at(self, node: yaml.ScalarNode) -> None:
        odd = next((sign for sign in node.value if self._unfit(sign)), None)
        if odd is not None:
            message = f"The text holds the character {odd!r}, which cannot be shown."
            self._problem(_line(node), message, "Remove it.", f": {message}")

    def _problem(self, line: int, message: str, hint: str, of_file: str) -> None:
        self._document.problems.append(FileProblem(line, message, hint, of_file))


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1


def _no_yaml(error: yaml.YAMLError) -> FileProblem:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or "it cannot be parsed"
    hint = "Check indentation and quotes."
    if "'?'" in problem:  # what questions end with, and what YAML takes for a sign of its own
        hint = "Put a text with a question mark in quotes, or in a line of its own."
    what = f"is not valid YAML: {problem}."
    where = f", line {mark.line + 1}" if mark else ""
    return FileProblem(mark.line + 1 if mark else 1, f"This {what}", hint, f"{where} {what}")


def read_text(path: str | Path) -> str:
    """Read a file of UTF-8 text whole."""
    with read_errors(path, "a YAML file"):
        text = bounded(path, MOST_FILE_BYTES, "Name a YAML file.").decode()
        return text.replace("\r\n", "\n").replace("\r", "\n")


def bounded(path: str | Path, most: int, hint: str) -> bytes:
    """Read a file whole, unless it is too large; some that say they are empty never end."""
    content = bytearray()
    with Path(path).open("rb") as file:
        while more := file.read(1 << 16):
            content += more
            if len(content) > most:
                raise DataError(f"{path} is larger than {most >> 20} MiB.", hint=hint)
    return bytes(content)


def strict_json(text: str | bytes) -> Any:
    """Read JSON that every reader takes for the same; ValueError in all other cases.

    Python's own ``json.loads`` takes the last of two entries of one name, numbers that JSON does
    not have (NaN, Infinity) or that have no end (1e999), and fails by itself where it is nested too
    deeply.
    """
    try:
        return json.loads(
            text, object_pairs_hook=_named_once, parse_constant=_no_number, parse_float=_finite
        )
    except RecursionError:
        raise json.JSONDecodeError("nested too deeply", "", 0) from None


def _named_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice")
    return found


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def _finite(digits: str) -> float:
    found = float(digits)
    if not math.isfinite(found):
        raise ValueError("a number has no end")
    return found


class _TextDumper(yaml.SafeDumper):
    """Quotes text with unusual line breaks, which plain or folded style would lose."""


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    odd = any(sign in text for sign in "\x85\u2028\u2029\r\n")
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"' if odd else None)


_TextDumper.add_representer(str, _represent_text)


def to_yaml(document: object) -> str:
    """Write YAML that also plain YAML readers take for text."""
    return yaml.dump(
        document,
        Dumper=_TextDumper,
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=None,
        width=100,
    )
