"""Several trees counted as one: the open nodes of all of them, one tree's after another's."""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any, Generic, TypeVar, cast

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.oracle.api import Branching, Crossing, Frontier, Wanted
from deniable.oracle.frontier.frontier import CLOSED

Kind = TypeVar("Kind", bound=Frontier)


def joined(fronts: Iterable[Kind]) -> Kind:
    """Put frontiers side by side; a single one is itself."""
    several = list(fronts)
    # Joined frontiers can do what those that they join can do.
    return several[0] if len(several) == 1 else cast(Kind, JoinedFrontier(several))


class JoinedFrontier(Generic[Kind]):
    """Frontiers side by side; each of them keeps its nodes together."""

    def __init__(self, fronts: Iterable[Kind]) -> None:
        self._fronts = list(fronts)
        self._classes = [front.classes() for front in self._fronts]
        self._starts = np.cumsum([0, *(len(counts) for counts, _ in self._classes)])

    def classes(self) -> tuple[Floats, Floats]:
        """Count the target's values at every node."""
        counts, variances = zip(*self._classes, strict=True)
        return np.concatenate(counts), np.concatenate(variances)

    def tables(self, wanted: Wanted) -> list[Crossing]:
        """Count by an axis' values and the target's."""
        by_size: dict[int, list[Crossing]] = {}
        for front, here in self._parts():
            for table in front.tables(wanted[here]):
                moved = Crossing(table.node + here.start, table.axis, table.value)
                by_size.setdefault(table.value.shape[1], []).append(moved)
        return [
            Crossing(*(np.concatenate(part) for part in zip(*map(_parts, tables), strict=True)))
            for _, tables in sorted(by_size.items())
        ]

    def variances(self, wanted: Wanted) -> list[Floats]:
        """Give the variances of the counts in `tables`."""
        by_size: dict[int, list[Floats]] = {}
        for front, here in self._parts():
            for variance in front.variances(wanted[here]):
                by_size.setdefault(variance.shape[1], []).append(variance)
        return [np.concatenate(tables) for _, tables in sorted(by_size.items())]

    def split(self, choice: Codes) -> "JoinedFrontier[Any]":
        """Split each tree's nodes; a tree of which none is split has ended."""
        return JoinedFrontier(
            front.split(choice[here])
            for front, here in self._parts()
            if (choice[here] != CLOSED).any()
        )

    def branch(
        self: "JoinedFrontier[Branching]", nodes: Codes, choice: Codes
    ) -> "JoinedFrontier[Branching]":
        """Split some nodes, where those that are joined can be split so."""
        ends = np.searchsorted(nodes, self._starts)
        return JoinedFrontier(
            front.branch(nodes[begin:end] - here.start, choice[begin:end])
            for (front, here), (begin, end) in zip(self._parts(), pairwise(ends), strict=True)
            if begin < end
        )

    def _parts(self) -> Iterator[tuple[Kind, slice]]:
        """Each frontier and where its nodes are."""
        for front, (start, stop) in zip(self._fronts, pairwise(self._starts), strict=True):
            yield front, slice(start, stop)


def _parts(table: Crossing) -> tuple[Codes, Codes, Floats]:
    return table.node, table.axis, table.value
