"""Unrelated questions with unknown distributions, from several samples (Greenberg et al. 1969).

All samples are drawn from one population and answer the same private and the same personal
questions, with different θ. The reports of sample i then satisfy e, which names one such group, in
a share

    λ_i = θ_i·π + (1 − θ_i)·y

and two samples give both unknowns: π = ((1−θ₂)·λ₁ − (1−θ₁)·λ₂) / (θ₁ − θ₂), and y likewise. What
names k such groups has 2^k unknowns, a share for each choice of private and personal questions,
each with the product of the groups' θ or 1 − θ. The answer is Σ f_i·λ_i with factors f that leave
one unknown and cancel the others; of those that do, the ones of least Σ f_i²/n_i. So two samples
tell of each group by itself, and of two groups at once three samples that each use one θ for both,
or four. A conjunction may go on in other groups: their weights multiply all sides.

The samples hold different people, so the answer is about the population only.

Any function of the record adds up in the same way: each sample's total through its other groups,
times the factor of the groups that the function reads. So classifiers are scored and regressions
solved as from one sample. What rests on how private answers go together *within* a report, such as
drawing reports anew as if nothing predicted the class, cannot be done: personal answers may go
together as they like.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product

import numpy as np

from deniable.base.arrays import Floats, Mask
from deniable.base.errors import DesignError, EstimateError, listed
from deniable.design import Design
from deniable.expression import ANY, Expression, Family
from deniable.oracle.api import (
    Estimates,
    Function,
    Stratum,
    Target,
    Totals,
    checked_target,
    divisible,
)
from deniable.oracle.covariance import covariance
from deniable.oracle.pooled import PooledOracle
from deniable.oracle.randomized import RandomizedOracle
from deniable.schema import Schema

UNSOLVED = 1e-9
"""Largest part of an unknown that is left in an answer by rounding alone."""


@dataclass(frozen=True, eq=False)
class UnknownGroups:
    """Groups of unknown personal distribution, and how likely the private questions are."""

    names: tuple[frozenset[str], ...]
    thetas: Floats
    """``[sample, group]``."""


class GreenbergOracle:
    """Samples whose designs leave the personal distribution of some groups unknown."""

    def __init__(
        self,
        first: RandomizedOracle,
        second: RandomizedOracle,
        *more: RandomizedOracle,
        together: Sequence[str] = (),
    ) -> None:
        """Take the samples; with `together`, weigh them as these columns need it, always."""
        samples = (first, second, *more)
        for number, sample in enumerate(samples[1:], start=2):
            first.schema.require_same_domains(sample.schema, f"Sample {number}")
        self._unknown = _unknown_groups([sample.design for sample in samples])
        self._pooled = PooledOracle([sample.as_reported() for sample in samples])
        self.samples = samples
        self._together: tuple[int, ...] = ()
        self._together = self._touched(together)

    @property
    def schema(self) -> Schema:
        """The attributes that can be asked about."""
        return self._pooled.schema

    @property
    def n(self) -> int:
        """How many reports all samples have."""
        return self._pooled.n

    def count(
        self, expressions: Iterable[Expression] | Family, *, of: Target = "population"
    ) -> Estimates:
        """Estimate shares of the population, scaled to n."""
        _require_population(of)
        family = Family.of(expressions, self.schema)
        return self._combined(family, private=True)

    def total(
        self, columns: Sequence[str], function: Function, *, of: Target = "population"
    ) -> Totals:
        """Estimate the mean of functions of the private record, scaled to n."""
        _require_population(of)
        touched = self._touched(columns)
        factors = self._factors(touched, private=True) * self.n / self._sizes
        return self._pooled.total(columns, function, of=of, factors=factors)

    def together(self, columns: Sequence[str]) -> "GreenbergOracle":
        """Give the same samples, with the factors of these columns for whatever is asked.

        Counts and totals then belong to one weighting of the reports. Equations that mix those of
        features alone with those of features and target have the errors of their sum only so.
        """
        return GreenbergOracle(*self.samples, together=columns)

    def covariance(self, family: Family, *, of: Target = "population") -> Floats:
        """Give the covariance matrix of the errors: each sample's, by its factor in each count."""
        self.count(family, of=of)
        factors = np.ones((len(self._pooled.sites), len(family)))
        for touched, rows in self._by_groups(family):
            solved = self._factors(touched, private=True)
            factors[:, rows] = (solved * self.n / self._sizes)[:, None]
        total: Floats = np.zeros((len(family), len(family)))
        for sample, factor in zip(self._pooled.sites, factors, strict=True):
            theirs = family.recoded(self.schema, sample.schema)
            total += factor[:, None] * factor * covariance(sample, theirs, of)
        return total

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """Attributes that one device disguised together."""
        return PooledOracle(self.samples).groups

    @property
    def divides(self) -> bool:
        """Whether every sample can deal its reports out."""
        return all(map(divisible, self.samples))

    def folds(
        self, many: int, rng: np.random.Generator
    ) -> list[tuple["GreenbergOracle", "GreenbergOracle"]]:
        """Deal every sample's reports into folds of their own."""
        by_sample = [sample.folds(many, rng) for sample in self.samples]
        if any(not part.n for folds in by_sample for pair in folds for part in pair):
            raise EstimateError(
                f"A sample of {min(sample.n for sample in self.samples):,} reports, dealt into "
                f"{many} folds, leaves some of them empty.",
                hint="Use fewer folds, or add reports to that sample.",
            )
        return [
            (GreenbergOracle(*(rest for rest, _ in each)), GreenbergOracle(*(f for _, f in each)))
            for each in zip(*by_sample, strict=True)
        ]

    def resampled(self, many: int, rng: np.random.Generator) -> list["GreenbergOracle"]:
        """Draw every sample's reports again, so many times."""
        drawn = zip(*(sample.resampled(many, rng) for sample in self.samples), strict=True)
        return [GreenbergOracle(*each) for each in drawn]

    @property
    def permutes(self) -> bool:
        """Whether the reports of all samples can be permuted."""
        return self._pooled.permutes

    @property
    def charges(self) -> bool:
        """Whether any sample's counts cost something."""
        return self._pooled.charges

    def device(self, name: str) -> frozenset[str]:
        """Attributes that share a random device with one; itself alone if it is public."""
        return frozenset[str]().union(*(sample.device(name) for sample in self.samples))

    def strata(self, target: str, features: Sequence[str]) -> list[Stratum]:
        """Give each sample's distinct reports; of an unknown group, as if they were the truth.

        Private answers that go with the target make reports go with it, so what chance alone does
        to reports judges them, too.
        """
        return self._pooled.strata(target, features)

    def personal(self, expressions: Iterable[Expression] | Family) -> Estimates:
        """Estimate how the personal answers are distributed, scaled to n."""
        return self._combined(Family.of(expressions, self.schema), private=False)

    @cached_property
    def _sizes(self) -> Floats:
        return np.array([sample.n for sample in self._pooled.sites], dtype=np.float64)

    def _touched(self, columns: Sequence[str]) -> tuple[int, ...]:
        """Which groups of unknown distribution the columns are of."""
        named = (k for k, group in enumerate(self._unknown.names) if group & set(columns))
        return tuple(sorted({*named, *self._together}))

    def _by_groups(self, family: Family) -> list[tuple[tuple[int, ...], Mask]]:
        """Which rows name which groups of unknown distribution."""
        named = family.codes != ANY
        touched = np.array(
            [
                named[:, [place for place, name in enumerate(family.columns) if name in group]].any(
                    axis=1
                )
                for group in self._unknown.names
            ]
        ).T
        found = np.unique(touched, axis=0)
        return [
            (tuple(map(int, np.flatnonzero(which))), (touched == which).all(axis=1))
            for which in found
        ]

    def _factors(self, touched: tuple[int, ...], *, private: bool) -> Floats:
        """Solve for the share of the private answers, or the personal ones, of all these groups.

        Where no such group is named, all samples say the same, and weigh by their sizes.
        """
        touched = tuple(sorted({*touched, *self._together}))
        if not touched:
            return self._sizes / self.n
        thetas = self._unknown.thetas[:, touched]
        choices = list(product((True, False), repeat=len(touched)))
        effects = np.array(
            [np.where(choice, thetas, 1 - thetas).prod(axis=1) for choice in choices]
        )
        wanted = np.array([all(c is private for c in choice) for choice in choices], dtype=float)
        roots = np.sqrt(self._sizes)
        factors: Floats = roots * (np.linalg.pinv(effects * roots, rcond=UNSOLVED) @ wanted)
        if np.abs(effects @ factors - wanted).max() > UNSOLVED**0.5:
            raise EstimateError(
                f"This names {len(touched)} groups of unknown personal distribution at once, and "
                f"the {len(self._sizes)} samples do not tell them apart: it takes "
                f"{len(touched) + 1} that each use one theta for all of these groups, or "
                f"{2 ** len(touched)} with every combination of two.",
                hint="Ask about each of the groups by itself, or add samples by --with.",
            )
        return factors

    def _combined(self, family: Family, *, private: bool) -> Estimates:
        """Add the samples' shares, each with its factor, as estimates of one count out of n."""
        samples = self._pooled.by_site(family, of="population")
        found = Estimates.pooled(samples)
        for touched, rows in self._by_groups(family):
            if not touched and private and not self._together:
                continue  # all samples say the same
            thetas = self._unknown.thetas[:, touched]
            effects = (thetas if private else 1 - thetas).prod(axis=1)
            factors = self._factors(touched, private=private) * self.n / self._sizes
            weights = list(zip(factors.tolist(), effects.tolist(), strict=True))
            found = _where(rows, Estimates.pooled(samples, weights), found)
        return found


