"""Logistic regression: the plain one without disguise, and consistent, with honest errors, with."""

import json
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.linear_model import LogisticRegression

from deniable.base.errors import ModelError
from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.mine.logistic import Coefficient, Logistic, LogisticMethod, mine_logistic
from deniable.mine.models.find_miner import find_miner
from deniable.mine.models.model_files import read_model
from deniable.oracle.api import TotalOracle
from deniable.oracle.exact import ExactOracle
from deniable.oracle.pooled import PooledOracle
from deniable.oracle.randomized import RandomizedOracle
from deniable.schema import Schema
from oracle.simulated import Floats, Reports, drawn_anew, whole_matrix

DOMAINS = {
    "a": ["no", "yes"],
    "ill": ["no", "yes"],
    "b": ["low", "middle", "high"],
    "c": ["no", "yes"],
}
SCHEMA = Schema.of(DOMAINS)
BETA = np.array([-0.8, 0.9, 0.6, -0.7, 0.4])
Counts = dict[tuple[int, int, int], int]

NAMES = ("(intercept)", "a=yes", "b=middle", "b=high", "c=yes")


def coded(codes: Sequence[int]) -> Floats:
    a, _, b, c = codes
    return np.array([1, a, b == 1, b == 2, c], dtype=np.float64)


def population(beta: Floats = BETA) -> Floats:
    """Shares of all patterns: dependent features, and a response that follows the model."""
    shares = np.zeros(SCHEMA.sizes)
    for pattern in np.ndindex(SCHEMA.sizes):
        a, ill, b, c = pattern
        chance = 1 / (1 + np.exp(-coded(pattern) @ beta))
        features = [0.6, 0.4][a] * [[0.5, 0.3, 0.2], [0.3, 0.3, 0.4]][a][b] * [0.7, 0.3][c]
        shares[pattern] = features * (chance if ill else 1 - chance)
    return shares.ravel()


def related(names: Sequence[str], theta: str) -> dict[str, Any]:
    return {"attributes": list(names), "channel": "related", "theta": theta}


def unrelated(names: Sequence[str], theta: str) -> dict[str, Any]:
    personal = {name: {v: f"1/{len(DOMAINS[name])}" for v in DOMAINS[name]} for name in names}
    return {"attributes": names, "channel": "unrelated", "theta": theta, "personal": personal}


def designed(*groups: dict[str, Any]) -> Design:
    return Design.of({"attributes": DOMAINS, "groups": list(groups)})


def drawn(design: Design, n: int, repeats: int, seed: int) -> list[RandomizedOracle]:
    generator = np.random.default_rng(seed)
    tables = drawn_anew(population(), n, whole_matrix(design), repeats, generator)
    return [RandomizedOracle(Reports(SCHEMA, table), design) for table in tables]


def records(n: int, seed: int) -> tuple[TotalOracle, Floats, Floats]:
    """Undisguised records: as an oracle, as x and as the response."""
    generator = np.random.default_rng(seed)
    cells = generator.choice(len(population()), n, p=population())
    patterns = np.array(np.unravel_index(cells, SCHEMA.sizes))
    x = np.array([coded(pattern) for pattern in patterns.T])
    return ExactOracle(Records.from_codes(list(patterns), SCHEMA), SCHEMA), x, patterns[1] * 1.0


def errors(model: Logistic) -> Floats:
    return np.array([row.std_error for row in model.rows()])


def sandwich(x: Floats, residual: Floats, chance: Floats) -> Floats:
    bread = np.linalg.inv((x * (chance * (1 - chance))[:, None]).T @ x)
    scores = x * residual[:, None]
    found: Floats = np.sqrt(np.diag(bread @ scores.T @ scores @ bread))
    return found


# Without disguise.


def test_without_disguise_it_is_scikit_learns_regression_with_sandwich_errors() -> None:
    oracle, x, y = records(3000, seed=1)
    model = mine_logistic(oracle, "ill")
    peer = LogisticRegression(C=np.inf, tol=1e-12, solver="newton-cholesky", fit_intercept=False)
    expected = peer.fit(x, y).coef_[0]
    assert model.names == NAMES
    assert model.estimates[0] == pytest.approx(expected, abs=1e-6)
    chance = 1 / (1 + np.exp(-x @ expected))
    assert errors(model) == pytest.approx(sandwich(x, y - chance, chance), rel=1e-5)


