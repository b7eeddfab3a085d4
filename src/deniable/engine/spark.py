"""Spark: a cluster by its address, or this machine's cores; tables are Parquet or CSV files there.

`spark+local://#/data/shards` runs here, `spark+local://4#…` on four cores;
`spark://host:7077#/data/shards` on a cluster, whose machines must see the path. Spark's own
settings follow a question mark: `spark://host:7077?spark.executor.memory=4g#…`.

Machines that count need neither Python nor deniable: what they are given is a query.
"""

import os
import re
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import IO, Any, TypeVar
from urllib.parse import unquote, urlsplit

import ibis
import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from deniable.engine.address import Address
from deniable.engine.counts import is_counted
from deniable.engine.databases import DatabaseTable
from deniable.engine.drivers import arrow
from deniable.engine.faults import translated
from deniable.engine.files import Files, TableFile
from deniable.engine.relation import BATCH_RECORDS, faults
from deniable.errors import DataError, DeniableError

Found = TypeVar("Found")

SETTINGS = {
    "spark.app.name": "deniable",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",
}

LOCAL = {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
"""Work on this machine is nobody else's business."""

MEANING = {
    "spark.sql.caseSensitive": "true",
    # Values in the names of folders (day=01) stay the text that they are, as in CSV.
    "spark.sql.sources.partitionColumnTypeInference.enabled": "false",
}

CSV = {
    "header": "true",
    "quote": '"',
    "escape": '"',
    "multiLine": "true",
    # Every line has all columns, and every file the same ones, whichever are asked for.
    "mode": "FAILFAST",
    "enforceSchema": "false",
    "columnPruning": "false",
}

CSV_NAME = r"\.[ct]sv(\.\w+)?$"
PACKED = r"\.(gz|bz2|zst|lz4|snappy|deflate)$"

NEEDS_JAVA = "Install Java 17 or newer, or say by JAVA_HOME where it is."

PORT = 7077
MASTER_SECONDS = 10
PATIENCE = 120
"""Seconds for which a question waits for a cluster that has no machine for it."""

SENTENCES = (
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
        r"FAILED_READ_FILE",
        "{file} cannot be read",
        "The file may be cut short or damaged; write it again.",
    ),
    (
        r"UnknownHostException|ClassNotFoundException: .*FileSystem|No FileSystem for scheme",
        "Spark does not reach the place that {file} names",
        "Check it; other stores than disks and HDFS need a package: ?spark.jars.packages=….",
    ),
    (
        r"stopped SparkContext|SparkContext was shut down|Master removed our application",
        "{name} went away in the middle of a query",
        "Nothing was written; run it again when the cluster is back.",
    ),
)


class Spark:
    """A session of Spark, in which questions are asked beside the main thread.

    So a signal ends them at once, and so does a cluster without machines.
    """

    def __init__(self, address: Address) -> None:
        self.name, self.place = address.shown, address.place
        self.session = _session(address)
        self.backend = ibis.pyspark.connect(self.session)
        self._elsewhere = address.scheme == "spark"

    def tables(self) -> list[str]:
        """Names of tables and views of the catalogue."""
        return sorted(self.backend.list_tables())

    def table(self, frame: DataFrame) -> Any:
        """Give what Spark has read as a table of Ibis's."""
        frame.createOrReplaceTempView(view := ibis.util.gen_name("deniable"))
        return self.backend.table(view)

    def fetch(self, question: Any) -> pa.Table:
        """Answer a question at once."""
        return self.run(lambda: self._frame(question).toArrow())

    def stream(self, question: Any) -> Iterator[pa.RecordBatch]:
        """Answer a question a batch at a time, from one part of the data after the other."""
        rows = self.run(lambda: self._frame(question).toLocalIterator())
        while batch := self.run(lambda: list(islice(rows, BATCH_RECORDS))):
            yield from arrow(question, batch).to_batches()

    def _frame(self, question: Any) -> DataFrame:
        return self.session.sql(self.backend.compile(question))

    def run(self, work: Callable[[], Found]) -> Found:
        """Do some of Spark's work; if waiting ends for any reason, the work does too."""
        running = _beside(work)
        alone_since = monotonic()
        try:
            while not wait([running], timeout=1).done:
                if self._machines():
                    alone_since = monotonic()
                elif monotonic() - alone_since > PATIENCE:
                    raise DataError(
                        f"{self.place} has no machine for this work.",
                        hint="See that workers run and are free, or ask for less: "
                        "?spark.executor.memory=1g&spark.cores.max=1.",
                    )
            return running.result()
        except BaseException as error:
            if not running.done():
                wait([_beside(self.session.sparkContext.cancelAllJobs)], timeout=2)
            if isinstance(error, Exception):
                raise _explained(error, self.name) from None
            raise

    def _machines(self) -> int:
        """How many machines work for this session; the one that asks is listed as well."""
        if not self._elsewhere:
            return 1
        context = self.session.sparkContext._jsc.sc()  # noqa: SLF001 (nothing public says it)
        return int(context.getExecutorMemoryStatus().size()) - 1


