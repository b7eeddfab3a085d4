"""Frequent item sets of two parties: randomization alone, secure counts alone, both (paper D, §7).

Adult in yes/no attributes, an item for each attribute's upper value; one related group over all.
Every candidate that passes the screen within the tolerance is confirmed by an exact count.
"""

from collections import defaultdict
from functools import lru_cache

import numpy as np

from deniable.engine.memory.records import Records
from deniable.mine.rules.apriori import WrittenSets
from deniable.mine.rules.item_sets import ItemSets, Tolerance, frequent
from deniable.oracle.randomized import RandomizedOracle
from deniable.papers.middle_of_range import coded
from deniable.papers.related_groups import related
from deniable.papers.reproduction.experiment import Measured, Setting
from deniable.papers.reproduction.seeds import Seeds
from deniable.papers.secure_stand_in import RootedOracle, SecureStandIn, distinct
from deniable.source.disguise import disguise_records
from deniable.source.randomness import SeededBits

SET = "adult"
SUPPORT, NEAR_HALF = 0.3, "0.495"
SUPPORTS = ("0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9")
SET_THETAS = ("0", "0.1", "0.2", "0.3", "0.4", "0.45", "0.47", "0.48", "0.49", "0.495")
TOLERANCES = ("0", "0.05", "0.1", "0.15", "0.2", "0.25", "0.3")
DERIVED = "derived"
"""Our tolerance: from each count's standard error."""

FOUND, CHECKED, PRUNED = "found", "checked", "pruned"


def plain_sets(setting: Setting, repeats: range, seeds: Seeds) -> Measured:
    """Figure 7(a): how many sets secure counts alone check, find and prune at each support."""
    people, items = _items(setting["coding"])
    exact = RootedOracle.exact(people)
    at = frequent(exact, min_support=float(setting["support"]), tolerance=0, items=items)
    numbers = {FOUND: len(at), CHECKED: at.checked, PRUNED: at.checked - len(at)}
    return {measure: [float(number)] * len(repeats) for measure, number in numbers.items()}


def disguised_sets(setting: Setting, repeats: range, seeds: Seeds) -> Measured:
    """Figures 7(b) and 8: valid and missed sets, and how many are checked by whom.

    *Valid* is the share of the sets found that are frequent (1 where none is found), *missed* the
    share of the frequent ones that are not found. Randomization alone finds all within the
    tolerance: its threshold is lowered by it.
    """
    people, items = _items(setting["coding"])
    truth = _frequent_sets(setting["coding"])
    schema, exact = people.schema, RootedOracle.exact(people)
    found: dict[str, list[float]] = defaultdict(list)
    for repeat in repeats:
        dealt = seeds.shared("parties", str(repeat)).permutation(schema.names).tolist()
        design = related(schema, dealt, 1, setting["theta"])
        bits = SeededBits(int(seeds.repeat(repeat).integers(1 << 62)))
        screen = RandomizedOracle(distinct(disguise_records(people, None, design, bits)), design)
        for tolerance in tolerances(setting):
            granted: Tolerance = "derived" if tolerance == DERIVED else float(tolerance)
            secure = SecureStandIn(exact, dealt[0::2], dealt[1::2])
            alone = frequent(screen, min_support=SUPPORT, tolerance=granted, items=items)
            both = frequent(
                screen, min_support=SUPPORT, tolerance=granted, items=items, confirm=secure
            )
            numbers = {
                "alone: valid": _valid(_passed(alone), truth),
                "alone: missed": _missed(_passed(alone), truth),
                "alone: checked": alone.checked,
                "hybrid: valid": _valid(_frequent(both), truth),
                "hybrid: missed": _missed(_frequent(both), truth),
                "hybrid: screened": both.checked,
                "hybrid: confirmed": both.confirmed,
                "hybrid: computations": secure.computations,
            }
            for measure, number in numbers.items():
                found[f"{measure}, {tolerance}"].append(float(number))
    return found


def tolerances(setting: Setting) -> tuple[str, ...]:
    """All where figure 8 varies them; none granted in figure 7(b)."""
    return (*TOLERANCES, DERIVED) if setting["theta"] == NEAR_HALF else TOLERANCES[:1]


def _items(coding: str) -> tuple[Records, list[dict[str, str]]]:
    people = coded(SET, coding)
    return people, [{attribute.name: attribute.values[-1]} for attribute in people.schema]


@lru_cache(maxsize=2)
def _frequent_sets(coding: str) -> frozenset[str]:
    people, items = _items(coding)
    exact = RootedOracle.exact(people)
    return _frequent(frequent(exact, min_support=SUPPORT, tolerance=0, items=items))


def _frequent(found: ItemSets) -> frozenset[str]:
    return frozenset(str(row.items) for row in found.rows())


def _passed(found: ItemSets) -> frozenset[str]:
    """All within the tolerance: with nothing to confirm by, a lowered threshold finds them."""
    written = WrittenSets(found.items, found.kept)
    every = np.arange(len(written.size))
    return frozenset(map(str, written.conjunctions(every)))


def _valid(names: frozenset[str], truth: frozenset[str]) -> float:
    return len(names & truth) / len(names) if names else 1.0


def _missed(names: frozenset[str], truth: frozenset[str]) -> float:
    return 1 - len(names & truth) / len(truth)
