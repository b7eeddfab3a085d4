"""Measure from one to a hundred million records, and write docs/scale.md with a plot.

    python -m benchmarks.scale [--millions 1 3 10 30 100] [--folder DATA] [--out docs/scale.md]

Records are generated once and kept if a folder is named. Exits with 1 if a bar is missed.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from benchmarks.peers import ROOT, environment
from benchmarks.scale.data import design, shard, wide_design, write_shards
from benchmarks.scale.page import Measured, page, plot
from deniable.base.extras import require_extra

MILLIONS = (1, 3, 10, 30, 100)
REPEATS = 2
SPARK = (1, 10)
"""Millions that Spark counts, on this machine's cores."""


def main(arguments: Sequence[str]) -> int:
    """Generate, measure, report."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale")
    parser.add_argument("--millions", type=int, nargs="+", default=MILLIONS)
    parser.add_argument("--folder", type=Path, help="keep the records here")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "scale.md")
    options = parser.parse_args(arguments)
    require_extra("plot", "The page's plot needs")
    with TemporaryDirectory() if options.folder is None else nullcontext(options.folder) as place:
        narrow, wide = Path(place, "narrow"), Path(place, "wide")
        for folder in (narrow, wide):
            folder.mkdir(parents=True, exist_ok=True)
        clock = perf_counter()
        write_shards(narrow, design(), max(options.millions), os.cpu_count() or 1)
        write_shards(wide, wide_design(300), 1, 1)
        _say(f"records are there after {perf_counter() - clock:.0f} s")
        found: list[Measured] = []
        for millions in sorted(options.millions):
            found += _measured(("bare", "mine"), narrow, millions, REPEATS)
        for millions in SPARK:
            found += _measured(("spark",), narrow, millions)
        found += _measured(("wide in memory", "wide pushed"), wide, 1)
        found += [_commands(narrow, max(options.millions), Path(place))]
    picture = options.out.parent / "images" / "scale.svg"
    plot(found, picture)
    text, met = page(found, _facts(), f"images/{picture.name}")
    options.out.write_text(text, encoding="utf-8")
    print(text)
    return int(not met)


def _measured(
    kinds: Sequence[str], folder: Path, millions: int, repeats: int = 1
) -> list[Measured]:
    """Run children in turn, and keep the quickest run of each kind; memory is the largest."""
    runs: dict[str, list[tuple[float, dict[str, Any]]]] = {kind: [] for kind in kinds}
    for _ in range(repeats):
        for kind in kinds:
            words = (kind, str(folder), str(millions))
            command = [sys.executable, "-m", "benchmarks.scale.child", *words]
            clock = perf_counter()
            done = subprocess.run(
                command, check=True, cwd=ROOT, env=environment(), capture_output=True, text=True
            )
            runs[kind].append((perf_counter() - clock, json.loads(done.stdout)))
    found = []
    for kind in kinds:
        seconds, answer = min(runs[kind], key=lambda run: run[0])
        peak = max(run["peak"] for _, run in runs[kind])
        _say(f"{kind}, {millions} million: {seconds:.1f} s, {peak / 1e6:.0f} MB")
        found.append(Measured(kind, millions, seconds, peak, answer))
    return found


def _commands(folder: Path, millions: int, place: Path) -> Measured:
    """The same by commands: one counts all records, three mine the counts."""
    plan, counts = place / "design.yaml", place / "counts.parquet"
    design().save(plan)
    counts.unlink(missing_ok=True)
    target = ("--target", "question 12")
    shards = [str(shard(folder, number)) for number in range(millions)]
    seconds = {}
    for name, words in {
        "tabulate": ("tabulate", *shards, "--into", str(counts)),
        "tree": ("mine", "tree", str(counts), *target, "--max-depth", "8"),
        "bayes": ("mine", "bayes", str(counts), *target),
        "rules": ("mine", "rules", str(counts), "--min-support", "0.2", "--min-confidence", "0.6"),
    }.items():
        command = [sys.executable, "-m", "deniable", *words, "--design", str(plan), "--json"]
        clock = perf_counter()
        subprocess.run(command, check=True, cwd=ROOT, env=environment(), capture_output=True)
        seconds[name] = perf_counter() - clock
    _say(f"commands, {millions} million: {sum(seconds.values()):.1f} s")
    return Measured("commands", millions, sum(seconds.values()), 0, {"seconds": seconds})


def _facts() -> list[str]:
    packages = ("duckdb", "ibis-framework", "pyspark", "numpy", "pyarrow")
    versions = ", ".join(f"{name} {version(name)}" for name in packages)
    load = f"load average {os.getloadavg()[0]:.1f} at the end"
    return [
        f"date: {datetime.now(UTC):%Y-%m-%d}",
        f"machine: {os.cpu_count()} cores, {platform.machine()}, {platform.system()}, {load}",
        f"versions: Python {platform.python_version()}, {versions}",
    ]


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
