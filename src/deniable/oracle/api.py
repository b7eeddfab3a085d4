"""What every oracle answers: estimated counts, always with their uncertainty.

Two different questions, and an answer says which:

- ``sample``: how many of *these respondents* satisfy the expression. Only the disguise is random;
  with no disguise the answer is exact and its standard error 0. Var ≈ Σw² − N̂.
- ``population``: the same for the population they are an independent sample of, scaled to n. Both
  the disguise and the sampling are random. Var ≈ Σw² − N̂²/n.

Values are unbiased. They may be negative or exceed n, and are not clipped: clipping would bias
every sum and every test made of them.

Every oracle counts (`CountOracle`). What else some can do are protocols too, so that a miner asks
by `isinstance` whether this one can: `TotalOracle`, `Covarying`, `Grouped`, `Designed`,
`SeveralSamples`, `Descending`, `Divisible`, `Permutable`, `Reporting`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal, Protocol, TypeGuard, get_args, runtime_checkable

import numpy as np

from deniable.base.arrays import AnyCodes, Codes, Floats, Mask
from deniable.base.errors import EstimateError, nearest
from deniable.base.wording import decimal, plus_minus
from deniable.expression import Expression, Family
from deniable.schema import Schema

Target = Literal["sample", "population"]


def standard_errors(level: float) -> float:
    """How many, to either side, hold a share `level` of all estimates: 1.96 for 0.95."""
    return NormalDist().inv_cdf((1 + level) / 2)


@dataclass(frozen=True, eq=False)
class Estimates:
    """Counts out of n, with variances, in the order they were asked for.

    The variance belongs to the count itself: ``variance + tilt·d − bend·d²`` is the variance if the
    true count were ``value + d``. That makes the intervals score intervals (Wilson's, for a single
    proportion), which keep their coverage at small shares where value ± z·s.e. does not.
    """

    n: int
    of: Target
    value: Floats
    variance: Floats
    tilt: Floats
    bend: Floats
    one: Floats | None = None
    """What one person adds to the variance, where several devices are multiplied.

    Of a population that hardly anybody is expected of, one person may have come by chance, and as
    long as nobody came the errors seen are too small: nobody is not contradicted by a count that
    this one person's error explains. 0 where the errors seen are enough, as for a single device.
    """

    def __len__(self) -> int:
        return len(self.value)

    def __str__(self) -> str:
        low, high = self.interval()
        columns = zip(self.value, self.std_error, low, high, strict=True)
        return "\n".join(
            f"{plus_minus(value, error, 1)} of {self.n:,} (95 %: {decimal(a)} to {decimal(b)})"
            for value, error, a, b in columns
        )

    @property
    def share(self) -> Floats:
        """Counts over n."""
        return self.value / self.n

    @property
    def std_error(self) -> Floats:
        """Standard errors of the counts; 0 where a count is exact."""
        return np.sqrt(np.maximum(self.variance, 0.0))

    def interval(self, level: float = 0.95) -> tuple[Floats, Floats]:
        """Bounds of the counts that the reports do not contradict, at a confidence level.

        They solve (N̂ − N)² = z²·Var(N). Not clipped: a bound may lie below 0 or above n.
        """
        if not 0 < level < 1 or (1 + level) / 2 == 1:
            raise EstimateError(
                f"level = {level} is not a confidence level.", hint="Use one such as 0.95."
            )
        z2 = standard_errors(level) ** 2
        lead = 1 + z2 * self.bend
        middle = z2 * self.tilt / 2
        root = np.sqrt(middle**2 + lead * z2 * np.maximum(self.variance, 0.0))
        low, high = self.value + (middle - root) / lead, self.value + (middle + root) / lead
        if self.one is None:
            return low, high
        explained = (self.value > 0) & (self.value**2 <= z2 * self.one)
        return np.where(explained, np.minimum(low, 0.0), low), high

    @classmethod
    def pooled(
        cls, parts: Iterable["Estimates"], weights: Sequence[tuple[float, float]] = ()
    ) -> "Estimates":
        """Add up the estimates of independent sites.

        Where weights are given: each site's is its factor in the sum, and what one more in the sum
        does to its own count. A change of the total falls on each site in proportion to its size.
        """
        sites = list(parts)
        n = sum(site.n for site in sites)
        of_sites = [
            (factor, effect * site.n / n, site)
            for site, (factor, effect) in zip(sites, weights or [(1, 1)] * len(sites), strict=True)
        ]
        ones = [factor**2 * site.one for factor, _, site in of_sites if site.one is not None]
        return cls(
            n,
            sites[0].of,
            np.sum([factor * site.value for factor, _, site in of_sites], axis=0),
            np.sum([factor**2 * site.variance for factor, _, site in of_sites], axis=0),
            np.sum([factor**2 * moved * site.tilt for factor, moved, site in of_sites], axis=0),
            np.sum([factor**2 * moved**2 * site.bend for factor, moved, site in of_sites], axis=0),
            np.max(ones, axis=0) if len(ones) == len(sites) else None,
        )


@dataclass(frozen=True, eq=False)
class Totals:
    """Totals of functions of the record, and the covariance matrix of their errors."""

    n: int
    of: Target
    value: Floats
    covariance: Floats

    @property
    def std_error(self) -> Floats:
        """Standard errors of the totals; 0 where a total is exact."""
        return np.sqrt(np.maximum(np.diagonal(self.covariance), 0.0))


Function = Callable[[Codes], Floats]
"""Takes codes ``[record, column]``, gives values ``[record, function]``."""


@runtime_checkable
class CountOracle(Protocol):
    """Counts conjunctions; all that a miner knows of its data.

    An oracle may refuse to release a count, by a policy of who holds the data: its value is NaN
    then, and a miner goes on without whatever would rest on it.
    """

    @property
    def schema(self) -> Schema:
        """The attributes that can be asked about."""

    @property
    def n(self) -> int:
        """How many records there are."""

    def count(
        self, expressions: Iterable[Expression] | Family, *, of: Target = "sample"
    ) -> Estimates:
        """Count whole families of expressions at once."""


@runtime_checkable
class TotalOracle(CountOracle, Protocol):
    """An oracle that can also add up any function of the record, not only count conjunctions."""

    def total(self, columns: Sequence[str], function: Function, *, of: Target = "sample") -> Totals:
        """Add up functions of the true records, which depend on the given columns only."""


@runtime_checkable
class Grouped(CountOracle, Protocol):
    """An oracle that knows which attributes one device disguised together."""

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """Attributes that one device disguised together; all others are public."""


@runtime_checkable
class Designed(Grouped, Protocol):
    """An oracle that knows how its records were disguised."""

    def second_moment(self, family: Family) -> Floats:
        """Give what a record that satisfies E adds to Σw², on average: 1 without a disguise."""


@runtime_checkable
class Covarying(CountOracle, Protocol):
    """An oracle that knows by itself how the errors of counts go together."""

    def covariance(self, family: Family, *, of: Target = "sample") -> Floats:
        """Give the covariance matrix of the errors of the counts."""


@runtime_checkable
class SeveralSamples(TotalOracle, Protocol):
    """An oracle of several samples that tell something only together, of the population."""

    @property
    def samples(self) -> Sequence[CountOracle]:
        """What each of them is."""

    def together(self, columns: Sequence[str]) -> TotalOracle:
        """Weigh the samples alike, as these columns need it, for whatever is asked."""


def noise_target(oracle: CountOracle) -> Target:
    """What counts can be about if only noise is to be told from them: the respondents, mostly."""
    return "population" if isinstance(oracle, SeveralSamples) else "sample"


def weighed(oracle: TotalOracle, columns: Sequence[str]) -> TotalOracle:
    """Give an oracle whose counts and totals of any of the columns are of one weighting."""
    return oracle.together(columns) if isinstance(oracle, SeveralSamples) else oracle


Wanted = Mask
"""``[node, axis]``: which pairs are asked about."""


@dataclass(frozen=True, eq=False)
class Crossing:
    """Tables of some nodes by some axes of one size, and the target: ``value[pair, v, class]``."""

    node: Codes
    axis: Codes
    value: Floats


class Frontier(Protocol):
    """The open nodes of one level, numbered from 0."""

    def classes(self) -> tuple[Floats, Floats]:
        """Count the target's values at every node: counts and their variances ``[node, class]``."""

    def tables(self, wanted: Wanted) -> list[Crossing]:
        """Count by an axis' values and the target's, for each pair that ``wanted[node, axis]``."""

    def variances(self, wanted: Wanted) -> list[Floats]:
        """Give the variances of the counts in `tables`, in the same order: those `count` gives."""

    def split(self, choice: Codes) -> "Frontier":
        """Split each node by the axis chosen for it, or close it; children in order of values."""


