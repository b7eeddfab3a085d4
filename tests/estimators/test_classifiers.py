"""Estimators on disguised records: what they read, learn, predict and refuse."""

import pickle
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

from deniable import (
    DisguisedForestClassifier,
    DisguisedLogisticRegression,
    DisguisedNaiveBayes,
    DisguisedTreeClassifier,
)
from deniable.base.errors import DataError, DesignError, FingerprintError, ModelError
from deniable.design import Design
from deniable.engine.memory.records import DESIGN_STAMP, Records
from deniable.estimators.domains import columns_of, encoded, learned
from deniable.mine.bayes import mine_bayes
from deniable.mine.best.mine_best import mine_best
from deniable.mine.forest import mine_forest
from deniable.mine.groupwise import mine_groupwise
from deniable.mine.logistic import mine_logistic
from deniable.mine.tree.mine_tree import mine_tree
from deniable.oracle.exact import ExactOracle
from deniable.oracle.randomized import RandomizedOracle
from estimators.people import DESIGN, ESTIMATORS, FEATURES, TARGET, disguised, frame, people

RAW = people(3000, seed=1)
REPORTS = disguised(RAW, seed=2)
TABLE, TRUTH = frame(REPORTS), frame(RAW)
X, Y = TABLE[FEATURES], TABLE[TARGET]

every_estimator = pytest.mark.parametrize("name", ESTIMATORS)


def fitted(name: str, **changes: Any) -> Any:
    return clone(ESTIMATORS[name]).set_params(**changes).fit(X, Y)


# --- What comes in -------------------------------------------------------------------------------


@pytest.mark.slow
@every_estimator
@pytest.mark.parametrize(
    "kind",
    [
        pd.DataFrame,
        lambda table: table.astype("category"),
        pl.from_pandas,
        lambda table: pl.from_pandas(table).to_arrow(),
        lambda table: table.to_numpy(),
        lambda table: table.to_numpy().astype(str),
        lambda table: table.to_numpy().tolist(),
    ],
    ids=["pandas", "categories", "polars", "arrow", "objects", "words", "lists"],
)
def test_every_kind_of_table_gives_the_same_model(name: str, kind: Any) -> None:
    estimator = clone(ESTIMATORS[name]).fit(kind(X), Y)
    np.testing.assert_array_equal(
        estimator.predict_proba(kind(TRUTH[FEATURES])),
        fitted(name).predict_proba(TRUTH[FEATURES]),
    )


@pytest.mark.parametrize("kind", [np.int64, np.int8, np.uint16, np.float64, bool, object, str])
def test_numbers_and_booleans_stand_for_their_words(kind: type) -> None:
    words = {name: ["0", "1"] for name in ["a", "b", "class"]}
    group = {"attributes": ["a", "b"], "channel": "related", "theta": "4/5"}
    design = Design.of({"attributes": words, "groups": [group]})
    codes = np.random.default_rng(3).integers(0, 2, (500, 3))
    values: Any = codes.astype(kind)
    expected = mine_bayes(
        RandomizedOracle(Records.from_codes(codes, design.schema), design), "class"
    )
    found = DisguisedNaiveBayes(design).fit(values[:, :2], values[:, 2])
    np.testing.assert_array_equal(
        found.predict_proba(values[:, :2]), expected.probabilities(codes[:, :2])
    )
    assert set(found.classes_.tolist()) <= set(values[:, 2].tolist())
    assert type(found.classes_.tolist()[0]) is type(values[:, 2].tolist()[0])


def test_columns_may_be_fewer_and_in_another_order() -> None:
    some = ["region", "smokes"]
    found = DisguisedNaiveBayes(DESIGN).fit(X[some], Y)
    expected = mine_bayes(RandomizedOracle(REPORTS, DESIGN), TARGET, features=some)
    codes = Records.of(TRUTH, DESIGN.schema.select(expected.features)).columns
    np.testing.assert_allclose(
        found.predict_proba(TRUTH[some]), expected.probabilities(np.stack(codes, axis=1))
    )
    assert found.feature_names_in_.tolist() == some
    assert found.design_.schema.names == ("region", "smokes", "ill")


def test_the_target_is_named_or_is_what_y_is_named_or_is_the_last() -> None:
    others = [name for name in DESIGN.schema.names if name != "owns"]
    by_name = DisguisedNaiveBayes(DESIGN).fit(TABLE[others], TABLE["owns"])
    told = DisguisedNaiveBayes(DESIGN, target="owns").fit(TABLE[others], TABLE["owns"].to_numpy())
    assert by_name.target_ == told.target_ == "owns"
    assert DisguisedNaiveBayes(DESIGN).fit(X, Y.to_numpy()).target_ == "ill"
    with pytest.raises(ModelError, match=r"'il' is not in the design.*mean 'ill'"):
        DisguisedNaiveBayes(DESIGN, target="il").fit(X, Y)


