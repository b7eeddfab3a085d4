import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from numpy.typing import NDArray
from sklearn.naive_bayes import CategoricalNB

from deniable.base.errors import DeniableError, EstimateError, ModelError
from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.expression import Expression, Family
from deniable.mine.bayes import Constraint, NaiveBayes, mine_bayes
from deniable.mine.models.model_files import read_model
from deniable.oracle.api import Estimates, Target
from deniable.oracle.exact import ExactOracle
from deniable.oracle.likelihood.joint_table import joint_table
from deniable.oracle.pooled import PooledOracle
from deniable.oracle.randomized import RandomizedOracle
from deniable.papers.datasets import SETS
from deniable.schema import Schema
from deniable.source.disguise import disguise_records
from deniable.source.prepare.preparation import Preparation
from deniable.source.randomness import SeededBits
from papersets import dataset

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]

CONSTRAINTS: list[Constraint] = ["expected", "projected", "inverted", "likelihood"]

SMALL = Schema.of({"a": ["0", "1", "2"], "b": ["0", "1"], "class": ["no", "yes"]})


def prepared(raw: Path, folder: Path, **options: Any) -> Records:
    plan = Preparation.learn(raw, **options)
    plan.apply(raw, folder / "prepared.parquet")
    return Records.of(pq.read_table(folder / "prepared.parquet"), plan.schema)


def split(records: Records, target: str) -> tuple[Codes, Codes]:
    """Codes of the features, in order, and of the target."""
    names = [name for name in records.schema.names if name != target]
    columns = {name: records.columns[records.schema.position(name)] for name in (*names, target)}
    features = np.stack([columns[name] for name in names], axis=1).astype(np.int64)
    return features, columns[target].astype(np.int64)


def people(schema: Schema, n: int, seed: int) -> Records:
    """Records whose attributes depend on each other through a hidden one."""
    generator = np.random.default_rng(seed)
    hidden = generator.random((n, 1))
    codes = (hidden + generator.random((n, len(schema)))) / 2 * schema.sizes
    return Records.from_codes(codes.astype(np.int64), schema)


def same(one: NaiveBayes, other: NaiveBayes) -> bool:
    return one.prior.tolist() == other.prior.tolist() and all(
        mine.tolist() == theirs.tolist()
        for mine, theirs in zip(one.conditionals, other.conditionals, strict=True)
    )


# Without disguise


def require_sklearn_agrees(records: Records, target: str, alpha: float) -> None:
    features, labels = split(records, target)
    sizes = [attribute.size for attribute in records.schema if attribute.name != target]
    twin = CategoricalNB(alpha=alpha, min_categories=sizes).fit(features, labels)
    for constraint in CONSTRAINTS:
        oracle = ExactOracle(records, records.schema)
        model = mine_bayes(oracle, target, alpha=alpha, constraint=constraint)
        found = model.probabilities(features)
        assert found[:, twin.classes_] == pytest.approx(twin.predict_proba(features), abs=1e-9)
        # scikit-learn does not know of a class that it has not seen; ours gives it no chance.
        assert found.sum(axis=1) == pytest.approx(1, abs=1e-12)
        assert set(np.flatnonzero(model.prior)) == set(twin.classes_)


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_truthful_records_give_the_model_of_scikit_learn(name: str, tmp_path: Path) -> None:
    drop = ["sample-code"] if name.startswith("breast") else []
    records = prepared(dataset(name), tmp_path, drop=drop)
    require_sklearn_agrees(records, SETS[name].target, alpha=1.0)


@pytest.mark.parametrize("seed", range(30))
def test_so_do_random_tables_with_absent_values_and_classes(seed: int) -> None:
    generator = np.random.default_rng(seed)
    sizes = [*generator.integers(1, 6, size=generator.integers(1, 6)), generator.integers(2, 5)]
    schema = Schema.of({f"x{j}": [str(v) for v in range(size)] for j, size in enumerate(sizes)})
    n = int(generator.integers(1, 60))
    codes = generator.integers(0, sizes, size=(n, len(sizes)))
    records = Records.from_codes(codes, schema)
    require_sklearn_agrees(records, schema.names[-1], alpha=float(generator.uniform(0.01, 3)))


