"""Parties in processes of their own, on loopback, behind real TLS."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from collab.parties import Gathering
from deniable.collab.party_server import itself
from deniable.collab.wire.connection import Connection
from deniable.collab.wire.identity import Identity
from deniable.collab.wire.message import Message

READY = 60.0

MAIN = "\nfrom deniable.cli import main\nmain()\n"
"""What `python -m deniable` does."""


@dataclass
class Servers:
    """`deniable party serve`, a process for each party."""

    gathering: Gathering
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def start(self, name: str, *, wait: bool = True, planted: str = "") -> None:
        """Start one, and wait until it answers; a weakness may be planted in it, as Python code."""
        path = self.gathering.parties[name]
        self.running[name] = _spawned("party", "serve", str(path), planted=planted)
        if wait:
            self.wait(name)

    def wait(self, name: str) -> None:
        """Wait until a party answers."""
        party = self.gathering.party(name)
        identity = Identity.load(party.identity)
        with Connection(identity, itself(party, identity), patience=READY) as line:
            line.ask(Message("check"))

    def most_memory(self, name: str) -> int:
        """Bytes that a server ever had in memory; it is Linux that counts them."""
        status = Path(f"/proc/{self.running[name].pid}/status").read_text(encoding="ascii")
        (peak,) = (line for line in status.splitlines() if line.startswith("VmHWM:"))
        return int(peak.split()[1]) << 10

    def kill(self, name: str) -> None:
        """End one at once, without a chance to tidy up."""
        self.running[name].send_signal(signal.SIGKILL)
        self.running.pop(name).communicate()

    def stop(self) -> None:
        """End all."""
        for process in self.running.values():
            process.kill()
        for process in self.running.values():
            process.communicate()


@contextmanager
def serving(gathering: Gathering, *names: str, planted: str = "") -> Iterator[Servers]:
    """Serve some parties (all but the leader by default) while inside."""
    servers = Servers(gathering)
    wanted = names or tuple(n for n in gathering.parties if n != gathering.agreement.leader)
    try:
        for name in wanted:
            servers.start(name, wait=False, planted=planted)
        for name in wanted:
            servers.wait(name)
        yield servers
    finally:
        servers.stop()


def running(
    gathering: Gathering, name: str, *options: str, planted: str = ""
) -> subprocess.Popen[bytes]:
    """Begin `deniable collaborate run` at a party."""
    file = gathering.folder / "collaboration.yaml"
    party = gathering.parties[name]
    words = "collaborate", "run", str(file), "--party", str(party)
    return _spawned(*words, *options, planted=planted)


def _spawned(*words: str, planted: str = "") -> subprocess.Popen[bytes]:
    program = ["-m", "deniable"] if not planted else ["-c", planted + MAIN]
    return subprocess.Popen(
        [sys.executable, "-W", "ignore", *program, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )


def finished(process: subprocess.Popen[bytes], timeout: float = 120) -> tuple[int, str, str]:
    """Wait for a command: exit code, output, errors."""
    out, err = process.communicate(timeout=timeout)
    return process.returncode, out.decode(), err.decode()
