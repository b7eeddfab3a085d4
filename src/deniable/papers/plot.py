"""Plots, without a browser; they need the extra ``plot``."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from deniable.papers.simulated_survey import ComparedCount

INK, ACCENT, PALE = "#1b1f24", "#0f6cbd", "#c4562a"
BAR = "M-0.16,-1.1L0.16,-1.1L0.16,1.1L-0.16,1.1Z"
"""An upright bar, as an SVG path: the truth is a line that estimates should straddle."""


def comparison(lines: "Sequence[ComparedCount]", people: int) -> Any:
    """Estimates with intervals, beside what was reported and what was true."""
    import altair as alt

    rows: list[dict[str, object]] = []
    for line in lines:
        question, low, high = line.expression, line.low / people, line.high / people
        base = {"question": question, "low": low, "high": high}
        rows += [
            {**base, "share": line.reported / people, "what": "as reported"},
            {**base, "share": line.estimate / people, "what": "estimate, 95 % interval"},
            {**base, "share": line.truth / people, "what": "truth"},
        ]
    kinds = ["as reported", "estimate, 95 % interval", "truth"]
    order = [line.expression for line in lines]
    y = alt.Y("question:N", sort=order, title=None, axis=alt.Axis(labelLimit=320, ticks=False))
    scale = alt.Scale(nice=True, zero=True)
    x = alt.X(
        "share:Q", scale=scale, title="share of respondents", axis=alt.Axis(format="%", tickCount=7)
    )
    base_chart = alt.Chart(alt.InlineData(values=rows))
    intervals = (
        base_chart.transform_filter(alt.datum.what == kinds[1])
        .mark_rule(strokeWidth=3, color=ACCENT, opacity=0.45)
        .encode(x=alt.X("low:Q"), x2="high:Q", y=y)
    )
    points = base_chart.mark_point(filled=True, size=110, opacity=1).encode(
        x=x,
        y=y,
        color=alt.Color(
            "what:N",
            scale=alt.Scale(domain=kinds, range=[PALE, ACCENT, INK]),
            legend=alt.Legend(title=None, orient="top", symbolSize=110),
        ),
        shape=alt.Shape(
            "what:N",
            scale=alt.Scale(domain=kinds, range=["diamond", "circle", BAR]),
            legend=alt.Legend(title=None, orient="top"),
        ),
    )
    return (
        alt.layer(intervals, points)
        .properties(
            width=560,
            height=44 * len(lines),
            title=alt.TitleParams(
                f"Disguised answers of {people:,} people, undone in the counts only",
                anchor="start",
                fontSize=15,
                offset=10,
            ),
            background="white",
            padding=16,
        )
        .configure_view(stroke=None)
        .configure_axis(labelFontSize=12, titleFontSize=12, domain=False, gridColor="#e6e8eb")
        .configure_legend(labelFontSize=12)
    )
