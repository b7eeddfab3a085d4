"""How results look: tables for people, JSON for programs."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import compress
from textwrap import fill
from time import monotonic
from typing import Literal

import typer
from rich import box
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from deniable.base.wording import visible

WIDE = 100

BETWEEN_LINES = 5.0
"""Seconds between two lines on how far long work is, where there is no terminal."""

PIPE_WIDTH = 140
"""Columns when the output is not a terminal and nothing wraps it."""


class _OutspokenConsole(Console):
    """A console that does not hide that the reader of a pipe has gone."""

    def on_broken_pipe(self) -> None:
        raise  # noqa: PLE0704, Rich calls this where it has caught the error


def console() -> Console:
    """A console that does not squeeze tables in a pipe."""
    return _OutspokenConsole(width=None if sys.stdout.isatty() else PIPE_WIDTH)


def say(text: str, *, err: bool = False) -> None:
    """Print a line or more; whatever names hold, a terminal only shows it."""
    typer.echo(visible(text), err=err)


def print_json(result: object) -> None:
    """Print a result for programs."""
    say(json.dumps(result, ensure_ascii=False, indent=2))


def print_table(title: str, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table; columns headed by # are figures, those by #? left out where it is narrow."""
    screen = console()
    shown = [not h.startswith("#?") or screen.width >= WIDE for h in headings]
    table = Table(box=box.SIMPLE_HEAD)
    for heading in compress(headings, shown):
        figures = heading.startswith("#")
        justify: Literal["right", "left"] = "right" if figures else "left"
        table.add_column(Text(visible(heading.lstrip("#?"))), justify=justify, no_wrap=figures)
    for row in rows:
        # Plain text: a value may hold what rich takes for markup.
        table.add_row(*(Text(visible(cell)) for cell in compress(row, shown)))
    screen.print(Text(visible(title), style="bold"))
    screen.print(table)


def print_items(lines: Iterable[str], *, err: bool = False) -> None:
    """Print lines as a list, wrapped with their indent."""
    width = console().width
    for line in lines:
        say(fill(line, width, initial_indent="  - ", subsequent_indent="    "), err=err)


def print_paragraph(text: str) -> None:
    """Print a sentence or two, wrapped at words."""
    say(fill(text, console().width))


def print_lines(text: str) -> None:
    """Print a text line by line, each wrapped with its indent."""
    width = console().width
    for line in text.splitlines():
        indent = " " * (len(line) - len(line.lstrip()))
        say(fill(line, width, subsequent_indent=indent))


@contextmanager
def progress(doing: str) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar on a terminal, on standard error; in a pipe nothing is shown."""
    screen = Console(stderr=True)
    bar = Progress(console=screen, transient=True, disable=not screen.is_terminal)
    with bar:
        task = bar.add_task(doing, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def long_progress(doing: str) -> Iterator[Callable[[int, int], None]]:
    """Show the bar on a terminal; elsewhere a line now and then, for work of many minutes."""
    if Console(stderr=True).is_terminal:
        with progress(doing) as bar:
            yield bar
        return
    said = monotonic()

    def say_now_and_then(done: int, total: int) -> None:
        nonlocal said
        if monotonic() - said >= BETWEEN_LINES:
            said = monotonic()
            note(f"{doing}: {done:,} of {total:,} done.")

    yield say_now_and_then


@contextmanager
def doing_now(beginning: str) -> Iterator[Callable[[str], None]]:
    """A line that says what is being done, on standard error; nothing where nobody looks."""
    screen = Console(stderr=True)
    if not screen.is_terminal:
        yield lambda _: None
        return
    with screen.status(beginning) as status:
        # Naming the spinner draws at once: what comes next may leave no thread the time to.
        yield lambda doing: status.update(doing, spinner="dots")


def note(sentence: str) -> None:
    """Say something beside the result, on standard error."""
    say(f"deniable: {sentence}", err=True)
