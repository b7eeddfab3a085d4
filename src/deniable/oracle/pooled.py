"""Sites with designs of their own, pooled into one estimate.

Counts add up, and so do their variances, because sites disguise independently. About the
population, each site is taken as a sample of its own part of it (a stratum).
"""

from collections.abc import Iterable, Sequence
from typing import Any, Generic

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.base.errors import EstimateError
from deniable.expression import Expression, Family
from deniable.oracle.api import (
    Branching,
    CountOracle,
    Crossing,
    Designed,
    Divisible,
    Estimates,
    Frontier,
    Function,
    Permutable,
    ReportedPatterns,
    Reporting,
    Stratum,
    Target,
    TotalOracle,
    Totals,
    Wanted,
    divisible,
    permutable,
)
from deniable.oracle.frontier.frontier import CountedFrontier
from deniable.oracle.frontier.joined_frontier import Kind
from deniable.oracle.replicates import branch_each, descend_each
from deniable.oracle.strata import recoded_stratum
from deniable.schema import Schema


class PooledOracle:
    """The sum of several oracles over the same attributes."""

    def __init__(self, sites: Sequence[CountOracle]) -> None:
        if not sites:
            raise EstimateError("There is no site to pool.", hint="Give at least one oracle.")
        for number, site in enumerate(sites[1:], start=2):
            sites[0].schema.require_same_domains(site.schema, f"Site {number}")
        self.sites = tuple(sites)

    @property
    def schema(self) -> Schema:
        """The attributes of the first site; the others have the same, perhaps in another order."""
        return self.sites[0].schema

    @property
    def n(self) -> int:
        """How many records all sites have."""
        return sum(site.n for site in self.sites)

    def count(
        self, expressions: Iterable[Expression] | Family, *, of: Target = "sample"
    ) -> Estimates:
        """Add up the sites' estimates."""
        return Estimates.pooled(self.by_site(Family.of(expressions, self.schema), of=of))

    def by_site(self, family: Family, *, of: Target) -> list[Estimates]:
        """Give the sites' estimates one by one, each asked in its own codes."""
        return [site.count(family.recoded(self.schema, site.schema), of=of) for site in self.sites]

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """Attributes that are disguised together at every site that disguises them."""
        together: dict[tuple[int, ...], list[str]] = {}
        by_site = [site.groups if isinstance(site, Designed) else () for site in self.sites]
        for name in self.schema.names:
            places = (
                next((k for k, group in enumerate(groups, start=1) if name in group), 0)
                for groups in by_site
            )
            together.setdefault(tuple(places), []).append(name)
        return tuple(tuple(names) for places, names in together.items() if any(places))

    def second_moment(self, family: Family) -> Floats:
        """Average over the sites, by their sizes."""
        moments = [
            site.n * site.second_moment(family.recoded(self.schema, site.schema))
            if isinstance(site, Designed)
            else np.full(len(family), float(site.n))
            for site in self.sites
        ]
        found: Floats = np.sum(moments, axis=0) / max(self.n, 1)
        return found

    def total(
        self,
        columns: Sequence[str],
        function: Function,
        *,
        of: Target = "sample",
        factors: Floats | None = None,
    ) -> Totals:
        """Add up the sites' totals; where factors are given, each site's times its own."""
        found = []
        for number, site in enumerate(self.sites, start=1):
            if not isinstance(site, TotalOracle):
                raise EstimateError(
                    f"Site {number} counts conjunctions only.",
                    hint="Ask for counts, or leave that site out.",
                )
            ours = _recoding(site.schema.select(columns), self.schema.select(columns), function)
            found.append(site.total(columns, ours, of=of))
        weights = np.ones(len(found)) if factors is None else factors
        return Totals(
            self.n,
            of,
            np.sum([f * site.value for f, site in zip(weights, found, strict=True)], axis=0),
            np.sum(
                [f**2 * site.covariance for f, site in zip(weights, found, strict=True)], axis=0
            ),
        )

    def descend(self, target: str, axes: Sequence[str]) -> Frontier:
        """Begin a tree at its root: every site goes down the same one."""
        found = self.descend_each([self], target, axes)
        return found or CountedFrontier.root(self, target, axes)

    def descend_each(
        self, oracles: Sequence[CountOracle], target: str, axes: Sequence[str]
    ) -> Frontier | None:
        """Begin a tree for each of some oracles, if they pool as many sites that are alike."""
        by_site = self._by_site(oracles, (*axes, target))
        return PooledFrontier(descend_each(e, target, axes) for e in by_site) if by_site else None

    def branch_each(
        self, oracles: Sequence[CountOracle], target: str, axes: Sequence[str]
    ) -> Branching | None:
        """Begin the same where nodes will be split in several ways."""
        by_site = self._by_site(oracles, (*axes, target))
        return PooledFrontier(branch_each(e, target, axes) for e in by_site) if by_site else None

    def _by_site(
        self, oracles: Sequence[CountOracle], names: Sequence[str]
    ) -> list[tuple[CountOracle, ...]]:
        """Give the first sites of some pools, the second ones, …; none if values are not alike."""
        pools = [each.sites for each in oracles if isinstance(each, PooledOracle)]
        used = self.schema.select(names)
        alike = all(site.schema.select(names) == used for sites in pools for site in sites)
        alike &= len(pools) == len(oracles) and len({len(sites) for sites in pools}) == 1
        return list(zip(*pools, strict=True)) if alike else []

    @property
    def divides(self) -> bool:
        """Whether every site can deal its reports out."""
        return all(map(divisible, self.sites))

    def folds(
        self, many: int, rng: np.random.Generator
    ) -> list[tuple["PooledOracle", "PooledOracle"]]:
        """Deal every site's reports into folds of their own."""
        by_site = [site.folds(many, rng) for site in self._divisible()]
        return [
            (PooledOracle([rest for rest, _ in sites]), PooledOracle([fold for _, fold in sites]))
            for sites in zip(*by_site, strict=True)
        ]

    def resampled(self, many: int, rng: np.random.Generator) -> list["PooledOracle"]:
        """Draw every site's reports again, so many times."""
        by_site = [site.resampled(many, rng) for site in self._divisible()]
        return [PooledOracle(sites) for sites in zip(*by_site, strict=True)]

    @property
    def permutes(self) -> bool:
        """Whether every site's reports can be permuted; each site's by themselves."""
        return all(map(permutable, self.sites))

    @property
    def charges(self) -> bool:
        """Whether any site's counts cost something."""
        return any(not isinstance(site, Permutable) or site.charges for site in self.sites)

    def device(self, name: str) -> frozenset[str]:
        """Attributes that share a random device with one, at any site."""
        return frozenset[str]().union(*(site.device(name) for site in self._permutable()))

    def strata(self, target: str, features: Sequence[str]) -> list[Stratum]:
        """Give every site's distinct reports, in the codes of the first site's schema."""
        return [
            recoded_stratum(found, site.schema, self.schema, target)
            for site in self._permutable()
            for found in site.strata(target, features)
        ]

    def reported_patterns(self, schema: Schema, target: str) -> list[ReportedPatterns]:
        """Give every site's distinct reports."""
        found = []
        for number, site in enumerate(self.sites, start=1):
            if not isinstance(site, Reporting):
                raise EstimateError(
                    f"Site {number} gives counts only, and a likelihood needs its reports.",
                    hint="Leave that site out, or use method=score.",
                )
            found += site.reported_patterns(schema, target)
        return found

    def _permutable(self) -> list[Permutable]:
        for number, site in enumerate(self.sites, start=1):
            if not permutable(site):
                raise EstimateError(
                    f"Site {number} gives counts only, which cannot be permuted.",
                    hint="Test by the counts of all sites.",
                )
        return [site for site in self.sites if permutable(site)]

    def _divisible(self) -> list[Divisible]:
        for number, site in enumerate(self.sites, start=1):
            if not divisible(site):
                raise EstimateError(
                    f"Site {number} gives counts only, which cannot be divided at random.",
                    hint="Grow a single tree with a given strength, or by the faithful rule.",
                )
        return [site for site in self.sites if divisible(site)]


