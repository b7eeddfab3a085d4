"""A set split into training and test records, once for a whole report; accuracy on the latter."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.mine.model import Classifier
from deniable.mine.tree.decision_tree import DecisionTree
from deniable.mine.tree.mine_tree import mine_tree
from deniable.oracle.exact import ExactOracle
from deniable.oracle.randomized import RandomizedOracle
from deniable.papers.datasets import SETS
from deniable.papers.prepared_sets import binary
from deniable.papers.reproduction.seeds import Seeds
from deniable.source.disguise import disguise_records
from deniable.source.randomness import SeededBits

FIRST = {"adult": 10_000}
"""The papers use so many of the first records."""

TRAINING = 0.8


@dataclass(frozen=True, eq=False)
class SplitSet:
    """A binary set, with its class as the target."""

    training: Records
    test: Records
    target: str

    @property
    def features(self) -> list[str]:
        """All attributes but the class."""
        return [name for name in self.training.schema.names if name != self.target]

    def accuracy(self, model: Classifier) -> float:
        """Share of the undisguised test records that a model answers rightly."""
        columns = dict(zip(self.test.schema.names, self.test.columns, strict=True))
        codes = np.stack([columns[name] for name in model.features], axis=1).astype(np.int64)
        return float((model.predict(codes) == columns[self.target]).mean())

    @cached_property
    def plain_tree(self) -> DecisionTree:
        """Mine ID3 from the undisguised training records: the papers' benchmark."""
        counted = ExactOracle(self.training, self.training.schema)
        return mine_tree(counted, self.target, growth="faithful")

    @cached_property
    def plain(self) -> float:
        """Accuracy of the benchmark."""
        return self.accuracy(self.plain_tree)

    @cached_property
    def larger_class(self) -> float:
        """Share of the commonest class among the test records: what needs no model."""
        place = self.test.schema.position(self.target)
        return float(np.bincount(self.test.columns[place]).max() / len(self.test))


def disguised(people: Records, design: Design, rng: np.random.Generator) -> RandomizedOracle:
    """Disguise records by deniable's own channels; the seed is drawn from a generator."""
    bits = SeededBits(int(rng.integers(1 << 62)))
    return RandomizedOracle(disguise_records(people, None, design, bits), design)


def split_set(name: str, seeds: Seeds) -> SplitSet:
    """Split a set at random; the report's seed says how, the same for all settings and repeats."""
    return _split(name, int(seeds.shared("split", name).integers(1 << 62)))


@lru_cache(maxsize=8)
def _split(name: str, seed: int) -> SplitSet:
    people = binary(name, FIRST.get(name))
    order = np.random.default_rng(seed).permutation(len(people))
    cut = int(TRAINING * len(people))
    return SplitSet(people.among(order[:cut]), people.among(order[cut:]), SETS[name].target)
