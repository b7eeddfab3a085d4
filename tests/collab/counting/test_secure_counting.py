"""Secure counts are right, sealed vectors are bound, and what is promised of parameters holds."""

from math import log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deniable.collab.counting.bfv as bfv_module
from collab.counting.two_sides import HELD, Side, columns, counted, part
from deniable.base.errors import CollabError
from deniable.collab.counting.backend import Backend, CountingSession, Numbers, Product, Square
from deniable.collab.counting.bfv import Bfv, BfvKey, BfvPeerKey
from deniable.collab.counting.derived import errors, ternary, uniform
from deniable.collab.counting.parameters import (
    DEVIATIONS,
    ERROR,
    LATTICES,
    MOST_BELIEVED,
    MOST_PRODUCTS,
    MOST_SHOWN,
    parameters,
)
from deniable.collab.counting.plain_twin import Twin
from deniable.collab.protocol.fields import AskedVector
from deniable.collab.secure.batches import EvaluatedBatch, HeldBatch

BACKENDS: list[Backend] = [Bfv(), Twin()]


@pytest.fixture(params=BACKENDS, ids=["bfv", "twin"])
def backend(request: pytest.FixtureRequest) -> Backend:
    made: Backend = request.param
    return made


def two(backend: Backend, n: int) -> tuple[Side, Side]:
    holder = Side("north", columns(n, "held", "other"), backend)
    return holder, Side("south", columns(n, "a", "b", "c", seed=2), backend)


