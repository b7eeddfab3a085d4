"""Reports that nobody sent: put together again from the counts that were estimated from them.

Estimates are linear in the counts of reports, N̂ = C⁻¹·reports, so that a site's estimates of all
joint values of some columns are its reports of these columns, C·N̂, in whole numbers. Whatever rests
on reports alone, such as how the errors of two counts go together, follows without asking more.
"""

from collections.abc import Sequence
from math import prod

import numpy as np

from deniable.base.arrays import Floats, along
from deniable.base.errors import EstimateError
from deniable.channel.channel import patterns
from deniable.design import Design, Group
from deniable.engine.engine import Tabulation
from deniable.engine.memory.counted_engine import CountedEngine
from deniable.expression import Family
from deniable.oracle.api import CountOracle, Target
from deniable.oracle.randomized import RandomizedOracle

MOST_CELLS_COUNTED = 1 << 10
"""Joint values that are asked for, one count each."""


def reports_from_counts(
    oracle: CountOracle, design: Design, columns: Sequence[str], of: Target
) -> RandomizedOracle:
    """Ask a site for all joint values of some columns, and read its reports from the answers."""
    names = tuple(columns)
    schema = design.schema.select(names)
    if prod(schema.sizes) > MOST_CELLS_COUNTED:
        raise EstimateError(
            f"{len(names)} columns have {prod(schema.sizes):,} joint values to be counted.",
            hint="Use fewer columns.",
        )
    counted = oracle.count(Family(names, patterns(schema.sizes)), of=of).value
    if np.isnan(counted).any():
        raise EstimateError("A count is refused.", hint="Ask for less, or agree on a policy.")
    table: Floats = counted.reshape(schema.sizes)
    groups = []
    for group, places in design.touched(names):
        own = tuple(group.attributes[place] for place in places)
        channel = group.channel.marginal(places)
        table = along(table, [names.index(attribute.name) for attribute in own], channel.send)
        groups.append(Group(own, channel))
    reports = np.maximum(np.rint(table), 0).astype(np.int64).ravel()
    engine = CountedEngine(schema, Tabulation(names, schema.sizes, None, reports))
    return RandomizedOracle(engine, Design(schema, tuple(groups)))
