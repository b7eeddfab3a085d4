"""Doing the papers' experiments again, beside loops over records in plain Python.

The loops are those of tests/papers, which hold the fast ones to the same results. Alone:
``python -m benchmarks.reproducing``.
"""

import sys
from collections.abc import Callable
from random import Random

import numpy as np

from benchmarks.peers import ROOT
from benchmarks.report import Bar, Row, Section, milliseconds
from benchmarks.timing import best
from deniable import Records
from deniable.papers import multi_group_trees, one_coin_bayes
from deniable.papers.prepared_sets import binary
from deniable.papers.reproduction.seeds import Seeds
from deniable.papers.split_sets import split_set

sys.path.append(str(ROOT / "tests"))

from papers.naive_hybrid import Estimated, disguised, hybrid_id3
from papers.naive_surveys import NaiveTwin, related_share, reported_by_related, split

SEED, TURNS = 1, 3
TREES = [
    {"set": name, "groups": "2", "theta": "0.8"} for name in multi_group_trees.MULTI_GROUP_SETS
]
SURVEYS = {"set": "adult", "coding": "median", "model": "related", "theta": "0.7"}
TREE_REPEATS, SURVEY_REPEATS = 10, 250
BAR = Bar(50, "≥")
Rows = list[tuple[int, ...]]


def run() -> Section:
    """Time one repeat of a cell of paper A, and one of papers B and E."""
    rows = [
        _row(
            "A: a tree of each set, 2 groups, θ = 0.8",
            _trees,
            TREE_REPEATS,
            _naive_trees,
        ),
        _row(
            "B, E: naive Bayes, Adult, related model, θ = 0.7",
            _survey,
            SURVEY_REPEATS,
            _naive_survey,
        ),
    ]
    return Section("The papers’ experiments", "times as fast", rows, NOTES)


NOTES = (
    "One repeat of a cell: disguise the training records, mine, and score on the test records. "
    "The peer is the papers’ text as loops over records in plain Python, which the tests hold to "
    "the same trees, estimates and accuracies (`tests/papers`).",
    f"Ours is the mean of the repeats that are done at a time: {TREE_REPEATS} and "
    f"{SURVEY_REPEATS}. Reading and splitting the sets is left out on both sides.",
)


def _row(
    question: str, ours: Callable[[], object], repeats: int, naive: Callable[[], object]
) -> Row:
    ours()  # reads the sets
    quick = best(ours, TURNS) / repeats
    slow = best(naive, 1)  # takes minutes
    return Row(question, "loops", milliseconds(quick), milliseconds(slow), slow / quick, BAR)


def _trees() -> None:
    for setting in TREES:
        seeds = Seeds(SEED, "A", setting)
        multi_group_trees.faithful_trees(setting, range(TREE_REPEATS), seeds)


def _naive_trees() -> None:
    for setting in TREES:
        data = split_set(setting["set"], Seeds(SEED, "A", setting))
        label, theta = len(data.features), float(setting["theta"])
        groups = [list(range(label + 1))[at::2] for at in range(2)]
        reports = disguised(_rows(data.training), groups, theta, Random(SEED))
        tree = hybrid_id3(Estimated(reports, groups, theta), None, range(label), label, 1)
        for row in _rows(data.test):
            tree.answer(row)


def _survey() -> None:
    one_coin_bayes.bayes(SURVEYS, range(SURVEY_REPEATS), Seeds(SEED, "E", SURVEYS))


def _naive_survey() -> None:
    people, theta = _rows(binary(SURVEYS["set"], 10_000)), float(SURVEYS["theta"])
    training, test = split(people, Random(SEED))
    reports = reported_by_related(training, theta, Random(SEED))
    NaiveTwin(related_share(reports, theta), len(people[0]) - 1).accuracy(test)


def _rows(records: Records) -> Rows:
    return [tuple(row) for row in np.stack(records.columns, axis=1).astype(int).tolist()]


if __name__ == "__main__":
    print(run())
