"""Secure counts by BFV: a key, sealed vectors, masked answers and proofs (secure-counting.md).

What the key's owner learns of an answer: the masked sum, and nothing of the vectors that were
multiplied into it, whatever it has sent before. c1 (and c2 of a proof) hide by ring-LWE at 128
bits: their uniform part p1·u is by a p1 that nobody chose. c0's one coefficient is uniform but for
`Parameters.shown`. What the asker learns: nothing before it is told what was opened.
"""

import secrets
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import seal

from deniable.collab.counting.backend import (
    Bits,
    CountingSession,
    Numbers,
    OwnKey,
    PeerKey,
    Product,
    Quadratic,
    SealedVector,
    Square,
    Weighted,
    malformed,
    require_size,
)
from deniable.collab.counting.derived import errors, ternary, uniform_polynomials
from deniable.collab.counting.parameters import MOST_PRODUCTS, Parameters
from deniable.collab.counting.ring import Ring, Words, refusing, ring

SEED_SIZE = 32
HALF_WORD = 24
"""Bits of a residue that are multiplied at a time, so that sums fit into a word."""


class Bfv:
    """The backend for real data."""

    def own_key(self, session: CountingSession, side: str) -> OwnKey:
        """Make a fresh key."""
        return BfvKey(session, side)

    def peer_key(self, session: CountingSession, side: str, public: bytes) -> PeerKey:
        """Load the other side's key."""
        return BfvPeerKey(session, side, public)

    def sealed_size(self, parameters: Parameters) -> int:
        """One polynomial a block: the other half is derived."""
        return parameters.blocks * _ring(parameters).polynomial_size

    def answer_size(self, parameters: Parameters) -> int:
        """A coefficient of c0, and c1."""
        return _ring(parameters).constant_size + _ring(parameters).polynomial_size


def _ring(parameters: Parameters) -> Ring:
    return ring(parameters.lattice, parameters.t)


def _public_half(session: CountingSession, side: str, about: str, blocks: int) -> Words:
    """The uniform half of what a side seals about something, transformed: as uniform as before."""
    at = _ring(session.parameters)
    return uniform_polynomials(session.seed, f"{side} {about}", at.primes, at.degree, blocks)


def _blocks(values: Numbers | Bits, degree: int, blocks: int) -> Numbers:
    filled = np.zeros(blocks * degree, np.int64)
    filled[: len(values)] = values
    return filled.reshape(blocks, degree)


