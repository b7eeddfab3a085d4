"""The joint table of a few attributes: by inversion, and by maximum likelihood.

Inversion is unbiased and may give negative cells; it is what is added, tested and given intervals.
Maximum likelihood on the simplex (no negative cells, they sum to n) is what logarithms are taken
of. Where inversion has no negative cell, the two are the same.

The test of independence asks whether *some* independent truth explains the reports: Pearson's X²
of the reports against the best-fitting product of marginals sent through the channel. It is about
the population, and allows for the grouping: attributes disguised by one coin have dependent reports
even where the truth is independent.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.base.errors import EstimateError
from deniable.design import Design
from deniable.expression import Family
from deniable.oracle.api import Estimates, SeveralSamples, Target
from deniable.oracle.likelihood.maximum import Likelihood, Maximum, Observed
from deniable.oracle.pooled import PooledOracle
from deniable.oracle.randomized import RandomizedOracle
from deniable.schema import Schema

MOST_TABLE_CELLS = 1024
"""Larger tables have more cells than anyone reads, and dense channel matrices to match."""


@dataclass(frozen=True)
class Independence:
    """Pearson's test that the attributes are mutually independent in the population."""

    statistic: float
    df: int
    p_value: float
    smallest_expected: float
    """Fewest reports expected in a cell; below about 5 the p-value is rough."""


@dataclass(frozen=True, eq=False)
class JointTable:
    """Every combination of values, with estimated counts."""

    schema: Schema
    estimates: Estimates
    """By inversion, the last attribute varying fastest."""

    maximum: Maximum
    """By maximum likelihood, in the same order."""

    independence: Independence | None
    """None for a single attribute, and where the reports are too few or too alike to tell."""

    @property
    def cells(self) -> list[tuple[str, ...]]:
        """The values of every cell, in order."""
        shape = self.schema.sizes
        return [
            tuple(a.values[code] for a, code in zip(self.schema, cell, strict=True))
            for cell in np.ndindex(shape)
        ]


def joint_table(
    sites: RandomizedOracle | PooledOracle | Sequence[RandomizedOracle],
    names: Sequence[str],
    *,
    of: Target = "sample",
) -> JointTable:
    """Estimate the joint table of some attributes, from one site or several pooled ones."""
    oracles = _oracles(sites)
    pooled = PooledOracle(oracles)
    if not names:
        raise EstimateError("The table names no attribute.", hint="Name one to a handful.")
    schema = pooled.schema.select(names)
    if prod(schema.sizes) > MOST_TABLE_CELLS:
        raise EstimateError(
            f"The table has {prod(schema.sizes)} cells; {MOST_TABLE_CELLS} is the most.",
            hint="Name fewer attributes, or ask for single expressions with deniable estimate.",
        )
    estimates = pooled.count(Family.table(names, schema), of=of)
    likelihood = Likelihood([_observed(oracle, schema) for oracle in oracles])
    return JointTable(
        schema,
        estimates,
        likelihood.maximum(),
        _independence(likelihood) if len(names) > 1 else None,
    )


def _oracles(sites: object) -> list[RandomizedOracle]:
    if isinstance(sites, PooledOracle):
        sites = sites.sites
    found = [sites] if isinstance(sites, RandomizedOracle) else sites
    if isinstance(found, SeveralSamples) or (
        isinstance(found, Sequence) and any(map(_open, found))
    ):
        raise EstimateError(
            "A group's personal distribution is unknown, and the likelihood needs it.",
            hint="Ask for the cells by count: GreenbergOracle(first, second).count([…]).",
        )
    if not isinstance(found, Sequence) or not all(isinstance(s, RandomizedOracle) for s in found):
        raise EstimateError(
            f"A joint table needs reports with known channels, not {type(sites).__name__}.",
            hint="Give a RandomizedOracle, several of them, or their PooledOracle.",
        )
    return list(found)


def _open(oracle: object) -> bool:
    return isinstance(oracle, RandomizedOracle) and oracle.design.needs_second_sample


def _observed(oracle: RandomizedOracle, schema: Schema) -> Observed:
    """Read one site's reports, and the channels they came through, in the order of the table."""
    names = schema.names
    table: Codes = oracle.reported(names)
    for axis, attribute in enumerate(schema):
        own = oracle.schema[attribute.name]
        table = np.take(table, [own.code(value) for value in attribute.values], axis)
    cells = Family.table(names, schema).recoded(schema, oracle.schema)
    inverted = oracle.count(cells).value.reshape(schema.sizes)
    return Observed(table.astype(float), inverted, _factors(oracle.design, schema, oracle.schema))


def _factors(design: Design, schema: Schema, own: Schema) -> list[tuple[list[int], Floats]]:
    """Each touched group's channel matrix, and the axes of the table it acts on."""
    axes = {name: axis for axis, name in enumerate(schema.names)}
    factors = []
    for group, places in design.touched(axes):
        matrix = group.channel.matrix(places)
        if np.array_equal(matrix, np.eye(len(matrix))):  # nothing disguised
            continue
        named = [group.attributes[place] for place in places]
        shape = [attribute.size for attribute in named]
        # The site may list values in another order than the table does.
        orders = [[own[a.name].code(v) for v in schema[a.name].values] for a in named]
        order = np.arange(prod(shape)).reshape(shape)[np.ix_(*orders)].ravel()
        reordered = matrix[np.ix_(order, order)]
        factors.append(([axes[attribute.name] for attribute in named], reordered))
    return factors


def _independence(likelihood: Likelihood) -> Independence | None:
    """Add up the sites' statistics, each against its own best-fitting product of marginals."""
    from scipy.special import chdtrc  # slow to load, and only needed here

    statistic, df, smallest = 0.0, 0, np.inf
    for site in map(_without_absent_values, likelihood.sites):
        expected = site.through(Likelihood([site]).independent())
        if not expected.min() > 0:
            return None
        statistic += float(((site.reports - expected) ** 2 / expected).sum())
        df += prod(expected.shape) - 1 - sum(size - 1 for size in expected.shape)
        smallest = min(smallest, float(expected.min()))
    if df == 0:
        return None
    return Independence(statistic, df, float(chdtrc(df, statistic)), smallest)


def _without_absent_values(site: Observed) -> Observed:
    """Leave out values that nobody reports and that only their holders could: they say nothing."""
    reports, inverted = site.reports, site.inverted
    alone = {axes[0]: matrix for axes, matrix in site.factors if len(axes) == 1}
    together = {axis for axes, _ in site.factors if len(axes) > 1 for axis in axes}
    factors = [(axes, matrix) for axes, matrix in site.factors if len(axes) > 1]
    for axis in sorted(set(range(reports.ndim)) - together):
        size = reports.shape[axis]
        matrix = alone.get(axis, np.eye(size))
        others = tuple(other for other in range(reports.ndim) if other != axis)
        only_holders = (matrix > 0).sum(axis=1) - (np.diag(matrix) > 0) == 0
        present = np.flatnonzero((reports.sum(axis=others) > 0) | ~only_holders)
        reports, inverted = reports.take(present, axis), inverted.take(present, axis)
        if axis in alone:
            factors.append(([axis], matrix[np.ix_(present, present)]))
    return Observed(reports, inverted, factors)
