"""Counting down a tree: the open nodes of one level, and what is asked about them.

A miner that grows a tree asks for the same conjunctions again and again, each one term longer. A
frontier keeps what a level has in common, so that the next level costs one pass. Any oracle has
one, made of its counts (`CountedFrontier`); an oracle that can do it faster brings its own.

Counts are unbiased and variances are about the population: both the disguise and the sampling.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from deniable.base.arrays import ROUNDING, Codes, Floats
from deniable.expression import ANY, Family
from deniable.oracle.api import CountOracle, Crossing, Descending, Frontier, Wanted

BATCH = 1 << 15
"""Conjunctions that are counted at once, so that a wide level stays in memory."""

CLOSED = -1
"""The choice of a node that is not split."""

STAY = -2
"""The choice of a node that goes on as it is, where others are split."""


def descend(oracle: CountOracle, target: str, axes: Sequence[str]) -> Frontier:
    """Begin at the root, in the oracle's own way if it has one."""
    if isinstance(oracle, Descending):
        return oracle.descend(target, axes)
    return CountedFrontier.root(oracle, target, axes)


class CountedFrontier:
    """A frontier made of an oracle's counts, one batch a level."""

    def __init__(
        self,
        oracles: Sequence[CountOracle],
        target: str,
        axes: tuple[str, ...],
        tree: Codes,
        paths: Codes,
    ) -> None:
        self.target, self.axes = target, axes
        self._oracles, self._tree, self._paths = oracles, tree, paths
        schema = oracles[0].schema
        self._sizes = [schema[name].size for name in axes]
        self._classes = schema[target].size
        self._kept: tuple[Wanted, list[tuple[Codes, Codes, Floats, Floats]]] | None = None
        """What was asked last: whoever asks for variances has just asked for counts."""

    @classmethod
    def root(cls, oracle: CountOracle, target: str, axes: Sequence[str]) -> "CountedFrontier":
        """Begin with every record."""
        return cls.roots([oracle], target, axes)

    @classmethod
    def roots(
        cls, oracles: Sequence[CountOracle], target: str, axes: Sequence[str]
    ) -> "CountedFrontier":
        """Begin a tree for each oracle."""
        paths = np.full((len(oracles), len(axes)), ANY, dtype=np.int64)
        return cls(oracles, target, tuple(axes), np.arange(len(oracles)), paths)

    def classes(self) -> tuple[Floats, Floats]:
        """Count the target's values at every node."""
        return self._by_class

    @cached_property
    def _by_class(self) -> tuple[Floats, Floats]:
        value, variance = self._count(self._tree, np.repeat(self._paths, self._classes, axis=0))
        shape = (len(self._paths), self._classes)
        return value.reshape(shape), variance.reshape(shape)

    def tables(self, wanted: Wanted) -> list[Crossing]:
        """Count by an axis' values and the target's."""
        return [Crossing(node, axis, value) for node, axis, value, _ in self._crossed(wanted)]

    def variances(self, wanted: Wanted) -> list[Floats]:
        """Give the variances of the counts in `tables`."""
        return [variance for *_, variance in self._crossed(wanted)]

    def split(self, choice: Codes) -> "CountedFrontier":
        """Write each child's path."""
        return self.branch(*split_nodes(choice))

    def branch(self, nodes: Codes, choice: Codes) -> "CountedFrontier":
        """Write each child's path."""
        parent, code, _ = children(choice, self._sizes)
        paths, axis = self._paths[nodes[parent]], choice[parent]
        below = np.flatnonzero(axis != STAY)
        paths[below, axis[below]] = code[below]
        tree = self._tree[nodes[parent]]
        return CountedFrontier(self._oracles, self.target, self.axes, tree, paths)

    def take(self, trees: Codes) -> "CountedFrontier":
        """Begin only some of the trees."""
        return CountedFrontier.roots([self._oracles[k] for k in trees], self.target, self.axes)

    def _crossed(self, wanted: Wanted) -> list[tuple[Codes, Codes, Floats, Floats]]:
        if self._kept is None or not np.array_equal(self._kept[0], wanted):
            self._kept = wanted.copy(), self._counted_tables(wanted)
        return self._kept[1]

    def _counted_tables(self, wanted: Wanted) -> list[tuple[Codes, Codes, Floats, Floats]]:
        pairs = list(pairs_by_size(wanted, self._sizes))
        asked = []
        for size, node, axis in pairs:
            paths = np.repeat(self._paths[node], size * self._classes, axis=0)
            values = np.tile(np.repeat(np.arange(size), self._classes), len(node))
            paths[np.arange(len(paths)), np.repeat(axis, size * self._classes)] = values
            asked.append(paths)
        if not asked:
            return []
        tree = np.concatenate([np.repeat(self._tree[node], size) for size, node, _ in pairs])
        value, variance = self._count(tree, np.concatenate(asked))
        ends = np.cumsum([len(paths) for paths in asked])[:-1]
        shapes = [(len(node), size, self._classes) for size, node, _ in pairs]
        return [
            (node, axis, v.reshape(shape), error.reshape(shape))
            for (_, node, axis), v, error, shape in zip(
                pairs, np.split(value, ends), np.split(variance, ends), shapes, strict=True
            )
        ]

    def _count(self, tree: Codes, paths: Codes) -> tuple[Floats, Floats]:
        """Count paths, the target's values in turn; ask for the columns in play only."""
        tree = np.repeat(tree, self._classes)
        classes = np.tile(np.arange(self._classes), len(paths) // self._classes)
        used = np.flatnonzero((paths != ANY).any(axis=0))
        columns = (*(self.axes[axis] for axis in used), self.target)
        codes = np.column_stack([paths[:, used], classes])
        value, variance = np.empty((2, len(paths)))
        for number in np.unique(tree).tolist():
            rows = np.flatnonzero(tree == number)
            for start in range(0, len(rows), BATCH):
                here = rows[start : start + BATCH]
                found = self._oracles[number].count(Family(columns, codes[here]), of="population")
                value[here], variance[here] = found.value, found.variance
        return value, variance


def children(choice: Codes, sizes: Sequence[int]) -> tuple[Codes, Codes, Codes]:
    """Number the children: the parent of each, its value, and each node's first child."""
    # CLOSED = −1 reads the last: none; STAY = −2 the one before.
    many = np.array([*sizes, 1, 0], dtype=np.int64)[choice]
    first = np.cumsum(many) - many
    parent = np.repeat(np.arange(len(choice)), many)
    return parent, np.arange(len(parent)) - first[parent], first


def split_nodes(choice: Codes) -> tuple[Codes, Codes]:
    """Which nodes are split, and by which axis."""
    nodes = np.flatnonzero(choice != CLOSED)
    return nodes, choice[nodes]


def population_variance(square: Floats, value: Floats, n: int) -> Floats:
    """Σw² − N̂²/n; what is rounding is 0."""
    variance = square - value**2 / n
    variance[variance <= ROUNDING * square] = 0.0
    return variance


def pairs_by_size(wanted: Wanted, sizes: Sequence[int]) -> Iterator[tuple[int, Codes, Codes]]:
    """Pairs of node and axis, those of axes with equally many values together."""
    of = np.array(sizes, dtype=np.int64)
    for size in np.unique(of):
        axes = np.flatnonzero(of == size)
        node, place = np.nonzero(wanted[:, axes])
        if len(node):
            yield int(size), node, axes[place]
