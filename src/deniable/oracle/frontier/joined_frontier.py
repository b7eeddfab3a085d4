"""Several trees counted as one: the open nodes of all of them, one tree's after another's."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.oracle.api import Crossing, Frontier, Wanted
from deniable.oracle.frontier.frontier import CLOSED


class JoinedFrontier:
    """Frontiers side by side; each of them keeps its nodes together."""

    def __init__(self, fronts: Sequence[Frontier]) -> None:
        self._fronts = fronts
        self._classes = [front.classes() for front in fronts]
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

    def split(self, choice: Codes) -> "JoinedFrontier":
        """Split each tree's nodes; a tree of which none is split has ended."""
        going = [
            front.split(choice[here])
            for front, here in self._parts()
            if (choice[here] != CLOSED).any()
        ]
        return JoinedFrontier(going)

    def _parts(self) -> Iterator[tuple[Frontier, slice]]:
        """Each frontier and where its nodes are."""
        for front, (start, stop) in zip(self._fronts, pairwise(self._starts), strict=True):
            yield front, slice(start, stop)


def _parts(table: Crossing) -> tuple[Codes, Codes, Floats]:
    return table.node, table.axis, table.value
