"""The forest: reproducible, better than one tree through a disguise, and honest about bad input."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from deniable.base.arrays import Codes, Floats
from deniable.base.errors import DeniableError, ModelError
from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.mine import forest
from deniable.mine.forest import BATCH_OF_TREES, LEAST_TOLD, Forest, mine_forest
from deniable.mine.models.model_files import read_model
from deniable.mine.tree.gain import entropy, information_gain
from deniable.mine.tree.grow import FREE_LEVELS
from deniable.mine.tree.mine_tree import mine_tree
from deniable.oracle.api import CountOracle, Estimates, Target
from deniable.oracle.exact import ExactOracle
from deniable.oracle.frontier.frontier import CLOSED
from deniable.oracle.randomized import RandomizedOracle
from deniable.schema import Schema
from deniable.source.disguise import disguise_records
from deniable.source.randomness import SeededBits

ATTRIBUTES = 8
SCHEMA = Schema.of({f"a{k}": ["0", "1"] for k in range(ATTRIBUTES)} | {"y": ["no", "yes"]})


def people(n: int, seed: int) -> Codes:
    """Yes/no answers of which several tell a little about the class, the last column."""
    rng = np.random.default_rng(seed)
    x = rng.integers(2, size=(n, ATTRIBUTES))
    leaning = x[:, :5].sum(axis=1) - 2.5 + 2 * (x[:, 5] & x[:, 6]) - 0.5
    y = rng.random(n) < 1 / (1 + np.exp(-1.5 * leaning))
    return np.column_stack([x, y]).astype(np.int64)


def oracle_of(codes: Codes, theta: str = "0.7", seed: int = 1) -> RandomizedOracle:
    groups: Sequence[Sequence[str]] = (SCHEMA.names[:4], SCHEMA.names[4:ATTRIBUTES])
    design = Design.of(
        {
            "attributes": {attribute.name: list(attribute.values) for attribute in SCHEMA},
            "groups": [
                {"attributes": list(names), "channel": "related", "theta": theta}
                for names in groups
            ],
        }
    )
    records = Records.from_codes(codes, SCHEMA)
    return RandomizedOracle(disguise_records(records, None, design, SeededBits(seed)), design)


def bodies(forest: Forest) -> list[dict[str, Any]]:
    return [tree.body() for tree in forest.trees]


class CountsOnly:
    """An oracle that answers counts and nothing else."""

    def __init__(self, oracle: CountOracle) -> None:
        self._oracle, self.schema, self.n = oracle, oracle.schema, oracle.n

    def count(self, expressions: Any, *, of: Target = "sample") -> Estimates:
        return self._oracle.count(expressions, of=of)


def test_the_same_seed_gives_the_same_forest() -> None:
    codes = people(600, 1)
    one = mine_forest(oracle_of(codes), "y", n_estimators=5, random_state=4)
    same = mine_forest(oracle_of(codes), "y", n_estimators=5, random_state=4)
    other = mine_forest(oracle_of(codes), "y", n_estimators=5, random_state=5)
    assert bodies(one) == bodies(same)
    assert bodies(one) != bodies(other)
    assert len({json.dumps(body) for body in bodies(one)}) == 5, "no tree is another's copy"


def test_a_larger_forest_begins_with_the_smaller_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """By whole batches: what is believed is learnt from all trees of one."""
    monkeypatch.setattr(forest, "BATCH_OF_TREES", 3)
    oracle = oracle_of(people(400, 2))
    few, many = (mine_forest(oracle, "y", n_estimators=trees, random_state=1) for trees in (3, 6))
    assert bodies(many)[:3] == bodies(few)


def test_chances_are_the_average_of_the_trees() -> None:
    forest = mine_forest(oracle_of(people(500, 3)), "y", n_estimators=7)
    cells = people(50, 4)[:, :-1]
    found = forest.probabilities(cells)
    average = np.mean([tree.probabilities(cells) for tree in forest.trees], axis=0)
    np.testing.assert_allclose(found, average, rtol=1e-12)
    np.testing.assert_allclose(found.sum(axis=1), 1, rtol=1e-9)
    np.testing.assert_array_equal(forest.predict(cells), found.argmax(axis=1))


@pytest.mark.slow
def test_a_forest_is_better_than_a_tree_of_the_same_counts() -> None:
    test = people(5000, 99)
    leads = []
    for seed in range(10):
        oracle = oracle_of(people(2000, seed), seed=seed)
        right = [
            (model.predict(test[:, :-1]) == test[:, -1]).mean()
            for model in (
                mine_forest(oracle, "y", n_estimators=30, random_state=seed),
                mine_tree(oracle, "y", growth="noise-aware", random_state=seed),
            )
        ]
        leads.append(right[0] - right[1])
    # Better on average beyond doubt: 3 standard errors of the mean of ten pairs.
    assert np.mean(leads) > 3 * np.std(leads, ddof=1) / np.sqrt(10)


def test_every_node_chooses_from_a_part_of_the_attributes() -> None:
    codes = people(2000, 5)
    lost = np.random.default_rng(5).random(len(codes)) < 0.1
    codes[:, -1] = codes[:, 0] ^ lost  # a0 is the best question by far
    oracle = oracle_of(codes, theta="0.9")
    whole = mine_forest(oracle, "y", n_estimators=20, max_features=1.0)
    part = mine_forest(oracle, "y", n_estimators=20, max_features=0.2)
    roots = [{int(tree.axis[0]) for tree in forest.trees} for forest in (whole, part)]
    assert roots[0] == {0}
    assert len(roots[1]) > 1, "the best attribute is not always at hand"


def test_a_forest_is_read_as_it_was_written() -> None:
    forest = mine_forest(oracle_of(people(300, 6)), "y", n_estimators=4)
    document = json.loads(json.dumps(forest.document(), allow_nan=False))
    read = read_model(document, "model.json")
    assert isinstance(read, Forest)
    assert (read.schema, read.target, read.n) == (forest.schema, "y", 300)
    assert bodies(read) == bodies(forest)
    cells = people(40, 7)[:, :-1]
    np.testing.assert_array_equal(read.probabilities(cells), forest.probabilities(cells))


@pytest.mark.parametrize("trees", [None, [], [{}], "many", [{"axis": [7]}]])
def test_a_damaged_forest_is_refused(trees: Any) -> None:
    document = mine_forest(oracle_of(people(100, 8)), "y", n_estimators=1).document()
    with pytest.raises(ModelError, match=r"model\.json"):
        read_model({**document, "trees": trees}, "model.json")


def test_trees_of_another_target_are_no_forest() -> None:
    document = mine_forest(oracle_of(people(100, 8)), "y", n_estimators=1).document()
    with pytest.raises(ModelError, match=r"model\.json"):
        read_model({**document, "target": "a0"}, "model.json")


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"n_estimators": 0}, "0 trees"),
        ({"max_features": 0}, "share of 0"),
        ({"max_features": 1.5}, "share of 1.5"),
        ({"max_features": float("nan")}, "share of nan"),
        ({"strength": -1.0}, "-1"),
        ({"max_depth": -1}, "-1"),
        ({"random_state": -1}, "-1"),
        ({"features": ["b"]}, "'b'"),
        ({"features": ["y"]}, "the target"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_hint(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(ModelError, match=problem) as refusal:
        mine_forest(oracle_of(people(50, 9)), "y", **options)
    assert refusal.value.hint


def test_counts_that_cannot_be_drawn_again_are_refused() -> None:
    with pytest.raises(ModelError, match="Only counts can be had here") as refusal:
        mine_forest(CountsOnly(oracle_of(people(50, 10))), "y")
    assert "single tree" in refusal.value.hint


def test_without_records_or_features_a_forest_says_so() -> None:
    nobody = ExactOracle(Records.from_codes(np.zeros((0, 9), dtype=int), SCHEMA), SCHEMA)
    with pytest.raises(DeniableError, match="no records"):
        mine_forest(nobody, "y")
    bare = mine_forest(oracle_of(people(50, 11)), "y", features=[], n_estimators=2)
    assert [tree.axis.tolist() for tree in bare.trees] == [[CLOSED]] * 2
    assert bare.features == ()


def test_progress_is_told_after_every_tree_or_every_batch() -> None:
    told: list[tuple[int, int]] = []
    oracle = oracle_of(people(50, 12))
    mine_forest(oracle, "y", n_estimators=3, strength=1.0, progress=lambda *at: told.append(at))
    assert told == [(1, 3), (2, 3), (3, 3)]
    told.clear()
    many = 2 * BATCH_OF_TREES + 1
    mine_forest(oracle, "y", n_estimators=many, progress=lambda *at: told.append(at))
    assert told == [(BATCH_OF_TREES, many), (2 * BATCH_OF_TREES, many), (many, many)]


def test_a_split_on_shrunk_counts_tells_something() -> None:
    """But for the first ones: so much of what there is to know about the classes in all."""
    found = mine_forest(oracle_of(people(2000, 4)), "y", n_estimators=5)
    asked = LEAST_TOLD * np.mean([bits(tree.counts[:1])[0] for tree in found.trees])
    for tree in found.trees:
        late = np.flatnonzero((tree.axis != CLOSED) & (tree.depths >= FREE_LEVELS))
        for node in late.tolist():
            table = tree.counts[tree.first[node] :][:2]
            told = information_gain(table[None])[0] * tree.counts[node].sum()
            assert told >= asked * (1 - 1e-9)
        assert tree.depth > FREE_LEVELS


@pytest.mark.slow
def test_what_three_groups_say_only_together_is_found() -> None:
    """No first split tells anything, nor a second."""
    codes = np.random.default_rng(5).integers(2, size=(20_000, 9))
    codes[:, -1] = codes[:, 0] ^ codes[:, 1] ^ codes[:, 2]
    names = [f"a{number}" for number in range(8)]
    design = Design.of(
        {
            "attributes": {name: ["no", "yes"] for name in [*names, "y"]},
            "groups": [
                {"attributes": names[group::3], "channel": "related", "theta": "0.9"}
                for group in range(3)
            ],
        }
    )
    records = Records.from_codes(codes, design.schema)
    reports = disguise_records(records, None, design, SeededBits(5))
    found = mine_forest(RandomizedOracle(reports, design), "y")
    cells = np.indices((2,) * 8).reshape(8, -1).T
    assert (found.predict(cells) == cells[:, 0] ^ cells[:, 1] ^ cells[:, 2]).mean() > 0.99


def bits(counts: Floats) -> Floats:
    """What there is to know about the classes of some nodes."""
    found: Floats = entropy(counts) * counts.sum(axis=1)
    return found
