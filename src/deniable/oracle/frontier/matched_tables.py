"""Tables of a level's nodes by attributes and the class, group by group.

For attributes of group g a node needs no more than

    P_g[report, class] = Σ over records with that report of  Π_{h ≠ g} w_h

which does not depend on the path inside g. Of the other groups' weights all but the last one's are
multiplied record by record, once for all paths that agree in them; with the last one's, many paths
are one sparse product, and nothing is held for each record and path (`products_by_row`). Then
reports are added up by what of g's own path they match, and what each attribute says
(`ReportMatches`).
"""

from collections.abc import Iterator

import numpy as np

from deniable.base.arrays import AnyCodes, Codes, Floats, Mask
from deniable.channel.terms import by_positions
from deniable.expression import distinct_patterns
from deniable.oracle.frontier.reported_records import Nodes, PathWeights, ReportedRecords, Rows
from deniable.oracle.frontier.routed_frontier import PUBLIC

MOST_WEIGHTS = 1 << 22
"""Weights that are held at once, of reports by paths."""

MOST_SUMS = 1 << 21
"""Sums that are held at once."""

PATHS_AT_ONCE = 64
"""Paths of one sparse product: more would not be added up sooner."""

Part = tuple[Codes, int, Floats]
"""Nodes, an axis, and Σw and Σw²: ``[node, value, class, power]``."""


def matched_tables(records: ReportedRecords, nodes: Nodes, wanted: Mask) -> Iterator[Part]:
    """Tables of each pair that ``wanted[node, axis]``, in parts."""
    waiting = [np.flatnonzero(wanted.any(axis=1))]
    while waiting:
        some = waiting.pop()
        level = _Level(records, nodes.take(some), wanted[some])
        if level.weights.size > MOST_WEIGHTS and len(some) > 1:
            waiting += np.array_split(some, 2)
            continue
        for chosen, axis, table in level.tables():
            yield some[chosen], axis, table


def totals(records: ReportedRecords, nodes: Nodes) -> Floats:
    """Σw and Σw² of the nodes themselves ``[node, class, power]``."""
    nobody = np.zeros((len(nodes.paths), len(records.layout.sizes) - 1), dtype=bool)
    level = _Level(records, nodes, nobody)
    found = np.empty((len(nodes.paths), records.layout.classes, 2))
    alone = np.zeros(len(records.counts), dtype=np.int64)
    for people, paths, shared in level.batches(PUBLIC, np.arange(len(nodes.paths)), 1):
        sums = level.sums(records.rows(people, alone, 1), paths, PUBLIC)
        owner = np.repeat(np.arange(len(paths)), [len(each) for each in shared])
        found[np.concatenate(shared)] = records.undone(sums)[owner, 0]
    return found


