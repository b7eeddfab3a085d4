from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from collab.counting.cheating import CuriousHolder, Q, WithoutFlood, noise_of
from deniable.base.errors import CollabError
from deniable.collab.counting.backend import MODULUS, Backend, Bits, unmasked
from deniable.collab.counting.bfv import FLOOD, Bfv, BfvEvaluation
from deniable.collab.counting.plain_twin import Twin
from deniable.collab.counting.ring import ring
from effort import calls_of

SIZES = [1, 2, 4095, 4096, 4097, 10_000]
SHARES = [0.0, 0.0005, 0.3, 1.0]


@pytest.fixture(params=[Bfv, Twin])
def backend(request: pytest.FixtureRequest) -> Backend:
    made: Backend = request.param()
    return made


def counted(backend: Backend, vector: Bits, candidates: Bits) -> list[int]:
    holder = backend.hold(vector)
    answers, masks = backend.evaluate(holder.encrypted).answer(candidates)
    opened = holder.open(answers)
    return [unmasked(value, mask) for value, mask in zip(opened, masks, strict=True)]


@settings(max_examples=25)
@given(
    size=st.sampled_from(SIZES),
    shares=st.tuples(st.sampled_from(SHARES), st.sampled_from(SHARES)),
    seed=st.integers(0, 2**32),
)
def test_both_backends_count_as_numpy_does(
    size: int, shares: tuple[float, float], seed: int
) -> None:
    rng = np.random.default_rng(seed)
    vector = rng.random(size) < shares[0]
    candidates = rng.random((3, size)) < shares[1]
    expected = (candidates & vector).sum(axis=1).tolist()
    assert counted(Bfv(), vector, candidates) == expected
    assert counted(Twin(), vector, candidates) == expected


@pytest.mark.parametrize("size", SIZES)
def test_ones_zeros_and_single_records_are_counted(backend: Backend, size: int) -> None:
    ones, zeros = np.ones(size, bool), np.zeros(size, bool)
    first, last = zeros.copy(), zeros.copy()
    first[0] = last[-1] = True
    candidates = np.array([ones, zeros, first, last])
    assert counted(backend, ones, candidates) == [size, 0, 1, 1]
    assert counted(backend, zeros, candidates) == [0, 0, 0, 0]


def test_the_parameters_are_those_of_the_protocol() -> None:
    assert [prime.bit_length() for prime in ring().key_primes] == [47, 46, 16]
    assert MODULUS == 2**21
    sealed = Bfv().hold(np.ones(5000, bool)).encrypted
    assert (len(sealed.key), len(sealed.blocks)) == (147_456, 2 * 98_304)


@pytest.mark.slow
def test_a_million_ones_leave_the_noise_far_below_the_flood() -> None:
    n = 1_000_000
    ones = np.ones(n, bool)
    alice = CuriousHolder(ones)
    answers, _ = WithoutFlood(alice.encrypted).answer(ones[None])
    noise = noise_of(alice.phase(answers[0]))
    # SEAL cuts its noise at 19.2 a coefficient; rounding adds 1/2 each, and 1 + Σ|s|/2 at the end.
    assert 0 < noise < 20 * n + 4096
    # Statistical distance of an answer with it from one without: noise / 2 FLOOD.
    assert noise / (2 * FLOOD) < 2**-45
    assert noise + FLOOD < Q / MODULUS / 2


def test_answers_take_the_same_steps_and_size_whatever_the_candidate() -> None:
    n = 20 * 4096
    holder = Bfv().hold(np.ones(n, bool))
    nothing, everything = np.zeros((1, n), bool), np.ones((1, n), bool)
    evaluation = Bfv().evaluate(holder.encrypted)
    evaluation.answer(everything)  # what is made once is there

    def steps_of(candidate: NDArray[np.bool_]) -> Counter[str]:
        work = calls_of(lambda: evaluation.answer(candidate))
        for name in ("urandom", "from_bytes", "getrandbits"):  # drawn again where out of bounds
            del work[name]
        return work

    steps = [steps_of(candidate) for candidate in (nothing, everything)]
    assert steps[0] == steps[1]  # no empty block is skipped
    assert steps[0]["multiply_plain"] == 20
    sizes = {len(evaluation.answer(each)[0][0]) for each in (nothing, everything)}
    assert len(sizes) == 1


def test_masks_and_keys_are_fresh(backend: Backend) -> None:
    vector = np.ones(10, bool)
    holder, again = backend.hold(vector), backend.hold(vector)
    assert holder.encrypted.key != again.encrypted.key
    answers, masks = backend.evaluate(holder.encrypted).answer(np.ones((64, 10), bool))
    # 64 of 2^21: two alike in one of a thousand runs; eight fewer never.
    assert len(set(masks)) > 56
    assert min(masks) < 2**20 < max(masks)
    assert len(set(answers)) == 64


def test_a_vector_too_long_or_empty_is_refused(backend: Backend) -> None:
    for size in (0, MODULUS):
        with pytest.raises(CollabError, match="Secure counts are for"):
            backend.hold(np.zeros(size, bool))


@pytest.mark.parametrize("shape", [(2, 9), (2, 11), (10,), (1, 10, 1)])
def test_candidates_of_another_shape_are_refused(backend: Backend, shape: tuple[int, ...]) -> None:
    evaluation = backend.evaluate(backend.hold(np.ones(10, bool)).encrypted)
    with pytest.raises(CollabError, match="candidates of shape"):
        evaluation.answer(np.ones(shape, bool))


def test_the_real_evaluation_floods_within_its_bounds() -> None:
    evaluation = BfvEvaluation(Bfv().hold(np.ones(1, bool)).encrypted)
    floods = [evaluation._flood() for _ in range(1000)]
    assert all(-FLOOD <= each <= FLOOD for each in floods)
    # Uniform: the mean of 1,000 has s.d. FLOOD / √3000; 6 of them.
    assert abs(np.mean([each / FLOOD for each in floods])) < 6 / 3000**0.5
    assert max(map(abs, floods)) > FLOOD * 0.9
