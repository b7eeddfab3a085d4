"""The trade-off: margin against how often the best guess is right, and where the design stands.

Drawn as SVG: axes with few round ticks, a line for each attribute, labels beside the dots.
"""

from collections.abc import Sequence
from math import ceil, floor, log10
from typing import Literal, NamedTuple

import numpy as np

from deniable.base.wording import NEARLY_WHOLE, joined, of_100, points
from deniable.mine.draw.svg_parts import LETTER_WIDTH
from deniable.privacy.measures.single_answer import best_guess
from deniable.privacy.measures.trade_off import TradeOff, trade_off
from deniable.privacy.page.markup import Html, table, tag
from deniable.privacy.page.page_words import fitted
from deniable.privacy.report.figures import AttributePrivacy, PrivacyReport

Size = Literal["wide", "narrow"]

MOST_CURVES = 6

HEADROOM = 1.6
"""How far the picture goes on above the widest margin of the design."""

APART = 17.0
"""From one label to the next."""

LABEL_SIZE = 13
"""Of the labels' letters, as the page's style has it."""


class Curve(NamedTuple):
    """Attributes with the same trade-off."""

    trade: TradeOff
    names: list[str]


class Room(NamedTuple):
    """Pixels: of the whole, and around the plot."""

    width: float
    height: float
    left: float
    right: float
    top: float
    bottom: float


ROOM: dict[Size, Room] = {
    "wide": Room(700, 330, 36, 190, 30, 44),
    "narrow": Room(330, 300, 30, 100, 30, 44),
}


