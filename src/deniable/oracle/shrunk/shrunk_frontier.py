"""Counting down a tree by shrunk counts.

The standard error of a count grows by 1/|2θ − 1|, or the like, for every disguised group that it
touches; its parts, one per group, are each known with the noise of one. So at each step down

    N₀(path ∧ v ∧ c) = N(path ∧ c) · N_g(path_g ∧ v ∧ c) / N_g(path_g ∧ c)

is what the step's own group g makes likely: the parts are taken as independent within a class, as
naive Bayes does. The unbiased count N̂ says by how much that is wrong, through its noise, and as
much of N̂ − N₀ is believed as the differences of the whole level show (`believed`). Within a group
the same is done once more, from single attributes.

How far the part is trusted is learnt, too: where what it tells was mostly told by the path before,
the level fits better with N₀ nearer to N(path ∧ c) · N(v | path), which tells nothing new.

Without noise every difference is believed, and shrunk counts are the plain ones.
"""

from dataclasses import dataclass, field

import numpy as np

from deniable.base.arrays import Codes, Floats, Mask
from deniable.expression import ANY, Family
from deniable.oracle.api import Crossing, Frontier, Wanted
from deniable.oracle.frontier.frontier import CLOSED, descend
from deniable.oracle.shrunk.adaptive_shrinkage import believed
from deniable.oracle.shrunk.group_counts import HARDLY, GroupCounts, root_path

TRUST = (1.0, 0.75, 0.5, 0.25, 0.0)
"""How far a part may be trusted to tell something new."""

DISTRUST = 3.0
"""Log-likelihood that the level must gain for no trust at all, beside full trust."""

SAMPLING = 0.1
"""Share of the noise of sampling that counts beside the disguise's; see docs/decisions/0023."""

TOLD_APART = 2.0
"""Standard errors by which a node's people must be told from nobody, or it is not split."""

NOBODY = 0.5
"""Fewer people than this are none."""

FREE_DEPTH = 6
"""Questions that may be asked before that: what the parts tell together is worth them."""


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
    """A frontier around another one, whose counts it shrinks."""

    def __init__(
        self,
        known: GroupCounts,
        inner: Frontier,
        paths: Codes,
        counts: Floats,
        within: Floats,
        moments: Floats,
    ) -> None:
        self._known, self._inner, self._paths = known, inner, paths
        self._counts = counts
        self._within = within
        """``[part, node, class]``: shrunk counts of the path's terms about one part."""
        self._moments = moments
        """The same of E[w² | x ⊨ path]; the class is among the terms of its own part."""
        self._steps: list[Step] = []

    @classmethod
    def root(cls, known: GroupCounts) -> "ShrunkFrontier":
        """Begin with every record."""
        moments = np.ones((known.parts, 1, known.classes))
        moments[known.target_part, 0] = known.target_moment
        return cls(
            known,
            descend(known.oracle, known.target, known.axes),
            root_path(len(known.axes)),
            known.totals[np.newaxis],
            np.repeat(known.totals[np.newaxis, np.newaxis], known.parts, axis=0),
            moments,
        )

    def classes(self) -> tuple[Floats, Floats]:
        """Give shrunk counts; variances are those of the unbiased ones."""
        return self._counts, self._inner.classes()[1]

    def tables(self, wanted: Wanted) -> list[Crossing]:
        """Shrink the tables of all nodes that can be told from nobody."""
        wanted = wanted & self._told_apart()[:, np.newaxis]
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
        return self._inner.variances(wanted & self._told_apart()[:, np.newaxis])

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
        return ShrunkFrontier(known, self._inner.split(choice), paths, counts, within, moments)

    def _told_apart(self) -> Mask:
        """Nodes whose people would stand out from an empty node's noise."""
        path = self._moments.prod(axis=0)
        path = (path / self._known.target_moment).mean(axis=1)
        people = self._counts.sum(axis=1)
        free = (self._paths != ANY).sum(axis=1) < FREE_DEPTH
        found: Mask = (people >= NOBODY) & (free | (people >= TOLD_APART**2 * (path - 1)))
        return found

    def _step(self, crossing: Crossing, variance: Floats) -> Step:
        known, node, axis = self._known, crossing.node, crossing.axis
        size = crossing.value.shape[1]
        part = known.part[axis]
        named = self._paths != ANY
        before = np.stack([named[:, known.part == p].sum(axis=1) for p in range(known.parts)])
        others = (before > 0).sum(axis=0)[node] - (before[part, node] > 0)
        value, spread = crossing.value, known.disguise(crossing.value, variance)
        own = value.copy(), spread.copy(), np.empty_like(value)
        for p in np.unique(part):
            here = np.flatnonzero(part == p)
            again, family = self._crossed(p, node[here], axis[here], size)
            own[2][here] = known.moments(family).reshape(-1, size, known.classes)[again]
            here = here[others[here] > 0]  # the others' own tables are the part's, already
            again, family = self._crossed(p, node[here], axis[here], size)
            for mine, theirs in zip(own, known.count(family), strict=False):
                mine[here] = theirs.reshape(-1, size, known.classes)[again]
        # Of the whole path: the part's with the axis in it, times all other parts'.
        path = self._moments.prod(axis=0)[node] / self._moments[part, node]
        elsewhere = (part != known.target_part)[:, np.newaxis]
        path = path / np.where(elsewhere, known.target_moment, 1.0)
        return Step(
            node, axis, part, before[part, node], others,
            self._counts[node], self._within[part, node],
            value, spread, own[2] * path[:, np.newaxis], *own,
        )  # fmt: skip

    def _crossed(self, part: int, node: Codes, axis: Codes, size: int) -> tuple[Codes, Family]:
        """Conjunctions about one part, each once, and where each pair's stand among them."""
        columns = np.flatnonzero(self._known.part == part)
        _, path = np.unique(self._paths[:, columns], axis=0, return_inverse=True)
        key = path.ravel()[node] * len(self._known.axes) + axis
        _, first, again = np.unique(key, return_index=True, return_inverse=True)
        return again, self._known.crossed(part, self._paths[node[first]], axis[first], size)

    def _own_moment(self, step: Step) -> Floats:
        """E[w²] of the part's terms; the class's only where it belongs to the part."""
        known = self._known
        elsewhere = (step.part != known.target_part)[:, np.newaxis, np.newaxis]
        own: Floats = step.within_moment / np.where(elsewhere, known.target_moment, 1.0)
        return own

    def _shrink_within(self) -> None:
        """From single attributes to the attributes of one part."""
        expected = []
        for step in self._steps:
            given = np.stack([self._known.given[axis] for axis in step.axis])
            expected.append(step.above_within[:, np.newaxis] * given)
        tables = [(s.within_value, s.within_variance, s.within_moment) for s in self._steps]
        above = [step.above_within for step in self._steps]
        kinds = [step.before for step in self._steps]
        for step, table in zip(self._steps, _shrunk(kinds, tables, expected, above), strict=True):
            step.within = table

    def _shrink_across(self) -> None:
        """From the parts to all of the path."""
        expected = []
        for step in self._steps:
            given = step.within / np.maximum(step.above_within, HARDLY)[:, np.newaxis]
            expected.append(step.above[:, np.newaxis] * given)
        tables = [(step.value, step.variance, step.moment) for step in self._steps]
        above = [step.above for step in self._steps]
        kinds = [step.others for step in self._steps]
        for step, table in zip(self._steps, _shrunk(kinds, tables, expected, above), strict=True):
            step.shrunk = table


