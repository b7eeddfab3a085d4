"""The `deniable` command: the root of all subcommands, and the one place where errors end.

A subcommand parses, calls and renders. Whatever the user can mend arrives here as a
`DeniableError`, is printed as one sentence with its hint on standard error, and exits with 1.
"""

import errno
import os
import signal
import sys
import warnings
from pathlib import Path
from types import FrameType
from typing import Annotated

import typer

import deniable
from deniable.base.errors import DeniableError
from deniable.cli.commands import CommandsOnUse

EARLIER_WORDS = {
    "deepest": "max-depth",
    "trees": "n-estimators",
    "part": "max-features",
    "folds": "cv",
    "seed": "random-state",
    "support": "min-support",
    "confidence": "min-confidence",
    "lift": "min-lift",
    "longest": "max-len",
}
"""Options as they were called before they took scikit-learn's words, for scripts that use them."""

app = typer.Typer(
    name="deniable",
    cls=CommandsOnUse,
    help="Randomized response: disguise answers at the source, count through the disguise.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"token_normalize_func": lambda word: EARLIER_WORDS.get(word, word)},
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"deniable {deniable.__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Randomized response: disguise answers at the source, count through the disguise."""


def main() -> None:
    """Run the command line."""
    warnings.showwarning = _show_warning
    # A terminated command tidies up as an interrupted one does: no half-written file stays.
    signal.signal(signal.SIGTERM, _terminated)
    if sys.stdout is None:  # closed; writing to what is open for reading fails as it should
        sys.stdout = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115, till the end
    try:
        _run()
    except DeniableError as error:
        _fail(str(error), 1)
    except KeyboardInterrupt:
        _fail("Interrupted; nothing was written.", 130)
    except OSError as error:
        if error.filename is not None:
            _fail(f"{error.filename} cannot be read or written: {error.strerror}.", 1)
        _fail(f"Standard output cannot be written: {error.strerror or 'it is closed'}.", 1)


def _run() -> None:
    """Run a subcommand; when it ends, all that it printed has left."""
    output = sys.stdout
    try:
        app()
    except SystemExit:
        if sys.stdout is not output:  # how Typer hides that the reader of a pipe has gone
            sys.stdout = output
            raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE)) from None
        output.flush()
        raise


def _say(text: str) -> None:
    """Print to standard error; what draws tables is loaded by those who print one."""
    from deniable.cli.show.output import say

    say(text, err=True)


def _fail(sentence: str, code: int) -> None:
    _say(f"deniable: {sentence}")
    try:
        sys.stdout.flush()
    except OSError:  # what cannot leave would fail once more, with a traceback, when Python ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)


def _terminated(signum: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + signum)


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    _say(f"deniable: warning: {message}")
