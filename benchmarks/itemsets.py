"""Frequent item sets of disguised records, beside mlxtend's of the undisguised ones.

Alone: ``python -m benchmarks.itemsets``, where the peers are.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import numpy as np
import pandas as pd
from mlxtend.frequent_patterns import apriori, fpgrowth

from benchmarks.report import Bar, Row, Section, milliseconds
from benchmarks.timing import alternating
from deniable import Design, RandomizedOracle, Records, disguise
from deniable.engine.memory.numpy_engine import MemoryEngine
from deniable.mine.rules.item_sets import ItemSet, frequent
from deniable.papers.prepared_sets import binary
from deniable.papers.related_groups import related

SUPPORT = 0.05
THETA = "0.8"
GROUPS = 3
Choice = Literal["yes", "all"]
REPEATS: dict[Choice, int] = {"yes": 20, "all": 2}
OTHER = "fpgrowth"
BARS: dict[Choice, Bar] = {"yes": Bar(3, "≥"), "all": Bar(2, "≥")}


def run() -> Section:
    """Mine few items and many."""
    people = binary("adult")
    design = related(people.schema, people.schema.names, GROUPS, THETA)
    reports = disguise(people, design)
    rows, found = [], []
    for choice, repeats in REPEATS.items():
        table = _basket(people, every_value=choice == "all")
        mine, peers = partial(_mined, reports, design, choice), _peers(table)
        if choice == "all":
            del peers["apriori"]  # takes longer than with low_memory, and gigabytes
        question = f"{table.shape[1]} items"
        times = alternating({question: mine} | peers, repeats)
        ours = times.pop(question)
        rows += [
            Row(question, peer, milliseconds(ours), milliseconds(his), his / ours, BARS[choice])
            for peer, his in times.items()
        ]
        found.append((question, len(mine()), len(peers[OTHER]())))
    return Section("Item sets", "times faster", rows, _notes(people, found))


def _mined(reports: Records, design: Design, choice: Choice) -> list[ItemSet]:
    oracle = RandomizedOracle(MemoryEngine(reports), design)
    return list(frequent(oracle, min_support=SUPPORT, items=choice).rows())


def _peers(table: pd.DataFrame) -> dict[str, Callable[[], Any]]:
    return {
        "apriori": lambda: apriori(table, min_support=SUPPORT),
        "apriori, low_memory=True": lambda: apriori(table, min_support=SUPPORT, low_memory=True),
        OTHER: lambda: fpgrowth(table, min_support=SUPPORT),
    }


def _basket(people: Records, *, every_value: bool) -> pd.DataFrame:
    """Write items as mlxtend wants them: a column of booleans each."""
    codes = (0, 1) if every_value else (1,)
    items = [column == code for column in people.columns for code in codes]
    return pd.DataFrame(np.stack(items, axis=1))


def _notes(people: Records, found: list[tuple[str, int, int]]) -> list[str]:
    sets = "; ".join(f"{question}: {ours:,} and {exact:,}" for question, ours, exact in found)
    return [
        f"All {len(people):,} records of Adult, {len(people.schema)} attributes in two values "
        "(numbers and sorted nominal values split at the median), all of them disguised in "
        f"{GROUPS} related groups, θ = {THETA}; support {SUPPORT}. An item is the last value of an "
        "attribute, or any value.",
        "Ours begins with records of reports, and makes every row of a list of sets with standard "
        "errors and intervals; candidates are kept while they are not significantly below the "
        "support. The peers, mlxtend's, begin with the undisguised table of booleans; *fpgrowth* "
        "is another algorithm.",
        f"Sets found through the disguise, and in the undisguised data: {sets}. Best of "
        f"{REPEATS['yes']} in turns, all values of {REPEATS['all']}.",
    ]


if __name__ == "__main__":
    print(run())