def _shrunk(
    kinds: list[Codes],
    tables: list[tuple[Floats, Floats, Floats]],
    expected: list[Floats],
    above: list[Floats],
) -> list[Floats]:
    """Draw counts towards what is expected, kind by kind; kind 0 knows nothing else."""
    found = [table.copy() for table in expected]
    for kind in np.unique(np.concatenate([np.zeros(1, dtype=np.int64), *kinds]))[1:]:
        chosen = [np.flatnonzero(own == kind) for own in kinds]
        value = _flat([table[0] for table in tables], chosen)
        variance = _flat([table[1] for table in tables], chosen)
        moment = _flat([table[2] for table in tables], chosen)
        new = _flat(expected, chosen)
        old = _flat([_nothing_new(t, a) for t, a in zip(expected, above, strict=True)], chosen)
        best, prior, share = -np.inf, new, np.ones(len(new))
        for trust in TRUST:
            towards = trust * new + (1 - trust) * old
            noise = np.maximum(variance, towards * (moment - 1))
            noise += SAMPLING * towards * (noise > 0)
            told = believed(value - towards, noise, towards)
            score = told.likelihood - DISTRUST * (1 - trust)
            if score > best:
                best, prior, share = score, towards, told.share
        drawn = prior + share * (value - prior)
        start = 0
        for table, rows in zip(found, chosen, strict=True):
            size = table[rows].size
            table[rows] = drawn[start : start + size].reshape(table[rows].shape)
            start += size
    return [_possible(table, total) for table, total in zip(found, above, strict=True)]


def _flat(tables: list[Floats], chosen: list[Codes]) -> Floats:
    parts = [table[rows].ravel() for table, rows in zip(tables, chosen, strict=True)]
    return np.concatenate([np.zeros(0), *parts])


def _nothing_new(expected: Floats, above: Floats) -> Floats:
    """What is expected if the value is as common in every class."""
    people = np.maximum(above.sum(axis=1), HARDLY)
    common = expected.sum(axis=2, keepdims=True) / people[:, np.newaxis, np.newaxis]
    found: Floats = above[:, np.newaxis] * common
    return found


def _possible(table: Floats, total: Floats) -> Floats:
    """Leave nothing below 0, and each class as many people as it has above."""
    table = np.maximum(table, 0.0)
    whole = table.sum(axis=1, keepdims=True)
    some = whole > 0
    shares = np.where(some, table / np.where(some, whole, 1.0), 1 / table.shape[1])
    found: Floats = shares * total[:, np.newaxis]
    return found
