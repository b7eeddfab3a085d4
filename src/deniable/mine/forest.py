"""A random forest of trees, each mined from reports drawn again.

Every tree sees reports drawn with replacement, and at every node a random part of the attributes;
their predicted shares are averaged. That averages out the noise of the disguise as it averages out
that of sampling, so a forest gains more over a tree here than on plain data. Where records are
disguised, trees are grown on shrunk counts, some at once: what is believed is learnt from all of
them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar, Self

import numpy as np

from deniable.base.arrays import Codes, Floats, Mask
from deniable.base.errors import ModelError
from deniable.mine.chance import Evidence, read_evidence, with_evidence
from deniable.mine.model import (
    Classifier,
    checked_features,
    checked_random_state,
    checked_target,
    require_records,
)
from deniable.mine.tree.decision_tree import DecisionTree
from deniable.mine.tree.grow import Progress, SplitRule
from deniable.mine.tree.grown_trees import grown_tree, shrunk_trees
from deniable.mine.tree.noise_rule import checked_strength
from deniable.oracle.api import CountOracle, divisible
from deniable.oracle.shrunk.shrunk_oracle import has_noise
from deniable.schema import Schema

TREES = 50

STRENGTH = 1.0
"""Standard errors that a node must stand out by, where trees are not grown on shrunk counts."""

BATCH_OF_TREES = 50
"""Trees of shrunk counts that are grown together, at most."""

LEAST_TOLD = 0.0004
"""Of what there is to know about the classes, how much a split on shrunk counts must tell: what
tells less makes trees many times as large, and forests no better."""

PART = 0.3
"""Share of the attributes that a node may choose from."""


@dataclass(frozen=True)
class ForestOptions:
    """How the trees of a forest are grown."""

    n_estimators: int
    max_features: float
    strength: float | None
    max_depth: int | None

    def __post_init__(self) -> None:
        if self.n_estimators < 1:
            raise ModelError(
                f"A forest of {self.n_estimators} trees is none.", hint="Use at least 1."
            )
        if not 0 < self.max_features <= 1:
            raise ModelError(
                f"A node cannot choose from a share of {self.max_features} of the attributes.",
                hint="Use a share above 0, up to 1.",
            )


@dataclass(frozen=True, eq=False)
class Forest(Classifier):
    """Trees whose predicted shares are averaged."""

    schema: Schema
    target: str
    trees: tuple[DecisionTree, ...]
    n: int
    evidence: Evidence | None = None
    """Whether anything here predicts the target more than chance would, if that was tested."""

    kind: ClassVar[str] = "forest"

    @property
    def commonest(self) -> str:
        """The class that most of all drawn records are estimated to be in."""
        counts = sum(tree.counts[0] for tree in self.trees)
        return self.schema[self.target].values[np.argmax(counts)]

    @classmethod
    def joined(cls, forests: Sequence["Forest"], n: int) -> "Forest":
        """Put forests of the same attributes together, of n records in all."""
        trees = chain.from_iterable(each.trees for each in forests)
        return cls(forests[0].schema, forests[0].target, tuple(trees), n)

    def probabilities(self, codes: Codes) -> Floats:
        """Average what the trees say."""
        total = np.zeros((len(codes), self.schema[self.target].size))
        for tree in self.trees:
            total += tree.probabilities(codes)
        return total / len(self.trees)

    def body(self) -> dict[str, Any]:
        """Write every tree."""
        return {
            "target": self.target,
            "n": self.n,
            "evidence": None if self.evidence is None else self.evidence.body(),
            "trees": [tree.body() for tree in self.trees],
        }

    @classmethod
    def read(cls, schema: Schema, body: Mapping[str, Any]) -> Self:
        """Build from what `body` gave."""
        trees = tuple(DecisionTree.read(schema, tree) for tree in body["trees"])
        if not trees or any(tree.target != body["target"] for tree in trees):
            raise ValueError("it has no trees of this target")
        target = checked_target(body["target"], schema)
        return cls(schema, target, trees, int(body["n"]), read_evidence(body))


def mine_forest(
    oracle: CountOracle,
    target: str,
    *,
    features: Sequence[str] | None = None,
    n_estimators: int = TREES,
    max_features: float = PART,
    strength: float | None = None,
    max_depth: int | None = None,
    random_state: int = 0,
    progress: Progress | None = None,
) -> Forest:
    """Grow trees from reports drawn again, each node choosing from a random part of the attributes.

    Where records are disguised, trees are grown on shrunk counts (`ShrunkOracle`), to the end.
    Elsewhere, or with a `strength`, they are noise-aware with one strength for all: what one tree
    takes for signal by chance, the others outvote, so nothing is left for cross-validation.

    The forest carries a test of whether anything predicts the target (`deniable.mine.chance`).
    """
    options = ForestOptions(n_estimators, max_features, strength, max_depth)
    grown = grown_forest(oracle, target, features, options, random_state, progress)
    return with_evidence(grown, oracle)


def grown_forest(
    oracle: CountOracle,
    target: str,
    features: Sequence[str] | None,
    options: ForestOptions,
    random_state: int,
    progress: Progress | None,
) -> Forest:
    """Do the same, without the test against chance."""
    if not divisible(oracle):
        raise ModelError(
            "Only counts can be had here (the table is wide and far away), and a forest draws "
            "reports again.",
            hint="Mine a single tree.",
        )
    names = checked_features(features, target, oracle.schema)
    require_records(oracle)
    rng = checked_random_state(random_state)
    shrinks = options.strength is None and has_noise(oracle)
    strength = checked_strength(STRENGTH if options.strength is None else options.strength)
    many = max(1, round(options.max_features * (len(names) - 1)))
    rule = SplitRule(
        max_depth=options.max_depth,
        sieve=lambda open_: _drawn(open_, many, rng),
        least=LEAST_TOLD if shrinks else 0.0,
    )
    grown: list[DecisionTree] = []
    while left := options.n_estimators - len(grown):
        if shrinks:
            again = oracle.resampled(min(left, BATCH_OF_TREES), rng)
            grown += shrunk_trees(oracle, again, target, names, rule)
        else:
            (once,) = oracle.resampled(1, rng)
            grown.append(grown_tree(once, target, names, rule, strength))
        if progress is not None:
            progress(len(grown), options.n_estimators)
    return Forest(oracle.schema.select(names), target, tuple(grown), oracle.n)


def _drawn(candidates: Mask, many: int, rng: np.random.Generator) -> Mask:
    """Leave each node so many of its candidates, drawn evenly."""
    if candidates.shape[1] <= many:
        return candidates
    luck = np.where(candidates, rng.random(candidates.shape), -1.0)
    least = np.partition(luck, -many, axis=1)[:, -many][:, None]
    chosen: Mask = candidates & (luck >= least)
    return chosen
