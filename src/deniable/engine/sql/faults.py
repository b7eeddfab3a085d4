"""What goes wrong in other people's engines, in one sentence."""

import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar
from urllib.parse import unquote

from deniable.base.errors import DataError, DeniableError
from deniable.base.extras import not_installed, package_of

Found = TypeVar("Found")

Sentences = Sequence[tuple[str, str, str]]
"""Patterns of what an engine says, what each means in a sentence, and what to do."""

DATABASE_SENTENCES: Sentences = (
    (
        r"password authentication failed|no password supplied|fe_sendauth|pg_hba\.conf|"
        r'role "[^"]*" (does not exist|is not permitted to log in)',
        "{name} does not let this user in",
        "Check the name and password; PGPASSWORD or a .pgpass file keep it off the command line.",
    ),
    (
        r"could not translate host name|failed to resolve host|Name or service not known|"
        r"Connection refused|Is the server running|timeout expired|no route to host|"
        r"network is unreachable|is starting up|in recovery mode|All masters are unresponsive",
        "{name} cannot be reached",
        "Check that the server runs, its address and its port.",
    ),
    (
        r"server closed the connection|terminating connection|the connection is (lost|closed)|"
        r"consuming input failed|connection reset|connection not open|shut(ting)? down|"
        r"server has gone away|Answer from Java side is empty",
        "{name} went away in the middle of a query",
        "Nothing was written; run it again when the server is back.",
    ),
    (
        r'database "[^"]*" does not exist',
        "{name} is in a database that does not exist",
        "Check the database's name.",
    ),
    (
        r"insufficient privilege|permission denied",
        "{name} may not be read by this user: {said}",
        "Ask its owner for the right to SELECT.",
    ),
    (
        r"statement timeout",
        "{name} takes longer to count than its server allows",
        "Add ?options=-c%20statement_timeout%3D0 before the #, or ask about fewer attributes.",
    ),
    (
        r"temp_file_limit|could not (extend|write).*(no space left|disk quota)",
        "{name} could not be counted: its server has no room left on its disk",
        "Make room there, or ask about fewer attributes at once.",
    ),
    (
        r"no space left|disk full|database or disk is full|max_temp_directory_size|"
        r"disk quota|file too large|Could not write|Could not create directory",
        "{name} could not be counted: there is no room left on the disk for what does not fit "
        "into memory",
        "Make room, or point TMPDIR elsewhere.",
    ),
    (
        r"Out of Memory|OutOfMemory|Java heap space",
        "{name} could not be counted within the memory allowed",
        "Ask about fewer attributes at once.",
    ),
    (
        r"PATH_NOT_FOUND|Path does not exist",
        "{name} does not exist",
        "Check the path, as the cluster's machines see it.",
    ),
    (
        r"database is locked|Could not set lock|Conflicting lock",
        "{name} is locked by another program",
        "Wait until it is done, or close it.",
    ),
    (
        r"file is not a database|not a valid DuckDB database|file is encrypted|sqlite_scanner",
        "{name} is not such a database",
        "Check the file, and the word before ://.",
    ),
    (
        r"disabled (through|by) configuration|unsafe use of|not authorized",
        "{name} wants to read more than its own file, which a table may not",
        "Put its records into a table of their own.",
    ),
    (
        r"Conversion Error|invalid input syntax|could not convert string",
        "{name} cannot be read: a value does not fit what is made of it there",
        "Mend it in the database; the value is not shown here.",
    ),
    (
        r"string or blob too big",
        "{name} has a record of more than 16 MiB",
        "Put the columns that are needed into a table of their own.",
    ),
    (r"Failed to infer types for columns", "{name} has no records", "Collect some first."),
    (
        r"percent-encoded",
        "{name} has a % that does not begin a sign such as %20",
        "Write % itself as %25.",
    ),
)


def translated(error: Exception, name: str, secret: str | None = None) -> DeniableError:
    r"""Say what an engine's error means.

    >>> print(translated(OSError('FATAL: database "clinic" does not exist'), "postgresql://h/c#t"))
    postgresql://h/c#t is in a database that does not exist. Check the database's name.
    >>> print(translated(ValueError("bad pass%20word here\nand more"), "mysql://h#t", "pass word"))
    mysql://h#t cannot be read: bad … here.
    """
    if isinstance(error, ImportError):
        return _missing(error, name)
    whole = str(error)
    said = _first_line(whole, secret) or type(error).__name__
    known = meaning(DATABASE_SENTENCES, whole, name=name, said=said)
    return known or DataError(f"{name} cannot be read: {said}.")


def meaning(sentences: Sentences, words: str, /, **names: str) -> DataError | None:
    """Find what an engine's words mean, with the names that the sentences leave open."""
    for pattern, sentence, hint in sentences:
        if re.search(pattern, words, re.IGNORECASE):
            return DataError(sentence.format(**names) + ".", hint=hint)
    return None


def _missing(error: ImportError, name: str) -> DeniableError:
    """Name the package to install; Ibis's own advice takes several lines."""
    advised = re.search(r"ibis-framework\[\w+\]", str(error))
    module = advised.group() if advised else (error.name or "ibis-framework")
    return not_installed(f"{name} needs", [module], package_of(module))


def _first_line(said: str, secret: str | None) -> str:
    """What an engine said first, without the password, however that was written."""
    if secret and secret in unquote(said):
        said = unquote(said).replace(secret, "…")
    lines = (line.strip() for line in said.splitlines())
    return next(filter(None, lines), "").rstrip(".")


def interruptible(work: Callable[[], Found], stop: Callable[[], None]) -> Found:
    """Do the work of a library that does not heed Ctrl-C while it is at it."""
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(work)
        try:
            return running.result()
        except BaseException:
            while not running.done():
                stop()
                wait([running], 0.1)
            raise
