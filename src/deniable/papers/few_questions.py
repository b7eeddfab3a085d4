"""A survey that somebody might hold: a class and the few features that tell most about it.

Nobody asks thirty questions of one person through a random device, and an attacker who weighs every
whole answer can only do so where these are few. All schemes are asked the same questions.
"""

from functools import lru_cache

import numpy as np

from deniable.engine.memory.records import Records
from deniable.mine.tree.gain import information_gain
from deniable.papers.reproduction.seeds import Seeds
from deniable.papers.split_sets import SplitSet, split_set
from deniable.schema import Schema

QUESTIONS = 10
"""Of each survey, the class among them: as many as the two smallest sets have."""

MOST_ASKED = 4_000
"""Respondents, at most."""


def survey_of(name: str, seeds: Seeds, questions: int, respondents: int = MOST_ASKED) -> SplitSet:
    """Ask some of the training records of a set what tells most about their class."""
    whole = split_set(name, seeds)
    return _asked(whole, questions, respondents)


@lru_cache(maxsize=8)
def _asked(whole: SplitSet, questions: int, respondents: int) -> SplitSet:
    asked = whole.training.among(slice(respondents))
    names = telling(asked, whole.target)[: questions - 1]
    kept = {whole.target, *names}
    schema = Schema(tuple(each for each in asked.schema if each.name in kept))
    return SplitSet(asked.select(schema), whole.test.select(schema), whole.target)


def telling(people: Records, target: str) -> list[str]:
    """Name the features, those first that tell most about the class by themselves."""
    columns = dict(zip(people.schema.names, people.columns, strict=True))
    classes = people.schema[target].size
    gains = {}
    for name in people.schema.names:
        if name != target:
            size = people.schema[name].size
            cells = columns[name].astype(np.int64) * classes + columns[target]
            counts = np.bincount(cells, minlength=size * classes).astype(np.float64)
            gains[name] = float(information_gain(counts.reshape(1, size, classes))[0])
    return sorted(gains, key=lambda name: (-gains[name], name))


def commonest_values(people: Records) -> float:
    """Share of single answers that are guessed rightly without any report: the commonest ones."""
    return float(np.mean([np.bincount(each).max() / len(people) for each in people.columns]))


def commonest_class(people: Records, target: str) -> float:
    """Share of classes that are guessed rightly without any report."""
    column = people.columns[people.schema.position(target)]
    return float(np.bincount(column).max() / len(people))


def commonest_record(people: Records) -> float:
    """Share of whole records that are guessed rightly without any report."""
    _, counts = np.unique(np.stack(people.columns, axis=1), axis=0, return_counts=True)
    return float(counts.max() / len(people))
