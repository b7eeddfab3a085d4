import json
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from math import inf, sqrt
from statistics import NormalDist
from typing import Any, get_args

import numpy as np
import pandas as pd
import pytest
from mlxtend.frequent_patterns import apriori, association_rules

from deniable.base.errors import DeniableError, EstimateError, ModelError
from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.expression import Conjunction, Expression, Family
from deniable.mine.models.model_files import read_model
from deniable.mine.rules import association_rules as module
from deniable.mine.rules import count_errors
from deniable.mine.rules.association_rules import mine_rules, rules
from deniable.mine.rules.item_sets import Measure, frequent
from deniable.mine.rules.rule_set import Rule, RuleSet
from deniable.oracle.api import CountOracle, Estimates, Target, Totals
from deniable.oracle.covariance import indicators as indicators_of
from deniable.oracle.exact import ExactOracle
from deniable.oracle.pooled import PooledOracle
from deniable.oracle.randomized import RandomizedOracle
from deniable.schema import Schema
from deniable.source.disguise import disguise_records
from deniable.source.randomness import SeededBits
from mine.datasets import adult_in_binary, random_records
from oracle.simulated import Reports, disguised_anew, drawn_anew, indicators, whole_matrix

FEW = Schema.of({"a": ["0", "1"], "b": ["0", "1", "2"], "c": ["0", "1"]})

Sides = tuple[frozenset[tuple[str, str]], frozenset[tuple[str, str]]]


@pytest.fixture(scope="module")
def adult() -> Records:
    return adult_in_binary()


def all_rules(oracle: CountOracle, **settings: Any) -> RuleSet:
    """Those that chance explains, too: here it is about counts (chance: test_lift_evidence)."""
    return mine_rules(oracle, max_false=1.0, **settings)


def disguised(records: Records, design: Design, seed: int) -> RandomizedOracle:
    return RandomizedOracle(disguise_records(records, None, design, SeededBits(seed)), design)


def grouped(schema: Schema, *groups: dict[str, Any]) -> Design:
    return Design.of(
        {"attributes": {a.name: list(a.values) for a in schema}, "groups": list(groups)}
    )


def theirs(
    records: Records, support: float, confidence: float, *, yes_only: bool = False
) -> dict[Sides, tuple[float, float, float]]:
    columns = {
        (attribute.name, value): column == code
        for attribute, column in zip(records.schema, records.columns, strict=True)
        for code, value in enumerate(attribute.values)
        if not yes_only or code == attribute.size - 1
    }
    names = list(columns)
    sets = apriori(pd.DataFrame(np.stack(list(columns.values()), axis=1)), min_support=support)
    with np.errstate(invalid="ignore"):  # its other metrics divide by 0
        found = association_rules(sets, metric="confidence", min_threshold=confidence)
    sides = zip(found["antecedents"], found["consequents"], strict=True)
    keys = [tuple(frozenset(names[item] for item in side) for side in both) for both in sides]
    measures = found[["support", "confidence", "lift"]].to_numpy().tolist()
    return dict(zip(keys, map(tuple, measures), strict=True))  # type: ignore[arg-type]


def ours(found: RuleSet) -> dict[Sides, tuple[float, float, float]]:
    return {
        (frozenset(rule.premise.terms), frozenset(rule.conclusion.terms)): (
            rule.support.value,
            rule.confidence.value,
            rule.lift.value,
        )
        for rule in found
    }


def same(
    found: dict[Sides, tuple[float, float, float]], other: dict[Sides, tuple[float, float, float]]
) -> bool:
    return found.keys() == other.keys() and all(
        found[sides] == pytest.approx(measures, rel=1e-12) for sides, measures in other.items()
    )


@dataclass
class CountsOnly:
    """An oracle that cannot tell how errors go together."""

    oracle: RandomizedOracle

    @property
    def schema(self) -> Schema:
        return self.oracle.schema

    @property
    def n(self) -> int:
        return self.oracle.n

    def count(
        self, expressions: Iterable[Expression] | Family, *, of: Target = "sample"
    ) -> Estimates:
        return self.oracle.count(expressions, of=of)


# Nothing disguised


def test_rules_of_adult_are_those_of_mlxtend(adult: Records) -> None:
    oracle = ExactOracle(adult, adult.schema)
    # No ratio of counts up to 10,000 is this threshold, so that rounding decides nothing.
    found = all_rules(oracle, min_support=0.05, min_confidence=sqrt(0.3), items="yes")
    assert len(found) > 300
    assert same(ours(found), theirs(adult, 0.05, sqrt(0.3), yes_only=True))


