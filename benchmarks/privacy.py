"""A privacy report is quick enough to be asked for while a design is being written.

There is no peer that measures the same; the limits are the project's own. Whole commands, the start
of Python among it, in the CPU time of the child process: in quiet that is wall time.
"""

import resource
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.peers import ROOT
from benchmarks.report import Bar, Row, Section, milliseconds
from deniable import Design
from deniable.papers.datasets import find
from deniable.source.prepare.preparation import Preparation

WITHIN = Bar(1, "<")
REPEATS = 3
ALONE, WITH_ADULT = 2.0, 10.0
"""Seconds: without a population, and with Adult as the population."""

NOTES = (
    "`deniable privacy … --html`, the whole command, best of "
    f"{REPEATS}; the peer is the limit that we set ourselves.",
    "Adult: all 48,842 records, 15 attributes in four groups, once split at the median (2^15 joint "
    "patterns, listed) and once with its own values (5 · 10^9, so people and kinds of people are "
    "weighed instead). The attack on all records is part of the time.",
)


def run() -> Section:
    """Time the reports."""
    rows = []
    with TemporaryDirectory() as folder:
        for size, channel in ((2, "related"), (2, "unrelated"), (10, "keep-or-uniform")):
            design = _sixteen(size, channel)
            seconds = _seconds(Path(folder), design)
            question = f"16 attributes of {size} values, four {channel} groups"
            rows.append(_row(question, seconds, ALONE))
        for nominal in ("binary", "keep"):
            people = Path(folder) / "adult.parquet"
            plan = Preparation.learn(find("adult"), nominal=nominal, na=())
            plan.apply(find("adult"), people)
            for channel in ("related", "keep-or-uniform"):
                groups = [
                    {"attributes": list(names), "channel": channel, "theta": "0.7"}
                    for names in np.array_split(plan.schema.names, 4)
                ]
                domains = {a.name: list(a.values) for a in plan.schema}
                design = Design.of({"attributes": domains, "groups": groups})
                seconds = _seconds(Path(folder), design, "--population", str(people))
                values = "yes/no" if nominal == "binary" else "its own values"
                rows.append(_row(f"Adult, {values}, four {channel} groups", seconds, WITH_ADULT))
    return Section("Privacy reports", "share of the limit", rows, NOTES)


def _row(question: str, seconds: float, limit: float) -> Row:
    return Row(
        question, "limit", milliseconds(seconds), milliseconds(limit), seconds / limit, WITHIN
    )


def _seconds(folder: Path, design: Design, *options: str) -> float:
    """CPU time of the quickest of several whole commands."""
    path, page = folder / "design.yaml", folder / "page.html"
    design.save(path)
    # The command as users have it, which `make bench` has set up; the peers' environment has not.
    command = [str(ROOT / ".venv" / "bin" / "deniable"), "privacy", str(path), "--html", str(page)]
    times = []
    for _ in range(REPEATS):
        begin = _children()
        subprocess.run([*command, *options], check=True, cwd=ROOT, capture_output=True)
        times.append(_children() - begin)
    return min(times)


def _children() -> float:
    """CPU seconds of all finished child processes."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _sixteen(size: int, channel: str) -> Design:
    """Sixteen attributes in four groups of four."""
    names = [f"q{number}" for number in range(16)]
    values = [f"v{code}" for code in range(size)]
    groups = []
    for start in range(0, 16, 4):
        group: dict[str, object] = {
            "attributes": names[start : start + 4],
            "channel": channel,
            "theta": "0.7",
        }
        if channel == "unrelated":
            even = dict.fromkeys(values, f"1/{size}")
            group["personal"] = dict.fromkeys(names[start : start + 4], even)
        groups.append(group)
    return Design.of({"attributes": dict.fromkeys(names, values), "groups": groups})
