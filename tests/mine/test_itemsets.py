from collections.abc import Iterable
from dataclasses import asdict
from statistics import NormalDist
from typing import Any

import numpy as np
import pandas as pd
import pytest
from mlxtend.frequent_patterns import apriori

from deniable.base.errors import DeniableError, ModelError
from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.expression import Conjunction, Expression, Family
from deniable.mine.rules import item_sets as itemsets
from deniable.mine.rules.apriori import WrittenSets
from deniable.mine.rules.frequent_sets import mine_itemsets
from deniable.mine.rules.item_sets import ItemSets, frequent
from deniable.oracle.api import Estimates, Target
from deniable.oracle.exact import ExactOracle
from deniable.oracle.randomized import RandomizedOracle
from deniable.schema import Schema
from deniable.source.disguise import disguise_records
from deniable.source.randomness import SeededBits
from mine.datasets import adult_in_binary, random_records
from oracle.simulated import Reports, disguised_anew, indicators, whole_matrix

FEW = Schema.of({"a": ["0", "1"], "b": ["0", "1", "2"], "c": ["0", "1"], "d": ["0", "1"]})

Found = dict[frozenset[tuple[str, str]], float]


@pytest.fixture(scope="module")
def adult() -> Records:
    return adult_in_binary()


def theirs(records: Records, support: float, longest: int | None, *, yes_only: bool) -> Found:
    columns = {
        (attribute.name, value): column == code
        for attribute, column in zip(records.schema, records.columns, strict=True)
        for code, value in enumerate(attribute.values)
        if not yes_only or code == attribute.size - 1
    }
    names = list(columns)
    table = pd.DataFrame(np.stack(list(columns.values()), axis=1))
    found = apriori(table, min_support=support, max_len=longest)
    return {
        frozenset(names[item] for item in items): float(share)
        for items, share in zip(found["itemsets"], found["support"], strict=True)
    }


def candidates(found: set[frozenset[tuple[str, str]]], schema: Schema) -> set[Any]:
    """Every item, and every larger set all of whose subsets were found: Apriori, naively."""
    items = [(attribute.name, value) for attribute in schema for value in attribute.values]
    larger = {known | {item} for known in found for item in items if item[0] not in dict(known)}
    complete = {each for each in larger if all(each - {item} in found for item in each)}
    return complete | {frozenset({item}) for item in items}


def ours(found: ItemSets) -> Found:
    rows = {frozenset(row.items.terms): row.support.value for row in found.rows()}
    assert len(rows) == len(found)
    return rows


def related(schema: Schema, groups: Iterable[Iterable[str]], theta: str) -> Design:
    return Design.of(
        {
            "attributes": {attribute.name: list(attribute.values) for attribute in schema},
            "groups": [
                {"attributes": list(names), "channel": "related", "theta": theta}
                for names in groups
            ],
        }
    )


def disguised(records: Records, design: Design, seed: int) -> RandomizedOracle:
    return RandomizedOracle(disguise_records(records, None, design, SeededBits(seed)), design)


class Asked:
    """Any oracle, with a list of what it was asked."""

    def __init__(self, oracle: Any) -> None:
        self.oracle, self.schema, self.n = oracle, oracle.schema, oracle.n
        self.families: list[Family] = []

    def count(
        self, expressions: Iterable[Expression] | Family, *, of: Target = "sample"
    ) -> Estimates:
        self.families.append(Family.of(expressions, self.schema))
        found: Estimates = self.oracle.count(self.families[-1], of=of)
        return found


class Told:
    """Estimates out of 100 by heart, all with the same standard error."""

    schema = Schema.of({"a": ["0", "1"], "b": ["0", "1"]})
    n = 100

    def __init__(self, counts: dict[str, float], std_error: float) -> None:
        family = Family.of(counts, self.schema)
        self.counts = dict(zip(map(tuple, family.codes.tolist()), counts.values(), strict=True))
        self.std_error = std_error

    def count(
        self, expressions: Iterable[Expression] | Family, *, of: Target = "sample"
    ) -> Estimates:
        family = Family.of(expressions, self.schema)
        assert family.columns == ("a", "b")
        value = np.array([self.counts[tuple(codes)] for codes in family.codes.tolist()])
        nothing = np.zeros(len(value))
        return Estimates(self.n, of, value, nothing + self.std_error**2, nothing, nothing)


# Nothing disguised


