"""An oracle that decides by shrunk counts, and estimates by unbiased ones."""

from collections.abc import Iterable, Sequence

from deniable.expression import Expression, Family
from deniable.oracle.api import CountOracle, Designed, Estimates, Frontier, Target
from deniable.oracle.shrunk.shrunk_frontier import ShrunkFrontier
from deniable.schema import Schema


class ShrunkOracle:
    """Any oracle, whose trees are counted by shrunk counts (`ShrunkFrontier`).

    What is counted by `count` stays unbiased: it is what an estimate prints, adds up or tests.
    Shrunk counts are possible ones, and nearer the truth on average; they are for deciding.
    """

    def __init__(self, oracle: CountOracle, drawn: Sequence[CountOracle] = ()) -> None:
        self.oracle = oracle
        self.drawn = tuple(drawn) or (oracle,)
        """What trees are counted by, one for each: the oracle itself, or reports drawn again."""

    @property
    def schema(self) -> Schema:
        """The attributes that can be asked about."""
        return self.oracle.schema

    @property
    def n(self) -> int:
        """How many records there are."""
        return self.oracle.n

    def count(
        self, expressions: Iterable[Expression] | Family, *, of: Target = "sample"
    ) -> Estimates:
        """Estimate counts, unbiased."""
        return self.oracle.count(expressions, of=of)

    def descend(self, target: str, axes: Sequence[str]) -> Frontier:
        """Begin each tree at its root."""
        return ShrunkFrontier.root(self.drawn, target, axes)


def has_noise(oracle: CountOracle) -> bool:
    """Whether an oracle knows of a disguise that makes its counts noisy."""
    if not isinstance(oracle, Designed):
        return False
    named = (name for group in oracle.groups for name in group)
    return any(
        (oracle.second_moment(Family.table([name], oracle.schema)) > 1).any() for name in named
    )
