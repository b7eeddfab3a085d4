"""A panel as SVG: round ticks, a line for each series, whiskers, labels beside the lines' ends."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import floor, isfinite
from typing import Literal, NamedTuple

from deniable.mine.draw.svg_parts import LETTER_WIDTH
from deniable.papers.reproduction.paper_figures import Figure, Panel, Place, Series
from deniable.privacy.page.chart import round_ticks, spread
from deniable.privacy.page.markup import Html, tag
from deniable.privacy.page.page_words import fitted

Size = Literal["wide", "narrow"]

MOST_COLOURS = 8
LETTER = 12
NEXT_LABEL = 15.0
"""Pixels from one label to the next."""

WHISKER = 2.0
"""Standard errors from a mean to the end of its whisker."""


class Canvas(NamedTuple):
    """Pixels: of the whole, and around the plot."""

    width: float
    height: float
    left: float
    right: float
    top: float
    bottom: float


CANVAS: dict[Size, Canvas] = {
    "wide": Canvas(470, 310, 40, 112, 28, 42),
    "narrow": Canvas(330, 290, 38, 100, 28, 42),
}


class LinePlot:
    """One drawing, for wide screens and paper or for narrow screens."""

    def __init__(self, panel: Panel, size: Size, heights: Sequence[float] | None = None) -> None:
        self.panel, self.room = panel, CANVAS[size]
        self.size = size
        self.lines = [(each, each.places(panel.statistic)) for each in panel.series]
        xs = [place.x for _, line in self.lines for place in line] or [0.0, 1.0]
        wide = (max(xs) - min(xs)) or 1.0
        # Words need some room on either side of the outer places.
        beside = wide / 12 if panel.ticks else 0.0
        self.left, self.right = min(xs) - beside, max(xs) + beside
        if self.left == self.right:
            self.left, self.right = self.left - 0.5, self.right + 0.5
        self.heights = list(heights or heights_of([panel]))
        longest = max(len(f"{height:g}") for height in self.heights)
        self.room = self.room._replace(
            left=max(self.room.left, 10 + longest * LETTER_WIDTH * LETTER)
        )

    def drawing(self, **more: object) -> Html:
        """Draw all of it."""
        label = f"{self.panel.title}: {y_title(self.panel)} by {self.panel.x}"
        return tag(
            "svg",
            tag("title", label),
            *self._axes(),
            *self._curves(),
            *self._labels(),
            viewBox=f"0 0 {self.room.width:g} {self.room.height:g}",
            role="img",
            aria_label=label,
            class_=self.size,
            **more,
        )

    def x(self, value: float) -> float:
        """Where a place stands."""
        across = self.room.width - self.room.left - self.room.right
        return self.room.left + across * (value - self.left) / (self.right - self.left)

    def y(self, value: float) -> float:
        """Where a number stands; beyond the axis, at its end."""
        down = self.room.height - self.room.top - self.room.bottom
        low, high = self.heights[0], self.heights[-1]
        share = (value - low) / (high - low)
        return self.room.top + down * (1 - min(max(share, 0.0), 1.0))

    def _axes(self) -> list[Html]:
        bottom, end = self.y(self.heights[0]), self.x(self.right)
        words = dict(self.panel.ticks) or {x: f"{x:g}" for x in self._round_places()}
        lines = [f"M{self.x(x):.1f} {self.room.top:g}V{bottom:.1f}" for x in words]
        lines += [f"M{self.room.left:g} {self.y(y):.1f}H{end:.1f}" for y in self.heights]
        left = self.room.left
        return [
            tag("path", d="".join(lines), class_="grid"),
            *(_text(self.x(x), bottom + 15, word, anchor="middle") for x, word in words.items()),
            *(_text(left - 5, self.y(y) + 4, f"{y:g}", anchor="end") for y in self.heights),
            _text(2, 13, y_title(self.panel), kind="axis"),
            _text((left + end) / 2, self.room.height - 8, self.panel.x, "middle", "axis"),
        ]

    def _round_places(self) -> list[float]:
        ticks = round_ticks(self.right - self.left)
        step = ticks[1]
        first = floor(self.left / step + 1e-9)
        places = [round((first + n) * step, 12) for n in range(len(ticks) + 2)]
        return [x for x in places if self.left - 1e-9 <= x <= self.right + 1e-9]

    def _curves(self) -> Iterator[Html]:
        for number, (series, line) in enumerate(self.lines):
            kind = _colour(number, series)
            for run in _runs(line, () if series.reference else self.panel.gap):
                at = " ".join(f"{self.x(each.x):.1f},{self.y(each.y):.1f}" for each in run)
                yield tag("polyline", points=at, class_=f"line {kind}")
            if not series.reference:
                yield from self._spots(line, kind)

    def _spots(self, line: Sequence[Place], kind: str) -> Iterator[Html]:
        """Mark what was measured, with whiskers where an error is known and can be seen."""
        whiskers = [
            f"M{self.x(p.x):.1f} {self.y(p.y - WHISKER * p.error):.1f}"
            f"V{self.y(p.y + WHISKER * p.error):.1f}"
            for p in line
            if p.error and self.y(p.y - WHISKER * p.error) - self.y(p.y) > 1
        ]
        if whiskers:
            yield tag("path", d="".join(whiskers), class_=f"whisker {kind}")
        for place in line:
            x, y = f"{self.x(place.x):.1f}", f"{self.y(place.y):.1f}"
            yield tag("circle", cx=x, cy=y, r=2.4, class_=f"spot {kind}")

    def _labels(self) -> Iterator[Html]:
        """Name each line at its right end, as near to its height as the others let it be."""
        drawn = [number for number, (_, line) in enumerate(self.lines) if line]
        ends = {n: self.y(self.lines[n][1][-1].y) for n in drawn}
        order = sorted(drawn, key=ends.__getitem__)
        heights = spread([ends[n] for n in order], NEXT_LABEL, self.y(self.heights[0]))
        beside = self.room.width - self.room.right + 14
        room = int((self.room.right - 14) / (LETTER_WIDTH * LETTER))
        for number, height in zip(order, heights, strict=True):
            series, line = self.lines[number]
            kind = _colour(number, series)
            start = f"M{self.x(line[-1].x) + 4:.1f} {ends[number]:.1f}"
            lead = f"{start}L{beside - 3:.1f} {height:.1f}"
            yield tag("path", d=lead, class_=f"lead-line {kind}")
            yield _text(beside, height + 4, fitted([series.label], room), kind=f"label {kind}")


def y_title(panel: Panel) -> str:
    """Say what stands at the left axis."""
    return panel.y if panel.statistic == "mean" else f"{panel.statistic} of {panel.y}"


def common_heights(figure: Figure) -> list[float] | None:
    """Give one axis for all means of a figure whose panels are to be compared."""
    means = [panel for panel in figure.panels if panel.statistic == "mean"]
    return heights_of(means) if figure.compared else None


def heights_of(panels: Sequence[Panel]) -> list[float]:
    """Give round ticks around all numbers of panels that are to be compared."""
    ys = [
        place.y
        for panel in panels
        for series in panel.series
        for place in series.places(panel.statistic)
        if isfinite(place.y)
    ]
    if not ys:
        return [0.0, 1.0]
    lows = [panel.low for panel in panels if panel.low is not None]
    floors = [panel.floor for panel in panels if panel.floor is not None]
    bottom, top = max([min([*ys, *lows]), *floors]), max(ys)
    step = round_ticks(max(top - bottom, 1e-6))[1]
    found = [round(floor(bottom / step + 1e-9) * step, 12)]
    while found[-1] < top - 1e-9 * step or len(found) < 2:  # noqa: PLR2004 (both ends)
        found.append(round(found[-1] + step, 12))
    return found


def _colour(number: int, series: Series) -> str:
    return "reference" if series.reference else f"c{number % MOST_COLOURS}"


def _runs(line: Sequence[Place], gaps: Sequence[float]) -> Iterator[list[Place]]:
    """Cut a line where nothing can be between two places."""
    run = list(line[:1])
    for before, place in pairwise(line):
        if any(before.x < gap < place.x for gap in gaps):
            yield run
            run = []
        run.append(place)
    if run:
        yield run


def _text(x: float, y: float, words: str, anchor: str = "start", kind: str = "tick") -> Html:
    return tag("text", words, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor, class_=kind)