@pytest.mark.parametrize(("items", "longest"), [("yes", None), ("all", 3)])
def test_item_sets_of_adult_are_those_of_mlxtend(
    adult: Records, items: Any, longest: int | None
) -> None:
    found = frequent(
        ExactOracle(adult, adult.schema), min_support=0.05, items=items, max_len=longest
    )
    assert ours(found) == theirs(adult, 0.05, longest, yes_only=items == "yes")
    assert all(row.significant and row.support.std_error == 0 for row in found.rows())


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_item_sets_of_random_tables_are_those_of_mlxtend(seed: int) -> None:
    generator = np.random.default_rng(seed)
    sizes = generator.integers(1, 5, size=7)
    schema = Schema.of({f"x{i}": [str(v) for v in range(size)] for i, size in enumerate(sizes)})
    records = random_records(schema, int(generator.integers(1, 200)), seed)
    for support in (0.04, 0.25, 1.0):
        found = frequent(ExactOracle(records, schema), min_support=support)
        assert ours(found) == theirs(records, support, None, yes_only=False)
        assert found.checked == len(candidates(set(ours(found)), schema))


@pytest.mark.parametrize("theta", ["0", "1"])
def test_the_whole_truth_and_its_opposite_give_the_plain_item_sets(theta: str) -> None:
    records = random_records(FEW, 300, seed=1)
    plain = frequent(ExactOracle(records, FEW), min_support=0.1)
    design = related(FEW, [["a", "c"], ["d"]], theta)
    found = frequent(disguised(records, design, seed=2), min_support=0.1)
    assert found.rows() == plain.rows()
    assert (found.checked, found.confirmed) == (plain.checked, 0)


def test_every_level_is_one_question_about_the_columns_in_play() -> None:
    schema = Schema.of({name: ["0", "1"] for name in "abcd"})
    codes = np.array([[1, 1, 1, 0]] * 9 + [[0, 0, 0, 1]])
    oracle = Asked(ExactOracle(Records.from_codes(codes, schema), schema))
    found = frequent(oracle, min_support=0.5, items="yes")
    asked = [(family.columns, len(family)) for family in oracle.families]
    assert asked == [(("a", "b", "c", "d"), 4), (("a", "b", "c"), 3), (("a", "b", "c"), 1)]
    assert (len(found), found.checked) == (7, 8)


def test_small_batches_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    oracle = disguised(random_records(FEW, 500, seed=3), related(FEW, ["ac", "d"], "0.8"), seed=4)
    whole = frequent(oracle, min_support=0.1).rows()
    monkeypatch.setattr(itemsets, "BATCH", 3)
    again = frequent(oracle, min_support=0.1).rows()
    assert [row.items for row in again] == [row.items for row in whole]
    for one, other in zip(again, whole, strict=True):  # few are summed in another order than many
        assert asdict(one.support) == pytest.approx(asdict(other.support), rel=1e-9)


def test_items_may_be_listed_and_sets_kept_short() -> None:
    records = random_records(FEW, 100, seed=5)
    some: list[Expression] = ["d=1", Conjunction.of(b="2"), {"b": "0"}]
    found = frequent(ExactOracle(records, FEW), min_support=0.01, items=some)
    assert {term for row in found.rows() for term in row.items.terms} == {
        ("b", "0"),
        ("b", "2"),
        ("d", "1"),
    }
    short = frequent(ExactOracle(records, FEW), min_support=0.01, items=some, max_len=1)
    assert ours(short).keys() == {items for items in ours(found) if len(items) == 1}


def test_yes_items_are_last_values_of_yes_no_attributes_and_all_of_others() -> None:
    found = frequent(
        ExactOracle(random_records(FEW, 400, seed=6), FEW), min_support=0.01, items="yes", max_len=1
    )
    names = sorted(str(row.items) for row in found.rows())
    assert names == ["a=1", "b=0", "b=1", "b=2", "c=1", "d=1"]


# Disguised


@pytest.mark.slow
def test_supports_are_unbiased() -> None:
    design = related(FEW, [["a", "b"], ["c"]], "0.7")
    truth = np.random.default_rng(7).multinomial(600, np.full(24, 1 / 24))
    repeats = 400
    tables = disguised_anew(truth, whole_matrix(design), repeats, np.random.default_rng(8))
    values, variances = [], []
    for table in tables:
        oracle = RandomizedOracle(Reports(FEW, table), design)
        # Nothing is selected, or the supports of what remains would be too large on average.
        found = frequent(oracle, min_support=0.01, tolerance=1.0)
        values.append(np.concatenate([counts.value for counts in found.counts]))
        variances.append(np.concatenate([counts.variance for counts in found.counts]))
    members = [sets.members for sets in found.kept]
    written = WrittenSets(found.items, found.kept)
    sets = list(written.conjunctions(np.arange(sum(map(len, members)))))
    assert len(sets) == 3**3 * 4 - 1
    error = np.mean(values, axis=0) - indicators(sets, FEW) @ truth
    deviation = np.sqrt(np.mean(variances, axis=0) / repeats)
    # 107 standard scores: beyond 4.5 with probability 107 · 7e-6. Exact ones differ by rounding.
    assert (np.abs(error) <= 4.5 * deviation + 1e-9).all()


