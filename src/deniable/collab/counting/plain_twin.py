"""Counts in the clear, with the same messages, masks and checks: for dry runs and tests.

Nothing is secret here. Never give it real data of two sides.
"""

import secrets

import numpy as np
from numpy.typing import NDArray

from deniable.collab.counting.backend import (
    MODULUS,
    Bits,
    EncryptedVector,
    Evaluation,
    Holder,
    countable,
    malformed,
)

TWIN_KEY_SIZE = 32
VALUE = np.dtype("<u4")

NONCE_SIZE = 16
"""No two answers are alike, as with fresh encryptions."""


class Twin:
    """The backend for data that nobody needs to hide."""

    def hold(self, vector: Bits) -> Holder:
        """Take a vector, as it is, under a name of its own."""
        countable(len(vector))
        return TwinHolder(vector.astype(VALUE))

    def evaluate(self, encrypted: EncryptedVector) -> Evaluation:
        """Load what the other side holds."""
        return TwinEvaluation(encrypted)


class TwinHolder(Holder):
    """A vector and its name."""

    def __init__(self, values: NDArray[np.uint32]) -> None:
        key = secrets.token_bytes(TWIN_KEY_SIZE)
        blocks = values.astype(VALUE).tobytes()
        super().__init__(EncryptedVector(key, blocks, len(values)), VALUE.itemsize + NONCE_SIZE)

    def _decrypted(self, body: bytes) -> int:
        return int(_values(body[: VALUE.itemsize])[0])


class TwinEvaluation(Evaluation):
    """The other side's vector."""

    def __init__(self, encrypted: EncryptedVector) -> None:
        blocks_size = countable(encrypted.records) * VALUE.itemsize
        super().__init__(encrypted, TWIN_KEY_SIZE, blocks_size)
        self._values = _values(encrypted.blocks).astype(np.int64)

    def _masked(self, candidate: Bits, mask: int) -> bytes:
        total = (int(self._values @ candidate) + mask) % MODULUS
        return np.array(total, VALUE).tobytes() + secrets.token_bytes(NONCE_SIZE)


def _values(data: bytes) -> NDArray[np.uint32]:
    values = np.frombuffer(data, VALUE)
    if (values >= MODULUS).any():
        raise malformed("a value that is not below the modulus")
    return values
