"""Logistic regression by maximum likelihood: published figures, naive twins, honest errors."""

import csv
import json
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize, minimize_scalar
from scipy.special import expit
from scipy.stats import norm
from sklearn.linear_model import LogisticRegression

from deniable.base.errors import EstimateError, ModelError
from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.mine.logistic import Logistic, mine_logistic
from deniable.mine.models.model_files import read_model
from deniable.mine.report_likelihood import (
    CLOSE_SHARES,
    CLOSEST_SHARES,
    ReportLikelihood,
    ReportsOfSite,
)
from deniable.oracle.exact import ExactOracle
from deniable.oracle.likelihood.mixture import most_likely
from deniable.oracle.pooled import PooledOracle
from deniable.oracle.randomized import RandomizedOracle
from deniable.schema import Schema
from mine.test_logistic import (
    BETA,
    DESIGNS,
    DOMAINS,
    SCHEMA,
    coded,
    designed,
    drawn,
    errors,
    population,
    records,
    related,
    unrelated,
)
from oracle.simulated import Floats, Reports, whole_matrix
from papersets import dataset

NAMES = list(DOMAINS)


def likeliest(oracle: Any, **options: Any) -> Logistic:
    return mine_logistic(oracle, "ill", **{"method": "likelihood", **options})


# What others have published.


def survey(name: str, columns: Sequence[str]) -> Floats:
    """Complete rows of some columns."""
    with dataset(name).open(encoding="utf-8", newline="") as file:
        rows = [[row[column] for column in columns] for row in csv.DictReader(file)]
    full = [row for row in rows if not {"", "NA"} & set(row)]
    return np.array(full, dtype=np.float64)


def of_answers(x: Floats, yes: Floats, channel: Sequence[Sequence[float]]) -> ReportsOfSite:
    """Yes/no answers to one device, a record a row."""
    through = np.array(channel)[:, None, :]
    return ReportsOfSite(x[:, None, :], np.stack([1 - yes, yes], axis=1), through)


def test_the_nigerian_die_gives_the_figures_of_the_r_package_rr() -> None:
    asked = ("rr.q1", "cov.asset.index", "cov.married", "cov.age", "cov.education", "cov.female")
    yes, assets, married, age, education, female = survey("nigeria", asked).T
    assert len(yes) == 2423
    x = np.stack(
        [np.ones(len(yes)), assets, married, age / 10, (age / 10) ** 2, education, female], axis=1
    )
    site = of_answers(x, yes, [[5 / 6, 1 / 6], [1 / 6, 5 / 6]])
    top = ReportLikelihood([site], np.zeros((1, 7))).summit(np.zeros((1, 7)))
    published = [-0.34017, 0.07896, -0.26743, -0.35283, 0.04099, -0.00691, -0.55439]
    assert top.estimates[0] == pytest.approx(published, abs=2e-5)
    assert np.sqrt(np.linalg.inv(top.information)[6, 6]) == pytest.approx(0.163, abs=5e-4)


def test_the_minarets_give_the_figures_of_rrreg() -> None:
    """A lie detector with two θ, whose honesty t is profiled: the channel is another for each t."""
    yes, condition, age, side = survey("minarets", ("rrt", "condition", "age.c", "leftRight.c")).T
    x = np.stack([np.ones(len(yes)), age, side, age * side], axis=1)

    def top(honest: float) -> Any:
        sites = [
            of_answers(
                x[condition == arm], yes[condition == arm], [[p, 1 - honest], [1 - p, honest]]
            )
            for arm, p in ((1, 2 / 12), (2, 10 / 12))
        ]
        return ReportLikelihood(sites, np.zeros((1, 4))).summit(np.zeros((1, 4)))

    best = minimize_scalar(
        lambda t: -top(t).log_likelihood,
        bounds=(0.6, 0.7),
        method="bounded",
        options={"xatol": 1e-8},
    )
    assert best.x == pytest.approx(0.65170, abs=5e-5)
    assert -best.fun == pytest.approx(-821.084, abs=5e-4)
    # The likelihood is flat: R's optimiser stopped within a thousandth of a standard error.
    published = np.array([1.89659, 0.01364, 0.62442, -0.02039])
    std_errors = np.array([0.38104, 0.06071, 0.15681, 0.01168])
    assert (np.abs(top(best.x).estimates[0] - published) < 0.001 * std_errors).all()


