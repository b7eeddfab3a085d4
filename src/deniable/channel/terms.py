"""Signed terms: a conjunction written as reports, each with its weight."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.expression import ANY, distinct_patterns

POWERS = 3


@dataclass(frozen=True, eq=False)
class Terms:
    """Signed terms for a batch of conjunctions: term i belongs to conjunction ``rows[i]``."""

    rows: Codes
    codes: Codes
    powers: Floats
    """``powers[p − 1, i]``: the coefficient of term i in w, w² and w³."""

    @property
    def weight(self) -> Floats:
        """Coefficients in w."""
        weight: Floats = self.powers[0]
        return weight

    @property
    def square(self) -> Floats:
        """Coefficients in w²."""
        square: Floats = self.powers[1]
        return square

    def summed(self, counts: Floats | Codes, conjunctions: int) -> list[Floats]:
        """Add up Σw, Σw² and Σw³ of each conjunction: each term's coefficient times its count.

        ``counts[term]``, or ``counts[power, term]``.
        """
        weighed = self.powers * counts
        return [
            np.bincount(self.rows, each, minlength=conjunctions).astype(np.float64, copy=False)
            for each in weighed
        ]


def stack(codes: Sequence[Codes], powers: Sequence[Floats]) -> Terms:
    """Put the terms of one batch together: the first of every row, then the second, and so on."""
    rows = np.tile(np.arange(len(codes[0])), len(codes))
    return Terms(rows, np.concatenate(codes), np.concatenate(powers, axis=1))


def collected(parts: Sequence[Terms]) -> Terms:
    """Put the terms of several batches together."""
    return Terms(
        np.concatenate([part.rows for part in parts]),
        np.concatenate([part.codes for part in parts]),
        np.concatenate([part.powers for part in parts], axis=1),
    )


def raised(value: Floats) -> Floats:
    """A value, its square and its cube."""
    return np.stack([value, value**2, value**3])


def by_positions(codes: Codes) -> Iterator[tuple[Codes, tuple[int, ...]]]:
    """Split a batch by which attributes its conjunctions name."""
    named = np.where(codes != ANY, 0, ANY)
    kinds, group = distinct_patterns(named, [1] * codes.shape[1])
    for index, kind in enumerate(kinds):
        yield np.flatnonzero(group == index), tuple(np.flatnonzero(kind != ANY).tolist())
