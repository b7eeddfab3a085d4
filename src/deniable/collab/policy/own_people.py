"""The people behind the questions: which of them a side's own part of a count is about.

Terms can lie: two columns made for the purpose may differ in one person only, and the difference of
two counts is then that person. Each side sees which people its own part holds, and the other side
does not. So each compares the *sets* behind its own parts, among counts with the same part of the
other side's. With B the people of that part, a count of S tells Σ s·b over all people. A new set is
compared with

- every earlier one, and its complement: s ± s′;
- every sum and difference of two earlier ones: s ± s′ ± s″.

Where such a sum is the same for all people but a few, the counts tell how many of these few are in
B, as the number in B altogether is taken to be known; a sum that is the same for all tells nothing
new. Sums of four sets and more are not looked at.

Most pairs are ruled out by the sizes of their sets alone; the sets themselves are packed bits, made
again when they are needed and not at hand.
"""

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, product

import numpy as np
from numpy.typing import NDArray

from deniable.base.arrays import Codes, Mask
from deniable.base.fingerprint import digest_of
from deniable.collab.cells import Cell

PackedBits = NDArray[np.uint64]

MOST_PACKED_BYTES = 1 << 28
"""Of sets that are kept at hand."""

CHUNK_BYTES = 1 << 24
"""Of sets that are compared at once."""

SIGNS = ((1, 1), (1, -1), (-1, -1))
"""Of two earlier sets, beside a new one; (−1, 1) is (1, −1) with the two exchanged."""

REACH = 3
"""The most that one person can change a sum of three sets by."""


@dataclass
class AskedParts:
    """The own sets that were asked with one part of the other side's."""

    by_set: dict[str, set[Cell]] = field(default_factory=dict)
    """The own parts, by the set of people that they hold."""

    def add(self, name: str, part: Cell) -> None:
        """Note one."""
        self.by_set.setdefault(name, set()).add(part)

    def copy(self) -> "AskedParts":
        """The same, to try something."""
        return AskedParts({name: set(parts) for name, parts in self.by_set.items()})


