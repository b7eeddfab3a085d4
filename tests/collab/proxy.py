"""A proxy that records every byte between two parties, and can cut the line."""

import socket
from contextlib import suppress
from threading import Lock, Thread
from typing import Self


class Proxy:
    """Forwards to an address, from a free port of its own.

    ``sent`` holds the bytes of whoever connects, ``received`` those of whoever listens.
    """

    def __init__(self, host: str, port: int) -> None:
        self.sent = bytearray()
        self.received = bytearray()
        self.connections = 0
        self._target = (host, port)
        self._cut_at: int | None = None
        self._lock = Lock()
        self._ends: list[socket.socket] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._thread = Thread(target=self._accept, daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def port(self) -> int:
        return int(self._listening.getsockname()[1])

    def cut_after(self, count: int) -> None:
        """Cut, once, as soon as so many more bytes have passed."""
        with self._lock:
            self._cut_at = len(self.sent) + len(self.received) + count

    def cut(self) -> None:
        """Cut every line that is open now; new ones are let through."""
        with self._lock:
            ends, self._ends = self._ends, []
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listening.close()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(self._target)
            except OSError:
                near.close()
                continue
            with self._lock:
                self.connections += 1
                self._ends += [near, far]
            Thread(target=self._carry, args=(near, far), daemon=True).start()

    def _carry(self, near: socket.socket, far: socket.socket) -> None:
        there = Thread(target=self._forward, args=(near, far, self.sent), daemon=True)
        there.start()
        self._forward(far, near, self.received)
        there.join()
        near.close()
        far.close()

    def _forward(self, source: socket.socket, target: socket.socket, record: bytearray) -> None:
        with suppress(OSError):
            while taken := source.recv(1 << 16):
                with self._lock:
                    record += taken
                    passed = len(self.sent) + len(self.received)
                    due = self._cut_at is not None and passed >= self._cut_at
                    if due:
                        self._cut_at = None
                if due:
                    self.cut()
                    return
                target.sendall(taken)
        with suppress(OSError):
            target.shutdown(socket.SHUT_WR)
