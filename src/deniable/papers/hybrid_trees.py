"""Trees of two parties: by randomization alone, by secure counts alone, and by both (paper D).

The attributes are dealt evenly to two parties, who both know the class, and into related groups;
the disguised table screens, and an exact oracle, which stands for secure computation, confirms.
"""

from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from deniable.mine.tree.decision_tree import DecisionTree
from deniable.mine.tree.grow import SplitRule, Window
from deniable.mine.tree.grown_trees import grown_tree
from deniable.oracle.api import CountOracle
from deniable.oracle.randomized import RandomizedOracle
from deniable.papers.datasets import SETS
from deniable.papers.one_coin_bayes import splits
from deniable.papers.prepared_sets import binary
from deniable.papers.related_groups import related
from deniable.papers.reproduction.experiment import Measured, Setting
from deniable.papers.reproduction.seeds import Seeds
from deniable.papers.secure_stand_in import RootedOracle, SecureStandIn, distinct
from deniable.papers.split_sets import TRAINING, SplitSet
from deniable.source.disguise import disguise_records
from deniable.source.randomness import SeededBits

HYBRID_SETS = ("adult", "mushroom", "tic-tac-toe")

ALONE, SECURE = "randomization only", "secure only"

TABLE_GROUPS, TABLE_THETA = "4", "0.45"
"""Of Table 1, and of the figures by window size."""

WINDOWS: Mapping[str, Window] = {
    "WS 1": 1,
    "WS 2": 2,
    "WS 3": 3,
    "WS 4": 4,
    "WS 5": 5,
    "WS 7": 7,
    "adaptive": "adaptive",
    "full": None,
}
"""Ours are the last two: what is worth confirming, and everything."""

COMPARED = ("WS 1", "WS 3", "adaptive", "full")
"""Windows at other numbers of groups and θ."""


def trees(setting: Setting, repeats: range, seeds: Seeds) -> Measured:
    """Grow a tree in every way; for each, accuracy and the number of SMC computations."""
    name, theta, groups = setting["set"], setting["theta"], int(setting["groups"])
    found: dict[str, list[float]] = defaultdict(list)
    for number, of_split in splits(repeats):
        data, dealt = _dealt(name, int(seeds.shared("split", name, str(number)).integers(1 << 62)))
        design = related(data.training.schema, dealt, groups, theta)
        exact = RootedOracle.exact(data.training)
        for repeat in of_split:
            bits = SeededBits(int(seeds.repeat(repeat).integers(1 << 62)))
            reports = disguise_records(data.training, None, design, bits)
            screen = RootedOracle(RandomizedOracle(distinct(reports), design))
            found[f"accuracy, {ALONE}"].append(data.accuracy(faithful_tree(screen, data.target)))
            for way in windows(setting):
                secure = SecureStandIn(exact, dealt[0::2], dealt[1::2])
                tree = faithful_tree(screen, data.target, secure, WINDOWS[way])
                found[f"accuracy, {way}"].append(data.accuracy(tree))
                found[f"computations, {way}"].append(secure.computations)
    return found


def windows(setting: Setting) -> tuple[str, ...]:
    """Which windows a cell is about: all where the papers vary them, none in figure 4's middle."""
    if (setting["groups"], setting["theta"]) == (TABLE_GROUPS, TABLE_THETA):
        return tuple(WINDOWS)
    return COMPARED if setting["groups"] in {"1", TABLE_GROUPS} else ()


def faithful_tree(
    screen: CountOracle, target: str, secure: CountOracle | None = None, window: Window = None
) -> DecisionTree:
    """Grow the papers' ID3 to the end: `mine_tree` with growth="faithful", not tested for chance.

    With a window, it is Hybrid-ID3.
    """
    names, rule = screen.schema.names, SplitRule(window)
    return grown_tree(screen, target, names, rule, 0.0, confirm=secure, cut=False)


@lru_cache(maxsize=4)
def _dealt(name: str, seed: int) -> tuple[SplitSet, list[str]]:
    """Split a set, and deal its attributes to two parties: every other one is mine."""
    rng = np.random.default_rng(seed)
    people, target = binary(name), SETS[name].target
    order = rng.permutation(len(people))
    cut = int(TRAINING * len(people))
    data = SplitSet(people.among(order[:cut]), people.among(order[cut:]), target)
    return data, rng.permutation(data.features).tolist()
