"""The attacks of secure-counting.md: each succeeds on a planted weakness, fails on real code."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from collab.counting.cheating import (
    Bare,
    CuriousHolder,
    WithoutFlood,
    WithoutFreshEncryption,
    noise_of,
    quotient,
    seal_weights,
)
from deniable.base.errors import CollabError
from deniable.collab.counting.backend import (
    ANSWERS_PER_KEY,
    MODULUS,
    TAG_SIZE,
    Backend,
    Bits,
    EncryptedVector,
    unmasked,
)
from deniable.collab.counting.bfv import CONSTANT_SIZE, Bfv, BfvEvaluation
from deniable.collab.counting.plain_twin import Twin
from deniable.collab.counting.ring import DEGREE, packed, ring, unpacked

BACKENDS: list[Backend] = [Bfv(), Twin()]


@pytest.fixture(params=BACKENDS, ids=["bfv", "twin"])
def backend(request: pytest.FixtureRequest) -> Backend:
    made: Backend = request.param
    return made


# (a) Alice divides c1 by her own.


def divided(sealed: EncryptedVector, answer: bytes) -> NDArray[np.int64]:
    own = unpacked(sealed.blocks, ring().primes)[1]
    return quotient(unpacked(answer[TAG_SIZE + CONSTANT_SIZE :], ring().primes)[0], own)


@pytest.mark.parametrize("share", [0.02, 0.5, 1.0])
def test_without_a_fresh_encryption_the_holder_reads_the_whole_candidate(share: float) -> None:
    rng = np.random.default_rng(1)
    holder = Bfv().hold(rng.random(DEGREE) < 0.5)
    candidate = rng.random((1, DEGREE)) < share
    (weak,), _ = WithoutFreshEncryption(holder.encrypted).answer(candidate)
    found = divided(holder.encrypted, weak)
    recovered = np.concatenate([found[:, :1], -found[:, :0:-1]], axis=1)
    assert (recovered == candidate).all()

    (real,), _ = Bfv().evaluate(holder.encrypted).answer(candidate)
    # Of 4,096 numbers below 2^47 that look uniform, none is −1, 0 or 1, but in one of 2^30 runs.
    assert (np.abs(divided(holder.encrypted, real)) > 1).all()


@pytest.mark.slow
def test_without_a_flood_the_holder_tells_which_of_two_candidates_was_used() -> None:
    rng = np.random.default_rng(2)
    alice = CuriousHolder(rng.random(10 * DEGREE) < 0.5)
    pairs = [_telling(alice, rng) for _ in range(20)]
    # A fresh encryption's noise has s.d. 15, so a distance of 200 is never bridged by it.
    assert _guessed(WithoutFlood(alice.encrypted), alice, pairs) == 40
    # Under the flood she throws a coin: 36 of 40 right, or wrong, once in five million runs.
    assert 4 < _guessed(BfvEvaluation(alice.encrypted), alice, pairs) < 36


def _telling(alice: CuriousHolder, rng: np.random.Generator) -> tuple[Bits, list[int]]:
    """Two candidates that Alice's own noise tells apart: Σ eᵢbᵢ, of which she knows every eᵢ."""
    while True:
        pair = rng.random((2, alice.encrypted.records)) < 0.5
        phases = [alice.phase(each) for each in Bare(alice.encrypted).answer(pair)[0]]
        if noise_of(phases[0] - phases[1]) > 200:
            return pair, phases


def _guessed(bob: BfvEvaluation, alice: CuriousHolder, pairs: list[tuple[Bits, list[int]]]) -> int:
    """How often the candidate that leaves less noise is the one that was used."""
    right = 0
    for pair, phases in pairs:
        for used, answer in enumerate(bob.answer(pair)[0]):
            noises = [noise_of(alice.phase(answer) - phase) for phase in phases]
            right += int(noises[used] < noises[1 - used])
    return right


# (b) Weights in place of 0 and 1.


