"""Scores on disguised test records, against the same records undisguised."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ClassVar, Self

import numpy as np
import pytest
from sklearn.metrics import (
    balanced_accuracy_score,
    confusion_matrix,
    precision_recall_fscore_support,
)
from sklearn.tree import DecisionTreeClassifier

from deniable.base.arrays import Codes, Floats
from deniable.base.errors import ModelError
from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.expression import ANY, Family
from deniable.mine.bayes import mine_bayes
from deniable.mine.forest import mine_forest
from deniable.mine.model import Classifier
from deniable.mine.scores.confusion import Accuracy, Score
from deniable.mine.scores.personal_bits import score_with_personal_bits
from deniable.mine.scores.score import score, score_function, score_leaves
from deniable.mine.tree.mine_tree import mine_tree
from deniable.oracle.api import Estimates, Target
from deniable.oracle.exact import ExactOracle
from deniable.oracle.pooled import PooledOracle
from deniable.oracle.randomized import RandomizedOracle
from deniable.schema import Schema
from oracle.simulated import Counts, Reports, disguised_anew, drawn_anew, whole_matrix
from oracle.test_whole_records import random_reports, wide_design

REPEATS = 500
N = 1000

SCHEMA = Schema.of(
    {
        "age": ["young", "old"],
        "smokes": ["no", "yes"],
        "region": ["north", "south", "west"],
        "owns": ["no", "yes"],
        "ill": ["no", "perhaps", "yes"],
    }
)
FEATURES, TARGET = SCHEMA.names[:-1], SCHEMA.names[-1]
PATTERNS: Codes = np.indices(SCHEMA.sizes).reshape(len(SCHEMA), -1).T
SHARES: Floats = np.random.default_rng(5).dirichlet(np.ones(len(PATTERNS)))
TRUTH: Counts = np.random.default_rng(6).multinomial(N, SHARES)
"""The undisguised test records, as a table of counts."""


# --- Classifiers; each gives a score of an oracle ---------------------------------------------


@dataclass(frozen=True)
class Rule(Classifier):
    """Whoever smokes is ill if old, perhaps ill if young."""

    schema: Schema = SCHEMA
    target: str = TARGET

    kind: ClassVar[str] = "rule of the tests"

    def probabilities(self, codes: Codes) -> Floats:
        values = self.schema.select(self.features)
        old = codes[:, values.position("age")] == values["age"].code("old")
        smokes = codes[:, values.position("smokes")] == values["smokes"].code("yes")
        classes = self.schema[self.target]
        code = np.array([classes.code(value) for value in ("no", "perhaps", "yes")])
        chosen: Codes = code[np.where(smokes, 1 + old, 0)]
        return np.eye(classes.size)[chosen]

    def body(self) -> dict[str, Any]:
        return {}

    @classmethod
    def read(cls, schema: Schema, body: Mapping[str, Any]) -> Self:
        return cls(schema)


LEAVES = Family(("age", "smokes"), np.array([[ANY, 0], [0, 1], [1, 1]]))
LABELS = np.array([0, 1, 2])
"""The same rule."""

TREE = DecisionTreeClassifier(random_state=0, max_depth=4).fit(
    PATTERNS[:, :-1], PATTERNS[:, -1], sample_weight=SHARES
)

RULE = Rule()

Scorer = Callable[[RandomizedOracle, Target], Score]
CLASSIFIERS: dict[str, tuple[Callable[[Codes], Any], Scorer]] = {
    "a rule": (RULE.predict, lambda oracle, of: score(RULE, oracle, of=of)),
    "a scikit-learn tree": (
        TREE.predict,
        lambda oracle, of: score_function(TREE.predict, FEATURES, TARGET, oracle, of=of),
    ),
}
"""Each by how it predicts, and how it is scored."""


def confusion_of(predict: Callable[[Codes], Any], truth: Counts) -> Floats:
    """The confusion matrix of undisguised records."""
    k = SCHEMA[TARGET].size
    cells = PATTERNS[:, -1] * k + predict(PATTERNS[:, :-1])
    return np.bincount(cells, truth, minlength=k * k).reshape(k, k).astype(np.float64)


# --- Designs ----------------------------------------------------------------------------------


def designed(channel: str, *groups: Sequence[str]) -> Design:
    entries = []
    for names in groups:
        entry: dict[str, Any] = {"attributes": list(names), "channel": channel, "theta": "0.8"}
        if channel == "unrelated":
            entry["personal"] = {
                name: {
                    value: f"{2 * code + 1}/{SCHEMA[name].size ** 2}"
                    for code, value in enumerate(SCHEMA[name].values)
                }
                for name in names
            }
        entries.append(entry)
    attributes = {attribute.name: list(attribute.values) for attribute in SCHEMA}
    return Design.of({"attributes": attributes, "groups": entries})


GROUPINGS: dict[str, list[Sequence[str]]] = {
    "one group": [SCHEMA.names],
    "two groups": [["age", "ill", "owns"], ["smokes", "region"]],
    "three groups": [["age", "region"], ["smokes", "owns"], ["ill"]],
    "public class": [["age", "region"], ["smokes", "owns"]],
}
DESIGNS = {
    f"{channel}, {grouping}": designed(channel, *groups)
    for channel in ("related", "unrelated")
    for grouping, groups in GROUPINGS.items()
    if (channel, grouping) != ("unrelated", "public class")
}

every_design = pytest.mark.parametrize("design", DESIGNS)
TARGETS: tuple[Target, ...] = ("sample", "population")
every_target = pytest.mark.parametrize("of", TARGETS)


@cache
def repeated(design: str, classifier: str, of: Target) -> list[Score]:
    """Scores of the same test records disguised anew, or of new people each time."""
    generator = np.random.default_rng([list(DESIGNS).index(design), TARGETS.index(of)])
    own, scorer = DESIGNS[design], CLASSIFIERS[classifier][1]
    C = whole_matrix(own)
    if of == "sample":
        tables = disguised_anew(TRUTH, C, REPEATS, generator)
    else:
        tables = drawn_anew(TRUTH / N, N, C, REPEATS, generator)
    return [scorer(RandomizedOracle(Reports(SCHEMA, table), own), of) for table in tables]


def is_checked(design: str, of: Target) -> bool:
    """Leave out some, to save time."""
    return of == "sample" or design.endswith(("one group", "three groups"))


def unbiased(values: Floats, truth: Floats) -> bool:
    """A mean of r values has the s.d. of one over √r."""
    spread = values.std(axis=0) / np.sqrt(len(values))
    return bool((np.abs(values.mean(axis=0) - truth) <= 4 * spread + 1e-9).all())


# --- The numbers ------------------------------------------------------------------------------


@pytest.mark.slow
@every_design
@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_the_accuracy_on_disguised_records_is_that_on_the_undisguised_ones_on_average(
    design: str, classifier: str
) -> None:
    found = repeated(design, classifier, "sample")
    truth = confusion_of(CLASSIFIERS[classifier][0], TRUTH)
    confusion = np.array([each.confusion for each in found])
    assert confusion.sum(axis=(1, 2)) == pytest.approx(np.full(REPEATS, N))
    assert unbiased(confusion, truth)
    assert unbiased(np.array([each.accuracy for each in found]), np.trace(truth) / N)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("design", "of"), [(name, of) for name in DESIGNS for of in TARGETS if is_checked(name, of)]
)
def test_standard_errors_are_as_large_as_the_errors(design: str, of: Target) -> None:
    found = repeated(design, "a rule", of)
    truth = np.trace(confusion_of(RULE.predict, TRUTH)) / N
    errors = np.array([each.accuracy for each in found]) - truth
    # A squared error less the variance stated with it is 0 on average, if that is honest.
    gaps = errors**2 - np.array([each.std_error for each in found]) ** 2
    assert abs(gaps.mean()) < 4 * gaps.std() / np.sqrt(REPEATS)
    low, high = np.array([each.interval() for each in found]).T
    covered = ((low <= truth) & (truth <= high)).mean()
    # 500 intervals of 95 % have the s.d. 1 %.
    assert 0.91 <= covered <= 0.99


@pytest.mark.slow
@pytest.mark.parametrize("name", ["precision", "recall", "f1", "balanced_accuracy"])
@every_target
@pytest.mark.parametrize("design", ["related, one group", "unrelated, three groups"])
def test_ratios_have_the_standard_errors_of_their_linearisation(
    design: str, of: Target, name: str
) -> None:
    found = [getattr(each, name) for each in repeated(design, "a rule", of)]
    truth = getattr(exactly(confusion_of(RULE.predict, TRUTH)), name).value
    errors = np.array([each.value for each in found]) - truth
    stated = np.array([each.std_error for each in found])
    # The bias of a ratio is of the order of its squared relative error: hidden by the mean's own.
    assert (np.abs(errors.mean(axis=0)) < 4 * errors.std(axis=0) / np.sqrt(REPEATS)).all()
    ratio = stated.mean(axis=0) / errors.std(axis=0)
    # The s.d. of r normal values has the relative s.d. 1/√(2r) = 3.2 %.
    assert ratio == pytest.approx(np.ones_like(ratio), abs=4 / np.sqrt(2 * REPEATS))


@pytest.mark.slow
@every_target
@pytest.mark.parametrize("design", ["related, one group", "related, three groups"])
def test_the_difference_from_the_commonest_class_is_unbiased_with_exact_errors(
    design: str, of: Target
) -> None:
    found = [
        replace(each, commonest="perhaps").better_by for each in repeated(design, "a rule", of)
    ]
    confusion = confusion_of(RULE.predict, TRUTH)
    truth = (np.trace(confusion) - confusion[1].sum()) / N
    errors = np.array([each.value for each in found]) - truth
    assert unbiased(errors, np.zeros(()))
    gaps = errors**2 - np.array([each.std_error for each in found]) ** 2
    assert abs(gaps.mean()) < 4 * gaps.std() / np.sqrt(REPEATS)
    low, high = np.array([each.interval() for each in found]).T
    # 500 intervals of 95 % have the s.d. 1 %.
    assert 0.91 <= ((low <= truth) & (truth <= high)).mean() <= 0.99


def test_without_disguise_the_difference_has_the_error_of_a_paired_mean() -> None:
    records = PATTERNS.repeat(TRUTH, axis=0)
    oracle = ExactOracle(Records.from_codes(records, SCHEMA), SCHEMA)
    found = score(RULE, oracle)
    true, sizes = records[:, -1], np.bincount(records[:, -1])
    most = int(sizes.argmax())
    assert (found.commonest, found.commonest_of) == (SCHEMA[TARGET].values[most], "test")
    alone = found.commonest_alone
    assert alone.accuracy == pytest.approx(sizes.max() / N)
    assert alone.std_error == pytest.approx(np.sqrt(sizes.max() / N * (1 - sizes.max() / N) / N))
    pairs = (RULE.predict(records[:, :-1]) == true) * 1.0 - (true == most)
    assert found.better_by.value == pytest.approx(pairs.mean())
    assert found.better_by.std_error == pytest.approx(pairs.std() / np.sqrt(N))
    document = found.document(0.9)
    assert document["better_by"]["interval"] == pytest.approx(list(found.better_by.interval(0.9)))
    assert document["commonest"]["class"] == found.commonest
    assert f"always {found.commonest}" in str(found)
    assert repr(found).startswith("<Score of ill: accuracy 0.")


def test_who_always_answers_the_commonest_class_is_no_better_and_no_error_is_left() -> None:
    design = DESIGNS["related, three groups"]
    oracle = RandomizedOracle(Reports(SCHEMA, TRUTH), design)
    k = SCHEMA[TARGET].code("perhaps")

    def always(codes: Codes) -> Codes:
        return np.full(len(codes), k)

    found = score_function(always, FEATURES, TARGET, oracle, commonest="perhaps")
    assert found.commonest_of == "training"
    assert found.better_by.value == pytest.approx(0, abs=1e-9)
    assert found.better_by.std_error == pytest.approx(0, abs=1e-6)
    with pytest.raises(ModelError, match="no class 'never'"):
        score_function(always, FEATURES, TARGET, oracle, commonest="never")


def test_models_know_the_commonest_class_of_their_training_records() -> None:
    oracle = RandomizedOracle(Reports(SCHEMA, TRUTH), DESIGNS["related, public class"])
    most = SCHEMA[TARGET].values[np.bincount(PATTERNS[:, -1], TRUTH).argmax()]
    for model in (
        mine_bayes(oracle, TARGET),
        mine_tree(oracle, TARGET, strength=1.0),
        mine_forest(oracle, TARGET, n_estimators=2),
    ):
        found = score(model, oracle)
        assert (found.commonest, found.commonest_of) == (most, "training")
    assert RULE.commonest is None


def exactly(confusion: Floats) -> Score:
    k2 = confusion.size
    return Score.of_counts(
        int(confusion.sum()), "sample", SCHEMA[TARGET], confusion.ravel(), np.zeros((k2, k2))
    )


def test_without_disguise_scores_are_those_of_scikit_learn() -> None:
    records = PATTERNS.repeat(TRUTH, axis=0)
    oracle = ExactOracle(Records.from_codes(records, SCHEMA), SCHEMA)
    found = score(RULE, oracle)
    predicted, true = RULE.predict(records[:, :-1]), records[:, -1]
    assert found.confusion == pytest.approx(confusion_matrix(true, predicted))
    precision, recall, f1, _ = precision_recall_fscore_support(true, predicted)
    assert found.precision.value == pytest.approx(precision)
    assert found.recall.value == pytest.approx(recall)
    assert found.f1.value == pytest.approx(f1)
    assert found.balanced_accuracy.value == pytest.approx(balanced_accuracy_score(true, predicted))
    p = (predicted == true).mean()
    assert found.accuracy == pytest.approx(p)
    assert found.std_error == pytest.approx(np.sqrt(p * (1 - p) / N))
    # A recall is a share of those in the class, as many as there happen to be.
    size = np.bincount(true)
    assert found.recall.std_error == pytest.approx(np.sqrt(recall * (1 - recall) / size))
    these = score(RULE, oracle, of="sample")
    assert (these.accuracy, these.std_error) == (found.accuracy, 0)
    assert not these.recall.std_error.any()
    assert these.interval() == pytest.approx((p, p))


def test_without_disguise_the_interval_is_wilsons() -> None:
    found = Accuracy(50, "population", 1.0, 0.0)
    z2 = 1.959963984540054**2
    assert found.interval() == pytest.approx((50 / (50 + z2), 1.0))
    half = Accuracy(50, "population", 0.5, np.sqrt(0.25 / 50))
    spread = np.sqrt(z2) * np.sqrt(0.25 / 50 + z2 / 10000) / (1 + z2 / 50)
    assert half.interval() == pytest.approx((0.5 - spread, 0.5 + spread))


def test_a_score_is_written_as_json_without_nan() -> None:
    nobody_predicted = Score.of_counts(
        4, "sample", SCHEMA[TARGET], np.array([2.0, 0, 0, 1, 0, 0, 1, 0, 0]), np.zeros((9, 9))
    )
    document = json.loads(json.dumps(nobody_predicted.document(), allow_nan=False))
    assert (document["accuracy"], document["std_error"], document["n"]) == (0.5, 0.0, 4)
    assert document["precision"]["value"] == [0.5, None, None]
    assert document["recall"]["value"] == [1, 0, 0]
    assert document["balanced_accuracy"]["value"] == pytest.approx(1 / 3)
    assert "assumes" not in document
    assert "0.5000 ± 0.0000" in str(nobody_predicted)


# --- Schemas in another order, and sites ------------------------------------------------------

TURNED = Schema.of(
    {name: SCHEMA[name].values[::-1] for name in ("ill", "region", "age", "owns", "smokes")}
)


def test_a_model_that_lists_values_in_another_order_scores_the_same() -> None:
    design = DESIGNS["related, two groups"]
    oracle = RandomizedOracle(Reports(SCHEMA, TRUTH), design)
    one, other = score(RULE, oracle), score(Rule(TURNED), oracle)
    assert other.classes == one.classes[::-1]
    assert other.confusion == pytest.approx(one.confusion[::-1, ::-1])
    assert (other.accuracy, other.std_error) == pytest.approx((one.accuracy, one.std_error))


def test_pooled_sites_are_scored_together() -> None:
    sites = [
        RandomizedOracle(Reports(SCHEMA, TRUTH), DESIGNS[name])
        for name in ("related, two groups", "unrelated, three groups")
    ]
    pooled = score(RULE, PooledOracle(sites))
    one, two = (score(RULE, site) for site in sites)
    assert pooled.n == 2 * N
    assert pooled.accuracy == pytest.approx((one.accuracy + two.accuracy) / 2)
    assert pooled.std_error == pytest.approx(np.hypot(one.std_error, two.std_error) / 2)


# --- By leaves --------------------------------------------------------------------------------


@every_target
@every_design
def test_leaves_are_counted_as_the_rule_is_scored(design: str, of: Target) -> None:
    oracle = RandomizedOracle(Reports(SCHEMA, TRUTH), DESIGNS[design])
    rule = score(RULE, oracle, of=of)
    exact = score_leaves(LEAVES, LABELS, TARGET, oracle, of=of)
    counted = score_leaves(LEAVES, LABELS, TARGET, oracle, of=of, exact_errors=False)
    assert exact.confusion == pytest.approx(rule.confusion, abs=1e-9)
    assert exact.covariance == pytest.approx(rule.covariance, abs=1e-9 * N)
    assert not exact.assumes
    assert counted.confusion == pytest.approx(rule.confusion, abs=1e-9)
    assert "uncorrelated" in counted.document()["assumes"]


def yes_no_group(channel: str) -> Design:
    return wide_design([2] * 6, [(channel, range(6))])


@every_target
@pytest.mark.parametrize("channel", ["related", "keep-or-uniform"])
def test_in_one_group_uncorrelated_leaves_are_on_the_safe_side(channel: str, of: Target) -> None:
    design = yes_no_group(channel)
    leaves = Family(
        ("a0", "a1", "a2"), np.array([[0, 0, ANY], [0, 1, 0], [0, 1, 1], [1, ANY, ANY]])
    )
    labels = np.array([0, 1, 0, 1])
    for seed in range(20):
        reports = random_reports(design, np.random.default_rng(seed), n=400)
        oracle = RandomizedOracle(Records.from_codes(reports, design.schema), design)
        exact = score_leaves(leaves, labels, "a5", oracle, of=of)
        counted = score_leaves(leaves, labels, "a5", oracle, of=of, exact_errors=False)
        assert counted.std_error >= exact.std_error


def test_without_disguise_leaves_have_exact_errors_by_counts_alone() -> None:
    oracle = ExactOracle(Reports(SCHEMA, TRUTH), SCHEMA)
    counted = score_leaves(LEAVES, LABELS, TARGET, oracle, exact_errors=False)
    assert counted.covariance == pytest.approx(score(RULE, oracle).covariance, abs=1e-9)


def test_leaves_score_where_functions_of_the_record_cannot() -> None:
    design = wide_design([2] * 60, [("keep-or-uniform", range(59))])
    reports = random_reports(design, np.random.default_rng(1), n=300)
    oracle = RandomizedOracle(Records.from_codes(reports, design.schema), design)
    codes = np.full((40, 59), ANY)
    for row in range(39):  # the first attribute with v1 decides
        codes[row, :row], codes[row, row] = 0, 1
    codes[39, :39] = 0
    labels = np.arange(40) % 2
    found = score_leaves(Family(design.schema.names[:59], codes), labels, "a59", oracle)
    assert found.assumes
    assert found.confusion.sum() == pytest.approx(300)
    single = score_leaves(Family((), np.zeros((1, 0), dtype=int)), np.array([1]), "a59", oracle)
    assert single.accuracy == pytest.approx(reports[:, 59].mean())


class CountsOnly:
    """An oracle that answers counts and nothing else."""

    def __init__(self, oracle: RandomizedOracle) -> None:
        self._oracle, self.schema, self.n = oracle, oracle.schema, oracle.n

    def count(self, expressions: Any, *, of: Target = "sample") -> Estimates:
        return self._oracle.count(expressions, of=of)


def test_an_oracle_that_only_counts_scores_leaves() -> None:
    oracle = CountsOnly(RandomizedOracle(Reports(SCHEMA, TRUTH), DESIGNS["related, one group"]))
    found = score_leaves(LEAVES, LABELS, TARGET, oracle)
    assert found.confusion.sum() == pytest.approx(N)
    with pytest.raises(ModelError, match="only be asked for counts") as refusal:
        score(RULE, oracle)  # type: ignore[arg-type]
    assert "leaves" in refusal.value.hint


@pytest.mark.parametrize("exact_errors", [True, False])
@pytest.mark.parametrize("codes", [[[ANY, 0], [0, 1]], [[ANY, 0], [ANY, 1], [1, 1]]])
def test_leaves_that_miss_or_repeat_records_are_refused(
    codes: list[list[int]], exact_errors: bool
) -> None:
    oracle = ExactOracle(Reports(SCHEMA, TRUTH), SCHEMA)
    leaves = Family(("age", "smokes"), np.array(codes))
    with pytest.raises(ModelError, match="exactly once"):
        score_leaves(leaves, LABELS[: len(codes)], TARGET, oracle, exact_errors=exact_errors)


# --- Personal bits (Zhan & Matwin 2007, §3.4) -------------------------------------------------

UNRELATED = DESIGNS["unrelated, one group"]
THETA = 0.8


def personal_answers() -> Floats:
    """The joint distribution of the personal answers of `UNRELATED`."""
    joint = np.ones(1)
    for size in SCHEMA.sizes:
        joint = np.outer(joint, (2 * np.arange(size) + 1) / size**2).ravel()
    return joint


def is_right() -> Counts:
    right: Counts = (RULE.predict(PATTERNS[:, :-1]) == PATTERNS[:, -1]).astype(np.int64)
    return right


@every_target
def test_with_a_known_distribution_bits_say_what_the_algebra_says(of: Target) -> None:
    counts = np.random.default_rng(3).multinomial(N, whole_matrix(UNRELATED) @ SHARES)
    reports = Reports(SCHEMA, counts)
    by_bits = score_with_personal_bits(
        RULE,
        ExactOracle(reports, SCHEMA),
        float(personal_answers() @ is_right()),
        theta=THETA,
        of=of,
    )
    by_oracle = score(RULE, RandomizedOracle(reports, UNRELATED), of=of)
    assert by_bits.accuracy == pytest.approx(by_oracle.accuracy, abs=1e-12)
    assert by_bits.std_error == pytest.approx(by_oracle.std_error, abs=1e-12)
    assert by_bits.interval() == pytest.approx(by_oracle.interval())


@pytest.mark.slow
@every_target
@pytest.mark.parametrize("people", ["the same people", "other people"])
def test_bits_are_unbiased_and_their_error_is_in_the_standard_error(
    of: Target, people: str
) -> None:
    generator = np.random.default_rng(4)
    repeats, same, right = 1000, people == "the same people", is_right()
    records = np.arange(len(PATTERNS)).repeat(TRUTH)
    truth = (TRUTH @ right) / N
    errors, stated = np.empty((2, repeats))
    for number in range(repeats):
        private = records if of == "sample" else generator.choice(records, size=N)
        personal = generator.choice(len(PATTERNS), size=N, p=personal_answers())
        reported = np.where(generator.random(N) < THETA, private, personal)
        others = generator.choice(len(PATTERNS), size=300, p=personal_answers())
        found = score_with_personal_bits(
            RULE,
            ExactOracle(Reports(SCHEMA, np.bincount(reported, minlength=len(PATTERNS))), SCHEMA),
            right[personal if same else others],
            theta=THETA,
            same_people=same,
            of=of,
        )
        errors[number], stated[number] = found.accuracy - truth, found.std_error
    assert abs(errors.mean()) < 4 * errors.std() / np.sqrt(repeats)
    gaps = errors**2 - stated**2
    assert abs(gaps.mean()) < 4 * gaps.std() / np.sqrt(repeats)


@pytest.mark.parametrize(
    ("bits", "theta", "problem"),
    [
        ([0, 1], 0.8, "2 bits for 1000 reports"),
        ([0, 2], 0.8, "neither zeros and ones"),
        ([], 0.8, "neither zeros and ones"),
        (1.5, 0.8, "neither zeros and ones"),
        (0.5, 0, "theta = 0"),
        (0.5, 1.2, "theta = 1.2"),
    ],
)
def test_wrong_bits_are_refused(bits: Any, theta: float, problem: str) -> None:
    reports = ExactOracle(Reports(SCHEMA, TRUTH), SCHEMA)
    with pytest.raises(ModelError, match=problem) as refusal:
        score_with_personal_bits(RULE, reports, bits, theta=theta)
    assert refusal.value.hint


def test_reports_that_are_undone_already_are_not_undone_twice() -> None:
    oracle = RandomizedOracle(Reports(SCHEMA, TRUTH), UNRELATED)
    with pytest.raises(ModelError, match="through a disguise already"):
        score_with_personal_bits(RULE, oracle, 0.5, theta=THETA)


# --- What is refused --------------------------------------------------------------------------


def test_a_model_of_another_schema_is_refused_with_a_hint() -> None:
    fewer = SCHEMA.select(["age", "region", "owns", "ill"])
    oracle = ExactOracle({name: [SCHEMA[name].values[0]] for name in fewer.names}, fewer)
    with pytest.raises(ModelError, match="needs 'smokes'") as refusal:
        score(RULE, oracle)
    assert refusal.value.hint
    domains = {a.name: [*a.values, "unknown"] if a.name == "smokes" else a.values for a in SCHEMA}
    wider = Schema.of(domains)
    oracle = ExactOracle({name: [values[0]] for name, values in domains.items()}, wider)
    with pytest.raises(ModelError, match="never seen smokes=unknown"):
        score(RULE, oracle)


@pytest.mark.parametrize(
    ("predict", "problem"),
    [
        (lambda codes: codes, "shape"),
        (lambda codes: np.full(len(codes), "yes"), "<U3"),
        (lambda codes: np.full(len(codes), 0.5), "float64"),
        (lambda codes: np.full(len(codes), 3), "outside 0 … 2"),
        (lambda codes: np.full(len(codes), -1), "outside 0 … 2"),
    ],
)
def test_predictions_that_are_no_codes_are_refused(
    predict: Callable[[Codes], Any], problem: str
) -> None:
    oracle = ExactOracle(Reports(SCHEMA, TRUTH), SCHEMA)
    with pytest.raises(ModelError, match=problem):
        score_function(predict, FEATURES, TARGET, oracle)


def test_a_target_that_does_not_exist_is_refused() -> None:
    oracle = ExactOracle(Reports(SCHEMA, TRUTH), SCHEMA)
    with pytest.raises(ModelError, match="'il'") as refusal:
        score_function(RULE.predict, FEATURES, "il", oracle)
    assert "'ill'" in refusal.value.hint
