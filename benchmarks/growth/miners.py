"""What is measured: every miner, as a user calls it who changes nothing that need not be."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.growth.cases import TARGET
from deniable import RandomizedOracle

FEW = ("a0", "a1", "a2")
"""What a count asks about; features of the likelihood, which takes 1,024 joint values at most."""

Mine = Callable[[RandomizedOracle], Any]


@dataclass(frozen=True)
class Measure:
    """A miner, and how it is called."""

    name: str
    call: str
    """For the page."""

    mine: Mine


def _count(oracle: RandomizedOracle) -> Any:
    return oracle.count([dict.fromkeys(FEW, "1")])


def _bayes(oracle: RandomizedOracle) -> Any:
    from deniable.mine.bayes import mine_bayes

    return mine_bayes(oracle, TARGET)


def _tree(oracle: RandomizedOracle) -> Any:
    from deniable.mine.tree.mine_tree import mine_tree

    return mine_tree(oracle, TARGET)


def _faithful(oracle: RandomizedOracle) -> Any:
    from deniable.mine.tree.mine_tree import mine_tree

    return mine_tree(oracle, TARGET, growth="faithful")


def _forest(oracle: RandomizedOracle) -> Any:
    from deniable.mine.forest import mine_forest

    return mine_forest(oracle, TARGET)


def _groupwise(oracle: RandomizedOracle) -> Any:
    from deniable.mine.groupwise import mine_groupwise

    return mine_groupwise(oracle, TARGET)


def _best(oracle: RandomizedOracle) -> Any:
    from deniable.mine.best.mine_best import mine_best

    return mine_best(oracle, TARGET)


def _itemsets(oracle: RandomizedOracle) -> Any:
    from deniable.mine.rules.frequent_sets import mine_itemsets

    return list(mine_itemsets(oracle, min_support=0.3))


def _rules(oracle: RandomizedOracle) -> Any:
    from deniable.mine.rules.association_rules import mine_rules

    return list(mine_rules(oracle, min_support=0.3, min_confidence=0.6).rules)


def _dependence(oracle: RandomizedOracle) -> Any:
    from deniable.mine.dependence import mine_dependence

    return mine_dependence(oracle)


def _logistic(oracle: RandomizedOracle) -> Any:
    from deniable.mine.logistic import mine_logistic

    return mine_logistic(oracle, TARGET, ridge=1.0)


def _likelihood(oracle: RandomizedOracle) -> Any:
    from deniable.mine.logistic import mine_logistic

    return mine_logistic(oracle, TARGET, features=FEW, ridge=1.0, method="likelihood")


LOAD = "load"
"""Opening files as every command does; what follows begins there."""

MINERS: Mapping[str, Measure] = {
    each.name: each
    for each in (
        Measure("count", "oracle.count, one conjunction of three", _count),
        Measure("bayes", "mine_bayes", _bayes),
        Measure("tree", "mine_tree", _tree),
        Measure("faithful", 'mine_tree(growth="faithful")', _faithful),
        Measure("forest", "mine_forest", _forest),
        Measure("groupwise", "mine_groupwise", _groupwise),
        Measure("best", "mine_best", _best),
        Measure("itemsets", "mine_itemsets(min_support=0.3), every row", _itemsets),
        Measure("rules", "mine_rules(min_support=0.3, min_confidence=0.6), every row", _rules),
        Measure("dependence", "mine_dependence", _dependence),
        Measure("logistic", "mine_logistic(ridge=1)", _logistic),
        Measure(
            "likelihood",
            'mine_logistic(ridge=1, method="likelihood"), on three features',
            _likelihood,
        ),
    )
}

NAMES = (LOAD, *MINERS)
