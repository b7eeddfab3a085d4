"""Counting down a tree by shrunk counts.

The standard error of a count grows by 1/|2θ − 1|, or the like, for every disguised group that it
touches; its parts, one per group, are each known with the noise of one. So at each step down

    N₀(path ∧ v ∧ c) = N(path ∧ c) · N_g(path_g ∧ v ∧ c) / N_g(path_g ∧ c)

is what the step's own group g makes likely: the parts are taken as independent within a class, as
naive Bayes does. The unbiased count N̂ says by how much that is wrong, through its noise, and as
much of N̂ − N₀ is believed as the differences of the whole level show. Within a group
the same is done once more, from single attributes (`deniable.oracle.shrunk.shrinking`).

Without noise every difference is believed, and shrunk counts are the plain ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from deniable.base.arrays import Codes, Floats, Mask, added
from deniable.expression import ANY
from deniable.oracle.api import CountOracle, Crossing, Frontier, Wanted
from deniable.oracle.frontier.frontier import CLOSED
from deniable.oracle.replicates import descend_each
from deniable.oracle.shrunk.group_counts import HARDLY, GroupCounts
from deniable.oracle.shrunk.part_paths import PartPaths
from deniable.oracle.shrunk.shrinking import NOISE_ACROSS, NOISE_WITHIN, Shrinkable, shrunk
from deniable.oracle.shrunk.single_attributes import SingleAttributes

TOLD_APART = 2.0
"""Standard errors by which a node's people must be told from nobody, or it is not split."""

NOBODY = 0.5
"""Fewer people than this are none."""

FREE_QUESTIONS = 6
"""Yes/no questions that may be asked before that: what the parts tell together is worth them.

One of k values is worth log₂ k of them: a tree of many values would have millions of nodes."""


@dataclass(eq=False)
class Step:
    """Pairs of a node and an axis of one size; tables are ``[pair, value, class]``."""

    node: Codes
    axis: Codes
    part: Codes
    before: Codes
    """How many attributes of the axis's part the path names."""

    others: Codes
    """How many other parts the path names."""

    above: Floats
    """The node's shrunk counts ``[pair, class]``."""

    above_within: Floats
    """The same of the path's own part."""

    value: Floats
    variance: Floats
    moment: Floats
    within_value: Floats
    within_variance: Floats
    within_moment: Floats
    within: Floats = field(init=False)
    """Shrunk counts of the part alone."""

    shrunk: Floats = field(init=False)


