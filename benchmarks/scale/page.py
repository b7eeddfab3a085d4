"""The report of a run: bars, a plot, and what a cluster would take."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TWICE = 2.0
"""Times the bare GROUP BY that mining may take."""

CEILING = 2 << 30
"""Bytes that mining may take."""

BILLIONS = 10
CORES = 160
LINK = 1e9
"""A cluster of ten machines with sixteen cores, and bytes a second that each may send."""

MACHINES = 10
CELL_BYTES = 100
SHARD_MILLIONS = 50


@dataclass(frozen=True)
class Measured:
    """One kind of work on so many million records: seconds from start to end, and peak memory."""

    kind: str
    millions: int
    seconds: float
    peak: int
    answer: dict[str, Any]


def page(found: Sequence[Measured], facts: Sequence[str], picture: str) -> tuple[str, bool]:
    """Write the page; say whether all bars are met."""
    by = {(each.kind, each.millions): each for each in found}
    sizes = sorted({each.millions for each in found if each.kind == "bare"})
    largest = sizes[-1]
    bare, mine = by["bare", largest], by["mine", largest]
    ratio = mine.seconds / bare.seconds
    met = ratio < TWICE and mine.peak < CEILING
    lines = [
        "# Scale",
        "",
        "Written by `make scale`; do not edit by hand. Whole processes are timed, with the start",
        "of Python and all imports; the peer and we take turns, the better of two runs each.",
        "How each miner grows with records, attributes, groups and values: [growth](growth.md).",
        "",
        *(f"- {fact}" for fact in facts),
        "",
        f"## {largest} million records × 15, one machine",
        "",
        "| question | ours | peer | ratio | bar | result |",
        "| --- | ---: | ---: | ---: | --- | --- |",
        f"| tree + naive Bayes + rules, beside a bare DuckDB GROUP BY | {mine.seconds:.1f} s | "
        f"{bare.seconds:.1f} s | {ratio:.2f} | < {TWICE:g} | {_verdict(ratio < TWICE)} |",
        f"| peak memory | {_size(mine.peak)} | {_size(bare.peak)} | "
        f"{mine.peak / CEILING:.2f} of 2 GiB | < 1 | {_verdict(mine.peak < CEILING)} |",
        "",
        f"![Time and memory from {sizes[0]} to {largest} million records]({picture})",
        "",
        "| records | bare GROUP BY | tree + bayes + rules | ratio | of which counting | "
        "memory, bare | memory, ours |",
        "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        *(_row(by["bare", size], by["mine", size]) for size in sizes),
        "",
        "Up to about four million records of 15 attributes the files are counted in memory by",
        "NumPy, beyond that by DuckDB within 1 GiB; mining works on at most 147,456 counts,",
        "whatever the number of records. Twelve yes/no attributes in four related groups, one of",
        f"four values, two public; the tree has {mine.answer['leaves']} leaves.",
        "",
        *_commands(by["commands", largest]),
        *_wide(by["wide in memory", 1], by["wide pushed", 1]),
        *_cluster(by, bare, sizes),
    ]
    return "\n".join(lines) + "\n", met


def _row(bare: Measured, mine: Measured) -> str:
    return (
        f"| {bare.millions},000,000 | {bare.seconds:.2f} s | {mine.seconds:.2f} s | "
        f"{mine.seconds / bare.seconds:.2f} | {mine.answer['seconds']['counts']:.2f} s | "
        f"{_size(bare.peak)} | {_size(mine.peak)} |"
    )


def _commands(found: Measured) -> list[str]:
    parts = ", ".join(f"`{name}` {value:.1f} s" for name, value in found.answer["seconds"].items())
    return [
        f"By commands, over all {found.millions} million: {parts}; {found.seconds:.1f} s together.",
        "",
    ]


def _wide(held: Measured, pushed: Measured) -> list[str]:
    def row(name: str, found: Measured) -> str:
        seconds = found.answer["seconds"]
        return (
            f"| {name} | {seconds['opening']:.1f} s | {seconds['bayes']:.1f} s | "
            f"{seconds['tree']:.1f} s | {_size(found.peak)} | {found.answer['most columns']} | "
            f"{found.answer['most cells']:,.0f} |"
        )

    return [
        "## 1 million records × 300, never a joint table",
        "",
        "| where | opening | naive Bayes | tree of depth 5 | memory | most columns in one table | "
        "its cells |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
        row("records held in memory", held),
        row("counted by DuckDB, level by level", pushed),
        "",
        "The joint table of all columns would have 2^300 cells. Both ways give the same tree, of "
        f"{pushed.answer['leaves']} leaves.",
        "",
    ]


def _cluster(
    by: dict[tuple[str, int], Measured], bare: Measured, sizes: Sequence[int]
) -> list[str]:
    """Extrapolate from the slopes: what a record costs, fixed costs left out."""
    mine = [by["mine", size] for size in sizes[-2:]]
    many = BILLIONS * 1000
    per_million = (mine[1].seconds - mine[0].seconds) / (mine[1].millions - mine[0].millions)
    cores = 2
    duck = per_million * cores * many
    spark = sorted(
        (each for (kind, _), each in by.items() if kind == "spark"), key=lambda e: e.millions
    )
    slope = (spark[1].seconds - spark[0].seconds) / (spark[1].millions - spark[0].millions)
    work = slope * cores * many
    tasks = many // SHARD_MILLIONS
    rows = bare.answer["rows"]
    shuffled = tasks * rows * CELL_BYTES
    return [
        f"## On paper: {BILLIONS} billion records",
        "",
        f"- One machine, DuckDB: {per_million * 1e3:.0f} ms for each further million on {cores} "
        f"cores, so {duck:,.0f} core-seconds for {BILLIONS} billion: "
        f"{duck / 64 / 60:.1f} minutes on 64 cores, if the disk keeps up.",
        f"- Spark, measured here on {cores} cores: {slope:.2f} s for each further million, so "
        f"{work:,.0f} core-seconds; on {MACHINES} machines with {CORES // MACHINES} cores each, "
        f"{work / CORES / 60:.0f} minutes.",
        f"- What crosses the network: {tasks} tasks of {SHARD_MILLIONS} million records send at "
        f"most {rows:,} counts each, about {shuffled / 1e9:.1f} GB in all "
        f"({shuffled / MACHINES / LINK:.1f} s at {LINK / 1e9:g} GB/s from each machine). The "
        f"driver gets {rows * CELL_BYTES / 1e6:.0f} MB, and mines them in the "
        f"{mine[1].seconds - mine[1].answer['seconds']['counts']:.1f} s that it takes here.",
        "- This is arithmetic, not a measurement: it assumes that Spark scales evenly over "
        "machines, which counting by groups does as long as the groups are few.",
    ]


def plot(found: Sequence[Measured], path: Path) -> None:
    """Draw time and memory by the number of records, both on logarithmic axes."""
    import altair as alt

    names = {"bare": "bare GROUP BY (DuckDB)", "mine": "tree + bayes + rules (deniable)"}
    values = [
        {
            "records": each.millions * 1_000_000,
            "what": names[each.kind],
            "seconds": each.seconds,
            "megabytes": each.peak / 1e6,
        }
        for each in found
        if each.kind in names
    ]
    base = alt.Chart(alt.InlineData(values=values)).encode(
        x=alt.X(
            "records:Q", scale=alt.Scale(type="log"), title="records", axis=alt.Axis(format="~s")
        ),
        color=alt.Color("what:N", title=None, legend=alt.Legend(orient="top")),
    )

    def panel(field: str, title: str, **scale: Any) -> Any:
        y = alt.Y(f"{field}:Q", title=title, scale=alt.Scale(**scale))
        return (
            base.mark_line().encode(y=y) + base.mark_point(filled=True, size=50).encode(y=y)
        ).properties(width=330, height=260)

    chart = panel("seconds", "seconds", type="log") | panel(
        "megabytes", "peak memory, MB", zero=True
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    chart.save(str(path), format="svg")


def _size(size: int) -> str:
    return f"{size / 1e6:,.0f} MB"


def _verdict(met: bool) -> str:
    return "pass" if met else "**missed**"
