"""Drawing with exact probabilities.

A probability is a rational number, and a draw hits it exactly: a word of random bits decides, and
where it falls into a cell that a threshold cuts, more bits decide inside that cell. Words are as
short as that stays rare (one byte for a coin), because cryptographic bits are what costs time.

Cryptographic randomness unless a seed is given. Whoever holds the seed can undo the disguise.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from deniable.base.arrays import Mask

WORDS: tuple[tuple[int, type[np.unsignedinteger[Any]]], ...] = (
    (16, np.uint8),
    (256, np.uint16),
    (1 << 32, np.uint32),
)
"""Up to how many outcomes a word is used."""

UNDECIDED = -1

Outcomes = NDArray[np.signedinteger[Any]]


class Bits(Protocol):
    """A source of fair random bits."""

    def __call__(self, n: int) -> NDArray[np.uint8]:
        """Draw n random bytes."""


class SecureBits:
    """The operating system's cryptographic generator."""

    def __call__(self, n: int) -> NDArray[np.uint8]:
        """Draw n random bytes."""
        return np.frombuffer(os.urandom(n), dtype=np.uint8)


class SeededBits:
    """A reproducible generator, for experiments and tests only."""

    def __init__(self, seed: int | np.random.SeedSequence) -> None:
        self._generator = np.random.Generator(np.random.PCG64(seed))

    def __call__(self, n: int) -> NDArray[np.uint8]:
        """Draw n random bytes."""
        return np.frombuffer(self._generator.bytes(n), dtype=np.uint8)


def draw(chances: Sequence[Fraction], n: int, bits: Bits) -> Outcomes:
    """Draw n numbers 0, 1, …, each with exactly its chance.

    >>> counts = np.bincount(draw([Fraction(1, 3), Fraction(2, 3)], 30_000, SeededBits(1)))
    >>> bool(abs(counts[0] - 10_000) < 4 * 82)  # s.d. = √(30000·2/9) = 82
    True
    """
    return _thresholds(tuple(chances)).draw(n, bits)


def coin(theta: Fraction, n: int, bits: Bits) -> Mask:
    """Toss n coins that show True with exactly the probability theta."""
    heads: Mask = draw((theta, 1 - theta), n, bits) == 0
    return heads


@dataclass(frozen=True)
class BitDice:
    """The dice that channels throw (`deniable.channel.device.Dice`)."""

    bits: Bits

    def coin(self, theta: Fraction, n: int) -> Mask:
        """Toss n coins that show True with exactly the probability theta."""
        return coin(theta, n, self.bits)

    def draw(self, chances: Sequence[Fraction], n: int) -> Outcomes:
        """Draw n numbers 0, 1, …, each with exactly its chance."""
        return draw(chances, n, self.bits)


@dataclass(frozen=True, eq=False)
class _Thresholds:
    """Where one outcome ends and the next begins, measured in cells of one word each."""

    word: type[np.unsignedinteger[Any]]
    ends: tuple[Fraction, ...]

    _cut_cells: "dict[int, tuple[int, _Thresholds]]" = field(default_factory=dict, init=False)
    """The first outcome, and the chances, inside cells that were asked for before."""

    def draw(self, n: int, bits: Bits) -> Outcomes:
        """Draw words and turn them into outcomes."""
        words = bits(n * self.word().itemsize).view(self.word)
        found = self._decided(words)
        undecided = np.flatnonzero(found == UNDECIDED)
        if not len(undecided):
            return found
        cut = words[undecided]
        for cell in sorted(set(cut.tolist())):  # they are few: np.unique takes longer
            rows = undecided[cut == cell]
            found[rows] = self._inside(cell, len(rows), bits)
        return found

    def _decided(self, words: NDArray[Any]) -> Outcomes:
        if self.word != np.uint32:
            looked_up: Outcomes = self._table[words]
            return looked_up
        found: Outcomes = np.searchsorted(self.floors, words, side="right")
        place = np.minimum(np.searchsorted(self.cut, words), len(self.cut) - 1)
        found[self.cut[place] == words] = UNDECIDED
        return found

    def _inside(self, cell: int, n: int, bits: Bits) -> Outcomes:
        """Decide by more bits, with the chances that the outcomes have inside one cell."""
        if cell not in self._cut_cells:
            start = int(np.searchsorted(self.floors, cell, side="left"))
            borders = [Fraction(0), *self._borders(start, cell)]
            self._cut_cells[cell] = start, _thresholds(tuple(b - a for a, b in pairwise(borders)))
        first, chances = self._cut_cells[cell]
        return first + chances.draw(n, bits).astype(np.int64)

    def _borders(self, first: int, cell: int) -> Iterator[Fraction]:
        for end in self.ends[first:]:
            yield min(end - cell, Fraction(1))
            if end - cell >= 1:
                return

    @cached_property
    def floors(self) -> NDArray[np.uint64]:
        """The cell in which each outcome but the last ends."""
        return np.array([int(end) for end in self.ends[:-1]], dtype=np.uint64)

    @cached_property
    def cut(self) -> NDArray[np.uint64]:
        """Cells that hold a threshold strictly inside."""
        cells = {int(end) for end in self.ends if end.denominator != 1}
        return np.array(sorted(cells) or [1 << 63], dtype=np.uint64)

    @cached_property
    def _table(self) -> Outcomes:
        """What every possible word decides."""
        cells = np.arange(1 << 8 * self.word().itemsize, dtype=np.uint64)
        table = np.searchsorted(self.floors, cells, side="right")
        table[np.isin(cells, self.cut)] = UNDECIDED
        return table.astype(np.int8 if self.word == np.uint8 else np.int16)


@lru_cache(maxsize=256)
def _thresholds(chances: tuple[Fraction, ...]) -> _Thresholds:
    word = next(word for most, word in WORDS if len(chances) <= most)
    cells = 1 << 8 * word().itemsize
    return _Thresholds(word, tuple(end * cells for end in accumulate(chances)))
