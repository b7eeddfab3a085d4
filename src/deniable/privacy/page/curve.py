"""The trade-off: margin against how often the best guess is right, and where the design stands."""

from collections.abc import Sequence

import numpy as np

from deniable.base.wording import joined, points
from deniable.privacy.hundred import NEARLY_WHOLE, of_100
from deniable.privacy.measures.single_answer import best_guess
from deniable.privacy.measures.trade_off import trade_off
from deniable.privacy.page.chart import Chart, Curve
from deniable.privacy.page.markup import Html, tag
from deniable.privacy.report.figures import AttributePrivacy, PrivacyReport

MOST_CURVES = 6


def section(report: PrivacyReport) -> Html:
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
        tag(
            "tr",
            tag("th", joined(curve.names), scope="row"),
            tag("td", of_100(curve.trade.own[0])),
            tag("td", f"± {points(curve.trade.own[1])} points"),
        )
        for curve in every
    ]
    head = tag("tr", *(tag("th", title, scope="col") for title in titles))
    return tag("table", tag("thead", head), tag("tbody", *rows))
