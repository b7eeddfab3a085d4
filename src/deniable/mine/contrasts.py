"""What can predict a class: contrasts of single attributes and of pairs, and how they are judged.

A contrast is ``D = N̂(f∧c) − N̂(f)·N̂(c)/n`` for some function f of one attribute or of two: how much
more of f there is with the class c than independence expects. Of an attribute, f is each of its
values. Of a pair it is each joint pattern, and each *product* ``([a=u] − 1/k)·([b=v] − 1/k)``: the
interaction by itself. A product is not drowned by what the attributes say alone; and one coin that
turns two yes/no answers together leaves their product as it was, so there it has no noise at all.

z² = D²/Var(D) are judged together: the largest, and the sum, of each kind of contrast, so that
few strong effects are seen, many weak ones, and interactions. Each of these ten statistics becomes
a surprise, −log of its tail by a distribution fitted to all arrangements (a Gumbel for a maximum, a
gamma for a sum), and the largest surprise is *the* statistic. The smallest of ten p-values that are
themselves ranks among 200 arrangements would be 1/200 in one arrangement of twenty.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import accumulate

import numpy as np

from deniable.base.arrays import Codes, Floats

BINARY_SIZE = 2

TIE = 1e-9
"""Relative difference of two statistics that rounding may explain."""

LEAST_TAIL = 1e-300


class Kind(IntEnum):
    """Kinds of contrasts, each judged by itself."""

    SINGLE = 0
    WITHIN = 1
    WITHIN_PRODUCT = 2
    ACROSS = 3
    ACROSS_PRODUCT = 4


@dataclass(frozen=True)
class Pair:
    """Two attributes; within: one random device disguised both, or none did."""

    a: str
    b: str
    within: bool

    @property
    def kinds(self) -> tuple[Kind, Kind]:
        """Of its patterns, and of its products."""
        if self.within:
            return Kind.WITHIN, Kind.WITHIN_PRODUCT
        return Kind.ACROSS, Kind.ACROSS_PRODUCT


@dataclass(frozen=True, eq=False)
class Associations:
    """What is looked at: attributes with their sizes, and pairs of them."""

    sizes: dict[str, int]
    pairs: tuple[Pair, ...]
    left_out: int = 0
    """Pairs that would have taken too long."""

    def kinds(self) -> Codes:
        """Kind of each contrast: those of the attributes in order, then those of the pairs."""
        found: list[int] = []
        for size in self.sizes.values():
            found += [Kind.SINGLE] * len(value_functions(size))
        for pair in self.pairs:
            a, b = self.sizes[pair.a], self.sizes[pair.b]
            pattern, product = pair.kinds
            found += [pattern] * (a * b)
            found += [product] * (len(centred_functions(a)) * len(centred_functions(b)))
        return np.array(found, dtype=np.int64)

    def starts(self) -> tuple[dict[str, int], list[int], int]:
        """Where the columns of attributes and of pairs begin, and how many there are."""
        own = [size - 1 for size in self.sizes.values()]
        both = [(self.sizes[p.a] - 1) * (self.sizes[p.b] - 1) for p in self.pairs]
        *places, end = accumulate([*own, *both], initial=0)
        names = dict(zip(self.sizes, places[: len(own)], strict=True))
        return names, places[len(own) :], end


def value_functions(size: int) -> Floats:
    """Indicators of an attribute's values; of two, one says all."""
    return np.eye(size)[1:] if size == BINARY_SIZE else np.eye(size)


def centred_functions(size: int) -> Floats:
    """The same, less what chance has if all values are alike."""
    return value_functions(size) - 1 / size


def pair_functions(a: int, b: int) -> Floats:
    """Patterns of a pair, then products, as functions of the joint pattern."""
    return np.concatenate([np.eye(a * b), np.kron(centred_functions(a), centred_functions(b))])


def statistics(squares: Floats, kinds: Codes) -> Floats:
    """The largest and the sum of z² ``[contrast, arrangement, class]``, for each kind there is."""
    largest, sums = squares.max(axis=2), squares.sum(axis=2)
    found = []
    for kind in np.unique(kinds):
        found += [largest[kinds == kind].max(axis=0), sums[kinds == kind].sum(axis=0)]
    return np.stack(found, axis=1)


def p_value(found: Floats) -> float:
    """Rank of the first arrangement, the one that happened, among all ``[arrangement, statistic]``.

    All arrangements are treated alike, so the level is exact whatever the fitted tails are worth.
    """
    surprise = np.max([_surprise(all_, place % 2 == 0) for place, all_ in enumerate(found.T)], 0)
    return float(np.mean(surprise >= surprise[0] - TIE * abs(surprise[0])))


def _surprise(values: Floats, is_largest: bool) -> Floats:
    """−log of the tail beyond each value."""
    from scipy.special import gammaincc  # slow to load, and only needed here

    mean, variance = values.mean(), values.var()
    if variance <= (TIE * mean) ** 2:
        return np.zeros(len(values))
    if is_largest:
        scale = np.sqrt(6 * variance) / np.pi
        tail = -np.expm1(-np.exp(-((values - mean) / scale + np.euler_gamma)))
    else:
        tail = gammaincc(mean**2 / variance, values * mean / variance)
    surprise: Floats = -np.log(np.maximum(tail, LEAST_TAIL))
    return surprise


def affordable(
    sizes: dict[str, int],
    pairs: Sequence[Pair],
    cost: Sequence[float] | Floats,
    budget: float,
    most: int,
    rng: np.random.Generator,
) -> Associations:
    """Choose the pairs that can be looked at: those of one device first, and the cheap ones.

    Among equals it is drawn which.
    """
    spent = np.asarray(cost, dtype=np.float64)
    across = np.array([not pair.within for pair in pairs], dtype=bool)
    order = rng.permutation(len(pairs))
    order = order[np.lexsort((spent[order], across[order]))]
    kept = order[: int(np.searchsorted(np.cumsum(spent[order]), budget, side="right"))][:most]
    chosen = tuple(pairs[place] for place in np.sort(kept))
    return Associations(sizes, chosen, len(pairs) - len(chosen))