class Branching(Frontier, Protocol):
    """A frontier whose nodes can be split by several axes each."""

    def branch(self, nodes: Codes, choice: Codes) -> "Branching":
        """Split some nodes, in rising order, one as often as it is named; who is to STAY is."""


@runtime_checkable
class Shrinking(Protocol):
    """A frontier whose counts are for deciding, and which knows the unbiased ones."""

    def unbiased(self) -> Floats:
        """Give the counts ``[node, class]`` that `count` gives."""


@runtime_checkable
class Descending(Protocol):
    """An oracle with a frontier of its own."""

    def descend(self, target: str, axes: Sequence[str]) -> Frontier:
        """Begin at the root: a single node that holds every record."""


@runtime_checkable
class Divisible(CountOracle, Protocol):
    """An oracle whose reports can be divided at random, for cross-validation and bagging."""

    @property
    def divides(self) -> bool:
        """Whether it can: not where many reports stay in a database."""

    def folds(
        self, many: int, rng: np.random.Generator
    ) -> Sequence[tuple[CountOracle, CountOracle]]:
        """Deal the reports into folds; give for each all the others, and itself."""

    def resampled(self, many: int, rng: np.random.Generator) -> Sequence[CountOracle]:
        """Draw as many reports, with replacement, so many times."""