def test_a_design_may_be_a_file(tmp_path: Path) -> None:
    DESIGN.save(tmp_path / "design.yaml")
    for path in (tmp_path / "design.yaml", str(tmp_path / "design.yaml")):
        found = DisguisedNaiveBayes(path).fit(X, Y)
        np.testing.assert_array_equal(found.predict(X), fitted("bayes").predict(X))
    with pytest.raises(DesignError, match=r"of type dict.*design\.yaml"):
        DisguisedNaiveBayes({"attributes": {}}).fit(X, Y)


# --- What comes out ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "mine"),
    [
        ("tree", mine_tree),
        ("faithful", partial(mine_tree, growth="faithful")),
        ("forest", partial(mine_forest, n_estimators=10)),
        ("groupwise", partial(mine_groupwise, n_estimators=5)),
        ("best", partial(mine_best, n_estimators=5)),
        ("bayes", mine_bayes),
        ("logistic", partial(mine_logistic, ridge=1.0)),
    ],
)
def test_an_estimator_is_its_miner(name: str, mine: Any) -> None:
    model = mine(RandomizedOracle(REPORTS, DESIGN), TARGET)
    codes = np.stack(RAW.columns[:-1], axis=1).astype(np.int64)
    np.testing.assert_array_equal(
        fitted(name).predict_proba(TRUTH[FEATURES]), model.probabilities(codes)
    )


def test_a_regression_by_likelihood_is_its_miner() -> None:
    model = DisguisedLogisticRegression(DESIGN, method="likelihood", ridge=0)
    found = model.fit(X, Y).model_
    expected = mine_logistic(RandomizedOracle(REPORTS, DESIGN), TARGET, method="likelihood")
    assert found.method == "likelihood"
    np.testing.assert_array_equal(found.estimates, expected.estimates)


@every_estimator
def test_chances_sum_to_one_and_the_likeliest_is_predicted(name: str) -> None:
    estimator = fitted(name)
    chances = estimator.predict_proba(TRUTH[FEATURES])
    assert chances.shape == (len(TRUTH), 2)
    np.testing.assert_allclose(chances.sum(axis=1), 1)
    assert (chances >= 0).all()
    likeliest = estimator.classes_[chances.argmax(axis=1)]
    np.testing.assert_array_equal(estimator.predict(TRUTH[FEATURES]), likeliest)


# A forest, and a tree's folds, draw other reports then.
@pytest.mark.parametrize("name", sorted(set(ESTIMATORS) - {"best", "forest", "groupwise", "tree"}))
def test_classes_are_sorted_whatever_the_order_of_the_design(name: str) -> None:
    document = DESIGN.document()
    document["attributes"]["ill"] = ["yes", "no"]
    found = fitted(name, design=Design.of(document))
    assert found.classes_.tolist() == ["no", "yes"]
    np.testing.assert_allclose(
        found.predict_proba(TRUTH[FEATURES]),
        fitted(name).predict_proba(TRUTH[FEATURES]),
        atol=1e-6,
    )
    expected = fitted(name).disguised_score(X, Y)
    np.testing.assert_allclose(found.disguised_score(X, Y).accuracy, expected.accuracy)


def test_classes_that_nobody_reports_are_there() -> None:
    document = DESIGN.document()
    document["attributes"]["owns"] = ["no", "perhaps", "yes"]
    others = [name for name in DESIGN.schema.names if name != "owns"]
    found = DisguisedNaiveBayes(Design.of(document)).fit(TABLE[others], TABLE["owns"])
    assert found.classes_.tolist() == ["no", "perhaps", "yes"]
    assert found.predict_proba(TRUTH[others]).shape == (len(TRUTH), 3)


