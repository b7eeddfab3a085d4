"""Real Spark for tests: on this machine's cores, or a cluster of workers that may be lost.

Spark comes from the pyspark package; Java must be there. Where it is not, tests that need it are
left out, which the end of all tests says loudly (tests/conftest.py); in CI they fail.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from absence import leave_out
from tiers import heavy
from waiting import eventually

OLDEST_JAVA = 17

START_QUICKLY = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData"
SMALL = {
    "spark.driver.memory": "1g",
    "spark.driver.extraJavaOptions": START_QUICKLY,
    "spark.sql.shuffle.partitions": "2",
}
WORKER = {
    "spark.executor.memory": "512m",
    "spark.executor.extraJavaOptions": START_QUICKLY,
    # Who counts needs no Python: should Spark want one, there is none.
    "spark.pyspark.python": "/nowhere/python",
}

ADDRESS = ("--host", "127.0.0.1", "--port", "0", "--webui-port", "0")
"""Of this machine only, and on whichever ports are free."""


NO_JAVA = (
    f"Spark needs Java {OLDEST_JAVA}",
    f"Install Java {OLDEST_JAVA} or newer, or set JAVA_HOME.",
)


@cache
def java() -> str | None:
    """Where Java is, if there is one that is new enough."""
    home = os.environ.get("JAVA_HOME")
    found = shutil.which("java", path=str(Path(home, "bin")) if home else None)
    if found is None:
        return None
    said = subprocess.run([found, "-version"], capture_output=True, text=True, check=False).stderr
    version = re.search(r'version "(\d+)', said)
    return found if version and int(version[1]) >= OLDEST_JAVA else None


def require_java() -> None:
    """Leave the test out where there is no Java; in CI, fail."""
    heavy("Spark")
    if java() is None:
        leave_out(*NO_JAVA)


def local_url(path: Path) -> str:
    """Name files, to be counted by Spark on this machine; always the same Spark in a process."""
    require_java()
    return f"spark+local://2?{_query(SMALL)}#{quote(str(path))}"


def _query(settings: Mapping[str, str]) -> str:
    return urlencode(settings, quote_via=quote)


@dataclass
class Worker:
    """A process, and the folder in which it keeps what its executors need."""

    process: subprocess.Popen[bytes]
    folder: Path

    def executors(self, application: str = "*") -> list[str]:
        """Numbers of the executors that it was asked for."""
        return [path.name for path in self.folder.glob(f"{application}/*")]

    def send(self, sign: signal.Signals) -> None:
        """Send a signal to the worker and its executors, which are in its process group."""
        os.killpg(self.process.pid, sign)


@dataclass
class Cluster:
    """A master, and workers with one core each, on this machine only."""

    folder: Path
    url: str = ""
    web: str = ""
    workers: list[Worker] = field(default_factory=list)
    _stack: ExitStack = field(default_factory=ExitStack)

    def table(self, path: Path, **settings: str) -> str:
        """Name files that the cluster's machines see."""
        return f"{self.url}?{_query({**SMALL, **WORKER, **settings})}#{quote(str(path))}"

    def alive(self) -> int:
        """How many workers the master counts on."""
        return sum(each["state"] == "ALIVE" for each in fetched(f"{self.web}/json/")["workers"])

    def add_master(self) -> None:
        """Start the master, which chooses its ports itself."""
        _, log = self._start("master", "master.Master", *ADDRESS)

        def listening() -> bool:
            said = log.read_text()
            self.url = re.findall(r"Starting Spark master at (spark://\S+)", said)[0]
            web = re.findall(r"service 'MasterUI' on port (\d+)", said)[0]
            self.web = f"http://127.0.0.1:{web}"
            return True

        eventually(listening)

    def add_worker(self) -> None:
        """Start a worker."""
        folder = self.folder / f"worker-{len(self.workers)}"
        size = ("--cores", "1", "--memory", "700m", "--work-dir", str(folder))
        process, _ = self._start(folder.name, "worker.Worker", *ADDRESS, *size, self.url)
        self.workers.append(Worker(process, folder))

    def lose(self, worker: Worker) -> None:
        """Take a worker and its executors away, as a machine that loses power."""
        worker.send(signal.SIGKILL)
        worker.process.wait()

    def stop(self) -> None:
        """Leave no process behind."""
        self._stack.close()

    def _start(self, name: str, program: str, *words: str) -> tuple[subprocess.Popen[bytes], Path]:
        import pyspark

        home = Path(pyspark.__file__).parent
        environment = {
            "SPARK_HOME": str(home),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_LOCAL_DIRS": str(self.folder / "scratch"),
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_DAEMON_JAVA_OPTS": START_QUICKLY,
        }
        log = self.folder / f"{name}.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [str(home / "bin/spark-class"), f"org.apache.spark.deploy.{program}", *words],
                env={**os.environ, **environment},
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        self._stack.callback(process.wait)
        self._stack.callback(_kill_group, process.pid)
        return process, log


def _kill_group(leader: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)


@contextmanager
def cluster(folder: Path, workers: int = 2) -> Iterator[Cluster]:
    """Run a cluster; whatever happens, all its processes end."""
    require_java()
    running = Cluster(folder)
    try:
        running.add_master()
        for _ in range(workers):
            running.add_worker()
        eventually(lambda: running.alive() == workers)
        yield running
    finally:
        running.stop()


def fetched(address: str) -> Any:
    """Read JSON from this machine."""
    with urllib.request.urlopen(address, timeout=10) as answer:  # noqa: S310 (our own cluster)
        return json.load(answer)