def test_weights_read_bits_where_nobody_checks_the_range(backend: Backend) -> None:
    rng = np.random.default_rng(3)
    secret = rng.random(1000) < 0.5
    weights = np.zeros(1000, np.int64)
    weights[:20] = 1 << np.arange(20)
    holder = seal_weights(backend, weights)
    evaluation = backend.evaluate(holder.encrypted)
    answers, masks = evaluation.answer(np.array([secret, np.ones(1000, bool)]))
    pairs = zip(holder.open(answers), masks, strict=True)
    released, of_everyone = (unmasked(*pair) for pair in pairs)
    assert [released >> i & 1 for i in range(20)] == secret[:20].tolist()
    # What the evaluator checks before it releases anything: its own count is the most there is.
    assert released > secret.sum()
    assert of_everyone == 2**20 - 1 > 1000


# (c) Too many answers.


@pytest.mark.slow
def test_no_more_than_64_answers_are_made_or_opened(backend: Backend) -> None:
    holder = backend.hold(np.ones(10, bool))
    many = np.ones((ANSWERS_PER_KEY, 10), bool)
    first, second = (backend.evaluate(holder.encrypted) for _ in range(2))
    answers, masks = first.answer(many)
    with pytest.raises(CollabError, match="More than 64 answers"):
        first.answer(many[:1])
    more, _ = second.answer(many)
    with pytest.raises(CollabError, match="More than 64 answers"):
        holder.open([*answers, more[0]])
    opened = holder.open(answers)
    assert {unmasked(*pair) for pair in zip(opened, masks, strict=True)} == {10}
    with pytest.raises(CollabError, match="More than 64 answers"):
        holder.open(more[:1])
    # The same again after a lost connection: the same numbers, and nothing new.
    assert holder.open(answers) == opened


def test_a_batch_of_65_is_refused_whole(backend: Backend) -> None:
    evaluation = backend.evaluate(backend.hold(np.ones(10, bool)).encrypted)
    with pytest.raises(CollabError, match="fresh key"):
        evaluation.answer(np.ones((ANSWERS_PER_KEY + 1, 10), bool))
    assert len(evaluation.answer(np.ones((ANSWERS_PER_KEY, 10), bool))[0]) == ANSWERS_PER_KEY


# (d) Messages that are not what they should be.

Mutation = Callable[[bytes, np.random.Generator], bytes]


def _flipped(data: bytes, rng: np.random.Generator) -> bytes:
    octets = np.frombuffer(data, np.uint8).copy()
    octets[rng.integers(len(octets), size=3)] ^= np.uint8(1 << rng.integers(8))
    return octets.tobytes()


SIZE_MUTATIONS: dict[str, Mutation] = {
    "empty": lambda _data, _rng: b"",
    "truncated": lambda data, rng: data[: rng.integers(len(data))],
    "oversized": lambda data, rng: data + rng.bytes(1 + int(rng.integers(9999))),
    "doubled": lambda data, _rng: data + data,
}
CONTENT_MUTATIONS: dict[str, Mutation] = {
    "random": lambda data, rng: rng.bytes(len(data)),
    "zeros": lambda data, _rng: bytes(len(data)),
    "all bits set": lambda data, _rng: b"\xff" * len(data),
    "flipped": _flipped,
}


@pytest.mark.parametrize("name", SIZE_MUTATIONS)
def test_messages_of_a_wrong_size_are_refused(backend: Backend, name: str) -> None:
    rng = np.random.default_rng(4)
    holder, bits = backend.hold(np.ones(5000, bool)), np.ones((1, 5000), bool)
    sealed = holder.encrypted
    (answer,), _ = backend.evaluate(sealed).answer(bits)
    mutate = SIZE_MUTATIONS[name]
    with pytest.raises(CollabError, match=r"bytes .*in place of"):
        holder.open([mutate(answer, rng)])
    for changed in (
        replace(sealed, key=mutate(sealed.key, rng)),
        replace(sealed, blocks=mutate(sealed.blocks, rng)),
        replace(sealed, records=9000),
    ):
        with pytest.raises(CollabError, match=r"bytes .*in place of"):
            backend.evaluate(changed)


@pytest.mark.parametrize("records", [0, -1, 2**21, 2**70, 1.5, "1", None])
def test_a_number_of_records_that_cannot_be_is_refused(backend: Backend, records: object) -> None:
    sealed = backend.hold(np.ones(10, bool)).encrypted
    with pytest.raises(CollabError, match="Secure counts are for"):
        backend.evaluate(EncryptedVector(sealed.key, sealed.blocks, records))  # type: ignore[arg-type]