@pytest.mark.parametrize("seed", range(3))
def test_without_disguise_naive_bayes_is_categorical_nb(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values, y = rng.integers(0, 15, (400, 4)), rng.choice(["a", "b", "c"], 400)
    found, expected = DisguisedNaiveBayes().fit(values, y), CategoricalNB().fit(values, y)
    assert found.classes_.tolist() == expected.classes_.tolist()
    np.testing.assert_allclose(
        found.predict_proba(values), expected.predict_proba(values), rtol=1e-9
    )


def test_random_states_are_scikit_learns() -> None:
    same = [fitted("forest", random_state=7).predict_proba(X) for _ in range(2)]
    np.testing.assert_array_equal(*same)
    other = fitted("forest", random_state=np.random.RandomState(8)).predict_proba(X)
    assert not np.array_equal(same[0], other)


# --- Citizens of scikit-learn --------------------------------------------------------------------


@every_estimator
def test_clones_and_pickles_are_the_same(name: str) -> None:
    estimator = ESTIMATORS[name]
    copy = clone(estimator)
    assert copy.get_params().keys() == estimator.get_params().keys()
    assert copy.design == DESIGN
    assert repr(copy) == repr(estimator)
    learned_one = fitted(name)
    back = pickle.loads(pickle.dumps(learned_one))  # noqa: S301 (our own)
    np.testing.assert_array_equal(back.predict_proba(X), learned_one.predict_proba(X))


@every_estimator
def test_a_pipeline_may_choose_columns(name: str) -> None:
    some = ["smokes", "region", "age"]
    keep = ColumnTransformer([("keep", "passthrough", some)], verbose_feature_names_out=False)
    pipeline = make_pipeline(keep.set_output(transform="pandas"), clone(ESTIMATORS[name]))
    pipeline.fit(TABLE, Y)
    direct = clone(ESTIMATORS[name]).fit(TABLE[some], Y)
    np.testing.assert_array_equal(pipeline.predict(TRUTH), direct.predict(TRUTH[some]))
    assert pipeline.score(TABLE, Y) == direct.score(TABLE[some], Y)


def test_a_pipeline_may_encode_what_is_not_disguised() -> None:
    pipeline = make_pipeline(OrdinalEncoder(), DisguisedTreeClassifier(growth="faithful"))
    plain = DisguisedTreeClassifier(growth="faithful").fit(TRUTH[FEATURES], TRUTH[TARGET])
    pipeline.fit(TRUTH[FEATURES], TRUTH[TARGET])
    np.testing.assert_array_equal(pipeline.predict(TRUTH[FEATURES]), plain.predict(TRUTH[FEATURES]))


def test_a_tree_may_be_confirmed_by_an_exact_oracle_within_a_full_window() -> None:
    exact = ExactOracle(RAW, DESIGN.schema)
    hybrid = DisguisedTreeClassifier(DESIGN, growth="faithful", confirm=exact, window="full")
    plain = DisguisedTreeClassifier(growth="faithful").fit(TRUTH[FEATURES], TRUTH[TARGET])
    found = clone(hybrid).fit(X, Y)
    np.testing.assert_array_equal(found.predict(TRUTH[FEATURES]), plain.predict(TRUTH[FEATURES]))
    with pytest.raises(ModelError, match="nothing to confirm by"):
        DisguisedTreeClassifier(DESIGN, window="full").fit(X, Y)


def test_importing_the_package_loads_no_scikit_learn() -> None:
    script = (
        "import sys, deniable, deniable.estimators, deniable.mine.models.model_files;"
        "sys.exit('sklearn' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


# --- What is refused -----------------------------------------------------------------------------


def test_a_value_that_the_design_does_not_list_is_refused_with_its_row() -> None:
    odd = X.copy()
    odd.loc[2, "region"] = "east"
    with pytest.raises(DataError, match="row 3: 'region' has the value 'east'"):
        DisguisedNaiveBayes(DESIGN).fit(odd, Y)
    with pytest.raises(DataError, match="row 3: 'region' has the value 'east'"):
        fitted("bayes").predict(odd)


def test_a_number_that_the_design_does_not_list_is_refused_with_its_row() -> None:
    design = Design.of({"attributes": {"a": ["0", "1"], "class": ["0", "1"]}})
    model = DisguisedNaiveBayes(design).fit(np.array([[0], [1]] * 9), np.array([0, 1] * 9))
    for odd in (2, -1, 300):
        with pytest.raises(DataError, match=rf"row 2: 'a' has the value '{odd}'"):
            model.predict(np.array([[0], [odd]]))


def test_missing_values_are_refused() -> None:
    holey = X.copy().astype(object)
    holey.loc[4, "owns"] = None
    with pytest.raises(DataError, match="row 5: 'owns' is missing"):
        DisguisedNaiveBayes(DESIGN).fit(holey, Y)
    with pytest.raises(DataError, match="row 5: 'owns' is missing"):
        DisguisedNaiveBayes().fit(holey, Y)
    numbers = pd.DataFrame({"a": [0.5, np.nan, 1.5]})
    with pytest.raises(ValueError, match=r"NaN.*'a', row 2"):
        DisguisedNaiveBayes().fit(numbers, [0, 1, 0])


def test_another_number_of_columns_is_refused() -> None:
    with pytest.raises(ValueError, match=r"3 columns.*4 attributes besides the target 'ill'"):
        DisguisedNaiveBayes(DESIGN).fit(X.to_numpy()[:, :3], Y)
    with pytest.raises(ValueError, match="feature names should match"):
        fitted("bayes").predict(TRUTH[FEATURES[:2]])


def test_columns_that_are_no_features_are_refused() -> None:
    with pytest.raises(DataError, match="holds the target 'ill'"):
        DisguisedNaiveBayes(DESIGN).fit(TABLE, Y)
    with pytest.raises(DataError, match=r"'smoke'.*Did you mean 'smokes'"):
        DisguisedNaiveBayes(DESIGN).fit(X.rename(columns={"smokes": "smoke"}), Y)


def test_reports_of_another_design_are_refused() -> None:
    stamped = X.pipe(pl.from_pandas).to_arrow().replace_schema_metadata({DESIGN_STAMP: b"another"})
    with pytest.raises(FingerprintError, match="another design"):
        DisguisedNaiveBayes(DESIGN).fit(stamped, Y)
    with pytest.raises(FingerprintError, match="another design"):
        fitted("bayes").disguised_score(stamped, Y)


def test_one_class_and_empty_frames_are_refused() -> None:
    with pytest.raises(ValueError, match="one class"):
        DisguisedTreeClassifier().fit(X, ["yes"] * len(X))
    with pytest.raises(ValueError, match="empty"):
        DisguisedTreeClassifier(DESIGN).fit(X[:0], Y[:0])


@pytest.mark.parametrize("bins", [1, 2.5, "many"])
def test_bins_must_be_some(bins: Any) -> None:
    with pytest.raises(ModelError, match="bins"):
        DisguisedTreeClassifier(n_bins=bins).fit([[0.5], [1.5]], [0, 1])


# --- Domains that are learned --------------------------------------------------------------------


def test_an_unseen_number_is_the_nearest_known_and_an_unseen_word_is_refused() -> None:
    numbers = DisguisedNaiveBayes().fit([[1], [5], [9]] * 5, ["a", "b", "c"] * 5)
    assert numbers.predict([[-50], [2], [4], [6.5], [8], [1e9]]).tolist() == list("aabbcc")
    words = DisguisedNaiveBayes().fit([["x"], ["y"]] * 5, [0, 1] * 5)
    with pytest.raises(DataError, match="'z'"):
        words.predict([["z"]])
    with pytest.raises(DataError, match="no number"):
        numbers.predict([["z"]])


def test_fractions_are_cut_at_quantiles_and_whole_numbers_are_categories() -> None:
    rng = np.random.default_rng(5)
    fractions, whole = rng.normal(size=1000), rng.permutation(1000)
    cut = learned("x", fractions, 10)
    np.testing.assert_array_equal(np.bincount(encoded(fractions, cut)), [100] * 10)
    assert learned("x", whole, 10).attribute.size == 1000
    assert learned("x", whole.astype(float), 10).attribute.size == 1000


def test_a_value_that_most_share_is_kept_apart() -> None:
    mostly = np.concatenate([np.zeros(990), np.linspace(0.5, 1.5, 10)])
    cut = learned("x", mostly, 5)
    np.testing.assert_array_equal(encoded(mostly, cut) == 0, mostly == 0)


def test_neighbouring_numbers_are_told_apart() -> None:
    near = np.array([1.0, np.nextafter(1.0, 2.0), np.nextafter(np.nextafter(1.0, 2.0), 2.0)])
    np.testing.assert_array_equal(encoded(near, learned("x", near, 10)), [0, 1, 2])
    large = np.array([-1.7e308, 1.7e308])
    np.testing.assert_array_equal(encoded(large, learned("x", large, 10)), [0, 1])


def test_a_column_of_mixed_kinds_is_refused() -> None:
    with pytest.raises(TypeError, match="'x1' holds float and str"):
        DisguisedNaiveBayes().fit(np.array([[1, 0.5], [2, "a"]], dtype=object), [0, 1])


@pytest.mark.parametrize("low", [-5, 0, 200, 100_000])
@pytest.mark.parametrize("order", ["C", "F"])
def test_looking_numbers_up_once_is_looking_each_up(low: int, order: Any) -> None:
    values = low + np.random.default_rng(6).integers(0, 100, (5000, 3))
    for column, raw in zip(columns_of(np.array(values, order=order)), values.T, strict=True):
        domain = learned("x", raw, 10)
        np.testing.assert_array_equal(encoded(column, domain), domain.codes(raw))
        np.testing.assert_array_equal(encoded(column, domain), np.unique(raw).searchsorted(raw))


def test_parameters_are_checked_in_fit() -> None:
    for wrong in (
        DisguisedTreeClassifier(growth="quick"),  # type: ignore[arg-type]
        DisguisedForestClassifier(n_estimators=0),
        DisguisedNaiveBayes(alpha=-1),
        DisguisedLogisticRegression(ridge=-1),
    ):
        with pytest.raises(ModelError):
            wrong.fit(X, Y)
