"""Comparing classifiers on reports that none of them has seen.

All are scored on the same held-out reports, so the errors of two accuracies largely cancel where
two classifiers answer alike: the standard error of a *difference* is what decides. It is known, for
it comes from the disguise and from sampling. Through three groups at θ = .6 it may be .4, and no
comparison can choose then; with weak disguise, or many people, it is below .01.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.base.errors import EstimateError
from deniable.mine.class_prior import class_prior
from deniable.mine.model import Classifier, require_totals
from deniable.mine.scores.confusion import Difference
from deniable.oracle.api import CountOracle, Divisible, TotalOracle

Answers = Callable[[Codes], Sequence[Codes]]
"""The class that each candidate predicts, for codes ``[record, feature]``."""

HELD_OUT_FOLDS = 5

MOST_PREDICTED = 1 << 22
"""Records for which candidates are asked, in all folds; more would take minutes."""

EXPECTED_AHEAD = -0.02
"""How far a candidate is ahead of the reference before anything is known: a little behind."""

EXPECTED_SPREAD = 0.02
"""The standard deviation of that; see docs/decisions/0025."""

WORTH = 0.005
"""Accuracy that a simpler model is worth."""


@dataclass(frozen=True)
class Compared:
    """What held-out reports say about one candidate."""

    name: str
    accuracy: float
    std_error: float
    ahead: Difference
    """Of the reference, the average of the two richest candidates."""

    @property
    def expected_ahead(self) -> float:
        """How far it is believed to be ahead: the difference, as far as its error lets it speak."""
        variance = self.ahead.std_error**2
        known = EXPECTED_SPREAD**2 / (EXPECTED_SPREAD**2 + variance)
        return known * self.ahead.value + (1 - known) * EXPECTED_AHEAD

    def body(self) -> dict[str, Any]:
        """Write as JSON."""
        return {
            "name": self.name,
            "accuracy": self.accuracy,
            "std_error": self.std_error,
            "ahead": self.ahead.value,
            "ahead_std_error": self.ahead.std_error,
        }

    @classmethod
    def read(cls, body: Mapping[str, Any]) -> Self:
        """Build from what `body` gave."""
        numbers = [
            float(body[name]) for name in ("accuracy", "std_error", "ahead", "ahead_std_error")
        ]
        if not np.isfinite(numbers).all() or min(numbers[1], numbers[3]) < 0:
            raise ValueError("a comparison has figures that are none")
        return cls(str(body["name"]), numbers[0], numbers[1], Difference(*numbers[2:]))


class HeldOut:
    """Right answers of each candidate, added up over folds."""

    def __init__(self, names: Sequence[str]) -> None:
        """Begin; the last of the names is the reference."""
        self.names = tuple(names)
        self._n, self._asked = 0, 0
        self._right = np.zeros(len(names))
        self._covariance = np.zeros((len(names), len(names)))

    def add(self, held: TotalOracle, columns: Sequence[str], answers: Answers) -> None:
        """Count right answers through the disguise; the last column is the target."""

        def right(codes: Codes) -> Floats:
            self._asked += len(codes)
            if self._asked > MOST_PREDICTED:
                raise EstimateError(
                    "Candidates would have to be asked about too many records.",
                    hint="Use fewer features.",
                )
            told = np.column_stack(answers(codes[:, :-1]))
            found: Floats = (told == codes[:, -1:]).astype(np.float64)
            return found

        found = held.total(columns, right, of="population")
        self._n += found.n
        self._right += found.value
        self._covariance += found.covariance

    def results(self) -> tuple[Compared, ...]:
        """Give what was found, in the order of the names."""
        share, covariance = self._right / self._n, self._covariance / self._n**2
        own = np.diagonal(covariance)
        apart = own + own[-1] - 2 * covariance[:, -1]
        errors, spread = (np.sqrt(np.maximum(each, 0.0)) for each in (own, apart))
        return tuple(
            Compared(
                name,
                float(share[k]),
                float(errors[k]),
                Difference(float(share[k] - share[-1]), float(spread[k])),
            )
            for k, name in enumerate(self.names)
        )


def beside_larger_class(
    oracle: Divisible,
    target: str,
    mine: Callable[[CountOracle], Classifier],
    folds: int,
    rng: np.random.Generator,
) -> tuple[Compared, Compared]:
    """Score a miner, and then the larger class, on folds of the reports that it has not seen."""
    comparison = HeldOut(["model", "larger class"])
    for rest, held in oracle.folds(folds, rng):
        model, larger = mine(rest), int(class_prior(rest, target).argmax())

        def answers(codes: Codes, model: Classifier = model, larger: int = larger) -> list[Codes]:
            return [model.predict(codes), np.full(len(codes), larger)]

        asked = require_totals(held, "A score"), (*model.features, target)
        comparison.add(*asked, answers)
    ours, larger_class = comparison.results()
    return ours, larger_class


def chosen(compared: Sequence[Compared]) -> Compared:
    """Choose the simplest of the best; candidates come in the order of simplicity.

    The reference is what is best where nothing is known, so it is 0 ahead for certain; the others
    are a little behind before their differences speak.

    >>> noisy = Compared("tree", 0.9, 0.4, Difference(0.1, 0.4))
    >>> clear = Compared("tree", 0.9, 0.01, Difference(-0.001, 0.002))
    >>> average = Compared("average", 0.8, 0.4, Difference(0.0, 0.0))
    >>> [chosen([each, average]).name for each in (noisy, clear)]
    ['average', 'tree']
    """
    *others, reference = compared
    most = max(0.0, *(each.expected_ahead for each in others)) if others else 0.0
    near = (each for each in others if each.expected_ahead >= most - WORTH)
    return next(near, reference)
