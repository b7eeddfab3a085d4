"""What is varied, and what is fixed meanwhile: designs, and files of reports."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from benchmarks.scale.data import SHARD, shard, write_reports, write_shards
from deniable import Design, Schema
from deniable.papers.related_groups import related

TARGET = "class"
THETA = "0.8"

COUNTED_FROM = 10_000_000
"""Records from which on a user counts them once, by `deniable tabulate`, and mines the counts."""


@dataclass(frozen=True)
class Case:
    """One table: all but the class are disguised, in related groups; the class is public."""

    records: int = 100_000
    attributes: int = 15
    """With the class."""

    groups: int = 3
    values: int = 2
    """Of every attribute but the class, which is yes or no."""


@dataclass(frozen=True)
class Sweep:
    """One variable, the others fixed."""

    title: str
    variable: str
    """A field of `Case`."""

    sizes: Sequence[int]
    base: Case = Case()

    def case(self, size: int) -> Case:
        """Build the table of one point."""
        return replace(self.base, **{self.variable: size})


WIDE = 100

SWEEPS = (
    Sweep("records", "records", tuple(10**power for power in range(3, 9))),
    Sweep(
        f"records of {WIDE} attributes",
        "records",
        (1000, 3000, 10_000, 30_000, 100_000, 1_000_000),
        Case(attributes=WIDE),
    ),
    Sweep("attributes", "attributes", (10, 15, 30, 60, 100, 300, 1000)),
    Sweep("groups", "groups", (1, 2, 3, 6, 12)),
    Sweep("values", "values", (2, 3, 5, 10, 30, 100)),
)

QUICK = (
    replace(SWEEPS[0], sizes=(1000, 10_000, 100_000)),
    replace(SWEEPS[1], sizes=(1000, 3000, 10_000)),
    replace(SWEEPS[2], sizes=(10, 15, 30)),
    replace(SWEEPS[3], sizes=(1, 3, 6)),
    replace(SWEEPS[4], sizes=(2, 3, 5)),
)


@cache
def design(case: Case) -> Design:
    """Deal the attributes into groups."""
    names = [f"a{place}" for place in range(case.attributes - 1)]
    values = [str(value) for value in range(case.values)]
    schema = Schema.of({**dict.fromkeys(names, values), TARGET: ["no", "yes"]})
    return related(schema, names, case.groups, THETA)


def reports(case: Case, folder: Path) -> list[Path]:
    """Name the files of a table; write what is not there yet, the same in every run."""
    plan = design(case)
    place = folder / f"{case.attributes}-attributes-{case.groups}-groups-{case.values}-values"
    place.mkdir(parents=True, exist_ok=True)
    if case.records < SHARD:
        path = place / f"{case.records}.parquet"
        if not path.exists():
            write_reports(path, plan, case.records, seed=0)
        return [path]
    write_shards(place, plan, case.records // SHARD, os.cpu_count() or 1)
    return [shard(place, number) for number in range(case.records // SHARD)]