class BfvKey(OwnKey):
    """A ternary secret s; what is sealed is c0 = −c1·s + e + (q/t)·m."""

    def __init__(self, session: CountingSession, side: str) -> None:
        self._session, self._side = session, side
        self._ring = _ring(session.parameters)
        self._seed = secrets.token_bytes(SEED_SIZE)
        degree = self._ring.degree
        secret = ternary(self._seed, "secret", degree)
        self._minus = self._ring.moved(self._ring.small(-secret))
        # (c·s)₀ = c₀s₀ − Σ cᵢ s_{N−i}, so the factors of c's coefficients are these, and of s² too.
        self._factors = _mirrored(secret)
        self._square_factors = _mirrored(_squared(secret))
        p1 = _public_half(session, side, "key", 1)
        self.public = self._ring.packed(self._hidden(p1, errors(self._seed, "key", 1, degree)))

    def seal(self, about: str, values: Numbers | Bits) -> bytes:
        """Encrypt a vector; the errors are a hash of what it is about, so it is the same again."""
        at, blocks = self._ring, -(-len(values) // self._ring.degree)
        halves = _public_half(self._session, self._side, f"vector {about}", blocks)
        noise = errors(self._seed, f"vector {about}", blocks, at.degree)
        sealed = []
        filled = _blocks(values, at.degree, blocks)
        for hidden, block in zip(self._hidden(halves, noise), filled, strict=True):
            cipher = at.cipher(np.stack([hidden, hidden]))  # only c0 is changed, and read
            at.evaluator.add_plain_inplace(cipher, at.slots(block))
            sealed.append(at.residues(cipher)[0])
        return at.packed(np.stack(sealed))

    def _hidden(self, halves: Words, noise: Numbers) -> Words:
        """−c1·s + e, block by block."""
        return self._ring.sum(
            self._ring.times(halves, self._minus), self._ring.lifted(noise[:, None, :])
        )

    def open(self, answer: bytes) -> int:
        """Decrypt the constant coefficient: all that has come of c0."""
        at = self._ring
        polynomials = (len(answer) - at.constant_size) / at.polynomial_size
        if polynomials not in {1, 2}:
            raise malformed(f"an answer of {len(answer):,} bytes")
        constant = at.unpacked(answer[: at.constant_size], degree=1)[0, :, 0]
        phase = [int(each) for each in constant]
        rest = at.unpacked(answer[at.constant_size :])
        for polynomial, factors in zip(rest, (self._factors, self._square_factors), strict=False):
            phase = [a + b for a, b in zip(phase, _dots(polynomial, factors), strict=True)]
        rounded = at.t * at.composed([p % m for p, m in zip(phase, at.primes, strict=True)])
        return (rounded + at.q // 2) // at.q * at.degree % at.t


def _mirrored(coefficients: Numbers) -> Numbers:
    return np.concatenate([coefficients[:1], -coefficients[:0:-1]])


def _squared(polynomial: Numbers) -> Numbers:
    """Square modulo X^N + 1; all numbers are small, so the transform's are exact when rounded."""
    n = len(polynomial)
    whole = np.rint(np.fft.irfft(np.fft.rfft(polynomial, 2 * n) ** 2, 2 * n)).astype(np.int64)
    return whole[:n] - whole[n:]


def _dots(polynomial: Words, factors: Numbers) -> list[int]:
    """Σ cᵢfᵢ for each prime, exactly: residues in two halves, each sum within a word."""
    low = (polynomial & np.uint64((1 << HALF_WORD) - 1)).astype(np.int64)
    high = (polynomial >> np.uint64(HALF_WORD)).astype(np.int64)
    return [
        int(a) + (int(b) << HALF_WORD) for a, b in zip(low @ factors, high @ factors, strict=True)
    ]


class _Loaded:
    """Another side's vector: both halves, as numbers are multiplied in, and as vectors are."""

    def __init__(self, at: Ring, sealed: Words, halves: Words) -> None:
        self._ring, self._sealed, self._halves = at, sealed, halves

    def __len__(self) -> int:
        return len(self._sealed)

    @cached_property
    def transformed(self) -> list[Any]:
        """For multiplying numbers in."""
        with refusing():
            pairs = zip(self._ring.forth(self._sealed), self._halves, strict=True)
            return [self._ring.transformed(np.stack(pair)) for pair in pairs]

    @cached_property
    def blocks(self) -> list[Any]:
        """For multiplying vectors."""
        with refusing():
            pairs = zip(self._sealed, self._ring.back(self._halves), strict=True)
            return [self._ring.cipher(np.stack(pair)) for pair in pairs]


class BfvPeerKey(PeerKey):
    """The other side's p0, beside the p1 that both derive."""

    def __init__(self, session: CountingSession, side: str, public: bytes) -> None:
        self._session, self._side = session, side
        self._ring = at = _ring(session.parameters)
        require_size("a key", public, at.polynomial_size)
        with refusing():
            p0 = at.forth(at.unpacked(public))
            self._key = at.transformed(np.concatenate([p0, _public_half(session, side, "key", 1)]))

    def load(self, about: str, sealed: bytes, length: int) -> SealedVector:
        """Put the half that has come beside the half that is derived."""
        at, blocks = self._ring, -(-length // self._ring.degree)
        require_size("a sealed vector", sealed, blocks * at.polynomial_size)
        halves = _public_half(self._session, self._side, f"vector {about}", blocks)
        return _Loaded(at, at.unpacked(sealed), halves)

    def masked(self, weighted: Weighted, mask: int) -> bytes:
        """Multiply numbers in, and add a fresh encryption of the mask and a flood."""
        at, evaluator = self._ring, self._ring.evaluator
        total = self._fresh()
        waste = seal.Ciphertext(total)
        for vector, numbers in weighted:
            blocks = _blocks(numbers, at.degree, len(vector))
            # SEAL refuses to multiply by zero, and to leave such blocks out would show in the time.
            # They are multiplied by one instead, and what comes of it is added up and thrown away.
            empty = (blocks == 0).sum(axis=1) == at.degree
            blocks[:, 0] += empty
            for cipher, block, thrown_away in zip(vector.transformed, blocks, empty, strict=True):
                term = evaluator.multiply_plain(cipher, at.moved(at.slots(block)))
                evaluator.add_inplace(waste if thrown_away else total, term)
        evaluator.transform_from_ntt_inplace(total)
        c0, c1 = at.residues(total)
        return self._finished(c0, mask, self._session.parameters.linear_margin, self._noisy(c1))

    def proof(self, products: Sequence[Quadratic], weighted: Weighted, mask: int) -> bytes:
        """Multiply sealed vectors with each other; three polynomials are to be hidden then."""
        at, evaluator = self._ring, self._ring.evaluator
        if sum(len(each.weighted[0][0]) for each in products) > MOST_PRODUCTS:
            raise ValueError("too much for one proof")
        total: Any = None
        with refusing():
            for each in products:
                for term in self._multiplied(each):
                    total = term if total is None else evaluator.add(total, term)
            for mixed in self._mixed(weighted):
                evaluator.add_inplace(total, mixed)
        c0, c1, c2 = at.residues(total)
        u0, u1 = at.back(at.residues(self._fresh()))
        # (0, p0·v, p1·v) encrypts zero too: s times an encryption of zero. It hides c2.
        v0, v1 = at.back(at.residues(self._fresh()))
        rest = self._noisy(at.sum(c1, u1, v0)), self._noisy(at.sum(c2, v1))
        return self._finished(at.sum(c0, u0), mask, self._session.parameters.product_margin, *rest)

    def _multiplied(self, each: Quadratic) -> Iterator[Any]:
        """One term of a proof, block by block."""
        evaluator, mixed = self._ring.evaluator, self._mixed(each.weighted)
        if isinstance(each, Square):
            return map(evaluator.square, mixed)
        return map(evaluator.multiply, mixed, self._rest(each))

    def _mixed(self, weighted: Weighted) -> list[Any]:
        """Σ weights ∘ vectors, block by block."""
        at, evaluator = self._ring, self._ring.evaluator
        total: list[Any] = []
        for vector, numbers in weighted:
            blocks = _blocks(numbers, at.degree, len(vector))
            terms = [
                evaluator.multiply_plain(cipher, at.moved(at.slots(block)))
                for cipher, block in zip(vector.transformed, blocks, strict=True)
            ]
            total = list(map(evaluator.add, total, terms)) if total else terms
        for each in total:
            evaluator.transform_from_ntt_inplace(each)
        return total

    def _rest(self, product: Product) -> list[Any]:
        """Constant − Σ vectors, block by block."""
        evaluator = self._ring.evaluator
        constant = seal.Plaintext(f"{product.constant:x}")
        found = []
        for blocks in zip(*(vector.blocks for vector in product.less), strict=True):
            total = seal.Ciphertext(blocks[0])
            for each in blocks[1:]:
                evaluator.add_inplace(total, each)
            evaluator.negate_inplace(total)
            evaluator.add_plain_inplace(total, constant)
            found.append(total)
        return found

    def _fresh(self) -> Any:
        """The key times something small and fresh: without it, its owner divides c1 by its own."""
        at = self._ring
        small = ternary(secrets.token_bytes(SEED_SIZE), "fresh", at.degree)
        return at.evaluator.multiply_plain(self._key, at.moved(at.small(small)))

    def _noisy(self, polynomial: Words) -> Words:
        at = self._ring
        (noise,) = errors(secrets.token_bytes(SEED_SIZE), "noise", 1, at.degree)
        return at.sum(polynomial, at.lifted(noise))

    def _finished(self, c0: Words, mask: int, margin: int, *rest: Words) -> bytes:
        """Mask and flood the one coefficient of c0 that is sent."""
        at = self._ring
        added = at.scaled(mask * pow(at.degree, -1, at.t))
        flood = self._flood(margin)
        constant = [
            (int(c) + a + flood) % p for c, a, p in zip(c0[:, 0], added, at.primes, strict=True)
        ]
        return at.packed(np.array(constant, np.uint64)) + b"".join(map(at.packed, rest))

    def _flood(self, margin: int) -> int:
        """Uniform over all of q/t but the margin: with the mask, over all of q."""
        reach = self._ring.q // (2 * self._ring.t) - margin
        return secrets.randbelow(2 * reach + 1) - reach
