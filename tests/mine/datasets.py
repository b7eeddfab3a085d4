"""The papers' data sets, and invented ones, for the tests of all miners."""

import itertools
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow.parquet as pq

from deniable.engine.memory.records import Records
from deniable.schema import Schema
from deniable.source.prepare.preparation import Preparation
from papersets import dataset


@cache
def adult_in_binary() -> Records:
    """The first 10,000 records, split at the median; a missing value is one like any other."""
    with TemporaryDirectory() as folder:
        raw, out = Path(folder, "raw.csv"), Path(folder, "adult.parquet")
        with dataset("adult").open(encoding="utf-8") as file:
            raw.write_text("".join(itertools.islice(file, 10_001)), encoding="utf-8")
        plan = Preparation.learn(raw, nominal="binary", na=())
        plan.apply(raw, out)
        return Records.of(pq.read_table(out), plan.schema)


def random_records(schema: Schema, n: int, seed: int) -> Records:
    """Records whose attributes depend on each other through a hidden one."""
    generator = np.random.default_rng(seed)
    hidden = generator.random(n)
    columns = [
        np.minimum((hidden + generator.random(n)) / 2 * size, size - 1).astype(np.int64)
        for size in schema.sizes
    ]
    return Records.from_codes(columns, schema)
