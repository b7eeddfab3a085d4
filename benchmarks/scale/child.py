"""One measurement in a process of its own: wall time from start to end, and its peak memory.

python -m benchmarks.scale.child bare|mine|spark|… FOLDER SHARDS
"""

import json
import sys
from collections.abc import Callable
from math import prod
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.scale.data import class_of, design, shard, wide_design

Answer = dict[str, Any]


def bare(files: list[Path]) -> Answer:
    """DuckDB by itself: GROUP BY over the same columns, into Arrow."""
    import duckdb

    columns = ", ".join(f'"{name}"' for name in design().schema.names)
    query = f"SELECT {columns}, count(*) FROM read_parquet($files) GROUP BY ALL"  # noqa: S608
    found = duckdb.connect().sql(query, params={"files": [str(file) for file in files]})
    table = found.to_arrow_table()
    return {"rows": table.num_rows, "records": sum(table.column(table.num_columns - 1).to_pylist())}


def mine(files: list[Path]) -> Answer:
    """A tree, naive Bayes and rules: the files are read once, as counts."""
    from deniable.engine.files.file_tables import Files, TableFile
    from deniable.mine.bayes import mine_bayes
    from deniable.mine.rules.association_rules import mine_rules
    from deniable.mine.tree.mine_tree import mine_tree
    from deniable.oracle.randomized import RandomizedOracle

    clock = perf_counter()
    table = Files("the shards", [TableFile(file) for file in files])
    oracle = RandomizedOracle(table.held(design().schema), design())
    seconds = {"counts": perf_counter() - clock}
    models: dict[str, Callable[[], Any]] = {
        "tree": lambda: mine_tree(oracle, class_of(design()), max_depth=8),
        "bayes": lambda: mine_bayes(oracle, class_of(design())),
        "rules": lambda: mine_rules(oracle, min_support=0.2, min_confidence=0.6),
    }
    found = {}
    for name, miner in models.items():
        clock = perf_counter()
        found[name] = miner()
        seconds[name] = perf_counter() - clock
    sizes = {"leaves": len(found["tree"].leaves), "rules": len(found["rules"])}
    return {"records": oracle.n, "seconds": seconds, **sizes}


def spark(files: list[Path]) -> Answer:
    """The same counts by Spark on this machine's cores, the start of Java among it."""
    from deniable.engine.open_table import open_table

    pattern = f"{files[0].parent}/{{{','.join(file.name for file in files)}}}"
    engine = open_table(f"spark+local://#{pattern}").held(design().schema)
    return {"records": engine.tabulate([()])[0].n}


def wide(files: list[Path], *, held: bool) -> Answer:
    """Naive Bayes and a tree of depth five over 300 attributes, in memory or pushed to DuckDB."""
    from deniable.engine.files.file_tables import Files, TableFile
    from deniable.mine.bayes import mine_bayes
    from deniable.mine.tree.mine_tree import mine_tree
    from deniable.oracle.randomized import RandomizedOracle

    plan = wide_design(300)
    table = Files("the shards", [TableFile(file) for file in files])
    clock = perf_counter()
    engine = table.held(plan.schema) if held else table.engine(plan.schema)
    asked: list[tuple[int, float]] = []
    tabulate = engine.tabulate

    def watched(column_sets: Any) -> Any:
        sizes = dict(zip(plan.schema.names, plan.schema.sizes, strict=True))
        asked.extend((len(c), float(prod(sizes[name] for name in c))) for c in column_sets)
        return tabulate(column_sets)

    engine.tabulate = watched  # type: ignore[method-assign]
    oracle = RandomizedOracle(engine, plan)
    seconds = {"opening": perf_counter() - clock}
    clock = perf_counter()
    mine_bayes(oracle, class_of(plan))
    seconds["bayes"] = perf_counter() - clock
    clock = perf_counter()
    tree = mine_tree(oracle, class_of(plan), max_depth=5, strength=1.0)
    seconds["tree"] = perf_counter() - clock
    return {
        "records": oracle.n,
        "seconds": seconds,
        "leaves": len(tree.leaves),
        "depth": tree.depth,
        "most columns": max((columns for columns, _ in asked), default=0),
        "most cells": max((cells for _, cells in asked), default=0),
        "column sets": len(asked),
    }


def peak() -> int:
    """Peak resident memory of this process, in bytes."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return 1024 * int(status.partition("VmHWM:")[2].split()[0])


KINDS: dict[str, Callable[[list[Path]], Answer]] = {
    "bare": bare,
    "mine": mine,
    "spark": spark,
    "wide in memory": lambda files: wide(files, held=True),
    "wide pushed": lambda files: wide(files, held=False),
}

if __name__ == "__main__":
    kind, folder, shards = sys.argv[1:]
    answer = KINDS[kind]([shard(Path(folder), number) for number in range(int(shards))])
    print(json.dumps({**answer, "peak": peak()}))
