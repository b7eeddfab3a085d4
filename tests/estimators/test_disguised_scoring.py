"""Accuracy on disguised test records, of our estimators and of scikit-learn's own."""

from typing import Any

import numpy as np
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder

from deniable import (
    DisguisedNaiveBayes,
    DisguisedTreeClassifier,
    disguised_accuracy,
    disguised_scorer,
)
from deniable.base.errors import EstimateError, ModelError
from deniable.design import Design
from estimators.people import DESIGN, ESTIMATORS, FEATURES, TARGET, disguised, frame, people

TRAINING = frame(disguised(people(3000, seed=1), seed=2))
RAW_TEST = people(500, seed=3)
TEST = frame(RAW_TEST)
REPEATS = 100
REPORTS = [frame(disguised(RAW_TEST, seed=seed)) for seed in range(REPEATS)]


def is_unbiased(scores: list[Any], truth: float) -> None:
    """Standard scores must have mean 0 and mean square 1.

    Their mean has s.d. 1/√R, the mean of squares √(2/R); 4 of each are allowed.
    """
    z = np.array([(score.accuracy - truth) / score.std_error for score in scores])
    assert abs(z.mean()) < 4 / np.sqrt(len(z))
    assert abs((z**2).mean() - 1) < 4 * np.sqrt(2 / len(z))


@pytest.mark.slow
@pytest.mark.parametrize("name", ESTIMATORS)
def test_the_disguised_score_is_unbiased_and_its_standard_error_right(name: str) -> None:
    model = clone(ESTIMATORS[name]).fit(TRAINING[FEATURES], TRAINING[TARGET])
    truth = accuracy_score(TEST[TARGET], model.predict(TEST[FEATURES]))
    scores = [model.disguised_score(t[FEATURES], t[TARGET], of="sample") for t in REPORTS]
    is_unbiased(scores, float(truth))
    assert model.score(REPORTS[0][FEATURES], REPORTS[0][TARGET]) == scores[0].accuracy


@pytest.mark.slow
def test_so_is_that_of_any_classifier() -> None:
    raw = frame(people(2000, seed=4))
    pipeline = make_pipeline(OneHotEncoder(), LogisticRegression()).fit(raw[FEATURES], raw[TARGET])
    truth = accuracy_score(TEST[TARGET], pipeline.predict(TEST[FEATURES]))
    scores = [
        disguised_accuracy(pipeline, t[FEATURES], t[TARGET], design=DESIGN, of="sample")
        for t in REPORTS
    ]
    is_unbiased(scores, float(truth))


@pytest.mark.parametrize(
    "kind",
    [
        lambda table: table.astype("category"),
        pl.from_pandas,
        lambda table: table.to_numpy(),
        lambda table: table.to_numpy().astype(str),
        lambda table: table.to_numpy().tolist(),
    ],
    ids=["categories", "polars", "objects", "words", "lists"],
)
def test_a_classifier_is_asked_about_tables_like_the_one_given(kind: Any) -> None:
    raw = frame(people(2000, seed=4))
    reports = REPORTS[0]
    forest = RandomForestClassifier(10, random_state=0)
    expected = disguised_accuracy(
        make_pipeline(OrdinalEncoder(), clone(forest)).fit(raw[FEATURES], raw[TARGET]),
        reports[FEATURES],
        reports[TARGET],
        design=DESIGN,
    )
    found = disguised_accuracy(
        make_pipeline(OrdinalEncoder(), clone(forest)).fit(kind(raw[FEATURES]), raw[TARGET]),
        kind(reports[FEATURES]),
        reports[TARGET],
        design=DESIGN,
    )
    np.testing.assert_array_equal(found.confusion, expected.confusion)
    assert found.std_error == expected.std_error


@pytest.mark.parametrize("dtype", [np.int64, np.int8, np.float64, bool])
def test_a_classifier_of_numbers_is_asked_about_numbers(dtype: type) -> None:
    words = {name: ["0", "1"] for name in ["a", "b", "class"]}
    group = {"attributes": ["a", "b"], "channel": "related", "theta": "1"}
    design = Design.of({"attributes": words, "groups": [group]})
    values: Any = np.random.default_rng(5).integers(0, 2, (300, 3)).astype(dtype)
    features, y = values[:, :2], values[:, 2]

    class Asked:
        def predict(self, table: Any) -> Any:
            assert table.dtype == dtype
            return table[:, 0]

    found = disguised_accuracy(Asked(), features, y, design=design)  # θ = 1: nothing is disguised
    assert found.accuracy == pytest.approx(accuracy_score(y, features[:, 0]))


def test_words_of_a_design_that_a_column_of_numbers_cannot_hold_are_said() -> None:
    design = Design.of({"attributes": {"a": ["0", "1", "unknown"], "class": ["0", "1"]}})
    table, y = np.array([[0], [1]] * 9), np.array([0, 1] * 9)
    with pytest.raises(ValueError, match=r"'a' is a column of numbers.*'unknown'"):
        disguised_accuracy(DisguisedNaiveBayes().fit(table, y), table, y, design=design)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tree", "bayes"])
