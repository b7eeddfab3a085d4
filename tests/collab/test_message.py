import tracemalloc
from contextlib import suppress
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deniable.base.errors import CollabError, PeerError
from deniable.collab.wire.message import LENGTH, MAGIC, MESSAGE_HEAD, PROTOCOL, Message, Opening
from deniable.collab.wire.message_limits import MOST_MESSAGE_BYTES, MOST_PARTS

json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=10),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=10), inner),
    max_leaves=5,
)  # fmt: skip


def framed(text: bytes, *parts: int, rest: bytes = b"") -> bytes:
    lengths = b"".join(map(LENGTH.pack, parts))
    head = MESSAGE_HEAD.pack(MAGIC, PROTOCOL, len(text), len(rest), len(parts))
    return head + lengths + text + rest


ECHO = b'{"verb": "echo", "fields": {}}'


class Dribble(BytesIO):
    """Gives a byte at a time, as a network may."""

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(min(size or 0, 1))


@pytest.mark.slow
@given(
    st.text(max_size=10),
    st.dictionaries(st.text(max_size=10), json),
    st.lists(st.binary(max_size=20), max_size=4),
)
def test_a_message_is_read_as_it_was_written(
    verb: str, fields: dict[str, object], parts: list[bytes]
) -> None:
    message = Message(verb, fields, tuple(parts))
    stream = BytesIO(message.encode() * 2)
    assert Message.read(stream) == Message.read(stream) == message
    assert Message.read(Dribble(message.encode())) == message
    with pytest.raises(EOFError):
        Message.read(stream)


@given(st.binary())
def test_random_bytes_are_no_message(noise: bytes) -> None:
    for data in (noise, MAGIC + noise, MAGIC + bytes([PROTOCOL]) + noise, framed(noise)):
        if data:
            with pytest.raises(CollabError):
                Message.read(BytesIO(data))


def test_a_message_that_ends_anywhere_is_noticed() -> None:
    whole = Message("echo", {"a": 1}, (b"part", b"")).encode()
    for end in range(1, len(whole)):
        with pytest.raises(PeerError, match="in the middle of a message"):
            Message.read(BytesIO(whole[:end]))


@given(st.data())
def test_a_changed_byte_never_does_more_than_raise_an_error(data: st.DataObject) -> None:
    whole = bytearray(Message("echo", {"a": [1, {"b": "c"}]}, (b"part",)).encode())
    whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    with suppress(CollabError):
        assert isinstance(Message.read(BytesIO(whole)), Message)


@pytest.mark.parametrize(
    "claim",
    [
        MESSAGE_HEAD.pack(MAGIC, PROTOCOL, 2, 0xFFFFFFFF, 0),
        MESSAGE_HEAD.pack(MAGIC, PROTOCOL, 2, 0, MOST_PARTS + 1),
        framed(ECHO, 1 << 63),
        framed(ECHO, MOST_MESSAGE_BYTES // 2, MOST_MESSAGE_BYTES // 2 + 1),
        framed(ECHO, *[MOST_MESSAGE_BYTES // MOST_PARTS + 1] * MOST_PARTS),
    ],
    ids=["fields", "parts", "part", "sum", "many"],
)
def test_what_claims_too_much_is_refused_before_any_memory_is_taken(claim: bytes) -> None:
    tracemalloc.start()
    with pytest.raises(CollabError, match=r"too long|too many"):
        Message.read(BytesIO(claim))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_000_000


def test_what_claims_much_and_sends_little_takes_little() -> None:
    tracemalloc.start()
    with pytest.raises(PeerError):
        Message.read(BytesIO(framed(ECHO, MOST_MESSAGE_BYTES - 1000) + b"little"))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_000_000


def test_a_reader_may_allow_less() -> None:
    whole = Message("echo", {}, (bytes(1000),)).encode()
    assert Message.read(BytesIO(whole), 2000).parts == (bytes(1000),)
    with pytest.raises(CollabError, match="too long"):
        Message.read(BytesIO(whole), 999)


@pytest.mark.parametrize(
    "text",
    [
        b"[" * 60_000,
        b'{"a":' * 12_000,
        b'{"verb": "v", "fields": {"a": ' + b"[" * 30_000 + b"]" * 30_000 + b"}}",
        b'{"verb": "v", "fields": {"a": ' + b"9" * 60_000 + b"}}",
        b'{"verb": "v", "fields": {"a": NaN}}',
        b'{"verb": "v", "fields": {"a": 1e999}}',
        b'{"verb": "v", "fields": {"a": 1, "a": 2}}',
        b'{"verb": "v", "verb": "w", "fields": {}}',
        b'{"verb": "v", "fields": {"a": "\xff"}}',
        b'{"verb": 1, "fields": {}}',
        b'{"verb": "v", "fields": []}',
        b'{"verb": "v", "fields": {}, "more": 1}',
        b"null",
        b"",
    ],
)
def test_fields_that_are_no_fields_are_refused(text: bytes) -> None:
    with pytest.raises(CollabError, match=r"not JSON|no verb"):
        Message.read(BytesIO(framed(text)))


@pytest.mark.parametrize(
    "rest",
    [
        b"[" * 1_000_000,
        b'{"a":' * 200_000,
        b'{"b": ' + b"9" * 100_000 + b"}",
        b'{"b": NaN}',
        b'{"b": [], "b": {}}',
        b'{"a": []}',
        b"[]",
        b"null",
    ],
)
def test_long_fields_that_are_no_fields_are_refused(rest: bytes) -> None:
    opening = b'{"verb": "v", "fields": {"a": 1}}'
    with pytest.raises(CollabError, match=r"not JSON|no fields, or one of them twice"):
        Message.read(BytesIO(framed(opening, rest=rest)))


def test_what_a_message_is_about_is_known_before_its_long_fields_and_parts_are_read() -> None:
    whole = Message("ask", {"run": "r1", "cells": ["x"] * 1000, "why": "y" * 500}, (bytes(9000),))
    stream = BytesIO(whole.encode())
    opening = Opening.read(stream)
    assert (opening.verb, opening.fields) == ("ask", {"run": "r1"})
    assert stream.tell() < 200
    assert opening.size == len(whole.encode()) - stream.tell()
    assert opening.whole(stream, opening.size) == whole


def test_another_protocol_is_named() -> None:
    other = MESSAGE_HEAD.pack(MAGIC, PROTOCOL + 1, 2, 0, 0) + b"{}"
    with pytest.raises(CollabError, match=r"speaks protocol 3, and this side 2\. Install the same"):
        Message.read(BytesIO(other))


def test_too_much_is_not_sent_either() -> None:
    with pytest.raises(CollabError, match="too many"):
        Message("echo", {}, (b"",) * (MOST_PARTS + 1)).encode()
    with pytest.raises(CollabError, match="too long"):
        Message("echo", {"a": "x" * (9 << 20)}).encode()
