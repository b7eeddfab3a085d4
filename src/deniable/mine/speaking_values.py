"""What speaks for a class and against it, in a naive Bayes model: values by their log-odds.

For a value v and a class c, log P(v | c) / P(v | not c) is what v adds to the log-odds of c. It is
estimated from the model's unbiased counts, not from its smoothed ones, with a standard error about
the population, by the delta method: what sampling adds is known; so is what the disguise adds where
the class is public. Counts of several samples have errors that hold sampling already, so nothing is
added. Where the class is disguised, the errors of the two counts go together in a way
that counts do not tell, and the worst is taken: the error is too large rather than too small.

Whether v tells anything is asked of the difference of the two shares, which needs no logarithm and
so no positive count: it must be further from 0 than noise and sampling explain, at `level` for all
values of all features together (Bonferroni). Where one of the counts is too near 0 for a logarithm,
a bound is given in the place of the estimate.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf, isfinite, log
from statistics import NormalDist

import numpy as np

from deniable.base.arrays import Floats
from deniable.mine.bayes import NaiveBayes
from deniable.oracle.api import standard_errors

NEAR_NOUGHT = 2.0
"""Standard errors below which a count has no logarithm worth a standard error."""


@dataclass(frozen=True)
class SpeakingValue:
    """A value that speaks for a class, or (below 0) against it."""

    feature: str
    value: str
    log_odds: float
    """The estimate, or the bound nearer to 0 where a standard error would mean nothing."""

    std_error: float | None
    """None where there is only a bound."""

    share: float
    """Of the class, unbiased: perhaps below 0."""

    other: float
    """Of all other classes."""


@dataclass(frozen=True)
class Spoken:
    """What speaks, the strongest first, and how many values tell nothing beyond the noise."""

    speaking: tuple[SpeakingValue, ...]
    silent: int


def speaking_values(model: NaiveBayes, label: int, *, level: float = 0.95) -> Spoken:
    """Find which values speak for the class of a code, or against it."""
    values = [(name, value) for name in model.features for value in model.schema[name].values]
    speaking = [each for each in _speaking(model, label, level, len(values)) if each is not None]
    speaking.sort(key=lambda each: -abs(each.log_odds))
    return Spoken(tuple(speaking), len(values) - len(speaking))


def _speaking(
    model: NaiveBayes, label: int, level: float, many: int
) -> Iterator[SpeakingValue | None]:
    """Ask each value."""
    size = model.classes.value[label]
    sizes = np.array([size, model.classes.value.sum() - size])
    if (sizes <= 0).any():
        return
    least = NormalDist().inv_cdf(1 - (1 - level) / (2 * many))
    together = bool(model.classes.std_error.any())
    sampling = 1.0 if model.of == "sample" else 0.0
    for name, table in zip(model.features, model.tables, strict=True):
        counts = _against_others(table.value, label)
        noise = np.sqrt(_against_others(table.std_error**2, label))
        for value, two, errors in zip(model.schema[name].values, counts.T, noise.T, strict=True):
            shares = two / sizes
            inside = np.clip(shares, 0, 1)
            sampled = inside * (1 - inside) / sizes * sampling
            error = _both(errors / sizes, together) + sampled.sum()
            if abs(shares[0] - shares[1]) <= least * np.sqrt(error):
                continue
            odds = _log_odds(two, errors, sizes, together, sampling, level)
            if odds is not None:
                yield SpeakingValue(name, value, *odds, float(shares[0]), float(shares[1]))


def _against_others(table: Floats, label: int) -> Floats:
    """A class, and the sum of all others."""
    return np.stack([table[label], np.delete(table, label, axis=0).sum(axis=0)])


def _both(errors: Floats, together: bool) -> float:
    """The variance of a difference: of independent errors, or of the worst there can be."""
    return float(errors.sum() ** 2 if together else (errors**2).sum())


def _log_odds(
    counts: Floats, errors: Floats, sizes: Floats, together: bool, sampling: float, level: float
) -> tuple[float, float | None] | None:
    """The log-odds and their standard error; else a bound without one; else nothing."""
    spread = np.sqrt(errors**2 + sampling * np.maximum(counts * (1 - counts / sizes), 0.0))
    if (counts > 0).all() and (counts > NEAR_NOUGHT * spread).all():
        sampled = sampling * np.maximum(1 / counts - 1 / sizes, 0.0).sum()
        variance = _both(errors / counts, together) + sampled
        return float(np.log(counts / sizes) @ [1, -1]), float(np.sqrt(variance))
    z = standard_errors(level)
    few, many = (0, 1) if counts[0] / sizes[0] < counts[1] / sizes[1] else (1, 0)
    # Around a count near 0 the sampling variance is taken at the bound itself, as Wilson does.
    root = np.sqrt(errors[few] ** 2 + sampling * max(counts[few], 0.0) + z**2 / 4)
    most = (counts[few] + z**2 / 2 + z * root) / sizes[few]
    least = (counts[many] - z * spread[many]) / sizes[many]
    bound = log(least / most) if least > 0 and most > 0 else -inf
    if not (isfinite(bound) and bound > 0):
        return None
    return (bound if few == 1 else -bound), None
