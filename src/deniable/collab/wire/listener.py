"""The side that answers: whoever is pinned may ask, and nobody else gets a byte.

A stranger can hold one of some places for a few seconds, and no more (`handshake_places`). Of one
peer at most two questions are in memory at a time, over all its connections; the others wait.
"""

import logging
import socket
import ssl
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, Queue
from threading import BoundedSemaphore, Event, Lock, Thread, current_thread
from traceback import extract_tb
from typing import Self

import deniable
from deniable.base.errors import CollabError, DeniableError, PeerError
from deniable.collab.wire.dial import OpenLine, stay_awake
from deniable.collab.wire.handshake_places import HandshakePlaces, network
from deniable.collab.wire.identity import Identity, Peer
from deniable.collab.wire.message import PROTOCOL, Message, Opening, WireVerb
from deniable.collab.wire.message_limits import MOST_MESSAGE_BYTES, SMALL_MESSAGE
from deniable.collab.wire.refusal_log import RefusalLog
from deniable.collab.wire.tls import fingerprint_at, names, server_context
from deniable.collab.wire.wire_errors import port_reason, refusal_reason

Answer = Callable[[str, Message], Message]
"""From who asks, and what, to the answer."""

Room = Callable[[str, Opening], int]
"""From who asks, and how the question begins, to how many bytes may follow."""

MOST_CONNECTIONS = 8
"""Connections of one peer at a time."""

QUESTIONS_AT_ONCE = 2
"""Questions of one peer in memory, whatever their number of connections."""

HANDSHAKE = 3.0
"""Seconds for a handshake, from its first byte to its last."""

SILENCE = 900.0
"""Seconds after which a peer that asks nothing must connect again."""

STALL = 30.0
"""Seconds after which a message of which nothing more comes, or goes, is given up."""

BEAT = 2.0
"""Seconds between signs of life while an answer is worked on."""

KNOWN_AGAIN = 600.0
"""Seconds after which the peers' addresses are looked up again."""

LISTENER_POLL = 0.25
FAREWELL = 5.0
LINGER = 1.0
AT_THE_DOOR = 512

log = logging.getLogger(__name__)


class Listener:
    """Answers the peers' questions in the background, from `start` to `close`."""

    def __init__(
        self,
        address: tuple[str, int],
        identity: Identity,
        peers: Mapping[str, Peer],
        answer: Answer,
        room: Room = lambda *_: MOST_MESSAGE_BYTES,
        *,
        handshake: float = HANDSHAKE,
        silence: float = SILENCE,
    ) -> None:
        self._address = address
        self._handshake, self._silence = handshake, silence
        self._answer, self._room = answer, room
        self._names = names(peers.values())
        self._hosts = {peer.host for peer in peers.values()}
        self._context = server_context(identity, peers.values())
        self._in_memory = {
            peer.name: BoundedSemaphore(QUESTIONS_AT_ONCE) for peer in peers.values()
        }
        self._places = HandshakePlaces()
        self._refusals = RefusalLog(log, burst=1)
        self._unread = RefusalLog(log, burst=20)
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
        Thread(target=self._look_up, name="addresses", daemon=True).start()
        self._thread = Thread(target=self._accept, name="listener", daemon=True)
        self._thread.start()

    def _look_up(self) -> None:
        """Where peers are: names may come to stand for other addresses."""
        while not self._closing.is_set():
            self._places.know(self._hosts)
            self._closing.wait(KNOWN_AGAIN)

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
            try:
                plain, (host, *_) = self._port.accept()
                stay_awake(plain)
                secure = self._context.wrap_socket(
                    plain, server_side=True, do_handshake_on_connect=False
                )
            except OSError as error:
                if not isinstance(error, TimeoutError):  # too many open files, for one
                    self._closing.wait(LISTENER_POLL)
                continue
            self._places.enter(secure, host)
            thread = Thread(target=self._receive, args=(secure, host), daemon=True)
            with self._change:
                self._open[thread] = secure
            try:
                thread.start()
            except RuntimeError:  # no more threads
                self._open.pop(thread)
                self._places.leave(secure)
                secure.close()

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
            self._refusals.refused(network(host), refusal_reason(error))
            if isinstance(error, ssl.SSLError):
                _linger(secure)
            return None
        finally:
            self._places.leave(secure)

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
        while not self._closing.is_set():
            line.secure.settimeout(self._silence)
            try:
                opening = Opening.read(line)
                line.secure.settimeout(STALL)
                if opening.verb == WireVerb.CHECK:
                    opening.whole(line, SMALL_MESSAGE)
                    line.send(_state(name).encode())
                else:
                    with self._turn(line, name):
                        question = opening.whole(line, self._allowed(name, opening))
                        line.send(self._answered(line, name, question))
            except (EOFError, PeerError):
                return  # the end, if not a good one
            except CollabError as error:
                self._unread.refused(name, str(error))
                line.send(_told(error).encode())
                _linger(line.secure)
                return

    def _allowed(self, name: str, opening: Opening) -> int:
        """Bytes that may follow; asked about only where there are many."""
        return SMALL_MESSAGE if opening.size <= SMALL_MESSAGE else self._room(name, opening)

    @contextmanager
    def _turn(self, line: OpenLine, name: str) -> Iterator[None]:
        """Wait until a question of the peer may be taken into memory, and give signs of life."""
        while not self._in_memory[name].acquire(timeout=BEAT):
            line.send(Message(WireVerb.WORKING).encode())
        try:
            yield
        finally:
            self._in_memory[name].release()

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
            (host, port),
            family=socket.AF_INET6 if ":" in host else socket.AF_INET,
            backlog=AT_THE_DOOR,
        )
    except (OSError, OverflowError) as error:
        raise CollabError(
            f"Port {port} of {host} cannot be opened: {port_reason(error)}.",
            hint="Is it served already? If not, change `listen` in the party file.",
        ) from None
    opened.settimeout(LISTENER_POLL)
    return opened


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


def _linger(refused: socket.socket) -> None:
    """Let the reason arrive: to close with bytes unread would take it back."""
    until = time.monotonic() + LINGER
    with suppress(OSError):
        socket.socket.shutdown(refused, socket.SHUT_WR)
        refused.settimeout(LINGER)
        while time.monotonic() < until and socket.socket.recv(refused, 1 << 16):
            pass
