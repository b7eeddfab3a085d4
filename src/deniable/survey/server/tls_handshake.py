"""The handshake of https, which takes a place among the connections like everything after it.

uvicorn hears of a connection only when its handshake is done. Whoever began thousands and ended
none used up all files that the server may open, and everybody else was turned away.
"""

import asyncio
import ssl
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from deniable.survey.server.limited_connection import HEAD_SECONDS
from deniable.survey.server.open_connections import OpenConnections


class Handshake(asyncio.Protocol):
    """A connection until it is encrypted; then another protocol has it."""

    def __init__(
        self,
        then: Callable[[], asyncio.Protocol],
        context: ssl.SSLContext,
        others: OpenConnections,
    ) -> None:
        self._then, self._context, self._others = then, context, others
        self._early = b""
        self._is_lost = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a place, and begin."""
        self._transport = transport
        client = transport.get_extra_info("peername")
        if self._others.admit(self, client[0] if client else ""):
            self._others.wait(self, HEAD_SECONDS)
            loop = asyncio.get_running_loop()
            self._task = loop.create_task(self._encrypt())
            # Once the task has begun, and what it wanted done first is done; then come new bytes.
            loop.call_soon(loop.call_soon, self._hand_over)
        else:
            self.make_room()

    def data_received(self, data: bytes) -> None:
        """Keep what comes before the handshake begins, and what comes right after it."""
        self._early += data

    def _hand_over(self) -> None:
        """Give what came before the handshake began to whoever does it.

        uvloop reads at once, and would not be told to wait.
        """
        shaking: Any = (
            self._transport.get_protocol()
        )  # an asyncio.BufferedProtocol, in all but name
        early, self._early = self._early, b""
        while early and shaking is not self:
            room = shaking.get_buffer(len(early))
            part, early = early[: len(room)], early[len(room) :]
            memoryview(room)[: len(part)] = part
            shaking.buffer_updated(len(part))

    def connection_lost(self, _: Exception | None) -> None:
        """Note that nobody is there any more."""
        self._is_lost = True

    def expire(self) -> None:
        """End: it took too long."""
        self.make_room()

    def make_room(self) -> None:
        """End at once."""
        self._transport.abort()

    async def _encrypt(self) -> None:
        encrypted = None
        try:
            with suppress(OSError):  # whatever was sent is no handshake, or nobody is there
                encrypted = await asyncio.get_running_loop().start_tls(
                    self._transport,
                    self,
                    self._context,
                    server_side=True,
                    ssl_handshake_timeout=HEAD_SECONDS,
                    ssl_shutdown_timeout=HEAD_SECONDS,
                )
        finally:
            self._others.forget(self)
        if encrypted is None or self._is_lost or encrypted.is_closing():
            self._transport.abort()
            return
        protocol = self._then()
        encrypted.set_protocol(protocol)
        protocol.connection_made(encrypted)
        if self._early:
            protocol.data_received(self._early)
