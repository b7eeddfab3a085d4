"""Draws hit their probabilities exactly: shown by going through every word, not by luck."""

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import chi2

from deniable.source.randomness import WORDS, SecureBits, SeededBits, coin, draw

Bytes = NDArray[np.uint8]
Word = type[np.unsignedinteger[Any]]

RARELY = 1e-6
"""A chi-square test with a fixed seed fails this rarely where all is well."""


class Scripted:
    """Words that are handed out as written, a list of them for every call."""

    def __init__(self, *calls: tuple[Word, Sequence[int]]) -> None:
        self._calls = list(calls)

    def __call__(self, n: int) -> Bytes:
        word, numbers = self._calls.pop(0)
        words = np.array(numbers, dtype=word).view(np.uint8)
        assert len(words) == n, f"{n} bytes were asked for, {len(words)} are written"
        return words

    @property
    def used_up(self) -> bool:
        return not self._calls


class EveryNumber:
    """All numbers of two digits, each once: the first digits, then the second of those asked for.

    A third digit, wherever it is asked for, is 0.
    """

    def __init__(self, word: Word, second: int) -> None:
        self._word = word
        self._second = second
        self._began = False

    def __call__(self, n: int) -> Bytes:
        if not self._began:
            self._began = True
            first = np.arange(np.iinfo(self._word).max + 1, dtype=self._word)
            return np.repeat(first, self._second).view(np.uint8)
        if n == self._second:
            return np.arange(n, dtype=np.uint8)
        return np.zeros(n, dtype=np.uint8)


@st.composite
def distributions(draw: st.DrawFn, fewest: int = 1, most: int = 16) -> list[Fraction]:
    parts = draw(st.lists(st.integers(0, 50), min_size=fewest, max_size=most).filter(any))
    return [Fraction(part, sum(parts)) for part in parts]


def outcome_of(chances: Sequence[Fraction], number: Fraction) -> int:
    """Which stretch of the unit interval a number lies in."""
    return bisect_right(list(accumulate(chances)), number)


# --- Exactness --------------------------------------------------------------------------------


def goes_through_every_number(chances: list[Fraction], word: Word) -> None:
    cells = np.iinfo(word).max + 1
    total = cells * 256
    found = draw(chances, total, EveryNumber(word, 256))
    ends = [end * total for end in accumulate(chances)]
    cut = {int(end) for end in ends if end.denominator != 1}  # more digits are needed there
    right = np.searchsorted([int(end) for end in ends], np.arange(total), side="right")
    decided = np.ones(total, dtype=bool)
    decided[list(cut)] = False
    assert (found[decided] == right[decided]).all()
    # Hence each outcome has its chance, up to the numbers that further digits decide.
    counts = np.bincount(found, minlength=len(chances))
    for count, chance in zip(counts.tolist(), chances, strict=True):
        assert abs(count - total * chance) < 2


@pytest.mark.slow
@given(chances=distributions())
@settings(derandomize=True, max_examples=100)
def test_every_number_of_two_bytes_is_decided_as_it_should(chances: list[Fraction]) -> None:
    goes_through_every_number(chances, np.uint8)


@pytest.mark.slow
@pytest.mark.parametrize("outcomes", [17, 40])
def test_every_number_of_three_bytes_is_decided_as_it_should(outcomes: int) -> None:
    parts = np.random.default_rng(outcomes).integers(0, 1000, size=outcomes)
    goes_through_every_number([Fraction(int(p), int(parts.sum())) for p in parts], np.uint16)


def word_of(chances: Sequence[Fraction]) -> Word:
    return next(word for most, word in WORDS if len(chances) <= most)


