"""Connections that mean harm to a survey's server, bare sockets on this machine."""

import resource
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from survey.visitors import some_address


def connect(url: str, address: str | None = None, receive: int | None = None) -> socket.socket:
    """Open a connection from an address; `receive` is the room for what is not read yet."""
    host, port = url.partition("://")[2].split(":")
    opened = socket.socket()
    if receive is not None:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
    opened.settimeout(60)
    try:
        opened.bind((address or some_address(), 0))
        opened.connect((host, int(port)))
    except OSError:
        opened.close()
        raise
    return opened


def told(url: str, *parts: bytes) -> bytes:
    """Send parts, one after the other, and read whatever comes until the server ends it."""
    with connect(url) as opened:
        with suppress(OSError):  # it has ended it already
            for part in parts:
                opened.sendall(part)
        return read_all(opened)


def read_all(opened: socket.socket) -> bytes:
    """Read to the end."""
    found = b""
    with suppress(ConnectionError):
        while part := opened.recv(65536):
            found += part
    return found


def is_open(opened: socket.socket) -> bool:
    """Whether the server still holds a connection, whatever of it is left to be read."""
    established = 1
    return opened.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] == established


@contextmanager
def many_files() -> Iterator[int]:
    """Let this process open as many files as it may; how many that are."""
    soft, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    try:
        yield most
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, most))


@contextmanager
def slow_crowd(url: str, number: int, addresses: int) -> Iterator[list[socket.socket]]:
    """Hold connections that have each begun a request, or a handshake, and do not end it."""
    names = [some_address() for _ in range(addresses)]
    held = []
    begin = b"\x16\x03\x01" if url.startswith("https") else b"GET / HTTP/1.1\r\nX-%s: "
    try:
        for turn in range(number):
            opened = connect(url, names[turn % addresses])
            with suppress(ConnectionError):
                opened.sendall(begin.replace(b"%s", secrets.token_hex(4).encode()))
            held.append(opened)
        yield held
    finally:
        for opened in held:
            opened.close()
