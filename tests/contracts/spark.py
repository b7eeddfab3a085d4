"""Real Spark for tests: on this machine's cores, or a cluster of two workers that may be killed."""

import json
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PATIENCE = 90.0
"""Seconds in which a process of Spark's starts, or shows what a test waits for."""

SMALL = {"spark.sql.shuffle.partitions": "2", "spark.driver.memory": "512m"}


def java() -> str | None:
    """Where Java is, if it is anywhere."""
    home = os.environ.get("JAVA_HOME")
    return shutil.which("java", path=str(Path(home, "bin"))) if home else shutil.which("java")


def local_url(path: Path) -> str:
    """Name files, to be counted by Spark in this process."""
    return f"spark+local://2?{_query(SMALL)}#{path}"


def _query(settings: dict[str, str]) -> str:
    return "&".join(f"{key}={value}" for key, value in settings.items())


@dataclass
class Cluster:
    """A master and two workers, each a process group of its own."""

    port: int
    web: int
    workers: list[subprocess.Popen[bytes]]

    def url(self, path: Path, **settings: str) -> str:
        """Name files that the cluster's machines see."""
        asked = {
            **SMALL,
            "spark.executor.memory": "512m",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            **settings,
        }
        return f"spark://127.0.0.1:{self.port}?{_query(asked)}#{path}"

    def state(self) -> dict[str, Any]:
        """What the master knows."""
        found: dict[str, Any] = fetched(f"http://127.0.0.1:{self.web}/json/")
        return found

    def alive(self) -> int:
        """How many workers the master counts on."""
        return sum(worker["state"] == "ALIVE" for worker in self.state()["workers"])

    def lose(self, number: int) -> None:
        """Take a worker and its executors away, as a machine that loses power."""
        os.killpg(self.workers[number].pid, signal.SIGKILL)
        for pid in descendants(self.workers[number].pid):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.workers[number].wait()


@contextmanager
def cluster(folder: Path) -> Iterator[Cluster]:
    """Run a master and two workers with a core each, on free ports of this machine only."""
    port, web = free_port(), free_port()
    with ExitStack() as stack:
        master = ["master.Master", "--host", "127.0.0.1", "--port", port, "--webui-port", web]
        stack.enter_context(_running(folder, master))
        workers = [
            stack.enter_context(
                _running(
                    folder,
                    [
                        *("worker.Worker", "--host", "127.0.0.1", "--port", free_port()),
                        *("--webui-port", free_port(), "--cores", 1, "--memory", "640m"),
                        *("--work-dir", folder / f"work-{number}"),
                        f"spark://127.0.0.1:{port}",
                    ],
                )
            )
            for number in range(2)
        ]
        found = Cluster(port, web, workers)
        eventually(lambda: found.alive() == len(workers))
        yield found


@contextmanager
def _running(folder: Path, words: list[object]) -> Iterator[subprocess.Popen[bytes]]:
    import pyspark

    home = Path(pyspark.__file__).parent
    program, *rest = words
    command = [home / "bin" / "spark-class", f"org.apache.spark.deploy.{program}", *rest]
    settings = {
        "SPARK_HOME": str(home),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_NO_DAEMONIZE": "1",
    }
    with (folder / f"{program}.log").open("ab") as log:
        process = subprocess.Popen(
            list(map(str, command)),
            env={**os.environ, **settings},
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        for pid in descendants(process.pid):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def descendants(pid: int) -> list[int]:
    """Processes that a process started, and those that they did."""
    children: list[int] = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            if int(path.read_text().rpartition(")")[2].split()[1]) == pid:
                children.append(int(path.parent.name))
    return [*children, *(grand for child in children for grand in descendants(child))]


def fetched(address: str) -> Any:
    """Read JSON from this machine."""
    with urllib.request.urlopen(address, timeout=10) as answer:  # noqa: S310 (our own cluster)
        return json.load(answer)


def eventually(true: Any) -> None:
    """Wait until something holds; not being there yet is no error."""
    deadline = time.monotonic() + PATIENCE
    while True:
        with suppress(OSError, ValueError, LookupError):
            if true():
                return
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.05)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
