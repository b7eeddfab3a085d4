"""The papers' data sets, every attribute in two values, or with values of its own."""

from functools import cache
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow.parquet as pq

from deniable.engine.memory.records import Records
from deniable.papers.datasets import SETS, find
from deniable.source.prepare.preparation import Preparation


def binary(name: str, first: int | None = None) -> Records:
    """Read a set, or its first records: numbers split at the median, nominal values in two."""
    return _prepared(name, "binary", first)


def own_values(name: str) -> Records:
    """Read a set: numbers split at the median, nominal values as they are."""
    return _prepared(name, "keep", None)


@cache
def _prepared(name: str, nominal: str, first: int | None) -> Records:
    chosen = SETS[name]
    with TemporaryDirectory() as folder, find(name).open(encoding="utf-8") as file:
        raw, out = Path(folder, "raw.csv"), Path(folder, "prepared.parquet")
        lines = islice(file, None if first is None else first + 1)
        raw.write_text("".join(lines), encoding="utf-8")
        plan = Preparation.learn(
            raw, nominal=nominal, missing="drop", na=chosen.na, drop=chosen.drop
        )
        plan.apply(raw, out)
        return Records.of(pq.read_table(out), plan.schema)
