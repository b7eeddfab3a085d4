"""One thread writes. Answers that arrive together are committed together, then acknowledged."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from deniable.survey.protocol import Submission
from deniable.survey.store.intake import Verdict

MOST_AT_ONCE = 500
"""Answers in one transaction."""

Keep = Callable[[Sequence[Submission]], list[Verdict]]
Done = TypeVar("Done")
Waiting = tuple[Submission, "asyncio.Future[Verdict]"]


class Writer:
    """Hands whatever is written to one thread: writers would only wait for each other.

    While it commits, others gather; then all of them are the next transaction. So the disk is
    waited for once per batch, not once per answer.
    """

    def __init__(self, keep: Keep) -> None:
        self._keep = keep
        self._waiting: list[Waiting] = []
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="writer")
        self._task: asyncio.Task[None] | None = None

    async def keep(self, submission: Submission) -> Verdict:
        """Commit an answer; when this returns, the verdict is on the disk."""
        verdict: asyncio.Future[Verdict] = asyncio.get_running_loop().create_future()
        self._waiting.append((submission, verdict))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._write())
        return await verdict

    async def run(self, write: Callable[..., Done], *given: object) -> Done:
        """Write something else than an answer."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, write, *given)

    async def close(self) -> None:
        """Commit what waits, and stop."""
        if self._task is not None:
            await self._task
        self._thread.shutdown()

    async def _write(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[:MOST_AT_ONCE], self._waiting[MOST_AT_ONCE:]
            await self._commit(batch)

    async def _commit(self, batch: list[Waiting]) -> None:
        loop = asyncio.get_running_loop()
        submissions = [submission for submission, _ in batch]
        try:
            verdicts = await loop.run_in_executor(self._thread, self._keep, submissions)
        except Exception as error:
            # Each respondent is told; the server goes on.
            for _, waits in batch:
                if not waits.done():
                    waits.set_exception(error)
            return
        for (_, waits), verdict in zip(batch, verdicts, strict=True):
            if not waits.done():  # unless the respondent has left meanwhile
                waits.set_result(verdict)
