"""Work that may take long, in a few threads of its own: whatever happens there, others go on.

Those who wait do so for a while only, and only so many at once. So a database that hangs, or a
password that is tried a thousand times, stops neither the page nor the answers of anybody else.
"""

import asyncio
import contextlib
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from deniable.survey.server.refusals import Away

Done = TypeVar("Done")


class BoundedThreads:
    """So many threads, so many who wait for them, and so many seconds."""

    def __init__(
        self, name: str, *, threads: int, most: int, seconds: float, niceness: int = 0
    ) -> None:
        self._pool = ThreadPoolExecutor(
            threads, thread_name_prefix=name, initializer=_give_way, initargs=(niceness,)
        )
        self._most, self._seconds = most, seconds
        self._asked = 0

    async def run(self, work: Callable[..., Done], *given: object) -> Done:
        """Have something done; refused where too many wait already, or when it takes too long.

        What was not begun by then is not done at all. What was, ends when it can.
        """
        if self._asked >= self._most:
            raise Away
        self._asked += 1
        late = threading.Event()

        def unless_late() -> Done:
            if late.is_set():
                raise Away
            return work(*given)

        future = asyncio.get_running_loop().run_in_executor(self._pool, unless_late)
        future.add_done_callback(self._note_end)
        done, _ = await asyncio.wait({future}, timeout=self._seconds)
        if not done:
            late.set()
            raise Away
        return future.result()

    def begin(self, work: Callable[..., Done], *given: object) -> "asyncio.Future[Done]":
        """Have something done, however long it takes."""
        return asyncio.get_running_loop().run_in_executor(self._pool, work, *given)

    def close(self) -> None:
        """End, when all is done."""
        self._pool.shutdown()

    def _note_end(self, future: "asyncio.Future[Done]") -> None:
        self._asked -= 1
        if not future.cancelled():
            future.exception()  # whoever still waits is told; else it is nobody's concern


def _give_way(niceness: int) -> None:
    """Let other threads go first, where the system knows how."""
    if niceness:
        with contextlib.suppress(AttributeError, OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), niceness)
