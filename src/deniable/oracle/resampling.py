"""Reports dealt into folds for cross-validation, or drawn again, with replacement, for forests."""

from collections.abc import Sequence
from math import prod
from typing import TypeGuard

import numpy as np

from deniable.base.arrays import Codes
from deniable.channel.channel import BINARY
from deniable.design import Design
from deniable.engine.engine import DENSE_CELLS, Engine, HoldsRecords, Tabulation
from deniable.engine.memory.counted_engine import CountedEngine
from deniable.expression import strides
from deniable.oracle.tally import Tally

SPARSE = 1 / 8
"""Share of patterns that occur, below which only those are kept."""


def can_divide(engine: Engine) -> bool:
    """Whether reports are at hand, or few enough to be fetched as counts."""
    return engine.at_hand or prod(engine.schema.sizes) <= engine.most_cells


def dealt(
    design: Design, tally: Tally, many: int, rng: np.random.Generator
) -> list[tuple[Engine, Engine]]:
    """Deal the reports into folds; give for each all the others, and itself."""
    engine = tally.engine
    if _is_wide(engine):
        fold = rng.integers(many, size=engine.n)
        return [(engine.chosen(fold != f), engine.chosen(fold == f)) for f in range(many)]
    counted = _counted(tally)
    return [
        (counted.recounted(counted.table.counts - fold), counted.recounted(fold))
        for fold in counted.dealt(many, _order(design, counted.table), rng)
    ]


def drawn(design: Design, tally: Tally, many: int, rng: np.random.Generator) -> Sequence[Engine]:
    """Draw as many reports, with replacement, so many times."""
    engine = tally.engine
    if _is_wide(engine):
        return [engine.chosen(rng.integers(engine.n, size=engine.n)) for _ in range(many)]
    counted = _counted(tally)
    order = _order(design, counted.table)
    return [counted.recounted(counts) for counts in counted.drawn(order, many, rng)]


def _is_wide(engine: Engine) -> TypeGuard[HoldsRecords]:
    """Whether records are at hand, and counting them all together would only sort them."""
    return isinstance(engine, HoldsRecords) and prod(engine.schema.sizes) > DENSE_CELLS


def _counted(tally: Tally) -> CountedEngine:
    """Distinct reports over all columns; only those that occur, where these are few."""
    table = tally.tabulation(tally.engine.schema.names)
    if table.keys is None and np.count_nonzero(table.counts) < SPARSE * len(table.counts):
        table = Tabulation(table.columns, table.sizes, *table.occurring())
    return CountedEngine(tally.engine.schema, table)


def _order(design: Design, table: Tabulation) -> Codes:
    """Order the reports that occur, so that a related group's θ and 1 − θ are dealt alike.

    They are the same disguise with opposite reports, and should give the same folds.
    """
    filled = np.flatnonzero(table.counts)
    keys = filled if table.keys is None else table.keys[filled]
    places = dict(zip(table.columns, strides(table.sizes), strict=True))
    opposite = [
        name for group in design.groups if group.channel.mostly_flips for name in group.names
    ]
    turned = keys + sum(
        (1 - 2 * (keys // places[name] % BINARY)) * places[name] for name in opposite
    )
    return filled[np.argsort(turned)]
