"""The little Markdown that the papers are written in, read into blocks for HTML and Word.

Headings, paragraphs, lists, quotes, tables and code; within a line **bold**, *emphasis*, `code` and
⟦what the researcher has to fill in⟧. Whatever comes from a survey file is escaped first.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

Style = Literal["plain", "bold", "emphasis", "code", "fill"]

_MARKDOWN_SIGNS = re.compile(r"([\\`*_\[\]<>#|⟦⟧])")
_START = re.compile(r"^(\d*)([-+=~.)])(?=\s|$)")
_SPACES = re.compile(r"[ \t\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")  # but none that must not break
_PARTS = re.compile(r"\\(.)|\*\*(.+?)(?<!\\)\*\*|\*(.+?)(?<!\\)\*|`([^`]*)`|⟦([^⟧]*)⟧")
_CELLS = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True)
class StyledText:
    """Some words in one style."""

    text: str
    style: Style = "plain"


Line = tuple[StyledText, ...]


@dataclass(frozen=True)
class Heading:
    """A heading; level 1 is the title."""

    level: int
    line: Line


@dataclass(frozen=True)
class Paragraph:
    """A paragraph, quoted or not."""

    line: Line
    quoted: bool = False


@dataclass(frozen=True)
class Bullets:
    """A list."""

    items: tuple[Line, ...]


@dataclass(frozen=True)
class Grid:
    """A table; its first row is the heading."""

    rows: tuple[tuple[Line, ...], ...]


@dataclass(frozen=True)
class Code:
    """Lines of a program."""

    text: str


Block = Heading | Paragraph | Bullets | Grid | Code


def escaped(text: str) -> str:
    r"""Write any text so that Markdown shows it as it is, on one line.

    >>> print(escaped("- *a* |  b"))
    \- \*a\* \| b
    >>> escaped("one\u2028two")  # which ends a line, too, and with it a row of a table
    'one two'
    """
    line = _MARKDOWN_SIGNS.sub(r"\\\1", _SPACES.sub(" ", text.strip()))
    return _START.sub(r"\1\\\2", line)


def blocks_of(text: str) -> Iterator[Block]:
    """Read a paper, block by block."""
    for part in re.split(r"\n(?:[ \t]*\n)+", text.strip()):
        lines = part.splitlines()
        if lines[0].startswith("```"):
            yield Code(part.partition("\n")[2].rpartition("\n")[0])
        elif heading := re.match(r"(#+) (.*)", lines[0]):
            yield Heading(len(heading[1]), line_of(heading[2]))
        elif lines[0].startswith("|"):
            rows = [_cells(line) for line in lines if not re.fullmatch(r"[|: -]+", line)]
            yield Grid(tuple(rows))
        elif lines[0].startswith("- "):
            items = re.split(r"^- ", part, flags=re.MULTILINE)[1:]
            yield Bullets(tuple(line_of(_SPACES.sub(" ", item.strip())) for item in items))
        elif lines[0].startswith("> "):
            said = " ".join(line.removeprefix("> ") for line in lines)
            yield Paragraph(line_of(said), quoted=True)
        else:
            yield Paragraph(line_of(" ".join(map(str.strip, lines))))


def line_of(text: str) -> Line:
    r"""Read one line.

    >>> [(run.text, run.style) for run in line_of(r"a **b** \*c\*")]
    [('a ', 'plain'), ('b', 'bold'), (' *c*', 'plain')]
    """
    runs: list[StyledText] = []

    def add(words: str, style: Style) -> None:
        if words and runs and runs[-1].style == style:
            words = runs.pop().text + words
        if words:
            runs.append(StyledText(words, style))

    end = 0
    for found in _PARTS.finditer(text):
        add(text[end : found.start()], "plain")
        sign, bold, emphasis, code, fill = found.groups()
        add(sign or "", "plain")
        add(_plain(bold or ""), "bold")
        add(_plain(emphasis or ""), "emphasis")
        add(code or "", "code")
        add(_plain(fill or ""), "fill")
        end = found.end()
    add(text[end:], "plain")
    return tuple(runs)


def words_of(line: Sequence[StyledText]) -> str:
    """A line without its styles."""
    return "".join(run.text for run in line)


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


def _cells(line: str) -> tuple[Line, ...]:
    return tuple(line_of(cell.strip()) for cell in _CELLS.split(line.strip().strip("|")))
