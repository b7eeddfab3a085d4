"""Reports of one shared coin, all repeats at once, and the counts behind them.

All attributes and the class are one group: a respondent's record is reported as it is with
probability θ, and else replaced as a whole, by its opposite (related question) or by personal
answers (unrelated question), each 1 with probability W_y, independently. Respondents with the same
record toss independent coins, so how many of them report it as it is is binomial. Of personal
answers naive Bayes needs the class counts and, within a class, how many have a 1 in each attribute;
both are binomial, and those of different attributes independent, as the answers are.
"""

from dataclasses import dataclass

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.papers.record_patterns import PairCounts, RecordPatterns

RELATED, UNRELATED = "related", "unrelated"
"""The two questions, as figures and designs name them."""

EVEN = 0.5
"""W_y, the chance of a 1 in a personal answer, as the papers have it throughout."""


@dataclass(frozen=True, eq=False)
class CoinEstimates:
    """Unbiased counts of respondents' true answers, and their standard errors."""

    n: int
    value: PairCounts
    std_error: PairCounts


@dataclass(frozen=True)
class RelatedCoin:
    """Tell the truth, or its opposite.

    ``N̂(E) = (θ·N*(E) − (1−θ)·N*(Ē)) / (2θ−1)``; its error comes from the m = N*(E) + N*(Ē) records
    that are either, and is √(m·θ(1−θ)) / |2θ−1|.
    """

    theta: float

    def reported(
        self, patterns: RecordPatterns, numbers: Codes, repeats: int, rng: np.random.Generator
    ) -> PairCounts:
        """Disguise so many records of each pattern, over and over."""
        kept = rng.binomial(numbers, self.theta, (repeats, len(numbers)))
        turned = PairCounts.of(patterns, numbers - kept).opposite
        return PairCounts.of(patterns, kept) + turned

    def undone(self, reports: PairCounts) -> CoinEstimates:
        """Estimate the counts behind the reports."""
        spread = 2 * self.theta - 1
        match, clash = self.theta / spread, (self.theta - 1) / spread
        turned, error = reports.opposite, abs(match * clash) ** 0.5
        value = PairCounts(
            match * reports.classes + clash * turned.classes,
            match * reports.pairs + clash * turned.pairs,
        )
        either = reports + turned
        errors = PairCounts(error * np.sqrt(either.classes), error * np.sqrt(either.pairs))
        return CoinEstimates(_people(reports), value, errors)


@dataclass(frozen=True)
class UnrelatedCoin:
    """Give the private answers, or the personal ones.

    ``N̂(E) = (N*(E) − (1−θ)·W·n) / θ`` (the papers' Equation 1), W the chance that personal answers
    satisfy E. Its variance is Σw² − N̂, w the weight of a report.
    """

    theta: float
    personal: float = EVEN
    """W_y: the chance of a 1 in a personal answer."""

    def reported(
        self, patterns: RecordPatterns, numbers: Codes, repeats: int, rng: np.random.Generator
    ) -> PairCounts:
        """Disguise so many records of each pattern, over and over."""
        kept = rng.binomial(numbers, self.theta, (repeats, len(numbers)))
        answered = int(numbers.sum()) - kept.sum(axis=1)
        positive = rng.binomial(answered, self.personal)
        classes = np.stack([answered - positive, positive], axis=1)
        many = patterns.features.shape[1]
        ones = rng.binomial(classes[:, :, None], self.personal, (repeats, 2, many))
        personal = PairCounts.from_ones(classes.astype(np.float64), ones.astype(np.float64))
        return PairCounts.of(patterns, kept) + personal

    def undone(self, reports: PairCounts) -> CoinEstimates:
        """Estimate the counts behind the reports."""
        n, chances = _people(reports), np.array([1 - self.personal, self.personal])
        classes, class_errors = self._estimated(reports.classes, chances, n)
        pairs, errors = self._estimated(reports.pairs, chances[:, None, None] * chances, n)
        return CoinEstimates(n, PairCounts(classes, pairs), PairCounts(class_errors, errors))

    def _estimated(self, counts: Floats, chances: Floats, n: int) -> tuple[Floats, Floats]:
        by_chance = (1 - self.theta) * chances
        value = (counts - by_chance * n) / self.theta
        squares = (counts * (1 - 2 * by_chance) + by_chance**2 * n) / self.theta**2
        return value, np.sqrt(np.maximum(squares - value, 0.0))


Coin = RelatedCoin | UnrelatedCoin


def _people(reports: PairCounts) -> int:
    return round(float(reports.classes[0].sum()))
