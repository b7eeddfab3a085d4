"""Workers, seen from the process that starts them: pieces go out, words come back.

However this process ends, no worker outlives it: they are killed on the way out, and one whose
link is cut, because this process was killed itself, ends before its next batch.
"""

import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from typing import Any

from deniable.base.errors import OutputError
from deniable.source.shards.memory_limit import Crew, in_words
from deniable.source.shards.pieces import FilePiece
from deniable.source.shards.worker import Job, Word
from deniable.source.stream import Progress


def disguise_pieces(job: Job, pieces: Sequence[FilePiece], crew: Crew, progress: Progress) -> int:
    """Give every piece to the next free worker; return the number of records."""
    waiting, done = deque(pieces), 0
    busy: dict[Any, Worker] = {}
    with ExitStack() as stack:
        for _ in range(crew.workers):
            worker = stack.enter_context(_started(crew.share))
            worker.send(job)
            worker.give(waiting.popleft())
            busy[worker.link] = worker
        while busy:
            for link in wait(list(busy)):
                word = busy[link].word()
                done += word.records
                progress(done)
                if word.finished and waiting:
                    busy[link].give(waiting.popleft())
                elif word.finished:
                    del busy[link]
    return done


@dataclass(eq=False)
class Worker:
    """A process that disguises one piece at a time."""

    link: "Connection[Any, Any]"
    process: subprocess.Popen[bytes]
    share: int
    """Bytes of memory that it may take."""

    piece: FilePiece | None = None

    def give(self, piece: FilePiece) -> None:
        """Hand it the next piece."""
        self.piece = piece
        self.send(piece)

    def send(self, what: object) -> None:
        """Send it something."""
        with self._alive():
            self.link.send(what)

    def word(self) -> Word:
        """Hear what it says next; what it failed at is raised here."""
        with self._alive():
            said = self.link.recv()
        if not isinstance(said, Word):
            raise said
        if said.peak > self.share:
            raise OutputError(
                f"A worker came to hold {in_words(said.peak)} while it disguised {self._where}, "
                f"and may hold {in_words(self.share)}.",
                hint="Allow more --memory, or run fewer --workers.",
            )
        return said

    @property
    def _where(self) -> str:
        return str(self.piece.path) if self.piece else "nothing yet"

    @contextmanager
    def _alive(self) -> Iterator[None]:
        try:
            yield
        except (EOFError, ConnectionError):
            code = self.process.wait()
            how = f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
            raise OutputError(
                f"A worker ended while it disguised {self._where} ({how}).",
                hint="Nothing was written. If memory was short, run fewer --workers.",
            ) from None


@contextmanager
def _started(share: int) -> Iterator[Worker]:
    """Start a worker; on the way out it is killed, for then it is idle or no longer wanted."""
    link, theirs = Pipe()
    code = f"from deniable.source.shards.worker import serve; serve({theirs.fileno()})"
    with link:
        with theirs, _interrupts_held_back():
            process = subprocess.Popen(  # noqa: S603 (this very interpreter)
                [sys.executable, "-P", "-c", code],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env={
                    **os.environ,
                    "PYTHONPATH": os.pathsep.join(sys.path),  # the same modules as here
                    "OPENBLAS_NUM_THREADS": "1",
                    "OMP_NUM_THREADS": "1",
                },
            )
        try:
            yield Worker(link, process, share)
        finally:
            process.kill()
            process.wait()


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Let what is started here not be told of Ctrl-C: whoever started it tidies up."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