class OwnPeople:
    """The sets of people behind one side's own parts."""

    def __init__(self, columns: Collection[str], having: Callable[[Cell], Mask]) -> None:
        self._columns, self._having = frozenset(columns), having
        self._names: dict[Cell, str] = {}
        self._parts: dict[str, Cell] = {}
        self._sizes: dict[str, int] = {}
        self._at_hand: OrderedDict[str, PackedBits] = OrderedDict()
        self.everybody = self.name(frozenset())
        self._asked: defaultdict[Cell, AskedParts] = defaultdict(self._with_everybody)

    def part(self, cell: Cell) -> Cell:
        """The terms about own columns."""
        return frozenset(term for term in cell if term[0] in self._columns)

    def name(self, cell: Cell) -> str:
        """A name for the set of people who satisfy the own part: the same for the same people."""
        part = self.part(cell)
        if part not in self._names:
            packed = self._packed(part)
            name = digest_of(packed.tobytes())
            self._names[part] = name
            self._parts.setdefault(name, part)
            self._sizes.setdefault(name, int(np.bitwise_count(packed).sum()))
            self._keep(name, packed)
        return self._names[part]

    def others(self, cell: Cell) -> Cell:
        """The terms about the other side's columns."""
        return cell - self.part(cell)

    def asked_with(self, others: Cell) -> AskedParts:
        """What was asked with a part of the other side's."""
        return self._asked[others]

    def note(self, cell: Cell) -> None:
        """Remember a cell whose count is known."""
        self._asked[self.others(cell)].add(self.name(cell), self.part(cell))

    def again(self, cell: Cell, among: AskedParts) -> bool:
        """Whether these very people were asked about under other terms, beside the other side's."""
        parts = among.by_set.get(self.name(cell))
        return parts is not None and self.part(cell) not in parts and bool(self.others(cell))

    def tells_of_few(self, cell: Cell, among: AskedParts, minimum: int) -> bool:
        """Whether a cell's count, beside those asked with the same other part, is about few."""
        new = self.name(cell)
        if new in among.by_set:
            return False
        others = sorted(among.by_set, key=self._sizes.__getitem__)
        n, size = self._sizes[self.everybody], self._sizes[new]
        sizes = np.array([self._sizes[each] for each in others])
        many = max(1, CHUNK_BYTES // self._bits(new).nbytes)
        near = _near_pairs(size, sizes, n, minimum)
        while pairs := list(islice(near, many)):
            found = self._exceptions(new, others, np.array(pairs))
            if ((found > 0) & (found < minimum)).any():
                return True
        return False

    def _exceptions(self, new: str, others: Sequence[str], pairs: Codes) -> Codes:
        """For how many people the sum of three sets is not what it is for all others."""
        used, places = np.unique(pairs[:, :2], return_inverse=True)
        bits = np.stack([self._bits(others[each]) for each in used])
        sizes = np.array([self._sizes[others[each]] for each in used])
        first, second = places.reshape(-1, 2).T
        a, b, c = self._bits(new), bits[first], bits[second]
        n, x, y, z = self._sizes[self.everybody], self._sizes[new], sizes[first], sizes[second]
        ab, bc = a & b, b & c
        xy, xz, yz, xyz = (_counted(each) for each in (ab, a & c, bc, ab & c))
        people = {
            (1, 1, 1): xyz,
            (1, 1, 0): xy - xyz,
            (1, 0, 1): xz - xyz,
            (0, 1, 1): yz - xyz,
            (1, 0, 0): x - xy - xz + xyz,
            (0, 1, 0): y - xy - yz + xyz,
            (0, 0, 1): z - xz - yz + xyz,
            (0, 0, 0): n - x - y - z + xy + xz + yz - xyz,
        }
        by_sum = np.zeros((2 * REACH + 1, len(pairs)), dtype=np.int64)
        each_pair = np.arange(len(pairs))
        for (in_new, in_first, in_second), many in people.items():
            total = in_new + pairs[:, 2] * in_first + pairs[:, 3] * in_second
            by_sum[total, each_pair] += many  # a sum below 0 is a place from the end
        exceptions: Codes = n - by_sum.max(axis=0)
        return exceptions

    def _with_everybody(self) -> AskedParts:
        """Everybody has been asked about with every part: its size is told, or follows."""
        asked = AskedParts()
        asked.add(self.everybody, frozenset())
        return asked

    def _bits(self, name: str) -> PackedBits:
        if name not in self._at_hand:
            self._keep(name, self._packed(self._parts[name]))
        self._at_hand.move_to_end(name)
        return self._at_hand[name]

    def _keep(self, name: str, packed: PackedBits) -> None:
        self._at_hand[name] = packed
        while len(self._at_hand) * packed.nbytes > max(MOST_PACKED_BYTES, REACH * packed.nbytes):
            self._at_hand.popitem(last=False)

    def _packed(self, part: Cell) -> PackedBits:
        octets = np.packbits(self._having(part))
        padded = np.zeros(-(-len(octets) // 8) * 8, dtype=np.uint8)
        padded[: len(octets)] = octets
        return padded.view(np.uint64)


def _counted(packed: PackedBits) -> Codes:
    counted: Codes = np.bitwise_count(packed).sum(axis=1, dtype=np.int64)
    return counted


def _near_pairs(
    size: int, sizes: Codes, n: int, minimum: int
) -> Iterator[tuple[int, int, int, int]]:
    """Pairs of earlier sets whose sum with a new one may be the same for nearly all, and signs.

    If it is γ for all but fewer than `minimum`, the sizes add up to γ·n within what those few can
    change. `sizes` are in order.
    """
    slack = REACH * (minimum - 1)
    places = np.arange(len(sizes))
    for (plus, also), all_have in product(SIGNS, range(-REACH + 1, REACH + 1)):
        # also·z within slack of γ·n − size − plus·y, for the size y of every first set
        wanted = also * (all_have * n - size - plus * sizes)
        low = np.searchsorted(sizes, wanted - slack, side="left")
        high = np.searchsorted(sizes, wanted + slack, side="right")
        if plus == also:
            low = np.maximum(low, places + 1)  # each pair once
        for first in np.flatnonzero(high > low).tolist():
            for second in range(low[first], high[first]):
                if second != first:
                    yield first, second, plus, also
