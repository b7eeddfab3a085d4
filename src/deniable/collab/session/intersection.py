"""Who is in both files: identifiers, private set intersection, and an order that all parties share.

The intersection is by elliptic-curve Diffie–Hellman. Each identifier is hashed to a point of P-256;
the seeker (`IntersectionClient`) multiplies its points by a secret number, every other party
(`IntersectionServer`) those and its own by another; what was multiplied by both is compared. Points
travel, 33 bytes each, nothing else.

Who learns what: both sides learn how many identifiers the other has; the seeker learns which of its
own are common, and tells the other so by `tags`. Neither learns an identifier that it does not have
itself. Among several parties the seeker learns the intersection with each, not only that of all.

This holds for parties that follow the protocol. A seeker that enters guesses learns which of them
the other has: no such protocol can tell a guess from a member, so the number of requests and of
identifiers in each belongs into the ledger. A party that sends other points than it should learns
nothing by it, but can make people appear common, or not.
"""

import hashlib
import math
import os
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deniable.base.arrays import Codes
from deniable.base.errors import CollabError
from deniable.base.fingerprint import digest_of

Rows = Codes

KEY_BYTES = 32
TAG_BYTES = 32
POINT_BYTES = 33
"""A point of P-256: its sign, 2 or 3, and one coordinate."""

MOST_IDENTIFIERS = 10_000_000
"""By what 250,000 took: 330 MB a message, and 40 minutes of one core and 12 GB of memory a side."""

EXACT_FLOAT = 1 << 53
"""From here on, neighbouring whole numbers are the same floating-point number."""

PIECE = 1 << 12
"""Identifiers that are worked on at once: about half a second, between which Ctrl-C is heard."""


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
    """One side of one intersection, with a key that no other one uses."""

    def __init__(self, ids: Sequence[str], role: str) -> None:
        import private_set_intersection.python as psi

        self._psi, self._ids, self._role = psi, ids, getattr(psi, role)
        self._key = self._role.CreateWithNewKey(True).GetPrivateKeyBytes()

    def _keyed(self) -> Any:
        """One for each thread: the library's own are not safe to share."""
        return self._role.CreateFromKey(self._key, True)


class IntersectionClient(_Side):
    """The seeker's side."""

    def __init__(self, ids: Sequence[str]) -> None:
        super().__init__(ids, "client")

    def request(self) -> bytes:
        """Own identifiers, hidden; in the order of the rows."""
        return _joined(lambda ids: self._keyed().CreateRequest(ids).encrypted_elements, self._ids)

    def common(self, setup: bytes, response: bytes) -> Rows:
        """Own row numbers of the people in common, in ascending order."""
        theirs, mine = _points(setup, "setup"), _points(response, "response")
        if len(mine) != len(self._ids):
            raise _malformed("response")
        known = self._psi.ServerSetup(raw={"encrypted_elements": theirs})
        # Every piece looks its points up in all of theirs, so there is one for each core only.
        size = math.ceil(len(mine) / _cores())

        def find(points: Sequence[bytes]) -> list[int]:
            answer = self._psi.Response(encrypted_elements=points)
            try:
                places: list[int] = self._keyed().GetIntersection(known, answer)
            except RuntimeError:  # not on the curve
                raise _malformed("response") from None
            return places

        found = _pieces(find, mine, size)
        rows = [np.array(part, np.int64) + size * place for place, part in enumerate(found)]
        return np.sort(np.concatenate(rows))


class IntersectionServer(_Side):
    """The other side."""

    def __init__(self, ids: Sequence[str]) -> None:
        super().__init__(ids, "server")

    @cached_property
    def setup(self) -> bytes:
        """Own identifiers, hidden, and sorted so that their order says nothing."""
        raw = self._psi.DataStructure.RAW  # the others would add false members now and then

        def hide(ids: Sequence[str]) -> Iterable[bytes]:
            # The two numbers are for the others: a rate of false members, and among how many.
            setup = self._keyed().CreateSetupMessage(0.5, 1, ids, raw)
            points: Iterable[bytes] = setup.raw.encrypted_elements
            return points

        return np.sort(np.frombuffer(_joined(hide, self._ids), f"S{POINT_BYTES}")).tobytes()

    def respond(self, request: bytes, announced: int) -> bytes:
        """The seeker's points with the own key on top, in the same order; as many as announced."""
        points = _points(request, "request")
        if len(points) != announced:
            raise _malformed("request")
        return _joined(self._with_own_key, points)

    def _with_own_key(self, points: Sequence[bytes]) -> Iterable[bytes]:
        request = self._psi.Request(reveal_intersection=True, encrypted_elements=points)
        try:
            answer: Iterable[bytes] = self._keyed().ProcessRequest(request).encrypted_elements
        except RuntimeError:  # not on the curve
            raise _malformed("request") from None
        return answer


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


def _points(message: bytes, what: str) -> list[bytes]:
    """Take a message apart, once its size, its signs and that no point stands twice are checked."""
    count, rest = divmod(len(message), POINT_BYTES)
    if rest or not 0 < count <= MOST_IDENTIFIERS:
        raise _malformed(what)
    signs = np.frombuffer(message, np.uint8)[::POINT_BYTES]
    points = [message[start : start + POINT_BYTES] for start in range(0, len(message), POINT_BYTES)]
    if not np.isin(signs, (2, 3)).all() or len(set(points)) < count:
        raise _malformed(what)
    return points


def _malformed(what: str) -> CollabError:
    return CollabError(
        f"The peer's {what} is not what the alignment needs.",
        hint="All parties must use the same version; nothing was aligned.",
    )


def _joined(work: Callable[[Any], Iterable[bytes]], items: Sequence[Any]) -> bytes:
    return b"".join(point for part in _pieces(work, items, PIECE) for point in part)


def _pieces(work: Callable[[Any], Any], items: Sequence[Any], size: int) -> list[Any]:
    """Work on pieces, on all cores: the library lets other threads run meanwhile."""
    cut = [list(items[start : start + size]) for start in range(0, len(items), size)]
    with ThreadPoolExecutor(_cores()) as pool:
        try:
            return list(pool.map(work, cut))
        except BaseException:  # an interruption, too, need not wait for what has not begun
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _cores() -> int:
    return os.cpu_count() or 1
