"""Tables of a level's nodes by attributes and the class, group by group.

For attributes of group g a node needs no more than

    P_g[report, class] = Σ over records with that report of  Π_{h ≠ g} w_h

which does not depend on the path inside g, and is made for several nodes at once. Then reports are
added up by what of g's own path they match, and what each attribute says (`ReportMatches`).
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from deniable.base.arrays import AnyCodes, Codes, Floats, Mask
from deniable.channel.terms import by_positions
from deniable.expression import ANY
from deniable.oracle.frontier.reported_records import Nodes, ReportedRecords, product
from deniable.oracle.frontier.routed_frontier import PUBLIC

MOST_WEIGHTS = 1 << 19
"""Products of weights that are made at once: kinds of records times paths."""

MOST_SUMS = 1 << 21
"""Sums that are held at once."""

Part = tuple[Codes, int, Any, Floats]
"""Nodes, an axis, a class or all of them, and Σw and Σw²: ``[node, value, …, power]``."""


def matched_tables(records: ReportedRecords, nodes: Nodes, wanted: Mask) -> Iterator[Part]:
    """Tables of each pair that ``wanted[node, axis]``, in parts."""
    for group in range(PUBLIC, len(records.groups)):
        axes = np.flatnonzero(records.layout.part[:-1] == group)
        some = np.flatnonzero(wanted[:, axes].any(axis=1))
        if not len(some):
            continue
        if group == PUBLIC:
            for people, paths, shared in _batches(nodes, nodes.paths, some):
                yield from _by_record(records, people, paths, shared, axes, wanted)
            continue
        others = nodes.paths.copy()
        others[:, axes] = ANY
        sums = _SumsByMatch(records, group, nodes.paths, axes, wanted)
        for people, paths, shared in _batches(nodes, others, some):
            yield from sums.of(_by_report(records, group, people, paths), shared)
        yield from sums.weighed()


def _batches(
    nodes: Nodes, paths: Codes, some: Codes
) -> Iterator[tuple[list[AnyCodes], Codes, list[Codes]]]:
    """Distinct paths, some at a time: whom they choose, and which of the nodes share each."""
    key = np.column_stack([nodes.chosen[some], paths[some]])
    distinct, number = np.unique(key, axis=0, return_inverse=True)
    order = np.argsort(number.ravel(), kind="stable")
    shared = np.split(some[order], np.cumsum(np.bincount(number.ravel()))[:-1])
    ends = np.flatnonzero(np.diff(distinct[:, 0])) + 1
    for start, stop in pairwise([0, *ends.tolist(), len(distinct)]):
        people = nodes.people[distinct[start, 0]]
        most = max(1, MOST_WEIGHTS // max(1, *map(len, people)))
        for at in range(start, stop, most):
            until = min(at + most, stop)
            yield people, distinct[at:until, 1:], shared[at:until]


def _by_report(
    records: ReportedRecords, group: int, people: list[AnyCodes], paths: Codes
) -> Floats:
    """``P_g[path, report, class, power]``; one class where it belongs to the group itself."""
    reports = records.groups[group]
    labels = 1 if group == records.of_target else records.layout.classes
    found = np.empty((len(paths), len(reports), labels, 2))
    weighed = records.weighed(paths, group)
    for label in range(labels):
        rows = people[label % len(people)]
        weights = product(weighed, rows, len(paths), label)
        found[:, :, label] = _added(records, rows, reports.number, len(reports), weights)
    return found


def _by_record(
    records: ReportedRecords,
    people: list[AnyCodes],
    paths: Codes,
    shared: list[Codes],
    axes: Codes,
    wanted: Mask,
) -> Iterator[Part]:
    """Tables by public attributes: the records' own weights, by what they say."""
    nodes = np.concatenate(shared)
    owner = np.repeat(np.arange(len(paths)), [len(each) for each in shared])
    weighed = records.weighed(paths)
    for label in range(records.layout.classes):
        rows = people[label % len(people)]
        weights = product(weighed, rows, len(paths), label)
        for axis in axes[wanted[np.ix_(nodes, axes)].any(axis=0)].tolist():
            here = np.flatnonzero(wanted[nodes, axis])
            size = records.layout.sizes[axis]
            sums = _added(records, rows, records.codes[axis], size, weights)
            yield nodes[here], axis, label, sums[owner[here]]


def _added(
    records: ReportedRecords, rows: AnyCodes, code: AnyCodes, codes: int, weights: Floats
) -> Floats:
    """Add up weights ``[record, path]`` and their squares by a code: ``[path, code, power]``."""
    from scipy.sparse import csc_array

    matrix = csc_array(
        (records.counts[rows], code[rows].astype(np.int32), np.arange(len(rows) + 1)),
        shape=(codes, len(rows)),
    )
    return np.stack([(matrix @ weights).T, (matrix @ weights**2).T], axis=-1)


class _SumsByMatch:
    """Sums of one group's reports by what they match, until there are enough to be weighed."""

    def __init__(
        self, records: ReportedRecords, group: int, paths: Codes, axes: Codes, wanted: Mask
    ) -> None:
        self._records, self._reports = records, records.groups[group]
        self._has_target = group == records.of_target
        self._paths, self._axes, self._wanted = paths, axes, wanted
        self._sums: dict[tuple[tuple[int, ...], int, int], list[tuple[Codes, Floats]]] = {}
        self._held = 0

    def of(self, by_report: Floats, shared: list[Codes]) -> Iterator[Part]:
        """Add up the reports of some nodes; ``shared[path]`` have what is reported for it."""
        nodes = np.concatenate(shared)
        owner = np.repeat(np.arange(len(shared)), [len(each) for each in shared])
        most = max(1, MOST_SUMS // by_report[0].size)
        for start in range(0, len(nodes), most):
            some = slice(start, start + most)
            self._add(by_report, nodes[some], owner[some])
            if self._held > MOST_SUMS:
                yield from self.weighed()

    def weighed(self) -> Iterator[Part]:
        """Weigh what was added up, and forget it."""
        for (_, axis, label), entries in self._sums.items():
            nodes, sums = map(np.concatenate, zip(*entries, strict=True))
            place = self._reports.place(axis)
            found = self._reports.crossed(self._own(nodes, label), place, sums)
            if self._has_target:
                yield nodes, axis, label, found[:, :, 0]
            else:
                yield nodes, axis, slice(None), found
        self._sums, self._held = {}, 0

    def _add(self, by_report: Floats, nodes: Codes, owner: Codes) -> None:
        for label in range(self._records.layout.classes if self._has_target else 1):
            own = self._own(nodes, label)
            for here, positions in by_positions(own):
                wanted = self._wanted[np.ix_(nodes[here], self._axes)]
                axes = self._axes[wanted.any(axis=0)].tolist()
                places = [self._reports.place(axis) for axis in axes]
                parts = self._reports.summed(own[here], places, by_report[owner[here]])
                for axis, part in zip(axes, parts, strict=True):
                    some = np.flatnonzero(self._wanted[nodes[here], axis])
                    cells = part[some].reshape(len(some), *part.shape[1:3], -1, 2)
                    entry = nodes[here[some]], cells
                    self._sums.setdefault((positions, axis, label), []).append(entry)
                    self._held += cells.size

    def _own(self, nodes: Codes, label: int) -> Codes:
        """Give what paths say of the group; of the class, too, where it belongs to it."""
        own = self._paths[nodes][:, self._reports.columns]
        return self._records.labelled(own, label) if self._has_target else own
