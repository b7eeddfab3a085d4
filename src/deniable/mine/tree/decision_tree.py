"""A decision tree mined from counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self, get_args

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.base.errors import ModelError, nearest
from deniable.expression import ANY, Family
from deniable.mine.chance import Evidence, read_evidence, tested
from deniable.mine.model import (
    Classifier,
    checked_features,
    checked_random_state,
    checked_target,
    require_records,
)
from deniable.mine.tree.grow import GAIN_ROUNDING, Grown, Progress, SplitRule, Window, grow, rounded
from deniable.mine.tree.noise_rule import (
    beyond_chance,
    checked_strength,
    inherited_shares,
    simplified,
    softened,
    strength_by_folds,
)
from deniable.oracle.api import CountOracle
from deniable.oracle.frontier.frontier import CLOSED, descend
from deniable.oracle.recoded import aligned
from deniable.oracle.shrunk.shrunk_oracle import ShrunkOracle, has_noise
from deniable.schema import Schema

Growth = Literal["shrunk", "noise-aware", "faithful"]

FOLDS = 4

NOTHING_PREDICTS = "One leaf: nothing here predicts it more than chance would."


@dataclass(frozen=True, eq=False)
class DecisionTree(Classifier):
    """Nodes as arrays, level by level; children of a node side by side, one per value."""

    schema: Schema
    target: str
    axis: Codes
    """The feature that splits a node, or CLOSED."""

    first: Codes
    parent: Codes
    counts: Floats
    """Estimated counts of each class: unbiased, so perhaps below 0."""

    errors: Floats
    """Their standard errors, about the population."""

    shares: Floats
    """Chance of each class, as predicted."""

    n: int
    note: str = ""
    """Why the tree is a single leaf, or how it was cut back."""

    strength: float = 0.0
    confirmed: int = 0
    evidence: Evidence | None = None
    """Whether anything here predicts the target more than chance would, if that was tested."""

    kind: ClassVar[str] = "tree"

    @property
    def leaves(self) -> Codes:
        """Nodes that are not split."""
        return np.flatnonzero(self.axis == CLOSED)

    @property
    def labels(self) -> Codes:
        """What each node answers."""
        likeliest: Codes = self.shares.argmax(axis=1)
        return likeliest

    @property
    def commonest(self) -> str:
        """The class that most records are estimated to be in."""
        return self.schema[self.target].values[int(self.counts[0].argmax())]

    @property
    def depth(self) -> int:
        """How many questions the longest path asks."""
        return int(self.depths.max())

    @property
    def depths(self) -> Codes:
        """How many questions lead to each node."""
        depth = np.zeros(len(self.axis), dtype=np.int64)
        for node in range(1, len(depth)):
            depth[node] = depth[self.parent[node]] + 1
        return depth

    def leaf_of(self, codes: Codes) -> Codes:
        """The leaf that each record ``[record, feature]`` falls into."""
        node = np.zeros(len(codes), dtype=np.int64)
        moving = np.arange(len(codes)) if self.axis[0] != CLOSED else np.zeros(0, dtype=np.int64)
        while len(moving):
            here = node[moving]
            node[moving] = self.first[here] + codes[moving, self.axis[here]]
            moving = moving[self.axis[node[moving]] != CLOSED]
        return node

    def probabilities(self, codes: Codes) -> Floats:
        """Give the chance of each class."""
        return self.shares[self.leaf_of(codes)]

    def paths(self, nodes: Codes | None = None) -> Family:
        """The conjunction that leads to each node, over the features (all nodes by default)."""
        codes = np.full((len(self.axis), len(self.features)), ANY, dtype=np.int64)
        for node in range(1, len(self.axis)):
            above = self.parent[node]
            codes[node] = codes[above]
            codes[node, self.axis[above]] = node - self.first[above]
        return Family(self.features, codes if nodes is None else codes[nodes])

    def counted(self, oracle: CountOracle) -> tuple[Floats, Floats]:
        """Count every node's classes by an oracle, with variances: the tree laid over new data."""
        require_records(oracle)
        names = (*self.features, self.target)
        same = aligned(oracle, self.schema, names, "The other data")
        front = descend(same, self.target, self.features)
        values = np.array([self.schema[name].size for name in self.features], dtype=np.int64)
        counts, variances = np.empty_like(self.counts), np.empty_like(self.counts)
        level = np.zeros(1, dtype=np.int64)
        while True:
            found, variances[level] = front.classes()
            counts[level] = rounded(found, oracle.n)
            choice = self.axis[level]
            split = choice != CLOSED
            if not split.any():
                return counts, variances
            front = front.split(choice)
            sizes = values[choice[split]]
            offset = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
            level = np.repeat(self.first[level[split]], sizes) + offset

    def pruned(self, oracle: CountOracle) -> "DecisionTree":
        """Cut back by a separate validation set, disguised or not (reduced-error pruning).

        A subtree goes where the validation set is not estimated to be answered better by it than
        by its root alone.
        """
        counts, _ = self.counted(oracle)
        right = counts[np.arange(len(counts)), self.labels]
        below, axis = np.zeros(len(counts)), self.axis.copy()
        for node in range(len(axis) - 1, -1, -1):
            if axis[node] != CLOSED and below[node] <= right[node] + GAIN_ROUNDING * oracle.n:
                axis[node] = CLOSED
            best = right[node] if axis[node] == CLOSED else below[node]
            if node:
                below[self.parent[node]] += best
        return _tree(self, axis, "Cut back by a validation set.")

    def body(self) -> dict[str, Any]:
        """Write the nodes."""
        return {
            "target": self.target,
            "n": self.n,
            "note": self.note,
            "strength": self.strength,
            "confirmed": self.confirmed,
            "evidence": None if self.evidence is None else self.evidence.body(),
            "axis": self.axis.tolist(),
            "parent": self.parent.tolist(),
            "counts": self.counts.tolist(),
            "errors": self.errors.tolist(),
            "shares": self.shares.tolist(),
        }

    @classmethod
    def read(cls, schema: Schema, body: Mapping[str, Any]) -> Self:
        """Build from what `body` gave, if it is a tree."""
        axis, parent = (np.array(body[name], dtype=np.int64) for name in ("axis", "parent"))
        target = checked_target(body["target"], schema)
        features = [a for a in schema if a.name != target]
        shape = (len(axis), schema[target].size)
        counts, errors, shares = (
            np.array(body[name], dtype=np.float64).reshape(shape)
            for name in ("counts", "errors", "shares")
        )
        sizes = np.array([*(a.size for a in features), 0])[axis]
        first = np.where(axis == CLOSED, CLOSED, np.cumsum(sizes) - sizes + 1)
        if not (
            len(axis)
            and axis.tolist() == list(body["axis"])
            and ((axis >= CLOSED) & (axis < len(features))).all()
            and np.array_equal(parent[1:], np.repeat(np.arange(len(axis)), sizes))
        ):
            raise ValueError("its nodes are no tree")
        finite = np.isfinite(counts).all() and np.isfinite(errors).all() and (errors >= 0).all()
        if not (finite and (shares >= 0).all() and np.allclose(shares.sum(axis=1), 1)):
            raise ValueError("its numbers are no counts or shares")
        return cls(
            schema, target, axis, first, parent, counts, errors, shares,
            int(body["n"]), str(body["note"]), checked_strength(float(body["strength"])),
            int(body["confirmed"]), read_evidence(body),
        )  # fmt: skip