@pytest.mark.parametrize("seed", range(6))
def test_rules_of_random_tables_are_those_of_mlxtend(seed: int) -> None:
    generator = np.random.default_rng(seed)
    sizes = generator.integers(1, 4, size=5)
    schema = Schema.of({f"x{i}": [str(v) for v in range(size)] for i, size in enumerate(sizes)})
    records = random_records(schema, 150, seed)
    oracle = ExactOracle(records, schema)
    expected = theirs(records, 0.05, sqrt(0.2))
    assert same(ours(all_rules(oracle, min_support=0.05, min_confidence=sqrt(0.2))), expected)
    single = {sides: m for sides, m in expected.items() if len(sides[1]) == 1}
    found = all_rules(oracle, min_support=0.05, min_confidence=sqrt(0.2), conclusions="single")
    assert same(ours(found), single)
    gain = {sides: m for sides, m in single.items() if m[2] >= sqrt(1.3)}
    found = all_rules(
        oracle, min_support=0.05, min_confidence=sqrt(0.2), min_lift=sqrt(1.3), conclusions="single"
    )
    assert same(ours(found), gain)


def test_with_a_target_the_conclusion_is_a_value_of_it() -> None:
    records = random_records(FEW, 200, seed=1)
    found = all_rules(
        ExactOracle(records, FEW), min_support=0.05, min_confidence=sqrt(0.2), target="b"
    )
    expected = {
        sides: measures
        for sides, measures in theirs(records, 0.05, sqrt(0.2)).items()
        if [name for name, _ in sides[1]] == ["b"]
    }
    assert expected
    assert same(ours(found), expected)


@pytest.mark.parametrize(
    "conclusions",
    [["b"], ["a=1"], ["a=1", "b"], ["c", "a"], ["a", "b", "c"], ["single", "a=1", "b=2"]],
)
def test_only_what_is_named_is_concluded(conclusions: list[str]) -> None:
    records = random_records(FEW, 200, seed=1)
    settings: dict[str, Any] = {"min_support": 0.05, "min_confidence": sqrt(0.2)}
    found = all_rules(ExactOracle(records, FEW), **settings, conclusions=conclusions)
    named = {"a=1": {("a", "1")}, "b=2": {("b", "2")}, "single": set()} | {
        a.name: {(a.name, value) for value in a.values} for a in FEW
    }
    allowed = set[tuple[str, str]]().union(*(named[word] for word in conclusions))
    expected = {
        sides: measures
        for sides, measures in theirs(records, 0.05, sqrt(0.2)).items()
        if sides[1] <= allowed and (len(sides[1]) == 1 or "single" not in conclusions)
    }
    assert expected
    assert same(ours(found), expected)
    # Every candidate was counted: with so low a support nothing is pruned, or it would show here.
    sets = [each for each in candidate_sets(records, 0.05) if len(each) > 1]
    ways = {
        frozenset({frozenset(part), each - frozenset(part)})
        for each in sets
        for size in range(1, len(each))
        for part in combinations(sorted(each), size)
        if set(part) <= allowed and (size == 1 or "single" not in conclusions)
    }
    assert found.tried == len(ways)


def candidate_sets(records: Records, support: float) -> set[frozenset[tuple[str, str]]]:
    """All that plain Apriori counts: every subset that is smaller by one is frequent."""
    columns = dict(zip(FEW.names, records.columns, strict=True))
    items = [(a.name, value) for a in FEW for value in a.values]

    def share(chosen: Iterable[tuple[str, str]]) -> float:
        holds = [columns[name] == FEW[name].code(value) for name, value in chosen]
        return float(np.all(holds, axis=0).mean())

    return {
        frozenset(chosen)
        for size in range(1, len(FEW) + 1)
        for chosen in combinations(items, size)
        if len({name for name, _ in chosen}) == size
        and all(share(part) >= support for part in combinations(chosen, size - 1) if part)
    }


@pytest.mark.parametrize("theta", ["0", "1"])
def test_the_whole_truth_and_its_opposite_give_the_plain_rules(theta: str) -> None:
    records = random_records(FEW, 300, seed=2)
    design = grouped(FEW, {"attributes": ["a", "c"], "channel": "related", "theta": theta})
    plain = all_rules(ExactOracle(records, FEW), min_support=0.05, min_confidence=0.4)
    assert all_rules(disguised(records, design, 3), min_support=0.05, min_confidence=0.4) == plain
    for rule in plain:
        for measure in (rule.support, rule.confidence, rule.lift):
            assert measure == Measure(measure.value, 0.0, measure.value, measure.value)


