"""One message: a verb, fields for people and programs (JSON), and parts of bytes.

On the wire: magic, version, the lengths of two pieces of JSON, the number of parts; the parts'
lengths; the opening (the verb, and all short fields: for which run it is); the other fields; the
parts. So a reader knows what a message is about, and how long it is, while it has read little.
Every length is checked before anything is read, and memory grows only by bytes that have come, so
that a message that claims much costs its reader nothing.
"""

import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, Protocol

from deniable.base.documents import strict_json
from deniable.base.errors import CollabError, PeerError
from deniable.collab.wire.message_limits import (
    MOST_JSON,
    MOST_MESSAGE_BYTES,
    MOST_OPENING,
    MOST_PARTS,
    Allowance,
)

PROTOCOL: Final = 2
"""Raised whenever two versions of this package would misunderstand each other."""

MAGIC: Final = b"deniable"
MESSAGE_HEAD: Final = struct.Struct("!8sBHIH")
LENGTH: Final = struct.Struct("!Q")

MOUTHFUL: Final = 1 << 20
"""Bytes that are asked for at a time."""

SHORT_TEXT: Final = 128
SHORT_NUMBER: Final = 1 << 63
"""What is shorter, or smaller, stands in the opening."""


class WireVerb(StrEnum):
    """What lines say by themselves, beside the verbs of parties (`collab.protocol.verbs`)."""

    GREETING = "hello"
    WORKING = "working"
    ERROR = "error"
    CHECK = "check"
    CHECKED = "checked"


class Stream(Protocol):
    """What a message can be read from: a file, or a connection."""

    def read(self, size: int, /) -> bytes:
        """At most so many bytes; none at the end."""


@dataclass(frozen=True)
class Message:
    """A question or an answer."""

    verb: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    parts: tuple[bytes, ...] = ()
    allows: Allowance = field(default_factory=Allowance, compare=False, repr=False)
    """Of a question: what its answer may cost; it does not travel."""

    def encode(self) -> bytes:
        """The message as it travels.

        >>> from io import BytesIO
        >>> Message.read(BytesIO(Message("count", {"about": "smokes=yes"}, (b"raw",)).encode()))
        Message(verb='count', fields={'about': 'smokes=yes'}, parts=(b'raw',))
        """
        short = {name: value for name, value in self.fields.items() if _is_short(value)}
        long = {name: value for name, value in self.fields.items() if name not in short}
        opening = _written({"verb": self.verb, "fields": short})
        rest = _written(long) if long else b""
        _check_lengths(len(opening), len(rest), len(self.parts))
        _check_total(len(rest) + sum(map(len, self.parts)), MOST_MESSAGE_BYTES)
        head = MESSAGE_HEAD.pack(MAGIC, PROTOCOL, len(opening), len(rest), len(self.parts))
        lengths = b"".join(LENGTH.pack(len(part)) for part in self.parts)
        return b"".join((head, lengths, opening, rest, *self.parts))

    @classmethod
    def read(cls, stream: Stream, limit: int = MOST_MESSAGE_BYTES) -> "Message":
        """Read one message; EOFError if the stream ends before it begins."""
        return Opening.read(stream).whole(stream, limit)


@dataclass(frozen=True)
class Opening:
    """How a message begins: what it is about, and how much follows."""

    verb: str
    fields: Mapping[str, Any]
    """The short ones."""

    rest: int
    """Bytes of the other fields."""

    lengths: tuple[int, ...]
    """Bytes of each part."""

    @property
    def size(self) -> int:
        """Bytes that follow."""
        return self.rest + sum(self.lengths)

    @classmethod
    def read(cls, stream: Stream) -> "Opening":
        """Read the beginning of a message; EOFError if the stream ends before it."""
        first = stream.read(MESSAGE_HEAD.size)
        if not first:
            raise EOFError
        magic, version, opening, rest, parts = MESSAGE_HEAD.unpack(
            first + _exactly(stream, MESSAGE_HEAD.size - len(first))
        )
        if magic != MAGIC:
            raise CollabError("What came is not a message of deniable.")
        if version != PROTOCOL:
            raise CollabError(
                f"The other side speaks protocol {version}, and this side {PROTOCOL}.",
                hint="Install the same version of deniable on both.",
            )
        _check_lengths(opening, rest, parts)
        packed = _exactly(stream, parts * LENGTH.size)
        lengths = tuple(length for (length,) in LENGTH.iter_unpack(packed))
        match _parsed(_exactly(stream, opening)):
            case {"verb": str(verb), "fields": dict(fields), **more} if not more:
                return cls(verb, fields, rest, lengths)
        raise CollabError("A message has no verb, or no fields.")

    def whole(self, stream: Stream, limit: int) -> Message:
        """Read what follows, if it is not more than a limit."""
        _check_total(self.size, limit)
        more = _parsed(_exactly(stream, self.rest)) if self.rest else {}
        if not isinstance(more, dict) or more.keys() & self.fields.keys():
            raise CollabError("A message has no fields, or one of them twice.")
        parts = tuple(_exactly(stream, length) for length in self.lengths)
        return Message(self.verb, {**self.fields, **more}, parts)


def _is_short(value: object) -> bool:
    match value:
        case None | bool() | float():
            return True
        case int():
            return abs(value) < SHORT_NUMBER
        case str():
            return len(value) <= SHORT_TEXT
    return False


def _written(document: Mapping[str, Any]) -> bytes:
    return json.dumps(document, ensure_ascii=False, allow_nan=False).encode()


def _check_lengths(opening: int, rest: int, parts: int) -> None:
    if opening > MOST_OPENING:
        raise CollabError(f"A message with an opening of {opening:,} bytes is too long.")
    if rest > MOST_JSON:
        raise CollabError(f"A message with {rest:,} bytes of fields is too long.")
    if parts > MOST_PARTS:
        raise CollabError(f"A message of {parts:,} parts has too many.")


def _check_total(total: int, limit: int) -> None:
    if total > limit:
        raise CollabError(f"A message of {total:,} bytes is too long.")


def _exactly(stream: Stream, size: int) -> bytes:
    taken = bytearray()
    while len(taken) < size:
        more = stream.read(min(size - len(taken), MOUTHFUL))
        if not more:
            raise PeerError("The connection ended in the middle of a message.")
        taken += more
    return bytes(taken)


def _parsed(text: bytes) -> Any:
    try:
        return strict_json(text.decode())
    except ValueError:
        raise CollabError("The fields of a message are not JSON.") from None
