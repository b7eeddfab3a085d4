"""Random polynomials from a hash: what both sides derive alike, and what one side keeps to itself.

The uniform half of a key, or of a ciphertext, hides what is added to it only if nobody could choose
it. So it does not travel: it is expanded from randomness that both sides have drawn together, and
from what it is for. Errors and secrets are expanded from a seed that never leaves its side.

A hash of both (SHA-256) is the key of AES in counter mode: as uniform as SHAKE, and seven times as
fast.
"""

from collections.abc import Sequence

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from numpy.typing import NDArray

from deniable.base.arrays import Codes
from deniable.base.fingerprint import digest_of
from deniable.collab.counting.parameters import ERROR_BITS

SPARE = 64
"""Deviations of how many numbers fit that are drawn beyond what is needed."""


def stream(seed: bytes, about: str, size: int) -> bytes:
    """So many bytes that look random to whoever does not know the seed.

    >>> stream(b"seed", "one", 4) == stream(b"seed", "other", 4)
    False
    """
    fields = (b"deniable", seed, about.encode())
    key = bytes.fromhex(digest_of(len(f).to_bytes(8, "big") + f for f in fields))
    cipher = Cipher(algorithms.AES256(key), modes.CTR(bytes(16))).encryptor()
    return cipher.update(bytes(size))


def uniform(seed: bytes, about: str, prime: int, many: int) -> NDArray[np.uint64]:
    """Numbers below a prime, each as likely: those that are not below are left out."""
    length = prime.bit_length()
    drawn = int((many + SPARE * many**0.5) * 2**length / prime) + SPARE
    words = np.frombuffer(stream(seed, about, 8 * drawn), "<u8") & np.uint64((1 << length) - 1)
    fitting = words[words < prime][:many]
    if len(fitting) < many:  # never
        raise ArithmeticError("a hash that is not random")
    return fitting


def uniform_polynomials(
    seed: bytes, about: str, primes: Sequence[int], degree: int, blocks: int
) -> NDArray[np.uint64]:
    """Uniform residues: blocks × primes × coefficients."""
    columns = [uniform(seed, f"{about} mod {p}", p, blocks * degree) for p in primes]
    return np.stack([each.reshape(blocks, degree) for each in columns], axis=1)


def errors(seed: bytes, about: str, blocks: int, degree: int) -> Codes:
    """Small errors, by blocks: differences of two sums of fair bits."""
    octets = np.zeros((blocks * degree, 8), np.uint8)
    drawn = stream(seed, about, blocks * degree * 6)
    octets[:, :6] = np.frombuffer(drawn, np.uint8).reshape(-1, 6)
    words = octets.view("<u8").reshape(blocks, degree)
    each = np.uint64((1 << ERROR_BITS) - 1)
    plus = np.bitwise_count(words & each)
    minus = np.bitwise_count(words >> np.uint64(ERROR_BITS) & each)
    found: Codes = plus.astype(np.int64) - minus
    return found


def ternary(seed: bytes, about: str, degree: int) -> Codes:
    """Coefficients −1, 0 and 1, each as likely."""
    return uniform(seed, about, 3, degree).astype(np.int64) - 1