def test_without_a_disguise_the_interval_about_the_population_is_wilsons() -> None:
    records = random_records(FEW, 60, seed=4)
    oracle = ExactOracle(records, FEW)
    z = NormalDist().inv_cdf(0.95)
    found = all_rules(oracle, min_support=0.01, min_confidence=0.0, of="population", level=0.9)
    assert {rule.confidence.value for rule in found} >= {1.0}  # where ± z·s.e. has no width
    for rule in found:
        m, c = oracle.count([rule.premise]).value[0], rule.confidence.value
        half = z * sqrt(c * (1 - c) / m + z**2 / (4 * m**2))
        bounds = [(c + z**2 / (2 * m) + sign * half) / (1 + z**2 / m) for sign in (-1, 1)]
        assert [rule.confidence.low, rule.confidence.high] == pytest.approx(bounds, rel=1e-9)
        assert rule.confidence.std_error == pytest.approx(sqrt(c * (1 - c) / m), abs=1e-9)


def test_rules_come_by_falling_confidence_then_support() -> None:
    found = all_rules(
        ExactOracle(random_records(FEW, 90, 5), FEW), min_support=0.01, min_confidence=0.1
    )
    order = [(-rule.confidence.value, -rule.support.value) for rule in found.rows()]
    assert order == sorted(order)
    assert found.rows() == list(found)


# Disguised

RELATED = {"channel": "related", "theta": "0.8"}
UNRELATED = {
    "channel": "unrelated",
    "theta": "0.7",
    "personal": {"b": {"0": "0.5", "1": "0.3", "2": "0.2"}, "c": {"0": "0.5", "1": "0.5"}},
}
DESIGNS = {
    "one group": grouped(FEW, {"attributes": ["a", "b", "c"], **RELATED}),
    "two groups": grouped(
        FEW, {"attributes": ["a"], **RELATED}, {"attributes": ["b", "c"], **UNRELATED}
    ),
    "public premise": grouped(FEW, {"attributes": ["b", "c"], **UNRELATED}),
}
SHARES = np.array([0.22, 0.05, 0.08, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.25])
ONE = (Conjunction.of(a="1"), Conjunction.of(b="2"))
TWO = (Conjunction.of(a="1", c="1"), Conjunction.of(b="2"))


def simulated(design: Design, of: Target, repeats: int, n: int) -> list[RandomizedOracle]:
    """Fresh reports of the same people, or of new people each time."""
    generator, matrix = np.random.default_rng(6), whole_matrix(design)
    truth = np.rint(n * SHARES).astype(np.int64)
    if of == "sample":
        tables = disguised_anew(truth, matrix, repeats, generator)
    else:
        tables = drawn_anew(SHARES, n, matrix, repeats, generator)
    return [RandomizedOracle(Reports(FEW, table), design) for table in tables]


def chosen(oracle: Any, of: Target, sides: Iterable[tuple[Conjunction, Conjunction]]) -> list[Rule]:
    found = all_rules(
        oracle,
        min_support=0.01,
        tolerance=1.0,
        min_confidence=0.0,
        items=["a=1", "b=2", "c=1"],
        of=of,
    )
    by_sides = {(rule.premise, rule.conclusion): rule for rule in found}
    return [by_sides[each] for each in sides]


def true_ratios(sides: Iterable[tuple[Conjunction, Conjunction]]) -> list[tuple[float, float]]:
    ratios = []
    for premise, conclusion in sides:
        both, a, b = indicators([premise & conclusion, premise, conclusion], FEW) @ SHARES
        ratios.append((both / a, both / (a * b)))
    return ratios


@pytest.mark.slow
@pytest.mark.parametrize("of", get_args(Target))
@pytest.mark.parametrize("name", DESIGNS)
def test_intervals_cover_the_truth_as_often_as_they_say(name: str, of: Target) -> None:
    repeats, n = 300, 2000
    sides = [ONE, TWO]
    truth = np.array(true_ratios(sides))
    covered = np.zeros((repeats, 2, 2))
    scores = np.zeros((repeats, 2, 2))
    for repeat, oracle in enumerate(simulated(DESIGNS[name], of, repeats, n)):
        for row, rule in enumerate(chosen(oracle, of, sides)):
            for column, measure in enumerate((rule.confidence, rule.lift)):
                target = truth[row, column]
                covered[repeat, row, column] = measure.low <= target <= measure.high
                scores[repeat, row, column] = (measure.value - target) / measure.std_error
    # The share covered in 300 repeats has sd 0.0126; 24 such shares are looked at: 4 sd.
    assert np.abs(covered.mean(axis=0) - 0.95).max() <= 4 * sqrt(0.95 * 0.05 / repeats)
    # The standard deviation of 300 standard scores has sd 1/√600.
    assert np.abs(scores.std(axis=0) - 1).max() <= 4 / sqrt(2 * repeats)