@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 4096, 4097, 20_000])
def test_a_batch_gives_the_true_counts(backend: Backend, n: int) -> None:
    holder, evaluator = two(backend, n)
    asked = [
        AskedVector(HELD, [HELD | part("a"), HELD | part("a", "b"), HELD | part("a", "b", "c")]),
        AskedVector(part("held", "other"), [part("held", "other", "c")]),
    ]
    keys = holder.keys(evaluator), evaluator.keys(holder)
    for _ in range(3):  # of the same vectors again: nothing need be proven twice
        found = counted(HeldBatch(keys[0], asked), EvaluatedBatch(keys[1], asked))
        wanted = [
            [
                int((holder.bits(vector.part) & evaluator.bits(c - vector.part)).sum())
                for c in vector.all
            ]
            for vector in asked
        ]
        assert found == wanted


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(st.integers(1, 9000), st.integers(0, 2**32))
def test_any_vectors_are_counted_right(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    vector, numbers = rng.random(n) < rng.random(), rng.integers(0, 65537, n)
    session = CountingSession(parameters(n), rng.bytes(32))
    key = Bfv().own_key(session, "x")
    peer = Bfv().peer_key(session, "x", key.public)
    loaded = peer.load("v", key.seal("v", vector), n)
    mask = int(rng.integers(session.parameters.t))
    opened = key.open(peer.masked([(loaded, numbers)], mask))
    assert opened == (int(numbers[vector].sum()) + mask) % session.parameters.t


def test_sealing_again_gives_the_same_bytes_and_another_name_gives_others(backend: Backend) -> None:
    holder, _ = two(backend, 5000)
    again = holder.own.key.seal("part held=yes", holder.columns["held"])
    assert holder.own.sealed(HELD) == again
    if isinstance(backend, Bfv):
        assert holder.own.key.seal("part held=no", holder.columns["held"]) != again


# --- parameters ------------------------------------------------------------------------------


@pytest.mark.parametrize("records", [1, 100, 4096, 60_000, 150_000, 500_000, 2_000_000])
def test_the_inequalities_hold_for_every_number_of_records(records: int) -> None:
    found = parameters(records)
    assert found.shown <= MOST_SHOWN
    assert found.believed <= MOST_BELIEVED
    assert found.t > records
    assert found.t % (2 * found.lattice.degree) == 1
    # SEAL's table of 128-bit security, for ternary secrets.
    assert sum(found.lattice.prime_bits) <= {4096: 109, 8192: 218}[found.lattice.degree]


@pytest.mark.parametrize("records", [0, -1, 2**22, 2**70, 1.5, "1", None, True])
def test_a_number_of_records_that_cannot_be_is_refused(records: object) -> None:
    with pytest.raises(CollabError, match="Secure counts are for"):
        parameters(records)


def test_the_modulus_is_just_above_the_records_and_their_noise() -> None:
    assert parameters(60_000).t == 65537
    assert parameters(65_000, slack=200).t == parameters(65_401).t > 65_400
    for lattice in LATTICES:
        assert lattice.modulus_bits < sum(lattice.prime_bits)


@pytest.mark.slow
@pytest.mark.parametrize("records", [4000, 30_000])
def test_honest_noise_stays_far_within_the_margins(
    records: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The margins are 16 standard deviations by formula; what is measured agrees with it."""
    monkeypatch.setattr(BfvPeerKey, "_flood", lambda *_: 0)
    shape = parameters(records)
    session = CountingSession(shape, b"s" * 32)
    key = BfvKey(session, "x")
    peer = BfvPeerKey(session, "x", key.public)
    rng = np.random.default_rng(3)
    vectors = [
        peer.load(name, key.seal(name, rng.integers(0, shape.t, records)), records)
        for name in ("v", "w")
    ]

    def numbers() -> Numbers:
        return rng.integers(0, shape.t, records)

    linear = [_noise(key, peer.masked([(vectors[0], numbers())], 1)) for _ in range(12)]
    products = [
        _noise(key, peer.proof([Product([(v, numbers()) for v in vectors], 3, vectors)], [], 1))
        for _ in range(12)
    ]
    squares = [
        _noise(key, peer.proof([Square([(vectors[0], numbers())])], [], 1)) for _ in range(12)
    ]
    # Of 12 draws, a root mean square is within a factor of 2 of the deviation but in one of ten
    # thousand runs; the margins are for 1,024 blocks.
    grown = np.sqrt(MOST_PRODUCTS / shape.blocks)
    for found, margin in (
        (linear, shape.linear_margin),
        (products, shape.product_margin),
        (squares, shape.product_margin),
    ):
        measured = float(np.sqrt(np.mean(np.square(found)))) * grown * DEVIATIONS
        assert margin / 4 < measured < margin * 2, (log2(measured), log2(margin))


def _noise(key: BfvKey, answer: bytes) -> float:
    """How far the phase of an answer is from a multiple of q/t."""
    at = key._ring
    constant = at.unpacked(answer[: at.constant_size], degree=1)[0, :, 0]
    phase = [int(each) for each in constant]
    rest = at.unpacked(answer[at.constant_size :])
    for polynomial, factors in zip(rest, (key._factors, key._square_factors), strict=False):
        phase = [a + b for a, b in zip(phase, bfv_module._dots(polynomial, factors), strict=True)]
    left = at.composed([p % m for p, m in zip(phase, at.primes, strict=True)]) * at.t % at.q
    return min(left, at.q - left) / at.t


# --- what is derived -------------------------------------------------------------------------


def test_derived_numbers_are_uniform_and_errors_as_they_should_be() -> None:
    found = uniform(b"seed", "x", 65537, 200_000)
    assert found.max() < 65537
    # A mean of 200,000 uniform numbers: 5 deviations of t/√12/√200,000.
    assert abs(found.mean() - 32768) < 5 * 65537 / 12**0.5 / 200_000**0.5
    small = errors(b"seed", "x", 50, 4096)
    # The variance of 204,800 draws has a deviation of its √2/n-th part.
    assert abs(small.var() / ERROR**2 - 1) < 5 * (2 / small.size) ** 0.5
    assert set(np.unique(ternary(b"seed", "x", 4096))) == {-1, 0, 1}
    assert (uniform(b"seed", "x", 65537, 200_000) == found).all()
    assert (uniform(b"seed", "y", 65537, 9) != uniform(b"seed", "x", 65537, 9)).any()
