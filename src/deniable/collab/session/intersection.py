"""Who is in both files: identifiers, private set intersection, and an order that all parties share.

The intersection is by elliptic-curve Diffie–Hellman. Each identifier is hashed to a point of P-256
(`hidden_points`); the seeker (`IntersectionClient`) multiplies its points by a secret number, every
other party (`IntersectionServer`) those and its own by another; the seeker takes its own number off
again, and compares. Points travel, 32 bytes each, nothing else.

Who learns what: both sides learn how many identifiers the other has; the seeker learns which of its
own are common, and tells the other so by `tags`. Neither learns an identifier that it does not have
itself. Among several parties the seeker learns the intersection with each, not only that of all.

This holds for parties that follow the protocol. A seeker that enters guesses learns which of them
the other has: no such protocol can tell a guess from a member. So a run has one request, which is
in the ledger with its size before it is answered, and only so many guesses fit in. A party that
sends other points than it should learns nothing by it, but can make people appear common, or not.
"""

import hashlib
import math
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from deniable.base.arrays import Codes
from deniable.base.errors import CollabError
from deniable.base.fingerprint import digest_of
from deniable.collab.session.hidden_points import HidingNumber, hashed, read_points
from deniable.collab.wire.message_limits import MOST_IDENTIFIERS, POINT_BYTES, TAG_BYTES

Rows = Codes

KEY_BYTES = 32

EXACT_FLOAT = 1 << 53
"""From here on, neighbouring whole numbers are the same floating-point number."""


class Identifiers(tuple[str, ...]):
    """One for each record, none blank, none twice.

    Text is taken as it is but for surrounding blanks and the ways Unicode has to write one letter:
    case and leading zeros matter. A whole number has no ".0".

    >>> Identifiers.of([" a17", 17, 17.5, 18.0])
    ('a17', '17', '17.5', '18')
    """

    __slots__ = ()

    @classmethod
    def of(cls, values: Iterable[object]) -> "Identifiers":
        """Check them; an error gives the numbers of rows, never an identifier."""
        texts = [_text(value) for value in values]
        _refuse([row for row, text in enumerate(texts, start=1) if not text], "no identifier")
        first: dict[str | None, int] = {}
        repeated = [row for row, text in enumerate(texts, 1) if first.setdefault(text, row) != row]
        _refuse(repeated, "an identifier that stands further up already")
        if len(texts) > MOST_IDENTIFIERS:
            raise CollabError(
                f"There are {len(texts):,} identifiers; at most {MOST_IDENTIFIERS:,} can be "
                "aligned.",
                hint="Split the collaboration, for example by year of birth.",
            )
        return cls(text for text in texts if text)


def _text(value: object) -> str | None:
    """One identifier as text; None where there is none."""
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value.strip())
    if isinstance(value, float):
        if math.isnan(value):
            return None
        if not abs(value) < EXACT_FLOAT:
            raise CollabError(
                "Some identifiers are floating-point numbers too large to be told apart.",
                hint="Store the column as text or as whole numbers.",
            )
        return str(int(value)) if value.is_integer() else repr(value)
    if isinstance(value, Decimal):
        return str(int(value)) if value == value.to_integral_value() else str(value.normalize())
    if value is None or isinstance(value, int | date):
        return None if value is None else str(value)
    raise CollabError(
        "The column of identifiers holds no plain values.", hint="Make it text or whole numbers."
    )


def _refuse(rows: Sequence[int], problem: str) -> None:
    if rows:
        where = f"row {rows[0]}" if len(rows) == 1 else f"rows {_first(rows)}"
        verb = "record has" if len(rows) == 1 else "records have"
        raise CollabError(
            f"{len(rows):,} {verb} {problem}: {where}.",
            hint="Mend or drop them; nobody is aligned by guessing.",
        )


def _first(rows: Sequence[int], most: int = 5) -> str:
    return ", ".join(map(str, rows[:most])) + (", …" if len(rows) > most else "")


class _Side:
    """One side of one intersection, by a number that no other one uses.

    Made again of the same secret, it hides the same people by the same points: who asks twice
    learns nothing new.
    """

    def __init__(self, ids: Sequence[str], secret: bytes, agreement: str) -> None:
        self._ids, self._agreement = ids, agreement
        self._number = HidingNumber.of(secret)

    @cached_property
    def _hidden(self) -> bytes:
        """Own identifiers, in the order of the rows."""
        return self._number.times(hashed(self._ids, self._agreement))


