"""The side that answers: whoever is pinned may ask, and nobody else gets a byte.

A stranger can hold one of a few places for a few seconds, and no more. One peer's questions are
answered one at a time, also over several connections; those of different peers at the same time.
"""

import logging
import os
import socket
import ssl
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from threading import BoundedSemaphore, Event, Lock, Thread, current_thread
from traceback import extract_tb
from typing import Self

import deniable
from deniable.base.errors import CollabError, DeniableError, PeerError
from deniable.collab.wire.dial import OpenLine, stay_awake
from deniable.collab.wire.identity import Identity, Peer
from deniable.collab.wire.message import PROTOCOL, Message, WireVerb
from deniable.collab.wire.message_limits import MOST_MESSAGE_BYTES
from deniable.collab.wire.tls import fingerprint_at, names, server_context

Answer = Callable[[str, Message], Message]
"""From who asks, and what, to the answer."""

STRANGERS = 32
"""Handshakes at a time."""

MOST_CONNECTIONS = 8
"""Connections of one peer at a time."""

HANDSHAKE = 10.0
"""Seconds for a handshake, from its first byte to its last."""

SILENCE = 900.0
"""Seconds after which a peer that asks nothing must connect again."""

BEAT = 2.0
"""Seconds between signs of life while an answer is worked on."""

LISTENER_POLL = 0.25
FAREWELL = 5.0

log = logging.getLogger(__name__)


