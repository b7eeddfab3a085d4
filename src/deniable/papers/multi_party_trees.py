"""Paper C, Zhan, Chang and Matwin: decision trees of three parties that send to a collector.

In each repeat the attributes are dealt to three parties at random; each disguises its own as one
group. All know the class. The split of a set is the same in all repeats.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations, product
from math import comb

import numpy as np

from deniable.base.arrays import Floats
from deniable.design import Design
from deniable.expression import Family
from deniable.mine.tree.mine_tree import mine_tree
from deniable.oracle.api import CountOracle
from deniable.oracle.pooled import PooledOracle
from deniable.papers.related_groups import THETAS, UPPER, related, related_parts
from deniable.papers.reproduction.experiment import Effort, Experiment, Measured, Setting
from deniable.papers.reproduction.seeds import Seeds
from deniable.papers.split_sets import SplitSet, disguised, split_set

MULTI_PARTY_SETS = ("breast-cancer-wisconsin", "adult")
"""In the order of the paper's figures."""

PARTIES = 3


OWN_THETAS = ("0.6 0.6 0.6", "0.6 0.6 0.9", "0.6 0.9 0.9", "0.9 0.9 0.9")
"""A θ for each party; from one to the next, one more party disguises less."""

SOLVED_FOR = ("2", "3", "4", "5")
"""Numbers of parties for which the paper's aggregated equations are solved."""

CONJUNCTIONS = 200


def faithful_trees(setting: Setting, repeats: range, seeds: Seeds) -> Measured:
    """Mine by the paper's ID3, beside plain ID3 on the undisguised records."""
    data = split_set(setting["set"], seeds)
    right = []
    for repeat in repeats:
        rng = seeds.repeat(repeat)
        parts = _dealt(data, rng)
        oracle = disguised(data.training, _all_disguised(data, parts, setting["theta"]), rng)
        right.append(_faithful(data, oracle))
    many = len(repeats)
    return {
        "faithful": right,
        "plain ID3": [data.plain] * many,
        "larger class": [data.larger_class] * many,
    }


def default_trees(setting: Setting, repeats: range, seeds: Seeds) -> Measured:
    """Mine our default tree from the same reports."""
    data = split_set(setting["set"], seeds)
    right = []
    for repeat in repeats:
        rng = seeds.repeat(repeat)
        parts = _dealt(data, rng)
        oracle = disguised(data.training, _all_disguised(data, parts, setting["theta"]), rng)
        right.append(_default(data, oracle))
    return {"tree": right}


def open_collectors(setting: Setting, repeats: range, seeds: Seeds) -> Measured:
    """Leave the columns of the first party, the collector, as they are (section 7)."""
    data = split_set(setting["set"], seeds)
    found: dict[str, list[float]] = defaultdict(list)
    for repeat in repeats:
        rng = seeds.repeat(repeat)
        others = _dealt(data, rng)[1:]
        design = _all_disguised(data, others, setting["theta"])
        _both(data, disguised(data.training, design, rng), found)
    return found


def own_thetas(setting: Setting, repeats: range, seeds: Seeds) -> Measured:
    """Let each party choose its own θ (section 7)."""
    data = split_set(setting["set"], seeds)
    found: dict[str, list[float]] = defaultdict(list)
    for repeat in repeats:
        rng = seeds.repeat(repeat)
        parts = zip(_dealt(data, rng), setting["thetas"].split(), strict=True)
        design = related_parts(data.training.schema, parts)
        _both(data, disguised(data.training, design, rng), found)
    return found


def own_records(setting: Setting, repeats: range, seeds: Seeds) -> Measured:
    """Let each party hold a third of the records, all columns as one group (section 7).

    The parties' θ are those of `OWN_THETAS`, so that they cannot simply put their reports together.
    """
    data = split_set(setting["set"], seeds)
    found: dict[str, list[float]] = defaultdict(list)
    for repeat in repeats:
        rng = seeds.repeat(repeat)
        party = rng.integers(PARTIES, size=len(data.training))
        sites = [
            disguised(
                data.training.among(party == number),
                related(data.training.schema, data.features, 1, theta),
                rng,
            )
            for number, theta in enumerate(setting["thetas"].split())
        ]
        _both(data, PooledOracle(sites), found)
    return found