def test_cross_validation_on_disguised_data_finds_the_accuracy_on_what_is_true(name: str) -> None:
    raw = people(4000, seed=6)
    reports, truth = frame(disguised(raw, seed=7)), frame(raw)
    found = cross_validate(
        clone(ESTIMATORS[name]),
        reports[FEATURES],
        reports[TARGET],
        scoring=disguised_scorer(),
        cv=KFold(4),
        return_estimator=True,
        return_indices=True,
    )
    errors, variance = [], 0.0
    for model, test, score in zip(
        found["estimator"], found["indices"]["test"], found["test_score"], strict=True
    ):
        right = model.predict(truth[FEATURES].iloc[test]) == truth[TARGET].iloc[test]
        errors.append(score - right.mean())
        own = model.disguised_score(
            reports[FEATURES].iloc[test], reports[TARGET].iloc[test], of="sample"
        )
        assert own.accuracy == score
        variance += own.std_error**2
    assert abs(sum(errors)) < 4 * np.sqrt(variance)


def test_the_scorer_takes_a_design_for_estimators_that_have_none() -> None:
    raw = people(1000, seed=8)
    reports = frame(disguised(raw, seed=9))
    naive = make_pipeline(OrdinalEncoder(), RandomForestClassifier(5, random_state=0))
    scores = cross_val_score(
        naive, reports[FEATURES], reports[TARGET], scoring=disguised_scorer(DESIGN), cv=3
    )
    assert np.isfinite(scores).all()
    assert not np.array_equal(
        scores, cross_val_score(naive, reports[FEATURES], reports[TARGET], cv=3)
    )


def test_both_ways_of_scoring_agree() -> None:
    model = clone(ESTIMATORS["tree"]).fit(TRAINING[FEATURES], TRAINING[TARGET])
    features, y = REPORTS[0][FEATURES], REPORTS[0][TARGET]
    own, general = (
        model.disguised_score(features, y),
        disguised_accuracy(model, features, y, design=DESIGN),
    )
    np.testing.assert_allclose(own.confusion, general.confusion)
    np.testing.assert_allclose(own.std_error, general.std_error)
    assert disguised_scorer(DESIGN)(model, features, y) == general.accuracy
    assert disguised_scorer()(model, features, y) == own.accuracy


def test_a_grid_may_be_searched_on_disguised_data() -> None:
    grid = GridSearchCV(
        DisguisedTreeClassifier(DESIGN, growth="faithful"),
        {"max_depth": [0, 2]},
        scoring=disguised_scorer(),
        cv=3,
    )
    grid.fit(TRAINING[FEATURES], TRAINING[TARGET])
    assert grid.best_params_ == {"max_depth": 2}
    reports = REPORTS[0]
    assert grid.score(reports[FEATURES], reports[TARGET]) == grid.best_estimator_.score(
        reports[FEATURES], reports[TARGET]
    )


def test_an_estimator_without_a_design_is_not_scored_as_if_reports_were_true() -> None:
    model = RandomForestClassifier(2).fit(np.eye(3), [0, 1, 0])
    with pytest.raises(ModelError, match="RandomForestClassifier has no design"):
        disguised_scorer()(model, np.eye(3), [0, 1, 0])


def test_without_a_design_the_score_is_the_plain_accuracy_even_of_unknown_classes() -> None:
    model = DisguisedNaiveBayes().fit([[0], [1]] * 5, ["a", "b"] * 5)
    assert model.score([[0], [1], [1]], ["a", "a", "c"]) == pytest.approx(1 / 3)
    exact = model.disguised_score([[0], [1], [1]], ["a", "a", "b"], of="sample")
    assert exact.accuracy == pytest.approx(2 / 3)
    assert exact.std_error == 0


def test_a_tree_over_many_differently_disguised_columns_is_scored_by_its_leaves() -> None:
    names = [f"a{place}" for place in range(30)]
    groups = [{"attributes": [name], "channel": "related", "theta": "9/10"} for name in names]
    words = {name: ["0", "1"] for name in [*names, "class"]}
    design = Design.of({"attributes": words, "groups": groups})
    rng = np.random.default_rng(10)
    truth = rng.integers(0, 2, (4000, 30))
    y = np.where(rng.random(4000) < 0.9, truth[:, 3], 1 - truth[:, 3])
    reports = np.where(rng.random(truth.shape) < 0.9, truth, 1 - truth)
    model = DisguisedTreeClassifier(design, max_depth=3).fit(reports[:3000], y[:3000])
    with pytest.raises(EstimateError, match="too many values to undo"):
        disguised_accuracy(model, reports[3000:], y[3000:], design=design)
    found = model.disguised_score(reports[3000:], y[3000:], of="sample")
    right = accuracy_score(y[3000:], model.predict(truth[3000:]))
    assert abs(found.accuracy - right) < 4 * found.std_error
