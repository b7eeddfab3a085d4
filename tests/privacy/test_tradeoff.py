import numpy as np
import pytest
from numpy.testing import assert_allclose

from deniable.design import Design
from deniable.oracle.api import standard_errors
from deniable.privacy.measures.trade_off import most_open, trade_off
from deniable.privacy.population import Population
from deniable.privacy.report.measure_privacy import measure_privacy

EXACT = 1e-12
Z_95 = standard_errors(0.95)


def random_matrix(size: int, generator: np.random.Generator) -> np.ndarray:
    """Columns that sum to 1, invertible because the diagonal outweighs the rest."""
    kept = generator.uniform(0.55, 0.9)
    matrix: np.ndarray = (
        kept * np.eye(size) + (1 - kept) * generator.dirichlet(np.ones(size), size).T
    )
    return matrix


@pytest.mark.parametrize("theta", [0.55, 0.7, 0.95, 0.2])
@pytest.mark.parametrize("share", [0.5, 0.2, 0.03])
def test_the_family_of_a_warner_coin_is_every_coin(theta: float, share: float) -> None:
    n = 700
    found = trade_off([[theta, 1 - theta], [1 - theta, theta]], [1 - share, share], n)
    coins = 0.5 + found.openness * (theta - 0.5)
    yes = coins * share + (1 - coins) * (1 - share)  # Warner (1965): the share who report yes
    margins = Z_95 * np.sqrt(yes * (1 - yes) / n) / np.abs(2 * coins - 1)
    best = np.maximum(np.maximum(coins, 1 - coins), max(share, 1 - share))
    assert_allclose(found.margins, margins, rtol=EXACT)
    assert_allclose(found.guesses, best, rtol=EXACT)
    assert_allclose(coins[-1], 1 if theta > 0.5 else 0, atol=EXACT)


@pytest.mark.parametrize("size", [2, 3, 7])
def test_every_setting_agrees_with_inverting_its_matrix(size: int) -> None:
    generator = np.random.default_rng(size)
    matrix, prior, n = random_matrix(size, generator), generator.dirichlet(np.ones(size)), 400
    found = trade_off(matrix, prior, n, points=12)
    mean = matrix.mean(axis=1, keepdims=True)
    for s, guess, margin in zip(found.openness, found.guesses, found.margins, strict=True):
        C = mean + s * (matrix - mean)
        assert_allclose(C.sum(axis=0), 1, atol=EXACT)
        assert C.min() > -EXACT
        W = np.linalg.inv(C)
        variance = (W**2 @ (C @ prior) - prior**2).max()
        assert_allclose(margin, Z_95 * np.sqrt(variance / n), rtol=EXACT * np.linalg.cond(C))
        assert_allclose(guess, (C * prior).max(axis=1).sum(), rtol=EXACT)


@pytest.mark.parametrize("size", [2, 3, 7])
def test_more_precise_is_never_more_private(size: int) -> None:
    generator = np.random.default_rng(10 + size)
    for _ in range(20):
        prior = generator.dirichlet(np.ones(size))
        found = trade_off(random_matrix(size, generator), prior, 1000)
        assert (np.diff(found.openness) > 0).all()
        assert (np.diff(found.margins) < 0).all()
        assert (np.diff(found.guesses) >= -EXACT).all()


def test_the_designs_own_point_is_what_the_report_says(design: Design) -> None:
    shares = {"smokes": np.array([0.8, 0.2]), "income": np.array([0.35, 0.65])}
    people = Population.of_shares(design.schema, shares)
    report = measure_privacy(design, people, respondents=2500)
    for attribute in report.attributes.values():
        found = trade_off(attribute.matrix, attribute.prior, report.respondents)
        guess, margin = found.own
        widest = max(influence.std_error for influence in attribute.influences)
        assert_allclose(guess, attribute.guess_alone, rtol=EXACT)
        assert_allclose(margin, Z_95 * widest, rtol=EXACT)
        assert 1.0 in found.openness


def test_a_device_that_rules_something_out_cannot_open_further() -> None:
    assert most_open([[0.7, 0.0], [0.3, 1.0]]) == 1
    found = trade_off([[0.7, 0.0], [0.3, 1.0]], [0.5, 0.5], 100)
    assert found.openness[-1] == 1
    assert found.own == (found.guesses[-1], found.margins[-1])


def test_without_a_disguise_only_sampling_is_left() -> None:
    guess, margin = trade_off(np.eye(3), [0.2, 0.3, 0.5], 900).own
    assert_allclose(guess, 1, rtol=EXACT)
    assert_allclose(margin, Z_95 * np.sqrt(0.25 / 900), rtol=EXACT)
