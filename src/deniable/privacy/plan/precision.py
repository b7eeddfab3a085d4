"""How precise a design will be: margins that are kept, power, and the respondents they take.

About the population. A cell's count is Σw over the reports, so everything follows from the moments
of w under the expected shares. Intervals are the oracle's own (`estimated`), put to the sums that
are expected, and then to those at the edge of what chance makes of them: a margin is promised only
if both hold in a share `level` of all surveys,

- the half-width of the interval that `deniable estimate --of population` prints is at most it;
- the estimate is within it of the true share.

Each cell is promised this by itself, not all of them at once.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from math import ceil, sqrt

import numpy as np

from deniable.base.arrays import Floats
from deniable.channel import Channel, Truthful
from deniable.channel.channel import patterns
from deniable.design import Group
from deniable.oracle.api import standard_errors
from deniable.oracle.randomized import estimated
from deniable.privacy.measures.single_answer import entry, entry_matrix
from deniable.privacy.measures.standard_error import (
    margin,
    share_variances,
    undone,
    weight_variance,
)
from deniable.privacy.population import Population

FEWEST_RESPONDENTS = 30
"""Respondents below which nothing is promised: shares of fewer people are hardly normal."""

MOST_RESPONDENTS = 10**9

SUMS = 3
"""The oracle's interval is made of Σw, Σw² and Σw³."""

PATH = np.linspace(-1, 1, 9)

NUDGE = 1e-4

MARGIN_ROUNDING = 1e-8
"""Relative difference below which two weights are the same."""


@dataclass(frozen=True, eq=False)
class Cells:
    """Cells of a joint table: how the weight w of a report, which counts for it, is distributed."""

    moments: Floats
    """``moments[k − 1, cell] = E[w^k]``, up to the sixth: sums of w³ vary by it.

    The first is the share itself.
    """

    second: Floats
    """``E[w² | the truth is in the cell]``."""

    step: Floats
    """By how much Σw jumps from one possible value to the next; 0 where it is all but smooth."""

    @classmethod
    def of(cls, parts: Sequence[Channel], shares: Floats) -> "Cells":
        """Take independent channels, and the true shares with an axis for the patterns of each.

        A report's weight is a product over the parts, so moments are taken axis by axis: the
        matrix of the whole report is never built.
        """
        sent = [part.matrix(range(len(part.sizes))) for part in parts]
        weights = [part.undo(np.eye(len(matrix))) for part, matrix in zip(parts, sent, strict=True)]
        table = shares.reshape([len(matrix) for matrix in sent])
        reports = _along(sent, table)
        powers, moments = weights, [_along(weights, reports).ravel()]
        for _ in range(1, 2 * SUMS):
            powers = [power * weight for power, weight in zip(powers, weights, strict=True)]
            moments.append(_along(powers, reports).ravel())
        seconds = [part.second_moment(patterns(part.sizes)) for part in parts]
        second = reduce(np.multiply.outer, seconds).ravel()
        step = _jumps(weights[0]) if len(weights) == 1 else np.zeros(len(second))
        return cls(np.stack(moments), second, step)

    @classmethod
    def joined(cls, parts: "Iterable[Cells]") -> "Cells":
        """Put cells of several tables in a row."""
        columns = zip(*((part.moments, part.second, part.step) for part in parts), strict=True)
        return cls(*(np.concatenate(column, axis=-1) for column in columns))

    @property
    def variance(self) -> Floats:
        """Of one respondent's w; the estimated share's is that over n."""
        return weight_variance(self.moments[0], self.moments[1])

    def margins(self, n: int, level: float) -> Floats:
        """Promise each cell's share to within this, with n respondents."""
        sd = np.sqrt(self.variance)
        # Half a jump more: as much as the normal curve may miss where Σw goes in jumps.
        error = margin(sd / sqrt(n), level) + self.step / (2 * n)
        reach = np.divide(error, sd, out=np.zeros_like(sd), where=sd > 0)
        return np.maximum(error, self._widest(n, level, reach))

    def margin(self, n: int, level: float) -> float:
        """Promise every cell's share to within this."""
        return float(self.margins(n, level).max())

    def _widest(self, n: int, level: float, reach: Floats) -> Floats:
        """The half-width of the interval, at the worst of what the reports are likely to be.

        The mean sums are moved by `reach` of their standard deviations, in the direction in which
        the half-width grows most. For two-valued w that is the reported share moving.
        """
        mean = self.moments[:SUMS]
        order = np.arange(SUMS)
        covariance = self.moments[order[:, None] + order + 1] - mean[:, None] * mean
        spread = np.sqrt(np.maximum(covariance[order, order], 0.0)) + 1e-300
        nudge = NUDGE * spread / sqrt(n)
        nudged = [mean + sign * nudge * (order == k)[:, None] for k in order for sign in (1, -1)]
        there = self._half_widths(np.stack(nudged), n, level)
        gradient = (there[0::2] - there[1::2]) / (2 * nudge)
        direction = np.einsum("klc,lc->kc", covariance, gradient)
        slope = np.sqrt(np.maximum((gradient * direction).sum(axis=0), 0.0))
        direction = np.divide(direction, slope, out=np.zeros_like(direction), where=slope > 0)
        path = mean + PATH[:, None, None] * reach * direction
        widest: Floats = self._half_widths(path, n, level).max(axis=0)
        return widest

    def _half_widths(self, means: Floats, n: int, level: float) -> Floats:
        """Of the oracle's intervals, for means ``[case, power, cell]`` of w, w² and w³."""
        cases, _, cells = means.shape
        sums = [n * means[:, power].ravel() for power in range(SUMS)]
        found = estimated(n, "population", sums, np.tile(self.second, cases))
        low, high = found.interval(level)
        return ((high - low) / (2 * n)).reshape(cases, cells)


