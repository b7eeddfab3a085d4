"""Starting: what a command takes before it works, beside the two libraries that it works with."""

import os
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow.parquet as pq

from benchmarks.designs import ATTRIBUTES, grouped
from benchmarks.peers import ROOT, environment
from benchmarks.report import Bar, Row, Section, milliseconds
from benchmarks.timing import alternating, time_of_children
from deniable import Records
from deniable.base.documents import to_yaml
from deniable.engine.memory.records import stamped

RECORDS = 2_000_000
REPEATS = 10
PEER = "import numpy, pyarrow.parquet"
BARS = {"deniable --help": Bar(1, "<"), f"deniable estimate, {RECORDS:,} records": Bar(5, "<")}

NOTES = (
    "Whole processes, from start to end; CPU time of all their threads, by the operating system.",
    f"`estimate` reads {RECORDS:,} reports × {ATTRIBUTES} yes/no attributes from Parquet and asks "
    "about two of them.",
)


def run() -> Section:
    """Compare two commands with an interpreter that imports what they cannot do without."""
    with TemporaryDirectory() as folder:
        works = _works(Path(folder))
        seconds = alternating(works, REPEATS, time_of_children)
    rows = [
        Row(
            command,
            f'python -c "{PEER}"',
            milliseconds(seconds[command]),
            milliseconds(seconds[PEER]),
            seconds[command] / seconds[PEER],
            bar,
        )
        for command, bar in BARS.items()
    ]
    return Section("Starting", "times as long", rows, NOTES)


def _works(folder: Path) -> dict[str, Callable[[], object]]:
    helped, estimated = BARS
    reports, yaml = folder / "reports.parquet", folder / "design.yaml"
    design = grouped(2, "related", Fraction(4, 5), 5)
    yaml.write_text(to_yaml(design.document()), encoding="utf-8")
    rng = np.random.default_rng(2)
    codes = [rng.integers(0, 2, RECORDS) for _ in range(ATTRIBUTES)]
    table = Records.from_codes(codes, design.schema).to_arrow()
    pq.write_table(stamped(table, design.fingerprint), reports, row_group_size=1 << 16)
    first, *_, last = design.schema
    question = f"{first.name}={first.values[1]} & {last.name}={last.values[0]}"
    deniable = ["-m", "deniable"]
    return {
        PEER: _program(["-c", PEER]),
        helped: _program([*deniable, "--help"]),
        estimated: _program([*deniable, "estimate", str(reports), "--design", str(yaml), question]),
    }


def _program(words: list[str]) -> Callable[[], object]:
    # One thread for linear algebra, on all sides: a pool for each core takes time to start.
    lean = {**os.environ, **environment(), "OPENBLAS_NUM_THREADS": "1"}

    def run() -> None:
        subprocess.run(
            [sys.executable, *words], check=True, cwd=ROOT, env=lean, capture_output=True
        )

    return run
