"""Paper D, Teng and Du: randomization and secure computation together, in several groups."""

from collections.abc import Sequence
from itertools import product

from deniable.papers.hybrid_item_sets import SET_THETAS, SUPPORTS, disguised_sets, plain_sets
from deniable.papers.hybrid_mining_figures import HYBRID_GROUPS, TREE_THETAS, figures
from deniable.papers.hybrid_set_claims import SET_CLAIMS
from deniable.papers.hybrid_tree_claims import TREE_CLAIMS
from deniable.papers.hybrid_trees import HYBRID_SETS, TABLE_GROUPS, trees
from deniable.papers.middle_of_range import CODINGS
from deniable.papers.reproduction.experiment import Effort, Experiment, Paper

TREE_REPEATS, QUICK_TREES, QUICK_SMALL = 100, 10, 30
"""A small set's few test records leave more to luck, and its trees take no time."""

SET_REPEATS, QUICK_SETS = 100, 20
TREE_PIECE, SET_PIECE = 4, 10


def experiments(effort: Effort) -> Sequence[Experiment]:
    """Trees by set, groups and θ; item sets by reading of the data, θ and support."""
    plain = [{"coding": each, "support": support} for each, support in product(CODINGS, SUPPORTS)]
    sets = [{"coding": coding, "theta": theta} for coding, theta in product(CODINGS, SET_THETAS)]
    many = effort.repeats(SET_REPEATS, QUICK_SETS)
    return [
        *(_trees_of(name, effort) for name in HYBRID_SETS),
        Experiment("plain sets", plain_sets, plain, 1, 1),
        Experiment("disguised sets", disguised_sets, sets, many, SET_PIECE),
    ]


def _trees_of(name: str, effort: Effort) -> Experiment:
    cells = [
        {"set": name, "groups": groups, "theta": theta}
        for groups, theta in product(HYBRID_GROUPS, TREE_THETAS)
        if groups in {"1", TABLE_GROUPS} or name == "adult"
    ]
    quick = QUICK_SMALL if name == "tic-tac-toe" else QUICK_TREES
    return Experiment("trees", trees, cells, effort.repeats(TREE_REPEATS, quick), TREE_PIECE)


HYBRID_MINING = Paper(
    "D",
    "A hybrid multi-group approach: randomization and secure computation",
    "Teng and Du",
    "Two parties hold every other attribute, dealt at random, and both know the class. Groups are "
    "dealt over the attributes of both and disguised by the related question; with one group, "
    "one coin is tossed for both parties' attributes, as the paper's one-group scheme has it. An "
    "exact oracle stands for secure computation, and the counts that it is asked for about both "
    "parties' attributes are the paper's SMC computations. All of Adult (48,842 records). The "
    "paper describes θ below ½; θ and 1−θ are equivalent. How often trees are repeated it does not "
    "say; here it is as often as item sets.",
    HYBRID_SETS,
    experiments,
    figures,
    (*TREE_CLAIMS, *SET_CLAIMS),
)