@pytest.mark.parametrize("theta", ["0", "1"])
@pytest.mark.parametrize("groups", [["abcd"], ["ab", "cd"], ["d", "a", "bc"]])
@pytest.mark.parametrize("constraint", CONSTRAINTS)
def test_a_certain_coin_gives_exactly_the_plain_model(
    theta: str, groups: list[str], constraint: Constraint
) -> None:
    schema = Schema.of({name: ["0", "1"] for name in "abcd"})
    design = design_of(schema, [list(group) for group in groups], channel="related", theta=theta)
    raw = people(schema, 500, seed=1)
    plain = mine_bayes(ExactOracle(raw, schema), "d")
    reports = disguise_records(raw, None, design, SeededBits(2))
    model = mine_bayes(RandomizedOracle(reports, design), "d", constraint=constraint)
    assert same(model, plain)
    assert model.classes.std_error.tolist() == [0, 0]


def test_pooled_sites_give_the_model_of_all_their_records() -> None:
    parts = [people(SMALL, 200, seed=1), people(SMALL, 300, seed=2)]
    whole = [np.concatenate(pair) for pair in zip(*(p.columns for p in parts), strict=True)]
    pooled = mine_bayes(PooledOracle([ExactOracle(part, SMALL) for part in parts]), "class")
    assert pooled.n == 500
    assert same(pooled, mine_bayes(ExactOracle(Records.from_codes(whole, SMALL), SMALL), "class"))


# Through a disguise


def design_of(schema: Schema, groups: list[list[str]], **options: Any) -> Design:
    return Design.of(
        {
            "attributes": {attribute.name: list(attribute.values) for attribute in schema},
            "groups": [{"attributes": names, **options} for names in groups],
        }
    )


def test_expected_reports_give_the_plain_model() -> None:
    """Three groups, the class in one of its own; counts such that expected reports are whole."""
    schema = Schema.of({name: ["0", "1"] for name in ("a", "b", "class")})
    design = design_of(schema, [["a"], ["b"], ["class"]], channel="related", theta="4/5")
    truth = 125 * np.random.default_rng(4).integers(1, 9, size=8)
    fifths = np.array([[4, 1], [1, 4]])
    reports = np.kron(np.kron(fifths, fifths), fifths) @ truth // 125

    def records(counts: Codes) -> Records:
        cells = np.indices((2, 2, 2)).reshape(3, -1).T
        return Records.from_codes(np.repeat(cells, counts, axis=0), schema)

    plain = mine_bayes(ExactOracle(records(truth), schema), "class")
    model = mine_bayes(RandomizedOracle(records(reports), design), "class", constraint="projected")
    assert model.prior == pytest.approx(plain.prior, rel=1e-12)
    for ours, theirs in zip(model.conditionals, plain.conditionals, strict=True):
        assert ours == pytest.approx(theirs, rel=1e-12)
    assert (model.classes.std_error > 0).all()


class Fixed:
    """An oracle that answers what it was told, and remembers how it was asked."""

    schema = SMALL
    n = 100

    def __init__(self, values: Sequence[float], error: float) -> None:
        self.values, self.error = np.array(values), error
        self.asked: list[Family] = []

    def count(self, expressions: Any, *, of: Target = "sample") -> Estimates:
        assert of == "sample"
        self.asked.append(expressions)
        zeros = np.zeros(len(self.values))
        return Estimates(self.n, of, self.values, zeros + self.error**2, zeros, zeros)


IMPOSSIBLE = [103, -3, 60, 50, -7, -4, 1, 0, 80, 23, -1, -2]
"""Two classes, then the three values of a in each, then the two of b in each."""


def test_every_count_is_asked_for_in_one_batch() -> None:
    oracle = Fixed(IMPOSSIBLE, 10.0)
    mine_bayes(oracle, "class")
    (family,) = oracle.asked
    expressions: list[Expression] = [{"class": c} for c in ("no", "yes")]
    expressions += [{"class": c, "a": v} for c in ("no", "yes") for v in "012"]
    expressions += [{"class": c, "b": v} for c in ("no", "yes") for v in "01"]
    order = [family.columns.index(name) for name in SMALL.names]
    assert family.codes[:, order].tolist() == Family.of(expressions, SMALL).codes.tolist()