def _require_population(of: Target) -> None:
    checked_target(of)
    if of == "sample":
        raise EstimateError(
            "With an unknown personal distribution the samples say nothing about each "
            "respondent group alone.",
            hint="Ask about the population: --of population, or of='population'.",
        )


def samples_needed(design: Design) -> str:
    """Say how many samples it takes to undo groups of unknown personal distribution."""
    thetas = _thetas(design).values()
    if len(thetas) == 1:
        return "It can be undone, with a second sample that uses another theta."
    alike = len(set(thetas)) == 1
    how = (
        "three samples, each with one theta" if alike else "four samples, every combination of two"
    )
    return (
        "It can be undone, with a second sample that uses other thetas: each of the "
        f"{len(thetas)} groups of unknown personal distribution by itself. What names two of them "
        f"at once takes {how} for both."
    )


def require_solvable(designs: Sequence[Design]) -> None:
    """Refuse samples that leave different groups unknown, or use one theta."""
    _unknown_groups(designs)


def _thetas(design: Design) -> dict[frozenset[str], Fraction]:
    """How likely the private question is, for each group whose personal answers are unknown."""
    return {
        frozenset(group.names): group.channel.paired.theta
        for group in design.groups
        if group.channel.paired is not None and not group.channel.paired.known
    }


def _unknown_groups(designs: Sequence[Design]) -> UnknownGroups:
    by_sample = [_thetas(design) for design in designs]
    names = tuple(by_sample[0])
    if not names or any(set(sample) != set(names) for sample in by_sample):
        raise DesignError(
            "The samples leave different groups unknown.",
            hint="All designs must leave the same groups unknown, with different theta.",
        )
    thetas = np.array([[float(sample[group]) for group in names] for sample in by_sample])
    for group, used in zip(names, thetas.T, strict=True):
        if len(set(used)) == 1:
            raise DesignError(
                f"All samples use theta = {used[0]:.6g} for {listed(sorted(group))}, which gives "
                "one equation for two unknowns.",
                hint="Give the second sample another theta.",
            )
    return UnknownGroups(names, thetas)


def _where(mask: Mask, yes: Estimates, no: Estimates) -> Estimates:
    return Estimates(
        yes.n,
        yes.of,
        np.where(mask, yes.value, no.value),
        np.where(mask, yes.variance, no.variance),
        np.where(mask, yes.tilt, no.tilt),
        np.where(mask, yes.bend, no.bend),
    )
