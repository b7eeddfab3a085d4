"""Write the reference of all commands from their own help texts.

A test compares the page with the help, so that the page cannot fall behind.
"""

import sys
from pathlib import Path

from typer.testing import CliRunner

from deniable.base.files import write_whole
from deniable.cli.app import app
from deniable.cli.commands import COMMANDS, load_command

INTRODUCTION = """\
# Commands

Generated from the commands' own help by `make docs`. Every command prints for people and, with
`--json`, for programs; it exits with 0, or with 1 and one sentence on standard error that says what
is wrong and what to do (2 for wrong usage), and then has written nothing.
"""


def page() -> str:
    """The whole page, in Markdown."""
    sections = [INTRODUCTION]
    for name in COMMANDS:
        inner = getattr(load_command(name), "commands", None)
        paths = [[name, sub] for sub in inner] if inner else [[name]]
        sections += [_section(path) for path in paths]
    return "\n".join(sections)


def _section(path: list[str]) -> str:
    runner = CliRunner(env={"COLUMNS": "90", "TERMINAL_WIDTH": "90", "NO_COLOR": "1"})
    text = runner.invoke(app, [*path, "--help"], prog_name="deniable").output
    body = "\n".join(line.rstrip() for line in text.strip().splitlines())
    return f"## deniable {' '.join(path)}\n\n```text\n{body}\n```\n"


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.parent.mkdir(parents=True, exist_ok=True)
    write_whole(target, page())
