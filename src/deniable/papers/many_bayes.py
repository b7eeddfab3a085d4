"""Naive Bayes for many repeats at once: ``argmax P(v) · Π P(a ∧ v) / P(v)``, three ways.

- ``inversion``: the papers' formula with the estimates as they come. Some may be negative, and so
  may then a product; the larger one is answered all the same. It is what the papers print.
- ``projected`` and ``expected``: possible counts first, then Laplace's rule, exactly as
  `deniable.mine.bayes.mine_bayes` does it.

A tie is answered by the first class, and a class that is estimated at 0 scores 0.
"""

from typing import Literal

import numpy as np

from deniable.base.arrays import Codes, Floats, Mask
from deniable.oracle.simplex import expected_counts, onto_simplex
from deniable.papers.record_patterns import PairCounts, RecordPatterns
from deniable.papers.shared_coin import CoinEstimates

Way = Literal["inversion", "projected", "expected"]

WAYS: tuple[Way, ...] = ("inversion", "projected", "expected")

LAPLACE = 1.0
"""Added to each count of possible ones: `mine_bayes`'s default."""

TABLE_BITS = 7
"""Features whose joint products are looked up in one table."""


class AnswerKey:
    """The distinct questions of a test, and which answers would be right."""

    def __init__(self, patterns: RecordPatterns) -> None:
        self.features, place = np.unique(patterns.features, axis=0, return_inverse=True)
        self._place = place.ravel()
        self._positive = patterns.classes == 1

    def right(self, answers: Mask) -> Mask:
        """Whether the answers ``[repeat, question]`` are right, for each whole pattern."""
        right: Mask = answers[:, self._place] == self._positive
        return right

    def accuracy(self, answers: Mask, test: Codes) -> Floats:
        """Share of right answers ``[repeat, question]`` to so many test records of each pattern."""
        many = len(self.features)
        yes = np.bincount(self._place, test * self._positive, many)
        no = np.bincount(self._place, test * ~self._positive, many)
        right: Floats = (no.sum() + answers.astype(np.float64) @ (yes - no)) / test.sum()
        return right


def answers(estimates: CoinEstimates, way: Way, questions: Codes) -> Mask:
    """Whether each repeat's classifier says class 1 to each question, ``[repeat, question]``."""
    prior, factors = _chances(estimates, way)
    scores = np.repeat(prior[:, :, None], len(questions), axis=2)
    for start in range(0, questions.shape[1], TABLE_BITS):
        part = questions[:, start : start + TABLE_BITS]
        scores *= _products(factors[:, :, start : start + TABLE_BITS])[:, :, _number(part)]
    positive: Mask = scores[:, 1] > scores[:, 0]
    return positive


def _chances(estimates: CoinEstimates, way: Way) -> tuple[Floats, Floats]:
    """Give ``P(v)`` and ``P(a | v)``, up to a factor that all classes share."""
    classes, pairs = estimates.value.classes, estimates.value.pairs
    if way == "inversion":
        return classes, _ratios(pairs, classes[:, :, None, None])
    if way == "projected":
        sizes = onto_simplex(classes, estimates.n)
        counts = onto_simplex(pairs, sizes[:, :, None])
    else:
        errors = estimates.std_error
        sizes = expected_counts(classes, errors.classes, estimates.n)
        counts = expected_counts(pairs, errors.pairs, sizes[:, :, None])
    added = counts + LAPLACE
    return sizes, added / added.sum(axis=-1, keepdims=True)


def _ratios(above: Floats, below: Floats) -> Floats:
    below = np.broadcast_to(below, above.shape)
    ratios: Floats = np.divide(above, below, out=np.zeros_like(above), where=below != 0)
    return ratios


def _products(factors: Floats) -> Floats:
    """Products over features for each of their joint values, the first one varying slowest."""
    found = np.ones((*factors.shape[:2], 1))
    for feature in range(factors.shape[2]):
        found = (found[..., None] * factors[:, :, None, feature]).reshape(*factors.shape[:2], -1)
    return found


def _number(bits: Codes) -> Codes:
    """Number joint values in the same order."""
    places = np.arange(bits.shape[1])[::-1]
    numbers: Codes = (bits << places).sum(axis=1)
    return numbers


def plain_estimates(patterns: RecordPatterns, numbers: Codes) -> CoinEstimates:
    """Count undisguised records: what every disguise is compared with."""
    counts = PairCounts.of(patterns, numbers[None])
    nothing = PairCounts(np.zeros_like(counts.classes), np.zeros_like(counts.pairs))
    return CoinEstimates(int(numbers.sum()), counts, nothing)