# Without disguise.


def test_without_disguise_it_is_the_plain_regression_with_fishers_errors() -> None:
    oracle, x, y = records(3000, seed=1)
    model = likeliest(oracle)
    peer = LogisticRegression(C=np.inf, tol=1e-12, solver="newton-cholesky", fit_intercept=False)
    expected = peer.fit(x, y).coef_[0]
    assert model.estimates[0] == pytest.approx(expected, abs=1e-6)
    chance = expit(x @ expected)
    fisher = np.linalg.inv((x * (chance * (1 - chance))[:, None]).T @ x)
    assert errors(model) == pytest.approx(np.sqrt(np.diag(fisher)), rel=1e-6)
    assert model.log_likelihood == pytest.approx(np.log(np.where(y, chance, 1 - chance)).sum())


def test_several_classes_and_a_ridge_are_those_of_the_score_equations() -> None:
    oracle, _, _ = records(2000, seed=3)
    for ridge in (0.0, 7.0):
        asked: dict[str, Any] = {"features": ["a", "c"], "ridge": ridge}
        score = mine_logistic(oracle, "b", **asked)
        found = mine_logistic(oracle, "b", method="likelihood", **asked)
        assert found.estimates == pytest.approx(score.estimates, abs=1e-6)


# Through the disguise, beside naive twins.


def one(name: str, channel: str, **options: Any) -> dict[str, Any]:
    return {"attributes": [name], "channel": channel, **options}


DEVICES = {
    "related": related(["ill"], "0.7"),
    "unrelated": unrelated(["ill"], "0.6"),
    "keep-or-uniform": one("ill", "keep-or-uniform", theta="0.5"),
    "forced": one("ill", "forced", forced={"yes": "1/6", "no": "1/12"}),
    "crosswise": one("ill", "crosswise", theta="0.2"),
    "triangular": one("ill", "triangular", theta="0.3"),
    "mangat": one("ill", "mangat", theta="0.6"),
    "kuk": one("ill", "kuk", red={"yes": "0.8", "no": "0.2"}),
    "matrix": one(
        "ill",
        "matrix",
        matrix={"no": {"no": "0.8", "yes": "0.2"}, "yes": {"no": "0.3", "yes": "0.7"}},
    ),
    "a coin shared with another": related(["ill", "c"], "0.75"),
}


@pytest.mark.parametrize("device", DEVICES)
def test_a_disguised_response_is_the_regression_for_randomized_responses(device: str) -> None:
    """Scheers and Dayton's: P(report yes) = Σ C[yes, truth]·P(truth | x), climbed by SciPy."""
    design = designed(DEVICES[device])
    oracle = drawn(design, 4000, 1, seed=5)[0]
    chosen = ["a", "b"]
    model = likeliest(oracle, features=chosen)
    table = oracle.reported(("a", "b", "ill")).reshape(6, 2)
    patterns = np.array([(a, b) for a in range(2) for b in range(3)])
    x = np.array([coded((a, 0, b, 0))[:4] for a, b in patterns])
    group = design.groups[0]
    channel = group.channel.matrix([group.names.index("ill")])

    def depth(beta: Floats) -> float:
        yes = expit(x @ beta)
        return -float((table * np.log(np.stack([1 - yes, yes], axis=1) @ channel.T)).sum())

    found = minimize(depth, np.zeros(4), method="BFGS", options={"gtol": 1e-7})
    assert model.estimates[0] == pytest.approx(found.x, abs=1e-4)
    assert model.log_likelihood == pytest.approx(-found.fun, abs=1e-6)
    assert errors(model) == pytest.approx(
        np.sqrt(np.diag(np.linalg.inv(curved(depth, found.x)))), rel=0.01
    )


def curved(function: Any, place: Floats, step: float = 2e-3) -> Floats:
    """Second derivatives, by central differences."""
    units = step * np.eye(len(place))
    found: Floats = np.array(
        [
            [
                function(place + u + v) - function(place + u - v)
                - function(place - u + v) + function(place - u - v)
                for v in units
            ]
            for u in units
        ]
    ) / (4 * step**2)  # fmt: skip
    return found