class Chart:
    """One drawing, for wide screens and paper or for narrow screens."""

    def __init__(self, curves: Sequence[Curve], size: Size, x_title: str, y_title: str) -> None:
        self.curves = curves
        self.size = size
        self.titles = (x_title, y_title)
        self.room = ROOM[size]
        lowest = min(float(curve.trade.guesses[0]) for curve in curves)
        self.low = floor(min(lowest, 0.9) * 10 + 1e-9) * 10
        self.widths = round_ticks(HEADROOM * 100 * max(curve.trade.own[1] for curve in curves))

    def drawing(self) -> Html:
        """Draw all of it."""
        label = "Margin against the best guess from the answer: " + "; ".join(
            f"{joined(curve.names)}: {of_100(curve.trade.own[0])} people, "
            f"± {points(curve.trade.own[1])} points"
            for curve in self.curves
        )
        return tag(
            "svg",
            tag("title", label),
            *self._axes(),
            self._lines(),
            *self._dots(),
            viewBox=f"0 0 {self.room.width:g} {self.room.height:g}",
            role="img",
            aria_label=label,
            class_=self.size,
        )

    def x(self, guess: float) -> float:
        """Where a guess stands."""
        across = self.room.width - self.room.left - self.room.right
        return self.room.left + across * (guess * 100 - self.low) / (100 - self.low)

    def y(self, margin: float) -> float:
        """Where a margin stands."""
        down = self.room.height - self.room.top - self.room.bottom
        return self.room.top + down * (1 - margin * 100 / self.widths[-1])

    def _axes(self) -> list[Html]:
        floor_, ceiling, start, end = self.y(0), self.room.top, self.x(self.low / 100), self.x(1)
        step = 10 if self.size == "wide" or 100 - self.low <= 40 else 20  # noqa: PLR2004
        guesses = [guess for guess in range(self.low, 101) if (100 - guess) % step == 0]
        lines = [f"M{self.x(guess / 100):.1f} {ceiling:g}V{floor_:.1f}" for guess in guesses]
        lines += [f"M{start:.1f} {self.y(width / 100):.1f}H{end:.1f}" for width in self.widths]
        return [
            tag("path", d="".join(lines), class_="grid"),
            *(_text(self.x(g / 100), floor_ + 16, str(g), anchor="middle") for g in guesses),
            *(_text(start - 6, self.y(w / 100) + 4, f"{w:g}", anchor="end") for w in self.widths),
            _text(2, 14, self.titles[1], kind="axis"),
            _text(start, self.room.height - 6, self.titles[0], kind="axis"),
        ]

    def _lines(self) -> Html:
        """Draw within the plot only: an inner svg cuts off what is outside."""
        x, y = self.x(self.low / 100), self.room.top
        width, height = self.x(1) - x + 2, self.y(0) - y + 2
        lines = []
        for number, (trade, _) in enumerate(self.curves):
            pairs = zip(trade.guesses, trade.margins, strict=True)
            at = " ".join(f"{self.x(g) - x:.1f},{self.y(m) - y:.1f}" for g, m in pairs)
            lines.append(tag("polyline", points=at, class_=f"line c{number}"))
        return tag(
            "svg", *lines, x=f"{x:.1f}", y=f"{y:g}", width=f"{width:.1f}", height=f"{height:.1f}"
        )

    def _dots(self) -> list[Html]:
        """Label every dot, at the right, as near to its height as the other labels let it be."""
        places = [(self.x(trade.own[0]), self.y(trade.own[1])) for trade, _ in self.curves]
        # Of dots at about one height the rightmost comes first, so that no line crosses another.
        order = sorted(range(len(places)), key=lambda n: (places[n][1] // APART, -places[n][0]))
        heights = [places[n][1] for n in order]
        beside = self.room.width - self.room.right + 14
        room = int((self.room.right - 14) / (LETTER_WIDTH * LABEL_SIZE))
        found = []
        for number, height in zip(order, spread(heights, APART, self.y(0)), strict=True):
            (x, y), colour, names = places[number], f"c{number}", self.curves[number].names
            lead = f"M{x:.1f} {y:.1f}L{beside - 10:.1f} {height:.1f}H{beside - 3:.1f}"
            found += [
                tag("path", d=lead, class_=f"lead-line {colour}"),
                tag("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=5, class_=f"dot {colour}"),
                _text(beside, height + 4, fitted(names, room), kind=f"label {colour}"),
            ]
        return found


def round_ticks(most: float) -> list[float]:
    """From 0 to at least `most`, in three to six round steps.

    >>> round_ticks(8.2)
    [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]
    """
    size = 10.0 ** floor(log10(most))
    step = next(s * size for s in (0.2, 0.5, 1, 2) if most / (s * size) <= 5)  # noqa: PLR2004
    return [round(step * number, 12) for number in range(ceil(most / step - 1e-9) + 1)]


def spread(heights: Sequence[float], apart: float, lowest: float) -> list[float]:
    """Push falling labels apart; where the bottom is reached, all above give way.

    >>> spread([10, 12, 50], 15, 55)
    [10, 25, 50]
    >>> spread([50, 52, 54], 15, 55)
    [25, 40, 55]
    """
    found: list[float] = []
    for height in heights:
        found.append(max(height, found[-1] + apart) if found else height)
    for place in reversed(range(len(found))):
        below = found[place + 1] - apart if place + 1 < len(found) else lowest
        found[place] = min(found[place], below)
    return found


def _text(x: float, y: float, words: str, *, anchor: str = "start", kind: str = "tick") -> Html:
    return tag("text", words, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor, class_=kind)


def trade_off_section(report: PrivacyReport) -> Html:
    """The picture, what it says, and its numbers."""
    every = curves(report)
    if not every:
        return Html("")
    without = [name for curve in every[MOST_CURVES:] for name in curve.names]
    notes = [
        "The guess is from the answer alone. Where a line runs straight up, a report changes "
        "nobody’s best guess. The margin is that of a 95 % interval for the share of one value, "
        "the least precise one.",
        *(["Shares are those of people of whom the same is known."] if report.known else []),
        *([f"Left out of the picture, but in the table: {joined(without)}."] if without else []),
    ]
    y_title = f"Margin, ± points ({report.respondents:,} respondents)"
    x_title = "Best guess is right for … of 100 people"
    charts = [Chart(every[:MOST_CURVES], size, x_title, y_title) for size in ("wide", "narrow")]
    return tag(
        "section",
        tag("h2", "What privacy costs"),
        tag(
            "p",
            "Each line shows what the same kind of device does at other settings; the dot is this "
            "design. Further left, an answer is better disguised. Further down, the result is more "
            "precise. Along a line, one is paid for with the other.",
        ),
        tag("figure", *(chart.drawing() for chart in charts), class_="curve"),
        tag("p", " ".join(notes), class_="small"),
        tag("details", tag("summary", "The dots in numbers"), _table(every, report)),
        class_="card",
    )


def curves(report: PrivacyReport) -> list[Curve]:
    """One for each attribute, equal ones put together, those that give most away first.

    Attributes that a reader knows already have nothing left to trade.
    """
    found: dict[bytes, Curve] = {}
    for attribute in sorted(report.attributes.values(), key=_gain, reverse=True):
        if best_guess(attribute.prior) < 1 - NEARLY_WHOLE:
            trade = trade_off(attribute.matrix, attribute.prior, report.respondents)
            key = np.round([trade.guesses, trade.margins], 9).tobytes()
            found.setdefault(key, Curve(trade, [])).names.append(attribute.name)
    return list(found.values())


def _gain(attribute: AttributePrivacy) -> float:
    # Rounded, so that equal attributes stay in the design's order.
    return round(attribute.guess_alone - best_guess(attribute.prior), 9)


def _table(every: Sequence[Curve], report: PrivacyReport) -> Html:
    titles = (
        "Answer",
        "Best guess from it alone is right for",
        f"Margin with {report.respondents:,} respondents",
    )
    rows = [
        (joined(curve.names), of_100(curve.trade.own[0]), f"± {points(curve.trade.own[1])} points")
        for curve in every
    ]
    return table(titles, rows)
