"""Who may see the researcher's pages: whoever knows the password, for some hours."""

import secrets
import time
from collections import OrderedDict

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from deniable.base.fingerprint import digest_of
from deniable.survey.server.bounded_threads import BoundedThreads

HOURS = 12
READABLE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Of passwords: none that is easily misread."""

HINT_DIGITS = 4
"""Hexadecimal: of 65,536 wrong passwords, one has the hint of the right one."""

MOST_CHECKS, CHECK_SECONDS = 4, 10
"""Passwords that may wait to be checked, and for how long."""

LOW_PRIORITY = 19
MOST_REMEMBERED = 1_000


def hash_password(password: str) -> str:
    """Hash a password by argon2id; behind it stands a hint, by which most wrong ones are known."""
    hashed = PasswordHasher().hash(password)
    return f"{hashed} {_hint(hashed, password)}"


def new_password() -> str:
    """Make one that is easy to copy and hard to guess: 79 random bits."""
    return "-".join("".join(secrets.choice(READABLE_LETTERS) for _ in range(4)) for _ in range(4))


def _hint(hashed: str, password: str) -> str:
    return digest_of(f"{hashed} {password}")[:HINT_DIGITS]


class PasswordCheck:
    """Checks passwords, one at a time: argon2 takes much memory, and a tenth of a second."""

    def __init__(self) -> None:
        self._thread = BoundedThreads(
            "passwords", threads=1, most=MOST_CHECKS, seconds=CHECK_SECONDS, niceness=LOW_PRIORITY
        )
        self._wrong: OrderedDict[str, None] = OrderedDict()

    def may_be(self, password: str, hashed: str | None) -> bool | None:
        """Whether it could be the right one; None: there is no hint to tell by."""
        kept, _, hint = (hashed or "").partition(" ")
        if not kept or digest_of(f"{hashed} {password}") in self._wrong:
            return False
        if not hint:
            return None  # of an earlier version
        return secrets.compare_digest(hint, _hint(kept, password))

    async def fits(self, password: str, hashed: str) -> bool:
        """Whether it is the right one; refused where too many are being checked."""
        right = await self._thread.run(_verify, hashed.partition(" ")[0], password)
        if not right:  # whoever has found one that looks right may not have it checked for ever
            self._wrong[digest_of(f"{hashed} {password}")] = None
            while len(self._wrong) > MOST_REMEMBERED:
                self._wrong.popitem(last=False)
        return right


def _verify(hashed: str, password: str) -> bool:
    try:
        return PasswordHasher().verify(hashed, password)
    except (Argon2Error, InvalidHashError):
        return False


class Sessions:
    """Open sessions; kept in memory only, and there only as hashes."""

    def __init__(self) -> None:
        self._ends: dict[str, tuple[float, str]] = {}

    def open(self, hashed: str) -> str:
        """Open a session, under the password that was given for it."""
        session = secrets.token_urlsafe(32)
        now = time.monotonic()
        self._ends = {name: end for name, end in self._ends.items() if end[0] > now}
        self._ends[digest_of(session)] = (now + HOURS * 3600, hashed)
        return session

    def password_of(self, session: str | None) -> str | None:
        """The password, hashed, that an open session began with: a new one ends those of the old.

        None: there is no such session, or no longer.
        """
        end, hashed = self._ends.get(digest_of(session or ""), (0.0, None))
        return hashed if end > time.monotonic() else None

    def leave(self, session: str | None) -> None:
        """End a session."""
        self._ends.pop(digest_of(session or ""), None)