def test_with_one_yes_no_feature_the_errors_are_fishers_too() -> None:
    table = np.array([[40, 10], [20, 30]])
    schema = Schema.of({"a": ["0", "1"], "y": ["0", "1"]})
    model = mine_logistic(ExactOracle(Reports(schema, table.ravel()), schema), "y")
    slope = model.rows()[1]
    assert slope.estimate == pytest.approx(np.log(40 * 30 / (10 * 20)), abs=1e-8)
    assert slope.std_error == pytest.approx(np.sqrt((1 / table).sum()), rel=1e-6)


def test_ridge_is_scikit_learns_penalty() -> None:
    oracle, x, y = records(300, seed=2)
    peer = LogisticRegression(C=1 / 7, tol=1e-12, solver="newton-cholesky").fit(x[:, 1:], y)
    found = mine_logistic(oracle, "ill", ridge=7).estimates[0]
    assert found == pytest.approx(np.append(peer.intercept_, peer.coef_[0]), abs=1e-6)


def test_several_classes_are_the_multinomial_regression() -> None:
    oracle, x, _ = records(3000, seed=3)
    y = (x[:, 2:4] @ [1, 2]).astype(int)
    others = np.stack([x[:, 1], x[:, 4]], axis=1)
    model = mine_logistic(oracle, "b", features=["a", "c"])
    peer = LogisticRegression(C=np.inf, tol=1e-12, solver="newton-cg", max_iter=1000)
    peer.fit(others, y)
    both = np.column_stack([peer.intercept_, peer.coef_])
    assert model.estimates == pytest.approx(both[1:] - both[0], abs=1e-6)
    assert [(row.outcome, row.name) for row in model.rows()] == [
        (outcome, name)
        for outcome in ("middle", "high")
        for name in ("(intercept)", "a=yes", "c=yes")
    ]
    codes = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    assert model.probabilities(codes) == pytest.approx(peer.predict_proba(codes), abs=1e-6)
    assert (model.predict(codes) == peer.predict(codes)).all()


def test_the_target_may_stand_anywhere_and_features_be_chosen() -> None:
    oracle, x, y = records(2000, seed=4)
    model = mine_logistic(oracle, "ill", features=["c", "a"])
    assert model.schema.names == ("a", "ill", "c")
    assert model.features == ("a", "c")
    peer = LogisticRegression(C=np.inf, tol=1e-12, solver="newton-cholesky").fit(x[:, [1, 4]], y)
    assert model.probabilities(np.array([[1, 0]]))[0, 1] == pytest.approx(
        peer.predict_proba([[1, 0]])[0, 1], abs=1e-8
    )


# Through the disguise.


def test_a_disguised_response_is_a_regression_of_undisguised_answers() -> None:
    """RRreg's case, by a naive twin: every answer replaced by its unbiased estimate ŷ."""
    _, x, y = records(4000, seed=5)
    design = designed(related(["ill"], "0.75"))
    reported = np.abs(y - (np.random.default_rng(6).random(len(y)) > 0.75))
    columns = [x[:, 1], reported, x[:, 2:4] @ [1, 2], x[:, 4]]
    table = Records.from_codes([column.astype(int) for column in columns], SCHEMA)
    model = mine_logistic(RandomizedOracle(table, design), "ill")
    undisguised = (reported - 0.25) / 0.5
    beta = np.zeros(5)
    for _ in range(20):
        chance = 1 / (1 + np.exp(-x @ beta))
        information = (x * (chance * (1 - chance))[:, None]).T @ x
        beta += np.linalg.solve(information, x.T @ (undisguised - chance))
    assert model.estimates[0] == pytest.approx(beta, abs=1e-8)
    assert errors(model) == pytest.approx(sandwich(x, undisguised - chance, chance), rel=1e-5)


