"""Drawing with exact probabilities.

A probability is a rational number, and a draw hits it exactly: 32 random bits decide, and in the
rare case that they fall into the cell of a threshold, 32 more bits decide inside that cell.

Cryptographic randomness unless a seed is given. Whoever holds the seed can undo the disguise.
"""

import os
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate, pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

BITS = 32
CELLS = 1 << BITS


class Bits(Protocol):
    """A source of fair random bits."""

    def __call__(self, n: int) -> NDArray[np.uint32]:
        """Draw n numbers of 32 bits."""


class SecureBits:
    """The operating system's cryptographic generator."""

    def __call__(self, n: int) -> NDArray[np.uint32]:
        """Draw n numbers of 32 bits."""
        return np.frombuffer(os.urandom(4 * n), dtype=np.uint32)


class SeededBits:
    """A reproducible generator, for experiments and tests only."""

    def __init__(self, seed: int) -> None:
        self._generator = np.random.Generator(np.random.PCG64(seed))

    def __call__(self, n: int) -> NDArray[np.uint32]:
        """Draw n numbers of 32 bits."""
        return self._generator.integers(0, CELLS, size=n, dtype=np.uint32)


def draw(chances: Sequence[Fraction], n: int, bits: Bits) -> NDArray[np.int64]:
    """Draw n numbers 0, 1, …, each with exactly its chance.

    >>> counts = np.bincount(draw([Fraction(1, 3), Fraction(2, 3)], 30_000, SeededBits(1)))
    >>> bool(abs(counts[0] - 10_000) < 4 * 82)  # s.d. = √(30000·2/9) = 82
    True
    """
    floors, split = _thresholds(tuple(chances))
    words = bits(n)
    found = np.searchsorted(floors, words, side="right")
    for cell, inside in split:
        undecided = np.flatnonzero(words == cell)
        if len(undecided):
            found[undecided] = draw(inside, len(undecided), bits)
    return found


def coin(theta: Fraction, n: int, bits: Bits) -> NDArray[np.bool_]:
    """Toss n coins that show True with exactly the probability theta."""
    (*floors,), split = _thresholds((theta, 1 - theta))
    words = bits(n)
    heads = words < floors[0] if floors else np.ones(n, dtype=bool)
    for cell, inside in split:
        undecided = np.flatnonzero(words == cell)
        heads[undecided] = draw(inside, len(undecided), bits) == 0
    return heads


@cache
def _thresholds(
    chances: tuple[Fraction, ...],
) -> tuple[NDArray[np.uint32], tuple[tuple[int, tuple[Fraction, ...]], ...]]:
    """Where one outcome ends and the next begins, in cells of 2⁻³²; and the cells that are split.

    A word below ``floors[0]`` means outcome 0, and so on. A cell with a threshold strictly inside
    it is listed with the chances of the outcomes inside that cell.
    """
    ends = [end * CELLS for end in accumulate(chances)]
    whole = [min(int(end), CELLS) for end in ends]
    broken = sorted({int(end) for end in ends if end.denominator != 1})
    split = []
    for cell in broken:
        borders = [min(max(end - cell, Fraction(0)), Fraction(1)) for end in [Fraction(0), *ends]]
        split.append((cell, tuple(b - a for a, b in pairwise(borders))))
    # Thresholds at the very end need no comparison, and 2³² would not fit into a word.
    floors = np.array([floor for floor in whole[:-1] if floor < CELLS], dtype=np.uint32)
    return floors, tuple(split)
