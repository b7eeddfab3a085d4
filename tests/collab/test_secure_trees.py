"""Secure counts give the very model that the joint table would."""

from pathlib import Path

import numpy as np
import pytest

from collab.parties import EVERYTHING, PATIENTS, TWO_HOSPITALS, by_columns
from deniable.collab.counting.backend import Backend
from deniable.collab.counting.bfv import Bfv
from deniable.collab.counting.plain_twin import Twin
from deniable.mine.tree.decision_tree import DecisionTree
from deniable.mine.tree.mine_tree import mine_tree
from deniable.oracle.exact import ExactOracle
from mine.datasets import random_records


def same(found: DecisionTree, wanted: DecisionTree) -> None:
    theirs = {name: number for number, name in enumerate(found.features)}
    order = np.array([*(theirs[name] for name in wanted.features), -1])
    assert np.array_equal(found.axis, order[wanted.axis])
    assert np.array_equal(found.counts, wanted.counts)


@pytest.mark.slow
@pytest.mark.parametrize("backend", [Bfv(), Twin()], ids=["bfv", "twin"])
def test_a_secure_tree_is_the_tree_of_the_joint_table(tmp_path: Path, backend: Backend) -> None:
    records = random_records(PATIENTS, 400, seed=1)
    gathering = by_columns(
        tmp_path,
        records,
        TWO_HOSPITALS,
        mode="secure",
        mine={"tree": {"target": "ill"}},
        policy=EVERYTHING,
        strangers=20,
    )
    outcome = gathering.lead_here(backend=backend)
    assert isinstance(outcome.model, DecisionTree)
    wanted = mine_tree(ExactOracle(records, PATIENTS), "ill", growth="faithful")
    same(outcome.model, wanted)
    assert outcome.records == 400
    ledgers = [gathering.ledger("north", "south"), gathering.ledger("south", "north")]
    assert ledgers[0].read_bytes() == ledgers[1].read_bytes()
    for party in TWO_HOSPITALS:
        assert (gathering.state(party) / "model.json").is_file()
