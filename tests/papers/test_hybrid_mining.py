"""Paper D: hybrid miners, and what they ask of both parties, are what loops over records say."""

import random

import numpy as np
import pytest

from deniable import ExactOracle, RandomizedOracle, Records, Schema
from deniable.mine.rules.item_sets import frequent
from deniable.mine.tree.decision_tree import DecisionTree
from deniable.mine.tree.mine_tree import mine_tree
from deniable.papers.hybrid_trees import faithful_tree
from deniable.papers.related_groups import related
from deniable.papers.secure_stand_in import RootedOracle, SecureStandIn, distinct
from papers.naive_hybrid import Estimated, Node, Secure, disguised, frequent_sets, hybrid_id3

Rows = list[tuple[int, ...]]

NAMES = ("a", "b", "c", "d", "e")
CLASS = len(NAMES)
MINE, THEIRS = (0, 2, 4), (1, 3)


def people(n: int, seed: int) -> Rows:
    """Invent records whose class follows two attributes, mostly."""
    rng = random.Random(seed)
    rows = []
    for _ in range(n):
        values = [int(rng.random() < share) for share in (0.5, 0.4, 0.6, 0.3, 0.7)]
        label = (values[0] & values[1]) | (values[3] & int(rng.random() < 0.8))
        rows.append((*values, label ^ int(rng.random() < 0.1)))
    return rows


def as_records(rows: Rows) -> Records:
    schema = Schema.of({name: ["no", "yes"] for name in (*NAMES, "class")})
    return Records.from_codes(np.array(rows, dtype=np.uint8), schema)


def dealt(groups: int) -> list[list[int]]:
    return [list(range(CLASS))[at::groups] for at in range(groups)]


def screens(rows: Rows, groups: int, theta: float, seed: int) -> tuple[RandomizedOracle, Estimated]:
    """The same reports, counted in both ways."""
    reports = disguised(rows, dealt(groups), theta, random.Random(seed))
    raw = as_records(rows)
    design = related(raw.schema, NAMES, groups, str(theta))
    return RandomizedOracle(as_records(reports), design), Estimated(reports, dealt(groups), theta)


def secure_for(rows: Rows, mine: str, theirs: str) -> SecureStandIn:
    return SecureStandIn(RootedOracle.exact(as_records(rows)), mine, theirs)


def same(tree: DecisionTree, twin: Node) -> None:
    """Walk both together."""
    pairs = [(0, twin)]
    while pairs:
        place, node = pairs.pop()
        axis = int(tree.axis[place])
        if node.attribute is None:
            assert axis == -1
            assert int(tree.labels[place]) == node.label
        else:
            assert axis == node.attribute
            pairs += [(int(tree.first[place]) + v, child) for v, child in enumerate(node.children)]


@pytest.mark.parametrize("groups", [1, 2, 3])
def test_the_same_reports_give_the_twins_tree(groups: int) -> None:
    fast, slow = screens(people(400, 1), groups, 0.9, 2)
    same(faithful_tree(fast, "class"), hybrid_id3(slow, None, range(CLASS), CLASS, 1))


@pytest.mark.parametrize("window", [1, 2, 3, 5])
@pytest.mark.parametrize("groups", [1, 4])
def test_hybrid_trees_and_their_smc_computations_are_the_twins(groups: int, window: int) -> None:
    rows = people(300, 3)
    fast, slow = screens(rows, groups, 0.6, 4)
    secure = secure_for(rows, "ace", "bd")
    twins = Secure(rows, MINE, THEIRS)
    tree = faithful_tree(fast, "class", secure, window)
    same(tree, hybrid_id3(slow, twins, range(CLASS), CLASS, window))
    assert secure.computations == twins.computations > 0


def test_a_full_window_is_plain_id3_whatever_the_reports_say() -> None:
    rows = people(300, 5)
    fast, _ = screens(rows, 4, 0.6, 6)
    secure = secure_for(rows, "ace", "bd")
    found = faithful_tree(fast, "class", secure, None)
    plain = mine_tree(
        ExactOracle(as_records(rows), as_records(rows).schema), "class", growth="faithful"
    )
    assert found.axis.tolist() == plain.axis.tolist()
    assert found.counts.tolist() == plain.counts.tolist()


def test_faithful_trees_here_are_mine_trees() -> None:
    rows = people(500, 7)
    fast, _ = screens(rows, 2, 0.8, 8)
    secure = secure_for(rows, "ace", "bd")
    for window, confirm in ((None, None), (2, secure), ("adaptive", secure)):
        ours = faithful_tree(fast, "class", confirm, window)  # type: ignore[arg-type]
        theirs = mine_tree(
            fast,
            "class",
            growth="faithful",
            confirm=confirm,
            window=window,  # type: ignore[arg-type]
        )
        assert ours.axis.tolist() == theirs.axis.tolist()
        assert ours.labels.tolist() == theirs.labels.tolist()


def test_one_partys_own_counts_cost_nothing() -> None:
    rows = people(200, 9)
    secure = secure_for(rows, "abcde", "")
    fast, _ = screens(rows, 1, 0.7, 10)
    faithful_tree(fast, "class", secure, None)
    secure.count(["a=yes & b=no", "class=yes"])
    assert secure.computations == 0


def test_only_conjunctions_of_both_parties_cost_something() -> None:
    secure = secure_for(people(50, 11), "ace", "bd")
    secure.count(["a=yes & b=no", "a=yes & c=yes", "b=yes & class=yes", "d=no & e=no & class=no"])
    assert secure.computations == 2


def test_distinct_records_are_counted_as_the_records_are() -> None:
    raw = as_records(people(100, 12))
    asked = ["a=yes & b=no", "c=yes & class=no", "e=no"]
    whole = ExactOracle(raw, raw.schema).count(asked)
    assert (
        ExactOracle(distinct(raw), raw.schema).count(asked).value.tolist() == whole.value.tolist()
    )


@pytest.mark.parametrize("tolerance", [0.0, 0.1, 0.3])
def test_item_sets_and_their_checks_are_the_twins(tolerance: float) -> None:
    rows = people(300, 13)
    fast, slow = screens(rows, 1, 0.6, 14)
    items = [{name: "yes"} for name in NAMES]
    twins, secure = Secure(rows, MINE, THEIRS), secure_for(rows, "ace", "bd")
    found = frequent(fast, min_support=0.3, tolerance=tolerance, items=items, confirm=secure)
    sets, screened, confirmed = frequent_sets(slow, 300, range(CLASS), 0.3, tolerance, twins)
    assert {
        frozenset(NAMES.index(name) for name, _ in row.items.terms) for row in found.rows()
    } == sets
    assert (found.checked, found.confirmed) == (screened, confirmed)
    assert secure.computations == twins.computations


@pytest.mark.parametrize("tolerance", [0.0, 0.2])
def test_item_sets_of_randomization_alone_are_the_twins(tolerance: float) -> None:
    fast, slow = screens(people(300, 15), 1, 0.6, 16)
    items = [{name: "yes"} for name in NAMES]
    found = frequent(fast, min_support=0.3, tolerance=tolerance, items=items)
    sets, screened, _ = frequent_sets(slow, 300, range(CLASS), 0.3, tolerance)
    assert sum(map(len, found.kept)) == len(sets)
    assert found.checked == screened
