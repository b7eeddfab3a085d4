"""Small tables of true counts under which the reports about their attributes are likeliest.

Each joint value of the truth is a component of a mixture: what it would make people report, at
every site (`most_likely`). Where inversion gives a table that is possible, that is the one.
"""

from collections.abc import Sequence
from math import prod

import numpy as np

from deniable.base.arrays import Floats
from deniable.base.errors import ModelError
from deniable.base.wording import joined
from deniable.oracle.api import CountOracle, ReportedPatterns, Reporting
from deniable.oracle.likelihood.mixture import most_likely
from deniable.schema import Schema

MOST_LIKELY_CELLS = 1024
"""Larger tables would have dense channel matrices to match."""

NEAR_INVERSION = 0.9
"""Share of the start that is what inversion gives; the rest is even, so nothing is left out."""


def likeliest_table(
    oracle: CountOracle, names: Sequence[str], target: str, inverted: Floats
) -> Floats:
    """Give the likeliest counts of a table whose axes are some attributes, the target among them.

    ``inverted`` is the same table by inversion.
    """
    if not isinstance(oracle, Reporting):
        raise ModelError(
            "Likeliest counts need the reports and known channels, and here are counts only.",
            hint="Use constraint='expected', the default.",
        )
    schema = oracle.schema.select(names)
    if prod(schema.sizes) > MOST_LIKELY_CELLS:
        raise ModelError(
            f"The table of {joined(names)} has {prod(schema.sizes):,} cells; a likelihood "
            f"takes {MOST_LIKELY_CELLS:,} at most.",
            hint="Leave the feature out, or use constraint='expected', the default.",
        )
    sites = oracle.reported_patterns(schema, target)
    components = np.concatenate([_components(site, names, schema) for site in sites])
    reports = np.concatenate([site.counts.ravel() for site in sites])
    shares = np.maximum(inverted, 0.0).ravel() / np.maximum(inverted, 0.0).sum()
    if inverted.min() < 0:
        shares = NEAR_INVERSION * shares + (1 - NEAR_INVERSION) / shares.size
    shares, steps, _ = most_likely(components, reports, shares)
    counts: Floats = reports.sum() * shares.reshape(inverted.shape)
    return inverted if steps == 0 and inverted.min() >= 0 else counts


def _components(site: ReportedPatterns, names: Sequence[str], schema: Schema) -> Floats:
    """What each joint value would make people report at one site: ``[report, cell]``."""
    order = (*site.public, *site.hidden)
    sizes = [schema[name].size for name in order]
    hidden = sizes[len(site.public) :]
    whole = np.zeros((*site.counts.shape, *sizes))
    for number, codes in enumerate(site.codes):
        place = (number, slice(None), *codes.tolist())
        whole[place] = site.channel.reshape(-1, *hidden)
    axes = [2 + order.index(name) for name in names]
    cells: Floats = whole.transpose(0, 1, *axes).reshape(site.counts.size, -1)
    return cells
