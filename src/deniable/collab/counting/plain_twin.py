"""Counts in the clear, with the same messages, masks and proofs: for dry runs and tests.

Nothing is secret here. Never give it real data of two sides.
"""

import secrets
from collections.abc import Sequence

import numpy as np

from deniable.collab.counting.backend import (
    Bits,
    CountingSession,
    Numbers,
    OwnKey,
    PeerKey,
    Quadratic,
    Square,
    Weighted,
    malformed,
    require_size,
)
from deniable.collab.counting.parameters import Parameters

TWIN_KEY_SIZE = 32
VALUE = np.dtype("<u4")

NONCE_SIZE = 16
"""No two answers are alike, as with fresh encryptions."""


class Twin:
    """The backend for data that nobody needs to hide."""

    def own_key(self, session: CountingSession, side: str) -> OwnKey:
        """A key in name only."""
        return TwinKey(session, side)

    def peer_key(self, session: CountingSession, side: str, public: bytes) -> PeerKey:
        """The other side's."""
        return TwinPeerKey(session, side, public)

    def sealed_size(self, parameters: Parameters) -> int:
        """As many numbers as there are records."""
        return parameters.records * VALUE.itemsize

    def answer_size(self, _: Parameters) -> int:
        """A number, and what makes it unlike others."""
        return VALUE.itemsize + NONCE_SIZE


class TwinKey(OwnKey):
    """Seals nothing."""

    def __init__(self, session: CountingSession, _: str) -> None:
        self._t = session.parameters.t
        self.public = secrets.token_bytes(TWIN_KEY_SIZE)

    def seal(self, _: str, values: Numbers | Bits) -> bytes:
        """The numbers as they are."""
        return (values.astype(np.int64) % self._t).astype(VALUE).tobytes()

    def open(self, answer: bytes) -> int:
        """The number in an answer."""
        require_size("an answer", answer, VALUE.itemsize + NONCE_SIZE)
        return int(_values(answer[: VALUE.itemsize], self._t)[0])


class TwinPeerKey(PeerKey):
    """Computes with the other side's numbers."""

    def __init__(self, session: CountingSession, _: str, public: bytes) -> None:
        self._t = session.parameters.t
        require_size("a key", public, TWIN_KEY_SIZE)

    def load(self, _: str, sealed: bytes, length: int) -> Numbers:
        """Read the numbers."""
        require_size("a sealed vector", sealed, length * VALUE.itemsize)
        return _values(sealed, self._t)

    def masked(self, weighted: Weighted, mask: int) -> bytes:
        """A sum of products with numbers."""
        return self._answer(self._total(weighted) + mask)

    def proof(self, products: Sequence[Quadratic], weighted: Weighted, mask: int) -> bytes:
        """A sum of products of vectors."""
        total = self._total(weighted) + mask
        for each in products:
            left = sum((v * numbers % self._t for v, numbers in each.weighted), np.int64(0))
            if isinstance(each, Square):
                right = left
            else:
                right = each.constant - sum(each.less, np.int64(0))
            total += int((left % self._t * (right % self._t) % self._t).sum())
        return self._answer(total)

    def _total(self, weighted: Weighted) -> int:
        return sum(int((v * (numbers % self._t) % self._t).sum()) for v, numbers in weighted)

    def _answer(self, total: int) -> bytes:
        return np.array(total % self._t, VALUE).tobytes() + secrets.token_bytes(NONCE_SIZE)


def _values(data: bytes, t: int) -> Numbers:
    values = np.frombuffer(data, VALUE).astype(np.int64)
    if (values >= t).any():
        raise malformed("a value that is not below the modulus")
    return values
