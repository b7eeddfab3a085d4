"""Group-wise Bayes: what it combines, what it sees through strong disguise, and bad input."""

import json
from typing import Any

import numpy as np
import pytest

from deniable import Design, ExactOracle, RandomizedOracle, Records
from deniable.base.arrays import Codes
from deniable.base.errors import ModelError
from deniable.mine.forest import mine_forest
from deniable.mine.groupwise import GroupwiseBayes, mine_groupwise
from deniable.mine.models.model_files import read_model
from deniable.oracle.api import CountOracle
from deniable.source.disguise import disguise_records
from deniable.source.randomness import SeededBits

NAMES = (*(f"a{k}" for k in range(9)), "y")
THREE = (("a0", "a1", "a2"), ("a3", "a4", "a5"), ("a6", "a7"))
CHANNELS = {
    "related": {"channel": "related", "theta": "0.7"},
    "unrelated": {"channel": "unrelated", "theta": "0.5"},
    "uniform": {"channel": "keep-or-uniform", "theta": "0.5"},
}


def designed(groups: tuple[tuple[str, ...], ...], channel: dict[str, Any]) -> Design:
    even = {"0": "1/2", "1": "1/2"}
    personal = channel["channel"] == "unrelated"
    return Design.of(
        {
            "attributes": {name: ["0", "1"] for name in NAMES},
            "groups": [
                {
                    "attributes": list(names),
                    **channel,
                    **({"personal": dict.fromkeys(names, even)} if personal else {}),
                }
                for names in groups
            ],
        }
    )


def people(n: int, seed: int) -> Codes:
    """Nine yes/no answers and a class: a0 ≠ a1 within a group, a3, a6 and public a8 beside it."""
    rng = np.random.default_rng(seed)
    x = rng.integers(2, size=(n, 9))
    told = (
        3.0 * (x[:, 0] ^ x[:, 1])
        - 1.5
        + 2.0 * x[:, 3]
        - 1
        + 2.0 * x[:, 6]
        - 1
        + 1.0 * x[:, 8]
        - 0.5
    )
    y = rng.random(n) < 1 / (1 + np.exp(-told))
    return np.column_stack([x, y]).astype(np.int64)


def oracle_of(codes: Codes, design: Design, seed: int = 1) -> RandomizedOracle:
    records = Records.from_codes(codes, design.schema)
    return RandomizedOracle(disguise_records(records, None, design, SeededBits(seed)), design)


def test_a_part_is_a_group_or_what_is_public() -> None:
    model = mine_groupwise(
        oracle_of(people(300, 1), designed(THREE, CHANNELS["related"])), "y", n_estimators=2
    )
    assert [part.features for part in model.parts] == [*THREE, ("a8",)]
    some = mine_groupwise(
        oracle_of(people(300, 1), designed(THREE, CHANNELS["related"])),
        "y",
        features=["a8", "a1", "a4"],
        n_estimators=2,
    )
    assert [part.features for part in some.parts] == [("a1",), ("a4",), ("a8",)]


def test_parts_are_multiplied_and_the_prior_counts_once() -> None:
    model = mine_groupwise(
        oracle_of(people(2000, 2), designed(THREE, CHANNELS["related"])), "y", n_estimators=5
    )
    codes = people(50, 3)[:, :-1]
    expected = np.repeat(model.prior[np.newaxis], len(codes), axis=0)
    for part in model.parts:
        columns = [NAMES.index(name) for name in part.features]
        chances = part.probabilities(codes[:, columns])
        expected *= (model.n * chances + model.prior) / (model.n + 1) / model.prior
    expected /= expected.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.probabilities(codes), expected)


def test_one_group_is_its_forest() -> None:
    whole = (NAMES[:-1],)
    oracle = oracle_of(people(1000, 4), designed(whole, CHANNELS["related"]))
    model = mine_groupwise(oracle, "y", n_estimators=5, random_state=3)
    (part,) = model.parts
    codes = people(200, 5)[:, :-1]
    np.testing.assert_array_equal(model.predict(codes), part.predict(codes))


@pytest.mark.slow
@pytest.mark.parametrize("where", ["public", "alone", "with others"])
@pytest.mark.parametrize("channel", CHANNELS)
def test_it_sees_what_every_group_says(channel: str, where: str) -> None:
    """20,000 people; the best that anybody could do is .81, the larger class .5.

    With the class in a group a count of two groups has twice the disguise: some .05 are lost.
    """
    groups = {
        "public": THREE,
        "alone": (*THREE, ("y",)),
        "with others": (*THREE[:-1], (*THREE[-1], "y")),
    }[where]
    oracle = oracle_of(people(20_000, 6), designed(groups, CHANNELS[channel]))
    model = mine_groupwise(oracle, "y", n_estimators=10)
    test = people(20_000, 7)
    right = (model.predict(test[:, :-1]) == test[:, -1]).mean()
    assert right > (0.75 if where == "public" else 0.70)


