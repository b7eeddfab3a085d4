"""One message: a verb, fields for people and programs (JSON), and parts of bytes.

On the wire: magic, version, the length of the JSON, the number of parts; the parts' lengths; the
JSON; the parts. Every length is checked before anything is read, and memory grows only by bytes
that have come, so that a message that claims much costs its reader nothing.
"""

import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, NoReturn, Protocol

from deniable.base.errors import CollabError, PeerError
from deniable.collab.wire.message_limits import MOST_JSON, MOST_MESSAGE_BYTES, MOST_PARTS

PROTOCOL: Final = 1
"""Raised whenever two versions of this package would misunderstand each other."""

MAGIC: Final = b"deniable"
MESSAGE_HEAD: Final = struct.Struct("!8sBIH")
LENGTH: Final = struct.Struct("!Q")

MOUTHFUL: Final = 1 << 20
"""Bytes that are asked for at a time."""


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

    def encode(self) -> bytes:
        """The message as it travels.

        >>> from io import BytesIO
        >>> Message.read(BytesIO(Message("count", {"about": "smokes=yes"}, (b"raw",)).encode()))
        Message(verb='count', fields={'about': 'smokes=yes'}, parts=(b'raw',))
        """
        text = json.dumps(
            {"verb": self.verb, "fields": self.fields}, ensure_ascii=False, allow_nan=False
        ).encode()
        head = MESSAGE_HEAD.pack(MAGIC, PROTOCOL, len(text), len(self.parts))
        lengths = b"".join(LENGTH.pack(len(part)) for part in self.parts)
        _check_lengths(len(text), len(self.parts), MOST_MESSAGE_BYTES)
        _check_total(len(text) + sum(map(len, self.parts)), MOST_MESSAGE_BYTES)
        return b"".join((head, lengths, text, *self.parts))

    @classmethod
    def read(cls, stream: Stream, limit: int = MOST_MESSAGE_BYTES) -> "Message":
        """Read one message; EOFError if the stream ends before it begins."""
        first = stream.read(MESSAGE_HEAD.size)
        if not first:
            raise EOFError
        magic, version, text_length, parts = MESSAGE_HEAD.unpack(
            first + _exactly(stream, MESSAGE_HEAD.size - len(first))
        )
        if magic != MAGIC:
            raise CollabError("What came is not a message of deniable.")
        if version != PROTOCOL:
            raise CollabError(
                f"The other side speaks protocol {version}, and this side {PROTOCOL}.",
                hint="Install the same version of deniable on both.",
            )
        _check_lengths(text_length, parts, limit)
        packed = _exactly(stream, parts * LENGTH.size)
        lengths = [length for (length,) in LENGTH.iter_unpack(packed)]
        _check_total(text_length + sum(lengths), limit)
        verb, fields = _parsed(_exactly(stream, text_length))
        return cls(verb, fields, tuple(_exactly(stream, length) for length in lengths))


def _check_lengths(text: int, parts: int, limit: int) -> None:
    if text > min(MOST_JSON, limit):
        raise CollabError(f"A message with {text:,} bytes of fields is too long.")
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


def _parsed(text: bytes) -> tuple[str, Mapping[str, Any]]:
    try:
        # RecursionError: brackets in brackets, a million deep
        document = json.loads(text.decode(), parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise CollabError("The fields of a message are not JSON.") from None
    match document:
        case {"verb": str(verb), "fields": dict(fields), **rest} if not rest:
            return verb, fields
    raise CollabError("A message has no verb, or no fields.")


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)
