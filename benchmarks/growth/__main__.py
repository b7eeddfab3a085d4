"""Measure how each miner grows, and write docs/growth.md with its plots.

    python -m benchmarks.growth [MINER …] [--folder DATA] [--out docs/growth.md]
    python -m benchmarks.growth --quick --out /tmp/growth.md

Miners that are not named keep the figures in the CSV beside the page; without a name all are
measured. ``--page`` measures nothing and writes the page again. The table of every point is made
once, and kept if a folder is named. Exits with 1 if the page cannot say why something grows faster
than linear.
"""

import argparse
import json
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep
from typing import Any

from benchmarks.growth.cases import COUNTED_FROM, QUICK, SWEEPS, Case, Sweep, design, reports
from benchmarks.growth.child import OVER
from benchmarks.growth.measured import Limits, Point, read, write
from benchmarks.growth.miners import LOAD, NAMES
from benchmarks.growth.page import facts, page
from benchmarks.growth.plot import Field, plot
from benchmarks.peers import ROOT, environment
from deniable.base.extras import require_extra
from deniable.engine.counts.append import append
from deniable.engine.files.file_tables import Files, TableFile

PAGE = ROOT / "docs" / "growth.md"

LIMITS = Limits(seconds=10, memory=4 << 30)
QUICK_LIMITS = Limits(seconds=4, memory=2 << 30)

POLL = 0.05
"""Seconds between two looks at a child's memory."""


def main(arguments: Sequence[str]) -> int:
    """Measure, keep the rest, write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth")
    parser.add_argument("miners", nargs="*", choices=[[], *NAMES], help="default: all")
    parser.add_argument("--quick", action="store_true", help="fewer and smaller points")
    parser.add_argument("--page", action="store_true", help="measure nothing")
    parser.add_argument("--folder", type=Path, help="keep the records here")
    parser.add_argument("--out", type=Path, help=f"default: {PAGE.relative_to(ROOT)}")
    options = parser.parse_args(arguments)
    if options.quick and not options.out:
        parser.error("--quick needs --out: its figures must not be taken for the page's")
    require_extra("plot", "The page's plots need")
    sweeps, limits = (QUICK, QUICK_LIMITS) if options.quick else (SWEEPS, LIMITS)
    out: Path = options.out or PAGE
    figures = out.with_suffix(".csv")
    chosen = () if options.page else tuple(options.miners or NAMES)
    points = [point for point in read(figures) if point.miner not in chosen]
    with TemporaryDirectory() if options.folder is None else nullcontext(options.folder) as place:
        for name in chosen:
            points += _points(name, sweeps, limits, Path(place))
            write(figures, sorted(points, key=_order(sweeps)))
    points.sort(key=_order(sweeps))
    images = out.parent / "images"
    images.mkdir(parents=True, exist_ok=True)
    stem = out.stem
    pictures: dict[Field, str] = {"seconds": f"{stem}-time.svg", "memory": f"{stem}-memory.svg"}
    for field, picture in pictures.items():
        plot(points, sweeps, limits, field, images / picture)
    told = facts(points)
    text, explained = page(points, sweeps, limits, told, [f"images/{p}" for p in pictures.values()])
    out.write_text(text, encoding="utf-8")
    print(text)
    return int(not explained)


def _order(sweeps: Sequence[Sweep]) -> Any:
    titles = [sweep.title for sweep in sweeps]
    return lambda point: (titles.index(point.sweep), NAMES.index(point.miner), point.size)


def _points(name: str, sweeps: Sequence[Sweep], limits: Limits, folder: Path) -> Iterator[Point]:
    """Measure a miner along every sweep; beyond the first point over a limit nothing is tried."""
    known: dict[Case, Point] = {}
    for sweep in sweeps:
        over = False
        for size in sweep.sizes:
            case = sweep.case(size)
            if over:
                yield Point(sweep.title, size, name, "smaller")
                continue
            if case not in known:
                known[case] = measured(name, case, limits, folder)
            found = known[case]
            over = found.outcome in ("time", "memory")
            yield Point(**{**asdict(found), "sweep": sweep.title, "size": size})


def measured(name: str, case: Case, limits: Limits, folder: Path) -> Point:
    """Measure one point in a process of its own, and end it where it passes a limit."""
    paths = reports(case, folder)
    if case.records >= COUNTED_FROM and name != LOAD:
        paths = [_counted(case, paths)]
    words = [name, json.dumps(asdict(case)), str(limits.seconds), *map(str, paths)]
    command = [sys.executable, "-m", "benchmarks.growth.child", *words]
    single = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    too_large = False
    with subprocess.Popen(
        command, cwd=ROOT, env=environment() | single, stdout=subprocess.PIPE, text=True
    ) as child:
        while child.poll() is None:
            if not too_large and _resident(child.pid) > limits.memory:
                too_large = True
                child.kill()
            sleep(POLL)
        answer = child.communicate()[0]
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    if too_large or child.returncode == -signal.SIGKILL:  # ours, or the system's own
        point = Point("", 0, name, "memory", date=today)
    elif child.returncode == OVER:
        point = Point("", 0, name, "time", date=today)
    elif child.returncode:
        raise subprocess.CalledProcessError(child.returncode, command)
    elif "refused" in (found := json.loads(answer)):
        note = f"{found['kind']}: {found['refused']}"
        point = Point("", 0, name, "refused", note=note, date=today)
    else:
        point = Point("", 0, name, "measured", **found, date=today)
    print(f"{name}, {case}: {point}", file=sys.stderr, flush=True)
    return point


def _counted(case: Case, paths: Sequence[Path]) -> Path:
    """Count the reports once, as `deniable tabulate` does."""
    into, plan = paths[0].with_name(f"counts-{case.records}.parquet"), design(case)
    if not into.exists():
        table = Files("the reports", [TableFile(path) for path in paths])
        append([table], plan.schema, plan.fingerprint, into)
    return into


def _resident(pid: int) -> int:
    """Read the memory of a child, 0 if it has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return 0
    held = status.partition("VmRSS:")[2].split()
    return 1024 * int(held[0]) if held else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
