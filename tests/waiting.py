"""Waiting for what must come, by its own sign and not by the clock."""

import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from random import SystemRandom

from deniable.base.pipeline import STAGE

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


def stages_under_way() -> list[threading.Thread]:
    """Threads of pipelines that have not ended."""
    return [thread for thread in threading.enumerate() if thread.name == STAGE]


PORTS = range(11_000, 32_000)
"""Below those that the system hands out by itself, where others' connections may come first."""

_GIVEN: set[int] = set()
_LUCK = SystemRandom()  # of its own: several processes look at once


def free_port() -> int:
    """A port that nobody listens on, at any address, and that was not found before."""
    while True:
        port = _LUCK.choice(PORTS)
        if port in _GIVEN:
            continue
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("", port))
            _GIVEN.add(port)
            return port
