"""The side that asks: one peer, one question, one answer.

A connection is made when it is needed, and made again when it was lost. A question whose answer did
not arrive is asked again, which is safe: asking anything again gives the same answer.
"""

import ssl
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from threading import Lock
from typing import Self

import deniable.base.errors
from deniable.base.errors import CollabError, DeniableError, PeerError
from deniable.collab.wire import wire_errors as sentences
from deniable.collab.wire.dial import OpenLine, Traffic, dial, left
from deniable.collab.wire.identity import Certificate, Identity, Peer
from deniable.collab.wire.message import Message, Stream, WireVerb
from deniable.collab.wire.message_limits import MOST_ERROR_LETTERS, SMALL_MESSAGE, Allowance
from deniable.collab.wire.tls import certificate_seen, client_context, fingerprint_at, pinned

FIRST_RETRY, LONGEST_RETRY = 0.1, 2.0

RECORD = 1 << 14
"""Bytes that TLS sends at a time."""


class Connection:
    """A way to ask one peer.

    ``timeout``: seconds to wait for a connection, and for a sign of life; a peer that works on an
    answer gives one every two seconds. ``patience``: seconds to go on trying to reach a peer that
    cannot be reached. ``longest``: seconds for one answer, whatever signs of life are given; where
    it is not said, each question says it by itself (`Message.allows`).
    """

    def __init__(
        self,
        identity: Identity,
        peer: Peer,
        *,
        timeout: float = 30,
        patience: float = 0,
        longest: float | None = None,
    ) -> None:
        self.peer = peer
        self.timeout = timeout
        self.patience = patience
        self.longest = longest
        self.traffic = Traffic()
        self._identity = identity
        self.certificate = pinned(peer)
        self._context = client_context(identity, peer)
        self._line: OpenLine | None = None
        self._asking = Lock()  # one question at a time, also of several threads

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ask(self, message: Message) -> Message:
        """Ask, and wait for the answer; an error over there is raised here as what it was."""
        encoded = message.encode()
        allows = message.allows
        if self.longest is not None:
            allows = replace(allows, seconds=self.longest)
        with self._asking:
            answer = self._persistently(encoded, allows)
        if answer.verb == WireVerb.ERROR:
            raise _as_it_was(answer)
        return answer

    def open(self) -> str:
        """Connect, unless connected; give the version of TLS."""
        try:
            return self._opened().secure.version() or ""
        except OSError as error:
            raise self._sentence(error) from None

    def close(self) -> None:
        """Hang up; the next question connects again."""
        if self._line is not None:
            self._line.close()
            self._line = None

    def _persistently(self, question: bytes, allows: Allowance) -> Message:
        began = time.monotonic()
        until, late = began + self.patience, began + allows.seconds
        pause = FIRST_RETRY
        while True:
            # One that was open before may have ended meanwhile; that is nobody's fault.
            was_open = self._line is not None
            try:
                return self._once(question, late, allows.bytes)
            except sentences.PeerRefusedError:
                raise
            except PeerError:
                if time.monotonic() >= late:
                    raise sentences.too_slow(self.peer, allows.seconds) from None
                if was_open:
                    continue
                if time.monotonic() + pause > until:
                    raise
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_RETRY)

    def _once(self, question: bytes, late: float, most: int) -> Message:
        answered = False
        try:
            stream = _Patient(self._opened(), self.timeout, late)
            stream.send(question)
            answer = _next(stream, most)
            while answer.verb == WireVerb.WORKING:
                answer = _next(stream, most)
            answered = True
        except OSError as error:
            raise self._sentence(error) from None
        finally:
            if not answered:  # also if interrupted: a late answer must not answer the next question
                self.close()
        return answer

    def _sentence(self, error: OSError) -> PeerError:
        match error:
            case TimeoutError():
                return sentences.silent(self.peer, self.timeout)
            case ssl.SSLError():
                return sentences.about_tls(self.peer, self._identity, error)
        return sentences.lost(self.peer)

    def _opened(self) -> OpenLine:
        if self._line is None:
            self._line = self._let_in(time.monotonic() + self.timeout)
        return self._line

    def _let_in(self, until: float) -> OpenLine:
        """Connect, and wait for a greeting.

        In TLS 1.3 a client is done before the server has looked at its certificate. So the server
        speaks first: nothing is sent to one that might refuse us, and its reason is not lost.
        """
        secure = self._secured(until)
        greeted = False
        try:
            line = OpenLine(secure, self.traffic)
            secure.settimeout(left(until))
            greeting = _next(line, SMALL_MESSAGE)
            if greeting.verb == WireVerb.ERROR:
                raise _as_it_was(greeting)
            if greeting.verb != WireVerb.GREETING:
                raise CollabError(f"{self.peer.name} does not greet as a party does.")
            greeted = True
        finally:
            if not greeted:
                secure.close()
        return line

    def _secured(self, until: float) -> ssl.SSLSocket:
        try:
            plain = dial(self.peer, until)
        except OSError as error:
            if self.peer.name == self._identity.name:
                raise sentences.own_server_away(self.peer) from None
            raise sentences.unreachable(self.peer, error, self.timeout) from None
        with plain:  # closes it, unless TLS has taken it over
            plain.settimeout(left(until))
            try:
                secure = self._context.wrap_socket(plain)
            except ssl.SSLCertVerificationError:
                raise self._refused(until) from None
        if fingerprint_at(secure) != self.certificate.fingerprint:
            secure.close()
            raise self._refused(until)
        return secure

    def _refused(self, until: float) -> PeerError:
        seen: Certificate | None = None
        with suppress(OSError, ValueError):
            seen = certificate_seen(dial(self.peer, until), left(until))
        return sentences.not_pinned(self.peer, self.certificate, seen)