class IntersectionClient(_Side):
    """The seeker's side."""

    def request(self) -> bytes:
        """Own identifiers, hidden; in the order of the rows."""
        return self._hidden

    def common(self, setup: bytes, response: bytes) -> Rows:
        """Own row numbers of the people in common, in ascending order."""
        theirs = _checked(setup, "setup")
        if len(_checked(response, "response")) != len(self._ids):
            raise _malformed("response")
        mine = _points(_multiplied(self._number.inverse, response, "response"))
        return np.flatnonzero(np.isin(mine, theirs))


class IntersectionServer(_Side):
    """The other side."""

    @property
    def setup(self) -> bytes:
        """Own identifiers, hidden, and sorted so that their order says nothing."""
        return np.sort(_points(self._hidden)).tobytes()

    def respond(self, request: bytes, announced: int) -> bytes:
        """The seeker's points with the own number on top, in the same order; as many as said."""
        if len(_checked(request, "request")) != announced:
            raise _malformed("request")
        return _multiplied(self._number, request, "request")


def tags(ids: Sequence[str], rows: Rows, key: bytes) -> bytes:
    """Name people to a party that knows them too and has the key, by HMAC-SHA256(key, identifier).

    Sorted by it, the same people come in the same order at every party that knows the key; to
    others it is a shuffle.
    """
    return np.sort(_tags([ids[row] for row in rows.tolist()], key)).tobytes()


def found(ids: Sequence[str], named: bytes, key: bytes) -> Rows:
    """Own rows of the people that `tags` named, in the same order; every one must be there."""
    whole = np.frombuffer(named[: len(named) // TAG_BYTES * TAG_BYTES], f"S{TAG_BYTES}")
    if len(named) % TAG_BYTES or (whole[1:] <= whole[:-1]).any():
        raise _malformed("list of people in common")
    _, rows, _ = np.intersect1d(_tags(ids, key), whole, assume_unique=True, return_indices=True)
    if len(rows) < len(whole):
        raise CollabError(
            f"{len(whole) - len(rows):,} of {len(whole):,} people said to be in common are not in "
            "this file.",
            hint="Begin the run again; if it happens again, the files or programs differ.",
        )
    return rows.astype(np.int64, copy=False)


def same_identifiers(ids: Sequence[str], key: bytes) -> str:
    """One value that is equal at two parties if, and only if, they have the same identifiers.

    To a party that knows the key it confirms a guess of *all* identifiers, and nothing less.
    """
    return digest_of(np.sort(_tags(ids, key)).tobytes())


def _tags(ids: Sequence[str], key: bytes) -> NDArray[np.bytes_]:
    """HMAC-SHA256 of every identifier; the key is taken in once, which halves the time."""
    if len(key) != KEY_BYTES:
        raise CollabError(f"The key of the order has {len(key)} bytes, not {KEY_BYTES}.")
    block = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in block))
    outer = hashlib.sha256(bytes(byte ^ 0x5C for byte in block))

    def tag(identifier: str) -> bytes:
        first, second = inner.copy(), outer.copy()
        first.update(identifier.encode())
        second.update(first.digest())
        return second.digest()

    return np.frombuffer(b"".join(map(tag, ids)), f"S{TAG_BYTES}")


def _points(message: bytes) -> NDArray[np.bytes_]:
    return np.frombuffer(message, f"S{POINT_BYTES}")


def _checked(message: bytes, what: str) -> NDArray[np.bytes_]:
    """Take a message apart, once its size, and that no point stands twice, are checked."""
    count, rest = divmod(len(message), POINT_BYTES)
    if rest or not 0 < count <= MOST_IDENTIFIERS or len(np.unique(_points(message))) < count:
        raise _malformed(what)
    return _points(message)


def _multiplied(number: HidingNumber, message: bytes, what: str) -> bytes:
    try:
        return number.times(read_points(message))
    except ValueError:  # not on the curve
        raise _malformed(what) from None


def _malformed(what: str) -> CollabError:
    return CollabError(
        f"The peer's {what} is not what the alignment needs.",
        hint="All parties must use the same version; nothing was aligned.",
    )
