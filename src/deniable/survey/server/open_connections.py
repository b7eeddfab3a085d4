"""Which connections are open, and which of them the server waits for: those are the first to go.

Who sends slowly, reads slowly or keeps quiet has a deadline. Where there is no more room, whoever
has been waited for longest makes some for the next: it is never an honest visitor, who is quick,
while somebody holds connections on purpose.
"""

import asyncio
import contextlib
from typing import Protocol

from deniable.survey.server.rate_limit import network

MOST_OPEN_CONNECTIONS = 4_096
"""Open at once: each may hold a head of 32 KB, and all of them together are to fit into memory."""

SHARE_OF_ONE = 4
"""One address may hold a quarter of them: a campus may share it, and others are to have room."""

LOOK_EVERY = 0.25
"""Seconds between two looks at the deadlines."""

SPREAD, STEPS = 0.3, 64
"""Deadlines of those who came at once differ by up to so much: they would come again at once."""


class Waited(Protocol):
    """A connection whose other end may have to do something next."""

    def expire(self) -> None:
        """The other end took too long."""

    def make_room(self) -> None:
        """Somebody else needs the place."""


class OpenConnections:
    """The connections of one server."""

    def __init__(self, most: int, most_of_one: int | None) -> None:
        """Allow so many in all, and from one address; None: all come from one, which is a proxy."""
        self._most, self._most_of_one = most, most_of_one
        self._network_of: dict[Waited, bytes] = {}
        self._numbers: dict[bytes, int] = {}
        # Both in the order in which waiting began: a dictionary keeps it, and finds each at once.
        self._deadlines: dict[Waited, float] = {}
        self._waiting_of: dict[bytes, dict[Waited, None]] = {}
        self._look: asyncio.TimerHandle | None = None
        self._step = 0

    def admit(self, connection: Waited, address: str) -> bool:
        """Note a new connection, and end another where there are too many; False: no room."""
        who = network(address) if self._most_of_one else b""
        if self._numbers.get(who, 0) >= (self._most_of_one or self._most):
            found = self._end_first(self._waiting_of.get(who, {}))
        else:
            found = len(self._network_of) < self._most or self._end_first(self._deadlines)
        if found:
            self._network_of[connection] = who
            self._numbers[who] = self._numbers.get(who, 0) + 1
            if self._look is None:
                self._look = asyncio.get_running_loop().call_later(LOOK_EVERY, self._end_overdue)
        return found

    def wait(self, connection: Waited, seconds: float) -> None:
        """The other end has so long to do what is next, or somewhat less."""
        who = self._network_of.get(connection)
        if who is None:
            return  # it has been told to go
        self.attend(connection)
        self._step = (self._step + 1) % STEPS
        allowed = seconds * (1 - SPREAD * self._step / STEPS)
        self._deadlines[connection] = asyncio.get_running_loop().time() + allowed
        self._waiting_of.setdefault(who, {})[connection] = None

    def attend(self, connection: Waited) -> None:
        """What is next is up to us."""
        if self._deadlines.pop(connection, None) is not None:
            self._waiting_of[self._network_of[connection]].pop(connection)

    def forget(self, connection: Waited) -> None:
        """It has ended, or is about to."""
        self.attend(connection)
        who = self._network_of.pop(connection, None)
        if who is not None:
            self._numbers[who] -= 1
            if not self._numbers[who]:
                self._numbers.pop(who)
                self._waiting_of.pop(who, None)

    def _end_first(self, waiting: dict[Waited, float] | dict[Waited, None]) -> bool:
        for connection in waiting:
            self.forget(connection)
            connection.make_room()
            return True
        return False

    def _end_overdue(self) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        for connection in [found for found, end in self._deadlines.items() if end < now]:
            self.attend(connection)
            connection.expire()
        self._look = loop.call_later(LOOK_EVERY, self._end_overdue) if self._network_of else None


def room_for_connections() -> int:
    """How many fit: half of the files that may be open, for those that are about to close count."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft != resource.RLIM_INFINITY:
            return max(min(MOST_OPEN_CONNECTIONS, soft // 2), SHARE_OF_ONE)
    return MOST_OPEN_CONNECTIONS


def allow_files() -> None:
    """Open as many files as the system allows, not as few as it is set to at first."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