@dataclass(frozen=True)
class Check:
    """What a check of the connection found."""

    peer: str
    tls: str
    ours: Certificate
    theirs: Certificate
    version: str
    protocol: int
    clock: float
    """Seconds that their clock is ahead of ours, to within half a round trip."""

    round_trip: float
    known_as: str
    """What the peer calls us."""


def check(identity: Identity, peer: Peer, timeout: float) -> Check:
    """Connect and ask once; PeerError, in one sentence, if that fails or takes longer."""
    began = time.monotonic()
    with Connection(identity, peer, timeout=timeout, longest=timeout) as connection:
        tls = connection.open()
        connection.timeout = max(0.1, timeout - (time.monotonic() - began))
        asked, started = time.time(), time.monotonic()
        answer = connection.ask(Message(WireVerb.CHECK))
        round_trip = time.monotonic() - started
    match answer.fields:
        case {
            "version": str(version),
            "protocol": int(protocol),
            "time": float(there),
            "you": str(known_as),
        }:
            return Check(
                peer.name,
                tls,
                identity.certificate,
                connection.certificate,
                version,
                protocol,
                there - (asked + round_trip / 2),
                round_trip,
                known_as,
            )
    raise CollabError(f"{peer.name} does not answer a check as a party does.")


@dataclass(frozen=True)
class _Patient:
    """A line on which something must come or go now and then, and all of it by a certain moment."""

    line: OpenLine
    timeout: float
    late: float

    def read(self, size: int, /) -> bytes:
        self._wait()
        return self.line.read(size)

    def send(self, encoded: bytes) -> None:
        """Send a whole message; a peer that takes it by drops is no better than one that gives so.

        A record of TLS at a time: `sendall` of TLS knows a timeout for each, and none for all.
        """
        for start in range(0, len(encoded), RECORD):
            self._wait()
            self.line.send(encoded[start : start + RECORD])

    def _wait(self) -> None:
        self.line.secure.settimeout(min(self.timeout, left(self.late)))


def _next(stream: Stream, most: int) -> Message:
    try:
        return Message.read(stream, most)
    except EOFError:
        raise ConnectionResetError from None


def _as_it_was(answer: Message) -> DeniableError:
    """The error of the other side; its words go to a screen, so they are nothing but words."""
    kind = getattr(deniable.base.errors, str(answer.fields.get("kind")), None)
    if not (isinstance(kind, type) and issubclass(kind, DeniableError)):
        kind = CollabError
    return kind(
        _words(answer.fields.get("message")) or "The other side could not answer.",
        hint=_words(answer.fields.get("hint")),
    )


def _words(text: object) -> str:
    shown = text[:MOST_ERROR_LETTERS] if isinstance(text, str) else ""
    return "".join(letter if letter.isprintable() else " " for letter in shown)