def test_likeliest_counts_need_the_reports() -> None:
    with pytest.raises(ModelError, match="counts only") as refused:
        mine_bayes(Fixed(IMPOSSIBLE, 10.0), "class", constraint="likelihood")
    assert "constraint='expected'" in refused.value.hint


@pytest.mark.parametrize("constraint", ["expected", "projected", "inverted"])
def test_impossible_counts_still_make_probabilities_and_are_kept_for_display(
    constraint: Constraint,
) -> None:
    model = mine_bayes(Fixed(IMPOSSIBLE, 10.0), "class", constraint=constraint)
    everyone = np.indices((3, 2)).reshape(2, -1).T
    chances = model.probabilities(everyone)
    assert np.isfinite(chances).all()
    assert chances.sum(axis=1) == pytest.approx(1, abs=1e-12)
    for conditional in model.conditionals:
        assert conditional.sum(axis=1) == pytest.approx(1, abs=1e-12)
    assert model.classes.value.tolist() == [103, -3]
    assert model.tables[0].value.tolist() == [[60, 50, -7], [-4, 1, 0]]
    assert model.tables[1].std_error.tolist() == [[10, 10], [10, 10]]


def test_a_projected_class_of_nobody_is_never_predicted() -> None:
    model = mine_bayes(Fixed(IMPOSSIBLE, 10.0), "class", constraint="projected")
    assert model.prior.tolist() == [1, 0]
    # (60, 50, −7) of 100 becomes (55, 45, 0), and alpha adds 1 to each.
    assert model.conditionals[0][0] == pytest.approx(np.array([56, 46, 1]) / 103, rel=1e-12)
    assert model.predict(np.indices((3, 2)).reshape(2, -1).T).tolist() == [0] * 6


def test_an_expected_class_within_the_noise_keeps_a_chance() -> None:
    model = mine_bayes(Fixed(IMPOSSIBLE, 10.0), "class")
    assert 0 < model.prior[1] < 0.1
    assert model.conditionals[0][1].min() > 0.2  # −4, 1 and 0, all ± 10: nothing is known


# The papers' experiment: Adult, binary by the median, one group with the class in it


@pytest.fixture(scope="module")
def adult(tmp_path_factory: pytest.TempPathFactory) -> Records:
    folder = tmp_path_factory.mktemp("adult")
    first = pyarrow.csv.read_csv(dataset("adult")).slice(0, 10_000)
    pyarrow.csv.write_csv(first, folder / "adult.csv")
    # "?" is a value like any other (na=()), so that every attribute has two in the end.
    return prepared(folder / "adult.csv", folder, nominal="binary", na=())


REPEATS = 20


def models(adult: Records, constraint: Constraint, **options: Any) -> list[NaiveBayes]:
    """Mine the first 8,000 of 10,000 records, disguised again and again."""
    schema = adult.schema
    assert set(schema.sizes) == {2}
    design = design_of(schema, [list(schema.names)], **options)
    raw = Records(schema, tuple(column[:8000] for column in adult.columns))
    oracles = (
        RandomizedOracle(disguise_records(raw, None, design, SeededBits(seed)), design)
        for seed in range(REPEATS)
    )
    return [mine_bayes(oracle, "income", constraint=constraint) for oracle in oracles]


def accuracies(adult: Records, mined: list[NaiveBayes]) -> Floats:
    features, labels = split(adult, "income")
    return np.array([np.mean(m.predict(features[8000:]) == labels[8000:]) for m in mined])


@pytest.mark.slow
@pytest.mark.parametrize("constraint", CONSTRAINTS)
@pytest.mark.parametrize(
    "options",
    [
        {"channel": "unrelated", "theta": "1/2"},
        {"channel": "related", "theta": "3/5"},
    ],
    ids=lambda options: options["channel"],
)
def test_disguised_adult_is_classified_nearly_as_well_as_plain(
    adult: Records, options: dict[str, Any], constraint: Constraint
) -> None:
    if options["channel"] == "unrelated":
        half = {"personal": {a.name: dict.fromkeys(a.values, "1/2") for a in adult.schema}}
        options = {**options, **half}
    (plain,) = accuracies(adult, models(adult, constraint, channel="related", theta="1")[:1])
    found = accuracies(adult, models(adult, constraint, **options))
    # Figure 7 prints .81 for both and .82 for plain: .01 is lost, and 4 s.e. of the mean allowed.
    std_error = found.std(ddof=1) / np.sqrt(REPEATS)
    assert found.mean() > plain - 0.01 - 4 * std_error
    # On 2,000 records an accuracy of .82 has a standard error of √(.82·.18/2000) = .0086.
    assert plain == pytest.approx(0.82, abs=4 * 0.0086)