class ShrunkFrontier:
    """A frontier around those of one tree, or of several, whose counts it shrinks together."""

    def __init__(
        self,
        known: GroupCounts,
        alone: Floats,
        parts: dict[int, PartPaths],
        places: Codes,
        inner: Frontier,
        tree: Codes,
        paths: Codes,
        counts: Floats,
        within: Floats,
        moments: Floats,
    ) -> None:
        self._known, self._inner, self._tree, self._paths = known, inner, tree, paths
        self._alone = alone
        """The share of each class that has a value, by an axis alone ``[tree, value, class]``."""
        self._parts, self._places = parts, places
        """Which of each part's paths a node is at ``[part, node]``."""
        self._counts = counts
        self._within = within
        """``[part, node, class]``: shrunk counts of the path's terms about one part."""
        self._moments = moments
        """The same of E[w² | x ⊨ path]; the class is among the terms of its own part."""
        self._steps: list[Step] = []

    @classmethod
    def root(
        cls, oracles: Sequence[CountOracle], target: str, axes: Sequence[str]
    ) -> "ShrunkFrontier":
        """Begin with every record, once for each tree: each is counted by an oracle of its own."""
        inner, many = descend_each(oracles, target, axes), len(oracles)
        known = GroupCounts(oracles, target, axes, inner.classes())
        parts = {part: PartPaths.roots(known, part) for part in np.unique(known.part).tolist()}
        moments = np.ones((known.parts, many, known.classes))
        moments[known.target_part] = known.target_moment
        totals = known.totals
        return cls(
            known,
            SingleAttributes(known, *_single_values(known, inner)).shares(),
            parts,
            np.tile(np.arange(many), (known.parts, 1)),
            inner,
            np.arange(many),
            np.full((many, len(known.axes)), ANY, dtype=np.int64),
            totals,
            np.repeat(totals[np.newaxis], known.parts, axis=0),
            moments,
        )

    def classes(self) -> tuple[Floats, Floats]:
        """Give shrunk counts; variances are those of the unbiased ones."""
        return self._counts, self._inner.classes()[1]

    def unbiased(self) -> Floats:
        """Give the counts that were not shrunk."""
        return self._inner.classes()[0]

    def tables(self, wanted: Wanted) -> list[Crossing]:
        """Shrink the tables of all nodes that can be told from nobody."""
        wanted = wanted & self._told_apart[:, np.newaxis]
        crossings = self._inner.tables(wanted)
        variances = self._inner.variances(wanted)
        self._steps = [
            self._step(crossing, variance)
            for crossing, variance in zip(crossings, variances, strict=True)
        ]
        self._shrink_within()
        self._shrink_across()
        return [Crossing(step.node, step.axis, step.shrunk) for step in self._steps]

    def variances(self, wanted: Wanted) -> list[Floats]:
        """Give the variances of the unbiased counts."""
        return self._inner.variances(wanted & self._told_apart[:, np.newaxis])

    def split(self, choice: Codes) -> "ShrunkFrontier":
        """Go down; the children's counts are those of the tables."""
        known = self._known
        nodes = np.flatnonzero(choice != CLOSED)
        sizes = known.sizes[choice[nodes]]
        parent = np.repeat(nodes, sizes)
        first = np.zeros(len(choice), dtype=np.int64)
        first[nodes] = np.cumsum(sizes) - sizes
        paths = self._paths[parent]
        paths[np.arange(len(parent)), choice[parent]] = np.arange(len(parent)) - first[parent]
        counts = np.zeros((len(parent), known.classes))
        within, moments = self._within[:, parent], self._moments[:, parent]
        for step in self._steps:
            won = np.flatnonzero(choice[step.node] == step.axis)
            rows = first[step.node[won]][:, np.newaxis] + np.arange(step.value.shape[1])
            counts[rows] = step.shrunk[won]
            within[step.part[won][:, np.newaxis], rows] = step.within[won]
            moments[step.part[won][:, np.newaxis], rows] = self._own_moment(step)[won]
        value, places = np.arange(len(parent)) - first[parent], self._places[:, parent]
        parts = {}
        for part, own in self._parts.items():
            parts[part], places[part] = own.split(places[part], choice[parent], value)
        return ShrunkFrontier(
            known, self._alone, parts, places, self._inner.split(choice), self._tree[parent],
            paths, counts, within, moments,
        )  # fmt: skip

    @cached_property
    def _named(self) -> Mask:
        """``[node, axis]``: whether the path names an axis."""
        found: Mask = self._paths != ANY
        return found

    @cached_property
    def _moment(self) -> Floats:
        """E[w² | x ⊨ path] of all parts ``[node, class]``."""
        found: Floats = self._moments.prod(axis=0)
        return found

    @cached_property
    def _told_apart(self) -> Mask:
        """Nodes whose people would stand out from an empty node's noise."""
        path = added(self._moment / self._known.target_moment, axis=1) / self._known.classes
        people = added(self._counts, axis=1)
        asked = np.where(self._named, np.log2(self._known.sizes), 0.0).sum(axis=1)
        free = asked < FREE_QUESTIONS
        found: Mask = (people >= NOBODY) & (free | (people >= TOLD_APART**2 * (path - 1)))
        return found

    def _step(self, crossing: Crossing, variance: Floats) -> Step:
        known, node, axis = self._known, crossing.node, crossing.axis
        size = crossing.value.shape[1]
        part = known.part[axis]
        before = np.stack(
            [self._named[:, known.part == each].sum(axis=1) for each in range(known.parts)]
        )
        others = (before > 0).sum(axis=0)[node] - (before[part, node] > 0)
        value, spread = crossing.value, known.disguise(crossing.value, variance)
        own = value.copy(), spread.copy(), np.empty_like(value)
        for p in np.flatnonzero(np.bincount(part)).tolist():
            here = np.flatnonzero(part == p)
            own[2][here] = self._parts[p].moments(self._places[p, node[here]], axis[here], size)
            here = here[others[here] > 0]  # the others' own tables are the part's, already
            path = self._places[p, node[here]]
            own[0][here], own[1][here] = self._parts[p].counts(path, axis[here], size)
        # Of the whole path: the part's with the axis in it, times all other parts'.
        path = self._moment[node] / self._moments[part, node]
        elsewhere = (part != known.target_part)[:, np.newaxis]
        path = path / np.where(elsewhere, known.target_moment, 1.0)
        return Step(
            node, axis, part, before[part, node], others,
            self._counts[node], self._within[part, node],
            value, spread, own[2] * path[:, np.newaxis], *own,
        )  # fmt: skip

    def _own_moment(self, step: Step) -> Floats:
        """E[w²] of the part's terms; the class's only where it belongs to the part."""
        known = self._known
        elsewhere = (step.part != known.target_part)[:, np.newaxis, np.newaxis]
        own: Floats = step.within_moment / np.where(elsewhere, known.target_moment, 1.0)
        return own

    def _shrink_within(self) -> None:
        """From single attributes to the attributes of one part."""
        known, tables = self._known, []
        for step in self._steps:
            value = known.first[step.axis][:, np.newaxis] + np.arange(step.value.shape[1])
            alone = self._alone[self._tree[step.node][:, np.newaxis], value]
            tables.append(
                Shrinkable(
                    step.before, step.within_value, step.within_variance, step.within_moment,
                    step.above_within[:, np.newaxis] * alone, step.above_within,
                )
            )  # fmt: skip
        for step, table in zip(self._steps, shrunk(tables, NOISE_WITHIN), strict=True):
            step.within = table

    def _shrink_across(self) -> None:
        """From the parts to all of the path."""
        tables = []
        for step in self._steps:
            given = step.within / np.maximum(step.above_within, HARDLY)[:, np.newaxis]
            tables.append(
                Shrinkable(
                    step.others, step.value, step.variance, step.moment,
                    step.above[:, np.newaxis] * given, step.above,
                )
            )  # fmt: skip
        for step, table in zip(self._steps, shrunk(tables, NOISE_ACROSS), strict=True):
            step.shrunk = table


def _single_values(known: GroupCounts, roots: Frontier) -> tuple[Floats, Floats]:
    """Every value by class, and how noisy that is ``[oracle, value, class]``."""
    many = len(known.oracles)
    value, variance = np.empty((2, many, int(known.sizes.sum()), known.classes))
    wanted = np.ones((many, len(known.axes)), dtype=np.bool_)
    for table, spread in zip(roots.tables(wanted), roots.variances(wanted), strict=True):
        values = known.first[table.axis][:, np.newaxis] + np.arange(table.value.shape[1])
        at = table.node[:, np.newaxis], values
        value[at], variance[at] = table.value, known.disguise(table.value, spread)
    return value, variance
