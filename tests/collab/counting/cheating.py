"""What sides that do not follow the protocol would do, and weaknesses planted for them."""

from fractions import Fraction
from typing import Any

import numpy as np
import seal
from numpy.typing import NDArray

from deniable.collab.counting.backend import (
    MODULUS,
    TAG_SIZE,
    Backend,
    Bits,
    EncryptedVector,
    Holder,
)
from deniable.collab.counting.bfv import CONSTANT_SIZE, BfvEvaluation, BfvHolder
from deniable.collab.counting.plain_twin import Twin, TwinHolder
from deniable.collab.counting.ring import DEGREE, FLAT, Form, Words, forward, packed, ring, unpacked

Q = ring().primes[0] * ring().primes[1]


def seal_weights(backend: Backend, weights: NDArray[np.int64]) -> Holder:
    """Hold any numbers in place of 0 and 1, as an honest holder never would."""
    values = (weights % MODULUS).astype(np.uint64)
    if isinstance(backend, Twin):
        return TwinHolder(values.astype(np.uint32))
    return BfvHolder(forward(values), len(values))


class WithoutFlood(BfvEvaluation):
    """Step 6 left out."""

    def _flood(self) -> int:
        return 0


class WithoutFreshEncryption(BfvEvaluation):
    """Step 5 left out: neither re-randomised nor masked."""

    def _product(self, candidate: Bits, fresh: Any) -> tuple[Words, Words]:
        added = ring().residues(fresh)
        constant, c1 = super()._product(candidate, fresh)
        primes = np.array(ring().primes, np.uint64)
        # The primes are added because words have no sign.
        return (
            (constant + primes - added[0, :, 0]) % primes,
            (c1 + primes[:, None] - added[1]) % primes[:, None],
        )


class Bare(WithoutFlood, WithoutFreshEncryption):
    """Steps 5 and 6 left out: Σ A·B and nothing else."""


class CuriousHolder:
    """Alice, who follows the protocol, keeps her secret key and looks closely at answers."""

    def __init__(self, vector: Bits) -> None:
        context = ring().context
        keys = seal.KeyGenerator(context)
        encryptor = seal.Encryptor(context, keys.secret_key())
        ciphers = [encryptor.encrypt_symmetric(ring().plain(each)) for each in forward(vector)]
        blocks = b"".join(packed(ring().residues(each)) for each in ciphers)
        key = packed(ring().key_residues(keys.create_public_key()))
        self.encrypted = EncryptedVector(key, blocks, len(vector))
        written = Form(keys.secret_key().to_string(), 3 * DEGREE)
        transformed = written.words(keys.secret_key().to_string()).reshape(3, DEGREE)[:2]
        secret = from_ntt(transformed)[0].astype(np.int64)
        self._secret = np.where(secret > 1, -1, secret)

    def phase(self, answer: bytes) -> int:
        """Constant coefficient of c0 + c1·s mod q: q/t times the count, and the noise."""
        constant = unpacked(answer[TAG_SIZE:][:CONSTANT_SIZE], ring().primes, degree=1)[0, :, 0]
        c1 = unpacked(answer[TAG_SIZE + CONSTANT_SIZE :], ring().primes)[0].astype(np.int64)
        # (c1·s)₀ = c1₀s₀ − Σ c1ᵢ s_{N−i}; 4096 numbers of 47 bits fit into a word.
        factors = np.concatenate([self._secret[:1], -self._secret[:0:-1]])
        sums = c1 @ factors
        return _composed([int(c) + int(s) for c, s in zip(constant, sums, strict=True)])


def noise_of(phase: int) -> Fraction:
    """How far a phase is from the nearest multiple of q/t: exact, as a flood is 2^69."""
    rest = phase * MODULUS % Q
    return Fraction(min(rest, Q - rest), MODULUS)


def quotient(product: Words, factor: Words) -> NDArray[np.int64]:
    """Divide one polynomial by another; coefficients of both primes, centred."""
    primes = ring().primes
    above, below = to_ntt(product), to_ntt(factor)
    divided = [
        [int(a) * pow(int(b), -1, p) % p for a, b in zip(*pair, strict=True)]
        for p, pair in zip(primes, zip(above, below, strict=True), strict=True)
    ]
    found = from_ntt(np.array(divided, np.uint64)).astype(np.int64)
    centre = np.array(primes, np.int64)[:, None]
    return np.where(found > centre // 2, found - centre, found)


def to_ntt(polynomial: Words) -> Words:
    """Transform residues; SEAL does this to ciphertexts, so they are dressed as one."""
    cipher = ring().cipher(np.stack([polynomial, polynomial]))
    ring().evaluator.transform_to_ntt_inplace(cipher)
    transformed: Words = ring().residues(cipher)[1]
    return transformed


def from_ntt(polynomial: Words) -> Words:
    """Transform residues back."""
    example = ring().cipher(np.ones((2, 2, DEGREE), np.uint64))
    ring().evaluator.transform_to_ntt_inplace(example)
    form = Form(example.to_string(FLAT), 4 * DEGREE)
    cipher = seal.Ciphertext()
    cipher.load_bytes(ring().context, form.written(np.stack([polynomial, polynomial])))
    ring().evaluator.transform_from_ntt_inplace(cipher)
    coefficients: Words = ring().residues(cipher)[1]
    return coefficients


def _composed(residues: list[int]) -> int:
    first, second = ring().primes
    step = (residues[1] - residues[0]) * pow(first, -1, second) % second
    return (residues[0] + first * step) % Q
