"""Starting Spark, and asking it.

Java starts and questions run in threads beside the main one, which only waits. So a signal ends
them at once, and so does a cluster that has no machine for them.
"""

import re
import socket
import tempfile
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, wait
from itertools import islice
from threading import Thread
from time import monotonic
from typing import IO, Any, TypeVar

import ibis
import pyarrow as pa
from pyspark import SparkConf, SparkContext
from pyspark.java_gateway import launch_gateway
from pyspark.sql import DataFrame, SparkSession

from deniable.base.errors import DataError
from deniable.engine.address import Address
from deniable.engine.spark.spark_faults import explained, unstarted
from deniable.engine.sql.drivers import arrow
from deniable.engine.table import BATCH_RECORDS

Found = TypeVar("Found")

SETTINGS = {
    "spark.app.name": "deniable",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",
}

LOCAL = {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
"""Work on this machine is nobody else's business."""

SESSION = {
    "spark.sql.caseSensitive": "true",
    # A hundred sums in one query are still compiled, which takes half the time.
    "spark.sql.codegen.maxFields": "1000",
    # Values in the names of folders (day=01) stay the text that they are, as in CSV.
    "spark.sql.sources.partitionColumnTypeInference.enabled": "false",
}

PORT = 7077

MASTER_SECONDS = 10
"""In which a master must take a call; Spark itself would try for a minute."""

END_SECONDS = 20
"""In which what has begun must end."""

SPARK_PATIENCE = 120
"""Seconds for which a question waits for a cluster that has no machine for it."""

_given: dict[str, Mapping[str, str]] = {}
"""Settings with which sessions were started here; Spark adds to some of them."""


class Spark:
    """A session of Spark."""

    def __init__(self, address: Address) -> None:
        self.name, self.place = address.shown, address.place
        self.session, self.backend = _session(address)
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
        running, alone_since = _beside(work), monotonic()
        try:
            while not wait([running], timeout=1).done:
                if _beside(self._machines).result():
                    alone_since = monotonic()
                elif monotonic() - alone_since > SPARK_PATIENCE:
                    raise DataError(
                        f"{self.place} has no machine for this work.",
                        hint="See that workers run and are free, or ask for less: "
                        "?spark.executor.memory=1g&spark.executor.cores=1.",
                    )
            return running.result()
        except Exception as error:
            raise explained(error, self.name) from None
        finally:
            deadline = monotonic() + END_SECONDS
            while not running.done() and monotonic() < deadline:
                _beside(self.session.sparkContext.cancelAllJobs)
                wait([running], timeout=0.5)

    def _machines(self) -> int:
        """How many machines work for this session; the one that asks is listed as well."""
        if not self._elsewhere:
            return 1
        context = self.session.sparkContext._jsc.sc()  # noqa: SLF001 (nothing public says it)
        return int(context.getExecutorMemoryStatus().size()) - 1


def _session(address: Address) -> tuple[SparkSession, Any]:
    """A session of one's own, on the Spark that runs in this process or on a new one."""
    if address.scheme == "spark+local":
        master, own = f"local[{address.host or '*'}]", LOCAL
    else:
        master, own = _master(address), {}
    wanted = dict(address.options)
    context = SparkContext._active_spark_context  # noqa: SLF001 (whichever thread started it)
    if context is None:
        context = _started({**SETTINGS, **own, **wanted, "spark.master": master})
        _given[context.applicationId] = wanted
    return _beside(lambda: _own_session(context, master, wanted)).result()


def _own_session(
    context: SparkContext, master: str, wanted: Mapping[str, str]
) -> tuple[SparkSession, Any]:
    session = SparkSession.builder.getOrCreate().newSession()
    fixed = {key: value for key, value in wanted.items() if not session.conf.isModifiable(key)}
    given = {**dict(context.getConf().getAll()), **_given.get(context.applicationId, {})}
    if context.master != master or any(given.get(key) != fixed[key] for key in fixed):
        raise DataError(
            f"Spark already runs in this program, with the master {context.master} and its own "
            "settings.",
            hint="Use those, or stop it first: SparkSession.getActiveSession().stop().",
        )
    for key, value in {**SESSION, **wanted}.items():
        if key not in fixed:
            session.conf.set(key, value)
    return session, ibis.pyspark.connect(session)


def _master(address: Address) -> str:
    """Find the masters of a cluster, of which one leads and others wait; one must answer."""
    places = [_host_and_port(address, place) for place in address.host.split(",")]
    if not any(_answers(*place) for place in places):
        raise DataError(
            f"{address.place} cannot be reached.",
            hint="Check that the master runs, its address and its port.",
        )
    return "spark://" + ",".join(f"{host}:{port}" for host, port in places)


def _host_and_port(address: Address, place: str) -> tuple[str, int]:
    found = re.fullmatch(r"(\[.+\]|[^:]+)(?::(\d{1,5}))?", place)
    if found is None:
        raise DataError(f"{address.place} names no master.", hint="Write spark://host:7077#….")
    return found[1], int(found[2] or PORT)


def _answers(host: str, port: int) -> bool:
    try:
        socket.create_connection((host.strip("[]"), port), MASTER_SECONDS).close()
    except (OSError, OverflowError):
        return False
    return True


def _started(settings: Mapping[str, str]) -> SparkContext:
    """Start Java and Spark in it, with what they print kept off the terminal."""
    conf = SparkConf().setAll(list(settings.items()))
    with tempfile.TemporaryFile() as printed:
        quiet = settings["spark.log.level"] == "OFF"  # whoever asks for a log wants to see it
        outputs = {"stdout": printed, "stderr": printed} if quiet else {}
        try:
            # Java outlives a session that was stopped.
            java = SparkContext._gateway or _launched(conf, outputs)  # noqa: SLF001
            return _beside(lambda: _context(conf, java)).result()
        except Exception as error:
            printed.seek(0)
            raise unstarted(printed.read().decode(errors="replace"), str(error)) from None


def _context(conf: SparkConf, java: Any) -> SparkContext:
    context = SparkContext(conf=conf, gateway=java)
    try:
        SparkSession.builder.getOrCreate()
    except Exception:
        context.stop()  # or nobody could try again
        raise
    return context


def _launched(conf: SparkConf, outputs: Mapping[str, IO[bytes]]) -> Any:
    launch: Callable[..., Any] = launch_gateway
    launching = _beside(lambda: launch(conf, dict(outputs)))
    try:
        return launching.result()
    except (KeyboardInterrupt, SystemExit):
        # While it starts, Java does not notice that nobody wants it any more.
        wait([launching], END_SECONDS)
        if launching.done() and not launching.exception() and launching.result().proc:
            launching.result().proc.kill()
        raise


def _beside(work: Callable[[], Found]) -> "Future[Found]":
    """Begin some work in a thread that nobody has to wait for."""
    future: Future[Found] = Future()

    def do() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    Thread(target=do, daemon=True).start()
    return future
