"""How precise a design will be: margins that are kept, power, and the respondents they take.

About the population. A cell's count is Σw over the reports, so everything follows from the moments
of w under the expected shares. Intervals are the oracle's own (`estimated`), put to the sums that
are expected, and then to those at the edge of what chance makes of them: a margin is promised only
if both hold in a share `level` of all surveys,

- the half-width of the interval that `deniable estimate --of population` prints is at most it;
- the estimate is within it of the true share.

Each cell is promised this by itself, not all of them at once.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from deniable.channel import Channel, Truthful
from deniable.design import Group
from deniable.oracle.randomized import estimated
from deniable.privacy.population import Population

Floats = NDArray[np.float64]

FEWEST = 30
"""Respondents below which nothing is promised: shares of fewer people are hardly normal."""

MOST = 10**9

SUMS = 3
"""The oracle's interval is made of Σw, Σw² and Σw³."""

PATH = np.linspace(-1, 1, 9)

NUDGE = 1e-4


@dataclass(frozen=True, eq=False)
class Cells:
    """Cells of a joint table: their shares, and how the weight w of a report is distributed."""

    shares: Floats
    moments: Floats
    """``moments[k − 1, cell] = E[w^k]``, up to the sixth: sums of w³ vary by it."""

    second: Floats
    """``E[w² | the truth is in the cell]``."""

    step: Floats
    """By how much Σw jumps from one possible value to the next; 0 where it is all but smooth."""

    @classmethod
    def of(cls, channel: Floats, undone: Floats, shares: Floats) -> "Cells":
        """Take a channel ``C[report, truth]``, the weights ``w[cell, report]``, and the truth."""
        reports = channel @ shares
        moments = np.stack([undone**k @ reports for k in range(1, 2 * SUMS + 1)])
        second = np.einsum("re,er->e", channel, undone**2)
        low, high = undone.min(axis=1, keepdims=True), undone.max(axis=1, keepdims=True)
        two_valued = (np.isclose(undone, low) | np.isclose(undone, high)).all(axis=1)
        step = np.where(two_valued, (high - low)[:, 0], 0.0)
        return cls(moments[0], moments, second, step)

    @classmethod
    def joined(cls, parts: "Iterable[Cells]") -> "Cells":
        """Put cells of several tables in a row."""
        every = list(parts)
        return cls(
            np.concatenate([part.shares for part in every]),
            np.concatenate([part.moments for part in every], axis=1),
            np.concatenate([part.second for part in every]),
            np.concatenate([part.step for part in every]),
        )

    @property
    def variance(self) -> Floats:
        """Of one respondent's w; the estimated share's is that over n."""
        variance: Floats = np.maximum(self.moments[1] - self.moments[0] ** 2, 0.0)
        return variance

    def margins(self, n: int, level: float) -> Floats:
        """Promise each cell's share to within this, with n respondents."""
        sd = np.sqrt(self.variance)
        # Half a jump more: as much as the normal curve may miss where Σw goes in jumps.
        error = quantile(level) * sd / sqrt(n) + self.step / (2 * n)
        reach = np.divide(error, sd, out=np.zeros_like(sd), where=sd > 0)
        return np.maximum(error, self._widest(n, level, reach))

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
    parts = _parts(groups, names, population)
    channel = _kron(part.matrix(range(len(part.sizes))) for part in parts)
    undone = _kron(part.undo(np.eye(int(np.prod(part.sizes)))) for part in parts)
    shares = population.table(cell_names(groups, names)).ravel()
    return Cells.of(channel, undone, shares)


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


def _kron(matrices: Iterable[Floats]) -> Floats:
    whole: Floats = np.ones((1, 1))
    for matrix in matrices:
        whole = np.kron(whole, matrix).astype(np.float64)
    return whole


@dataclass(frozen=True)
class Test:
    """A two-sided test that a share is `against`, where it is expected to be `share`.

    It rejects where the interval at `level` does not hold `against`.
    """

    share: float
    against: float
    sd: float
    """Of one respondent's w as expected."""

    sd_against: float
    """The same if the share were `against`."""

    def power(self, n: int, level: float) -> float:
        """Chance that the test rejects."""
        normal, z = NormalDist(), quantile(level)
        gap, error = abs(self.share - self.against), self.sd / sqrt(n)
        edge = z * self.sd_against / sqrt(n)
        if error == 0:
            return float(gap > edge)
        return normal.cdf((gap - edge) / error) + normal.cdf((-gap - edge) / error)


def share_test(group: Group, name: str, population: Population, against: float) -> Test:
    """Test the share of the last value of a yes/no attribute."""
    share = float(population.table([name])[1])
    place = group.names.index(name)
    channel = group.channel.marginal([place])
    matrix, undone = channel.matrix([0]), channel.undo(np.eye(2))
    expected, other = (
        Cells.of(matrix, undone, np.array([1 - p, p])).variance[1] for p in (share, against)
    )
    return Test(share, against, sqrt(expected), sqrt(other))


def fewest(kept: Callable[[int], bool], start: float = FEWEST) -> int | None:
    """Find the fewest respondents who keep a promise that more of them keep, too.

    `start` is a number known to be too small, or a guess; None where a billion are not enough.
    """
    low, high = FEWEST - 1, max(ceil(start), FEWEST)
    while not kept(high):
        if high > MOST:
            return None
        low, high = high, ceil(high * 1.1) + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if kept(middle) else (middle, high)
    return high


def quantile(level: float) -> float:
    """Standard errors to either side that hold a share `level` of all surveys."""
    return NormalDist().inv_cdf((1 + level) / 2)