def test_near_a_fair_coin_expected_counts_are_less_sure_of_what_is_wrong(adult: Records) -> None:
    features, labels = split(adult, "income")

    def losses(constraint: Constraint) -> Floats:
        mined = models(adult, constraint, channel="related", theta="0.51")
        chances = [m.probabilities(features[8000:])[np.arange(2000), labels[8000:]] for m in mined]
        return np.array([-np.log(np.maximum(each, 1e-15)).mean() for each in chances])

    gain = losses("projected") - losses("expected")
    assert gain.mean() > 4 * gain.std(ddof=1) / np.sqrt(REPEATS)


# Files


def disguised_model() -> NaiveBayes:
    design = design_of(SMALL, [["a", "class"]], channel="keep-or-uniform", theta="0.3")
    reports = disguise_records(people(SMALL, 300, seed=5), None, design, SeededBits(6))
    return mine_bayes(RandomizedOracle(reports, design), "class")


def test_a_model_comes_back_from_json_as_it_was() -> None:
    model = disguised_model()
    text = json.dumps(model.document(), allow_nan=False)
    again = read_model(json.loads(text), "x.json")
    assert isinstance(again, NaiveBayes)
    assert again.document() == model.document()
    assert again.schema == SMALL
    assert (again.target, again.features, again.n) == ("class", ("a", "b"), 300)
    everyone = np.indices((3, 2)).reshape(2, -1).T
    assert again.probabilities(everyone).tolist() == model.probabilities(everyone).tolist()


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (lambda d: d.pop("classes"), "classes"),
        (lambda d: d["features"].pop("b"), "'b'"),
        (lambda d: d["features"]["a"]["probability"].pop(), "another shape"),
        (lambda d: d["classes"].update(probability=[2, -1]), "negative"),
        (lambda d: d["classes"].update(probability=[0.0, 0.0]), "sum to 1"),
        (lambda d: d["classes"].update(count="many"), "many"),
        (lambda d: d.update(target="clas"), "Did you mean 'class'?"),
    ],
)
def test_a_damaged_model_is_refused(damage: Any, complaint: str) -> None:
    document = disguised_model().document()
    damage(document)
    with pytest.raises(ModelError, match=r"x\.json is a damaged model|not in the design") as error:
        read_model(document, "x.json")
    assert complaint in str(error.value)


# Without smoothing


def test_without_smoothing_chances_are_products_of_frequencies() -> None:
    records = people(SMALL, 60, seed=9)
    model = mine_bayes(ExactOracle(records, SMALL), "class", alpha=0)
    a, b, label = (np.asarray(column) for column in records.columns)
    for i, j in np.ndindex(3, 2):
        products = np.array(
            [
                (label == c).mean() * (a == i)[label == c].mean() * (b == j)[label == c].mean()
                for c in range(2)
            ]
        )
        whole = products.sum()
        # What no class allows tells nothing: the shares of the classes.
        expected = products / whole if whole else np.bincount(label, minlength=2) / len(label)
        assert model.probabilities(np.array([[i, j]]))[0] == pytest.approx(expected, abs=1e-12)


def test_a_class_with_a_zero_has_chance_zero_and_nothing_is_not_a_number() -> None:
    schema = Schema.of({"a": ["0", "1"], "b": ["0", "1"], "class": ["no", "yes", "never"]})
    raw = {
        "a": ["0", "0", "1", "1"],
        "b": ["0", "1", "1", "1"],
        "class": ["no", "no", "yes", "yes"],
    }
    with np.errstate(all="raise", divide="raise"):
        model = mine_bayes(ExactOracle(raw, schema), "class", alpha=0)
        found = model.probabilities(np.array([[0, 0], [0, 1], [1, 1], [1, 0]]))
    assert found.tolist() == [[1, 0, 0], [1, 0, 0], [0, 1, 0], [0.5, 0.5, 0]]
    assert same(NaiveBayes.read(schema, json.loads(json.dumps(model.body()))), model)


