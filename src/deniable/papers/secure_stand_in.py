"""An exact oracle that stands for secure computation, and counts what is asked of it.

Two parties hold the columns. A conjunction that names attributes of one party only is counted by
that party alone, and the class is known to both. Every other count is one secure dot product: an
*SMC computation* of Teng and Du. What a tree miner keeps from one step to the next is not asked
again; that further counts follow by subtraction is not used here, as the paper does not.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.engine.engine import Tabulation
from deniable.engine.memory.counted_engine import CountedEngine
from deniable.engine.memory.records import Records
from deniable.expression import ANY, Expression, Family, strides
from deniable.oracle.api import Crossing, Estimates, Frontier, Target, Wanted
from deniable.oracle.exact import ExactOracle
from deniable.oracle.frontier.frontier import CLOSED
from deniable.oracle.randomized import RandomizedOracle
from deniable.schema import Schema

MINE, THEIRS = 1, 2
BOTH = MINE | THEIRS


class RootedOracle:
    """An oracle whose trees begin at the same root, which is counted once."""

    def __init__(self, oracle: RandomizedOracle) -> None:
        self._oracle = oracle
        self._roots: dict[tuple[str, ...], Frontier] = {}

    @classmethod
    def exact(cls, people: Records) -> "RootedOracle":
        """Count records as they are."""
        return cls(ExactOracle(distinct(people), people.schema))

    @property
    def schema(self) -> Schema:
        """The attributes that can be asked about."""
        return self._oracle.schema

    @property
    def n(self) -> int:
        """How many records there are."""
        return self._oracle.n

    def count(
        self, expressions: Iterable[Expression] | Family, *, of: Target = "sample"
    ) -> Estimates:
        """Count conjunctions."""
        return self._oracle.count(expressions, of=of)

    def descend(self, target: str, axes: Sequence[str]) -> Frontier:
        """Begin a tree; frontiers do not change, so trees may share one."""
        begun = (target, *axes)
        if begun not in self._roots:
            self._roots[begun] = self._oracle.descend(target, axes)
        return self._roots[begun]


class SecureStandIn:
    """Counts exactly; `computations` is how many counts were about both parties' columns."""

    def __init__(self, exact: RootedOracle, mine: Iterable[str], theirs: Iterable[str]) -> None:
        self._exact = exact
        self._sides = dict.fromkeys(mine, MINE) | dict.fromkeys(theirs, THEIRS)
        self.computations = 0

    @property
    def schema(self) -> Schema:
        """The attributes of both parties, and the class."""
        return self._exact.schema

    @property
    def n(self) -> int:
        """How many records there are."""
        return self._exact.n

    def count(
        self, expressions: Iterable[Expression] | Family, *, of: Target = "sample"
    ) -> Estimates:
        """Count conjunctions."""
        family = Family.of(expressions, self.schema)
        named = (family.codes != ANY) * self.sides(family.columns)
        self.computations += int((np.bitwise_or.reduce(named, axis=1) == BOTH).sum())
        return self._exact.count(family, of=of)

    def descend(self, target: str, axes: Sequence[str]) -> Frontier:
        """Begin a tree at the root."""
        nobody = np.zeros(1, dtype=np.int64)
        return _SidedFrontier(self, self._exact.descend(target, axes), axes, nobody)

    def sides(self, names: Sequence[str]) -> Codes:
        """Whose each attribute is; the class is nobody's own."""
        return np.array([self._sides.get(name, 0) for name in names], dtype=np.int64)


class _SidedFrontier:
    """Open nodes with the parties whose attributes lead to them."""

    def __init__(
        self, oracle: SecureStandIn, front: Frontier, axes: Sequence[str], above: Codes
    ) -> None:
        self._oracle, self._front, self._axes, self._above = oracle, front, axes, above
        self._sizes = np.array([oracle.schema[name].size for name in axes], dtype=np.int64)

    def classes(self) -> tuple[Floats, Floats]:
        """Count the target's values at every node: known from the step above, or to both."""
        return self._front.classes()

    def tables(self, wanted: Wanted) -> list[Crossing]:
        """Count by an axis' values and the target's, and note what both parties are needed for."""
        found = self._front.tables(wanted)
        sides = self._oracle.sides(self._axes)
        for table in found:
            shared = (self._above[table.node] | sides[table.axis]) == BOTH
            self._oracle.computations += int(table.value[shared].size)
        return found

    def variances(self, wanted: Wanted) -> list[Floats]:
        """Give the variances of these counts."""
        return self._front.variances(wanted)

    def split(self, choice: Codes) -> "_SidedFrontier":
        """Go down; a child is reached by one attribute more."""
        nodes = np.flatnonzero(choice != CLOSED)
        axes = choice[nodes]
        above = self._above[nodes] | self._oracle.sides(self._axes)[axes]
        below = np.repeat(above, self._sizes[axes])
        return _SidedFrontier(self._oracle, self._front.split(choice), self._axes, below)


def distinct(people: Records) -> CountedEngine:
    """Keep distinct records and their numbers: many columns, few of the possible records."""
    sizes = people.schema.sizes
    columns = zip(people.columns, strides(sizes), strict=True)
    keys = np.sum([column.astype(np.int64) * place for column, place in columns], axis=0)
    keys, counts = np.unique(keys, return_counts=True)
    return CountedEngine(people.schema, Tabulation(people.schema.names, sizes, keys, counts))