@pytest.mark.parametrize("case", ["everything, two groups", "everything, each alone"])
def test_disguised_features_are_profiled_out(case: str) -> None:
    """The twin climbs shares of all patterns and coefficients at once, and curves numerically."""
    design = DESIGNS[case]
    oracle = drawn(design, 20_000, 1, seed=6)[0]
    model = likeliest(oracle)
    reports, matrix = oracle.reported(SCHEMA.names).ravel(), whole_matrix(design)
    patterns = list(np.ndindex(2, 3, 2))
    x = np.array([coded((a, 0, b, c)) for a, b, c in patterns])

    def depth(place: Floats) -> float:
        beta, shares = place[:5], np.exp(np.append(place[5:], 0.0))
        yes = expit(x @ beta) * shares / shares.sum()
        truth = np.empty(SCHEMA.sizes)
        truth[:, 1] = yes.reshape(2, 3, 2)
        truth[:, 0] = (shares / shares.sum() - yes).reshape(2, 3, 2)
        return -float(reports @ np.log(matrix @ truth.ravel()))

    start = np.append(BETA, np.zeros(11))
    found = minimize(depth, start, method="BFGS", options={"gtol": 1e-4, "maxiter": 2000})
    assert model.log_likelihood is not None
    assert model.log_likelihood >= -found.fun - 1e-5
    assert model.estimates[0] == pytest.approx(found.x[:5], abs=2e-3)
    covariance = np.linalg.inv(curved(depth, found.x))[:5, :5]
    assert errors(model) == pytest.approx(np.sqrt(np.diag(covariance)), rel=0.02)


def test_shares_are_apart_for_each_pattern_of_public_features() -> None:
    """With c public and the rest disguised, two sites that differ in c are the same reports."""
    design = designed(related(["ill"], "0.8"), related(["a"], "0.8"), related(["b"], "0.8"))
    oracle = drawn(design, 20_000, 1, seed=7)[0]
    table = oracle.reported(SCHEMA.names)
    halves = []
    for c in (0, 1):
        half = np.zeros_like(table)
        half[..., c] = table[..., c]
        halves.append(RandomizedOracle(Reports(SCHEMA, half.ravel()), design))
    whole, pooled = likeliest(oracle), likeliest(PooledOracle(halves))
    assert pooled.estimates == pytest.approx(whole.estimates, abs=1e-5)
    assert errors(pooled) == pytest.approx(errors(whole), rel=1e-4)


def test_sites_are_pooled_whatever_their_designs_and_orders() -> None:
    whole = drawn(designed(), 30_000, 1, seed=8)[0]
    first = drawn(designed(related(["ill", "a"], "0.8")), 30_000, 1, seed=9)[0]
    backwards = Schema.of({name: values[::-1] for name, values in DOMAINS.items()})
    turned = Design.of({"attributes": {n: DOMAINS[n][::-1] for n in DOMAINS}, "groups": []})
    table = whole.reported(SCHEMA.names)[::-1, ::-1, ::-1, ::-1].ravel()
    second = RandomizedOracle(Reports(backwards, table), turned)
    together = likeliest(PooledOracle([first, second]))
    in_order = likeliest(PooledOracle([first, whole]))
    assert together.n == 60_000
    # Four standard errors, for five coefficients.
    assert (np.abs(together.estimates[0] - BETA) < 4 * errors(together)).all()
    assert together.estimates == pytest.approx(in_order.estimates, abs=1e-6)
    assert errors(together) == pytest.approx(errors(in_order), rel=1e-5)


# Errors.


@pytest.mark.parametrize("case", DESIGNS)
def test_estimates_are_consistent_and_intervals_cover(case: str) -> None:
    repeats = 50
    oracles = drawn(DESIGNS[case], 50_000, repeats, 7)
    models = [likeliest(oracle) for oracle in oracles]
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
    one_sd = np.sqrt(0.95 * 0.05 / repeats)
    assert inside.mean(axis=0).min() > 0.95 - 3.5 * one_sd
    assert abs(inside.mean() - 0.95) < 3 * one_sd
    # It is efficient: no error is larger, but for what a few estimates of errors vary (2 %).
    score = [errors(mine_logistic(oracle, "ill")) for oracle in oracles[:10]]
    assert (claimed[:10].mean(axis=0) < 1.02 * np.mean(score, axis=0)).all()


