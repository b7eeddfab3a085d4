"""What speaks for a class in a naive Bayes model, and what the noise leaves open."""

from collections.abc import Sequence

import numpy as np
import pytest

from deniable.base.arrays import Floats
from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.mine.bayes import mine_bayes
from deniable.mine.miner import ModelTable
from deniable.mine.models.bayes_tables import SHOWN_FOR_TWO, bayes_tables
from deniable.mine.speaking_values import SpeakingValue, speaking_values
from deniable.oracle.exact import ExactOracle
from deniable.oracle.randomized import RandomizedOracle
from deniable.schema import Schema
from deniable.source.disguise import disguise_records
from deniable.source.randomness import SeededBits

SCHEMA = Schema.of({"a": ["0", "1", "2"], "b": ["0", "1"], "y": ["no", "yes"]})
N, REPEATS = 2000, 200


def drawn(effect: float, seed: int) -> Records:
    """A class of 30 %, of which a tells something, if there is an effect, and b nothing."""
    rng = np.random.default_rng([seed, 7])
    y = rng.random(N) < 0.3
    a = np.where(rng.random(N) < np.where(y, 0.5 + effect, 0.5), 1 + (rng.random(N) < 0.5), 0)
    return Records.from_codes(np.column_stack([a, rng.integers(2, size=N), y]), SCHEMA)


def designed(*groups: Sequence[str]) -> Design:
    return Design.of(
        {
            "attributes": {attribute.name: list(attribute.values) for attribute in SCHEMA},
            "groups": [
                {"attributes": list(names), "channel": "related", "theta": "0.8"}
                for names in groups
            ],
        }
    )


def through(design: Design, effect: float, seed: int) -> tuple[SpeakingValue, ...]:
    reports = disguise_records(drawn(effect, seed), None, design, SeededBits(seed))
    return speaking_values(mine_bayes(RandomizedOracle(reports, design), "y"), 1).speaking


def test_without_disguise_it_is_the_log_of_a_ratio_of_shares_with_the_usual_error() -> None:
    table = np.array([[400, 50, 50], [100, 170, 30]])  # of a, by class; b tells nothing
    rows = [
        (a, b, y) for y in range(2) for a in range(3) for b in range(2)
        for _ in range(table[y, a] // 2)
    ]  # fmt: skip
    oracle = ExactOracle(Records.from_codes(np.array(rows), SCHEMA), SCHEMA)
    found = speaking_values(mine_bayes(oracle, "y"), 1)
    assert [(each.feature, each.value) for each in found.speaking] == [("a", "1"), ("a", "0")]
    assert found.silent == 3
    one = found.speaking[0]
    assert (one.share, one.other) == pytest.approx((17 / 30, 0.1))
    assert one.log_odds == pytest.approx(np.log(17 / 3))
    assert one.std_error == pytest.approx(np.sqrt(1 / 170 - 1 / 300 + 1 / 50 - 1 / 500))
    # The other class sees the same, the other way round.
    other = speaking_values(mine_bayes(oracle, "y"), 0).speaking[0]
    assert (other.log_odds, other.std_error) == pytest.approx((-one.log_odds, one.std_error))


def test_of_what_nobody_in_a_class_has_a_bound_is_given() -> None:
    rows = np.array([(0, b, 0) for b in (0, 1)] * 100 + [(1, b, 1) for b in (0, 1)] * 100)
    found = speaking_values(
        mine_bayes(ExactOracle(Records.from_codes(rows, SCHEMA), SCHEMA), "y"), 1
    )
    for each in found.speaking:
        assert each.std_error is None
        # Of 200 at most 3.84 (Wilson's bound for none of many), against all of 200.
        assert abs(each.log_odds) == pytest.approx(np.log(200 / 3.84), abs=0.01)
    assert {each.log_odds > 0 for each in found.speaking} == {True, False}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("groups", "exact"),
    [([["a"]], True), ([["y"]], False), ([["a"], ["y"]], False), ([["a", "y"]], False)],
    ids=["public class", "public feature", "two groups", "one group"],
)
def test_the_standard_error_is_that_of_repeated_surveys_or_on_the_safe_side(
    groups: list[list[str]], exact: bool
) -> None:
    design = designed(*groups)
    told = [
        (each.log_odds, each.std_error)
        for seed in range(REPEATS)
        for each in through(design, 0.3, seed)
        if (each.feature, each.value) == ("a", "0") and each.std_error is not None
    ]
    assert len(told) > 0.95 * REPEATS
    values, errors = np.array(told).T
    truth = np.log(0.2 / 0.5)
    ratio = np.sqrt((errors**2).mean() / ((values - truth) ** 2).mean())
    # The s.d. of r normal values has the relative s.d. 1/√(2r) = 5 %; logarithms add a little.
    assert ratio > 0.8
    if exact:
        assert ratio < 1.25


@pytest.mark.slow
@pytest.mark.parametrize("groups", [[], [["a"]], [["a", "b", "y"]], [["a"], ["y"]]])
def test_where_nothing_speaks_nothing_is_said_to(groups: list[list[str]]) -> None:
    design = designed(*groups)
    false = sum(bool(through(design, 0.0, seed)) for seed in range(REPEATS))
    # 5 % of 200 are 10, with the s.d. 3.1.
    assert false <= 10 + 4 * 3.1


def test_the_strongest_values_are_listed_and_the_others_counted() -> None:
    wide = Schema.of({"a": [f"v{k}" for k in range(30)], "y": ["no", "yes"]})
    codes = np.arange(30).repeat(200)
    chance: Floats = np.linspace(0.05, 0.95, 30)[codes]
    y = np.tile(np.arange(200) / 200, 30) < chance
    records = Records.from_codes(np.column_stack([codes, y]), wide)
    _, table, rest = bayes_tables(mine_bayes(ExactOracle(records, wide), "y"))
    assert isinstance(table, ModelTable)
    assert len(table.rows) == SHOWN_FOR_TWO
    assert [row[0] for row in table.rows] == [
        *(f"a=v{k}" for k in range(29, 24, -1)),
        *(f"a=v{k}" for k in range(4, -1, -1)),
    ]
    assert isinstance(rest, str)
    assert "values speak less strongly" in rest
    assert "other values tell nothing that noise and chance could not explain." in rest


def test_a_model_that_tells_nothing_says_so() -> None:
    nothing = ExactOracle(drawn(0.0, 1), SCHEMA)
    _, said = bayes_tables(mine_bayes(nothing, "y", features=["b"]))
    assert said == (
        "No answer speaks for y=yes or against it: noise and chance explain all differences, of "
        "2 values."
    )


def test_each_of_several_classes_is_told() -> None:
    several = Schema.of({"a": ["0", "1"], "y": ["p", "q", "r"]})
    rows = np.array([(0, 0)] * 90 + [(1, 0)] * 10 + [(0, 1)] * 10 + [(1, 1)] * 90)
    rows = np.concatenate([rows, np.array([(0, 2)] * 50 + [(1, 2)] * 50)])
    parts = list(
        bayes_tables(mine_bayes(ExactOracle(Records.from_codes(rows, several), several), "y"))
    )
    titles = [part.title for part in parts[1:] if isinstance(part, ModelTable)]
    assert [title.split()[3] for title in titles] == ["y=p", "y=q"]
    assert any(isinstance(part, str) and "speaks for y=r" in part for part in parts)