def cells(groups: Sequence[Group], names: Sequence[str], population: Population) -> Cells:
    """Every cell of the joint table of some attributes; those in no group are public.

    Cells come in the order of `cell_names`.
    """
    shares = population.table(cell_names(groups, names))
    return Cells.of(_parts(groups, names, population), shares)


def largest_variance(group: Group, name: str, population: Population) -> float:
    """Of one respondent's w, over the values of an attribute: all that a quick look needs."""
    return float(share_variances(*undone(entry(group, name), population.table([name]))).max())


def cell_names(groups: Sequence[Group], names: Sequence[str]) -> list[str]:
    """The attributes of a joint table in the order of its axes: group by group, then public."""
    grouped = [name for group in groups for name in group.names if name in names]
    return grouped + [name for name in names if name not in grouped]


def _parts(groups: Sequence[Group], names: Sequence[str], population: Population) -> list[Channel]:
    parts = [
        group.channel.marginal(places)
        for group in groups
        if (places := [place for place, name in enumerate(group.names) if name in names])
    ]
    hidden = {name for group in groups for name in group.names}
    public = [Truthful((population.schema[name].size,)) for name in names if name not in hidden]
    return [*parts, *public]


def _along(matrices: Sequence[Floats], table: Floats) -> Floats:
    """Apply a matrix along each axis."""
    for axis, matrix in enumerate(matrices):
        table = np.moveaxis(np.tensordot(matrix, table, (1, axis)), 0, axis)
    return table


def _jumps(undone: Floats) -> Floats:
    """The gap between the two values of w, cell by cell; 0 where there are more."""
    low, high = undone.min(axis=1, keepdims=True), undone.max(axis=1, keepdims=True)
    nearly = MARGIN_ROUNDING * np.maximum(abs(low), abs(high))
    two_valued = ((undone <= low + nearly) | (undone >= high - nearly)).all(axis=1)
    return np.where(two_valued, (high - low)[:, 0], 0.0)


@dataclass(frozen=True)
class ShareTest:
    """A two-sided test that a yes/no share is another than expected.

    It rejects where the interval at `level` does not hold that other share. The number of reported
    yeses is binomial, and the interval is Wilson's, so that is where they are more than
    ``z·√(n·p·(1−p))`` from their mean n·p under the other share.
    """

    reported: float
    """Share of reports that say yes, as expected."""

    otherwise: float
    """The same if the share were the other one."""

    def power(self, n: int, level: float) -> float:
        """Chance, at least, that n respondents or more reject it on the side of the truth.

        From the binomial distribution. The edge falls between two counts, and wanders with n; one
        count less is taken, so that power is promised to larger surveys, too.
        """
        from scipy.special import betainc  # slow to load, and only needed here

        p, other = self.reported, self.otherwise
        if p < other:
            p, other = 1 - p, 1 - other
        edge = n * other + standard_errors(level) * sqrt(n * other * (1 - other))
        return float(betainc(edge + 1, n - edge, p)) if edge < n else 0.0


def share_test(group: Group, name: str, population: Population, against: float) -> ShareTest:
    """Test the share of the last value of a yes/no attribute."""
    share = float(population.table([name])[1])
    says_yes = entry_matrix(group, name)[1]
    return ShareTest(*(float(says_yes @ [1 - p, p]) for p in (share, against)))


def fewest(kept: Callable[[int], bool], start: float = FEWEST_RESPONDENTS) -> int | None:
    """Find the fewest respondents who keep a promise that more of them keep, too.

    `start` is a number known to be too small, or a guess; None where a billion are not enough.
    """
    low, high = FEWEST_RESPONDENTS - 1, max(ceil(start), FEWEST_RESPONDENTS)
    while not kept(high):
        if high > MOST_RESPONDENTS:
            return None
        low, high = high, ceil(high * 1.1) + 1
    return first(low + 1, high, kept)


def first(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """Find the first number from low on that holds, as all after it do; high if there is none."""
    return low + bisect_left(range(low, high), True, key=holds)
