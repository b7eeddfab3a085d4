"""Working off pieces in several processes; whatever their order and number, the results are equal.

Even one job is a process of its own, with one thread for linear algebra, because the last bits of a
sum may depend on how many threads share it.
"""

import os
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context

from deniable.base.errors import OutputError
from deniable.papers.reproduction.experiment import Done, Piece

WATCH = 1.0
"""Seconds after which a worker sees that nobody waits for it any more."""

SIGN_OF_LIFE = 1.0
"""Seconds without a finished piece after which whoever waits is told so."""

ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def usable_cores() -> int:
    """How many processes can run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def worked(pieces: Sequence[Piece], seed: int, jobs: int) -> Iterator[tuple[Piece, Done] | None]:
    """Do the work, and give each piece as it is done; now and then nothing, as a sign of life."""
    if not pieces:
        return
    with _pool(min(jobs, len(pieces))) as pool:
        under_way: dict[Future[Done], Piece] = {
            pool.submit(piece.run, seed): piece for piece in pieces
        }
        while under_way:
            finished, _ = wait(under_way, SIGN_OF_LIFE, return_when=FIRST_COMPLETED)
            if not finished:
                yield None
            for future in finished:
                yield under_way.pop(future), future.result()


@contextmanager
def _pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Start workers as they are needed; however this is left, they end."""
    before = {name: os.environ.get(name) for name in ONE_THREAD}
    os.environ.update(ONE_THREAD)
    # Workers begin afresh: what a fork would copy (threads, locks) may be in any state.
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _begin, (os.getpid(),))
    try:
        yield pool
    except BrokenProcessPool:
        raise OutputError(
            "A worker ended before its work was done.",
            hint="If memory was short, run fewer --jobs; what was finished is kept.",
        ) from None
    finally:
        workers = list((pool._processes or {}).values())  # noqa: SLF001 (no other way to stop one)
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in workers:
            worker.terminate()
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _begin(parent: int) -> None:
    """Leave interruptions to the parent, and end when it does, however that ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(WATCH)
    os._exit(1)
