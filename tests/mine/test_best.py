"""The best of several classifiers: nothing from nothing, the simplest where it is known."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from deniable import Design, ExactOracle, RandomizedOracle, Records, Schema
from deniable.base.arrays import Codes
from deniable.base.errors import ModelError
from deniable.mine.best import comparison
from deniable.mine.best.best_classifier import (
    AVERAGE,
    BAYES,
    CONTENDERS,
    FOREST,
    LARGER_CLASS,
    TREE,
)
from deniable.mine.best.comparison import WORTH, Compared, HeldOut, chosen
from deniable.mine.best.mine_best import FEWEST, NO_EVIDENCE, mine_best
from deniable.mine.forest import mine_forest
from deniable.mine.models.model_files import read_model
from deniable.mine.models.own_miners import OWN_MINERS
from deniable.mine.scores.confusion import Difference
from deniable.source.disguise import disguise_records
from deniable.source.randomness import SeededBits

NAMES = (*(f"a{k}" for k in range(6)), "y")
GROUPS = (("a0", "a1"), ("a2", "a3"))


def design_of(theta: str, groups: Sequence[Sequence[str]] = GROUPS) -> Design:
    return Design.of(
        {
            "attributes": {name: ["no", "yes"] for name in NAMES},
            "groups": [
                {"attributes": list(names), "channel": "related", "theta": theta}
                for names in groups
            ],
        }
    )


def oracle_of(codes: Codes, theta: str, seed: int) -> RandomizedOracle:
    design = design_of(theta)
    records = Records.from_codes(codes, design.schema)
    return RandomizedOracle(disguise_records(records, None, design, SeededBits(seed)), design)


def coins(n: int, seed: int) -> Codes:
    """Answers of which none says anything of another."""
    return np.random.default_rng(seed).integers(2, size=(n, len(NAMES)))


def people(n: int, seed: int) -> Codes:
    """Whoever says yes to a0 is mostly in the class; nothing else matters."""
    codes = coins(n, seed)
    codes[:, -1] = codes[:, 0] ^ (np.random.default_rng(seed + 1).random(n) < 0.1)
    return codes


def parity(n: int, seed: int) -> Codes:
    """The class is whether two answers of different groups differ: only both together say it."""
    codes = coins(n, seed)
    lost = np.random.default_rng(seed + 1).random(n) < 0.05
    codes[:, -1] = codes[:, 0] ^ codes[:, 2] ^ lost
    return codes


def test_where_nothing_predicts_it_is_the_larger_class() -> None:
    model = mine_best(oracle_of(coins(1000, 1), "0.8", 1), "y")
    assert model.chosen == LARGER_CLASS
    assert model.why == NO_EVIDENCE
    assert not model.models
    assert not model.compared
    answers = model.predict(coins(50, 2)[:, :-1])
    assert {model.schema["y"].values[code] for code in answers} == {model.commonest}


def test_the_simplest_is_chosen_where_it_is_known_to_be_as_good() -> None:
    model = mine_best(oracle_of(people(20_000, 3), "0.9", 3), "y", n_estimators=5)
    assert [each.name for each in model.compared] == list(CONTENDERS)
    assert model.chosen == BAYES
    assert max(each.ahead.std_error for each in model.compared) < WORTH


def test_what_only_two_groups_together_say_is_not_given_to_bayes() -> None:
    model = mine_best(oracle_of(parity(20_000, 5), "0.9", 5), "y", n_estimators=5)
    assert model.chosen in {TREE, FOREST}
    by_name = {each.name: each for each in model.compared}
    assert by_name[BAYES].ahead.value < -5 * by_name[BAYES].ahead.std_error
    fresh = parity(4000, 99)
    right = (model.predict(fresh[:, :-1]) == fresh[:, -1]).mean()
    assert right > 0.95 - 4 * (0.95 * 0.05 / 4000) ** 0.5  # nobody can have more than .95


def test_where_the_noise_hides_them_it_is_the_average() -> None:
    model = mine_best(oracle_of(people(3000, 9), "0.57", 9), "y", n_estimators=5)
    assert model.chosen == AVERAGE
    assert [type(each).__name__ for each in model.models] == ["GroupwiseBayes", "Forest"]
    assert model.compared[0].ahead.std_error > 2 * WORTH
    cells = coins(60, 8)[:, :-1]
    both = [each.probabilities(cells) for each in model.models]
    mean = both[0] ** 0.2 * both[1] ** 0.8
    mean /= mean.sum(axis=1, keepdims=True)
    # The two are drawn towards the prior by one person of 3,000 first.
    np.testing.assert_allclose(model.probabilities(cells), mean, atol=0.02)


def test_stated_errors_of_a_comparison_are_the_spread() -> None:
    """400 disguises of the same people; half of the answers of two candidates differ."""
    codes, many = people(1500, 11), 400
    answers = [np.zeros(len(codes), dtype=np.int64), codes[:, 0], codes[:, 2]]
    shares = np.array([(each == codes[:, -1]).mean() for each in answers])
    found = []
    for seed in range(many):
        trial = HeldOut(["none", "a0", "a2"])
        trial.add(
            oracle_of(codes, "0.7", seed),
            NAMES,
            lambda own: [np.zeros(len(own), dtype=np.int64), own[:, 0], own[:, 2]],
        )
        found.append(trial.results())
    for k in range(2):
        ahead = np.array([each[k].ahead.value for each in found])
        stated = np.mean([each[k].ahead.std_error ** 2 for each in found])
        truth = shares[k] - shares[-1]
        differ = (answers[k] != answers[-1]).mean()
        # The sampling of people is stated too, and is not simulated: take it out.
        disguise = stated - (differ - truth**2) / len(codes)
        assert abs(ahead.mean() - truth) < 4 * (disguise / many) ** 0.5
        assert abs(ahead.var() / disguise - 1) < 4 * (2 / many) ** 0.5


def test_the_choice() -> None:
    def each(name: str, ahead: float, error: float) -> Compared:
        return Compared(name, 0.8, error, Difference(ahead, error))

    reference = each("average", 0.0, 0.0)
    clear = [each("bayes", -0.1, 0.003), each("tree", -0.003, 0.002), each("forest", 0.0, 0.002)]
    assert chosen([*clear, reference]).name == "tree"
    far = [each("bayes", -0.1, 0.003), each("tree", 0.02, 0.003), each("forest", 0.06, 0.003)]
    assert chosen([*far, reference]).name == "forest"
    noisy = [each("bayes", 0.2, 0.4), each("forest", -0.5, 0.4)]
    assert chosen([*noisy, reference]).name == "average"
    assert chosen([reference]).name == "average"


def test_without_a_disguise_groups_are_no_candidate() -> None:
    codes = people(3000, 13)
    schema = Schema.of({name: ["no", "yes"] for name in NAMES})
    model = mine_best(ExactOracle(Records.from_codes(codes, schema), schema), "y", n_estimators=5)
    assert [each.name for each in model.compared] == [LARGER_CLASS, BAYES, TREE, FOREST]
    assert model.chosen == BAYES


def test_few_records_are_not_held_out() -> None:
    codes = people(FEWEST - 1, 17)
    codes[:, -1] = codes[:, 0]
    model = mine_best(oracle_of(codes, "0.95", 17), "y", n_estimators=5)
    assert model.chosen == AVERAGE
    assert "too few to compare" in model.why


def test_what_cannot_be_compared_is_averaged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison, "MOST_PREDICTED", 100)
    model = mine_best(oracle_of(people(2000, 19), "0.9", 19), "y", n_estimators=5)
    assert model.chosen == AVERAGE
    assert not model.compared
    assert model.why.startswith("Candidates could not be compared.")


@pytest.mark.parametrize("codes", [coins(300, 21), people(800, 7), people(20_000, 3)])
def test_a_model_is_read_as_it_was_written(codes: Codes) -> None:
    model = mine_best(oracle_of(codes, "0.7", 21), "y", n_estimators=5)
    document = json.loads(json.dumps(model.document(), allow_nan=False))
    read = read_model(document, "model.json")
    assert read.document() == model.document()
    cells = coins(40, 23)[:, :-1]
    np.testing.assert_array_equal(read.probabilities(cells), model.probabilities(cells))  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "damage",
    [
        {"chosen": "oracle"},
        {"chosen": "tree"},
        {"models": []},
        {"models": [{"kind": "best"}]},
        {"models": 3},
        {"prior": [0.5, 0.6]},
        {"compared": [{"name": "tree"}]},
        {"compared": [{"name": "tree", "accuracy": "x", "std_error": 0, "ahead": 0}]},
        {"target": "z"},
    ],
)
def test_a_damaged_model_is_refused(damage: dict[str, Any]) -> None:
    document = mine_best(oracle_of(people(3000, 9), "0.57", 9), "y", n_estimators=5).document()
    with pytest.raises(ModelError, match=r"model\.json|'z'"):
        read_model({**document, **damage}, "model.json")


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"features": []}, "no feature"),
        ({"n_estimators": 0}, "0 trees"),
        ({"max_features": 2.0}, "share of 2"),
        ({"random_state": -1}, "no seed"),
        ({"features": ["b"]}, "'b'"),
    ],
)
def test_impossible_wishes_are_refused(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(ModelError, match=problem):
        mine_best(oracle_of(people(500, 1), "0.8", 1), "y", **options)


def test_nobody_and_a_distant_table_are_refused() -> None:
    with pytest.raises(ModelError, match="no records"):
        mine_best(oracle_of(coins(0, 1), "0.8", 1), "y")


def test_progress_reaches_its_end() -> None:
    told: list[tuple[int, int]] = []
    mine_best(
        oracle_of(people(500, 1), "0.8", 1),
        "y",
        n_estimators=5,
        progress=lambda *step: told.append(step),
    )
    assert told == sorted(told)
    assert told[-1][0] == told[-1][1]


def test_all_forests_together_have_as_many_trees_as_were_asked_for() -> None:
    model = mine_best(oracle_of(people(3000, 14), "0.55", 14), "y", n_estimators=10)
    alone = mine_forest(oracle_of(people(3000, 14), "0.55", 14), "y", n_estimators=10)
    groupwise, forest = model.models
    assert len(forest.trees) == len(alone.trees)  # type: ignore[attr-defined]
    assert {len(part.trees) for part in groupwise.parts} == {10}  # type: ignore[attr-defined]
    assert forest.n == groupwise.n == 3000  # type: ignore[attr-defined]


def test_people_read_the_comparison_and_the_choice() -> None:
    show = next(miner for miner in OWN_MINERS if miner.name == "best").show
    table, sentence, *_ = show(
        mine_best(oracle_of(people(20_000, 3), "0.9", 3), "y", n_estimators=5)
    )
    assert [row[0] for row in table.rows] == [  # type: ignore[union-attr]
        "larger class", "naive Bayes (chosen)", "tree", "group-wise", "forest", "average",
    ]  # fmt: skip
    assert str(sentence).startswith("Chosen: naive Bayes. The simplest")
    nothing = list(show(mine_best(oracle_of(coins(1000, 1), "0.8", 1), "y")))
    assert str(nothing[0]).startswith("Chosen: larger class, ")
