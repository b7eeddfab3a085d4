"""Naive Bayes through one shared coin: what is done in each repeat of papers B and E.

All attributes and the class of the training records are disguised together, by the unrelated or the
related question; naive Bayes is mined from the estimates and tested on the undisguised rest. Two
disguises share a split, and there are many splits, so that no figure rests on the luck of one.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import groupby

import numpy as np

from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.mine.bayes import mine_bayes
from deniable.mine.best.mine_best import mine_best
from deniable.mine.forest import mine_forest
from deniable.mine.groupwise import mine_groupwise
from deniable.mine.model import Classifier
from deniable.mine.tree.mine_tree import mine_tree
from deniable.oracle.api import CountOracle
from deniable.papers.datasets import SETS
from deniable.papers.many_bayes import WAYS, AnswerKey, answers, plain_estimates
from deniable.papers.middle_of_range import coded
from deniable.papers.record_patterns import RecordPatterns
from deniable.papers.reproduction.experiment import Measured, Setting
from deniable.papers.reproduction.seeds import Seeds
from deniable.papers.shared_coin import UNRELATED, Coin, RelatedCoin, UnrelatedCoin
from deniable.papers.split_sets import FIRST, TRAINING, SplitSet, disguised

DISGUISES = 2
"""Repeats that share a split."""

UNDISGUISED = "plain"
"""The measure of naive Bayes on the undisguised training records of the same split."""

OUR_MINERS: Mapping[str, Callable[[CountOracle, str], Classifier]] = {
    "naive Bayes": mine_bayes,
    "tree": mine_tree,
    "forest": mine_forest,
    "group-wise": mine_groupwise,
    "best": mine_best,
}


def bayes(setting: Setting, repeats: range, seeds: Seeds) -> Measured:
    """Disguise, estimate, classify: accuracy by the papers' formula and by possible counts.

    At θ = 0 of the unrelated question the reports say nothing, and Equation 1 divides by 0: both
    classes score the same, and the first one, in both sets the larger, is the answer.
    """
    name, theta = setting["set"], float(setting["theta"])
    patterns, key = distinct_patterns(name, setting["coding"])
    unrelated = setting["model"] == UNRELATED
    coin: Coin = UnrelatedCoin(theta) if unrelated else RelatedCoin(theta)
    found: dict[str, list[float]] = defaultdict(list)
    for number, of_split in splits(repeats):
        training, test = patterns.split(seeds.shared("split", name, str(number)))
        plain = answers(plain_estimates(patterns, training), "inversion", key.features)
        found[UNDISGUISED] += key.accuracy(plain, test).tolist() * len(of_split)
        if unrelated and theta == 0:
            first = np.zeros((len(of_split), len(key.features)), dtype=bool)
            said = dict.fromkeys(WAYS, first)
        else:
            reports = coin.reported(patterns, training, len(of_split), seeds.chunk(of_split))
            estimates = coin.undone(reports)
            said = {way: answers(estimates, way, key.features) for way in WAYS}
        for way in WAYS:
            found[way] += key.accuracy(said[way], test).tolist()
    return found


def splits(repeats: range) -> Iterator[tuple[int, range]]:
    """Give the number of each split, and the repeats that share it.

    >>> list(splits(range(3, 7)))
    [(1, range(3, 4)), (2, range(4, 6)), (3, range(6, 7))]
    """
    for number, members in groupby(repeats, lambda repeat: repeat // DISGUISES):
        together = list(members)
        yield number, range(together[0], together[-1] + 1)


@lru_cache(maxsize=4)
def distinct_patterns(name: str, coding: str) -> tuple[RecordPatterns, AnswerKey]:
    """Count a set's distinct records, and number what they can be asked."""
    patterns = RecordPatterns.of(coded(name, coding), SETS[name].target)
    return patterns, AnswerKey(patterns)


def our_miners(setting: Setting, repeats: range, seeds: Seeds) -> Measured:
    """Mine reports of the same kind by deniable's defaults; of Adult, the first 10,000 records."""
    name, target = setting["set"], SETS[setting["set"]].target
    people = _first_records(name)
    design = one_group(people, setting["model"], setting["theta"])
    found: dict[str, list[float]] = defaultdict(list)
    for repeat in repeats:
        order = seeds.shared("records", name, str(repeat)).permutation(len(people))
        cut = int(TRAINING * len(people))
        data = SplitSet(people.among(order[:cut]), people.among(order[cut:]), target)
        oracle = disguised(data.training, design, seeds.repeat(repeat))
        for miner in setting["miners"].split(", "):
            found[miner].append(data.accuracy(OUR_MINERS[miner](oracle, target)))
    return found


@lru_cache(maxsize=2)
def _first_records(name: str) -> Records:
    people = coded(name, "median")
    return people.among(slice(FIRST.get(name, len(people))))


def one_group(people: Records, model: str, theta: str) -> Design:
    """All attributes and the class share one coin; personal answers are even."""
    group: dict[str, object] = {
        "attributes": list(people.schema.names),
        "channel": model,
        "theta": theta,
    }
    if model == UNRELATED:
        group["personal"] = {a.name: dict.fromkeys(a.values, "1/2") for a in people.schema}
    attributes = {a.name: list(a.values) for a in people.schema}
    return Design.of({"attributes": attributes, "groups": [group]})
