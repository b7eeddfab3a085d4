"""How often one visitor may ask, without keeping addresses.

A visitor is a hash of the address under a key that is made anew every few minutes and never leaves
memory: nothing that is kept can be turned into an address later.
"""

import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address

from starlette.requests import Request

FORGET = 600
"""Seconds after which all visitors are strangers again."""

MOST_VISITORS = 100_000

REQUESTS_AT_ONCE, REQUESTS_A_MINUTE = 5_000, 1_200
"""From one address, which a whole campus may share; codes are too long to be guessed anyway."""

LOGINS_A_MINUTE = 10
"""Wrong passwords from one address."""

SIGNATURES_AT_ONCE, SIGNATURES_A_MINUTE = 20, 6
"""For one invitation, the same one each time: a retry after a lost answer needs one or two."""


class Limit:
    """So many at once, then so many a minute, for each visitor.

    >>> limit = Limit(burst=2, per_minute=60, clock=iter([0, 0, 0, 0, 1]).__next__)
    >>> [limit.wait("10.0.0.1") for _ in range(4)]
    [0, 0, 1, 0]
    """

    def __init__(
        self, burst: int, per_minute: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._burst = burst
        self._rate = per_minute / 60
        self._clock = clock
        self._forget(clock())

    def wait(self, visitor: str) -> int:
        """Seconds before the next request of an address or invitation is welcome; 0: go on."""
        now = self._clock()
        if now - self._since > FORGET:
            self._forget(now)
        who = hashlib.blake2b(network(visitor), key=self._key, digest_size=16).digest()
        left, seen = self._visitors.pop(who, (float(self._burst), now))
        left = min(self._burst, left + (now - seen) * self._rate)
        allowed = left >= 1
        self._visitors[who] = (left - allowed, now)
        while len(self._visitors) > MOST_VISITORS:
            self._visitors.popitem(last=False)
        return 0 if allowed else -int(-(1 - left) / self._rate // 1)

    def _forget(self, now: float) -> None:
        self._since = now
        self._key = secrets.token_bytes(32)
        self._visitors: OrderedDict[bytes, tuple[float, float]] = OrderedDict()


def address_of(request: Request) -> str:
    """Where a request comes from."""
    return request.client.host if request.client else ""


def network(address: str) -> bytes:
    """What one visitor can change at will does not make another visitor: IPv6 gives them 2^64.

    >>> network("2001:db8::1") == network("2001:db8::ffff:2") != network("2001:db8:0:1::1")
    True
    >>> network("10.0.0.1") == network("::ffff:10.0.0.1") != network("10.0.0.2")
    True
    """
    try:
        found = ip_address(address)
    except ValueError:
        return address.encode()
    if isinstance(found, IPv6Address):
        return found.ipv4_mapped.packed if found.ipv4_mapped else found.packed[:8]
    return found.packed
