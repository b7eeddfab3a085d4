"""Unrelated question with an unknown distribution, from two samples (Greenberg et al. 1969).

Both samples are drawn from one population and answer the same private and the same personal
questions, with different θ. The reports of sample i then satisfy e in a share

    λ_i = θ_i·π + (1 − θ_i)·y

and two equations give both unknowns: π = ((1−θ₂)·λ₁ − (1−θ₁)·λ₂) / (θ₁ − θ₂), and y likewise.
A conjunction may go on in other groups: their weights multiply both sides.

The two samples hold different people, so the answer is about the population only.
"""

from collections.abc import Iterable
from fractions import Fraction

import numpy as np

from deniable.base.arrays import Floats, Mask
from deniable.base.errors import DesignError, EstimateError
from deniable.design import Design
from deniable.expression import ANY, Expression, Family
from deniable.oracle.api import Estimates, Target, checked_target
from deniable.oracle.covariance import covariance
from deniable.oracle.pooled import PooledOracle
from deniable.oracle.randomized import RandomizedOracle
from deniable.schema import Schema

Solution = tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]
"""For each sample: the factor of its share λ, and what the unknown does to λ."""


class GreenbergOracle:
    """Two samples whose designs leave one group's personal distribution unknown."""

    def __init__(self, first: RandomizedOracle, second: RandomizedOracle) -> None:
        first.schema.require_same_domains(second.schema, "The second sample")
        (self._names, *thetas) = _unknown_groups(first.design, second.design)
        self._solve_private, self._solve_personal = _solutions(*thetas)
        self._pooled = PooledOracle([first.as_reported(), second.as_reported()])

    @property
    def schema(self) -> Schema:
        """The attributes that can be asked about."""
        return self._pooled.schema

    @property
    def n(self) -> int:
        """How many reports both samples have."""
        return self._pooled.n

    def count(
        self, expressions: Iterable[Expression] | Family, *, of: Target = "population"
    ) -> Estimates:
        """Estimate shares of the population, scaled to n."""
        checked_target(of)
        if of == "sample":
            raise EstimateError(
                "With an unknown personal distribution the two samples say nothing about each "
                "respondent group alone.",
                hint="Ask about the population: --of population, or of='population'.",
            )
        family = Family.of(expressions, self.schema)
        return _where(
            self._touches(family),
            self._combined(family, self._solve_private),
            self._pooled.count(family, of=of),
        )

    def covariance(self, family: Family, *, of: Target = "population") -> Floats:
        """Give the covariance matrix of the errors: each sample's, by its factor in each count."""
        self.count(family, of=of)
        total: Floats = np.zeros((len(family), len(family)))
        for sample, (share, _) in zip(self._pooled.sites, self._solve_private, strict=True):
            combined = float(share) * self.n / sample.n
            factor = np.where(self._touches(family), combined, 1.0)
            theirs = family.recoded(self.schema, sample.schema)
            total += factor[:, None] * factor * covariance(sample, theirs, of)
        return total

    def personal(self, expressions: Iterable[Expression] | Family) -> Estimates:
        """Estimate how the personal answers are distributed, scaled to n."""
        return self._combined(Family.of(expressions, self.schema), self._solve_personal)

    def _touches(self, family: Family) -> Mask:
        places = [place for place, name in enumerate(family.columns) if name in self._names]
        touched: Mask = (family.codes[:, places] != ANY).any(axis=1)
        return touched

    def _combined(self, family: Family, solution: Solution) -> Estimates:
        """Add the samples' shares, each with its factor, as estimates of one count out of n."""
        found = self._pooled.by_site(family, of="population")
        return Estimates.pooled(
            found,
            [
                (float(factor) * self.n / sample.n, float(effect))
                for sample, (factor, effect) in zip(found, solution, strict=True)
            ],
        )


def _unknown_groups(first: Design, second: Design) -> tuple[frozenset[str], Fraction, Fraction]:
    found = []
    for design in (first, second):
        unknown = [
            (frozenset(group.names), group.channel.paired.theta)
            for group in design.groups
            if group.channel.paired is not None and not group.channel.paired.known
        ]
        if len(unknown) != 1:
            raise DesignError(
                f"A two-sample design has one group of unknown personal distribution, and this "
                f"one has {len(unknown)}.",
                hint="Put the attributes into one group, or give the other groups a distribution.",
            )
        found.append(unknown[0])
    (names, one), (others, two) = found
    if names != others:
        raise DesignError(
            "The two samples leave different groups unknown.",
            hint="Both designs must leave the same group unknown, with different theta.",
        )
    if one == two:
        raise DesignError(
            f"Both samples use theta = {one}, which gives one equation for two unknowns.",
            hint="Give the second sample another theta.",
        )
    return names, one, two


def _solutions(one: Fraction, two: Fraction) -> tuple[Solution, Solution]:
    """Solve for the private share and for the personal one."""
    spread = one - two
    private = (((1 - two) / spread, one), (-(1 - one) / spread, two))
    personal = ((-two / spread, 1 - one), (one / spread, 1 - two))
    return private, personal


def _where(mask: Mask, yes: Estimates, no: Estimates) -> Estimates:
    return Estimates(
        yes.n,
        yes.of,
        np.where(mask, yes.value, no.value),
        np.where(mask, yes.variance, no.variance),
        np.where(mask, yes.tilt, no.tilt),
        np.where(mask, yes.bend, no.bend),
    )
