"""A panel as SVG: round ticks, a line for each series, labels beside their ends."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import floor, isfinite
from typing import Literal, NamedTuple

from deniable.mine.draw.svg_parts import LETTER_WIDTH
from deniable.papers.reproduction.paper_figures import Panel, Series
from deniable.privacy.page.chart import round_ticks, spread
from deniable.privacy.page.markup import Html, tag
from deniable.privacy.page.page_words import fitted

Size = Literal["wide", "narrow"]

COLOURS = 6
LETTER = 13
APART = 16.0


class Margins(NamedTuple):
    """Pixels: of the whole, and around the plot."""

    width: float
    height: float
    left: float
    right: float
    top: float
    bottom: float


MARGINS: dict[Size, Margins] = {
    "wide": Margins(700, 330, 44, 170, 30, 44),
    "narrow": Margins(330, 300, 40, 96, 30, 44),
}


class LinePlot:
    """One drawing, for wide screens and paper or for narrow screens."""

    def __init__(self, panel: Panel, size: Size) -> None:
        self.panel, self.size, self.room = panel, size, MARGINS[size]
        self.lines = [(each, each.statistic(panel.statistic)) for each in panel.series]
        xs = [x for _, line in self.lines for x, _ in line]
        ys = [y for _, line in self.lines for _, y in line if isfinite(y)]
        self.left, self.right = (min(xs), max(xs)) if xs else (0.0, 1.0)
        if self.left == self.right:
            self.left, self.right = self.left - 0.5, self.right + 0.5
        self.heights = _heights(ys, panel.low)

    def drawing(self) -> Html:
        """Draw all of it."""
        label = f"{self.panel.title}: {self.panel.statistic} of {self.panel.y} by {self.panel.x}"
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
        )

    def x(self, value: float) -> float:
        """Where a place stands."""
        across = self.room.width - self.room.left - self.room.right
        return self.room.left + across * (value - self.left) / (self.right - self.left)

    def y(self, value: float) -> float:
        """Where a number stands."""
        down = self.room.height - self.room.top - self.room.bottom
        low, high = self.heights[0], self.heights[-1]
        return self.room.top + down * (1 - (value - low) / (high - low))

    def _axes(self) -> list[Html]:
        bottom, end = self.y(self.heights[0]), self.x(self.right)
        words = dict(self.panel.ticks) or {x: f"{x:g}" for x in self._places()}
        lines = [f"M{self.x(x):.1f} {self.room.top:g}V{bottom:.1f}" for x in words]
        lines += [f"M{self.room.left:g} {self.y(y):.1f}H{end:.1f}" for y in self.heights]
        y_title = self.panel.y
        if self.panel.statistic != "mean":
            y_title = f"{self.panel.statistic} of {y_title}"
        return [
            tag("path", d="".join(lines), class_="grid"),
            *(_text(self.x(x), bottom + 16, word, anchor="middle") for x, word in words.items()),
            *(
                _text(self.room.left - 6, self.y(y) + 4, f"{y:g}", anchor="end")
                for y in self.heights
            ),
            _text(2, 14, y_title, kind="axis"),
            _text(self.room.left, self.room.height - 6, self.panel.x, kind="axis"),
        ]

    def _places(self) -> list[float]:
        """Round places along the axis."""
        width = self.right - self.left
        ticks = round_ticks(width)
        step = ticks[1] - ticks[0]
        first = floor(self.left / step + 1e-9)
        places = [round((first + n) * step, 12) for n in range(len(ticks) + 2)]
        return [x for x in places if self.left - 1e-9 <= x <= self.right + 1e-9]

    def _curves(self) -> Iterator[Html]:
        for number, (series, line) in enumerate(self.lines):
            kind = _colour(number, series)
            for run in _runs(line, self.panel.gap):
                at = " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in run)
                yield tag("polyline", points=at, class_=f"line {kind}")
            if not series.reference:
                for x, y in line:
                    where = {"cx": f"{self.x(x):.1f}", "cy": f"{self.y(y):.1f}"}
                    yield tag("circle", **where, r=2.6, class_=f"spot {kind}")

    def _labels(self) -> Iterator[Html]:
        """Name each line at its right end, as near to its height as the others let it be."""
        ends = [line[-1][1] if line else self.heights[0] for _, line in self.lines]
        places = [self.y(end) for end in ends]
        order = sorted(range(len(places)), key=places.__getitem__)
        lowest = self.y(self.heights[0])
        heights = spread([places[n] for n in order], APART, lowest)
        beside = self.x(self.right) + 16
        room = int((self.room.right - 16) / (LETTER_WIDTH * LETTER))
        for number, height in zip(order, heights, strict=True):
            series, line = self.lines[number]
            kind = _colour(number, series)
            if line:
                start = f"M{self.x(line[-1][0]) + 4:.1f} {places[number]:.1f}"
                lead = f"{start}L{beside - 5:.1f} {height:.1f}"
                yield tag("path", d=lead, class_=f"lead-line {kind}")
            yield _text(beside, height + 4, fitted([series.label], room), kind=f"label {kind}")


def _colour(number: int, series: Series) -> str:
    return "reference" if series.reference else f"c{number % COLOURS}"


def _heights(ys: Sequence[float], low: float | None) -> list[float]:
    """Round ticks around all numbers."""
    if not ys:
        return [0.0, 1.0]
    bottom = min(ys) if low is None else min(low, *ys)
    width = max(max(ys) - bottom, 1e-6)
    ticks = round_ticks(width)
    step = ticks[1] - ticks[0]
    first = floor(bottom / step + 1e-9)
    found = [round((first + n) * step, 12) for n in range(len(ticks) + 2)]
    needed = next(n for n, tick in enumerate(found) if tick >= max(ys) - 1e-9 * width)
    return found[: max(needed, 1) + 1]


def _runs(
    line: Sequence[tuple[float, float]], gaps: Sequence[float]
) -> Iterator[list[tuple[float, float]]]:
    """Cut a line where nothing can be between two places."""
    run = list(line[:1])
    for (before, _), point in pairwise(line):
        if any(before < gap < point[0] for gap in gaps):
            yield run
            run = []
        run.append(point)
    if run:
        yield run


def _text(x: float, y: float, words: str, *, anchor: str = "start", kind: str = "tick") -> Html:
    return tag("text", words, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor, class_=kind)