def test_at_its_bounds_a_confidence_is_just_contradicted_by_the_data() -> None:
    (oracle,) = simulated(DESIGNS["two groups"], "sample", 1, 100)
    z = NormalDist().inv_cdf(0.975)
    for rule in chosen(oracle, "sample", [ONE, TWO]):
        family = Family.of([rule.premise & rule.conclusion, rule.premise], FEW)
        for bound in (rule.confidence.low, rule.confidence.high):

            def difference(codes: Any, bound: float = bound, family: Family = family) -> Any:
                both, premise = indicators_of(family, codes).T
                return (both - bound * premise)[:, None]

            found = oracle.total(family.columns, difference)
            assert abs(found.value[0]) == pytest.approx(z * found.std_error[0])


def test_without_totals_intervals_are_wider_never_narrower() -> None:
    for name, design in DESIGNS.items():
        for oracle in simulated(design, "sample", 3, 2000):
            known = all_rules(oracle, min_support=0.05, min_confidence=0.3)
            worst = all_rules(CountsOnly(oracle), min_support=0.05, min_confidence=0.3)
            assert len(known) == len(worst) > 5, name
            for mine, other in zip(known, worst, strict=True):
                assert (mine.premise, mine.conclusion) == (other.premise, other.conclusion)
                assert mine.support == other.support
                for ratio, wide in ((mine.confidence, other.confidence), (mine.lift, other.lift)):
                    slack = 1e-9 * ratio.value
                    assert wide.value == ratio.value
                    assert wide.std_error >= ratio.std_error - slack
                    assert wide.high - wide.low >= ratio.high - ratio.low - slack


def test_an_oracle_that_refuses_a_total_is_one_without() -> None:
    (oracle,) = simulated(DESIGNS["two groups"], "sample", 1, 2000)
    pooled = PooledOracle([CountsOnly(oracle)])
    with pytest.raises(EstimateError):
        pooled.total(["a"], lambda codes: codes.astype(float))
    settings: dict[str, Any] = {"min_support": 0.05, "min_confidence": 0.3}
    assert all_rules(pooled, **settings) == all_rules(CountsOnly(oracle), **settings)


def test_twice_the_same_reports_are_the_square_root_of_two_times_as_exact() -> None:
    (site,) = simulated(DESIGNS["two groups"], "sample", 1, 2000)
    (alone,) = chosen(site, "sample", [TWO])
    (pooled,) = chosen(PooledOracle([site, site]), "sample", [TWO])
    assert pooled.confidence.value == pytest.approx(alone.confidence.value)
    for one, two in ((alone.confidence, pooled.confidence), (alone.lift, pooled.lift)):
        assert one.std_error == pytest.approx(sqrt(2) * two.std_error)


def test_totals_of_rules_over_the_same_attributes_are_asked_for_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (oracle,) = simulated(DESIGNS["two groups"], "sample", 1, 2000)
    asked = []
    total = oracle.total

    def listening(columns: Any, function: Any, *, of: Target) -> Totals:
        asked.append(tuple(columns))
        return total(columns, function, of=of)

    monkeypatch.setattr(oracle, "total", listening)
    whole = all_rules(oracle, min_support=0.05, min_confidence=0.3)
    assert len(asked) == len(set(asked)) < len(whole)
    monkeypatch.setattr(count_errors, "TOGETHER", 1)
    single = all_rules(oracle, min_support=0.05, min_confidence=0.3)
    for one, other in zip(whole, single, strict=True):
        assert one.confidence.std_error == pytest.approx(other.confidence.std_error, rel=1e-9)
        assert one.lift.high == pytest.approx(other.lift.high, rel=1e-9)


def test_confirmed_rules_are_exact() -> None:
    records = random_records(FEW, 400, seed=7)
    exact = ExactOracle(records, FEW)
    plain = all_rules(exact, min_support=0.1, min_confidence=0.4)
    design = DESIGNS["one group"]
    found = all_rules(
        disguised(records, design, 8),
        min_support=0.1,
        tolerance=1.0,
        min_confidence=0.4,
        confirm=exact,
    )
    assert found.rows() == plain.rows()
    assert found.confirmed == plain.checked


