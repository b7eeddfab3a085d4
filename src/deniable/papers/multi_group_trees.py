"""Paper A, Zhan and Du: decision trees through one, two and three related groups."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import product

import numpy as np

from deniable.mine.tree.mine_tree import mine_tree
from deniable.oracle.exact import ExactOracle
from deniable.oracle.randomized import RandomizedOracle
from deniable.papers.datasets import SETS
from deniable.papers.related_groups import related
from deniable.papers.reproduction.experiment import Effort, Experiment, Measured, Paper, Setting
from deniable.papers.reproduction.measurements import Measurements
from deniable.papers.reproduction.paper_claims import Check, PaperClaim
from deniable.papers.reproduction.paper_figures import Figure, Panel, Series
from deniable.papers.reproduction.seeds import Seeds
from deniable.papers.reproduction.trends import LEVEL, rising
from deniable.papers.split_sets import split_set
from deniable.source.disguise import disguise_records
from deniable.source.randomness import SeededBits

NAMES = ("adult", "breast-cancer-wisconsin", "house-votes-84")
THETAS = (
    "0", "0.1", "0.2", "0.3", "0.4", "0.45", "0.51", "0.55", "0.6", "0.7", "0.8", "0.9", "1",
)  # fmt: skip
GROUPS = ("1", "2", "3")


def trees(setting: Setting, repeats: range, seeds: Seeds) -> Measured:
    """Disguise the training records anew in every repeat; mine by the paper's ID3 and by ours."""
    data = split_set(setting["set"], seeds)
    plain = data.accuracy(
        mine_tree(ExactOracle(data.training, data.training.schema), data.target, growth="faithful")
    )
    found: dict[str, list[float]] = defaultdict(list)
    for repeat in repeats:
        rng = seeds.repeat(repeat)
        dealt = rng.permutation(data.training.schema.names).tolist()
        design = related(data.training.schema, dealt, int(setting["groups"]), setting["theta"])
        bits = SeededBits(int(rng.integers(1 << 62)))
        oracle = RandomizedOracle(disguise_records(data.training, None, design, bits), design)
        found["plain ID3"].append(plain)
        found["faithful"].append(data.accuracy(mine_tree(oracle, data.target, growth="faithful")))
    return found


def experiments(effort: Effort) -> Sequence[Experiment]:
    """One cell for each set, number of groups and θ."""
    settings = [
        {"set": name, "groups": groups, "theta": theta}
        for name, groups, theta in product(NAMES, GROUPS, THETAS)
    ]
    return [Experiment("trees", trees, settings, effort.repeats(full=50, quick=4), chunk=10)]


def figures(found: Measurements) -> Sequence[Figure]:
    """Draw figures 3 to 5."""
    return [_figure(found, number, name) for number, name in zip((3, 4, 5), NAMES, strict=True)]


def _figure(found: Measurements, number: int, name: str) -> Figure:
    lines = [
        Series(
            f"{groups} group" + "s" * (groups != "1"),
            {"set": name, "groups": groups, "scheme": "faithful"},
            [
                (float(t), found.values("trees", "faithful", set=name, groups=groups, theta=t))
                for t in THETAS
            ],
        )
        for groups in GROUPS
    ]
    return Figure(
        f"A-{number}",
        f"Figure {number}: {SETS[name].title}",
        "Accuracy on undisguised test records.",
        [
            Panel("(a) Mean", lines, gap=(0.5,)),
            Panel("(b) Variance", lines, "variance", gap=(0.5,), low=0),
        ],
        main=name == "adult",
    )


def _ends(found: Measurements) -> Check:
    apart = [
        np.abs(
            found.values("trees", "faithful", set=name, groups=groups, theta=theta)
            - found.values("trees", "plain ID3", set=name, groups=groups, theta=theta)
        ).max()
        for name, groups, theta in product(NAMES, GROUPS, ("0", "1"))
    ]
    return Check(max(apart) == 0, f"largest difference {max(apart):g}")


def _falls(found: Measurements) -> Check:
    thetas = [theta for theta in THETAS if float(theta) > 0.5]  # noqa: PLR2004 (½: no disguise can be undone)
    blocks = [
        [found.mean("trees", "faithful", set=name, groups=groups, theta=theta) for theta in thetas]
        for name, groups in product(NAMES, GROUPS)
    ]
    trend = rising(blocks)
    return Check(trend.found, f"{trend.test} = {trend.statistic:g}, p = {trend.p:.1g}")


CLAIMS = (
    PaperClaim("A-ends", "θ = 0 and θ = 1 give exactly plain ID3.", "no difference", _ends),
    PaperClaim(
        "A-falls", "Mean accuracy rises from θ = .51 to θ = 1.", f"Page's test at {LEVEL}", _falls
    ),
)

MULTI_GROUP_TREES = Paper(
    "A",
    "Multi-group randomized response and decision trees",
    "Zhan and Du",
    "Records are disguised in one, two and three groups.",
    NAMES,
    experiments,
    figures,
    CLAIMS,
)