# Bad input


def test_features_may_be_chosen_and_keep_the_order_of_the_schema() -> None:
    records = people(SMALL, 100, seed=7)
    oracle = ExactOracle(records, SMALL)
    model = mine_bayes(oracle, "a", features=["class", "b", "b"])
    assert model.features == ("b", "class")
    assert mine_bayes(oracle, "a", features=iter(["b"])).features == ("b",)


@pytest.mark.parametrize(
    ("target", "options", "complaint"),
    [
        ("clas", {}, "The target 'clas' is not in the design. Did you mean 'class'?"),
        ("single", {}, "The target 'single' has a single value"),
        ("class", {"features": ["a", "class"]}, "'class' is the target, so it cannot be a feature"),
        ("class", {"features": ["A"]}, "The feature 'A' is not in the design. Did you mean 'a'?"),
        ("class", {"features": []}, "There is no feature to predict 'class' from."),
        ("class", {"alpha": -0.1}, "alpha = -0.1 cannot be added to counts."),
        ("class", {"alpha": float("nan")}, "alpha = nan cannot be added to counts."),
        ("class", {"constraint": "project"}, "no constraint 'project'. Did you mean 'projected'?"),
    ],
)
def test_what_cannot_be_mined_is_refused(
    target: str, options: dict[str, Any], complaint: str
) -> None:
    schema = Schema.of({"a": ["0", "1"], "single": ["0"], "class": ["no", "yes"]})
    oracle = ExactOracle(people(schema, 10, seed=8), schema)
    with pytest.raises(ModelError) as error:
        mine_bayes(oracle, target, **options)
    assert complaint in str(error.value)


def test_a_schema_of_the_target_alone_is_refused() -> None:
    schema = Schema.of({"class": ["no", "yes"]})
    with pytest.raises(ModelError, match="no feature"):
        mine_bayes(ExactOracle({"class": ["no", "yes"]}, schema), "class")


def test_no_reports_are_refused() -> None:
    nobody: dict[str, list[str]] = {name: [] for name in SMALL.names}
    with pytest.raises(EstimateError, match="There are no reports") as error:
        mine_bayes(ExactOracle(nobody, SMALL), "class")
    assert isinstance(error.value, DeniableError)


# Likeliest counts


def test_likeliest_counts_are_those_of_the_joint_table_pooled_and_in_any_order() -> None:
    turned = Schema.of({name: SMALL[name].values[::-1] for name in reversed(SMALL.names)})
    parts = people(SMALL, 300, seed=1), people(turned, 200, seed=2)
    designs = (
        design_of(SMALL, [["a", "class"]], channel="keep-or-uniform", theta="1/4"),
        design_of(turned, [["b"], ["class"]], channel="related", theta="3/5"),
    )
    sites = [
        RandomizedOracle(disguise_records(part, None, design, SeededBits(5)), design)
        for part, design in zip(parts, designs, strict=True)
    ]
    oracles: list[RandomizedOracle | PooledOracle] = [*sites, PooledOracle(sites)]
    for oracle in oracles:
        model = mine_bayes(oracle, "class", constraint="likelihood", alpha=0)
        for name, found in zip(model.features, model.conditionals, strict=True):
            table = joint_table(oracle, ["class", name]).maximum.counts.reshape(2, -1)
            shares = table / table.sum(axis=1, keepdims=True)
            # Both are within 1e-4 of the highest log-likelihood; about 100 records of a class, of
            # which the disguise leaves a tenth's information, tell a share to √(2e-4/10) = .0045.
            assert found == pytest.approx(shares, abs=0.01)
    wide = Schema.of({"c": [str(value) for value in range(600)], "class": ["no", "yes"]})
    too_wide = ExactOracle(people(wide, 50, 1), wide)
    with pytest.raises(ModelError, match="table of class and c has 1,200 cells"):
        mine_bayes(too_wide, "class", constraint="likelihood")
