"""Waiting for what must come, by its own sign and not by the clock."""

import socket
import time
from collections.abc import Callable
from contextlib import suppress

PATIENCE = 600.0
"""Seconds after which a test gives up what should long have come: a guard, never a measure."""


def eventually(true: Callable[[], object], otherwise: Callable[[], str] | None = None) -> None:
    """Wait until something holds; not being there yet is no error."""
    deadline = time.monotonic() + PATIENCE
    while True:
        with suppress(OSError, ValueError, LookupError):
            if true():
                return
        assert time.monotonic() < deadline, otherwise() if otherwise else "it did not come about"
        time.sleep(0.01)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
