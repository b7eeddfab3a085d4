"""Groups of many values are counted by what reports match, and that is what `count` counts."""

import numpy as np
import pytest

from deniable import Design, RandomizedOracle, Records, mine_tree
from deniable.engine.memory.numpy_engine import MemoryEngine
from deniable.oracle.api import Frontier
from deniable.oracle.frontier import matched_tables, matching_frontier, report_matches
from deniable.oracle.frontier.frontier import CountedFrontier
from deniable.oracle.frontier.matching_frontier import MatchingFrontier
from oracle.test_frontiers import DESIGNS, SIZES, WIDE, oracle_of, routed, walk

AXES = [name for name in SIZES if name != "y"]


def both(groups: str) -> tuple[Frontier, CountedFrontier]:
    oracle = oracle_of((DESIGNS | WIDE)[groups])
    return routed("matches", oracle, "y", AXES), CountedFrontier.root(oracle, "y", AXES)


@pytest.mark.parametrize("groups", WIDE)
def test_groups_of_several_values_are_counted_by_what_matches(groups: str) -> None:
    assert isinstance(oracle_of(WIDE[groups]).descend("y", AXES), MatchingFrontier)


@pytest.mark.parametrize("groups", WIDE)
def test_a_level_may_be_counted_piece_by_piece(
    groups: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matched_tables, "MOST_WEIGHTS", 1)
    monkeypatch.setattr(matched_tables, "MOST_SUMS", 1)
    monkeypatch.setattr(report_matches, "MOST_ENTRIES", 1)
    walk(*both(groups), AXES)


@pytest.mark.parametrize("groups", WIDE)
def test_where_a_path_names_much_of_one_group_counts_go_on(
    groups: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matching_frontier, "MOST_MATCHED", 1)
    walk(*both(groups), AXES)


@pytest.mark.parametrize("groups", WIDE)
def test_a_pair_that_was_asked_before_is_answered_alike(groups: str) -> None:
    mine, _ = both(groups)
    every = np.ones((1, len(AXES)), dtype=bool)
    whole = {axis: table.value[here] for table in mine.tables(every)
             for here, axis in enumerate(table.axis.tolist())}  # fmt: skip
    few = every & (np.arange(len(AXES)) % 2 == 0)
    for table, variance in zip(mine.tables(few), mine.variances(few), strict=True):
        assert variance.shape == table.value.shape
        for axis, value in zip(table.axis.tolist(), table.value, strict=True):
            assert np.array_equal(value, whole.pop(axis))
    assert sorted(whole) == np.flatnonzero(~few[0]).tolist()


def test_reports_too_wide_to_be_numbered_are_counted_one_by_one() -> None:
    names = [f"a{place}" for place in range(40)]  # 3^40 > 2^62
    values = {name: ["0", "1", "2"] for name in [*names, "y"]}
    groups = [
        {"attributes": names[at : at + 20], "channel": "related", "theta": "0.8"} for at in (0, 20)
    ]
    design = Design.of({"attributes": values, "groups": groups})
    codes = np.random.default_rng(3).integers(3, size=(200, 41))
    oracle = RandomizedOracle(MemoryEngine(Records.from_codes(codes, design.schema)), design)
    found = mine_tree(oracle, "y", growth="faithful", max_depth=2)
    assert isinstance(oracle.descend("y", names), MatchingFrontier)
    counted, _ = found.counted(oracle)
    np.testing.assert_allclose(found.counts, counted, atol=1e-9)
    paths = found.paths()
    rows = np.repeat(paths.codes, 3, axis=0)
    asked = type(paths)(
        (*paths.columns, "y"), np.column_stack([rows, np.tile([0, 1, 2], len(paths))])
    )
    truth = oracle.count(asked, of="population")
    np.testing.assert_allclose(found.counts.ravel(), truth.value, atol=1e-8)
    np.testing.assert_allclose(found.errors.ravel(), truth.std_error, rtol=1e-9)
