"""Paper A, Zhan and Du: decision trees through one, two and three related groups.

As the paper has it, each repeat deals all attributes into groups at random, the class among them,
disguises the training records, and tests on undisguised ones. The split of a set is the same in all
repeats, so that what varies is the disguise.
"""

from collections import defaultdict
from collections.abc import Sequence
from itertools import product

import numpy as np

from deniable.design import Design
from deniable.mine.best.mine_best import mine_best
from deniable.mine.forest import mine_forest
from deniable.mine.groupwise import mine_groupwise
from deniable.mine.scores.score import score
from deniable.mine.tree.mine_tree import mine_tree
from deniable.oracle.randomized import RandomizedOracle
from deniable.papers.related_groups import THETAS, UPPER, related
from deniable.papers.reproduction.experiment import Effort, Experiment, Measured, Setting
from deniable.papers.reproduction.seeds import Seeds
from deniable.papers.split_sets import SplitSet, disguised, split_set

MULTI_GROUP_SETS = ("adult", "breast-cancer-wisconsin", "house-votes-84")
GROUPS = ("1", "2", "3")


SCORED = ("0.6", "0.7", "0.8", "0.9")
QUICKLY_BEST = ("0.6", "0.8")
"""θ of the slowest miner in a quick run."""


def faithful_trees(setting: Setting, repeats: range, seeds: Seeds) -> Measured:
    """Mine by the paper's ID3, beside plain ID3 on the undisguised records."""
    data = split_set(setting["set"], seeds)
    oracles = (_reports(data, setting, seeds, repeat) for repeat in repeats)
    right = [data.accuracy(mine_tree(each, data.target, growth="faithful")) for each in oracles]
    many = len(repeats)
    return {
        "faithful": right,
        "plain ID3": [data.plain] * many,
        "larger class": [data.larger_class] * many,
    }


def default_trees(setting: Setting, repeats: range, seeds: Seeds) -> Measured:
    """Mine our default tree from the same reports."""
    data = split_set(setting["set"], seeds)
    return {
        "tree": [
            data.accuracy(mine_tree(_reports(data, setting, seeds, repeat), data.target))
            for repeat in repeats
        ]
    }


def many_trees(setting: Setting, repeats: range, seeds: Seeds) -> Measured:
    """Mine group-wise Bayes and a forest from the same reports."""
    data = split_set(setting["set"], seeds)
    found: dict[str, list[float]] = defaultdict(list)
    for repeat in repeats:
        oracle = _reports(data, setting, seeds, repeat)
        found["group-wise"].append(data.accuracy(mine_groupwise(oracle, data.target)))
        found["forest"].append(data.accuracy(mine_forest(oracle, data.target)))
    return found


def best_models(setting: Setting, repeats: range, seeds: Seeds) -> Measured:
    """Mine the best classifier from the same reports."""
    data = split_set(setting["set"], seeds)
    return {
        "best": [
            data.accuracy(mine_best(_reports(data, setting, seeds, repeat), data.target))
            for repeat in repeats
        ]
    }


def public_classes(setting: Setting, repeats: range, seeds: Seeds) -> Measured:
    """Leave the class undisguised, as section 4.5 allows."""
    data = split_set(setting["set"], seeds)
    found: dict[str, list[float]] = defaultdict(list)
    for repeat in repeats:
        oracle = _reports(data, setting, seeds, repeat, data.features)
        found["faithful"].append(data.accuracy(mine_tree(oracle, data.target, growth="faithful")))
        found["tree"].append(data.accuracy(mine_tree(oracle, data.target)))
    return found


def disguised_tests(setting: Setting, repeats: range, seeds: Seeds) -> Measured:
    """Score plain ID3 on the test records, disguised (section 4.6), beside its true accuracy."""
    data = split_set(setting["set"], seeds)
    tree = data.plain_tree
    found: dict[str, list[float]] = defaultdict(list)
    for repeat in repeats:
        rng = seeds.repeat(repeat, "test records")
        design = _design(data, setting, rng, data.training.schema.names)
        scored = score(tree, disguised(data.test, design, rng), of="sample")
        low, high = scored.interval()
        found["estimated"].append(scored.accuracy)
        found["error"].append(scored.accuracy - data.plain)
        found["standard error"].append(scored.std_error)
        found["covered"].append(float(low <= data.plain <= high))
    return found


def _reports(
    data: SplitSet,
    setting: Setting,
    seeds: Seeds,
    repeat: int,
    names: Sequence[str] | None = None,
) -> RandomizedOracle:
    """Deal and disguise, in each repeat in the same way for all miners."""
    rng = seeds.repeat(repeat)
    design = _design(data, setting, rng, names or data.training.schema.names)
    return disguised(data.training, design, rng)


def _design(
    data: SplitSet, setting: Setting, rng: np.random.Generator, names: Sequence[str]
) -> Design:
    """Deal attributes into groups at random."""
    dealt = rng.permutation(list(names)).tolist()
    return related(data.training.schema, dealt, int(setting["groups"]), setting["theta"])


def settings(thetas: Sequence[str]) -> list[Setting]:
    """Every set and number of groups, by some θ."""
    return [
        {"set": name, "groups": groups, "theta": theta}
        for name, groups, theta in product(MULTI_GROUP_SETS, GROUPS, thetas)
    ]


def experiments(effort: Effort) -> Sequence[Experiment]:
    """The paper's own, ours on the same reports, and what the paper leaves to the reader."""
    upper = settings(UPPER)
    best = settings(QUICKLY_BEST) if effort.quick else upper
    own, some = effort.repeats(50, 5), effort.repeats(10, 1, costly=True)
    return [
        Experiment("faithful", faithful_trees, settings(THETAS), own, chunk=25),
        Experiment("tree", default_trees, upper, own, chunk=10),
        Experiment("public class", public_classes, upper, some, chunk=10),
        Experiment("scored", disguised_tests, settings(SCORED), effort.repeats(200, 40), chunk=200),
        Experiment("many trees", many_trees, upper, some, chunk=2),
        Experiment("best", best_models, best, effort.repeats(4, 2, costly=True), chunk=1),
    ]
