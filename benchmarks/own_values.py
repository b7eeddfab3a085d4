"""Trees over groups of many values, beside the same trees counted conjunction by conjunction.

Alone: ``python -m benchmarks.own_values``, where the peers are.
"""

from collections.abc import Iterable
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from benchmarks.report import Bar, Row, Section, milliseconds
from benchmarks.timing import alternating, best
from deniable import Design, Estimates, Family, RandomizedOracle, Records, disguise
from deniable.engine.memory.numpy_engine import MemoryEngine
from deniable.expression import Expression
from deniable.mine.tree.decision_tree import DecisionTree
from deniable.mine.tree.mine_tree import mine_tree
from deniable.oracle.api import Target
from deniable.papers.prepared_sets import own_values
from deniable.papers.related_groups import related

TARGET = "income"
GROUPS = 3
THETA = "0.8"
CHANNELS = ("related", "keep-or-uniform", "unrelated")
DEPTH = 6
REPEATS = 3
BAR = Bar(5, "≥")
PROMISED = 10.0
"""Seconds that a default tree may take."""


class CountsOnly:
    """The same reports, of which nothing is known but counts of conjunctions."""

    def __init__(self, oracle: RandomizedOracle) -> None:
        self._oracle, self.schema, self.n = oracle, oracle.schema, oracle.n

    def count(
        self, expressions: Iterable[Expression] | Family, *, of: Target = "sample"
    ) -> Estimates:
        """Estimate counts."""
        return self._oracle.count(expressions, of=of)


def run() -> Section:
    """Grow to the end, and to a depth that counts can reach."""
    people = own_values("adult")
    features = [name for name in people.schema.names if name != TARGET]
    rows, grown = list[Row](), list[str]()
    for channel, (the_class, disguised) in product(CHANNELS, _disguised(features).items()):
        design = _dealt(people, disguised, channel)
        reports = disguise(people, design)
        whole = partial(mine_tree, _oracle(reports, design), TARGET)
        if not rows:
            rows.append(_beside_counts(reports, design))
            times = alternating({"ours": whole, "peer": partial(_plain, people, features)}, 1)
            question = f"{channel} groups, default"
            rows.append(_row(question, "DecisionTreeClassifier", times["ours"], times["peer"]))
        took = best(whole, 1)
        question = f"{channel} groups, class {the_class}, default"
        rows.append(_row(question, "what was promised", took, PROMISED, Bar(1, "≥")))
        grown.append(f"{channel}, class {the_class}: {len(whole().leaves):,}")
    return Section("Trees of many values", "times faster", rows, _notes(people, grown))


def _disguised(features: list[str]) -> dict[str, list[str]]:
    """What is dealt into groups, with a public class, or with one in a group among others."""
    return {"public": features, "in a group": [*features, TARGET]}


def _beside_counts(reports: Records, design: Design) -> Row:
    """Grow the same tree twice; the nodes, counts and standard errors must be the same."""
    ours, counts = (partial(_shallow, reports, design, counts=flag) for flag in (False, True))
    _agree(ours(), counts())
    times = alternating({"ours": ours, "counts": counts}, REPEATS)
    question = f"related groups, {DEPTH} levels"
    return _row(question, "the same by counts", times["ours"], times["counts"], BAR)


def _dealt(people: Records, names: list[str], channel: str) -> Design:
    document = related(people.schema, names, GROUPS, THETA).document()
    for group in document["groups"]:
        group["channel"] = channel
        if channel == "unrelated":
            group["personal"] = {
                name: dict.fromkeys(people.schema[name].values, f"1/{people.schema[name].size}")
                for name in group["attributes"]
            }
    return Design.of(document)


def _oracle(reports: Records, design: Design) -> RandomizedOracle:
    return RandomizedOracle(MemoryEngine(reports), design)


def _shallow(reports: Records, design: Design, *, counts: bool) -> DecisionTree:
    oracle = _oracle(reports, design)
    data = CountsOnly(oracle) if counts else oracle
    return mine_tree(data, TARGET, growth="faithful", max_depth=DEPTH)


def _plain(people: Records, names: list[str]) -> Any:
    columns = {name: people.columns[people.schema.position(name)] for name in (*names, TARGET)}
    ones = [columns[name] == code for name in names for code in range(people.schema[name].size)]
    codes = np.asfortranarray(np.stack(ones, axis=1), dtype=np.float32)
    return DecisionTreeClassifier(criterion="entropy").fit(codes, columns[TARGET])


def _agree(ours: DecisionTree, counted: DecisionTree) -> None:
    """Compare all nodes' counts and standard errors: rounding is all that may differ."""
    assert np.array_equal(ours.axis, counted.axis)
    np.testing.assert_allclose(ours.counts, counted.counts, rtol=1e-9, atol=1e-6)
    np.testing.assert_allclose(ours.errors, counted.errors, rtol=1e-9)


def _row(question: str, peer: str, ours: float, theirs: float, bar: Bar | None = None) -> Row:
    return Row(question, peer, milliseconds(ours), milliseconds(theirs), theirs / ours, bar)


def _notes(people: Records, grown: list[str]) -> list[str]:
    values = sum(attribute.size for attribute in people.schema)
    return [
        f"All {len(people):,} records of Adult with its own values ({values} of "
        f"{len(people.schema)} attributes; numbers split at the median). All attributes but the "
        f"class, or all, are disguised in {GROUPS} groups, θ = {THETA}; unrelated answers are "
        "evenly distributed.",
        f"*By counts* is the same miner, `growth='faithful'` and {DEPTH} levels deep, over an "
        "oracle that only counts conjunctions; gigabytes let it get little deeper. All nodes, "
        "counts and "
        f"standard errors are asserted to be the same. Best of {REPEATS} in turns.",
        "*Default* is a whole tree on shrunk counts. The peer, for reading only, gets the "
        "undisguised data, a column for each value. Each is grown once.",
        f"Leaves of the default trees: {'; '.join(grown)}.",
    ]


if __name__ == "__main__":
    print(run())