def test_two_hundred_mutations_end_in_an_error_or_a_number(backend: Backend) -> None:
    rng = np.random.default_rng(5)
    holder, bits = backend.hold(rng.random(4200) < 0.5), rng.random((1, 4200)) < 0.5
    (answer,), _ = backend.evaluate(holder.encrypted).answer(bits)
    refused = 0
    for turn in range(200):
        mutate = [*CONTENT_MUTATIONS.values()][turn % 4]
        try:
            if turn % 3 == 0:
                body = answer[:TAG_SIZE] + mutate(answer[TAG_SIZE:], rng)
                assert 0 <= holder.open([body])[0] < MODULUS
            else:
                sealed = holder.encrypted
                if turn % 3 == 1:
                    sealed = replace(sealed, key=mutate(sealed.key, rng))
                else:
                    sealed = replace(sealed, blocks=mutate(sealed.blocks, rng))
                answers, masks = backend.evaluate(sealed).answer(bits)
                assert len(answers[0]) == len(answer)
                assert 0 <= masks[0] < MODULUS
        except CollabError:
            refused += 1
    assert refused >= 50


def test_a_residue_beyond_its_prime_is_refused_wherever_it_is() -> None:
    holder, bits = Bfv().hold(np.ones(10, bool)), np.ones((1, 10), bool)
    sealed = holder.encrypted
    (answer,), _ = Bfv().evaluate(sealed).answer(bits)
    (first, second), third = ring().primes, ring().key_primes[-1]

    def planted(data: bytes, at: int, value: int) -> bytes:
        residue = packed(np.array([value], np.uint64))
        return data[: 6 * at] + residue + data[6 * (at + 1) :]

    body = answer[TAG_SIZE:]
    for at, prime in ((0, first), (1, second), (2, first), (4097, first), (4098, second)):
        with pytest.raises(CollabError, match="not below its prime"):
            holder.open([answer[:TAG_SIZE] + planted(body, at, prime)])
        holder.open([answer[:TAG_SIZE] + planted(body, at, prime - 1)])
    for at, prime in ((4095, first), (4096, second), (8192, first), (16383, second)):
        with pytest.raises(CollabError, match="not below its prime"):
            Bfv().evaluate(replace(sealed, blocks=planted(sealed.blocks, at, prime)))
    for at, prime in ((4095, first), (8191, second), (8192, third), (24575, third)):
        with pytest.raises(CollabError, match="not below its prime"):
            Bfv().evaluate(replace(sealed, key=planted(sealed.key, at, prime)))


def test_blocks_that_are_not_encrypted_are_refused() -> None:
    sealed = Bfv().hold(np.ones(10, bool)).encrypted
    with pytest.raises(CollabError, match="not encrypted"):
        Bfv().evaluate(replace(sealed, blocks=bytes(len(sealed.blocks))))


def test_an_answer_about_another_vector_is_refused(backend: Backend) -> None:
    holder, other = (backend.hold(np.ones(10, bool)) for _ in range(2))
    (answer,), _ = backend.evaluate(other.encrypted).answer(np.ones((1, 10), bool))
    with pytest.raises(CollabError, match="another vector"):
        holder.open([answer])


def test_an_answer_under_another_key_opens_to_a_number_out_of_range() -> None:
    holder, other = (Bfv().hold(np.ones(1, bool)) for _ in range(2))
    (answer,), (mask,) = Bfv().evaluate(other.encrypted).answer(np.ones((1, 1), bool))
    forged = holder.encrypted.tag + answer[TAG_SIZE:]
    # Uniform modulo 2^21, so the caller's check 0 ≤ N ≤ 1 misses it once in a million.
    assert unmasked(holder.open([forged])[0], mask) > 1


def test_nothing_of_a_batch_is_opened_if_one_answer_is_malformed(backend: Backend) -> None:
    holder = backend.hold(np.ones(10, bool))
    good, _ = backend.evaluate(holder.encrypted).answer(np.ones((2, 10), bool))
    with pytest.raises(CollabError):
        holder.open([good[0], good[1][:-1]])
    assert len(holder.open(good)) == 2
