"""Secure counts by BFV with coefficient packing: steps 2 to 8 of secure-counting.md.

What the holder learns: count + R, uniform. What the evaluator learns: the number of records. c1
hides by ring-LWE at 128 bits, the noise by flooding at 2^−50 an answer. Both hold for semi-honest
sides only: a holder that forges its public key takes the re-randomisation away.
"""

import secrets
from typing import Any

import numpy as np
import seal

from deniable.collab.counting.backend import (
    MODULUS,
    Bits,
    EncryptedVector,
    Evaluation,
    Holder,
    countable,
    malformed,
)
from deniable.collab.counting.ring import (
    DEGREE,
    PRIME_BITS,
    RESIDUE_SIZE,
    Ring,
    Words,
    block_count,
    forward,
    mirrored,
    packed,
    refusing,
    ring,
    unpacked,
)

FLOOD = 1 << 69
"""Noise before it is below 2^20 at a million records; half of q/t, beyond which counts would
change, is 2^71."""

PRIMES = len(PRIME_BITS) - 1
BFV_KEY_SIZE = 2 * (PRIMES + 1) * DEGREE * RESIDUE_SIZE
BLOCK_SIZE = 2 * PRIMES * DEGREE * RESIDUE_SIZE
CONSTANT_SIZE = PRIMES * RESIDUE_SIZE
ANSWER_SIZE = CONSTANT_SIZE + BLOCK_SIZE // 2


class Bfv:
    """The backend for real data."""

    def hold(self, vector: Bits) -> Holder:
        """Encrypt a vector under a fresh key."""
        countable(len(vector))
        return BfvHolder(forward(vector), len(vector))

    def evaluate(self, encrypted: EncryptedVector) -> Evaluation:
        """Load what the other side has encrypted."""
        return BfvEvaluation(encrypted)


class BfvHolder(Holder):
    """Alice: one vector, one key pair, which never leaves this object."""

    def __init__(self, polynomials: Words, records: int) -> None:
        self._ring = ring()
        keys = seal.KeyGenerator(self._ring.context)
        self._decryptor = seal.Decryptor(self._ring.context, keys.secret_key())
        encryptor = seal.Encryptor(self._ring.context, keys.secret_key())
        blocks = b"".join(
            packed(self._ring.residues(encryptor.encrypt_symmetric(self._ring.plain(each))))
            for each in polynomials
        )
        key = packed(self._ring.key_residues(keys.create_public_key()))
        super().__init__(EncryptedVector(key, blocks, records), ANSWER_SIZE)

    def _decrypted(self, body: bytes) -> int:
        # Only the constant coefficient of c0 has come; the others of the sum decrypt to nonsense.
        residues = np.zeros((2, PRIMES, DEGREE), np.uint64)
        residues[0, :, :1] = unpacked(body[:CONSTANT_SIZE], self._ring.primes, degree=1)[0]
        residues[1] = unpacked(body[CONSTANT_SIZE:], self._ring.primes)[0]
        with refusing():
            plain = self._decryptor.decrypt(self._ring.cipher(residues))
        return self._ring.constant(plain)


class BfvEvaluation(Evaluation):
    """Bob: Alice's vector in NTT form, and her public key."""

    def __init__(self, encrypted: EncryptedVector) -> None:
        blocks_size = block_count(countable(encrypted.records)) * BLOCK_SIZE
        super().__init__(encrypted, BFV_KEY_SIZE, blocks_size)
        self._ring = ring()
        key = unpacked(encrypted.key, self._ring.key_primes)
        blocks = unpacked(encrypted.blocks, self._ring.primes).reshape(-1, 2, PRIMES, DEGREE)
        with refusing():
            self._encryptor = seal.Encryptor(self._ring.context, self._ring.public_key(key))
            self._vector = [_transformed(self._ring, block) for block in blocks]

    def _masked(self, candidate: Bits, mask: int) -> bytes:
        with refusing():
            constant, c1 = self._product(candidate, self._rerandomising(mask))
        flood = self._flood()
        flooded = [(int(c) + flood) % p for c, p in zip(constant, self._ring.primes, strict=True)]
        return packed(np.array(flooded, np.uint64)) + packed(c1)

    def _product(self, candidate: Bits, fresh: Any) -> tuple[Words, Words]:
        """Add Σ A·B to a fresh encryption; give the constant coefficient of c0, and c1."""
        evaluator, level = self._ring.evaluator, self._ring.level
        polynomials = mirrored(candidate, MODULUS)
        # SEAL refuses to multiply by zero, and to leave such blocks out would show in the time.
        # They are multiplied by one instead, and what comes of it is added up and thrown away.
        empty = polynomials.sum(axis=1) == 0
        polynomials[:, 0] += empty
        total, waste = fresh, seal.Ciphertext(fresh)
        for each in (total, waste):
            evaluator.transform_to_ntt_inplace(each)
        for block, polynomial, thrown_away in zip(self._vector, polynomials, empty, strict=True):
            plain = self._ring.plain(polynomial)
            evaluator.transform_to_ntt_inplace(plain, level)
            term = evaluator.multiply_plain(block, plain)
            evaluator.add_inplace(waste if thrown_away else total, term)
        evaluator.transform_from_ntt_inplace(total)
        c0, c1 = self._ring.residues(total)
        return c0[:, 0], c1

    def _rerandomising(self, mask: int) -> Any:
        """A fresh encryption of R. Without it c1 is Σ A₁·B, and Alice, who knows A₁, divides."""
        return self._encryptor.encrypt(seal.Plaintext(f"{mask:x}"))

    def _flood(self) -> int:
        """Noise that drowns Alice's own, of which she knows every term: Σ eᵢbᵢ would be left."""
        return secrets.randbelow(2 * FLOOD + 1) - FLOOD


def _transformed(ring: Ring, residues: Words) -> Any:
    cipher = ring.cipher(residues)
    if cipher.is_transparent():
        raise malformed("a block that is not encrypted")
    ring.evaluator.transform_to_ntt_inplace(cipher)
    return cipher