def test_it_is_more_precise_where_answers_share_a_coin() -> None:
    """By a fifth, on average over the coefficients."""
    oracles = drawn(DESIGNS["everything, two groups"], 50_000, 40, seed=21)
    score = np.array([mine_logistic(oracle, "ill").estimates[0] for oracle in oracles])
    found = np.array([likeliest(oracle).estimates[0] for oracle in oracles])
    # The ratio of two s.d. of 40 repeats has a relative s.d. below 1/√40 = 16 %; over five
    # coefficients 8 % or so, and .8 + 2 · .08 < 1.
    assert (found.std(axis=0) / score.std(axis=0)).mean() < 0.92


@pytest.mark.parametrize(
    ("beta", "least", "most"), [(BETA, 0.98, 1), ([-5, 2.5, 2, -2, 1.5], 0.5, 0.7)]
)
def test_it_gains_nothing_on_common_outcomes_and_much_by_strong_effects(
    beta: Sequence[float], least: float, most: float
) -> None:
    """By the errors that a million reports, just as they are expected, have."""
    design = DESIGNS["response only"]
    expected = whole_matrix(design) @ population(np.array(beta))
    table = np.rint(1e6 * expected).astype(np.int64)
    oracle = RandomizedOracle(Reports(SCHEMA, table), design)
    ratios = errors(likeliest(oracle)) / errors(mine_logistic(oracle, "ill"))
    assert least < ratios.min()
    assert ratios.max() < most + 1e-3


def test_many_records_do_not_climb_for_ever() -> None:
    """Rounding once kept the shares of 256 patterns from ending; it took 500 steps, not ten."""
    domains = {"ill": ["no", "yes"], **{f"z{k}": ["no", "yes"] for k in range(6)}}
    groups = [related([name], "0.8") for name in domains]
    design = Design.of({"attributes": domains, "groups": groups})
    generator = np.random.default_rng(33)
    columns = [generator.integers(0, 2, 10**6) for _ in domains]
    oracle = RandomizedOracle(Records.from_codes(columns, design.schema), design)
    (site,) = oracle.reported_patterns(design.schema, "ill")
    evenly_spread = np.full(64, 1 / 64)
    counts = site.counts[0].reshape(64, 2).sum(axis=1)
    channel = site.channel.reshape(64, 2, 64, 2).sum(axis=1)[:, :, 0]
    close = max(CLOSE_SHARES, CLOSEST_SHARES * counts.sum())
    assert most_likely(channel, counts, evenly_spread, close=close)[1] < 50


# What it cannot answer, and what it always can.


def few(theta: str, n: int, many: int) -> list[RandomizedOracle]:
    return drawn(designed(*(related([name], theta) for name in DOMAINS)), n, many, seed=11)


def test_what_has_no_maximum_is_refused_with_a_hint() -> None:
    refused: list[ModelError] = []
    for oracle in few("0.65", 100, 20):
        try:
            likeliest(oracle)
        except ModelError as error:
            refused.append(error)
    assert len(refused) > 5
    for each in refused:
        assert any(word in each.message for word in ("too little", "Nobody"))
        assert "ridge=1" in each.hint


@pytest.mark.parametrize("n", [1, 20, 300])
def test_with_a_ridge_there_is_always_an_answer_no_wider_than_the_penalty(n: int) -> None:
    for oracle in few("0.55", n, 10):
        model = likeliest(oracle, ridge=4)
        assert np.isfinite(model.estimates).all()
        assert (errors(model)[1:] < 1.3 * 0.5).all()
        assert "onverge" in model.note


def separated(empty: bool) -> ExactOracle:
    """Nobody is ill, or exactly those are who have a."""
    table = np.zeros(SCHEMA.sizes, dtype=np.int64)
    table[0, 0] = 5
    table[1, 0 if empty else 1] = 5
    return ExactOracle(Reports(SCHEMA, table.ravel()), SCHEMA)