def aggregated_counts(setting: Setting, repeats: range, seeds: Seeds) -> Measured:
    """Solve the paper's n + 1 equations for random conjunctions; compare with deniable's counts."""
    data = split_set(setting["set"], seeds)
    parties, theta = int(setting["parties"]), setting["theta"]
    apart = []
    for repeat in repeats:
        rng = seeds.repeat(repeat)
        dealt = rng.permutation(data.features).tolist()
        parts = [dealt[at::parties] for at in range(parties)]
        oracle = disguised(data.training, _all_disguised(data, parts, theta), rng)
        names = [part[int(rng.integers(len(part)))] for part in parts]
        codes = rng.integers(0, 2, size=(CONJUNCTIONS, parties))
        reported = oracle.reported(tuple(names)).astype(np.float64)
        solved = [_solved(reported, row, float(theta)) for row in codes]
        ours = oracle.count(Family(tuple(names), codes)).value
        apart.append(float(np.abs(ours - solved).max()) / len(data.training))
    return {"largest difference": apart}


def bars_matrix(parties: int, theta: float) -> Floats:
    """Give the paper's M_n: row j, column k is how P(k bars) contributes to P*(j bars).

    >>> bars_matrix(2, 0.9).round(2).tolist()
    [[0.81, 0.09, 0.01], [0.18, 0.82, 0.18], [0.01, 0.09, 0.81]]
    """
    matrix = np.zeros((parties + 1, parties + 1))
    for k, kept, turned in product(*[range(parties + 1)] * 3):
        # Of k barred parties some lie, and so do some of the others.
        if kept <= k and turned <= parties - k:
            lies = (k - kept) + turned
            ways = comb(k, kept) * comb(parties - k, turned)
            matrix[kept + turned, k] += ways * (1 - theta) ** lies * theta ** (parties - lies)
    return matrix


def _solved(reported: Floats, codes: Floats, theta: float) -> float:
    """Solve for P(0 bars), from counts of reports with so many parties barred."""
    parties = len(codes)
    barred = [
        sum(
            reported[tuple(1 - c if at in bars else c for at, c in enumerate(codes.tolist()))]
            for bars in combinations(range(parties), many)
        )
        for many in range(parties + 1)
    ]
    return float(np.linalg.solve(bars_matrix(parties, theta), np.array(barred))[0])


def _dealt(data: SplitSet, rng: np.random.Generator) -> list[list[str]]:
    """Deal the attributes to the parties at random."""
    dealt = rng.permutation(data.features).tolist()
    return [dealt[at::PARTIES] for at in range(PARTIES)]


def _all_disguised(data: SplitSet, parts: Iterable[Sequence[str]], theta: str) -> Design:
    return related_parts(data.training.schema, [(part, theta) for part in parts])


def _both(data: SplitSet, oracle: CountOracle, found: dict[str, list[float]]) -> None:
    found["faithful"].append(_faithful(data, oracle))
    found["tree"].append(_default(data, oracle))


def _faithful(data: SplitSet, oracle: CountOracle) -> float:
    return data.accuracy(mine_tree(oracle, data.target, growth="faithful"))


def _default(data: SplitSet, oracle: CountOracle) -> float:
    return data.accuracy(mine_tree(oracle, data.target))


def experiments(effort: Effort) -> Sequence[Experiment]:
    """The paper's own, ours on the same reports, and what its discussion proposes."""
    every, upper, own = (
        [{"set": name, "theta": theta} for name, theta in product(MULTI_PARTY_SETS, thetas)]
        for thetas in (THETAS, UPPER, UPPER[:-1])
    )
    thetas: list[Setting] = [
        {"set": name, "thetas": each} for name, each in product(MULTI_PARTY_SETS, OWN_THETAS)
    ]
    solved: list[Setting] = [
        {"set": MULTI_PARTY_SETS[0], "parties": parties, "theta": "0.7"} for parties in SOLVED_FOR
    ]
    repeats, some = effort.repeats(100, 30), effort.repeats(50, 4, costly=True)
    small = effort.repeats(50, 30, costly=True)  # what is gained is small, so it takes several
    return [
        Experiment("faithful", faithful_trees, every, repeats, chunk=25),
        Experiment("tree", default_trees, upper, effort.repeats(100, 8), chunk=10),
        Experiment("open collector", open_collectors, own, small, chunk=10),
        Experiment("own θ", own_thetas, thetas, some, chunk=10),
        Experiment("own records", own_records, thetas, some, chunk=10),
        Experiment("aggregated", aggregated_counts, solved, effort.repeats(10, 2), chunk=10),
    ]