class PooledFrontier(Generic[Kind]):
    """The sum of the sites' frontiers."""

    def __init__(self, sites: Iterable[Kind]) -> None:
        self._sites = list(sites)

    def classes(self) -> tuple[Floats, Floats]:
        """Count the target's values at every node."""
        values, variances = zip(*(site.classes() for site in self._sites), strict=True)
        return np.sum(values, axis=0), np.sum(variances, axis=0)

    def tables(self, wanted: Wanted) -> list[Crossing]:
        """Count by an axis' values and the target's."""
        by_pair = zip(*(site.tables(wanted) for site in self._sites), strict=True)
        return [
            Crossing(sites[0].node, sites[0].axis, np.sum([site.value for site in sites], axis=0))
            for sites in by_pair
        ]

    def variances(self, wanted: Wanted) -> list[Floats]:
        """Give the variances of the counts in `tables`."""
        by_pair = zip(*(site.variances(wanted) for site in self._sites), strict=True)
        return [np.sum(sites, axis=0) for sites in by_pair]

    def split(self, choice: Codes) -> "PooledFrontier[Any]":
        """Split every site's nodes."""
        return PooledFrontier(site.split(choice) for site in self._sites)

    def branch(
        self: "PooledFrontier[Branching]", nodes: Codes, choice: Codes
    ) -> "PooledFrontier[Branching]":
        """Split some of every site's nodes, where these can be split so."""
        return PooledFrontier(site.branch(nodes, choice) for site in self._sites)


def _recoding(old: Schema, new: Schema, function: Function) -> Function:
    """Take codes of a schema that lists values in another order."""
    if old == new:
        return function

    def recoded(codes: Codes) -> Floats:
        return function(Family(old.names, codes).recoded(old, new).codes)

    return recoded
