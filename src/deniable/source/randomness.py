"""Drawing with exact probabilities.

A probability is a rational number, and a draw hits it exactly: 32 random bits decide, and in the
rare case that they fall into the cell of a threshold, 32 more bits decide inside that cell.

Cryptographic randomness unless a seed is given. Whoever holds the seed can undo the disguise.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
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
    return _thresholds(tuple(chances)).read(bits(n), bits)


def coin(theta: Fraction, n: int, bits: Bits) -> NDArray[np.bool_]:
    """Toss n coins that show True with exactly the probability theta."""
    heads: NDArray[np.bool_] = draw((theta, 1 - theta), n, bits) == 0
    return heads


@dataclass(frozen=True, eq=False)
class _Thresholds:
    """Where one outcome ends and the next begins, in cells of 2⁻³².

    Outcome j ends at ``ends[j]``, in the cell ``floors[j]``. A word in a cell strictly between two
    thresholds is decided; a word in a cell that a threshold cuts needs more bits.
    """

    ends: tuple[Fraction, ...]
    floors: NDArray[np.uint64]
    cut: NDArray[np.uint64]

    def read(self, words: NDArray[np.uint32], bits: Bits) -> NDArray[np.int64]:
        """Turn words into outcomes."""
        found = self._outcomes(words)
        for index in self._undecided(words):
            found[index] = self._inside(int(words[index]), bits)
        return found

    def _outcomes(self, words: NDArray[np.uint32]) -> NDArray[np.int64]:
        if len(self.floors) == 1:
            return np.greater_equal(words, self.floors[0]).astype(np.int64)
        return np.searchsorted(self.floors, words, side="right")

    def _undecided(self, words: NDArray[np.uint32]) -> NDArray[np.int64]:
        if len(self.cut) == 0:
            return np.zeros(0, dtype=np.int64)
        if len(self.cut) == 1:
            return np.flatnonzero(words == self.cut[0])
        place = np.minimum(np.searchsorted(self.cut, words), len(self.cut) - 1)
        return np.flatnonzero(self.cut[place] == words)

    def _inside(self, cell: int, bits: Bits) -> int:
        """Decide by more bits, with the chances that the outcomes have inside one cell."""
        first = int(np.searchsorted(self.floors, cell, side="left"))
        borders = [Fraction(0)]
        for end in self.ends[first:]:
            borders.append(min(end - cell, Fraction(1)))
            if borders[-1] == 1:
                break
        return first + int(draw([b - a for a, b in pairwise(borders)], 1, bits)[0])


@lru_cache(maxsize=256)
def _thresholds(chances: tuple[Fraction, ...]) -> _Thresholds:
    ends = tuple(end * CELLS for end in accumulate(chances))
    floors = np.array([int(end) for end in ends[:-1]], dtype=np.uint64)
    cut = np.array(sorted({int(end) for end in ends if end.denominator != 1}), dtype=np.uint64)
    return _Thresholds(ends, floors, cut)
