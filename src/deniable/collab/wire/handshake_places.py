"""Places for those who have not said yet who they are: whoever floods them keeps no peer out.

A place is given to everybody at once, and taken away again when places run short: from the address
that has most of them, the one that has waited longest. Addresses of peers have places of their own,
which no other address can take. So a stranger keeps out a stranger, and from a peer's own address
(a firm behind one router) only who comes faster than a handshake takes, 128 times over.
"""

import ipaddress
import socket
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from threading import Lock

PLACES = 128
"""Handshakes at a time from addresses of peers, and as many from all others."""

ADDRESS_PLACES = 16
"""Of these, for one address that is no peer's."""


class HandshakePlaces:
    """Who is at the door; the sockets are hung up on when their place is needed."""

    def __init__(self) -> None:
        self._waiting: dict[socket.socket, tuple[bool, str]] = {}
        """In the order in which they came: whether from a peer's address, and from which."""

        self._known: frozenset[str] = frozenset()
        self._lock = Lock()

    def know(self, hosts: Iterable[str]) -> None:
        """Keep places for these hosts; names are looked up, which may take a while."""
        found = set()
        for host in hosts:
            with suppress(OSError, UnicodeError):  # a name that nobody knows today
                found |= {str(place[4][0]) for place in socket.getaddrinfo(host, None)}
        self._known = frozenset(map(network, found))

    def enter(self, connected: socket.socket, host: str) -> None:
        """Give a place, if need be that of another."""
        address = network(host)
        known = address in self._known
        with self._lock:
            here = [each for each, (other, _) in self._waiting.items() if other == known]
            many = Counter(self._waiting[each][1] for each in here)
            crowded = None
            if not known and many[address] >= ADDRESS_PLACES:
                crowded = address
            elif len(here) >= PLACES:
                crowded = max(many, key=lambda each: many[each])
            if crowded is not None:
                oldest = next(each for each in here if self._waiting[each][1] == crowded)
                del self._waiting[oldest]
                with suppress(OSError):  # wakes whoever waits for its bytes
                    socket.socket.shutdown(oldest, socket.SHUT_RDWR)
            self._waiting[connected] = known, address

    def leave(self, connected: socket.socket) -> None:
        """Give the place back."""
        with self._lock:
            self._waiting.pop(connected, None)


def network(host: str) -> str:
    """An address; of IPv6 the network, as one machine may have all its addresses."""
    try:
        found = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)
