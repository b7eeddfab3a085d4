"""Which frontier counts a tree of reports: by matches, cubes, patterns, records or counts."""

from collections.abc import Sequence
from math import prod

from deniable.design import Design
from deniable.oracle.api import Frontier
from deniable.oracle.frontier.cube_frontier import CubeFrontier
from deniable.oracle.frontier.frontier import CountedFrontier
from deniable.oracle.frontier.matching_frontier import MatchingFrontier
from deniable.oracle.frontier.pattern_frontier import PatternFrontier
from deniable.oracle.frontier.record_frontier import RecordFrontier
from deniable.oracle.frontier.report_matches import matches_tell
from deniable.oracle.frontier.routed_frontier import ReportLayout
from deniable.oracle.frontier.yes_no_layout import YesNoLayout
from deniable.oracle.tally import Tally

FEW_PATTERNS = 1 << 12
"""Patterns that are routed whatever the number of records."""

MOST_BRANCHES = 1 << 10


def routed(design: Design, tally: Tally, counted: CountedFrontier) -> Frontier:
    """Weigh matches where a report has several weights; else route patterns or records.

    Of these, whichever are fewer; where none can be, go on by counts.
    """
    target, axes = counted.target, counted.axes
    names = (*axes, target)
    layout = ReportLayout.of(design, names, tally.n)
    dense, at_hand = prod(layout.sizes) <= tally.engine.most_cells, tally.engine.at_hand
    if not (dense or at_hand):
        return counted
    if not layout.squares_add_up:
        if all(map(matches_tell, layout.parts)):
            return MatchingFrontier.root(layout, tally.reports(names), counted)
        return counted
    if _has_few_patterns(layout, tally):
        if YesNoLayout.fits(layout):
            return CubeFrontier.roots(YesNoLayout(layout), tally.table(names))
        return PatternFrontier.root(layout, tally.table(names))
    return RecordFrontier.root(layout, tally.engine.codes(names), counted)


def routed_each(
    design: Design, tally: Tally, number: str, target: str, axes: Sequence[str]
) -> Frontier | None:
    """Begin a tree for each value of an attribute that numbers as many reports, if by cubes."""
    names, many = (*axes, target), design.schema[number].size
    layout = ReportLayout.of(design, names, tally.n // many)
    if not (_has_few_patterns(layout, tally) and YesNoLayout.fits(layout)):
        return None
    return CubeFrontier.roots(YesNoLayout(layout), tally.table((number, *names)))


def _has_few_patterns(layout: ReportLayout, tally: Tally) -> bool:
    """Whether a joint table is small, beside the records if these are at hand."""
    patterns = prod(layout.sizes)
    branches = min(prod(part.truths for part in layout.parts), MOST_BRANCHES)
    few = not tally.engine.at_hand or patterns <= max(FEW_PATTERNS, layout.n * branches)
    return few and patterns <= tally.engine.most_cells
