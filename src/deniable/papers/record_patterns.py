"""Distinct yes/no records with their numbers: all that naive Bayes and one shared coin need.

Records with the same answers are alike to the split, to the disguise and to the classifier. So a
split is a draw without replacement from the pattern counts (multivariate hypergeometric), which has
the very distribution of dealing the records out one by one.
"""

from dataclasses import dataclass

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.base.errors import DataError
from deniable.engine.memory.records import Records
from deniable.papers.split_sets import TRAINING


@dataclass(frozen=True, eq=False)
class RecordPatterns:
    """Every pattern that occurs, once."""

    features: Codes
    """``[pattern, feature]``: 0 or 1."""

    classes: Codes
    """The class of each pattern: 0 or 1."""

    counts: Codes
    """How many records have it."""

    @classmethod
    def of(cls, people: Records, target: str) -> "RecordPatterns":
        """Count distinct records."""
        sizes = set(people.schema.sizes)
        if sizes != {2}:
            raise DataError(
                "The papers' naive Bayes experiments are about yes/no attributes.",
                hint="Prepare the set with two values to an attribute.",
            )
        place = people.schema.position(target)
        bits = np.stack(people.columns).astype(np.int64)
        keys = (bits << np.arange(len(bits))[:, None]).sum(axis=0)
        found, counts = np.unique(keys, return_counts=True)
        codes = (found[:, None] >> np.arange(len(bits))) & 1
        return cls(np.delete(codes, place, axis=1), codes[:, place], counts)

    def __len__(self) -> int:
        return int(self.counts.sum())

    def split(self, rng: np.random.Generator) -> tuple[Codes, Codes]:
        """Deal the records out at random: how many of each pattern are for training, for testing.

        >>> people = RecordPatterns(np.array([[0], [1]]), np.array([0, 1]), np.array([6, 4]))
        >>> training, test = people.split(np.random.default_rng(1))
        >>> int(training.sum()), int(test.sum()), (training + test).tolist()
        (8, 2, [6, 4])
        """
        training: Codes = rng.multivariate_hypergeometric(
            self.counts, int(TRAINING * len(self)), method="marginals"
        )
        return training, self.counts - training


@dataclass(frozen=True, eq=False)
class PairCounts:
    """What naive Bayes is made of, for many sets of records at once."""

    classes: Floats
    """``[repeat, class]``: records of each class."""

    pairs: Floats
    """``[repeat, class, feature, value]``: records of a class with a value of a feature."""

    @classmethod
    def of(cls, patterns: RecordPatterns, numbers: Codes) -> "PairCounts":
        """Add up patterns that occur so often, ``numbers[repeat, pattern]``."""
        weights = numbers.astype(np.float64)
        classes, ones = [], []
        for label in (0, 1):
            rows = patterns.classes == label
            classes.append(weights[:, rows].sum(axis=1))
            ones.append(weights[:, rows] @ patterns.features[rows].astype(np.float64))
        return cls.from_ones(np.stack(classes, axis=1), np.stack(ones, axis=1))

    @classmethod
    def from_ones(cls, classes: Floats, ones: Floats) -> "PairCounts":
        """Take records of each class with value 1, ``ones[repeat, class, feature]``."""
        return cls(classes, np.stack([classes[:, :, None] - ones, ones], axis=-1))

    def __add__(self, other: "PairCounts") -> "PairCounts":
        return PairCounts(self.classes + other.classes, self.pairs + other.pairs)

    @property
    def opposite(self) -> "PairCounts":
        """The same records with every answer turned, the class among them."""
        return PairCounts(self.classes[:, ::-1], self.pairs[:, ::-1, :, ::-1])
