"""The papers' data sets, every attribute in two values."""

from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow.parquet as pq

from benchmarks.peers import ROOT
from deniable import Records
from deniable.source.prepare.preparation import Preparation

DATA = ROOT.parent / "shared" / "data"


@dataclass(frozen=True)
class DataSet:
    """A file, its class, and what is left out: what names a record, or has a single value."""

    title: str
    file: str
    target: str
    drop: tuple[str, ...] = ()
    na: tuple[str, ...] = ()
    """What marks a value as missing, and its record to be dropped."""


SETS = {
    "adult": DataSet("Adult", "adult.csv", "income"),
    "cancer": DataSet(
        "Breast cancer", "breast-cancer-wisconsin.csv", "class", ("sample-code",), ("?",)
    ),
    "votes": DataSet("Votes", "house-votes-84.csv", "party"),
    "mushroom": DataSet("Mushroom", "mushroom.csv", "edibility", ("veil-type",)),
    "ttt": DataSet("Tic-tac-toe", "tic-tac-toe.csv", "x-wins"),
}


@cache
def binary(name: str, first: int | None = None) -> Records:
    """Read a set, or its first records: numbers split at the median, nominal values in two."""
    chosen = SETS[name]
    with TemporaryDirectory() as folder, (DATA / chosen.file).open(encoding="utf-8") as file:
        raw, out = Path(folder, "raw.csv"), Path(folder, "binary.parquet")
        lines = islice(file, None if first is None else first + 1)
        raw.write_text("".join(lines), encoding="utf-8")
        plan = Preparation.learn(
            raw, nominal="binary", missing="drop", na=chosen.na, drop=chosen.drop
        )
        plan.apply(raw, out)
        return Records.of(pq.read_table(out), plan.schema)
