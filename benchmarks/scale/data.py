"""Disguised records by the hundred million, in shards of one million."""

from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from deniable.base.files import whole_file
from deniable.design import Design
from deniable.engine.files.write_parquet import write_parquet
from deniable.engine.memory.records import Records
from deniable.source.disguise import disguise_records
from deniable.source.randomness import SeededBits
from deniable.source.stream import disguised_table

SHARD = 1_000_000
BATCH = 250_000
NOISE = 0.1
BINARY = ("no", "yes")
YES_NO = tuple(f"question {number}" for number in range(1, 13))


@cache
def design() -> Design:
    """Twelve yes/no questions in four groups, two public attributes, one of four values."""
    domains = {
        **{name: list(BINARY) for name in YES_NO},
        "region": ["north", "middle", "south"],
        "age": ["young", "grown", "old"],
        "school": ["none", "primary", "secondary", "higher"],
    }
    groups = [
        {"attributes": list(YES_NO[start:end]), "channel": "related", "theta": "4/5"}
        for start, end in ((0, 4), (4, 8), (8, 11), (11, 12))
    ]
    school = {"attributes": ["school"], "channel": "keep-or-uniform", "theta": "3/4"}
    return Design.of({"attributes": domains, "groups": [*groups, school]})


@cache
def wide_design(attributes: int) -> Design:
    """Yes/no questions in groups of three, the last one public: the class."""
    names = [f"question {number}" for number in range(1, attributes)]
    groups = [
        {"attributes": names[start : start + 3], "channel": "related", "theta": "4/5"}
        for start in range(0, len(names), 3)
    ]
    return Design.of(
        {"attributes": {name: list(BINARY) for name in (*names, "class")}, "groups": groups}
    )


def people(plan: Design, n: int, rng: np.random.Generator) -> Records:
    """True records: answers lean on something hidden, and the class follows a rule, nine in ten."""
    hidden = rng.random(n, dtype=np.float32)
    columns = []
    for place, size in enumerate(plan.schema.sizes):
        lean = np.float32(0.5 / (1 + place % 5))
        mixed = lean * hidden + (1 - lean) * rng.random(n, dtype=np.float32)
        columns.append(np.minimum(mixed * size, size - 1).astype(np.uint8))
    one, two, five, six, nine, ten = (columns[place] == 1 for place in (0, 1, 4, 5, 8, 9))
    rule = np.where(one, np.where(five, two | nine, ~two & six), np.where(nine, five ^ ten, two))
    columns[plan.schema.position(class_of(plan))] = rule ^ (rng.random(n) < NOISE)
    return Records.from_codes(columns, plan.schema)


def class_of(plan: Design) -> str:
    """What is mined for: the last yes/no attribute."""
    return [attribute.name for attribute in plan.schema if attribute.size == len(BINARY)][-1]


def write_shards(folder: Path, plan: Design, shards: int, workers: int) -> None:
    """Write what is not there yet; the same records in every run."""
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        list(pool.map(partial(_write, folder, plan), range(shards)))


def _write(folder: Path, plan: Design, number: int) -> None:
    path = shard(folder, number)
    if not path.exists():
        write_reports(path, plan, SHARD, number)


def write_reports(path: Path, plan: Design, records: int, seed: int) -> None:
    """Write so many disguised records."""
    rng, bits = np.random.default_rng([1, seed]), SeededBits(seed)
    sizes = [min(BATCH, records - start) for start in range(0, records, BATCH)]
    with whole_file(path) as temporary:
        write_parquet(
            temporary,
            (
                disguised_table(disguise_records(people(plan, size, rng), None, plan, bits), plan)
                for size in sizes
            ),
        )


def shard(folder: Path, number: int) -> Path:
    """Where a shard is."""
    return folder / f"part-{number:05}.parquet"