DESIGNS = {
    "response only": designed(related(["ill"], "0.7")),
    "everything, two groups": designed(related(["ill", "a"], "0.75"), related(["b", "c"], "0.75")),
    "everything, each alone": designed(*(related([name], "0.75") for name in DOMAINS)),
    "unrelated, some public": designed(unrelated(["ill", "a"], "0.6"), unrelated(["b"], "0.6")),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", DESIGNS)
def test_estimates_are_consistent_and_intervals_cover(case: str) -> None:
    repeats = 50
    models = [mine_logistic(oracle, "ill") for oracle in drawn(DESIGNS[case], 50_000, repeats, 7)]
    estimates = np.array([model.estimates[0] for model in models])
    claimed = np.array([errors(model) for model in models])
    actual = estimates.std(axis=0)
    # The mean of 50 estimates has the s.d. actual/√50; 4 of them, for five coefficients.
    assert (np.abs(estimates.mean(axis=0) - BETA) < 4 * actual / np.sqrt(repeats)).all()
    # An s.d. of 50 repeats has the relative s.d. 1/√100 = 10 %; 3.5 of them.
    assert np.abs(claimed.mean(axis=0) / actual - 1).max() < 3.5 / np.sqrt(2 * repeats)
    # 95 % over 50 repeats has the s.d. 3.1 %; 3.5 of them below. Over all five, 3 to either side,
    # as if the coefficients' errors went together.
    inside = np.abs(estimates - BETA) < norm.ppf(0.975) * claimed
    one = np.sqrt(0.95 * 0.05 / repeats)
    assert inside.mean(axis=0).min() > 0.95 - 3.5 * one
    assert abs(inside.mean() - 0.95) < 3 * one


def test_sites_are_pooled_whatever_their_designs_and_orders() -> None:
    whole = drawn(designed(), 30_000, 1, seed=8)[0]
    first = drawn(designed(related(["ill"], "0.8")), 30_000, 1, seed=9)[0]
    backwards = Schema.of({name: values[::-1] for name, values in DOMAINS.items()})
    table = whole.reported(SCHEMA.names)
    second = ExactOracle(Reports(backwards, table[::-1, ::-1, ::-1, ::-1].ravel()), backwards)
    together = mine_logistic(PooledOracle([first, second]), "ill")
    assert together.n == 60_000
    # Four standard errors, for five coefficients.
    assert (np.abs(together.estimates[0] - BETA) < 4 * errors(together)).all()
    in_order = mine_logistic(PooledOracle([first, whole]), "ill")
    assert together.estimates == pytest.approx(in_order.estimates, abs=1e-9)
    assert errors(together) == pytest.approx(errors(in_order), rel=1e-6)


@pytest.mark.parametrize("theta", ["0", "1"])
def test_no_disguise_by_theta_of_0_or_1_is_the_plain_regression(theta: str) -> None:
    plain = drawn(designed(), 2000, 1, seed=10)[0]
    table = plain.reported(SCHEMA.names)
    # Of three values there is no opposite; the others are reported as their opposites.
    reports = table if theta == "1" else table[::-1, ::-1, :, ::-1]
    design = designed(related(["ill", "a"], theta), related(["c"], theta))
    found = mine_logistic(RandomizedOracle(Reports(SCHEMA, reports.ravel()), design), "ill")
    expected = mine_logistic(plain, "ill")
    assert found.estimates == pytest.approx(expected.estimates, abs=1e-9)
    assert errors(found) == pytest.approx(errors(expected), rel=1e-6)


# What cannot be solved.


def test_few_records_behind_a_strong_disguise_are_refused_or_get_wide_intervals() -> None:
    design = designed(*(related([name], "0.65") for name in DOMAINS))
    refused: list[ModelError] = []
    widths = [np.inf]
    for oracle in drawn(design, 300, 30, seed=11):
        try:
            widths.append(errors(mine_logistic(oracle, "ill")).max())
        except ModelError as error:
            refused.append(error)
    assert len(refused) > 5
    for each in refused:
        assert any(word in each.message for word in ("too little", "Nobody"))
        assert "more records" in each.hint
    # Odds ratios known no better than to a factor of e in either direction, at 95 %.
    assert min(widths) > 0.5


def test_a_ridge_solves_what_has_no_solution() -> None:
    design = designed(*(related([name], "0.65") for name in DOMAINS))
    for oracle in drawn(design, 300, 10, seed=11):
        assert np.isfinite(mine_logistic(oracle, "ill", ridge=200).covariance).all()


def shown(model: Logistic) -> str:
    return "\n".join(map(str, find_miner("logistic").show(model)))


NASTY: dict[str, Counts] = {
    "separated": {(0, 0, 0): 10, (0, 1, 0): 5, (1, 0, 1): 9, (1, 1, 1): 5},
    "a constant column": {(0, 0, 0): 5, (0, 0, 1): 6, (1, 0, 0): 7, (1, 0, 1): 2},
    "all columns constant": {(1, 0, 0): 5, (1, 0, 1): 6},
    "two columns alike": {(0, 0, 0): 5, (0, 0, 1): 6, (1, 1, 0): 7, (1, 1, 1): 2},
    "a class without members": {(0, 0, 0): 5, (1, 1, 0): 6, (1, 0, 0): 7},
    "one record": {(1, 1, 1): 1},
}


@pytest.mark.parametrize("method", ["score", "likelihood"])
@pytest.mark.parametrize("ridge", [1e-6, 0.1, 1, 200])
@pytest.mark.parametrize("case", NASTY)
def test_with_a_ridge_it_always_answers(case: str, ridge: float, method: LogisticMethod) -> None:
    model = mine_logistic(table_of(NASTY[case]), "y", ridge=ridge, method=method)
    assert np.isfinite(model.estimates).all()
    assert np.isfinite(errors(model)).all()
    assert (errors(model) > 0).all()
    assert "nan" not in shown(model)
    nobody_tells = [name for name in ("a", "b") if nothing_varies(NASTY[case], name)]
    for row in model.rows()[1:]:
        if row.name.removesuffix("=1") in nobody_tells:
            assert abs(row.estimate) < 1e-6 / np.sqrt(ridge)
            assert row.std_error == pytest.approx(1 / np.sqrt(ridge), rel=0.01)
            assert row in model.open


def nothing_varies(counts: Counts, name: str) -> bool:
    """Whether everybody has the first value, which no coefficient is about."""
    return {cell["ab".index(name)] for cell, count in counts.items() if count} == {0}


@pytest.mark.parametrize("method", ["score", "likelihood"])
@pytest.mark.parametrize("theta", ["0.55", "0.65"])
@pytest.mark.parametrize("n", [1, 5, 20, 300])
def test_with_a_ridge_it_always_answers_through_a_strong_disguise(
    n: int, theta: str, method: LogisticMethod
) -> None:
    design = designed(*(related([name], theta) for name in DOMAINS))
    for oracle in drawn(design, n, 20, seed=11):
        for target in ("ill", "b"):
            model = mine_logistic(oracle, target, ridge=1, method=method)
            assert np.isfinite(model.estimates).all()
            lines = errors(model).reshape(model.estimates.shape)
            assert (lines[:, 1:] < 1.3).all()  # hardly more than without any records
            assert lines[:, 0].max() < (6.3 if method == "score" else 30)  # it has no penalty
            assert "nan" not in shown(model)


@pytest.mark.parametrize("method", ["score", "likelihood"])
@pytest.mark.parametrize(("theta", "n"), [("0.55", 20), ("0.55", 3000), ("0.7", 20), ("0.7", 3000)])
def test_intervals_with_a_ridge_cover_what_the_penalty_takes_for_granted(
    theta: str, n: int, method: LogisticMethod
) -> None:
    """Coefficients are drawn with the penalty's variance; what the noise leaves open is covered."""
    design = designed(*(related([name], theta) for name in DOMAINS))
    matrix, generator, repeats = whole_matrix(design), np.random.default_rng(17), 80
    inside, far = [], []
    for _ in range(repeats):
        beta = np.append(generator.normal(-0.5, 0.5), generator.normal(0, 1, 4))
        reports = generator.multinomial(n, matrix @ population(beta))
        oracle = RandomizedOracle(Reports(SCHEMA, reports), design)
        model = mine_logistic(oracle, "ill", ridge=1, method=method)
        off = model.estimates[0, 1:] - beta[1:]
        inside.append(np.abs(off) < norm.ppf(0.975) * errors(model)[1:])
        far.append(off**2)
    # 95 % over 80 repeats, as if a repeat's four coefficients told only as much as two: 1.7 %; the
    # answers are approximate, and 2 % are allowed for that.
    assert np.mean(inside) > 0.95 - 3 * np.sqrt(0.95 * 0.05 / (2 * repeats)) - 0.02
    # No worse than to guess 0, whose mean square is 1 ± √(2/320) = 8 %.
    assert np.mean(far) < 1 + 3 * 0.08


def test_where_the_records_tell_nothing_the_table_says_so() -> None:
    model = mine_logistic(table_of(NASTY["a constant column"]), "y", ridge=1)
    assert [row.name for row in model.open] == ["b=1"]
    assert "The records do not tell about b=1" in shown(model)
    assert "0 ± 1.000" in shown(model)
    plain = mine_logistic(drawn(designed(), 5000, 1, seed=13)[0], "ill", ridge=1)
    assert not plain.open
    assert not mine_logistic(drawn(designed(), 5000, 1, seed=13)[0], "ill").open


def test_where_the_equations_have_no_root_the_answer_says_that_it_is_linear() -> None:
    oracle = drawn(designed(*(related([name], "0.55") for name in DOMAINS)), 300, 1, seed=11)[0]
    model = mine_logistic(oracle, "ill", ridge=1)
    assert "without a solution that is better than none. These estimates are linear" in model.note
    assert model.note in shown(model)


def table_of(counts: Counts) -> TotalOracle:
    schema = Schema.of({"a": ["0", "1"], "b": ["0", "1"], "y": ["0", "1"]})
    table = np.zeros((2, 2, 2), dtype=np.int64)
    for cell, count in counts.items():
        table[cell] = count
    return ExactOracle(Reports(schema, table.ravel()), schema)


def test_separated_classes_are_refused_and_the_culprit_named() -> None:
    # Whoever has a=1 has y=1.
    counts = {
        (0, 0, 0): 20,
        (0, 0, 1): 10,
        (0, 1, 0): 10,
        (0, 1, 1): 20,
        (1, 0, 1): 9,
        (1, 1, 1): 5,
    }
    with pytest.raises(ModelError, match="no finite solution: 'a=1' would tell") as refused:
        mine_logistic(table_of(counts), "y")
    assert "ridge" in refused.value.hint
    assert mine_logistic(table_of(counts), "y", ridge=1).estimates[0, 1] > 1


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ({(0, 0, 0): 5, (0, 0, 1): 6, (1, 1, 0): 7, (1, 1, 1): 2}, "one of 'a=1', 'b=1' without"),
        ({(0, 0, 0): 5, (0, 0, 1): 6, (1, 0, 0): 7, (1, 0, 1): 2}, "or everybody, has b=1, as far"),
        ({(0, 0, 0): 5, (1, 1, 0): 6, (1, 0, 0): 7}, "Nobody seems to have y=1"),
        ({(0, 0, 1): 5, (1, 1, 1): 6, (1, 0, 1): 7}, "Nobody seems to have y=0"),
    ],
)
def test_features_and_classes_that_cannot_be_told_apart_are_refused(
    counts: Counts, message: str
) -> None:
    with pytest.raises(ModelError, match=message):
        mine_logistic(table_of(counts), "y")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"target": "il"}, "target 'il' is not in the design"),
        ({"features": ["a", "x"]}, "feature 'x' is not in the design"),
        ({"features": ["a", "ill"]}, "'ill' is the target"),
        ({"ridge": -1}, "ridge = -1 is not a penalty"),
        ({"ridge": float("nan")}, "ridge = nan is not a penalty"),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict[str, Any], message: str) -> None:
    oracle = drawn(designed(), 100, 1, seed=12)[0]
    with pytest.raises(ModelError, match=message):
        mine_logistic(oracle, **{"target": "ill", **options})


