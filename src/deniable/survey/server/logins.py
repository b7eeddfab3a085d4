"""Who may see the researcher's pages: whoever knows the password, for some hours."""

import secrets
import time
from collections.abc import Callable
from threading import Lock

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from deniable.base.fingerprint import digest_of

HOURS = 12
READABLE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Of passwords: none that is easily misread."""


def hash_password(password: str) -> str:
    """Hash a password by argon2id."""
    return PasswordHasher().hash(password)


def new_password() -> str:
    """Make one that is easy to copy and hard to guess: 79 random bits."""
    return "-".join("".join(secrets.choice(READABLE_LETTERS) for _ in range(4)) for _ in range(4))


class Sessions:
    """Open sessions; kept in memory only, and there only as hashes."""

    def __init__(self, hashed: Callable[[], str | None]) -> None:
        self._hashed = hashed
        self._ends: dict[str, tuple[float, str]] = {}
        self._lock = Lock()  # argon2 takes a lot of memory: one at a time

    def enter(self, password: str) -> str | None:
        """Open a session, if the password is right."""
        hashed = self._hashed()
        with self._lock:
            try:
                if hashed is None or not PasswordHasher().verify(hashed, password):
                    return None
            except (Argon2Error, InvalidHashError):
                return None
        session = secrets.token_urlsafe(32)
        now = time.monotonic()
        self._ends = {name: end for name, end in self._ends.items() if end[0] > now}
        self._ends[digest_of(session)] = (now + HOURS * 3600, hashed)
        return session

    def knows(self, session: str | None) -> bool:
        """Whether a session is open; a new password ends those of the old one."""
        end, hashed = self._ends.get(digest_of(session or ""), (0.0, ""))
        return end > time.monotonic() and hashed == self._hashed()

    def leave(self, session: str | None) -> None:
        """End a session."""
        self._ends.pop(digest_of(session or ""), None)
