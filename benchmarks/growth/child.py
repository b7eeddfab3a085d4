"""One point in a process of its own: CPU time of loading and of mining, and peak memory.

python -m benchmarks.growth.child MINER CASE SECONDS FILE …

A case is a JSON object; SECONDS is the limit of mining, at which the process ends itself.
"""

import json
import os
import sys
from math import inf
from pathlib import Path
from threading import Thread
from time import process_time, sleep
from typing import Any

import numpy as np

from benchmarks.growth.cases import Case, design
from benchmarks.growth.miners import LOAD, MINERS
from benchmarks.scale.data import people
from deniable import RandomizedOracle, disguise
from deniable.base.errors import DeniableError
from deniable.design import Design
from deniable.engine.counts.count_table import CountTable, is_counted
from deniable.engine.engine import Engine
from deniable.engine.files.file_tables import Files, TableFile

OVER = 75
"""Exit code of a process that reached its limit of time."""

LOOK = 0.1
"""Seconds between two looks at the clock."""

REPEATS, ALTOGETHER = 5, 1.0
"""What is quick is repeated, until so many seconds are spent; the quickest counts."""

SMALL = Case(records=300, attributes=10)


def main(name: str, case: Case, limit: float, paths: list[Path]) -> dict[str, Any]:
    """Measure one point."""
    _warm(name, paths)
    plan, baseline = design(case), _resident()
    mined, load, memory, spent = inf, inf, 0, 0.0
    for _ in range(REPEATS):
        _forget_peak()
        begin = process_time()
        engine = _opened(paths, plan)
        opened = process_time()
        if name != LOAD:
            _forget_peak()
            if spent == 0:
                _limit(limit)
            begun = process_time()
            MINERS[name].mine(RandomizedOracle(engine, plan))
            mined = min(mined, process_time() - begun)
        load, memory = min(load, opened - begin), max(memory, _peak() - baseline)
        del engine
        spent += process_time() - begin
        if spent > ALTOGETHER:
            break
    return {"seconds": load if name == LOAD else mined, "load": load, "memory": memory}


def _opened(paths: list[Path], plan: Design) -> Engine:
    """Open reports or counts, as every command does that asks many questions."""
    files = [TableFile(path) for path in paths]
    kind = CountTable if is_counted(files[0]) else Files
    return kind("the reports", files).held(plan.schema)


def _warm(name: str, paths: list[Path]) -> None:
    """Do very little of it: libraries that are loaded on use are no part of the growth."""
    if name == LOAD:
        from deniable.engine.files import duckdb_engine  # noqa: F401
        from deniable.engine.sql import pushed_engine  # noqa: F401

        next(TableFile(paths[0]).batches(TableFile(paths[0]).names, most=1))
        return
    plan = design(SMALL)
    truth = people(plan, SMALL.records, np.random.default_rng(1))
    MINERS[name].mine(RandomizedOracle(disguise(truth, plan), plan))


def _limit(seconds: float) -> None:
    """End this process when it has worked so much longer.

    Not by RLIMIT_CPU: with one, Linux updates the clock at every tick only, every few milliseconds.
    """
    last = process_time() + seconds

    def watch() -> None:
        while process_time() < last:
            sleep(LOOK)
        os._exit(OVER)

    Thread(target=watch, daemon=True).start()


def _forget_peak() -> None:
    """Let Linux count the peak from here on."""
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def _peak() -> int:
    return _status("VmHWM")


def _resident() -> int:
    return _status("VmRSS")


def _status(field: str) -> int:
    """Read a size of this process, in bytes."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return 1024 * int(status.partition(f"{field}:")[2].split()[0])


if __name__ == "__main__":
    name, case, limit, *paths = sys.argv[1:]
    try:
        found = main(name, Case(**json.loads(case)), float(limit), list(map(Path, paths)))
    except (DeniableError, MemoryError, ValueError) as error:
        found = {"refused": str(error), "kind": type(error).__name__}
    print(json.dumps(found))