def test_separated_classes_are_refused_and_the_culprit_named() -> None:
    with pytest.raises(ModelError, match=r"no finite solution: .*'a=yes'.* would tell") as refused:
        likeliest(separated(empty=False))
    assert "ridge" in refused.value.hint
    model = likeliest(separated(empty=False), ridge=1)
    peer = LogisticRegression(C=1.0, tol=1e-12, solver="newton-cholesky")
    x = np.array([coded(cell) for cell in np.ndindex(SCHEMA.sizes)])[:, 1:]
    y = np.array([cell[1] for cell in np.ndindex(SCHEMA.sizes)])
    counts = separated(empty=False).reported(SCHEMA.names).ravel()
    peer.fit(x, y, counts)
    assert model.estimates[0] == pytest.approx(np.append(peer.intercept_, peer.coef_[0]), abs=1e-5)


def test_a_class_without_members_is_named() -> None:
    with pytest.raises(ModelError, match="Nobody seems to have ill=yes") as refused:
        likeliest(separated(empty=True), features=["a"])
    assert "ridge" in refused.value.hint
    model = likeliest(separated(empty=True), ridge=1)
    assert model.estimates[0, 0] < -2
    assert "Intercepts have no finite maximum" in model.note


def wide(publics: int) -> Design:
    """Three-valued public columns beside a disguised feature and class."""
    domains = {"ill": ["no", "yes"], "z": ["no", "yes"]}
    domains |= {f"p{k}": ["0", "1", "2"] for k in range(publics)}
    groups = [related(["ill"], "0.8"), related(["z"], "0.75")]
    return Design.of({"attributes": domains, "groups": groups})


def evenly(n: int, design: Design) -> RandomizedOracle:
    """Reports that are evenly drawn."""
    generator = np.random.default_rng(31)
    columns = [generator.integers(0, attribute.size, n) for attribute in design.schema]
    return RandomizedOracle(Records.from_codes(columns, design.schema), design)


def test_more_shares_than_records_can_tell_are_refused_or_left_to_the_score_equations() -> None:
    oracle = evenly(1000, wide(5))
    with pytest.raises(ModelError, match="would fit the noise") as refused:
        likeliest(oracle)
    assert "method=score" in refused.value.hint
    found, score = likeliest(oracle, ridge=1), mine_logistic(oracle, "ill", ridge=1)
    assert found.estimates == pytest.approx(score.estimates)
    assert found.method == "score"
    assert "So the score equations were solved" in found.note
    assert likeliest(evenly(8000, wide(2))).method == "likelihood"


def test_too_many_patterns_are_refused_with_a_hint() -> None:
    design = wide(8)
    cells = np.full(4 * 3**8, 100)
    many = RandomizedOracle(Reports(design.schema, cells), design)
    with pytest.raises(ModelError, match="13,122 patterns, each with a share") as refused:
        likeliest(many)
    assert "method=score" in refused.value.hint
    domains = {"ill": ["no", "yes"], **{f"z{k}": ["no", "yes"] for k in range(10)}}
    design = Design.of(
        {"attributes": domains, "groups": [related([name], "0.8") for name in domains]}
    )
    none = [np.zeros(5, dtype=np.int64)] * 11
    oracle = RandomizedOracle(Records.from_codes(none, design.schema), design)
    with pytest.raises(EstimateError, match=r"2,048 joint values.* 1,024 at most") as too_many:
        likeliest(oracle)
    assert "method=score" in too_many.value.hint


def test_what_gives_counts_only_is_refused() -> None:
    counts_only: Any = SimpleNamespace(schema=SCHEMA, n=5)
    with pytest.raises(ModelError, match="counts only"):
        likeliest(counts_only)


def test_another_method_is_refused() -> None:
    with pytest.raises(ModelError, match="no method 'likelyhood'") as refused:
        likeliest(few("0.8", 100, 1)[0], method="likelyhood")
    assert "likelihood" in refused.value.hint


# The model.


def test_a_model_says_how_it_was_found_and_comes_back_from_json() -> None:
    model = likeliest(drawn(DESIGNS["response only"], 5000, 1, seed=13)[0])
    assert model.method == "likelihood"
    assert "Maximum likelihood converged after" in model.note
    document = json.loads(json.dumps(model.document()))
    again = read_model(document, "it")
    assert again.document() == model.document()
    for key in ("method", "log_likelihood", "note"):  # a file of an earlier version
        del document[key]
    earlier = read_model(document, "it")
    assert isinstance(earlier, Logistic)
    assert earlier.rows() == model.rows()
    assert earlier.method == "score"
