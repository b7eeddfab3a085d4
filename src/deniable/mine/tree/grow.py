"""Growing a decision tree level by level, from counts (ID3).

A node is split by the attribute of most information gain until its class is pure, its estimated
count is not above 0, or no attribute is left. With two oracles, a cheap one screens and a costly
exact one confirms: only the candidates that the screen leaves open are counted exactly, and what
was counted for a split is the children's counts, never asked again.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from deniable.base.arrays import Codes, Floats, Mask, added
from deniable.base.errors import ModelError
from deniable.mine.model import require_same_people
from deniable.mine.tree.gain import (
    TIE,
    Beliefs,
    entropy,
    gain_variance,
    information_gain,
    ranked,
)
from deniable.oracle.api import CountOracle, Crossing, Frontier, Shrinking
from deniable.oracle.frontier.frontier import CLOSED, descend
from deniable.oracle.recoded import aligned

Window = int | Literal["adaptive", "full"] | None
"""Of how many candidates: a number, those worth it, or all, which is also None."""

Progress = Callable[[int, int], None]
"""Told how many of how many steps are done."""

FREE_LEVELS = 4
"""Questions on a path that may tell nothing; sixteen nodes are soon counted."""

GAIN_ROUNDING = 1e-10
"""Share of the records below which a count is rounding error."""


@dataclass(frozen=True, eq=False)
class Grown:
    """A tree as arrays: nodes level by level, a node's children side by side."""

    axis: Codes
    """The axis that splits a node, or CLOSED."""

    first: Codes
    """Its first child."""

    parent: Codes
    counts: Floats
    unbiased: Floats
    """The same where counts were not shrunk."""

    variances: Floats
    """Of the unbiased counts."""

    watched: list[tuple[Floats, ...]]
    """Counts and variances of the same nodes by other oracles, which had no say."""

    starts: Codes
    """Where each level begins, and the end."""

    confirmed: int = 0
    """How many counts the confirming oracle was asked for."""

    def levels(self) -> list[slice]:
        """Nodes of each level, the root's first."""
        return [slice(a, b) for a, b in zip(self.starts[:-1], self.starts[1:], strict=True)]

    @property
    def leaves(self) -> Codes:
        """Nodes that are not split."""
        return np.flatnonzero(self.axis == CLOSED)

    def nodes_by_tree(self) -> list[Codes]:
        """Nodes of each of the trees that were grown at once."""
        tree = np.arange(len(self.axis))
        for level in self.levels()[1:]:
            tree[level] = tree[self.parent[level]]
        order = np.argsort(tree, kind="stable")
        return np.split(order, np.cumsum(np.bincount(tree))[:-1])

    def tree(self, nodes: Codes) -> "Grown":
        """One of the trees that were grown at once; nobody watched, and nothing was confirmed."""
        starts = np.searchsorted(nodes, self.starts)
        axis, parent = self.axis[nodes], np.searchsorted(nodes, self.parent[nodes])
        first = np.searchsorted(nodes, self.first[nodes])
        parent[0] = CLOSED
        first[axis == CLOSED] = CLOSED
        deepest = int(np.searchsorted(starts, len(nodes))) + 1
        return Grown(
            axis, first, parent, self.counts[nodes], self.unbiased[nodes], self.variances[nodes],
            watched=[], starts=starts[:deepest],
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class SplitRule:
    """How to grow: everything but the data."""

    window: Window = None
    max_depth: int | None = None
    sieve: Callable[[Mask], Mask] | None = None
    """Leaves only some of the open candidates ``[node, axis]``; a forest draws them."""

    least: float = 0.0
    """Of all bits there are to know about the classes, what a split must tell at least.

    The first splits need not: what attributes say only together, none of them tells.
    """

    def __post_init__(self) -> None:
        if self.window not in {None, "adaptive", "full"} and not (
            isinstance(self.window, int) and self.window >= 1
        ):
            raise ModelError(
                f"{self.window!r} is no window.", hint="Use 1 or more, 'adaptive', or 'full'."
            )
        if self.max_depth is not None and self.max_depth < 0:
            raise ModelError(f"A tree cannot be {self.max_depth} deep.", hint="Use 0 or more.")


def grow(
    screen: CountOracle,
    target: str,
    axes: Sequence[str],
    rule: SplitRule,
    *,
    confirm: CountOracle | None = None,
    watchers: Sequence[CountOracle] = (),
    progress: Progress | None = None,
) -> Grown:
    """Grow to the end; `watchers` count the same nodes along the way.

    An oracle may begin several trees at once, a root for each (`Grown.tree`).
    """
    sizes = np.array([*(screen.schema[name].size for name in axes), 0])
    if confirm is not None:
        confirm = aligned(confirm, screen.schema, (*axes, target), "The confirming oracle")
        require_same_people(screen, confirm)
    front = descend(screen, target, axes)
    exact = _Confirming(confirm, target, axes, rule.window) if confirm is not None else None
    watching = [descend(oracle, target, axes) for oracle in watchers]
    counts, variances = front.classes() if exact is None else exact.classes()
    least = rule.least * float((entropy(counts) * node_totals(counts)).mean())
    unused = np.repeat((sizes[:-1] > 1)[None], len(counts), axis=0)
    parent, base = np.full(len(counts), CLOSED), 0
    levels: list[tuple[Codes, Codes, Codes, Floats, Floats, Floats]] = []
    seen: list[list[tuple[Floats, Floats]]] = [[] for _ in watchers]
    while len(parent):
        if progress is not None:
            progress(len(levels), len(axes) + 1)
        _check_released(counts)
        counts = rounded(counts, screen.n)
        candidates = unused & _divided(counts)[:, None]
        if rule.max_depth is not None and len(levels) >= rule.max_depth:
            candidates[:] = False
        if rule.sieve is not None:
            candidates = rule.sieve(candidates)
        asked = least if len(levels) >= FREE_LEVELS else 0.0
        choice = _chosen(front, candidates, exact, _least_gains(counts, asked))
        first = np.cumsum(sizes[choice]) - sizes[choice] + base + len(parent)
        first[choice == CLOSED] = CLOSED
        unbiased = counts
        if isinstance(front, Shrinking):
            unbiased = rounded(front.unbiased(), screen.n)
        levels.append((choice, first, parent, counts, unbiased, variances))
        for own, watcher in zip(seen, watching, strict=True):
            own.append(watcher.classes())
        base += len(parent)
        above = np.repeat(np.arange(len(choice)), sizes[choice])
        parent = base - len(choice) + above
        if len(parent):
            unused = unused[above]
            unused[np.arange(len(above)), choice[above]] = False
            front = front.split(choice)
            watching = [watcher.split(choice) for watcher in watching]
            if exact is not None:
                exact.split(choice, above)
            counts, variances = front.classes() if exact is None else exact.classes()
    axis, first, parent, counts, unbiased, variances = map(
        np.concatenate, zip(*levels, strict=True)
    )
    return Grown(
        axis, first, parent, counts, unbiased, variances,
        watched=[tuple(map(np.concatenate, zip(*own, strict=True))) for own in seen],
        starts=np.cumsum([0, *(len(choice) for choice, *_ in levels)]),
        confirmed=exact.asked if exact is not None else 0,
    )  # fmt: skip


def _check_released(counts: Floats) -> None:
    if np.isnan(counts).any():
        raise ModelError(
            "The counts of the target's values are refused, so no tree can be grown.",
            hint="Ask who holds the data for a less strict policy, or choose another target.",
        )


def rounded(counts: Floats, n: int) -> Floats:
    """Take for 0 what differs from it by rounding, so that no last bit decides a split."""
    return np.where(np.abs(counts) <= GAIN_ROUNDING * n, 0.0, counts)


def _divided(counts: Floats) -> Mask:
    """Nodes that are neither pure nor empty, as far as the estimates say."""
    present = added((counts > 0).astype(np.float64), axis=1)
    divided: Mask = (present > 1) & (node_totals(counts) > 0)
    return divided


def node_totals(counts: Floats) -> Floats:
    """Add up a node's counts; what is 0 but for rounding is 0."""
    totals = added(counts, axis=1)
    return np.where(np.abs(totals) <= GAIN_ROUNDING * added(np.abs(counts), axis=1), 0.0, totals)


def _gains(tables: list[Crossing], shape: tuple[int, ...]) -> Floats:
    """``[node, axis]``; −∞ where no table was wanted, or a count in it is refused."""
    gains = np.full(shape, -np.inf)
    for table in tables:
        gains[table.node, table.axis] = information_gain(table.value)
    return np.where(np.isnan(gains), -np.inf, gains)


def _least_gains(counts: Floats, bits: float) -> Floats | float:
    """What a node's gain must be at least, so that its people's is as many bits."""
    return bits / np.maximum(node_totals(counts), TIE) if bits else -np.inf


def _best(gains: Floats, least: Floats | float = -np.inf) -> Codes:
    """The first axis of the highest gain, or CLOSED where that is less than the least."""
    if gains.shape[1] == 0:
        return np.full(len(gains), CLOSED)
    best = gains.max(axis=1)
    choice = (gains >= (best - TIE)[:, None]).argmax(axis=1)
    return np.where(np.isfinite(best) & (best >= least), choice, CLOSED)


def _chosen(
    front: Frontier, candidates: Mask, exact: "_Confirming | None", least: Floats | float
) -> Codes:
    if not candidates.any():
        return np.full(len(candidates), CLOSED)
    if exact is not None and exact.window in {None, "full"}:
        return exact.chosen(candidates, lambda still_open: still_open)
    tables = front.tables(candidates)
    gains = _gains(tables, candidates.shape)
    if exact is None:
        return _best(gains, least)
    if exact.window == "adaptive":
        exact.take(gains, _noise(front, candidates, tables, exact.n))
        return exact.chosen(np.isfinite(gains), exact.worthwhile)
    return exact.chosen(np.isfinite(gains), partial(_foremost, gains, int(exact.window or 0)))


def _foremost(gains: Floats, many: int, among: Mask) -> Mask:
    """The so many of highest gain at each node; the first of equal ones."""
    return among & (ranked(np.where(among, gains, -np.inf)) < many)


def _noise(front: Frontier, wanted: Mask, tables: list[Crossing], n: int) -> Floats:
    """Variances of the gains about these very respondents.

    Both oracles count the same ones, so only the disguise stands between them: Σw² − N̂.
    """
    variance = np.zeros(wanted.shape)
    for table, spread in zip(tables, front.variances(wanted), strict=True):
        disguise = np.maximum(spread + table.value**2 / n - table.value, 0.0)
        variance[table.node, table.axis] = gain_variance(table.value, disguise)
    return variance


class _Confirming:
    """The exact side of a hybrid: counts what is still open, and remembers it."""

    def __init__(
        self, oracle: CountOracle, target: str, axes: Sequence[str], window: Window
    ) -> None:
        self.window = window
        self.asked = oracle.schema[target].size
        self.n = oracle.n
        self._front = descend(oracle, target, axes)
        self._counts = self._front.classes()[0]
        self._children: Floats = self._counts
        self._beliefs = Beliefs.of_nothing(len(axes))

    def classes(self) -> tuple[Floats, Floats]:
        """Counts as they were confirmed, and their variances: of sampling, and of agreed noise."""
        return self._counts, self._front.classes()[1]

    def take(self, gains: Floats, variances: Floats) -> None:
        """Learn what the screen estimates."""
        entropy = self._entropy()
        shares = gains / np.maximum(entropy, TIE)[:, None]
        spread = variances / np.maximum(entropy, TIE)[:, None] ** 2
        self._beliefs = self._beliefs.estimated(shares, spread)

    def worthwhile(self, among: Mask) -> Mask:
        """Choose the candidates whose exact gain is worth asking for."""
        return self._beliefs.worthwhile(among, self._entropy() * self._counts.sum(axis=1))

    def chosen(self, candidates: Mask, shortlist: Callable[[Mask], Mask]) -> Codes:
        """Count a shortlist exactly and choose; where all of it is refused, the next one."""
        gains, tables = np.full(candidates.shape, -np.inf), list[Crossing]()
        while (wanted := shortlist(candidates)).any():
            counted = self._front.tables(wanted)
            self.asked += sum(table.value.size for table in counted)
            gains = np.maximum(gains, _gains(counted, wanted.shape))
            tables += counted
            refused = ~np.isfinite(gains).any(axis=1)
            candidates = candidates & ~wanted & refused[:, None]
        self._beliefs = self._beliefs.counted(gains / np.maximum(self._entropy(), TIE)[:, None])
        choice = _best(gains)
        kept: dict[int, Floats] = {}
        for table in tables:
            won = np.flatnonzero(choice[table.node] == table.axis)
            kept.update(zip(table.node[won].tolist(), table.value[won], strict=True))
        none = np.zeros((0, self._counts.shape[1]))
        self._children = np.concatenate([none, *(kept[node] for node in sorted(kept))])
        return choice

    def split(self, choice: Codes, above: Codes) -> None:
        """Go down; the children's counts are known."""
        self._front = self._front.split(choice)
        self._counts = self._children
        self._beliefs = self._beliefs.below(above)

    def _entropy(self) -> Floats:
        return entropy(self._counts)
