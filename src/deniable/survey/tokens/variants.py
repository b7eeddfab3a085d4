"""The four variants of RFC 9474, and how a message is encoded before it is blinded.

All hash by SHA-384. They differ in whether the encoding is salted, and in whether a random prefix
is put before the message: with either, two tokens for one message cannot be told to be so.
"""

import hashlib
import secrets
from dataclasses import dataclass

HASH = "sha384"
HASH_BYTES = 48
TRAILER = b"\xbc"


@dataclass(frozen=True)
class Variant:
    """How many random bytes are put before a message, and how many salt its encoding."""

    name: str
    salt_bytes: int
    prefix_bytes: int

    def prepare(self, message: bytes) -> bytes:
        """Put a random prefix before the message (RFC 9474, 4.1)."""
        return secrets.token_bytes(self.prefix_bytes) + message


RANDOMIZED = Variant("RSABSSA-SHA384-PSS-Randomized", HASH_BYTES, 32)
"""What surveys use, and what the RFC recommends."""

VARIANTS = (
    RANDOMIZED,
    Variant("RSABSSA-SHA384-PSSZERO-Randomized", 0, 32),
    Variant("RSABSSA-SHA384-PSS-Deterministic", HASH_BYTES, 0),
    Variant("RSABSSA-SHA384-PSSZERO-Deterministic", 0, 0),
)


def encode_pss(message: bytes, bits: int, salt: bytes) -> bytes:
    """EMSA-PSS-ENCODE of RFC 8017, 9.1.1, names as there.

    ``bits`` is one less than the key has. (RFC 9474 writes as many; its test vectors do not.)
    """
    em_bytes = -(-bits // 8)
    h = hashlib.new(HASH, bytes(8) + hashlib.new(HASH, message).digest() + salt).digest()
    padding = bytes(em_bytes - len(salt) - len(h) - 2)
    db = padding + b"\x01" + salt
    masked = int.from_bytes(db) ^ int.from_bytes(_mgf1(h, len(db)))
    masked &= (1 << bits - 8 * (len(h) + 1)) - 1  # the leftmost 8·em_bytes − bits bits are zero
    return masked.to_bytes(len(db)) + h + TRAILER


def _mgf1(seed: bytes, length: int) -> bytes:
    """The mask generation function of RFC 8017, B.2.1."""
    blocks = -(-length // HASH_BYTES)
    mask = b"".join(hashlib.new(HASH, seed + i.to_bytes(4)).digest() for i in range(blocks))
    return mask[:length]
