"""Memory does not grow with the file: `disguise_file` on a CSV and on one four times as large."""

import json
import resource
import subprocess
import sys
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np

from benchmarks.peers import ROOT, environment
from benchmarks.report import Bar, Row, Section, megabytes
from deniable import Design

SIZE = 60_000_000
LARGE = 2_000_000_000
TIMES = 4
GROWTH = Bar(1.2, "<")
CEILING = 400_000_000
BLOCK_ROWS = 20_000

SMALL_DOMAIN = ("no", "yes")
DOMAINS = {
    **{f"question {index}": SMALL_DOMAIN for index in range(10)},
    "region": ("north", "south", "east", "west"),
    "age": tuple(f"{decade}0 to {decade}9" for decade in range(1, 9)),
    "school": ("none", "primary", "secondary", "higher"),
    "party": tuple(f"party {letter}" for letter in "ABCDEFGHIJ"),
    "health": ("bad", "poor", "fair", "good", "very good"),
}


@dataclass(frozen=True)
class Peak:
    """What one child process took, in bytes and seconds."""

    size: int
    records: int
    imports: int
    """Peak before the first record, which is the libraries' own."""
    peak: int
    seconds: float


def peak_of_disguising(size: int) -> Peak:
    """Disguise a CSV of about so many bytes in a child process; return its peak memory."""
    with TemporaryDirectory() as folder:
        raw = Path(folder) / "raw.csv"
        write_csv(raw, size)
        command = [sys.executable, "-m", "benchmarks.memory", str(raw)]
        done = subprocess.run(
            command, check=True, cwd=ROOT, env=environment(), capture_output=True, text=True
        )
        return Peak(**json.loads(done.stdout))


def run(*, large: bool = False) -> Section:
    """Compare the peaks at two sizes, or three."""
    small, big = peak_of_disguising(SIZE), peak_of_disguising(TIMES * SIZE)
    peaks = [small, big]
    rows = [_growth(small, big)]
    if large:
        peaks.append(peak_of_disguising(LARGE))
        rows.append(_growth(small, peaks[-1]))
    rows += [
        Row(
            f"peak for {megabytes(found.size)}",
            megabytes(CEILING),
            megabytes(found.peak),
            megabytes(CEILING),
            found.peak / CEILING,
            Bar(1, "<"),
        )
        for found in peaks
    ]
    return Section("Memory", "ratio", rows, _notes(peaks))


def _growth(small: Peak, big: Peak) -> Row:
    return Row(
        f"peak when the CSV grows {big.size / small.size:.3g} times",
        f"ourselves at {megabytes(small.size)}",
        megabytes(big.peak),
        megabytes(small.peak),
        big.peak / small.peak,
        GROWTH,
    )


def _notes(peaks: list[Peak]) -> list[str]:
    return [
        f"`disguise_file`, CSV to Parquet, {len(DOMAINS)} attributes in three groups of five (and "
        "a column that the design does not name), cryptographic randomness, in a process of its "
        "own: peak resident memory, with all that the imports take.",
        *(
            f"{megabytes(found.size)}: {found.records:,} records, peak {megabytes(found.peak)} "
            f"(of which {megabytes(found.imports)} before the first record), "
            f"{found.seconds:.1f} s, {found.size / 1e6 / found.seconds:.0f} MB/s."
            for found in peaks
        ),
    ]


@cache
def people_design() -> Design:
    """Three groups of five."""
    names = list(DOMAINS)
    return Design.of(
        {
            "attributes": DOMAINS,
            "groups": [
                {"attributes": names[:5], "channel": "related", "theta": "4/5"},
                {"attributes": names[5:10], "channel": "related", "theta": "4/5"},
                {"attributes": names[10:], "channel": "keep-or-uniform", "theta": "4/5"},
            ],
        }
    )


def write_csv(path: Path, size: int) -> None:
    """Repeat a block of random rows until the file is large enough."""
    generator = np.random.default_rng(3)
    columns = [[f"person {row}" for row in range(BLOCK_ROWS)]]
    columns += [generator.choice(domain, BLOCK_ROWS).tolist() for domain in DOMAINS.values()]
    block = "".join(",".join(row) + "\n" for row in zip(*columns, strict=True)).encode()
    with path.open("wb") as file:
        file.write((",".join(["name", *DOMAINS]) + "\n").encode())
        while (left := size - file.tell()) > len(block):
            file.write(block)
        file.write(block[: block.rfind(b"\n", 0, max(left, 0)) + 1])


def _peak() -> int:
    """Peak resident memory of this process, in bytes.

    Linux's VmHWM starts anew when a program starts; ru_maxrss would remember the parent's peak.
    """
    status = Path("/proc/self/status")
    if status.exists():
        (line,) = (line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * 1024
    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return largest if sys.platform == "darwin" else largest * 1024


def _child(raw: Path) -> Peak:
    from deniable.source.stream import disguise_file

    design, imports, begin = people_design(), _peak(), perf_counter()
    records = disguise_file(raw, design, raw.with_name("out.parquet"))
    return Peak(raw.stat().st_size, records, imports, _peak(), perf_counter() - begin)


if __name__ == "__main__":
    print(json.dumps(asdict(_child(Path(sys.argv[1])))))
