"""Drawing the counts of one step down towards what their parts make likely.

As much of a difference is believed as its kind's differences show (`believed`); a kind is a number
of other attributes, or parts, that the path names already. How far the part is trusted to tell
something new is learnt too, by likelihood: where what it tells was mostly told by the path before,
the level fits better with N₀ nearer to N(path ∧ c) · N(v | path), which tells nothing new.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deniable.base.arrays import Codes, Floats, added
from deniable.oracle.shrunk.adaptive_shrinkage import (
    LARGEST_FAMILY,
    Differences,
    LearntSizes,
    learnt,
)
from deniable.oracle.shrunk.group_counts import HARDLY

TRUST = (1.0, 0.75, 0.5, 0.25, 0.0)
"""How far a part may be trusted to tell something new; less is tried while it fits better."""

DISTRUST = 3.0
"""Log-likelihood that the level must gain for no trust at all, beside full trust."""


@dataclass(frozen=True)
class CellNoise:
    """What is taken for the noise of a count; see docs/decisions/0023."""

    sampling: float
    """Share of the noise of sampling that counts beside the disguise's."""

    floor: bool
    """Whether the disguise's is no less than the design gives to the count that is expected."""


NOISE_WITHIN = CellNoise(sampling=0.3, floor=False)
"""Of one group: how many reports can be of a cell's people is known, and where there are none,
nobody of these respondents is there."""

NOISE_ACROSS = CellNoise(sampling=0.1, floor=True)
"""Of several groups: few reports show the variance badly, and no report makes nobody certain."""


@dataclass(frozen=True, eq=False)
class Shrinkable:
    """Tables ``[pair, value, class]`` of some pairs of a node and an axis."""

    kind: Codes
    """Of each pair; kind 0 knows nothing but what is expected."""

    value: Floats
    """Unbiased counts."""

    variance: Floats
    """Of the disguise."""

    moment: Floats
    """E[w²] of whoever is counted."""

    expected: Floats
    above: Floats
    """The node's own counts ``[pair, class]``."""

    def flat(self, rows: Codes) -> tuple[Floats, ...]:
        """Value, variance, moment, and what is expected, with something new and with nothing."""
        expected = self.expected[rows]
        parts = self.value[rows], self.variance[rows], self.moment[rows], expected
        old = _nothing_new(expected, self.above[rows])
        return tuple(part.ravel() for part in (*parts, old))


def _nothing_new(expected: Floats, above: Floats) -> Floats:
    """What is expected if the value is as common in every class."""
    people = np.maximum(added(above, axis=1), HARDLY)
    common = added(expected, axis=2) / people[:, np.newaxis]
    found: Floats = above[:, np.newaxis] * common[:, :, np.newaxis]
    return found


def shrunk(tables: Sequence[Shrinkable], noise: CellNoise) -> list[Floats]:
    """Draw counts towards what is expected, kind by kind."""
    found = [table.expected.copy() for table in tables]
    most = max((int(table.kind.max(initial=0)) for table in tables), default=0)
    for kind in range(1, most + 1):
        chosen = [np.flatnonzero(table.kind == kind) for table in tables]
        if not any(map(len, chosen)):
            continue
        parts = [table.flat(rows) for table, rows in zip(tables, chosen, strict=True)]
        family = _Kind(noise, *map(_joined, zip(*parts, strict=True)))
        drawn = np.split(family.drawn(), np.cumsum([len(part[0]) for part in parts])[:-1])
        for table, rows, part in zip(found, chosen, drawn, strict=True):
            table[rows] = part.reshape(-1, *table.shape[1:])
    return [_possible(each, table.above) for each, table in zip(found, tables, strict=True)]


def _joined(parts: Sequence[Floats]) -> Floats:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


@dataclass(frozen=True, eq=False)
class _Kind:
    """All counts of one kind, flat."""

    noise: CellNoise
    value: Floats
    variance: Floats
    moment: Floats
    new: Floats
    """What is expected if the part is trusted."""

    old: Floats
    """What is expected if it tells nothing new."""

    def drawn(self) -> Floats:
        """Give what is believed."""
        trust, sizes = self._trust()
        towards = self._towards(trust)
        found = self._differences(towards)
        if not (found.variance > 0).all():
            sizes = learnt(found)  # of those that have noise, not of a part of all
        drawn = sizes.share(found)
        drawn *= found.difference
        drawn += towards
        return drawn

    def _trust(self) -> tuple[float, LearntSizes]:
        """How far the part is trusted: less and less, while that fits better."""
        step = -(-len(self.value) // LARGEST_FAMILY)
        few = slice(None, None, step)
        part = _Kind(
            self.noise, self.value[few], self.variance[few], self.moment[few], self.new[few],
            self.old[few],
        )  # fmt: skip
        tried: list[tuple[float, float, LearntSizes]] = []
        for trust in TRUST:
            sizes = learnt(part._differences(part._towards(trust)))
            score = step * sizes.likelihood - DISTRUST * (1 - trust)
            if tried and score <= tried[-1][0]:
                break
            tried.append((score, trust, sizes))
        return tried[-1][1:]

    def _towards(self, trust: float) -> Floats:
        if trust == 1:
            return self.new
        return trust * self.new + (1 - trust) * self.old

    def _differences(self, towards: Floats) -> Differences:
        least = towards * (self.moment - 1) if self.noise.floor else 0.0
        variance = np.maximum(self.variance, least)
        variance += self.noise.sampling * towards * ((self.moment > 1) | (variance > 0))
        return Differences(self.value - towards, variance, towards)


def _possible(table: Floats, total: Floats) -> Floats:
    """Leave nothing below 0, and each class as many people as it has above."""
    np.maximum(table, 0.0, out=table)
    whole = added(table, axis=1)
    some = whole > 0
    table /= np.where(some, whole, 1.0)[:, np.newaxis]
    if not some.all():
        table[np.broadcast_to(~some[:, np.newaxis], table.shape)] = 1 / table.shape[1]
    table *= total[:, np.newaxis]
    return table
