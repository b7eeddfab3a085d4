"""Which frontier counts a tree of reports: by matches, cubes, patterns, records or counts."""

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
    patterns = prod(layout.sizes)
    dense, at_hand = patterns <= tally.engine.most_cells, tally.engine.at_hand
    if not (dense or at_hand):
        return counted
    if not layout.squares_add_up:
        if all(map(matches_tell, layout.parts)):
            return MatchingFrontier.root(layout, tally.reports(names), counted)
        return counted
    branches = min(prod(part.truths for part in layout.parts), MOST_BRANCHES)
    if dense and (not at_hand or patterns <= max(FEW_PATTERNS, tally.n * branches)):
        if YesNoLayout.fits(layout):
            return CubeFrontier.root(YesNoLayout(layout), tally.table(names))
        return PatternFrontier.root(layout, tally.table(names))
    return RecordFrontier.root(layout, tally.engine.codes(names), counted)
