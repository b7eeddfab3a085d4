"""Drawing the counts of one step down towards what their parts make likely.

As much of a difference is believed as its kind's differences show (`believed`); a kind is a number
of other attributes, or parts, that the path names already. How far the part is trusted to tell
something new is learnt too, by likelihood: where what it tells was mostly told by the path before,
the level fits better with N₀ nearer to N(path ∧ c) · N(v | path), which tells nothing new.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.oracle.shrunk.adaptive_shrinkage import LARGEST_FAMILY, Believed, believed
from deniable.oracle.shrunk.group_counts import HARDLY

TRUST = (1.0, 0.75, 0.5, 0.25, 0.0)
"""How far a part may be trusted to tell something new; less is tried while it fits better."""

DISTRUST = 3.0
"""Log-likelihood that the level must gain for no trust at all, beside full trust."""


@dataclass(frozen=True)
class Noise:
    """What is taken for the noise of a count; see docs/decisions/0023."""

    sampling: float
    """Share of the noise of sampling that counts beside the disguise's."""

    floor: bool
    """Whether the disguise's is no less than the design gives to the count that is expected."""


WITHIN = Noise(sampling=0.3, floor=False)
"""Of one group: how many reports can be of a cell's people is known, and where there are none,
nobody of these respondents is there."""

ACROSS = Noise(sampling=0.1, floor=True)
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


def shrunk(tables: Sequence[Shrinkable], noise: Noise) -> list[Floats]:
    """Draw counts towards what is expected, kind by kind."""
    found = [table.expected.copy() for table in tables]
    kinds = np.unique(np.concatenate([np.zeros(1, dtype=np.int64), *(t.kind for t in tables)]))
    for kind in kinds[1:]:
        chosen = [np.flatnonzero(table.kind == kind) for table in tables]
        family = _Family(
            noise,
            *(
                np.concatenate(
                    [part[rows].ravel() for part, rows in zip(all_, chosen, strict=True)]
                )
                for all_ in zip(*map(_parts, tables), strict=True)
            ),
        )
        drawn = family.drawn()
        start = 0
        for table, rows in zip(found, chosen, strict=True):
            size = table[rows].size
            table[rows] = drawn[start : start + size].reshape(table[rows].shape)
            start += size
    return [_possible(each, table.above) for each, table in zip(found, tables, strict=True)]


def _parts(table: Shrinkable) -> tuple[Floats, ...]:
    """What a family is made of, in its order."""
    old = _nothing_new(table.expected, table.above)
    return table.value, table.variance, table.moment, table.expected, old


@dataclass(frozen=True, eq=False)
class _Family:
    """All counts of one kind, flat."""

    noise: Noise
    value: Floats
    variance: Floats
    moment: Floats
    new: Floats
    """What is expected if the part is trusted."""

    old: Floats
    """What is expected if it tells nothing new."""

    def drawn(self) -> Floats:
        """Give what is believed."""
        trust = self._trust()
        towards = self._towards(trust)
        drawn: Floats = towards + self._told(towards).share * (self.value - towards)
        return drawn

    def _trust(self) -> float:
        """How far the part is trusted: less and less, while that fits better."""
        step = -(-len(self.value) // LARGEST_FAMILY)
        few = slice(None, None, step)
        part = _Family(
            self.noise, self.value[few], self.variance[few], self.moment[few], self.new[few],
            self.old[few],
        )  # fmt: skip
        best, chosen = -np.inf, 1.0
        for trust in TRUST:
            score = step * part._told(part._towards(trust)).likelihood - DISTRUST * (1 - trust)
            if score <= best:
                break
            best, chosen = score, trust
        return chosen

    def _towards(self, trust: float) -> Floats:
        return trust * self.new + (1 - trust) * self.old

    def _told(self, towards: Floats) -> Believed:
        disguised = self.moment > 1
        least = towards * (self.moment - 1) if self.noise.floor else 0.0
        variance = np.maximum(self.variance, least)
        variance += self.noise.sampling * towards * (disguised | (variance > 0))
        return believed(self.value - towards, variance, towards)


def _nothing_new(expected: Floats, above: Floats) -> Floats:
    """What is expected if the value is as common in every class."""
    people = np.maximum(above.sum(axis=1), HARDLY)
    common = expected.sum(axis=2, keepdims=True) / people[:, np.newaxis, np.newaxis]
    found: Floats = above[:, np.newaxis] * common
    return found


def _possible(table: Floats, total: Floats) -> Floats:
    """Leave nothing below 0, and each class as many people as it has above."""
    table = np.maximum(table, 0.0)
    whole = table.sum(axis=1, keepdims=True)
    some = whole > 0
    shares = np.where(some, table / np.where(some, whole, 1.0), 1 / table.shape[1])
    found: Floats = shares * total[:, np.newaxis]
    return found
