"""A decision tree: its nodes, what they count, and what they answer."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.expression import ANY, Family
from deniable.mine.chance import Evidence, read_evidence
from deniable.mine.model import Classifier, checked_target, require_records
from deniable.mine.tree.grow import GAIN_ROUNDING, rounded
from deniable.mine.tree.noise_rule import checked_strength
from deniable.oracle.api import CountOracle
from deniable.oracle.frontier.frontier import CLOSED, descend
from deniable.oracle.recoded import aligned
from deniable.schema import Schema


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
        return self.closed(axis, "Cut back by a validation set.")

    def closed(self, axis: Codes, note: str) -> "DecisionTree":
        """Keep what can still be reached when some nodes are closed, renumbered."""
        kept = np.ones(len(axis), dtype=bool)
        while True:  # a level at a time: whoever's parent is kept and split
            below = kept[self.parent] & (axis[self.parent] != CLOSED)
            below[0] = True
            if np.array_equal(below, kept):
                break
            kept = below
        place = np.cumsum(kept) - 1
        parent = np.where(self.parent[kept] == CLOSED, CLOSED, place[self.parent[kept]])
        first = np.where(axis[kept] == CLOSED, CLOSED, place[self.first[kept]])
        counts, errors, shares = (each[kept] for each in (self.counts, self.errors, self.shares))
        return replace(
            self, axis=axis[kept], first=first, parent=parent, counts=counts, errors=errors,
            shares=shares, note=note,
        )  # fmt: skip

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
