"""One connection: uvicorn's own, with an end to all that its other end could do without end.

uvicorn reads heads of any length for any time, and queues any number of requests that come before
the first is answered. Here, heads, bodies and silences have limits, with a proxy in front or not.
"""

import asyncio
import socket
import struct
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from deniable.survey.server.open_connections import OpenConnections

if TYPE_CHECKING:
    from uvicorn._types import ASGI3Application

HEAD_BYTES, MOST_HEADERS, HEAD_SECONDS = 32 * 1024, 100, 15
"""Of all that comes before the body; also how long a connection may be quiet."""

BODY_BYTES, BODY_SECONDS = 128 * 1024, 20
"""Of the rest, with what stands between its parts. The application refuses bodies long before."""

HELD_BYTES = 16 * 1024
"""Of a body that is not whole, before the application is asked about it."""

STALL_BYTES, STALL_SECONDS = 16 * 1024, 20
"""Whoever reads less of an answer than that in the time has stopped reading."""

TOO_LONG = b"HTTP/1.1 431 Head Too Long\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class _LastRequestError(Exception):
    """Nothing more is read from this connection."""


class LimitedConnection(HttpToolsProtocol):
    """A connection that does not hold the server up."""

    def __init__(self, *given: Any, others: OpenConnections, **named: Any) -> None:
        super().__init__(*given, **named)
        self._others = others
        self._is_first = True
        self._in_head = True
        self._left = HEAD_BYTES
        self._is_last = False
        self._held: tuple[RequestResponseCycle, ASGI3Application] | None = None
        self._unsent = 0

    # --- Coming and going ------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a place among the others."""
        super().connection_made(transport)
        if self._others.admit(self, self.client[0] if self.client else ""):
            self._others.wait(self, HEAD_SECONDS)
        else:
            self.make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        """Leave the place to another."""
        self._others.forget(self)
        if self._held is not None:
            self._held[0].on_response = lambda: None  # they hold each other
            self._held = None
        super().connection_lost(exc)

    def make_room(self) -> None:
        """End at once, and let the system forget what the other end has not read."""
        opened = self.transport.get_extra_info("socket")  # none is left of one that has ended
        if opened is not None:
            with suppress(OSError):
                opened.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.transport.abort()

    def expire(self) -> None:
        """End, unless an answer is still being read."""
        unsent = self.transport.get_write_buffer_size()
        if 0 < unsent <= self._unsent - STALL_BYTES:
            self._unsent = unsent
        elif not unsent and not self.transport.is_closing():
            self.transport.close()  # what was sent and not read yet, the system delivers
        else:
            self.make_room()
        self._others.wait(self, STALL_SECONDS)

    # --- What the other end sends ----------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Read on, up to the limit of what is being read."""
        while data and not self._is_last and not self.transport.is_closing():
            part, data = data[: self._left + 1], data[self._left + 1 :]
            self._left -= len(part)  # begins anew when the head, or the whole request, is there
            super().data_received(part)
            if self._left < 0:
                self._refuse()

    def on_message_begin(self) -> None:
        """Begin with a request; one that comes before the last was answered is not read."""
        if self._is_busy():
            self._make_last()
            raise _LastRequestError
        super().on_message_begin()
        if not self._is_first:  # the connection was quiet for a while, and has its time again
            self._wait()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Note a header; what is sent as one after the body is none."""
        if not self._in_head:
            return
        if len(self.headers) >= MOST_HEADERS:
            self._refuse()
            raise _LastRequestError
        super().on_header(name, value)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: "ASGI3Application") -> None:
        """Hold a request until it is whole: thousands that never are cost little memory so."""
        if self._in_head and not self.expect_100_continue and _may_be_whole(self.headers):
            self._held = (cycle, app)
        else:
            super()._start_asgi_task(cycle, app)

    def on_headers_complete(self) -> None:
        """Wait for the body."""
        super().on_headers_complete()
        self._is_first = False
        self._in_head, self._left = False, BODY_BYTES
        self._wait()

    def on_body(self, body: bytes) -> None:
        """Take a part; what is too large for an answer is refused before it is whole."""
        super().on_body(body)
        if len(self.cycle.body) > HELD_BYTES:
            self._hand_on()

    def on_message_complete(self) -> None:
        """Nothing is missing."""
        super().on_message_complete()
        self._hand_on()
        self._in_head, self._left = True, HEAD_BYTES
        self._wait()

    def send_400_response(self, msg: str) -> None:
        """Say that a request cannot be read, unless another is being answered or all was said."""
        if self._is_busy() and self._in_head:
            self._make_last()
        elif not self.transport.is_closing():
            super().send_400_response(msg)

    def _unsupported_upgrade_warning(self) -> None:
        """What follows would be another protocol: it must not be read as a request."""
        self._make_last()

    # --- What we send ----------------------------------------------------------------------------

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._unsent = self.transport.get_write_buffer_size()
        self._wait()

    def pause_writing(self) -> None:
        """Wait until the other end has read."""
        super().pause_writing()
        self._unsent = self.transport.get_write_buffer_size()
        self._wait()

    def resume_writing(self) -> None:
        """Go on."""
        super().resume_writing()
        self._wait()

    # --- Within ----------------------------------------------------------------------------------

    def _is_busy(self) -> bool:
        return not self._is_first and not self.cycle.response_complete

    def _wait(self) -> None:
        """Note whose turn it is, and until when."""
        if self.flow.write_paused:
            self._others.wait(self, STALL_SECONDS)
        elif not self._in_head:
            self._others.wait(self, BODY_SECONDS)
        elif self._is_busy():
            self._others.attend(self)
        else:
            self._others.wait(self, HEAD_SECONDS)

    def _hand_on(self) -> None:
        if self._held is not None:
            held, self._held = self._held, None
            self._start_asgi_task(*held)

    def _refuse(self) -> None:
        self._is_last = True
        if self._in_head and not self._is_busy():
            self.transport.write(TOO_LONG)
        self.transport.close()

    def _make_last(self) -> None:
        """Answer what is being answered, then end; whatever else comes is not read."""
        self._is_last = True
        if not self._is_first:
            self.cycle.keep_alive = False
            if self.cycle.response_complete:
                self.transport.close()


def _may_be_whole(headers: list[tuple[bytes, bytes]]) -> bool:
    """Whether a body is said to be small; others are refused at once."""
    for name, value in headers:
        if name == b"content-length":
            return len(value) < len(str(HELD_BYTES)) and value.isdigit()
    return True
