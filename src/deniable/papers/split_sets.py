"""A set split into training and test records, once for a whole report; accuracy on the latter."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from deniable.engine.memory.records import Records
from deniable.mine.model import Classifier
from deniable.papers.datasets import SETS
from deniable.papers.prepared_sets import binary
from deniable.papers.reproduction.seeds import Seeds

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


def split_set(name: str, seeds: Seeds) -> SplitSet:
    """Split a set at random; the report's seed says how, the same for all settings and repeats."""
    return _split(name, int(seeds.shared("split", name).integers(1 << 62)))


@lru_cache(maxsize=8)
def _split(name: str, seed: int) -> SplitSet:
    people = binary(name, FIRST.get(name))
    order = np.random.default_rng(seed).permutation(len(people))
    cut = int(TRAINING * len(people))
    return SplitSet(people.among(order[:cut]), people.among(order[cut:]), SETS[name].target)
