"""A simulated survey: invented people, a real disguise, estimates beside the truth."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from deniable.base.errors import OutputError
from deniable.base.extras import require_extra
from deniable.base.files import whole_file
from deniable.design import Design
from deniable.engine import Engine
from deniable.engine.memory.records import Records
from deniable.engine.open_table import open_table
from deniable.oracle.exact import ExactOracle
from deniable.oracle.randomized import RandomizedOracle
from deniable.source.stream import disguise_file

EXPRESSIONS = (
    "drugs=yes",
    "cheated=yes",
    "abortion=yes",
    "income=high",
    "drugs=yes & cheated=yes",
    "drugs=yes & age=under 30",
    "abortion=yes & income=low & age=30 to 60",
)

INK, ACCENT, PALE = "#1b1f24", "#0f6cbd", "#c4562a"
UPRIGHT_BAR = "M-0.16,-1.1L0.16,-1.1L0.16,1.1L-0.16,1.1Z"
"""An upright bar, as an SVG path: the truth is a line that estimates should straddle."""


@dataclass(frozen=True)
class ComparedCount:
    """One question: what was reported, what is estimated, and what was true; counts."""

    expression: str
    reported: float
    estimate: float
    low: float
    high: float
    truth: float


def design() -> Design:
    """Two answers share a coin, two have devices of their own, age is public."""
    return Design.of(
        {
            "attributes": {
                "drugs": ["no", "yes"],
                "cheated": ["no", "yes"],
                "abortion": ["no", "yes"],
                "income": ["low", "middle", "high"],
                "age": ["under 30", "30 to 60", "over 60"],
            },
            "groups": [
                {"attributes": ["drugs", "cheated"], "channel": "related", "theta": "4/5"},
                {
                    "attributes": ["abortion"],
                    "channel": "unrelated",
                    "theta": "0.7",
                    "personal": {"abortion": {"no": "3/4", "yes": "1/4"}},
                },
                {"attributes": ["income"], "channel": "keep-or-uniform", "theta": "0.6"},
            ],
        }
    )


def population(people: int, random_state: int = 2026) -> Records:
    """Invent people whose answers depend on each other, the same ones every time."""
    rng = np.random.default_rng(random_state)
    age = rng.choice(3, people, p=[0.3, 0.5, 0.2])
    drugs = rng.random(people) < np.array([0.22, 0.10, 0.03])[age]
    cheated = rng.random(people) < np.where(drugs, 0.35, 0.12)
    income = (rng.random(people)[:, None] > np.array([0.45, 0.85])).sum(axis=1)
    abortion = rng.random(people) < np.array([0.09, 0.06, 0.04])[income]
    return Records.from_codes([drugs, cheated, abortion, income, age], design().schema)


def run(people: int, folder: Path) -> list[ComparedCount]:
    """Disguise, estimate, compare; leave the files and a plot in a folder."""
    require_extra("plot", "The picture of estimates needs")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder} cannot be made: {error.strerror}.") from None
    truth, plan = population(people), design()
    raw, reports = folder / "raw.parquet", folder / "reports.parquet"
    with whole_file(raw) as temporary:
        pq.write_table(truth.to_arrow(), temporary)
    plan.save(folder / "design.yaml")
    disguise_file(raw, plan, reports)
    lines = compare(truth, open_table(reports).engine(plan.schema), plan)
    chart = comparison(lines, people)
    for kind in ("svg", "png"):
        with whole_file(folder / f"estimates.{kind}") as temporary:
            chart.save(str(temporary), format=kind, ppi=144)
    return lines


def compare(truth: Records, reports: Engine, plan: Design) -> list[ComparedCount]:
    """Count the same expressions three ways: as reported, through the disguise, in truth."""
    estimates = RandomizedOracle(reports, plan).count(EXPRESSIONS, of="sample")
    naive = RandomizedOracle(reports, Design.truthful(plan.schema)).count(EXPRESSIONS)
    exact = ExactOracle(truth, plan.schema).count(EXPRESSIONS)
    low, high = estimates.interval()
    columns = (naive.value, estimates.value, low, high, exact.value)
    return [
        ComparedCount(expression, *(float(column[i]) for column in columns))
        for i, expression in enumerate(EXPRESSIONS)
    ]


def comparison(lines: Sequence[ComparedCount], people: int) -> Any:
    """Plot estimates with intervals, beside what was reported and what was true."""
    import altair as alt  # slow to load, and only needed here

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
            scale=alt.Scale(domain=kinds, range=["diamond", "circle", UPRIGHT_BAR]),
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
