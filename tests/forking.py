"""Starts `deniable` commands quickly: a process that has imported everything forks each of them.

What runs is the command as users run it, in a process of its own that can be killed; only the
seconds that Python needs for its imports are saved.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from typing import Any, Literal

from tiers import heavy
from waiting import PATIENCE, eventually

NURSE = """
import gc, importlib, itertools, json, os, signal, sys
import deniable.cli
from deniable.cli.commands import COMMANDS, load_command

for name in COMMANDS:
    load_command(name)

for name in sys.argv[1:]:
    importlib.import_module(name)

gc.freeze()  # children need not look through all that was imported

def doom(place, number, moment):
    module, _, names = place.partition(":")
    *path, last = names.split(".")
    owner = importlib.import_module(module)
    for name in path:
        owner = getattr(owner, name)
    function, calls = getattr(owner, last), itertools.count(1)

    def doomed(*words, **named):
        this = next(calls)
        if (this, moment) == (number, "before"):
            os.kill(os.getpid(), signal.SIGKILL)
        result = function(*words, **named)
        if (this, moment) == (number, "after"):
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    setattr(owner, last, doomed)

for line in sys.stdin:
    asked = json.loads(line)
    if isinstance(asked, int):
        answer = os.waitstatus_to_exitcode(os.waitpid(asked, 0)[1])
    else:
        sys.stdout.flush()
        answer = os.fork()
        if not answer:
            sys.argv, output = asked["words"], asked["output"]
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            for stream in (1, 2):
                os.dup2(os.open(output, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), stream)
            if asked["doom"]:
                doom(*asked["doom"])
            exec(asked["plant"])
            sys.exit(deniable.cli.main())
    print(answer, flush=True)
"""


@dataclass(frozen=True)
class Doom:
    """When a command kills itself: before, or after, it calls a function for the nth time."""

    function: Callable[..., object] | str
    number: int
    moment: Literal["before", "after"]

    @property
    def place(self) -> str:
        """The function by its name; those of the system are named by their module."""
        if isinstance(self.function, str):
            return self.function
        return f"{self.function.__module__}:{self.function.__qualname__}"


class Nursery:
    """Forks commands."""

    def __init__(self, folder: Path, *imports: str) -> None:
        self._folder = folder
        self._nurse = subprocess.Popen(
            [sys.executable, "-c", NURSE, *imports],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
        )
        self._commands = 0

    def start(self, *words: object, doom: Doom | None = None, plant: str = "") -> "Command":
        """Start a command, in which statements may have planted a weakness."""
        self._commands += 1
        output = self._folder / f"output-{self._commands}"
        asked = {"words": ["deniable", *map(str, words)], "output": str(output)}
        if doom:
            heavy("a command that is killed")
        end = [doom.place, doom.number, doom.moment] if doom else None
        process = self._ask({**asked, "doom": end, "plant": plant})
        return Command(self, process, output)

    def run(self, *words: object) -> tuple[int, str]:
        """Run a command to its end; give its status and what it wrote."""
        command = self.start(*words)
        return command.wait(), command.output.read_text()

    def wait(self, process: int) -> int:
        """Wait for the end of a command."""
        return self._ask(process)

    def close(self) -> None:
        """End the nursery; its commands have ended already."""
        assert self._nurse.stdin is not None
        assert self._nurse.stdout is not None
        self._nurse.stdin.close()
        self._nurse.wait(PATIENCE)
        self._nurse.stdout.close()

    def _ask(self, asked: Any) -> int:
        assert self._nurse.stdin is not None
        assert self._nurse.stdout is not None
        self._nurse.stdin.write(f"{json.dumps(asked)}\n")
        self._nurse.stdin.flush()
        return int(self._nurse.stdout.readline())


class Command:
    """A command that runs, or has ended."""

    def __init__(self, nursery: Nursery, process: int, output: Path) -> None:
        self._nursery, self._process, self.output = nursery, process, output
        self._status: int | None = None

    def wait(self) -> int:
        """Wait for its end; a negative status is the signal that ended it."""
        if self._status is None:
            deadline = Timer(PATIENCE, os.kill, (self._process, signal.SIGKILL))
            deadline.start()
            self._status = self._nursery.wait(self._process)
            deadline.cancel()
        return self._status

    @contextmanager
    def halted(self) -> Iterator[None]:
        """Stop it wherever it is just now, and let it go on at the end of the block."""
        threads = Path(f"/proc/{self._process}/task")
        os.kill(self._process, signal.SIGSTOP)
        try:
            eventually(lambda: all(_state(thread) == "T" for thread in threads.iterdir()))
            yield
        finally:
            os.kill(self._process, signal.SIGCONT)

    @property
    def process(self) -> int:
        """Its number."""
        return self._process

    def end(self, how: signal.Signals) -> int:
        """Send a signal, and wait for the end."""
        if self._status is None:
            os.kill(self._process, how)
        return self.wait()


def _state(thread: Path) -> str:
    return (thread / "stat").read_text().rpartition(") ")[2][0]


@contextmanager
def nursery_in(folder: Path, *imports: str) -> Iterator[Nursery]:
    """Open a nursery that keeps outputs in a folder, and has imported these modules."""
    nursery = Nursery(folder, *imports)
    try:
        yield nursery
    finally:
        nursery.close()
