"""Who loses a place at the door when there are too many."""

import logging
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress

import pytest

from deniable.collab.wire import handshake_places, refusal_log
from deniable.collab.wire.handshake_places import HandshakePlaces
from deniable.collab.wire.refusal_log import RefusalLog

PEER = "192.0.2.7"


class Door:
    """Places, and those who came for one."""

    def __init__(self, stack: ExitStack) -> None:
        self.places, self._stack = HandshakePlaces(), stack
        self.places.know([PEER, "no.such.host.invalid"])

    def come(self, host: str) -> socket.socket:
        """Give whoever comes a place, and return the other end of its line."""
        here, there = socket.socketpair()
        for end in (here, there):
            self._stack.enter_context(end)
        there.setblocking(False)
        self.places.enter(here, host)
        return there


def is_in(line: socket.socket) -> bool:
    with suppress(BlockingIOError):
        return bool(line.recv(1))
    return True


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch) -> Iterator[Door]:
    monkeypatch.setattr(handshake_places, "PLACES", 8)
    monkeypatch.setattr(handshake_places, "ADDRESS_PLACES", 3)
    with ExitStack() as stack:
        yield Door(stack)


def test_an_address_loses_its_oldest_place_to_itself(door: Door) -> None:
    other = door.come("198.51.100.1")
    lines = [door.come("198.51.100.2") for _ in range(5)]
    assert [is_in(line) for line in lines] == [False, False, True, True, True]
    assert is_in(other)


def test_the_address_with_most_places_loses_one(door: Door) -> None:
    several = [door.come("198.51.100.2") for _ in range(3)]
    single = [door.come(f"198.51.100.{10 + number}") for number in range(7)]
    assert [is_in(line) for line in several] == [False, False, True]
    assert all(map(is_in, single))


def test_a_thousand_addresses_cannot_take_the_place_of_a_peer(door: Door) -> None:
    peer = door.come(PEER)
    crowd = [door.come(f"198.51.{number // 250}.{number % 250}") for number in range(1000)]
    assert is_in(peer)
    assert sum(map(is_in, crowd)) == 8


def test_who_shares_the_address_of_a_peer_can_push_it_out_by_coming_faster_only(door: Door) -> None:
    peer = door.come(PEER)
    for _ in range(7):
        door.come(PEER)
    assert is_in(peer)
    door.come(PEER)
    assert not is_in(peer)


def test_one_network_of_ipv6_is_one_address(door: Door) -> None:
    lines = [door.come(f"2001:db8::{number:x}") for number in range(1, 6)]
    assert sum(map(is_in, lines)) == 3
    mapped = [door.come("::ffff:198.51.100.2"), *(door.come("198.51.100.2") for _ in range(3))]
    assert [is_in(line) for line in mapped] == [False, True, True, True]


def test_a_flood_is_a_few_lines_a_minute(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusals = RefusalLog(logging.getLogger("door"), burst=2)
    for _ in range(500):
        refusals.refused("198.51.100.1", "it hung up")
    refusals.refused("198.51.100.2", "it hung up")
    assert caplog.messages == [f"198.51.100.{n} was refused: it hung up" for n in (1, 1, 2)]
    monkeypatch.setattr(refusal_log, "MINUTE", 0.0)
    refusals.refused("198.51.100.1", "it hung up")
    assert caplog.messages[-1].endswith("it hung up (498 more were refused meanwhile)")
    for number in range(2 * refusal_log.MOST_REMEMBERED):
        refusals.refused(f"198.51.{number}", "it hung up")
    assert len(refusals._told) <= refusal_log.MOST_REMEMBERED
