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
from deniable.schema import Attribute, Schema

MOST_STACKED = 1 << 22
"""Cells of several tables that are kept as one."""

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


def stacked(engines: Sequence[Engine]) -> tuple[CountedEngine, str] | None:
    """Put reports drawn from the same ones into one table; name the attribute that numbers them.

    Nothing where they were not drawn as counts, or where the table would be large.
    """
    alike = [engine for engine in engines if isinstance(engine, CountedEngine)]
    first = alike[0].table if alike else None
    if (
        first is None
        or len(alike) < len(engines)
        or any(not _same(each.table, first) for each in alike)
    ):
        return None
    if len(alike) * len(first.counts) > MOST_STACKED:
        return None
    schema = alike[0].schema
    number = Attribute(max(schema.names, key=len) + "#", tuple(map(str, range(len(alike)))))
    keys = first.keys
    if keys is not None:
        above = prod(first.sizes) * np.arange(len(alike))
        keys = (above[:, np.newaxis] + keys).ravel()
    counts = np.concatenate([each.table.counts for each in alike])
    columns, sizes = (number.name, *first.columns), (number.size, *first.sizes)
    together = Tabulation(columns, sizes, keys, counts)
    return CountedEngine(Schema((number, *schema)), together), number.name


def _same(table: Tabulation, first: Tabulation) -> bool:
    """Whether two tables have the same places."""
    return (table.columns, table.sizes) == (first.columns, first.sizes) and table.keys is first.keys


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
