"""Identifiers as points of P-256, hidden by a secret number: the arithmetic of the intersection.

A point travels as its x-coordinate, 32 bytes. A point and its negative have the same one, and so
have their multiples: the sign is never needed, and OpenSSL's Diffie–Hellman, whose time does not
depend on the secret number, is all the multiplication there is. P-256 has a prime order, so every
point on the curve is a good one; OpenSSL refuses what is not on it.

An identifier is hashed to coordinates until one is on the curve, as about every second is: points
are uniform, as the proof of such protocols needs them. RFC 9380 has ways that take the same time
for each; in Python they take five times as long. Nobody sees the time of one identifier here: all
are hashed before a byte is sent, and `hashed` always makes as many tries as a list of that length
may need, so that their sum says nothing either.
"""

import hashlib
import math
import secrets
from collections.abc import Iterable, Iterator, Sequence

from cryptography.hazmat.primitives.asymmetric import ec

from deniable.collab.wire.message_limits import POINT_BYTES

CURVE = ec.SECP256R1()
DIFFIE_HELLMAN = ec.ECDH()

ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""Of the curve: how many points it has."""

EITHER_SIGN = b"\x02"

DOMAIN = b"deniable intersection, P-256, x only, 2\n"
"""Hashed with every identifier: points of other programs, or other agreements, are other ones."""

Point = ec.EllipticCurvePublicKey


class HidingNumber:
    """A secret number that points are multiplied by."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._key = ec.derive_private_key(number, CURVE)

    @classmethod
    def of(cls, secret: bytes) -> "HidingNumber":
        """Make it of 32 secret bytes; 512 bits, so that no number is likelier than another."""
        wide = int.from_bytes(hashlib.sha512(DOMAIN + secret).digest(), "big")
        return cls(wide % (ORDER - 1) + 1)

    @property
    def inverse(self) -> "HidingNumber":
        """What takes it off again."""
        return HidingNumber(pow(self._number, -1, ORDER))

    def times(self, points: Iterable[Point]) -> bytes:
        """Multiply each, one after the other; coordinates, joined."""
        return b"".join(self._key.exchange(DIFFIE_HELLMAN, point) for point in points)


def hashed(ids: Sequence[str], agreement: str) -> Iterator[Point]:
    """Give the point of each identifier, in their order; as many tries for any of that many."""
    left = tries_for(len(ids))
    prefix = hashlib.sha256(DOMAIN + agreement.encode() + b"\n")
    for identifier in ids:
        point, tries = _found(prefix, identifier.encode())
        left -= tries
        yield point
    while left > 0:
        left -= _found(prefix, secrets.token_bytes(16))[1]


def tries_for(many: int) -> int:
    """As many as fewer than one list in 10¹⁵ needs.

    One identifier needs 2 on average, with variance 2; eight standard deviations, and a few more
    for short lists.
    """
    return 2 * many + math.ceil(8 * math.sqrt(2 * many)) + 64


def _found(prefix: "hashlib._Hash", identifier: bytes) -> tuple[Point, int]:
    tries = 0
    while True:
        tries += 1
        tried = prefix.copy()
        tried.update(tries.to_bytes(4, "big") + identifier)
        try:
            return read_point(tried.digest()), tries
        except ValueError:
            continue


def read_point(coordinate: bytes) -> Point:
    """Take a coordinate for a point; ValueError if there is none on the curve."""
    return Point.from_encoded_point(CURVE, EITHER_SIGN + coordinate)


def read_points(message: bytes) -> Iterator[Point]:
    """Take a message for points, one after the other."""
    for start in range(0, len(message), POINT_BYTES):
        yield read_point(message[start : start + POINT_BYTES])