def test_an_oracle_that_only_counts_is_refused() -> None:
    counts_only: Any = SimpleNamespace(schema=SCHEMA, n=5)
    with pytest.raises(ModelError, match="counts only"):
        mine_logistic(counts_only, "ill")


# The model.


def test_a_model_comes_back_from_json() -> None:
    model = mine_logistic(drawn(DESIGNS["response only"], 5000, 1, seed=13)[0], "ill", ridge=0.5)
    again = read_model(json.loads(json.dumps(model.document())), "it")
    assert isinstance(again, Logistic)
    assert again.document() == model.document()
    assert again.rows() == model.rows()
    codes = np.array([[0, 2, 1], [1, 0, 0]])
    assert (again.probabilities(codes) == model.probabilities(codes)).all()


def test_a_damaged_model_is_refused() -> None:
    document = mine_logistic(drawn(designed(), 500, 1, seed=14)[0], "ill").document()
    del document["coefficients"]["yes"]["a=yes"]
    with pytest.raises(ModelError, match="damaged"):
        read_model(document, "it")


def test_a_row_gives_what_a_table_of_coefficients_needs() -> None:
    row = Coefficient("yes", "a=yes", 0.5, 0.25)
    assert row.z == 2
    assert row.p == pytest.approx(2 * norm.sf(2))
    assert row.odds_ratio == pytest.approx(np.exp(0.5))
    assert (row.low, row.high) == pytest.approx(np.exp(0.5 + norm.ppf([0.025, 0.975]) * 0.25))
    assert Coefficient("yes", "a", 800.0, 1.0).odds_ratio == np.inf
    assert (Coefficient("yes", "a", -1.0, 0.0).z, Coefficient("yes", "a", 0.0, 0.0).z) == (
        -np.inf,
        0,
    )
    assert Coefficient("yes", "a", 0.0, 0.0).p == 1


def test_names_that_need_quotes_get_them() -> None:
    schema = Schema.of({"a & b": ["no", "yes = no"], "y": ["0", "1"]})
    model = mine_logistic(ExactOracle(Reports(schema, np.array([4, 3, 2, 5])), schema), "y")
    assert model.names[1] == '"a & b"=yes = no'
