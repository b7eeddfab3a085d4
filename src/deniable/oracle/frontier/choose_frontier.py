"""Which frontier counts trees of reports: by matches, cubes, patterns, records or counts."""

from collections.abc import Sequence
from math import prod

import numpy as np

from deniable.base.arrays import AnyCodes, Codes
from deniable.design import Design
from deniable.engine.engine import Columns, HoldsRecords, Tabulation
from deniable.engine.memory.counted_engine import CountedEngine
from deniable.oracle.api import Branching, Frontier
from deniable.oracle.frontier.cube_frontier import CubeFrontier
from deniable.oracle.frontier.frontier import CountedFrontier
from deniable.oracle.frontier.joined_frontier import joined
from deniable.oracle.frontier.matching_frontier import MatchingFrontier
from deniable.oracle.frontier.opened_frontier import OpenedFrontier
from deniable.oracle.frontier.pattern_frontier import PatternFrontier
from deniable.oracle.frontier.record_frontier import RecordFrontier
from deniable.oracle.frontier.record_sets import ReportColumns
from deniable.oracle.frontier.report_matches import matches_tell
from deniable.oracle.frontier.routed_frontier import ReportLayout
from deniable.oracle.frontier.yes_no_layout import YesNoLayout
from deniable.oracle.tally import Tally

FEW_PATTERNS = 1 << 12
"""Patterns that are routed whatever the number of records."""

MOST_BRANCHES = 1 << 10

PATHS_PER_RECORD = 4
"""Paths that are counted beforehand in the time in which a record is routed."""

MOST_PATHS = 1 << 23
"""Paths that are counted beforehand, of all trees."""

CELLS_TOGETHER = 1 << 22
"""Cells of several trees that are kept in one array."""

ROWS_TOGETHER = 1 << 22
"""Records of several trees that are divided at once."""


def routed(design: Design, tallies: Sequence[Tally], counted: CountedFrontier) -> Frontier:
    """Begin a tree over each of some reports; `counted` begins the same by plain counts.

    Weigh matches where a report has several weights; else route patterns or records, whichever are
    fewer; where none can be, go on by counts.
    """
    names, tally = (*counted.axes, counted.target), tallies[0]
    layout = ReportLayout.of(design, names, tally.n)
    if not (layout.squares_add_up and _has_few_patterns(layout, tally)):
        return _routed_reports(layout, tallies, counted)
    if not YesNoLayout.fits(layout):
        return joined(PatternFrontier.root(layout, each.table(names)) for each in tallies)
    tables, yes_no = _tables(tallies, names), YesNoLayout(layout)
    return joined(
        CubeFrontier.roots(yes_no, tables[some])
        for some in _cut(len(tallies), CELLS_TOGETHER // prod(layout.sizes))
    )


def branching(design: Design, tallies: Sequence[Tally], counted: CountedFrontier) -> Branching:
    """Begin them over few attributes, of which nodes will be split by several each.

    Count all paths beforehand if there are few.
    """
    names, tally = (*counted.axes, counted.target), tallies[0]
    layout = ReportLayout.of(design, names, tally.n)
    paths = layout.classes * prod(size + 1 for size in layout.sizes[:-1])
    few = not tally.engine.at_hand or paths <= max(FEW_PATTERNS, PATHS_PER_RECORD * layout.n)
    if layout.squares_add_up and few and paths * len(tallies) <= MOST_PATHS:
        return OpenedFrontier.roots(layout, _tables(tallies, names))
    return _routed_reports(layout, tallies, counted)


def _routed_reports(
    layout: ReportLayout, tallies: Sequence[Tally], counted: CountedFrontier
) -> Branching:
    """Route records, or weigh reports, or count."""
    names, engine = (*counted.axes, counted.target), tallies[0].engine
    if layout.squares_add_up and engine.at_hand:
        reports, rows = _shared(tallies, names, layout)
        return joined(
            RecordFrontier.roots(layout, reports, [rows[k] for k in some], counted.take(some))
            for some in _cut(len(tallies), ROWS_TOGETHER // max(layout.n, 1))
        )
    dense = prod(layout.sizes) <= engine.most_cells
    if (dense or engine.at_hand) and all(map(matches_tell, layout.parts)):
        return joined(
            MatchingFrontier.root(layout, tallies[k].reports(names), counted.take(np.array([k])))
            for k in range(len(tallies))
        )
    return counted


def _cut(many: int, together: int) -> list[Codes]:
    """Number so many trees, and cut them into runs of so many."""
    return np.split(np.arange(many), np.arange(together, many, max(1, together)))


def _tables(tallies: Sequence[Tally], names: Columns) -> Codes:
    """Joint tables of all reports ``[tree, …]``; those over the same places at once."""
    counted = [each.engine.table for each in tallies if isinstance(each.engine, CountedEngine)]
    first = counted[0] if counted else None
    if first is None or len(tallies) == 1 or len(counted) < len(tallies):
        return np.stack([each.table(names) for each in tallies])
    if first.keys is not None or any(each.columns != first.columns for each in counted):
        return np.stack([each.table(names) for each in tallies])
    number = max(first.columns, key=len) + "#"  # no column has this name
    counts = np.concatenate([each.counts for each in counted])
    columns, sizes = (number, *first.columns), (len(counted), *first.sizes)
    return Tabulation(columns, sizes, None, counts).marginal((number, *names)).dense()


def _shared(
    tallies: Sequence[Tally], names: Columns, layout: ReportLayout
) -> tuple[ReportColumns, list[AnyCodes]]:
    """Records, and which of them each tree begins with; what was drawn from the same is shared."""
    engines = [tally.engine for tally in tallies]
    drawn = [each for each in engines if isinstance(each, HoldsRecords)]
    samples = [each.drawn for each in drawn if each.drawn is not None]
    if len(samples) == len(engines) and len({id(whole) for whole, _ in samples}) == 1:
        codes, rows = samples[0][0].codes(names), [rows for _, rows in samples]
    else:
        by_tree = [engine.codes(names) for engine in engines]
        codes = tuple(map(np.concatenate, zip(*by_tree, strict=True)))
        rows = np.split(np.arange(len(codes[0])), len(engines))
    return ReportColumns(codes, layout.sizes, len(codes[0])), rows


def _has_few_patterns(layout: ReportLayout, tally: Tally) -> bool:
    """Whether a joint table is small, beside the records if these are at hand."""
    patterns = prod(layout.sizes)
    branches = min(prod(part.truths for part in layout.parts), MOST_BRANCHES)
    few = not tally.engine.at_hand or patterns <= max(FEW_PATTERNS, layout.n * branches)
    return few and patterns <= tally.engine.most_cells