class SparkTable(DatabaseTable):
    """Files or a table of the catalogue; files on this machine's disks are also looked at here."""

    def __init__(self, address: Address, table: Any, driver: Spark, files: Files | None) -> None:
        super().__init__(address, table, driver)
        self._files = files

    @property
    def paths(self) -> tuple[Path, ...]:
        """The files, where they are on this machine's disks."""
        return self._files.paths if self._files else ()

    @property
    def fingerprint(self) -> str | None:
        """Of the design that disguised the records, where it can be seen from here."""
        return self._files.fingerprint if self._files else None


def spark_table(address: Address) -> SparkTable:
    """Open files, or a table of the catalogue, on Spark."""
    _require_sense(address)
    with faults(address.shown):
        spark = Spark(address)
        table, files = spark.run(lambda: _opened(spark, address.table))
        return SparkTable(address, table, spark, files)


def _require_sense(address: Address) -> None:
    """Refuse what no Spark could mean, before one is started."""
    for key, _ in address.options:
        if not key.startswith("spark."):
            raise DataError(
                f"{key!r} is no setting of Spark.",
                hint="They begin with spark., as in ?spark.executor.memory=4g.",
            )
    if not address.table or address.path.strip("/"):
        raise DataError(
            f"{address.shown} names no data.",
            hint=f"Put a path after #: {address.scheme}://{address.host}#/data/shards.",
        )
    if address.scheme == "spark+local":
        if not re.fullmatch(r"\*|[1-9]\d*|", address.host):
            raise DataError(
                f"{address.place} names no number of cores.",
                hint="Write spark+local://4#/data/shards.",
            )
    elif not any(map(_answers, _masters(address))):
        raise DataError(
            f"{address.place} cannot be reached.",
            hint="Check that the master runs, its address and its port.",
        )


def _masters(address: Address) -> list[tuple[str, int]]:
    """Hosts and ports of a cluster's masters, of which one leads and others wait."""
    found = []
    for place in address.host.split(","):
        named = re.fullmatch(r"(.+?|\[.+\])(?::(\d{1,5}))?", place)
        if named is None:
            raise DataError(f"{address.place} names no master.", hint="Write spark://host:7077#….")
        found.append((named[1], int(named[2] or PORT)))
    return found


def _answers(place: tuple[str, int]) -> bool:
    """Whether anybody listens; Spark itself would try for a minute."""
    host, port = place
    try:
        socket.create_connection((host.strip("[]"), port), MASTER_SECONDS).close()
    except (OSError, OverflowError):
        return False
    return True


def _session(address: Address) -> SparkSession:
    """A session of one's own, on the Spark that runs in this process or on a new one."""
    local = address.scheme == "spark+local"
    masters = ",".join(f"{host}:{port}" for host, port in _masters(address)) if not local else ""
    master = f"local[{address.host or '*'}]" if local else f"spark://{masters}"
    wanted = dict(address.options)
    started = SparkSession.getActiveSession()
    if started is None:
        settings = {**SETTINGS, **(LOCAL if local else {}), **wanted}
        started = _started(master, settings, aside="spark.log.level" not in wanted)
    session = started.newSession()
    context = session.sparkContext
    fixed = {key: value for key, value in wanted.items() if not session.conf.isModifiable(key)}
    if context.master != master or any(context.getConf().get(key) != fixed[key] for key in fixed):
        raise DataError(
            f"Spark already runs in this program, with the master {context.master} and its own "
            "settings.",
            hint="Use those, or stop it first: SparkSession.getActiveSession().stop().",
        )
    for key, value in {**MEANING, **wanted}.items():
        if key not in fixed:
            session.conf.set(key, value)
    return session


def _started(master: str, settings: dict[str, str], *, aside: bool) -> SparkSession:
    builder = SparkSession.builder.master(master)
    for key, value in settings.items():
        builder = builder.config(key, value)
    if not aside:
        return builder.getOrCreate()
    with _quietly() as printed:
        try:
            return builder.getOrCreate()
        except Exception as error:
            printed.seek(0)
            raise _not_started(printed.read().decode(errors="replace"), str(error)) from None


