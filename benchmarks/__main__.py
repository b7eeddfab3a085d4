"""Run every benchmark where the peers are installed, and write docs/benchmarks.md.

    python -m benchmarks [--large] [--out docs/benchmarks.md]

Exits with 1 if a bar is missed.
"""

import argparse
import os
import platform
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from benchmarks.peers import ROOT, at_home, run_at_home
from benchmarks.report import Section, page

DESCRIPTION = "Speed, memory, accuracy, side by side with peers. Exits with 1 if a bar is missed."
PACKAGES = (
    "numpy",
    "pyarrow",
    "numba",
    "multi-freq-ldpy",
    "pure-ldp",
    "scikit-learn",
    "mlxtend",
    "seal-python",
    "pypaillier",
)


def main(arguments: list[str]) -> int:
    """Move to where the peers are, measure, report."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=DESCRIPTION)
    parser.add_argument("--large", action="store_true", help="also disguise a CSV of 2 GB")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "benchmarks.md")
    options = parser.parse_args(arguments)
    if not at_home():
        return run_at_home(arguments)
    facts = _facts(arguments)
    sections = [_measured(question) for question in _questions(large=options.large)]
    text = page(sections, facts)
    options.out.write_text(text, encoding="utf-8")
    print(text)
    return int(any(row.missed for section in sections for row in section.rows))


def _questions(*, large: bool) -> list[Callable[[], Section]]:
    from benchmarks import (
        accuracy,
        collaboration,
        conjunctions,
        counting,
        csv_files,
        disguising,
        forests,
        hybrid,
        hybrid_sets,
        itemsets,
        memory,
        mining,
        noise,
        own_values,
        papers,
        privacy,
        secure_counting,
        start_up,
    )

    def peaks() -> Section:
        return memory.run(large=large)

    speed = [counting.run, disguising.run, csv_files.run, conjunctions.run]
    speed += [mining.run, mining.growth, own_values.run, forests.run, itemsets.run, start_up.run]
    secure = [secure_counting.run, secure_counting.size]
    together = [hybrid.run, hybrid_sets.run, noise.run, collaboration.run]
    return [*speed, *secure, peaks, privacy.run, accuracy.run, *together, papers.run]


def _measured(question: Callable[[], Section]) -> Section:
    section = question()
    print(f"{section.title}: done", file=sys.stderr)
    return section


def _facts(arguments: list[str]) -> list[str]:
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    load = f"load average {os.getloadavg()[0]:.1f} at the start"
    return [
        f"date: {datetime.now(UTC):%Y-%m-%d}",
        f"machine: {os.cpu_count()} cores, {platform.machine()}, {platform.system()}, {load}",
        f"versions: Python {platform.python_version()}, {versions}",
        f"command: `{' '.join(['python -m benchmarks', *arguments])}`",
        "pure-ldp 1.2.0 imports scikit-learn and statsmodels without asking for them; the "
        "benchmark installs both (see `benchmarks/requirements.txt`)",
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