@pytest.mark.parametrize("of", ["sample", "population"])
@pytest.mark.parametrize("level", [0.6, 0.95, 0.999])
def test_kept_is_what_is_not_significantly_below_the_threshold(of: Target, level: float) -> None:
    oracle = disguised(random_records(FEW, 500, seed=9), related(FEW, ["abcd"], "0.7"), seed=10)
    singles = oracle.count(["a=0", "a=1", "b=0", "b=1", "b=2", "c=0", "c=1", "d=0", "d=1"], of=of)
    for support in np.linspace(0.01, 0.99, 50):
        found = frequent(oracle, min_support=float(support), max_len=1, level=level, of=of)
        kept = found.kept[0].members[:, 0].tolist() if found.kept else []
        gap = support * 500 - singles.value
        there = singles.variance + singles.tilt * gap - singles.bend * gap**2
        z = NormalDist().inv_cdf(level) * np.sqrt(there)
        assert kept == np.flatnonzero(gap <= z).tolist()
        assert sum(row.significant for row in found.rows()) == (gap <= -z).sum()


def test_a_subset_that_noise_takes_below_the_threshold_does_not_take_its_superset_along() -> None:
    screen = Told({"a=1": 19.5, "b=1": 40, "a=1 & b=1": 20.5}, std_error=2.0)
    careful = frequent(screen, min_support=0.2, items="yes")
    assert [str(row.items) for row in careful.rows()] == ["b=1", "a=1 & b=1"]
    assert [row.significant for row in careful.rows()] == [True, False]
    hasty = frequent(screen, min_support=0.2, items="yes", tolerance=0.0)
    assert [str(row.items) for row in hasty.rows()] == ["b=1"]
    fixed = frequent(screen, min_support=0.2, items="yes", tolerance=0.01)
    assert fixed.rows() == careful.rows()


# Confirmed by exact counts (Teng & Du)


def test_hybrid_sets_are_all_valid_and_cost_fewer_exact_counts(adult: Records) -> None:
    exact = ExactOracle(adult, adult.schema)
    plain = frequent(exact, min_support=0.3)
    screen = disguised(adult, related(adult.schema, [adult.schema.names], "0.495"), seed=11)
    alone = ours(frequent(screen, min_support=0.3, tolerance=0.0, max_len=4))
    assert not alone.keys() <= ours(plain).keys()  # randomization by itself finds false ones
    confirmed = []
    for tolerance in (0.0, 0.1, 0.2, 0.3, 1.0):
        asked = Asked(exact)
        found = frequent(screen, min_support=0.3, tolerance=tolerance, confirm=asked)
        assert ours(found).items() <= ours(plain).items()  # valid ratio 1, supports exact
        assert found.confirmed == sum(map(len, asked.families)) <= plain.checked
        confirmed.append(found.confirmed)
    assert confirmed == sorted(confirmed)
    assert confirmed[0] < confirmed[3] < plain.checked
    # No estimate is below 0.3 − 1 here: everything passes, and what is left is plain Apriori.
    assert found.rows() == plain.rows()
    assert found.confirmed == plain.checked


def test_a_derived_tolerance_loses_little_and_confirms_less(adult: Records) -> None:
    exact = ExactOracle(adult, adult.schema)
    plain = frequent(exact, min_support=0.3)
    groups = [adult.schema.names[start::3] for start in range(3)]
    screen = disguised(adult, related(adult.schema, groups, "0.8"), seed=12)
    found = frequent(screen, min_support=0.3, confirm=exact)
    assert ours(found).items() <= ours(plain).items()
    assert found.confirmed < plain.checked
    # To be lost, a set or a subset must err by more than 4.5 standard errors, of which 1.64 are
    # within the tolerance; among fewer than 10^4 sets that has a probability of 4 %.
    largest = max(screen.count([row.items for row in plain.rows()]).std_error) / screen.n
    clear = {items for items, share in ours(plain).items() if share >= 0.3 + 2.86 * largest}
    assert len(plain) / 2 < len(clear) < len(plain)
    assert clear <= ours(found).keys()


