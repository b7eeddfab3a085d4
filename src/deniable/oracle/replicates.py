"""Trees of several oracles, which were drawn from the same reports, begun together."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from deniable.oracle.api import Branching, CountOracle, Frontier
from deniable.oracle.frontier.frontier import CountedFrontier, descend
from deniable.oracle.frontier.joined_frontier import joined


@runtime_checkable
class Replicable(CountOracle, Protocol):
    """An oracle that may be able to begin trees of others beside its own."""

    def descend_each(
        self, oracles: Sequence[CountOracle], target: str, axes: Sequence[str]
    ) -> Frontier | None:
        """Begin a tree for each of some oracles, if they are alike."""

    def branch_each(
        self, oracles: Sequence[CountOracle], target: str, axes: Sequence[str]
    ) -> Branching | None:
        """Begin the same where nodes will be split in several ways."""


def descend_each(oracles: Sequence[CountOracle], target: str, axes: Sequence[str]) -> Frontier:
    """Begin a tree for each oracle, their roots side by side."""
    first = oracles[0]
    if isinstance(first, Replicable):
        found = first.descend_each(oracles, target, axes)
        if found is not None:
            return found
    return joined([descend(oracle, target, axes) for oracle in oracles])


def branch_each(oracles: Sequence[CountOracle], target: str, axes: Sequence[str]) -> Branching:
    """Begin the same where nodes will be split in several ways."""
    first = oracles[0]
    if isinstance(first, Replicable):
        found = first.branch_each(oracles, target, axes)
        if found is not None:
            return found
    return CountedFrontier.roots(oracles, target, axes)
