"""Small plots, a row for each miner and a column for each variable; both axes logarithmic."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from benchmarks.growth.cases import SWEEPS, Sweep
from benchmarks.growth.measured import Limits, Point, slope
from benchmarks.growth.miners import NAMES

WIDTH, HEIGHT = 150, 78
FLAT, STEEP, OVER, REFUSED, GUIDE = "#1f5f8b", "#b3261e", "#b3261e", "#777777", "#dddddd"
GUIDES = 12
"""Lines of slope 1, a factor of ten apart."""

Field = Literal["seconds", "memory"]

TITLES: dict[Field, str] = {"seconds": "Seconds of CPU time", "memory": "Peak memory, MB"}

CAPTION = [
    "Grey lines are linear growth. The number is the exponent, red where it is above 1.1.",
    "Crosses: over the limit (faint: not tried, for a smaller one was). "
    "Grey diamonds: refused, with a reason.",
]


def plot(
    points: Sequence[Point], sweeps: Sequence[Sweep], limits: Limits, field: Field, path: Path
) -> None:
    """Draw time or memory."""
    import altair as alt

    names = [name for name in NAMES if any(p.miner == name for p in points)]
    domain = _domain(points, limits, field)
    panels = []
    for name in names:
        for sweep in sweeps:
            mine = [p for p in points if p.miner == name and p.sweep == sweep.title]
            panel = _panel(mine, sweep, limits, field, domain, last=name == names[-1])
            if name == names[0]:
                title = alt.Title(sweep.title, anchor="middle", fontSize=12)
                panel = panel.properties(title=title)
            panels.append(panel)
    chart = alt.concat(
        *panels, columns=len(sweeps), align="all", bounds="flush", spacing={"row": 8, "column": 14}
    )
    title = alt.Title(TITLES[field], subtitle=CAPTION, anchor="start", offset=14)
    chart = chart.properties(title=title, padding={"left": 90, "right": 12, "top": 8, "bottom": 22})
    chart = chart.configure_view(stroke="#cccccc").configure_axis(grid=False, labelFontSize=9)
    chart.save(str(path), format="svg")


def _domain(points: Sequence[Point], limits: Limits, field: Field) -> tuple[float, float]:
    known = [_value(p, field) for p in points if p.outcome == "measured"]
    limit = limits.seconds if field == "seconds" else limits.memory / 1e6
    return min(known) / 1.5, 2 * max(limit, *known)


def _value(point: Point, field: Field) -> float:
    return point.seconds if field == "seconds" else point.memory / 1e6


def _panel(
    points: Sequence[Point],
    sweep: Sweep,
    limits: Limits,
    field: Field,
    domain: tuple[float, float],
    *,
    last: bool,
) -> Any:
    import altair as alt

    limit = limits.seconds if field == "seconds" else limits.memory / 1e6
    found = slope(points, field, limits.seconds if field == "seconds" else limits.memory)
    sizes, first = list(sweep.sizes), sweep.title == SWEEPS[0].title
    x = alt.X(
        "x:Q",
        title=None,
        scale=alt.Scale(type="log", domain=[sizes[0] / 1.15, sizes[-1] * 1.15], nice=False),
        axis=alt.Axis(format="~s", values=_ticks(sizes), labels=last, labelFlush=False),
    )
    y = alt.Y(
        "y:Q",
        title=points[0].miner if first and points else None,
        scale=alt.Scale(type="log", domain=list(domain), nice=False, clamp=False),
        axis=alt.Axis(
            format="~g",
            labels=first,
            values=[v for v in (1e-4, 1e-2, 1, 100, 10_000) if domain[0] <= v <= domain[1]],
            titleAngle=0,
            titleAlign="right",
            titleFontSize=12,
            titleX=-44,
            titleY=HEIGHT / 2,
        ),
    )

    def layer(values: Sequence[dict[str, Any]], mark: str, **style: Any) -> Any:
        chart = alt.Chart(alt.InlineData(values=list(values)))
        return getattr(chart, f"mark_{mark}")(clip=True, **style).encode(x=x, y=y)

    known = [{"x": p.size, "y": _value(p, field)} for p in points if p.outcome == "measured"]
    outside = {"time": "over", "memory": "over", "smaller": "smaller", "refused": "refused"}
    marked: dict[str, list[dict[str, Any]]] = {"over": [], "smaller": [], "refused": []}
    for p in points:
        if p.outcome != "measured":
            marked[outside[p.outcome]].append({"x": p.size, "y": limit})
    color = STEEP if found.steep else FLAT
    layers = [
        *(
            layer(line, "line", color=GUIDE, strokeWidth=0.7)
            for line in _guides(sizes, domain)
        ),
        layer(known, "line", color=color, strokeWidth=1.6),
        layer(known, "point", color=color, filled=True, size=22, opacity=1),
        layer(marked["over"], "point", color=OVER, shape="cross", angle=45, size=45, filled=True),
        layer(
            marked["smaller"], "point", color=OVER, shape="cross", angle=45, size=45, filled=True,
            opacity=0.25,
        ),
        layer(marked["refused"], "point", color=REFUSED, shape="diamond", filled=True, size=45),
        alt.Chart(alt.InlineData(values=[{"text": str(found)}]))
        .mark_text(align="right", baseline="bottom", fontSize=10, color=color)
        .encode(text="text:N", x=alt.value(WIDTH - 4), y=alt.value(HEIGHT - 3)),
    ]  # fmt: skip
    return alt.layer(*layers).properties(width=WIDTH, height=HEIGHT)


def _ticks(sizes: Sequence[int]) -> list[int]:
    """Label no more than fit."""
    if sizes[-1] / sizes[0] >= 1000:
        return [size for size in sizes if str(size).strip("0") == "1"]
    return list(sizes)


def _guides(sizes: Sequence[int], domain: tuple[float, float]) -> list[list[dict[str, float]]]:
    low, high = sizes[0] / 1.15, sizes[-1] * 1.15
    starts = [domain[1] / 10**step for step in range(GUIDES + 8)]
    return [[{"x": low, "y": y}, {"x": high, "y": y * high / low}] for y in starts]