def divisible(oracle: CountOracle) -> TypeGuard[Divisible]:
    """Whether an oracle's reports can be dealt out here."""
    return isinstance(oracle, Divisible) and oracle.divides


@dataclass(frozen=True, eq=False)
class Stratum:
    """Distinct reports of one site, by what they say of a target: what can be permuted.

    Disguises of different groups are independent. So if nothing predicts the target, and none of
    the others shares its group, any report about it could have come with any of the other reports.
    """

    columns: Mapping[str, AnyCodes]
    """The reported code of each feature, a place per distinct report."""

    classes: Codes
    """``[report, class]``: how many of those there are with each reported value of the target."""

    group: Mapping[str, int | None]
    """Which device disguised an attribute, the target among them; None: it is public."""

    inverse: Callable[[Sequence[str]], Floats]
    """C⁻¹ over the joint patterns of some attributes, the last one varying fastest."""


@runtime_checkable
class Permutable(CountOracle, Protocol):
    """An oracle whose reports about a target can be permuted, to see what chance can do."""

    @property
    def permutes(self) -> bool:
        """Whether it can: not where many reports stay in a database."""

    @property
    def charges(self) -> bool:
        """Whether a count costs something: encryption, or a part of what a policy releases."""

    def device(self, name: str) -> frozenset[str]:
        """Attributes that share a random device with one; itself alone if it is public."""

    def strata(self, target: str, features: Sequence[str]) -> list[Stratum]:
        """Give distinct reports of each site about the features and the target."""


def permutable(oracle: CountOracle) -> TypeGuard[Permutable]:
    """Whether an oracle's reports can be permuted here."""
    return isinstance(oracle, Permutable) and oracle.permutes


@dataclass(frozen=True, eq=False)
class ReportedPatterns:
    """Distinct reports of one site about some features and a target, and what they came through."""

    public: tuple[str, ...]
    """Features that nothing disguises."""

    hidden: tuple[str, ...]
    """Features that are disguised, and behind them the target, disguised or not."""

    codes: Codes
    """``[pattern, public feature]``: joint values that occur, each once."""

    counts: Floats
    """``[pattern, report]``: how many report each joint value of what is hidden."""

    channel: Floats
    """``C[report, truth]`` over the joint values of what is hidden, the target varying fastest."""


@runtime_checkable
class Reporting(CountOracle, Protocol):
    """An oracle that gives the reports themselves, and how likely each is under each truth."""

    def reported_patterns(self, schema: Schema, target: str) -> list[ReportedPatterns]:
        """Give every site's, in the codes of a schema of the features and the target."""


def checked_target(of: str) -> None:
    """Refuse a target that does not exist."""
    if of not in get_args(Target):
        raise EstimateError(f"There is no target {of!r}.", hint=nearest(of, get_args(Target)))


def about(of: Target, n: int) -> str:
    """Say what an estimate is about."""
    if of == "sample":
        return f"About these {n:,} respondents; the only error is the disguise."
    return f"About the population these {n:,} respondents were drawn from; counts are per {n:,}."
