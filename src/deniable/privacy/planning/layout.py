"""Which attributes share a device, and how strong a signal the limits allow."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice, pairwise, product
from math import fsum, inf

import numpy as np

from deniable.design import Group
from deniable.privacy.entry import epsilon
from deniable.privacy.planning.families import Family
from deniable.privacy.planning.wish import Limits
from deniable.privacy.population import Population
from deniable.schema import Attribute

GRID = 10**6
WEAKEST, STRONGEST = 100, 998_000
"""Signals out of GRID: below, no survey is large enough; above, nothing is disguised."""

MOST_PARTITIONS = 64

ROUNDING = 1e-12

Parts = tuple[tuple[Attribute, ...], ...]


@dataclass(frozen=True)
class Privacy:
    """What a design gives away at most; see `deniable.privacy.planning.wish`."""

    epsilon: float
    """Of the whole report."""

    guess: float
    pse: float

    largest: float
    """The largest ε of a single group."""

    def within(self, limits: Limits) -> bool:
        """Whether all limits hold."""
        mine = self.epsilon if limits.per == "record" else self.largest
        return (
            (limits.epsilon is None or mine <= limits.epsilon * (1 + ROUNDING))
            and (limits.guess is None or self.guess <= limits.guess + ROUNDING)
            and (limits.pse is None or self.pse >= limits.pse - ROUNDING)
        )


def privacy(groups: Sequence[Group], population: Population) -> Privacy:
    """Measure a design, group by group."""
    each = [epsilon(group.channel) for group in groups]
    read = [_read(group, name, population) for group in groups for name in group.names]
    return Privacy(
        inf if inf in each else fsum(each),
        max(guess for guess, _ in read),
        min(pse for _, pse in read),
        max(each),
    )


def _read(group: Group, name: str, population: Population) -> tuple[float, float]:
    """One attribute, read from its group's report: the best guess, and PSE(PRE)."""
    truths = population.table(group.names)
    place, size = group.names.index(name), truths.shape[group.names.index(name)]
    chosen = np.eye(size).reshape(size, *(1,) * place, size, *(1,) * (truths.ndim - place - 1))
    joint = group.channel.send((chosen * truths).reshape(size, -1).T).T  # [value, report]
    reports = joint.sum(axis=0)
    squares = np.divide((joint**2).sum(axis=0), reports, where=reports > 0, out=0 * reports)
    return float(joint.max(axis=0).sum()), float(1 - squares.sum())


@dataclass(frozen=True)
class Layout:
    """Groups, and the family that disguises them.

    A family for yes/no questions leaves the others to keep-or-uniform.
    """

    family: Family
    parts: Parts

    def groups(self, signals: Sequence[int]) -> tuple[Group, ...]:
        """Build the groups for given signals."""
        return tuple(
            self._group(part, signal) for part, signal in zip(self.parts, signals, strict=True)
        )

    def _group(self, part: tuple[Attribute, ...], signal: int) -> Group:
        family = self._for(part)
        return family.group(part, family.theta(Fraction(signal, GRID), part))

    def _for(self, part: tuple[Attribute, ...]) -> Family:
        return self.family if self.family.suits(part) else Family("keep-or-uniform")

    def theta(self, place: int, signal: int) -> Fraction:
        """The θ of one group."""
        part = self.parts[place]
        return self._for(part).theta(Fraction(signal, GRID), part)

    def strongest(self, limits: Limits, population: Population) -> set[tuple[int, ...]]:
        """Find the strongest signals within the limits; empty where there are none.

        ε of a record is shared out in two ways: evenly over the groups, and so that all signals
        are the same, which gives more of it to groups of many patterns.
        """
        budget = limits.epsilon if limits.per == "record" else None
        alone = replace(limits, per="attribute", epsilon=None if budget else limits.epsilon)
        highest = self._each_within(alone, population)
        if highest is None or budget is None:
            return set() if highest is None else {highest}
        even = self._each_within(replace(alone, epsilon=budget / len(self.parts)), population)

        def alike(signal: int) -> tuple[int, ...]:
            return tuple(min(signal, most) for most in highest)

        def kept(signal: int) -> bool:
            spent = (epsilon(group.channel) for group in self.groups(alike(signal)))
            return fsum(spent) <= budget

        found = set() if even is None else {even}
        return found | {alike(_highest(kept))} if kept(WEAKEST) else found

    def _each_within(self, limits: Limits, population: Population) -> tuple[int, ...] | None:
        """Find each group's strongest signal, by itself."""

        def kept(part: tuple[Attribute, ...]) -> Callable[[int], bool]:
            return lambda signal: privacy([self._group(part, signal)], population).within(limits)

        if not all(kept(part)(WEAKEST) for part in self.parts):
            return None
        return tuple(_highest(kept(part)) for part in self.parts)


def _highest(kept: Callable[[int], bool]) -> int:
    """Bisect: a signal that is private enough makes every weaker one so."""
    low, high = WEAKEST, STRONGEST + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if kept(middle) else (low, middle)
    return low


def partitions(
    attributes: Sequence[Attribute], together: Sequence[Sequence[str]]
) -> Iterator[Parts]:
    """Ways to group attributes: all alone first; those mined together also in fewer groups.

    Sets that share an attribute are one. A set of m is cut into m, m − 1, …, 1 groups of nearly the
    same size, in the order of the attributes.
    """
    sets = _merged([set(names) for names in together])
    pools = [[a for a in attributes if a.name in names] for names in sets]
    alone = [a for a in attributes if not any(a in pool for pool in pools)]
    choices = [[_cut(pool, many) for many in range(len(pool), 0, -1)] for pool in pools if pool]
    for chosen in islice(product(*choices), MOST_PARTITIONS):
        parts = [part for cut in chosen for part in cut] + [(a,) for a in alone]
        yield tuple(sorted(parts, key=lambda part: attributes.index(part[0])))


def _merged(sets: Sequence[set[str]]) -> list[set[str]]:
    found: list[set[str]] = []
    for names in sets:
        apart = [other for other in found if other.isdisjoint(names)]
        touching = [other for other in found if not other.isdisjoint(names)]
        found = [*apart, names.union(*touching)]
    return found


def _cut(pool: Sequence[Attribute], many: int) -> Parts:
    bounds = np.linspace(0, len(pool), many + 1).round().astype(int).tolist()
    return tuple(tuple(pool[a:b]) for a, b in pairwise(bounds))
