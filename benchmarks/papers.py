"""The papers' experiments beside loops over records, as their text has them (the naive twins).

Alone: ``python -m benchmarks.papers``.
"""

import random
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import process_time

import numpy as np

from benchmarks.report import Bar, Row, Section, milliseconds
from deniable import Records
from deniable.papers.datasets import SETS
from deniable.papers.hybrid_item_sets import SUPPORT, disguised_sets
from deniable.papers.hybrid_trees import trees
from deniable.papers.middle_of_range import coded
from deniable.papers.multi_group_trees import faithful_trees
from deniable.papers.one_coin_bayes import bayes
from deniable.papers.prepared_sets import binary
from deniable.papers.reproduction.experiment import Setting, Work
from deniable.papers.reproduction.seeds import Seeds

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))

from papers import naive_hybrid, naive_surveys

FASTER = Bar(50, "≥")
SEED = 20261119
REPEATS = {"bayes": 100, "trees": 10, "sets": 10}
"""Of the fast way; the slow one is done once."""


def run() -> Section:
    """Do a slice of each experiment in both ways."""
    slices: list[tuple[str, Work, Setting, int, Callable[[], object]]] = [
        (
            "A: trees, Adult, 3 groups, θ = .6",
            faithful_trees,
            {"set": "adult", "groups": "3", "theta": "0.6"},
            REPEATS["trees"],
            _group_trees_by_loops,
        ),
        (
            "B, E: naive Bayes, Adult, unrelated question, θ = .6",
            bayes,
            {"set": "adult", "coding": "median", "model": "unrelated", "theta": "0.6"},
            REPEATS["bayes"],
            _bayes_by_loops,
        ),
        (
            "D: hybrid trees, Tic-tac-toe, 4 groups, θ = .4, all windows",
            trees,
            {"set": "tic-tac-toe", "groups": "4", "theta": "0.4"},
            REPEATS["trees"],
            _trees_by_loops,
        ),
        (
            "D: item sets, Adult, θ = .45",
            disguised_sets,
            {"coding": "range", "theta": "0.45"},
            REPEATS["sets"],
            _sets_by_loops,
        ),
    ]
    rows = []
    for question, work, setting, repeats, twin in slices:
        seeds = Seeds(SEED, "benchmark", setting)
        work(setting, range(1), seeds)  # reads the set, which is not part of a repeat
        ours = _timed(partial(work, setting, range(repeats), seeds))
        theirs = _timed(twin)
        each = ours / repeats
        cells = milliseconds(each), milliseconds(theirs)
        rows.append(Row(question, "loops over records", *cells, theirs / each, FASTER))
    notes = [
        "CPU time of one repeat; of ours the mean of many, the split, the benchmark and the three "
        "ways of making counts possible among them.",
        "The peers are the naive twins of `tests/papers`: plain loops over records, written from "
        "the papers' text, which the tests hold the fast way to.",
    ]
    return Section("The papers' experiments", "times faster", rows, notes)


def _timed(work: Callable[[], object]) -> float:
    begin = process_time()
    work()
    return process_time() - begin


def _rows(people: Records, target: str) -> list[tuple[int, ...]]:
    """Plain tuples, the class last."""
    names = [*(name for name in people.schema.names if name != target), target]
    columns = [people.columns[people.schema.position(name)] for name in names]
    return [tuple(row) for row in np.stack(columns, axis=1).tolist()]


def _group_trees_by_loops() -> float:
    rng = random.Random(SEED)
    rows = _rows(binary("adult", 10_000), SETS["adult"].target)
    training, test = naive_surveys.split(rows, rng)
    label = len(rows[0]) - 1
    dealt = rng.sample(range(label + 1), label + 1)  # the class, too, is in a group
    groups = [dealt[at::3] for at in range(3)]
    screen = naive_hybrid.Estimated(naive_hybrid.disguised(training, groups, 0.6, rng), groups, 0.6)
    tree = naive_hybrid.hybrid_id3(screen, None, range(label), label, 1)
    return sum(tree.answer(row) == row[-1] for row in test) / len(test)


def _bayes_by_loops() -> float:
    rng = random.Random(SEED)
    rows = _rows(coded("adult", "median"), SETS["adult"].target)
    training, test = naive_surveys.split(rows, rng)
    reports = naive_surveys.reported_by_unrelated(training, 0.6, 0.5, rng)
    share = naive_surveys.unrelated_share(reports, 0.6, 0.5)
    return naive_surveys.NaiveTwin(share, len(rows[0]) - 1).accuracy(test)


def _trees_by_loops() -> float:
    rng = random.Random(SEED)
    rows = _rows(coded("tic-tac-toe", "median"), SETS["tic-tac-toe"].target)
    training, test = naive_surveys.split(rows, rng)
    label = len(rows[0]) - 1
    dealt = rng.sample(range(label), label)
    groups = [dealt[at::4] for at in range(4)]
    screen = naive_hybrid.Estimated(naive_hybrid.disguised(training, groups, 0.4, rng), groups, 0.4)
    found = [naive_hybrid.hybrid_id3(screen, None, range(label), label, 1)]
    for window in (1, 3, label):
        secure = naive_hybrid.Secure(training, dealt[0::2], dealt[1::2])
        found.append(naive_hybrid.hybrid_id3(screen, secure, range(label), label, window))
    return sum(tree.answer(row) == row[-1] for tree in found for row in test) / len(test)


def _sets_by_loops() -> int:
    rng = random.Random(SEED)
    rows = _rows(coded("adult", "range"), SETS["adult"].target)
    places = range(len(rows[0]))
    reports = naive_hybrid.disguised(rows, [places], 0.45, rng)
    screen = naive_hybrid.Estimated(reports, [places], 0.45)
    secure = naive_hybrid.Secure(rows, places[0::2], places[1::2])
    naive_hybrid.frequent_sets(screen, len(rows), places, SUPPORT, 0)
    found = naive_hybrid.frequent_sets(screen, len(rows), places, SUPPORT, 0, secure)
    return len(found[0])


if __name__ == "__main__":
    print(run())
