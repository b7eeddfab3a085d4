"""Papers A and C: what is measured is what loops over records say, from the same reports."""

from collections.abc import Sequence

import numpy as np
import pytest

from deniable import ExactOracle, RandomizedOracle, Records, Schema
from deniable.mine.tree.decision_tree import DecisionTree
from deniable.mine.tree.mine_tree import mine_tree
from deniable.papers import multi_group_trees, multi_party_trees
from deniable.papers.multi_party_trees import bars_matrix
from deniable.papers.related_groups import related, related_parts
from deniable.papers.reproduction.experiment import Setting, Work
from deniable.papers.reproduction.seeds import Seeds
from deniable.papers.split_sets import SplitSet, disguised, split_set
from papers.naive_hybrid import Estimated, Node, hybrid_id3, satisfies
from papersets import dataset

CANCER = "breast-cancer-wisconsin"
CLASS = 4
NAMES = ("a", "b", "c", "d", "class")


def rows_of(records: Records) -> list[tuple[int, ...]]:
    return [tuple(row) for row in np.stack(records.columns, axis=1).astype(int).tolist()]


def people(n: int, seed: int) -> Records:
    """Invent records whose class follows two attributes, mostly."""
    rng = np.random.default_rng(seed)
    codes = (rng.random((n, 5)) < [0.5, 0.4, 0.6, 0.3, 0.1]).astype(int)
    codes[:, CLASS] ^= codes[:, 0] & codes[:, 1] | codes[:, 3]
    return Records.from_codes(codes, Schema.of({name: ["no", "yes"] for name in NAMES}))


def same(tree: DecisionTree, twin: Node, places: Sequence[int]) -> None:
    """Walk both together; the twin's attributes are columns, the tree's are features."""
    pairs = [(0, twin)]
    while pairs:
        place, node = pairs.pop()
        axis = int(tree.axis[place])
        if node.attribute is None:
            assert axis == -1
            assert int(tree.labels[place]) == node.label
        else:
            assert places[axis] == node.attribute
            pairs += [(int(tree.first[place]) + v, child) for v, child in enumerate(node.children)]


@pytest.mark.parametrize("groups", [1, 2, 3])
def test_with_the_class_in_a_group_the_same_reports_give_the_twins_tree(groups: int) -> None:
    raw = people(400, 1)
    design = related(raw.schema, NAMES, groups, "0.85")
    oracle = disguised(raw, design, np.random.default_rng(2))
    reports = rows_of(oracle.engine.records)  # type: ignore[attr-defined]
    slow = Estimated(reports, [list(range(5))[at::groups] for at in range(groups)], 0.85)
    tree = mine_tree(oracle, "class", growth="faithful")
    same(tree, hybrid_id3(slow, None, range(CLASS), CLASS, 1), range(CLASS))
    assert len(tree.axis) > 3


def test_bars_are_moved_as_every_way_to_lie_says() -> None:
    # By hand for two parties: the paper's M_2.
    theta, lie = 0.7, 0.3
    assert bars_matrix(2, theta) == pytest.approx(
        np.array(
            [
                [theta**2, theta * lie, lie**2],
                [2 * theta * lie, theta**2 + lie**2, 2 * theta * lie],
                [lie**2, theta * lie, theta**2],
            ]
        )
    )
    for parties in range(1, 6):
        assert bars_matrix(parties, theta).sum(axis=0) == pytest.approx(np.ones(parties + 1))


def test_each_party_lies_by_its_own_theta() -> None:
    raw = people(20_000, 3)
    design = related_parts(raw.schema, [(("a", "b"), "0.9"), (("c",), "0.6")])
    oracle = disguised(raw, design, np.random.default_rng(4))
    told = {
        name: float((mine == theirs).mean())
        for name, mine, theirs in zip(
            raw.schema.names,
            raw.columns,
            oracle.engine.records.columns,  # type: ignore[attr-defined]
            strict=True,
        )
    }
    # Standard errors are √(.25/20,000) = .0035 at most; five of them.
    assert told == pytest.approx({"a": 0.9, "b": 0.9, "c": 0.6, "d": 1, "class": 1}, abs=0.018)


@pytest.fixture
def cancer() -> SplitSet:
    dataset(CANCER)
    return split_set(CANCER, Seeds(1, "A", {}))


