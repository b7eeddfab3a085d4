"""Guessing in a group with more patterns than can be weighed.

The attacker takes the group's attributes for independent, with the shares that each reports on its
own, and weighs the report itself against what it may have been turned from. A report of a yes/no
related group can hide only its opposite: how often both were seen counts as well.
"""

from collections.abc import Mapping
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from deniable.channel import Related
from deniable.design import Group
from deniable.engine.records import Records

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]

LEAST_SHARE = 0.01
"""Of the even share: no value is ruled out by noise."""

SURE = 0.2
"""Standard error of a pattern's share within a pair of opposites, below which the pair decides."""

TINY = 1e-300


class LargeGroup:
    """Guesses of one group's attributes, for each of some reports."""

    def __init__(self, group: Group, reports: Records, known: Mapping[str, int]) -> None:
        self.groups = (group,)
        columns = [reports.columns[reports.schema.position(name)] for name in group.names]
        self._codes = np.stack(columns, axis=1).astype(np.int64)
        self._shares = [
            _shares(group, place, codes, known.get(name))
            for place, (name, codes) in enumerate(zip(group.names, self._codes.T, strict=True))
        ]
        self._turned = isinstance(group.channel, Related)
        chance = group.channel.chance
        other = chance(self._codes, (self._codes + 1) % np.array(group.channel.sizes))
        self._other: Floats = other
        """Chance of the report under a truth that it was turned from, or that was replaced."""
        self._kept: Floats = chance(self._codes, self._codes) * _product(
            [shares[codes] for shares, codes in zip(self._shares, self._codes.T, strict=True)]
        )
        self._elsewhere = [
            _likeliest(shares, codes, but=self._turned)
            for shares, codes in zip(self._shares, self._codes.T, strict=True)
        ]
        if self._turned and set(group.channel.sizes) == {2}:
            self._count_opposites(float(group.channel.matrix([0])[0, 0]))

    def record(self) -> dict[str, Codes]:
        """Guess the whole pattern."""
        best = self._other * _product([share for _, share in self._elsewhere])
        guesses = [
            np.where(self._kept >= best, codes, place)
            for codes, (place, _) in zip(self._codes.T, self._elsewhere, strict=True)
        ]
        return dict(zip(self.groups[0].names, guesses, strict=True))

    def group(self, group: Group) -> dict[str, Codes]:
        """Guess the whole pattern: there is one group only."""
        return self.record()

    def attribute(self, name: str) -> Codes:
        """Guess one attribute."""
        own = self.groups[0].names.index(name)
        codes, (place, share) = self._codes[:, own], self._elsewhere[own]
        shares = self._shares[own]
        if self._turned:
            rest = [1 - s[c] for s, c in zip(self._shares, self._codes.T, strict=True)]
            rest[own] = share
            kept, best = self._kept, self._other * _product(rest)
        else:
            # Also a replaced report may agree with the truth.
            kept, best = self._kept + self._other * shares[codes], self._other * share
        guess: Codes = np.where(kept >= best, codes, place)
        return guess

    def _count_opposites(self, theta: float) -> None:
        """Let what was seen of each report and of its opposite speak beside the shares.

        Where many were seen, their numbers say how common both patterns are. Few say only which of
        the two is the likelier, if all of them hide the same one.
        """
        flipped = self._codes[:, 0] == 1
        oriented = np.where(flipped[:, None], 1 - self._codes, self._codes)
        _, pair = np.unique(oriented, axis=0, return_inverse=True)
        pair = pair.ravel()
        one, other = (np.bincount(pair, side)[pair] for side in (~flipped, flipped))
        mine, theirs = np.where(flipped, other, one), np.where(flipped, one, other)
        undone = (theta * mine - (1 - theta) * theirs) / (2 * theta - 1)
        common = np.clip(undone / (mine + theirs), 0, 1)
        opposite = _product([share for _, share in self._elsewhere])
        own = self._kept / theta if theta > 0 else opposite
        odds = np.log(np.maximum(own, TINY)) - np.log(np.maximum(opposite, TINY))
        if 0 < theta < 1:
            odds += (mine - theirs) * np.log(theta / (1 - theta))
        error = np.sqrt(theta * (1 - theta) / (mine + theirs)) / abs(2 * theta - 1)
        likely = np.where(error < SURE, common, odds >= 0)
        # A known value rules patterns out, whatever was seen.
        likely = np.where(own <= 0, 0.0, np.where(opposite <= 0, 1.0, likely))
        sure = error < SURE
        self._kept = np.where(sure, theta, 1.0) * likely
        turned = np.where(sure, 1 - theta, 1.0) * (1 - likely)
        self._other = np.divide(turned, opposite, out=np.zeros_like(turned), where=opposite > 0)


def _shares(group: Group, place: int, reports: Codes, known: int | None) -> Floats:
    """One attribute's shares, by its own reports; all of it where the value is known."""
    size = group.channel.sizes[place]
    if known is not None:
        certain: Floats = np.eye(size)[known]
        return certain
    counts = np.bincount(reports, minlength=size).astype(np.float64)
    undone = group.channel.marginal([place]).undo(counts[:, None])[:, 0]
    kept = np.maximum(undone / len(reports), LEAST_SHARE / size)
    shares: Floats = kept / kept.sum()
    return shares


def _likeliest(shares: Floats, reports: Codes, *, but: bool) -> tuple[Codes, Floats]:
    """The commonest value for each report, other than the reported one if it was turned."""
    order = np.argsort(-shares, kind="stable")
    if not but or len(order) == 1:
        place = np.full(len(reports), order[0])
    else:
        place = np.where(reports == order[0], order[1], order[0])
    return place, shares[place]


def _product(factors: list[Floats]) -> Floats:
    product: Floats = reduce(np.multiply, factors)
    return product
