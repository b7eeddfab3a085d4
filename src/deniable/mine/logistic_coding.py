"""What every logistic regression shares: features as numbers, the answer, and what is refused."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.base.errors import ModelError, listed
from deniable.expression import Conjunction
from deniable.schema import Schema

INTERCEPT = "(intercept)"

LOOSE = 1 / 25
"""Penalty on intercepts where nothing else keeps them finite: a standard deviation of 5."""


class Coding:
    """Features as numbers: an intercept, then one for each value of an attribute but the first."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.terms = [(place, code) for place, a in enumerate(schema) for code in range(1, a.size)]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Of the coefficients: the intercept, then terms such as ``region=north``."""
        attributes = self.schema.attributes
        terms = [(attributes[place].name, attributes[place].values[c]) for place, c in self.terms]
        return (INTERCEPT, *(str(Conjunction((term,))) for term in terms))

    def coded(self, codes: Codes) -> Floats:
        """``[record, coefficient]``."""
        x = np.ones((len(codes), 1 + len(self.terms)))
        for column, (place, code) in enumerate(self.terms, start=1):
            x[:, column] = codes[:, place] == code
        return x


def log_chances(x: Floats, estimates: Floats) -> Floats:
    """``[record, class]``, the first class being the one that others are compared with."""
    scores = np.concatenate([np.zeros((len(x), 1)), x @ estimates.T], axis=1)
    top = scores.max(axis=1, keepdims=True)
    logs: Floats = scores - top - np.log(np.exp(scores - top).sum(axis=1, keepdims=True))
    return logs


@dataclass(frozen=True, eq=False)
class LogisticAnswer:
    """Coefficients of a regression, and how they were found."""

    estimates: Floats
    """``[class − 1, coefficient]``."""

    covariance: Floats
    """Of the estimates' errors, class after class; what a penalty may shift is among them."""

    note: str = ""
    """What a reader must know beside them."""

    log_likelihood: float | None = None
    """Of the reports, if that is what was maximised."""


def penalties(coding: Coding, lines: int, ridge: float) -> Floats:
    """The penalty of each coefficient ``[class − 1, coefficient]``: none on intercepts."""
    return np.tile([0.0, *[ridge] * len(coding.terms)], (lines, 1))


def heaviest(coding: Coding, direction: Floats) -> list[str]:
    """Names of the coefficients that a direction is mainly about."""
    weights = np.abs(direction).reshape(-1, len(coding.names)).max(axis=0)
    return [coding.names[place] for place in np.flatnonzero(weights > weights.max() / 3)]


MORE = "Leave a feature out, set ridge=1 or so, or collect more records."
"""What helps where a regression without a ridge has no answer; with one it always has."""


def nobody_has(target: str, value: str) -> ModelError:
    """Say that a class is empty."""
    return ModelError(
        f"Nobody seems to have {target}={value}, as far as the noise lets one see.",
        hint="Collect more records, set ridge=1 or so, or choose another target.",
    )


def indistinct(names: list[str], n: int) -> ModelError:
    """Say which features cannot be told apart."""
    alone = f"Nobody, or everybody, has {names[0]}"
    together = f"Nobody has one of {listed(names)} without the others"
    return ModelError(
        f"{alone if len(names) == 1 else together}, as far as the noise of {n:,} records lets "
        "one see.",
        hint=MORE,
    )


def unsolved(target: str, names: list[str], n: int) -> ModelError:
    """Say that coefficients have no end."""
    return ModelError(
        f"The regression of {target!r} has no finite solution: {listed(names)} would tell "
        f"classes apart perfectly, or the disguise leaves too little of {n:,} records.",
        hint=MORE,
    )
