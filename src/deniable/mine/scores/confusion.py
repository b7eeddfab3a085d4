"""What a score is: a confusion matrix of estimated counts, and the ratios made of it.

Estimates are unbiased for both targets (see `deniable.oracle.api`) and not clipped: a cell may be
negative, an accuracy exceed 1. Precision, recall and the like are ratios of such estimates; their
standard errors come from the covariance of the matrix, by linearisation.

Beside every accuracy stands that of a model that always answers the commonest class, and how much
better the model is than that. Both are linear in the matrix, so the standard error of their
difference is exact. Which class is the commonest is known from the training records, if the model
kept their counts; else it is the one that is estimated most often among the test records. Chosen
there, its share is a little too large on average, and the difference too small: on the safe side.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from deniable.base.arrays import Floats
from deniable.base.errors import ModelError, nearest
from deniable.base.wording import decimal, plus_minus
from deniable.oracle.api import Estimates, Target, standard_errors
from deniable.schema import Attribute


@dataclass(frozen=True, eq=False)
class Accuracy:
    """The estimated share of records that are classified correctly."""

    n: int
    of: Target
    accuracy: float
    std_error: float

    def __str__(self) -> str:
        low, high = self.interval()
        return (
            f"accuracy {plus_minus(self.accuracy, self.std_error, 4)} "
            f"(95 %: {decimal(low, 4)} to {decimal(high, 4)}), {self.n:,} records"
        )

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Bounds of the accuracy at a confidence level, not clipped.

        Without disguise this is Wilson's interval: the sampling variance p(1−p)/n is taken at the
        bound itself. What the disguise adds to the variance is taken as it was estimated.
        """
        sampled = self.of == "population"
        tilt, bend = (1 - 2 * self.accuracy, 1 / self.n) if sampled else (0.0, 0.0)
        count = [self.accuracy * self.n], [(self.std_error * self.n) ** 2], [tilt], [bend]
        low, high = Estimates(self.n, self.of, *map(np.array, count)).interval(level)
        return float(low[0]) / self.n, float(high[0]) / self.n

    def document(self, level: float = 0.95) -> dict[str, Any]:
        """Give what there is to know as JSON, with intervals at a level."""
        return {
            "accuracy": self.accuracy,
            "std_error": self.std_error,
            "interval": list(self.interval(level)),
            "n": self.n,
            "of": self.of,
        }