def test_a_set_is_split_once_for_all_papers(cancer: SplitSet) -> None:
    assert (len(cancer.training), len(cancer.test)) == (546, 137)
    other = split_set(CANCER, Seeds(1, "C", {"set": CANCER, "theta": "0.6"}))
    assert other is cancer
    assert split_set(CANCER, Seeds(2, "A", {})) is not cancer
    both = rows_of(cancer.training) + rows_of(cancer.test)
    assert len(both) == 683
    assert cancer.larger_class == max(np.bincount([row[-1] for row in rows_of(cancer.test)])) / 137


def test_the_benchmark_is_the_twins_tree_on_undisguised_records(cancer: SplitSet) -> None:
    rows, label = rows_of(cancer.training), len(cancer.features)
    assert cancer.target == cancer.training.schema.names[label]
    twin = hybrid_id3(Estimated(rows, [], 1.0), None, range(label), label, 1)
    same(cancer.plain_tree, twin, range(label))
    right = sum(twin.answer(row) == row[label] for row in rows_of(cancer.test))
    assert cancer.plain == right / len(cancer.test)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("letter", "work", "setting"),
    [
        ("A", multi_group_trees.faithful_trees, {"set": CANCER, "groups": "2", "theta": "0.9"}),
        ("C", multi_party_trees.faithful_trees, {"set": CANCER, "theta": "0.1"}),
    ],
)
def test_what_an_experiment_measures_is_what_loops_over_its_reports_say(
    cancer: SplitSet, letter: str, work: Work, setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[RandomizedOracle] = []

    def watched(records: Records, design: object, rng: object) -> RandomizedOracle:
        oracle = disguised(records, design, rng)  # type: ignore[arg-type]
        seen.append(oracle)
        return oracle

    for module in (multi_group_trees, multi_party_trees):
        monkeypatch.setattr(module, "disguised", watched)
    measured = work(setting, range(2), Seeds(1, letter, setting))["faithful"]
    label = len(cancer.features)
    for oracle, accuracy in zip(seen, measured, strict=True):
        names = oracle.schema.names
        groups = [[names.index(name) for name in group] for group in oracle.groups]
        reports = rows_of(oracle.engine.records)  # type: ignore[attr-defined]
        twin = hybrid_id3(
            Estimated(reports, groups, float(setting["theta"])), None, range(label), label, 1
        )
        right = sum(twin.answer(row) == row[label] for row in rows_of(cancer.test))
        assert accuracy == right / len(cancer.test)


def test_at_both_ends_nothing_is_lost(cancer: SplitSet) -> None:
    for theta in ("0", "1"):
        setting = {"set": CANCER, "groups": "3", "theta": theta}
        found = multi_group_trees.faithful_trees(setting, range(3), Seeds(1, "A", setting))
        assert set(found["faithful"]) == {cancer.plain}


def test_all_miners_meet_the_same_reports_in_a_repeat(
    cancer: SplitSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[list[tuple[int, ...]]] = []

    def watched(records: Records, design: object, rng: object) -> RandomizedOracle:
        oracle = disguised(records, design, rng)  # type: ignore[arg-type]
        seen.append(rows_of(oracle.engine.records))  # type: ignore[attr-defined]
        return oracle

    monkeypatch.setattr(multi_group_trees, "disguised", watched)
    setting = {"set": CANCER, "groups": "2", "theta": "0.8"}
    seeds = Seeds(1, "A", setting)
    for work in (multi_group_trees.faithful_trees, multi_group_trees.default_trees):
        work(setting, range(2), seeds)
    multi_group_trees.many_trees(setting, range(1), seeds)
    assert seen[0] == seen[2] == seen[4]
    assert seen[1] == seen[3] != seen[0]
    assert satisfies(seen[0][0], {})


def test_pooled_parties_and_open_collectors_count_without_bias(cancer: SplitSet) -> None:
    exact = ExactOracle(cancer.training, cancer.training.schema)
    setting = {"set": CANCER, "thetas": "1 1 1"}
    seeds = Seeds(1, "C", setting)
    for work in (multi_party_trees.own_records, multi_party_trees.own_thetas):
        found = work(setting, range(2), seeds)
        assert set(found["faithful"]) == {cancer.plain}
    open_ = {"set": CANCER, "theta": "0"}
    found = multi_party_trees.open_collectors(open_, range(2), Seeds(1, "C", open_))
    assert set(found["faithful"]) == {cancer.plain}
    assert exact.n == len(cancer.training)