def test_a_premise_that_noise_may_have_made_up_has_an_unbounded_confidence() -> None:
    design = grouped(FEW, {"attributes": ["a", "c"], "channel": "related", "theta": "0.55"})
    oracle = disguised(random_records(FEW, 30, seed=9), design, seed=10)
    found = all_rules(oracle, min_support=0.01, min_confidence=0.0)
    unbounded = [rule for rule in found if rule.confidence.low == -inf]
    assert unbounded
    assert all(rule.confidence.high == inf for rule in unbounded)
    for rule in found:
        premise = oracle.count([rule.premise])
        sure = premise.value[0] > NormalDist().inv_cdf(0.975) * premise.std_error[0]
        assert sure == (rule not in unbounded)


@pytest.mark.slow
def test_parts_that_are_estimated_to_be_empty_make_no_rule() -> None:
    design = grouped(FEW, {"attributes": ["a"], "channel": "related", "theta": "0.55"})
    records = Records.from_codes(
        [np.arange(40) % 20 // 19, np.arange(40) % 3, np.arange(40) % 2], FEW
    )
    for seed in range(20):
        oracle = disguised(records, design, seed)
        found = all_rules(oracle, min_support=0.01, tolerance=1.0, min_confidence=0.0)
        for rule in found:
            assert (oracle.count([rule.premise, rule.conclusion]).value > 0).all()


# Kept as JSON


def test_rules_come_back_from_json_as_they_were() -> None:
    design = grouped(FEW, {"attributes": ["a", "c"], "channel": "related", "theta": "0.55"})
    oracle = disguised(random_records(FEW, 30, seed=9), design, seed=10)
    found = all_rules(oracle, min_support=0.01, min_confidence=0.0, of="population")
    text = json.dumps(found.document(), allow_nan=False)
    back = read_model(json.loads(text), "rules.json")
    assert isinstance(back, RuleSet)
    assert back == found
    assert any(rule.confidence.high == inf for rule in back)


def test_a_damaged_file_is_refused() -> None:
    found = all_rules(
        ExactOracle(random_records(FEW, 30, 11), FEW), min_support=0.1, min_confidence=0.5
    )
    document = json.loads(json.dumps(found.document()))
    document["rules"][0]["premise"] = {"a": "7"}
    with pytest.raises(DeniableError, match="'a' has no value '7'"):
        read_model(document, "rules.json")
    del document["rules"][0]["lift"]
    document["rules"][0]["premise"] = {"a": "1"}
    with pytest.raises(ModelError, match=r"rules.json is a damaged model"):
        read_model(document, "rules.json")


def test_a_rule_reads_as_a_sentence() -> None:
    support, half = Measure(0.25, 0.01, 0.2, 0.3), Measure(0.5, 0.0, -inf, inf)
    rule = Rule(*ONE, support, half, half, 0.03)
    assert str(rule) == (
        "a=1 → b=2: support 0.250 ± 0.010 (0.200 to 0.300), "
        "confidence 0.500 ± 0.000 (−∞ to ∞), lift 0.500 ± 0.000 (−∞ to ∞), p = 0.030"
    )


# What is refused


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"min_support": 0.0}, "min_support = 0.0 is no share"),
        ({"min_confidence": 1.1}, "min_confidence = 1.1 is no share"),
        ({"min_confidence": float("nan")}, "from 0 to 1"),
        ({"min_lift": -1.0}, "min_lift = -1.0 is no threshold"),
        ({"target": "d"}, "The target 'd' is not in the design"),
        ({"conclusions": "several"}, "There are no conclusions of kind 'several'"),
        ({"items": ["a=1", "c=1"], "target": "b"}, "no item is a value of the target 'b'"),
        ({"items": ["a=1", "c=1"], "conclusions": ["b"]}, "none may be concluded"),
        ({"conclusions": ["a=1"], "target": "b"}, "no value of the target 'b' is concluded"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, Any], words: str) -> None:
    oracle = ExactOracle(random_records(FEW, 10, seed=12), FEW)
    with pytest.raises(ModelError, match=words) as refused:
        all_rules(oracle, **{"min_support": 0.1, "min_confidence": 0.5, **settings})
    assert refused.value.hint


def test_more_rules_than_anybody_reads_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_RULES", 10)
    oracle = ExactOracle(random_records(FEW, 50, seed=13), FEW)
    with pytest.raises(ModelError, match="more than 10 rules"):
        all_rules(oracle, min_support=0.01, min_confidence=0.0)


def test_no_rule_is_an_answer() -> None:
    oracle = ExactOracle(random_records(FEW, 50, seed=14), FEW)
    nothing = all_rules(oracle, min_support=1.0, min_confidence=0.5)
    assert (len(nothing), nothing.rows()) == (0, [])
    short = frequent(oracle, min_support=0.01, max_len=1)
    assert len(rules(short, oracle, min_confidence=0.0)) == 0