def _not_started(printed: str, error: str) -> DataError:
    """Say why Java did not start, or Spark in it."""
    if re.search(r"JAVA_HOME is not set|bin/java: No such file", printed):
        why, hint = "there is no Java", NEEDS_JAVA
    elif "UnsupportedClassVersion" in printed:
        why, hint = "Java is too old", NEEDS_JAVA
    elif "stopped SparkContext" in error:
        why, hint = "the master does not answer as one of this Spark would", "Check the port."
    elif "JAVA_GATEWAY_EXITED" in error:
        why, hint = _reason(printed), "Check the settings after ?."
    else:
        why, hint = _reason(error), "Check the settings after ?."
    return DataError(f"Spark did not start: {why}.", hint=hint)


def _opened(spark: Spark, path: str) -> tuple[Any, Files | None]:
    """Read a table of the catalogue, or what a path holds; tell it apart as files are told."""
    read, catalogue = spark.session.read, spark.session.catalog
    if re.fullmatch(r"[\w.]+", path) and catalogue.tableExists(path):
        return spark.table(spark.session.table(path)), None
    if Path(path).exists():  # then no sign in it stands for others
        path = re.sub(r"([\\*?\[\]{}])", r"\\\1", path)
    places = read.format("binaryFile").load(path).inputFiles()
    if not places:
        raise DataError(f"{spark.name} holds no files.", hint="Name CSV or Parquet files.")
    files = _seen(places, spark.name)
    first = files.files[0] if files else None
    if first.is_parquet if first else not re.search(CSV_NAME, places[0]):
        return spark.table(read.parquet(path)), files
    separator = first.delimiter if first else _separator(read, places[0])
    table = spark.table(read.options(**CSV, sep=separator).csv(path))
    if len(table.columns) == 1:
        raise DataError(
            f"{spark.name} is CSV with one column, of which Spark loses empty lines.",
            hint="Make it Parquet.",
        )
    return table.fill_null(""), files


def _separator(read: Any, place: str) -> str:
    """Find what separates values, as `TableFile` does, in a file that only Spark sees."""
    header = read.text(place).first()
    signs = "\t" if ".tsv" in place else ",;\t"
    return next((sign for sign in signs if header and sign in header.value), signs[0])


def _seen(places: Sequence[str], name: str) -> Files | None:
    """Look at files that are on this machine's disks: are they of one kind, and of one design?"""
    if any(urlsplit(place).scheme != "file" or re.search(PACKED, place) for place in places):
        return None
    paths = (Path(unquote(urlsplit(place).path)) for place in places)
    files = Files(name, [TableFile(path) for path in sorted(paths) if path.stat().st_size])
    if any(map(is_counted, files.files)):
        raise DataError(f"{name} holds counts of reports.", hint="Name it by its path alone.")
    return files


def _beside(work: Callable[[], Found]) -> "Future[Found]":
    """Begin some work in a thread that nobody has to wait for."""
    future: Future[Found] = Future()

    def done() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # noqa: BLE001 (whoever waits gets it)
            future.set_exception(error)

    Thread(target=done, daemon=True).start()
    return future


def _explained(error: Exception, name: str) -> Exception:
    """Say what an error of Spark's means."""
    if isinstance(error, DeniableError):
        return error
    said = str(error)
    place = re.search(r"reading file (\S+?)\.(?=\s|$)", said)
    file = unquote(place[1]).removeprefix("file://") if place else name
    for pattern, sentence, hint in SENTENCES:
        if re.search(pattern, said):
            return DataError(sentence.format(file=file, name=name) + ".", hint=hint)
    return translated(RuntimeError(_reason(said)), name)


def _reason(said: str) -> str:
    """Find the line that says most in what Java prints.

    >>> _reason("Error in o1\\n: a.B: [OH_NO] Far.\\n\\tat x\\nCaused by: a.C: Near. SQLSTATE: 1\\n")
    'Near'
    """
    causes = re.findall(r"^(?:: |Caused by: )[\w.$]+: (.+)$", said, re.MULTILINE)
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    told = causes[-1] if causes else lines[0] if lines else "it does not say why"
    return re.sub(r"^\[[\w.]+\] | *SQLSTATE: .*$", "", told).rstrip(". ")


@contextmanager
def _quietly() -> Iterator[IO[bytes]]:
    """Keep what the Java machine prints off the terminal; it inherits a file instead."""
    kept = {stream: os.dup(stream) for stream in (1, 2)}
    with tempfile.TemporaryFile() as aside:
        sys.stdout.flush()
        sys.stderr.flush()
        for stream in kept:
            os.dup2(aside.fileno(), stream)
        try:
            yield aside
        finally:
            for stream, copy in kept.items():
                os.dup2(copy, stream)
                os.close(copy)
