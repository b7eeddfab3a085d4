"""What goes wrong in other people's engines, in one sentence."""

import re
from collections.abc import Sequence

from deniable.errors import DataError, DeniableError

SENTENCES: Sequence[tuple[str, str, str]] = (
    (
        r"password authentication failed|no password supplied|fe_sendauth|pg_hba\.conf",
        "{name} does not let this user in",
        "Check the name and password; PGPASSWORD or a .pgpass file keep it off the command line.",
    ),
    (
        r"could not translate host name|Name or service not known|Connection refused|"
        r"Is the server running|timeout expired|All masters are unresponsive|no route to host",
        "{name} cannot be reached",
        "Check that the server runs, its address and its port.",
    ),
    (
        r"server closed the connection|terminating connection|the connection is (lost|closed)|"
        r"consuming input failed|connection reset|connection not open|shut down|"
        r"server has gone away|Answer from Java side is empty",
        "{name} went away in the middle of a query",
        "Nothing was written; run it again when the server is back.",
    ),
    (r'database "[^"]*" does not exist', "{name} does not exist", "Check the database's name."),
    (
        r"permission denied|insufficient privilege",
        "{name} may not be read by this user",
        "Ask for SELECT on the table.",
    ),
    (
        r"no space left|disk full|database or disk is full|max_temp_directory_size|"
        r"Could not write|Could not create directory",
        "{name} could not be counted: there is no room left on the disk for what does not fit "
        "into memory",
        "Make room, or point TMPDIR elsewhere.",
    ),
    (
        r"Out of Memory|OutOfMemory|out of memory|Java heap space",
        "{name} could not be counted within the memory allowed",
        "Ask about fewer attributes at once.",
    ),
    (
        r"JAVA_GATEWAY_EXITED|JAVA_HOME|UnsupportedClassVersion",
        "Spark did not start: it needs Java 17 or newer",
        "Install a Java runtime, or set JAVA_HOME.",
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
        r"file is not a database|not a valid DuckDB database|file is encrypted",
        "{name} is not such a database",
        "Check the file, and the word before ://.",
    ),
)


def translated(error: Exception, name: str, secret: str | None = None) -> DeniableError:
    """Say what an engine's error means."""
    if isinstance(error, ModuleNotFoundError):
        return DataError(
            f"{name} needs the Python package {error.name}.",
            hint="Install deniable with the extra for this engine: "
            "deniable[postgres] or deniable[spark].",
        )
    said = str(error)
    if secret:
        said = said.replace(secret, "…")
    for pattern, sentence, hint in SENTENCES:
        if re.search(pattern, said, re.IGNORECASE):
            return DataError(sentence.format(name=name) + ".", hint=hint)
    first = next((line.strip() for line in said.splitlines() if line.strip()), type(error).__name__)
    return DataError(f"{name} cannot be read: {first.rstrip('.')}.", hint="")
