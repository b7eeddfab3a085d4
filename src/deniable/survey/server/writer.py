"""One thread writes. Answers that arrive together are committed together, then acknowledged."""

import asyncio
from collections.abc import Callable, Sequence
from typing import TypeVar

from deniable.survey.protocol import Submission
from deniable.survey.server.bounded_threads import BoundedThreads
from deniable.survey.server.refusals import Away
from deniable.survey.store.intake import Verdict

MOST_AT_ONCE = 500
"""Answers in one transaction."""

MOST_IN_LINE = 5_000
"""Answers that may wait for theirs, and other things to be written."""

LINE_SECONDS = 10
"""How long they wait. Whoever is told to try again sends the same answer, which is kept once."""

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
        self._thread = BoundedThreads("writer", threads=1, most=MOST_IN_LINE, seconds=LINE_SECONDS)
        self._task: asyncio.Task[None] | None = None

    async def keep(self, submission: Submission) -> Verdict:
        """Commit an answer; when this returns, the verdict is on the disk."""
        if len(self._waiting) >= MOST_IN_LINE:
            raise Away
        verdict: asyncio.Future[Verdict] = asyncio.get_running_loop().create_future()
        self._waiting.append((submission, verdict))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._write())
        try:
            async with asyncio.timeout(LINE_SECONDS):
                return await verdict
        except TimeoutError:
            raise Away from None

    async def run(self, write: Callable[..., Done], *given: object) -> Done:
        """Write something else than an answer."""
        return await self._thread.run(write, *given)

    async def close(self) -> None:
        """Commit what waits, and stop."""
        if self._task is not None:
            await self._task
        self._thread.close()

    async def _write(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[:MOST_AT_ONCE], self._waiting[MOST_AT_ONCE:]
            # Who was told to try again meanwhile does so: what hung is not to work it off twice.
            await self._commit([(sent, waits) for sent, waits in batch if not waits.done()])

    async def _commit(self, batch: list[Waiting]) -> None:
        submissions = [submission for submission, _ in batch]
        try:
            verdicts = await self._thread.begin(self._keep, submissions)
        except Exception as error:
            # Each respondent is told; the server goes on.
            for _, waits in batch:
                if not waits.done():
                    waits.set_exception(error)
            return
        for (_, waits), verdict in zip(batch, verdicts, strict=True):
            if not waits.done():  # unless the respondent has left meanwhile
                waits.set_result(verdict)