def mine_tree(
    oracle: CountOracle,
    target: str,
    *,
    features: Sequence[str] | None = None,
    growth: Growth | None = None,
    confirm: CountOracle | None = None,
    window: Window = None,
    validation: CountOracle | None = None,
    max_depth: int | None = None,
    strength: float | None = None,
    cv: int = FOLDS,
    random_state: int = 0,
    progress: Progress | None = None,
) -> DecisionTree:
    """Grow a tree from an oracle's counts.

    ``shrunk``, the default where records are disguised, grows ID3 on shrunk counts
    (`ShrunkOracle`): what several disguised groups say together is believed as far as it stands out
    from the noise, and else made of what each of them says; splits that change no answer are
    dropped. ``faithful`` is the papers' ID3: it stops on estimated purity, emptiness, or when no
    attribute is left. ``noise-aware`` grows the faithful tree and keeps what the known noise of the
    counts does not explain; how strictly is chosen on the reports themselves (`cv`), unless
    `strength` says. It is the default elsewhere, and with a `strength` or a `confirm`.

    Where nothing predicts the target more than chance would (`evidence`), the tree is one leaf that
    says so. A faithful tree, or one with a `confirm`, is grown all the same, and says so, too.

    With `confirm`, an exact oracle decides among the candidates that `oracle` ranks within the
    `window`: so many, or ``"adaptive"``: as many as may well turn out better than the best, by
    more bits than luck explains (`deniable.mine.tree.gain`). With `validation`, the tree is
    cut back by other records (`DecisionTree.pruned`).
    """
    if growth is None:
        shrinks = strength is None and confirm is None and has_noise(oracle)
        growth = "shrunk" if shrinks else "noise-aware"
    if growth not in get_args(Growth):
        raise ModelError(
            f"There is no growth rule {growth!r}.", hint=nearest(growth, get_args(Growth))
        )
    names = checked_features(features, target, oracle.schema)
    require_records(oracle)
    if window is not None and confirm is None:
        raise ModelError(
            "A window says how many candidates are confirmed, and there is nothing to confirm by.",
            hint="Give an exact oracle too (confirm=…), or leave the window out.",
        )
    if growth == "shrunk" and not (strength is None and confirm is None):
        given = "strength" if confirm is None else "second oracle"
        raise ModelError(
            f"A tree of shrunk counts has no use for a {given}.",
            hint="Leave it out, or use growth='noise-aware'.",
        )
    rule, rng = SplitRule(window, max_depth), checked_random_state(random_state)
    found = tested(oracle, target, names)
    gated = growth != "faithful" and confirm is None
    if gated and found is not None and not found.found():
        return _chance_leaf(oracle, target, names, found)
    if growth == "shrunk":
        tree = shrunk_tree(oracle, target, names, rule, progress=progress)
        tree = tree if validation is None else tree.pruned(validation)
        return replace(tree, evidence=found)
    if growth == "faithful":
        strength = 0.0
    elif strength is None:
        axes = [name for name in names if name != target]
        strength = strength_by_folds(oracle, target, axes, rule, cv=cv, rng=rng, progress=progress)
    tree = grown_tree(
        oracle,
        target,
        names,
        rule,
        checked_strength(strength),
        confirm=confirm,
        cut=growth == "noise-aware",
    )
    tree = tree if validation is None else tree.pruned(validation)
    return replace(tree, evidence=found)


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
    axes = [name for name in names if name != target]
    grown = grow(oracle, target, axes, rule, confirm=confirm)
    shares = softened(grown, [strength])[0]
    axis = simplified(grown, shares, labels=rule.sieve is None) if cut else grown.axis
    errors = np.sqrt(np.maximum(grown.variances, 0.0))
    whole = DecisionTree(
        oracle.schema.select(names), target, grown.axis, grown.first, grown.parent, grown.counts,
        errors, shares, oracle.n, "", strength, grown.confirmed,
    )  # fmt: skip
    return _tree(whole, axis, _why_one_leaf(grown, axis, rule))


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
    axes = [name for name in names if name != target]
    grown = grow(ShrunkOracle(oracle), target, axes, rule, progress=progress)
    shares = inherited_shares(grown)
    whole = DecisionTree(
        oracle.schema.select(names), target, grown.axis, grown.first, grown.parent, grown.counts,
        np.zeros_like(grown.counts), shares, oracle.n,
    )  # fmt: skip
    counts, variances = whole.counted(oracle)
    whole = replace(whole, counts=counts, errors=np.sqrt(np.maximum(variances, 0.0)))
    grown = replace(grown, counts=counts, variances=variances)
    axis = simplified(grown, shares, labels=True, kept=beyond_chance(grown, len(axes)))
    return _tree(whole, axis, _why_one_leaf(grown, axis, rule))


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
    axes = [name for name in names if name != target]
    grown = grow(ShrunkOracle(oracle, drawn), target, axes, rule)
    return [
        DecisionTree(
            oracle.schema.select(names), target, tree.axis, tree.first, tree.parent, tree.counts,
            np.sqrt(np.maximum(tree.variances, 0.0)), inherited_shares(tree), oracle.n,
        )
        for tree in grown.trees()
    ]  # fmt: skip


