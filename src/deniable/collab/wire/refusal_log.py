"""Lines of the log about those who were refused: a few a minute for each of them, and no flood."""

import logging
import time
from threading import Lock

MINUTE = 60.0

MOST_REMEMBERED = 1000
"""Of those who were refused lately."""


class RefusalLog:
    """Tells who was refused and why, so many times a minute; what was left out is counted."""

    def __init__(self, log: logging.Logger, burst: int) -> None:
        self._log, self._burst = log, burst
        self._told: dict[str, tuple[float, int]] = {}
        """By name: when the minute began, and how many there were in it."""

        self._lock = Lock()

    def refused(self, name: str, why: str, level: int = logging.WARNING) -> None:
        """Tell, or count for the next minute."""
        now, left_out = time.monotonic(), 0
        with self._lock:
            began, many = self._told.get(name, (now, 0))
            if now - began >= MINUTE:
                began, left_out, many = now, max(0, many - self._burst), 0
            if name not in self._told and len(self._told) >= MOST_REMEMBERED:
                self._told.clear()
            self._told[name] = began, many + 1
        if many < self._burst:
            more = f" ({left_out:,} more were refused meanwhile)" if left_out else ""
            self._log.log(level, "%s was refused: %s%s", name, why, more)