class _Level:
    """The nodes of one level, and what is wanted of them."""

    def __init__(self, records: ReportedRecords, nodes: Nodes, wanted: Mask) -> None:
        self._records, self._nodes, self._wanted = records, nodes, wanted
        named = records.labelled(nodes.paths)
        self._each = len(named) // max(1, len(nodes.paths))
        """Paths of a node: one for every class where it is one of a group's answers."""
        self.weights = PathWeights(records, named)

    def tables(self) -> Iterator[Part]:
        """Group by group; first of what is public."""
        for group in range(PUBLIC, len(self._records.groups)):
            axes = np.flatnonzero(self._records.layout.part[:-1] == group)
            some = np.flatnonzero(self._wanted[:, axes].any(axis=1))
            if not len(some):
                continue
            if group == PUBLIC:
                yield from self._by_record(axes, some)
            else:
                yield from self._by_report(group, axes, some)

    def batches(
        self, group: int, some: Codes, rows: int
    ) -> Iterator[tuple[AnyCodes, Codes, list[Codes]]]:
        """Nodes that agree in all but one group, some of them at a time.

        The records that they choose; one of each; and all of those that agree with it.
        """
        keys = [self._nodes.chosen[some]]
        keys += [self.weights.number(other)[some * self._each] for other in self._others(group)]
        codes = np.stack(keys, axis=1)
        distinct, number = distinct_patterns(codes, (codes.max(axis=0) + 1).tolist())
        shared = np.split(
            some[np.argsort(number, kind="stable")], np.cumsum(np.bincount(number))[:-1]
        )
        paths = np.array([nodes[0] for nodes in shared])
        most = max(1, MOST_SUMS // (2 * rows * self._records.layout.classes))
        ends = np.append(np.flatnonzero(np.diff(distinct[:, 0])) + 1, len(distinct))
        for begin, end in zip(np.append(0, ends[:-1]).tolist(), ends.tolist(), strict=True):
            people = self._nodes.people[distinct[begin, 0]]
            for start in range(begin, end, most):
                here = slice(start, min(start + most, end))
                yield people, paths[here], shared[here]

    def sums(self, rows: Rows, nodes: Codes, left_out: int) -> Floats:
        """Products of all groups' weights but one's, by row: ``[node, row, class, power]``.

        A single class where it belongs to the group that is left out.
        """
        records = self._records
        own = left_out != PUBLIC and left_out == records.of_target
        each = 1 if own else self._each
        paths = nodes[:, np.newaxis] * self._each + np.arange(each)
        many = len(rows.pointer) - 1
        found = np.empty((len(nodes), many, each, 2))
        for some, *sums in products_by_row(
            records, self.weights, rows, paths.ravel(), self._others(left_out)
        ):
            node, label = np.divmod(some, each)
            for power, table in enumerate(sums):
                found[node, :, label, power] = table.T
        return found.reshape(len(nodes), -1, max(each, records.labels), 2)

    def _others(self, left_out: int) -> list[int]:
        """All groups but one; those first in which paths differ least."""
        groups = [group for group in range(len(self._records.groups)) if group != left_out]
        return sorted(groups, key=lambda group: int(self.weights.number(group).max(initial=0)))

    def _by_record(self, axes: Codes, some: Codes) -> Iterator[Part]:
        """Tables by public attributes: all weights, by what records say."""
        records, sizes = self._records, self._records.layout.sizes
        rows = sum(sizes[axis] for axis in axes.tolist())
        for people, paths, shared in self.batches(PUBLIC, some, rows):
            nodes = np.concatenate(shared)
            owner = np.repeat(np.arange(len(paths)), [len(each) for each in shared])
            own = axes[self._wanted[np.ix_(nodes, axes)].any(axis=0)].tolist()
            first, *others = (
                records.rows(people, records.codes[axis], sizes[axis]) for axis in own
            )
            for other in others:
                first = first.beside(other)
            ends = np.cumsum([sizes[axis] for axis in own])[:-1]
            sums = np.split(self.sums(first, paths, PUBLIC), ends, axis=1)
            for axis, table in zip(own, sums, strict=True):
                here = np.flatnonzero(self._wanted[nodes, axis])
                yield nodes[here], axis, records.undone(table[owner[here]])

    def _by_report(self, group: int, axes: Codes, some: Codes) -> Iterator[Part]:
        """Tables by a group's attributes: the others' weights, by report, then by match."""
        records, reports = self._records, self._records.groups[group]
        own = self._nodes.paths[:, reports.columns]
        sums = _SumsByMatch(records, group, own, axes, self._wanted)
        rows: tuple[int, Rows] | None = None
        for people, paths, shared in self.batches(group, some, len(reports)):
            if rows is None or rows[0] != id(people):
                rows = id(people), records.rows(people, reports.number, len(reports))
            nodes = np.concatenate(shared)
            owner = np.repeat(np.arange(len(paths)), [len(each) for each in shared])
            sums.add(self.sums(rows[1], paths, group), nodes, owner)
            if sums.held > MOST_SUMS:
                yield from sums.weighed()
        yield from sums.weighed()


def products_by_row(
    records: ReportedRecords,
    weights: PathWeights,
    rows: Rows,
    paths: Codes,
    groups: list[int],
) -> Iterator[tuple[Codes, Floats, Floats]]:
    """Products of some groups' weights, added up by row, and their squares ``[row, path]``.

    Some of the paths at a time.
    """
    from scipy.sparse import csr_array

    named = [each for each in groups if weights.names(each, paths)]
    outer, inner = named[:-1], named[-1] if named else None
    counts = records.counts[rows.order]
    at, last = np.zeros(len(rows.order), dtype=np.int32), np.ones((1, 1))
    number = np.zeros(len(paths), dtype=np.int64)
    if inner is not None:
        at, last = records.groups[inner].number[rows.order], weights.of(inner)
        number = weights.number(inner)[paths]
    before = np.array([weights.number(group)[paths] for group in outer]).reshape(-1, len(paths))
    order = np.lexsort((number, *before[::-1]))
    of_record = [records.groups[group].number[rows.order] for group in outer]
    products = [np.ones(len(rows.order))]
    ends = np.flatnonzero((np.diff(before[:, order]) != 0).any(axis=0)) + 1
    above = np.full(len(outer), -1)
    matrix = csr_array((counts, at, rows.pointer), shape=(len(rows.pointer) - 1, len(last)))
    for run in np.split(order, ends):
        below = before[:, run[0]]
        agree = int(np.argmin(np.append(below == above, False)))
        del products[agree + 1 :]
        for group, reports, own in zip(
            outer[agree:], of_record[agree:], below[agree:], strict=True
        ):
            factor = weights.of(group)[:, own].copy()
            products.append(products[-1] * factor.take(reports))
        above = below
        once = counts * products[-1]
        squared = once * products[-1]
        for start in range(0, len(run), PATHS_AT_ONCE):
            some = run[start : start + PATHS_AT_ONCE]
            own_weights = last.take(number[some], axis=1)
            matrix.data = once
            value = matrix @ own_weights
            matrix.data = squared
            own_weights *= own_weights
            yield some, value, matrix @ own_weights


class _SumsByMatch:
    """Sums of one group's reports by what they match, until there are enough to be weighed."""

    def __init__(
        self, records: ReportedRecords, group: int, own: Codes, axes: Codes, wanted: Mask
    ) -> None:
        self._records, self._reports = records, records.groups[group]
        self._label = (
            self._reports.place(records.layout.target) if group == records.of_target else None
        )
        """Where the class stands in the group, if it does."""
        self._own, self._axes, self._wanted = own, axes, wanted
        self._sums: dict[tuple[tuple[int, ...], int], list[tuple[Codes, Floats]]] = {}
        self.held = 0

    def add(self, by_report: Floats, nodes: Codes, owner: Codes) -> None:
        """Add up reports ``by_report[owner]`` of some nodes."""
        for here, positions in by_positions(self._own[nodes]):
            wanted = self._wanted[np.ix_(nodes[here], self._axes)]
            axes = self._axes[wanted.any(axis=0)].tolist()
            places = [self._reports.place(axis) for axis in axes]
            parts = self._reports.summed(
                self._own[nodes[here]], places, self._label, by_report, owner[here]
            )
            for axis, part in zip(axes, parts, strict=True):
                some = np.flatnonzero(self._wanted[nodes[here], axis])
                self._sums.setdefault((positions, axis), []).append((nodes[here[some]], part[some]))
                self.held += part.size

    def weighed(self) -> Iterator[Part]:
        """Weigh what was added up, and forget it."""
        for (_, axis), entries in self._sums.items():
            nodes, sums = map(np.concatenate, zip(*entries, strict=True))
            place = self._reports.place(axis)
            found = self._reports.crossed(self._own[nodes], place, self._label, sums)
            yield nodes, axis, self._records.undone(found)
        self._sums, self.held = {}, 0