@dataclass(frozen=True)
class Difference:
    """How much better one share is than another of the same records; not clipped."""

    value: float
    std_error: float

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Bounds at a confidence level, taking the estimate as normal."""
        spread = standard_errors(level) * self.std_error
        return self.value - spread, self.value + spread


@dataclass(frozen=True, eq=False)
class Shares:
    """A ratio of estimated counts, with standard errors by linearisation.

    NaN where the count below the line is not above 0. Close to 0 a ratio is no longer near normal.
    """

    value: Floats
    std_error: Floats


@dataclass(frozen=True, eq=False, repr=False)
class Score(Accuracy):
    """A confusion matrix of estimated counts, and what follows from it."""

    target: str
    classes: tuple[str, ...]
    confusion: Floats
    """``[truth, prediction]``; sums to n. Not clipped: a cell may be negative."""

    covariance: Floats = field(repr=False)
    """Of the errors of the matrix, read row by row."""

    assumes: str = ""
    """What the standard errors take for granted; nothing where this is empty."""

    commonest: str = ""
    """The class that the model is compared with: the commonest one."""

    commonest_of: Literal["training", "test"] = "test"
    """The records among which it is."""

    @classmethod
    def of_counts(
        cls,
        n: int,
        of: Target,
        target: Attribute,
        counts: Floats,
        covariance: Floats,
        assumes: str = "",
        commonest: str | None = None,
    ) -> "Score":
        """Build from the estimated counts of the matrix, row by row.

        Without `commonest`, the class that is estimated most often here is taken for it.
        """
        k = target.size
        if commonest is not None and commonest not in target.values:
            raise ModelError(
                f"There is no class {commonest!r} among the test records.",
                hint=nearest(commonest, target.values),
            )
        hits = np.eye(k).ravel()
        accuracy = float(hits @ counts) / n
        error = float(np.sqrt(np.maximum(hits @ covariance @ hits, 0.0))) / n
        confusion = counts.reshape(k, k)
        return cls(
            n,
            of,
            accuracy,
            error,
            target.name,
            target.values,
            confusion,
            covariance,
            assumes,
            commonest or target.values[confusion.sum(axis=1).argmax()],
            "training" if commonest else "test",
        )

    def __str__(self) -> str:
        low, high = self.better_by.interval()
        alone, better = self.commonest_alone, self.better_by
        return (
            f"{super().__str__()}; always {self.commonest}: "
            f"{plus_minus(alone.accuracy, alone.std_error, 4)}, the difference: "
            f"{plus_minus(better.value, better.std_error, 4)} "
            f"(95 %: {decimal(low, 4)} to {decimal(high, 4)})"
        )

    def __repr__(self) -> str:
        return f"<Score of {self.target}: {self}>"

    @property
    def commonest_alone(self) -> Accuracy:
        """How often it is right to always answer the commonest class: its share."""
        share = self._linear(self._always)
        return Accuracy(self.n, self.of, share.value, share.std_error)

    @property
    def better_by(self) -> Difference:
        """How much more often the model is right than that."""
        return self._linear(self._hits.sum(axis=0) - self._always)

    @property
    def _always(self) -> Floats:
        own: Floats = self._true[self.classes.index(self.commonest)]
        return own

    def _linear(self, cells: Floats) -> Difference:
        """A sum of cells over n, with its standard error: exact, for it is linear."""
        variance = max(float(cells @ self.covariance @ cells), 0.0)
        return Difference(float(cells @ self.confusion.ravel()) / self.n, variance**0.5 / self.n)

    @property
    def confusion_std_error(self) -> Floats:
        """Standard errors of the matrix."""
        variance = np.maximum(np.diagonal(self.covariance), 0.0)
        return np.sqrt(variance).reshape(self.confusion.shape)

    @property
    def precision(self) -> Shares:
        """Of those predicted to be in each class, the share that are."""
        return self._shares(*self._ratio(self._hits, self._predicted))

    @property
    def recall(self) -> Shares:
        """Of those in each class, the share predicted to be."""
        return self._shares(*self._ratio(self._hits, self._true))

    @property
    def f1(self) -> Shares:
        """The harmonic mean of precision and recall, for each class."""
        return self._shares(*self._ratio(2 * self._hits, self._true + self._predicted))

    @property
    def balanced_accuracy(self) -> Shares:
        """The mean recall, over classes whose estimated number is above 0."""
        value, gradient = self._ratio(self._hits, self._true)
        present = np.isfinite(value)
        return self._shares(value[present].mean(keepdims=True), gradient[present].mean(0)[None])

    @property
    def _hits(self) -> Floats:
        return np.eye(self.confusion.size)[:: len(self.classes) + 1]

    @property
    def _true(self) -> Floats:
        return np.eye(len(self.classes)).repeat(len(self.classes), axis=1)

    @property
    def _predicted(self) -> Floats:
        return np.tile(np.eye(len(self.classes)), len(self.classes))

    def _ratio(self, above: Floats, below: Floats) -> tuple[Floats, Floats]:
        """Ratios of sums of the matrix, and their derivatives by its cells."""
        counts = self.confusion.ravel()
        under = below @ counts
        under = np.where(under > 0, under, np.nan)
        value: Floats = above @ counts / under
        gradient: Floats = (above - value[:, None] * below) / under[:, None]
        return value, gradient

    def _shares(self, value: Floats, gradient: Floats) -> Shares:
        variance = np.einsum("rc,cd,rd->r", gradient, self.covariance, gradient)
        return Shares(value, np.sqrt(np.maximum(variance, 0.0)))

    def document(self, level: float = 0.95) -> dict[str, Any]:
        """Give what there is to know as JSON, with intervals at a level."""
        better = self.better_by
        per_class = {"precision": self.precision, "recall": self.recall, "f1": self.f1}
        balanced = self.balanced_accuracy
        return {
            **super().document(level),
            "commonest": {
                "class": self.commonest,
                "of": self.commonest_of,
                "share": self.commonest_alone.accuracy,
                "std_error": self.commonest_alone.std_error,
                "interval": list(self.commonest_alone.interval(level)),
            },
            "better_by": {
                "value": better.value,
                "std_error": better.std_error,
                "interval": list(better.interval(level)),
            },
            "target": self.target,
            "classes": list(self.classes),
            "confusion": self.confusion.tolist(),
            "confusion_std_error": self.confusion_std_error.tolist(),
            **{name: _json(shares) for name, shares in per_class.items()},
            "balanced_accuracy": {name: own[0] for name, own in _json(balanced).items()},
            **({"assumes": self.assumes} if self.assumes else {}),
        }


def _json(shares: Shares) -> dict[str, list[float | None]]:
    """JSON has no NaN."""
    columns = {"value": shares.value, "std_error": shares.std_error}
    return {
        name: [None if np.isnan(number) else float(number) for number in column]
        for name, column in columns.items()
    }
