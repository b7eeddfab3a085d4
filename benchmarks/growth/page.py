"""The page: tables of time and memory, their exponents, and why some are worse than linear."""

import os
import platform
from collections.abc import Sequence
from importlib.metadata import version
from typing import Literal

from benchmarks.growth.cases import COUNTED_FROM, THETA, Case, Sweep
from benchmarks.growth.measured import LEAST_MEMORY, STEEP, Limits, Point, Slope, slope
from benchmarks.growth.miners import LOAD, MINERS, NAMES
from benchmarks.growth.reasons import reason

UNEXPLAINED = "**not explained yet**"


def facts(points: Sequence[Point]) -> list[str]:
    """Say where and when."""
    packages = ("numpy", "scipy", "pyarrow", "duckdb", "altair", "vl-convert-python")
    versions = ", ".join(f"{name} {version(name)}" for name in packages)
    days: dict[str, list[str]] = {}
    for name in NAMES:
        for day in sorted({point.date for point in points if point.miner == name and point.date}):
            days.setdefault(day, []).append(name)
    load = f"load average {os.getloadavg()[0]:.1f} as this was written"
    return [
        "measured: "
        + "; ".join(
            day if len(days) == 1 else f"{day} {', '.join(names)}" for day, names in days.items()
        ),
        f"machine: {os.cpu_count()} cores, {platform.machine()}, {platform.system()}, {load}",
        f"versions: Python {platform.python_version()}, {versions}",
    ]


def page(
    points: Sequence[Point],
    sweeps: Sequence[Sweep],
    limits: Limits,
    told: Sequence[str],
    pictures: Sequence[str],
) -> tuple[str, bool]:
    """Write the page; say whether everything that grows too fast is explained."""
    base = Case()
    time, memory = pictures
    lines = [
        "# Growth",
        "",
        "Written by `make growth`; do not edit by hand. Every point is a process of its own, with",
        "one thread: the CPU time of mining once the table is loaded, and the peak of memory",
        "meanwhile, with what was loaded and without the libraries. CPU time is not stretched by",
        "other work on the machine, as wall time is. The figures themselves are in",
        "[growth.csv](growth.csv); `python -m benchmarks.growth forest best` measures only these",
        "again.",
        "",
        *(f"- {fact}" for fact in told),
        f"- fixed unless varied: {base.records:,} records, {base.attributes} attributes, "
        f"{base.groups} related groups with θ = {THETA}, {base.values} values each; the class is "
        "yes or no, and public. Columns of a table and of the plots vary one of these",
        f"- limits of a point: {limits.seconds:g} s of mining, {limits.memory / 2**30:g} GiB. "
        "*over* is beyond one of them; beyond such a point nothing larger was tried (*–*)",
        f"- {COUNTED_FROM:,} records and more are counted once, as `deniable tabulate` does, and "
        "the counts are mined; *load* there is the counting, by DuckDB from Parquet, on all cores",
        "- exponent: slope of log time on log size, by least squares, over the upper half of the "
        "measured points (two at least). *then ≥* is the step to the first point over the limit, "
        f"where that is above {STEEP:g}. Memory below {LEAST_MEMORY / 1e6:.0f} MB has none",
        "",
        f"![CPU time of every miner by every variable]({time})",
        "",
        f"![Peak memory of every miner by every variable]({memory})",
        "",
        "What is called: "
        + "; ".join(f"{each.name}: `{each.call}`" for each in MINERS.values())
        + f"; {LOAD}: the files are opened and held, as every command does.",
        "",
        "## Where it is worse than linear, and why",
        "",
    ]
    why, explained = _why(points, sweeps, limits)
    lines += why
    for sweep in sweeps:
        lines += ["", f"## By {sweep.title}", "", _table(points, sweep, limits, "seconds"), ""]
        lines += [_table(points, sweep, limits, "memory")]
        lines += _refusals(points, sweep)
    return "\n".join(lines) + "\n", explained


def _why(
    points: Sequence[Point], sweeps: Sequence[Sweep], limits: Limits
) -> tuple[list[str], bool]:
    """One line for each reason, with all that it explains."""
    lines, explained = [], True
    for sweep in sweeps:
        told: dict[str, list[str]] = {}
        for name in NAMES:
            found = {
                what: slope(_mine(points, sweep, name), what, _limit(limits, what))
                for what in ("seconds", "memory")
            }
            for what, each in found.items():
                if each.steep:
                    why = reason(name, sweep.title) or UNEXPLAINED
                    kind = "" if what == "seconds" else " memory"
                    told.setdefault(why, []).append(f"{name}{kind} ({each})")
        for why, names in told.items():
            lines.append(f"- By {sweep.title}, {'; '.join(names)}: {why}")
            explained = explained and why != UNEXPLAINED
    return lines or ["Nothing is."], explained


def _limit(limits: Limits, what: str) -> float:
    return limits.seconds if what == "seconds" else limits.memory


def _mine(points: Sequence[Point], sweep: Sweep, name: str) -> list[Point]:
    return [point for point in points if point.miner == name and point.sweep == sweep.title]


def _table(
    points: Sequence[Point], sweep: Sweep, limits: Limits, what: Literal["seconds", "memory"]
) -> str:
    head = "seconds" if what == "seconds" else "memory, MB"
    sizes = [f"{size:,}" for size in sweep.sizes]
    lines = [
        f"| {head} | {' | '.join(sizes)} | exponent |",
        f"| --- | {'---: | ' * len(sizes)}---: |",
    ]
    for name in NAMES:
        mine = {point.size: point for point in _mine(points, sweep, name)}
        if not mine:
            continue
        cells = [_cell(mine.get(size), what) for size in sweep.sizes]
        found: Slope = slope(list(mine.values()), what, _limit(limits, what))
        shown = f"**{found}**" if found.steep else str(found)
        lines.append(f"| {name} | {' | '.join(cells)} | {shown} |")
    return "\n".join(lines)


def _cell(point: Point | None, what: str) -> str:
    if point is None:
        return ""
    if point.outcome == "measured":
        return f"{point.seconds:.2g}" if what == "seconds" else f"{point.memory / 1e6:,.0f}"
    words = {"time": "over time", "memory": "over memory", "smaller": "–", "refused": "refused"}
    return words[point.outcome]


def _refusals(points: Sequence[Point], sweep: Sweep) -> list[str]:
    """Say once why a miner refused."""
    told: dict[str, list[str]] = {}
    for point in points:
        if point.sweep == sweep.title and point.outcome == "refused":
            told.setdefault(point.note, []).append(f"{point.miner} at {point.size:,}")
    return ["", *(f"- {', '.join(who)} refused: {note}" for note, who in told.items())] * bool(told)
