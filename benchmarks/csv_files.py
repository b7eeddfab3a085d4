"""From CSV to Parquet, disguised or prepared, beside DuckDB, which leaves values as they are."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from benchmarks.memory import DOMAINS, people_design, write_csv
from benchmarks.peers import ROOT, environment
from benchmarks.report import Bar, Row, Section, megabytes, milliseconds
from benchmarks.timing import alternating

SIZE = 200_000_000
REPEATS = 5
DISGUISE, PREPARE = "disguise", "prepare"
PEERS = {"DuckDB": None, "DuckDB, one thread": 1}
BAR = Bar(1.5, "≥")

NOTES = (
    f"A CSV file of {megabytes(SIZE)} with {len(DOMAINS)} attributes, and a column that is left "
    "behind. Ours: `disguise_file` with cryptographic randomness, and `Preparation.apply` of a "
    "preparation that is there already.",
    "Peer: DuckDB's `COPY` of the same columns as text, compressed by Snappy on both sides. "
    "By itself it would take yes and no for booleans, which are not the values that were written.",
    "CPU time of all threads; in wall time, on several cores, both do better, and other work on "
    "the machine shows: those rows are for reading only.",
)


def run() -> Section:
    """Take turns with the peer in a process of its own."""
    with TemporaryDirectory() as folder:
        raw = Path(folder) / "raw.csv"
        write_csv(raw, SIZE)
        command = [sys.executable, "-m", "benchmarks.csv_files", str(raw)]
        done = subprocess.run(
            command, check=True, cwd=ROOT, env=environment(), capture_output=True, text=True
        )
    rows = [
        Row(
            f"{work}, {clock} time",
            peer,
            milliseconds(seconds[work]),
            milliseconds(seconds[peer]),
            seconds[peer] / seconds[work],
            BAR if (work, clock, peer) == (DISGUISE, "CPU", "DuckDB") else None,
        )
        for clock, seconds in json.loads(done.stdout).items()
        for work in (DISGUISE, PREPARE)
        for peer in PEERS
    ]
    return Section("CSV into Parquet", "times faster", rows, NOTES)


def _measured(raw: Path) -> dict[str, dict[str, float]]:
    """Seconds of each one, by both clocks."""
    from deniable.source.prepare import Preparation
    from deniable.source.stream import disguise_file

    plan = Preparation.learn(raw, drop=["name"])
    works: dict[str, Callable[[], object]] = {
        DISGUISE: lambda: disguise_file(raw, people_design(), raw.with_name("reports.parquet")),
        PREPARE: lambda: plan.apply(raw, raw.with_name("prepared.parquet")),
    }
    works |= {peer: _by_duckdb(raw, threads) for peer, threads in PEERS.items()}
    clocks = {"CPU": process_time, "wall": perf_counter}
    return {name: alternating(works, REPEATS, clock) for name, clock in clocks.items()}


def _by_duckdb(raw: Path, threads: int | None) -> Callable[[], object]:
    import duckdb

    names = ", ".join(f'"{name}"' for name in DOMAINS)
    read = f"SELECT {names} FROM read_csv('{raw}', header = true, all_varchar = true)"  # noqa: S608

    def work() -> None:
        with duckdb.connect(config={"threads": threads} if threads else {}) as connection:
            connection.execute(f"COPY ({read}) TO '{raw.with_name('peer.parquet')}'")

    return work


if __name__ == "__main__":
    print(json.dumps(_measured(Path(sys.argv[1]))))
