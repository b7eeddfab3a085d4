"""From a peer's address to an open line, within a time that is kept."""

import socket
import ssl
import time
from dataclasses import dataclass, field
from threading import Thread
from typing import Any

from deniable.collab.wire.identity import Peer

KEEP_ALIVE = {"TCP_KEEPIDLE": 30, "TCP_KEEPINTVL": 10, "TCP_KEEPCNT": 3}
"""A machine that is gone is noticed within a minute."""


@dataclass
class Traffic:
    """Bytes of messages, both ways; TLS adds 22 to every 16 kB."""

    sent: int = 0
    received: int = 0


@dataclass(frozen=True)
class OpenLine:
    """An open connection, once TLS says who is at its other end."""

    secure: ssl.SSLSocket
    traffic: Traffic = field(default_factory=Traffic)

    def read(self, size: int, /) -> bytes:
        """What has come, at most so many bytes."""
        taken = self.secure.recv(size)
        self.traffic.received += len(taken)
        return taken

    def send(self, encoded: bytes) -> None:
        """Send a whole message."""
        self.secure.sendall(encoded)
        self.traffic.sent += len(encoded)

    def close(self) -> None:
        """Hang up."""
        self.secure.close()


def dial(peer: Peer, until: float) -> socket.socket:
    """Connect to the first of a peer's addresses that answers; OSError if none does in time."""
    last: OSError = TimeoutError()
    for family, kind, protocol, _, place in _addresses(peer, until):
        dialled = socket.socket(family, kind, protocol)
        try:
            dialled.settimeout(left(until))
            dialled.connect(place)
        except OSError as error:
            dialled.close()
            last = error
        else:
            stay_awake(dialled)
            return dialled
    raise last


def stay_awake(connected: socket.socket) -> None:
    """Notice that the other machine is gone; send small messages at once."""
    connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in KEEP_ALIVE.items():
        if hasattr(socket, option):  # not every system lets a program choose
            connected.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)


def left(until: float) -> float:
    """Seconds that are left; TimeoutError if none are."""
    seconds = until - time.monotonic()
    if seconds <= 0:
        raise TimeoutError
    return seconds


def _addresses(peer: Peer, until: float) -> list[tuple[Any, ...]]:
    """Look the name up in a thread: the system's own search knows no timeout."""
    found: list[list[tuple[Any, ...]]] = []
    failed: list[OSError] = []

    def look() -> None:
        try:
            found.append([*socket.getaddrinfo(peer.host, peer.port, type=socket.SOCK_STREAM)])
        except OSError as error:
            failed.append(error)
        except UnicodeError:  # no name of a machine at all
            failed.append(socket.gaierror())

    thread = Thread(target=look, daemon=True)
    thread.start()
    thread.join(left(until))
    if failed:
        raise failed[0]
    if not found:
        raise TimeoutError
    return found[0]
