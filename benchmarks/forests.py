"""Forests of disguised records, beside scikit-learn's of the undisguised ones.

Alone: ``python -m benchmarks.forests``, where the peers are.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier

from benchmarks.mining import GROUPS, RECORDS, TARGET, THETA, narrow
from benchmarks.report import Bar, Row, Section, milliseconds
from benchmarks.timing import alternating
from deniable import Design, RandomizedOracle, Records, disguise
from deniable.engine.memory.numpy_engine import MemoryEngine
from deniable.mine.best.mine_best import mine_best
from deniable.mine.forest import TREES, mine_forest
from deniable.mine.groupwise import mine_groupwise
from deniable.papers.datasets import SETS
from deniable.papers.prepared_sets import binary
from deniable.papers.related_groups import related

SET = "adult"
REPEATS, LARGE_REPEATS = 3, 1
SMALL_BAR, LARGE_BAR = Bar(2.5, "≥"), Bar(10, "≥")
AS_LONG = 3
"""Times as long as a forest that what is made of forests may take."""

FOREST = "forest"
MINERS: Mapping[str, Callable[..., object]] = {
    FOREST: mine_forest,
    "group-wise": mine_groupwise,
    "best": mine_best,
}
PEER = f"RandomForestClassifier({TREES})"

Codes = NDArray[np.uint8]

NOTES = (
    f"{TREES} trees on both sides, one thread. θ = {THETA}, {GROUPS} related groups; the peer gets "
    "the undisguised data, by rows or by columns, whichever is quicker for it. Its trees are grown "
    "on plain counts; ours on shrunk ones: how much is believed is learnt at every level.",
    f"Adult: all records, every attribute in two values, *{SETS[SET].target}* to predict, public "
    "or disguised with the others. Group-wise and best are compared with our own forest.",
    f"{RECORDS:,} records: those of the tree above. Best of {REPEATS}, of {LARGE_REPEATS} there.",
)


def run() -> Section:
    """Mine by all sides."""
    rows = [*_adult("public"), *_adult("disguised"), _large()]
    return Section("Forests", "times faster", rows, NOTES)


def _adult(the_class: str) -> list[Row]:
    people, target = binary(SET), SETS[SET].target
    disguised = [name for name in people.schema.names if the_class != "public" or name != target]
    design = related(people.schema, disguised, GROUPS, THETA)
    reports = disguise(people, design)
    codes = dict(zip(people.schema.names, people.columns, strict=True))
    answer = codes.pop(target)
    works = {name: partial(_mined, mine, reports, design, target) for name, mine in MINERS.items()}
    times = alternating(works | _peers(np.stack(list(codes.values()), axis=1), answer), REPEATS)
    theirs = min(times.pop(layout) for layout in ("C", "F"))
    question = f"Adult, class {the_class}"
    return [
        _row(f"{FOREST}, {question}", PEER, times[FOREST], theirs, SMALL_BAR),
        *(
            _row(f"{name}, {question}", "our forest", ours, times[FOREST], Bar(1 / AS_LONG, "≥"))
            for name, ours in times.items()
            if name != FOREST
        ),
    ]


def _large() -> Row:
    people = narrow(RECORDS, seed=1)
    ours = partial(_mined, mine_forest, people.reports, people.design, TARGET)
    times = alternating({FOREST: ours} | _peers(people.codes, people.answer), LARGE_REPEATS)
    theirs = min(times[layout] for layout in ("C", "F"))
    return _row(f"{FOREST}, {RECORDS:,} records", PEER, times[FOREST], theirs, LARGE_BAR)


def _mined(mine: Callable[..., object], reports: Records, design: Design, target: str) -> object:
    return mine(RandomizedOracle(MemoryEngine(reports), design), target)


def _peers(codes: Codes, answer: Codes) -> dict[str, Callable[[], Any]]:
    """The peer on both layouts of the data."""
    layouts = {order: np.asarray(codes, dtype=np.float32, order=order) for order in ("C", "F")}
    return {
        order: partial(RandomForestClassifier(TREES, random_state=0, n_jobs=1).fit, data, answer)
        for order, data in layouts.items()
    }


def _row(question: str, peer: str, ours: float, theirs: float, bar: Bar) -> Row:
    return Row(question, peer, milliseconds(ours), milliseconds(theirs), theirs / ours, bar)


if __name__ == "__main__":
    print(run())