class Listener:
    """Answers the peers' questions in the background, from `start` to `close`."""

    def __init__(
        self,
        address: tuple[str, int],
        identity: Identity,
        peers: Mapping[str, Peer],
        answer: Answer,
        *,
        handshake: float = HANDSHAKE,
        silence: float = SILENCE,
        limit: int = MOST_MESSAGE_BYTES,
    ) -> None:
        self._address = address
        self._handshake, self._silence, self._limit = handshake, silence, limit
        self._answer = answer
        self._names = names(peers.values())
        self._context = server_context(identity, peers.values())
        self._busy = {peer.name: Lock() for peer in peers.values()}
        self._places = BoundedSemaphore(STRANGERS)
        self._open: dict[Thread, ssl.SSLSocket] = {}
        self._connected: Counter[str] = Counter()
        self._change = Lock()
        self._closing = Event()
        self._port: socket.socket | None = None
        self._thread: Thread | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def port(self) -> int:
        """Where it listens; of interest if the address said 0, any that is free."""
        assert self._port is not None, "not started"
        return int(self._port.getsockname()[1])

    def start(self) -> None:
        """Open the port and listen."""
        self._port = _listening(*self._address)
        self._thread = Thread(target=self._accept, name="listener", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Hang up on everybody; give answers that are worked on a few seconds to end."""
        self._closing.set()
        if self._port is not None and self._thread is not None:
            with suppress(OSError):
                self._port.shutdown(socket.SHUT_RDWR)  # where it can, it wakes the thread at once
            self._thread.join()
            self._port.close()
        with self._change:
            last = dict(self._open)
        for secure in last.values():
            with suppress(OSError):
                # Not its own shutdown: that takes TLS off while another thread may be sending.
                socket.socket.shutdown(secure, socket.SHUT_RDWR)
        until = time.monotonic() + FAREWELL
        for thread in last:
            thread.join(max(0, until - time.monotonic()))

    def _accept(self) -> None:
        assert self._port is not None
        while not self._closing.is_set():
            if not self._places.acquire(timeout=LISTENER_POLL):
                continue  # whoever comes now is kept waiting by the system
            try:
                plain, (host, *_) = self._port.accept()
                stay_awake(plain)
                secure = self._context.wrap_socket(
                    plain, server_side=True, do_handshake_on_connect=False
                )
            except OSError as error:
                self._places.release()
                if not isinstance(error, TimeoutError):  # too many open files, for one
                    self._closing.wait(LISTENER_POLL)
                continue
            thread = Thread(target=self._receive, args=(secure, host), daemon=True)
            with self._change:
                self._open[thread] = secure
            thread.start()

    def _receive(self, secure: ssl.SSLSocket, host: str) -> None:
        """Learn who came, and answer if it is a peer."""
        try:
            with secure, suppress(OSError):  # a peer may be gone at any moment, and come again
                name = self._recognised(secure, host)
                if name is not None:
                    self._attend(OpenLine(secure), name)
        finally:
            with self._change:
                del self._open[current_thread()]

    def _recognised(self, secure: ssl.SSLSocket, host: str) -> str | None:
        try:
            secure.settimeout(self._handshake)
            secure.do_handshake()
            return self._names.get(fingerprint_at(secure))
        except OSError as error:
            log.warning("%s was refused: %s", host, _reason(error))
            if isinstance(error, ssl.SSLError):
                _linger(secure)
            return None
        finally:
            self._places.release()

    def _attend(self, line: OpenLine, name: str) -> None:
        with self._change:
            self._connected[name] += 1
            crowded = self._connected[name] > MOST_CONNECTIONS
        try:
            if crowded:
                many = PeerError(
                    f"{MOST_CONNECTIONS} connections are open already.", hint="Close some."
                )
                line.send(_told(many).encode())
            else:
                line.send(Message(WireVerb.GREETING).encode())
                self._converse(line, name)
        finally:
            with self._change:
                self._connected[name] -= 1

    def _converse(self, line: OpenLine, name: str) -> None:
        line.secure.settimeout(self._silence)
        while not self._closing.is_set():
            try:
                question = Message.read(line, self._limit)
            except (EOFError, PeerError):
                return  # the end, if not a good one
            except CollabError as error:
                log.warning("%s sent what is no message: %s", name, error)
                line.send(_told(error).encode())
                return
            line.send(self._answered(line, name, question))

    def _answered(self, line: OpenLine, name: str, question: Message) -> bytes:
        """Give signs of life until there is an answer."""
        answers: Queue[bytes] = Queue()
        worker = Thread(target=lambda: answers.put(self._reply(name, question)), daemon=True)
        worker.start()
        try:
            while True:
                try:
                    return answers.get(timeout=BEAT)
                except Empty:
                    line.send(Message(WireVerb.WORKING).encode())
        finally:
            worker.join()  # one place, one question: also of a peer that hangs up and comes again

    def _reply(self, name: str, question: Message) -> bytes:
        try:
            if question.verb == WireVerb.CHECK:
                return _state(name).encode()
            with self._busy[name]:
                return self._answer(name, question).encode()
        except DeniableError as error:
            return _told(error).encode()
        except Exception as error:  # whatever it is, it must not reach the peer
            # Its words may hold data; where it happened holds none.
            where = extract_tb(error.__traceback__)[-1]
            log.error(
                "a question of %s failed: %s in %s, line %s",
                name,
                type(error).__name__,
                Path(where.filename).name,
                where.lineno,
            )
            return _told(CollabError("The other side failed; its log says where.")).encode()


def _listening(host: str, port: int) -> socket.socket:
    try:
        opened = socket.create_server(
            (host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET
        )
    except (OSError, OverflowError) as error:
        raise CollabError(
            f"Port {port} of {host} cannot be opened: {_opening(error)}.",
            hint="Is it served already? If not, change `listen` in the party file.",
        ) from None
    opened.settimeout(LISTENER_POLL)
    return opened


def _opening(error: OSError | OverflowError) -> str:
    """What the system says; Python's own words repeat the address."""
    if isinstance(error, socket.gaierror) or not isinstance(error, OSError) or not error.errno:
        return str(getattr(error, "strerror", error))
    return os.strerror(error.errno).lower()


def _state(name: str) -> Message:
    return Message(
        WireVerb.CHECKED,
        {"version": deniable.__version__, "protocol": PROTOCOL, "time": time.time(), "you": name},
    )


def _told(error: DeniableError) -> Message:
    kind = next(each for each in type(error).__mro__ if each.__module__ == "deniable.base.errors")
    return Message(
        WireVerb.ERROR, {"message": error.message, "hint": error.hint, "kind": kind.__name__}
    )


def _reason(error: OSError) -> str:
    match error:
        case ssl.SSLCertVerificationError():
            return error.verify_message
        case ssl.SSLError():
            return (error.reason or "no TLS").lower().replace("_", " ")
        case TimeoutError():
            return "it was silent for too long"
    return "it hung up"


def _linger(refused: socket.socket) -> None:
    """Let the reason arrive: to close with bytes unread would take it back."""
    with suppress(OSError):
        socket.socket.shutdown(refused, socket.SHUT_WR)
        refused.settimeout(1)
        for _ in range(16):
            if not socket.socket.recv(refused, 1 << 12):
                break