def test_what_contains_a_set_that_is_confirmed_to_be_rare_is_not_asked_about() -> None:
    screen = Told({"a=1": 30, "b=1": 40, "a=1 & b=1": 25}, std_error=2.0)
    confirm = Asked(Told({"a=1": 19, "b=1": 41, "a=1 & b=1": 19}, std_error=0.0))
    found = frequent(screen, min_support=0.2, items="yes", confirm=confirm)
    assert ours(found) == {frozenset({("b", "1")}): 0.41}
    assert (found.checked, found.confirmed, len(confirm.families)) == (2, 2, 1)


def test_the_confirming_oracle_may_list_values_in_another_order() -> None:
    records = random_records(FEW, 300, seed=13)
    turned = Schema.of({name: FEW[name].values[::-1] for name in reversed(FEW.names)})
    confirm = ExactOracle(records.to_arrow(), turned)
    exact = ExactOracle(records, FEW)
    assert (
        frequent(exact, min_support=0.1, confirm=confirm).rows()
        == frequent(exact, min_support=0.1).rows()
    )


# What is refused


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"min_support": 0.0}, "min_support = 0.0 is no share"),
        ({"min_support": 1.1}, "at most 1"),
        ({"min_support": float("nan")}, "no share"),
        ({"tolerance": -0.1}, "tolerance = -0.1 is no share"),
        ({"tolerance": "auto"}, "'derived'"),
        ({"max_len": 0}, "max_len = 0 leaves no set"),
        ({"level": 0.5}, "one-sided level"),
        ({"items": "maybe"}, "There is no choice of items 'maybe'"),
        ({"items": []}, "no items"),
        ({"items": ["a=1 & c=1"]}, "not one item"),
        ({"items": ["e=1"]}, "There is no attribute 'e'"),
        ({"items": ["a=2"]}, "'a' has no value '2'"),
        ({"of": "everyone"}, "There is no target 'everyone'"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, Any], words: str) -> None:
    oracle = ExactOracle(random_records(FEW, 10, seed=14), FEW)
    with pytest.raises(DeniableError, match=words) as refused:
        frequent(oracle, **{"min_support": 0.1, **settings})
    assert refused.value.hint


def test_a_confirming_oracle_about_other_people_is_refused() -> None:
    screen, fewer = (ExactOracle(random_records(FEW, n, seed=15), FEW) for n in (20, 19))
    with pytest.raises(ModelError, match="has 19 records, the screen 20"):
        frequent(screen, min_support=0.1, confirm=fewer)
    other = Schema.of({"a": ["0", "1"]})
    with pytest.raises(DeniableError, match="same attributes"):
        frequent(
            screen, min_support=0.1, confirm=ExactOracle(random_records(other, 20, seed=15), other)
        )


def test_a_threshold_that_tells_nothing_apart_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deniable.mine.rules.apriori.MOST_CANDIDATES", 35)
    oracle = ExactOracle(random_records(FEW, 50, seed=16), FEW)
    with pytest.raises(ModelError, match=r"leaves 36 sets of 2 items open.*max_len=1"):
        frequent(oracle, min_support=0.01, tolerance=1.0)


def test_nothing_frequent_is_an_answer() -> None:
    records = Records.from_codes([np.arange(4) % 2], Schema.of({"a": ["0", "1"]}))
    found = frequent(ExactOracle(records, records.schema), min_support=0.6)
    assert (len(found), list(found.rows()), found.checked) == (0, [], 2)


# As a model


def test_the_model_holds_the_frequent_sets_most_support_first() -> None:
    oracle = disguised(random_records(FEW, 2000, 1), related(FEW, [["a", "b"], ["c"]], "0.8"), 2)
    found = frequent(oracle, min_support=0.2)
    model = mine_itemsets(oracle, min_support=0.2)
    assert sorted(map(str, model)) == sorted(map(str, found.rows()))
    supports = [each.support.value for each in model]
    assert supports == sorted(supports, reverse=True)
    pairs = mine_itemsets(oracle, min_support=0.2, min_len=2, max_len=2)
    assert list(pairs) == [each for each in model if len(each.items.terms) == 2]
    assert type(model).read(model.schema, model.body()) == model


@pytest.mark.parametrize(("least", "most"), [(0, None), (3, 2)])
def test_lengths_that_no_set_has_are_refused(least: int, most: int | None) -> None:
    oracle = ExactOracle(random_records(FEW, 10, 1), FEW)
    with pytest.raises(ModelError, match="No set has at least"):
        mine_itemsets(oracle, min_support=0.2, min_len=least, max_len=most)
