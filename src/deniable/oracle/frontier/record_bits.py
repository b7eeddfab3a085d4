"""Records packed into bits, and how often each bit is set in sets of records.

A record is a few machine words: a bit for each value of a column but its first, which is all the
others' complement. Sets are added up column by column of a block of records at once: three words
make a word of sums and a word of carries (a full adder, 64 columns wide), until a block is a word
for each binary digit of its counts.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deniable.base.arrays import AnyCodes, Codes
from deniable.channel.channel import BINARY

BITS_OF_BYTE, BITS_OF_WORD = 8, 64

SMALLEST_BLOCK, LARGEST_BLOCK = 7, 127
"""Records of a block: 2^k − 1, whose counts have k digits, and fit into a byte."""

BLOCKS_OF_A_SET = 4
"""About how many blocks a set should have; more are filled better, fewer are added up sooner."""

WORDS_AT_ONCE = 1 << 16
"""Words that are added up at once: they should stay near the processor."""

Words = NDArray[np.uint64]

Counts = NDArray[np.int32]


class RecordBits:
    """Codes of some columns, packed record by record."""

    def __init__(self, columns: Sequence[NDArray[Any]], sizes: Sequence[int], n: int) -> None:
        self.width = sum(size - 1 for size in sizes)
        """How many values there are, the first of each column left out."""
        bits = [
            column if size == BINARY else column == value
            for column, size in zip(columns, sizes, strict=True)
            for value in range(1, size)
        ]
        words = -(-self.width // BITS_OF_WORD)
        packed = np.zeros((n + 1, words * (BITS_OF_WORD // BITS_OF_BYTE)), dtype=np.uint8)
        for start in range(0, self.width, BITS_OF_BYTE):
            byte = np.zeros(n, dtype=np.uint8)
            for place, bit in enumerate(bits[start : start + BITS_OF_BYTE]):
                byte |= bit.astype(np.uint8, copy=False) << np.uint8(place)
            packed[:n, start // BITS_OF_BYTE] = byte
        self._words: Words = packed.view(np.uint64)
        self._nobody = n
        """A record without any bit, which fills blocks up."""

    def counted(self, rows: AnyCodes, start: Codes, size: Codes) -> Counts:
        """Count ``rows[start : start + size]`` by value ``[set, value]``; no set is empty.

        A row that is there twice is counted twice.
        """
        if not (len(start) and self.width):
            return np.zeros((len(start), self.width), dtype=np.int32)
        many = _block(int(size.mean()) // BLOCKS_OF_A_SET)
        blocks = -(-size // many)
        first = np.cumsum(blocks) - blocks
        # Places are small numbers where they can be: most of the time they are moved about.
        small = len(rows) < np.iinfo(np.int32).max - LARGEST_BLOCK
        kind: type[np.signedinteger[Any]] = np.int32 if small else np.int64
        begin = np.repeat(start - many * first, blocks) + many * np.arange(blocks.sum())
        end = np.repeat(start + size, blocks)
        sums = np.empty((len(begin), self.width), dtype=np.uint8)
        step = max(1, WORDS_AT_ONCE // (many * self._words.shape[1]))
        for at in range(0, len(begin), step):
            here = slice(at, at + step)
            sums[here] = self._added(rows, begin[here].astype(kind), end[here].astype(kind), many)
        return added_runs(sums, first)

    def _added(
        self, rows: AnyCodes, begin: AnyCodes, end: AnyCodes, many: int
    ) -> NDArray[np.uint8]:
        """Count each value in blocks of rows ``[block, value]``."""
        place = begin + np.arange(many, dtype=begin.dtype)[:, np.newaxis]
        chosen = rows.take(place, mode="clip")
        chosen[place >= end] = self._nobody
        digits = _digits(self._words.take(chosen, axis=0))
        counts = np.zeros((len(begin), BITS_OF_WORD * self._words.shape[1]), dtype=np.uint8)
        for digit in reversed(digits):
            counts <<= 1
            counts |= np.unpackbits(digit.view(np.uint8), axis=1, bitorder="little")
        return counts[:, : self.width]


def added_runs(table: NDArray[Any], first: Codes) -> Counts:
    """Add up runs of rows, each of which begins where the last one ends.

    A product with a sparse matrix is several times as fast as NumPy's `reduceat`.
    """
    from scipy.sparse import csr_array

    ones, row = np.ones(len(table), dtype=np.int32), np.arange(len(table), dtype=np.int32)
    matrix = csr_array((ones, row, np.append(first, len(table))), shape=(len(first), len(table)))
    found: Counts = matrix @ table.astype(np.int32, copy=False)
    return found


def _block(most: int) -> int:
    """The largest block of at most so many records."""
    most = min(max(most, SMALLEST_BLOCK), LARGEST_BLOCK)
    return (1 << ((most + 1).bit_length() - 1)) - 1


def _digits(words: Words) -> list[Words]:
    """Binary digits, the lowest first, of how many of ``words[k, ...]`` have each bit.

    >>> [int(digit[0]) for digit in _digits(np.array([[1], [3], [3]], dtype=np.uint64))]
    [1, 3]
    """
    found = []
    while len(words):
        carried = []
        while len(words) > 1:
            third = len(words) // 3
            if not third:
                carried.append(words[:1] & words[1:])
                words = words[:1] ^ words[1:]
                break
            a, b, c = words[:third], words[third : 2 * third], words[2 * third : 3 * third]
            either = a ^ b
            carried.append((a & b) | (either & c))
            words = np.concatenate([either ^ c, words[3 * third :]])
        found.append(np.ascontiguousarray(words[0]))
        words = np.concatenate(carried) if carried else words[:0]
    return found