def _chance_leaf(
    oracle: CountOracle, target: str, names: Sequence[str], found: Evidence
) -> DecisionTree:
    """One leaf: everybody."""
    grown = grow(oracle, target, [name for name in names if name != target], SplitRule(max_depth=0))
    whole = DecisionTree(
        oracle.schema.select(names), target, grown.axis, grown.first, grown.parent, grown.counts,
        np.sqrt(np.maximum(grown.variances, 0.0)), inherited_shares(grown), oracle.n,
    )  # fmt: skip
    single = (grown.counts[0] > 0).sum() < 2  # noqa: PLR2004 (a class against another)
    none = found.p is None or single
    why = _why_one_leaf(grown, grown.axis, SplitRule()) if none else NOTHING_PREDICTS
    return replace(whole, note=why, evidence=found)


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


def _tree(whole: DecisionTree, axis: Codes, note: str) -> DecisionTree:
    """Keep what can still be reached when some nodes are closed, renumbered."""
    kept = np.ones(len(axis), dtype=bool)
    while True:  # a level at a time: whoever's parent is kept and split
        below = kept[whole.parent] & (axis[whole.parent] != CLOSED)
        below[0] = True
        if np.array_equal(below, kept):
            break
        kept = below
    place = np.cumsum(kept) - 1
    parent = np.where(whole.parent[kept] == CLOSED, CLOSED, place[whole.parent[kept]])
    first = np.where(axis[kept] == CLOSED, CLOSED, place[whole.first[kept]])
    return DecisionTree(
        whole.schema, whole.target, axis[kept], first, parent, whole.counts[kept],
        whole.errors[kept], whole.shares[kept], whole.n, note, whole.strength, whole.confirmed,
        whole.evidence,
    )  # fmt: skip
