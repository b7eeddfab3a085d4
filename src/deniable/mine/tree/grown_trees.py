"""Growing one tree, or many at once, from counts as they are or from shrunk ones."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.mine.tree.decision_tree import DecisionTree
from deniable.mine.tree.grow import Grown, Progress, SplitRule, grow
from deniable.mine.tree.noise_rule import beyond_chance, inherited_shares, simplified, softened
from deniable.oracle.api import CountOracle
from deniable.oracle.frontier.frontier import CLOSED
from deniable.oracle.shrunk.shrunk_oracle import ShrunkOracle


def grown_tree(
    oracle: CountOracle,
    target: str,
    names: Sequence[str],
    rule: SplitRule,
    strength: float,
    *,
    confirm: CountOracle | None = None,
    cut: bool = True,
) -> DecisionTree:
    """Grow one tree, soften it, and (`cut`) drop the splits that then change nothing."""
    grown = grow(oracle, target, _axes(names, target), rule, confirm=confirm)
    shares = softened(grown, [strength])[0]
    axis = simplified(grown, shares, labels=rule.sieve is None) if cut else grown.axis
    whole = replace(_whole(oracle, target, names, grown, shares), strength=strength)
    return whole.closed(axis, _why_one_leaf(grown, axis, rule))


def shrunk_tree(
    oracle: CountOracle,
    target: str,
    names: Sequence[str],
    rule: SplitRule,
    *,
    progress: Progress | None = None,
) -> DecisionTree:
    """Grow one tree on shrunk counts; keep splits that change an answer, or a share beyond chance.

    What it shows are unbiased counts.
    """
    axes = _axes(names, target)
    grown = grow(ShrunkOracle(oracle), target, axes, rule, progress=progress)
    shares = inherited_shares(grown)
    grown = replace(grown, counts=grown.unbiased)
    axis = simplified(grown, shares, labels=True, kept=beyond_chance(grown, len(axes)))
    whole = _whole(oracle, target, names, grown, shares)
    return whole.closed(axis, _why_one_leaf(grown, axis, rule))


def shrunk_trees(
    oracle: CountOracle,
    drawn: Sequence[CountOracle],
    target: str,
    names: Sequence[str],
    rule: SplitRule,
) -> list[DecisionTree]:
    """Grow a tree on the shrunk counts of each oracle, all at once; nothing is dropped.

    Their counts are shrunk ones, of reports that were drawn again.
    """
    grown = grow(ShrunkOracle(oracle, drawn), target, _axes(names, target), rule)
    shares = inherited_shares(grown)
    return [
        _whole(oracle, target, names, grown.tree(nodes), shares[nodes])
        for nodes in grown.nodes_by_tree()
    ]


def single_leaf(oracle: CountOracle, target: str, names: Sequence[str]) -> DecisionTree:
    """Ask nothing: one leaf that holds everybody."""
    rule = SplitRule(max_depth=0)
    grown = grow(oracle, target, _axes(names, target), rule)
    whole = _whole(oracle, target, names, grown, inherited_shares(grown))
    return replace(whole, note=_why_one_leaf(grown, grown.axis, SplitRule()))


def _axes(names: Sequence[str], target: str) -> list[str]:
    return [name for name in names if name != target]


def _whole(
    oracle: CountOracle, target: str, names: Sequence[str], grown: Grown, shares: Floats
) -> DecisionTree:
    """Take the nodes as they were grown."""
    return DecisionTree(
        oracle.schema.select(names), target, grown.axis, grown.first, grown.parent, grown.counts,
        np.sqrt(np.maximum(grown.variances, 0.0)), shares, oracle.n, confirmed=grown.confirmed,
    )  # fmt: skip


def _why_one_leaf(grown: Grown, axis: Codes, rule: SplitRule) -> str:
    """Say why nothing is split, if nothing is."""
    if axis[0] != CLOSED:
        return ""
    if grown.axis[0] != CLOSED:
        return "One leaf: no split changes the answer by more than the noise explains."
    if (grown.counts[0] > 0).sum() < 2:  # noqa: PLR2004 (a class against another)
        return "One leaf: a single class is estimated to occur."
    if rule.max_depth == 0:
        return "One leaf: no question was allowed."
    return "One leaf: there is no attribute to split by."