@pytest.mark.slow
@pytest.mark.parametrize("outcomes", [2, 16, 17, 256, 257])
def test_words_around_every_threshold_fall_on_the_right_side(outcomes: int) -> None:
    parts = np.random.default_rng(outcomes).integers(0, 100, size=outcomes)
    chances = [Fraction(int(p), int(parts.sum())) for p in parts]
    word = word_of(chances)
    whole = np.iinfo(word).max + 1
    ends = [end * whole for end in accumulate(chances)]
    near = {0, 1, whole // 2, whole - 2, whole - 1}
    near |= {int(end) + step for end in ends for step in (-2, -1, 0, 1, 2)}
    cut = {int(end) for end in ends if end.denominator != 1}
    words = sorted(w for w in near if 0 <= w < whole and w not in cut)
    found = draw(chances, len(words), Scripted((word, words)))
    assert found.tolist() == [outcome_of(chances, Fraction(w, whole)) for w in words]


@pytest.mark.parametrize("outcomes", [2, 16, 17, 256, 257])
def test_a_word_in_a_cut_cell_is_decided_by_the_next_word(outcomes: int) -> None:
    parts = np.random.default_rng(outcomes).integers(1, 100, size=outcomes)
    chances = [Fraction(int(p), int(parts.sum())) for p in parts]
    word = word_of(chances)
    whole = np.iinfo(word).max + 1
    ends = [end * whole for end in accumulate(chances)]
    for cell in sorted({int(end) for end in ends if end.denominator != 1})[:20]:
        inner = [(end - cell) * 256 for end in ends]  # where thresholds lie, in bytes of the cell
        for second in (0, 1, 100, 254, 255):
            if not any(second < end < second + 1 for end in inner):  # else a third word decides
                bits = Scripted((word, [cell]), (np.uint8, [second]))
                (found,) = draw(chances, 1, bits).tolist()
                number = (cell + Fraction(second, 256)) / whole
                assert found == outcome_of(chances, number)
                assert bits.used_up


def test_a_third_word_decides_where_two_do_not() -> None:
    third = Fraction(1, 3)  # 0.0101… in base two: every byte of it is 0x55
    for last, outcome in ((0x54, 0), (0x56, 1)):
        bits = Scripted((np.uint8, [0x55]), (np.uint8, [0x55]), (np.uint8, [last]))
        assert draw([third, 1 - third], 1, bits).tolist() == [outcome]
        assert bits.used_up


def test_undecided_records_get_words_of_their_own() -> None:
    bits = Scripted(
        (np.uint8, [0, 0x55, 255, 0x55, 0x55]), (np.uint8, [0x56, 0, 0x55]), (np.uint8, [255])
    )
    found = draw([Fraction(1, 3), Fraction(2, 3)], 5, bits)
    assert found.tolist() == [0, 1, 1, 0, 1]
    assert bits.used_up


def test_two_thresholds_in_one_cell_leave_room_for_the_outcome_between_them() -> None:
    tiny = Fraction(1, 3 * 256)
    chances = [Fraction(1, 2) + tiny, tiny, Fraction(1, 2) - 2 * tiny]
    for second, outcome in ((84, 0), (86, 1), (171, 2)):  # thirds of a byte: 85⅓ and 170⅔
        bits = Scripted((np.uint8, [128]), (np.uint8, [second]))
        assert draw(chances, 1, bits).tolist() == [outcome]
    assert draw(chances, 2, Scripted((np.uint8, [127, 129]))).tolist() == [0, 2]


def test_a_chance_far_below_one_word_is_still_hit() -> None:
    rare = Fraction(1, 256**3)
    hit = Scripted(*[(np.uint8, [0])] * 3)
    assert draw([rare, 1 - rare], 1, hit).tolist() == [0]
    assert hit.used_up
    assert draw(
        [rare, 1 - rare], 1, Scripted(*[(np.uint8, [0])] * 2, (np.uint8, [1]))
    ).tolist() == [1]


@pytest.mark.parametrize(
    ("chances", "outcome"),
    [([1], 0), ([1, 0], 0), ([0, 1], 1), ([0, 0, 1], 2), ([0, 1, 0], 1), ([1, 0, 0], 0)],
)
def test_what_is_certain_happens_whatever_the_word(chances: list[int], outcome: int) -> None:
    found = draw([Fraction(p) for p in chances], 256, Scripted((np.uint8, range(256))))
    assert found.tolist() == [outcome] * 256


# --- Coins ------------------------------------------------------------------------------------


@given(theta=st.fractions(0, 1, max_denominator=1000), seed=st.integers(0, 2**32))
@settings(derandomize=True, max_examples=100)
def test_a_coin_is_a_draw_of_two_outcomes(theta: Fraction, seed: int) -> None:
    tossed = coin(theta, 500, SeededBits(seed))
    assert tossed.dtype == bool
    assert tossed.tolist() == (draw([theta, 1 - theta], 500, SeededBits(seed)) == 0).tolist()


@given(theta=st.fractions(0, 1, max_denominator=1000))
@settings(derandomize=True, max_examples=100)
def test_a_coin_shows_heads_for_just_its_share_of_all_numbers(theta: Fraction) -> None:
    heads = coin(theta, 256 * 256, EveryNumber(np.uint8, 256))
    assert abs(int(heads.sum()) - theta * 256 * 256) < 1
    assert (np.diff(heads.astype(int)) <= 0).all()  # first the heads, then the tails


@pytest.mark.parametrize("theta", [0, 1])
def test_a_certain_coin_always_falls_the_same_way(theta: int) -> None:
    tossed = coin(Fraction(theta), 256, Scripted((np.uint8, range(256))))
    assert tossed.tolist() == [bool(theta)] * 256


# --- Frequencies ------------------------------------------------------------------------------


def chi_square(counts: NDArray[np.int64], chances: list[Fraction]) -> float:
    expected = counts.sum() * np.array([float(p) for p in chances])
    return float(((counts - expected) ** 2 / expected).sum())


@pytest.mark.parametrize(
    "chances",
    [
        [Fraction(1, 2), Fraction(1, 2)],
        [Fraction(1, 3), Fraction(2, 3)],
        [Fraction(1, 7)] * 7,
        [Fraction(1, 1000), Fraction(499, 1000), Fraction(1, 4), Fraction(1, 4)],
        [Fraction(1, 20)] * 20,
        [Fraction(1, 300)] * 300,
    ],
)
def test_frequencies_are_the_chances(chances: list[Fraction]) -> None:
    counts = np.bincount(draw(chances, 200_000, SeededBits(1)), minlength=len(chances))
    assert chi_square(counts, chances) < chi2.isf(RARELY, len(chances) - 1)


@pytest.mark.parametrize("bits", [SeededBits(2), SecureBits()], ids=["seeded", "secure"])
def test_every_bit_of_a_byte_is_fair_and_free_of_its_neighbour(
    bits: SeededBits | SecureBits,
) -> None:
    n = 100_000
    words = bits(n)
    assert words.dtype == np.uint8
    ones = np.unpackbits(words).reshape(n, 8)
    # A fair bit's mean has the s.d. 1/√(4n); 16 of them exceed 6 s.d. with a chance of 3e-8.
    assert np.abs(ones.mean(axis=0) - 0.5).max() < 6 / np.sqrt(4 * n)
    same = ones[1:] == ones[:-1]
    assert np.abs(same.mean(axis=0) - 0.5).max() < 6 / np.sqrt(4 * n)


# --- Where the bits come from -----------------------------------------------------------------


def test_secure_bits_never_repeat() -> None:
    bits = SecureBits()
    assert bits(32).tolist() != bits(32).tolist()  # equal with a chance of 2⁻²⁵⁶
    assert bits(32).tolist() != SecureBits()(32).tolist()


def test_a_seed_gives_the_same_bits_again_and_another_seed_other_bits() -> None:
    assert SeededBits(3)(100).tolist() == SeededBits(3)(100).tolist()
    assert SeededBits(3)(100).tolist() != SeededBits(4)(100).tolist()
    bits = SeededBits(3)
    assert bits(100).tolist() != bits(100).tolist()


def test_no_words_are_drawn_for_nobody() -> None:
    assert len(draw([Fraction(1, 3), Fraction(2, 3)], 0, SecureBits())) == 0
    assert len(coin(Fraction(1, 3), 0, SecureBits())) == 0
