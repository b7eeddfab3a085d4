"""What goes wrong in Spark, in one sentence; its own are long, and some hold people's answers."""

import re
from urllib.parse import unquote

from deniable.base.errors import DataError, DeniableError
from deniable.engine.sql.faults import meaning, translated

JAVA = "Install Java 17 or newer, or say by JAVA_HOME where it is."

UNSTARTED = (
    (r"JAVA_HOME is not set|bin/java: No such file", "Spark did not start: there is no Java", JAVA),
    (r"UnsupportedClassVersion", "Spark did not start: Java is too old", JAVA),
    (
        r"stopped SparkContext",
        "Spark did not start: the master does not answer as one of this Spark would",
        "Check the port, and that the cluster's Spark is of the same version.",
    ),
)
"""What keeps Spark from starting, by what Java prints."""

SPARK_SENTENCES = (
    (
        r"PARQUET_COLUMN_DATA_TYPE_MISMATCH",
        "{file} has a column of another type than other files of the table",
        "Shards of one table have the same columns of the same types.",
    ),
    # Spark's own message holds the line, which may be someone's raw answers.
    (r"Malformed records", "{file} has a line with too few or too many values", "Mend that line."),
    (
        r"CSV header does not conform",
        "{file} has other columns, or in another order, than other files of the table",
        "Shards of one table have the same columns.",
    ),
    (
        r"FILE_NOT_EXIST|FileNotFoundException",
        "{file} is not there for the machines that count",
        "Each must see it under the same path; if files were changed meanwhile, run it again.",
    ),
    (
        r"FAILED_READ_FILE|CANNOT_READ_FILE_FOOTER",
        "{file} cannot be read",
        "The file may be cut short or damaged; write it again.",
    ),
    (
        r"UnknownHostException|ClassNotFoundException: .*FileSystem|No FileSystem for scheme",
        "Spark does not reach the place that {file} names",
        "Check it; other stores than disks and HDFS need a package: ?spark.jars.packages=….",
    ),
    (
        r"stopped SparkContext|SparkContext was shut down",
        "{name} went away in the middle of a query",
        "Nothing was written; run it again when the cluster is back.",
    ),
)
"""What goes wrong later: a pattern of Spark's words, a sentence and a hint."""


def unstarted(printed: str, error: str) -> DataError:
    """Say why Java did not start, or Spark in it."""
    why = _reason(printed if "JAVA_GATEWAY_EXITED" in error else error)
    return meaning(UNSTARTED, printed + error) or DataError(
        f"Spark did not start: {why}.", hint="Check the settings after ?."
    )


def explained(error: Exception, name: str) -> DeniableError:
    """Say what an error of Spark's means."""
    if isinstance(error, DeniableError):
        return error
    said = str(error)
    place = re.search(r"reading file (\S+?)\.(?=\s|$)", said)
    file = unquote(place[1]).removeprefix("file://") if place else name
    known = meaning(SPARK_SENTENCES, said, file=file, name=name)
    return known or translated(RuntimeError(_reason(said)), name)


def _reason(said: str) -> str:
    r"""Find the line that says most in what Java prints.

    >>> _reason("In o1\n: a.B: [OH_NO] Far.\n\tat x\nCaused by: a.C: Near. SQLSTATE: 1\n")
    'Near'
    """
    causes = re.findall(r"^(?:: |Caused by: )[\w.$]+: (.+)$", said, re.MULTILINE)
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    told = causes[-1] if causes else lines[0] if lines else "it does not say why"
    return re.sub(r"^\[[\w.]+\] | *SQLSTATE: .*$", "", told).rstrip(". ")
