"""What the server reads from the database, never on the event loop, and never for long."""

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import delete

from deniable.survey.server.bounded_threads import BoundedThreads
from deniable.survey.server.refusals import Away
from deniable.survey.server.writer import Writer
from deniable.survey.store.database import DatabaseError
from deniable.survey.store.rows import put_setting
from deniable.survey.store.store import Store
from deniable.survey.store.tables import settings

READ_SECONDS = 5
HEALTH_SECONDS = 3
HEALTH_LASTS = 1.0
"""Seconds after which health is looked at anew: each look is a commit."""

REHEARSAL = "rehearsal"

Found = TypeVar("Found")


class Reads:
    """Reads by few threads; those who ask for the same setting at once share one look at it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._threads = BoundedThreads("reader", threads=4, most=500, seconds=READ_SECONDS)
        self._looks: dict[str, asyncio.Task[str | None]] = {}

    async def run(self, read: Callable[..., Found], *given: object) -> Found:
        """Read something."""
        return await self._threads.run(read, *given)

    async def setting(self, name: str) -> str | None:
        """Read a setting."""
        look = self._looks.get(name)
        if look is None:
            look = asyncio.create_task(self._threads.run(self._store.setting, name))
            self._looks[name] = look
            look.add_done_callback(lambda _: self._looks.pop(name))
        return await asyncio.shield(look)


def rehearse(store: Store) -> None:
    """Commit something that leaves nothing: also a disk that is full shows only then."""
    with store.database.writing() as connection:
        put_setting(connection, REHEARSAL, "")
        connection.execute(delete(settings).where(settings.c.name == REHEARSAL))


class Health:
    """Whether an answer could be kept now: something is written, by the thread that keeps them."""

    def __init__(self, store: Store, writer: Writer) -> None:
        self._store, self._writer = store, writer
        self._look: asyncio.Task[bool] | None = None
        self._ended = 0.0

    async def is_well(self) -> bool:
        """Look, or share the look of another; one that takes long is a bad sign."""
        if self._look is None or (
            self._look.done() and time.monotonic() - self._ended > HEALTH_LASTS
        ):
            self._look = asyncio.create_task(self._can_write())
        done, _ = await asyncio.wait({self._look}, timeout=HEALTH_SECONDS)
        return bool(done) and self._look.result()

    async def _can_write(self) -> bool:
        try:
            await self._writer.run(rehearse, self._store)
        except (DatabaseError, Away):
            return False
        finally:
            self._ended = time.monotonic()
        return True