@pytest.mark.slow
def test_under_strong_disguise_it_is_better_than_a_forest_of_everything() -> None:
    test = people(5000, 99)
    leads = []
    for seed in range(6):
        oracle = oracle_of(
            people(2000, seed), designed(THREE, {"channel": "related", "theta": "0.6"}), seed
        )
        both = (
            mine_groupwise(oracle, "y", n_estimators=20),
            mine_forest(oracle, "y", n_estimators=20),
        )
        right = [(model.predict(test[:, :-1]) == test[:, -1]).mean() for model in both]
        leads.append(right[0] - right[1])
    # Better on average beyond doubt: 2 standard errors of the mean of six pairs.
    assert np.mean(leads) > 2 * np.std(leads, ddof=1) / np.sqrt(6)


def test_it_is_read_as_it_was_written() -> None:
    model = mine_groupwise(
        oracle_of(people(300, 8), designed(THREE, CHANNELS["related"])), "y", n_estimators=3
    )
    document = json.loads(json.dumps(model.document(), allow_nan=False))
    read = read_model(document, "model.json")
    assert isinstance(read, GroupwiseBayes)
    codes = people(100, 9)[:, :-1]
    np.testing.assert_array_equal(read.probabilities(codes), model.probabilities(codes))


@pytest.mark.parametrize(
    "damage",
    [
        lambda body: body["parts"].pop(),
        lambda body: body["parts"].append(body["parts"][0]),
        lambda body: body["parts"][0].update(features=["a0"]),
        lambda body: body["parts"][0].update(target="a8"),
        lambda body: body.update(prior=[0.7, 0.7]),
        lambda body: body.update(prior=[1.0]),
        lambda body: body.update(prior=[1.5, -0.5]),
    ],
)
def test_a_damaged_model_is_refused(damage: Any) -> None:
    model = mine_groupwise(
        oracle_of(people(300, 8), designed(THREE, CHANNELS["related"])), "y", n_estimators=2
    )
    document = json.loads(json.dumps(model.document()))
    damage(document)
    with pytest.raises(ModelError, match="damaged"):
        read_model(document, "model.json")


def test_a_class_that_nobody_has_is_never_predicted() -> None:
    codes = people(400, 10)
    codes[:, -1] = 0
    model = mine_groupwise(
        oracle_of(codes, designed(THREE, CHANNELS["related"])), "y", n_estimators=2
    )
    chances = model.probabilities(people(50, 11)[:, :-1])
    np.testing.assert_array_equal(chances, np.tile([1.0, 0.0], (50, 1)))


def test_undisguised_records_are_one_part() -> None:
    schema = designed(THREE, CHANNELS["related"]).schema
    model = mine_groupwise(
        ExactOracle(Records.from_codes(people(200, 12), schema), schema), "y", n_estimators=2
    )
    assert len(model.parts) == 1


class _Refusing:
    """An oracle whose policy refuses every count."""

    def __init__(self, oracle: CountOracle) -> None:
        self._oracle, self.schema, self.n = oracle, oracle.schema, oracle.n

    def count(self, expressions: Any, *, of: Any = "sample") -> Any:
        found = self._oracle.count(expressions, of=of)
        found.value[:] = np.nan
        return found


def test_bad_input_is_refused_in_a_sentence() -> None:
    oracle = oracle_of(people(100, 13), designed(THREE, CHANNELS["related"]))
    with pytest.raises(ModelError, match="not in the design"):
        mine_groupwise(oracle, "z")
    with pytest.raises(ModelError, match="no feature"):
        mine_groupwise(oracle, "y", features=[])
    with pytest.raises(ModelError, match="are refused"):
        mine_groupwise(_Refusing(oracle), "y")
    with pytest.raises(ModelError, match="forest of 0 trees"):
        mine_groupwise(oracle, "y", n_estimators=0)
    steps: list[tuple[int, int]] = []
    mine_groupwise(oracle, "y", n_estimators=2, progress=lambda *step: steps.append(step))
    assert steps[-1] == (8, 8)
    assert steps == sorted(steps)
