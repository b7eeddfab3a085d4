"""The closed form against the linear systems of the papers, solved as they say."""

from fractions import Fraction
from itertools import product
from math import comb, prod

import numpy as np
import pytest

from deniable.design import Design
from deniable.oracle.randomized import RandomizedOracle
from oracle.simulated import Counts, Floats, Reports

ONE_THETA = [Fraction(n, 10) for n in (0, 1, 3, 6, 8, 10)]
MANY_THETAS = [
    (Fraction(7, 10), Fraction(9, 10)),
    (Fraction(1, 5), Fraction(4, 5)),
    (Fraction(3, 5), Fraction(4, 5), Fraction(1)),
    (Fraction(1, 10), Fraction(2, 3), Fraction(11, 20)),
]


def design_of(thetas: tuple[Fraction, ...]) -> Design:
    """Two yes/no attributes per group: g0x, g0y, g1x, …"""
    groups = [(f"g{g}x", f"g{g}y") for g in range(len(thetas))]
    return Design.of(
        {
            "attributes": {name: ["0", "1"] for names in groups for name in names},
            "groups": [
                {"attributes": list(names), "channel": "related", "theta": str(theta)}
                for names, theta in zip(groups, thetas, strict=True)
            ],
        }
    )


def reports_of(thetas: tuple[Fraction, ...], seed: int = 0) -> Counts:
    """Any table of reports will do: the two ways must agree on all of them."""
    counts: Counts = np.random.default_rng(seed).integers(0, 100, size=4 ** len(thetas))
    return counts


# In group g the expression E_g is g·x=1 & g·y=0; its opposite is g·x=0 & g·y=1.
E, E_BAR = (1, 0), (0, 1)


def asked(groups: int) -> str:
    return " & ".join(f"g{g}x=1 & g{g}y=0" for g in range(groups))


def variations(counts: Counts, groups: int) -> Floats:
    """N*(E_1 E_2 …), N*(E_1 … Ē_m), …: the papers' order, the last group barred first."""
    table = counts.reshape((2,) * (2 * groups))
    return np.array(
        [table[sum(parts, ())] for parts in product((E, E_BAR), repeat=groups)], dtype=float
    )


def bars(counts: Counts, groups: int) -> Floats:
    """N*(0 bars), …, N*(m bars): the variations added up by how many groups are barred."""
    number = [sum(barred) for barred in product((0, 1), repeat=groups)]
    return np.bincount(number, variations(counts, groups)).astype(float)


def estimate(thetas: tuple[Fraction, ...], counts: Counts) -> float:
    design = design_of(thetas)
    oracle = RandomizedOracle(Reports(design.schema, counts), design)
    return float(oracle.count([asked(len(thetas))]).value[0])


@pytest.mark.parametrize("thetas", [(t,) * m for m in (1, 2, 3) for t in ONE_THETA] + MANY_THETAS)
def test_the_estimate_solves_the_system_of_two_to_the_m_equations(
    thetas: tuple[Fraction, ...],
) -> None:
    M = np.ones((1, 1))
    for theta in map(float, thetas):
        M = np.kron(M, [[theta, 1 - theta], [1 - theta, theta]]).astype(float)
    counts = reports_of(thetas)
    solved = np.linalg.solve(M, variations(counts, len(thetas)))
    assert estimate(thetas, counts) == pytest.approx(solved[0], rel=1e-9)


def test_the_papers_m2_is_the_product_of_two_m1() -> None:
    t = 0.7
    u = 1 - t
    printed = [  # paper A, Eq. 6
        [t * t, t * u, t * u, u * u],
        [t * u, t * t, u * u, t * u],
        [t * u, u * u, t * t, t * u],
        [u * u, t * u, t * u, t * t],
    ]
    thetas = (Fraction(7, 10),) * 2
    counts = reports_of(thetas)
    solved = np.linalg.solve(np.array(printed), variations(counts, 2))
    assert estimate(thetas, counts) == pytest.approx(solved[0], rel=1e-9)


def bars_matrix(m: int, theta: float) -> Floats:
    """``A[j, k]``: of m groups with k bars, the chance that j are barred in the report."""
    A = np.zeros((m + 1, m + 1))
    for k in range(m + 1):
        for lost, won in product(range(k + 1), range(m - k + 1)):
            turned = lost + won
            chance = (1 - theta) ** turned * theta ** (m - turned)
            A[k - lost + won, k] += comb(k, lost) * comb(m - k, won) * chance
    return A


def test_the_matrix_of_bars_is_the_one_that_paper_c_prints() -> None:
    t = 0.7
    u = 1 - t
    assert bars_matrix(2, t) == pytest.approx(
        np.array(
            [
                [t**2, t * u, u**2],
                [2 * t * u, t**2 + u**2, 2 * t * u],
                [u**2, t * u, t**2],
            ]
        )
    )
    assert bars_matrix(3, t) == pytest.approx(
        np.array(
            [
                [t**3, t**2 * u, t * u**2, u**3],
                [3 * t**2 * u, t**3 + 2 * t * u**2, u**3 + 2 * t**2 * u, 3 * t * u**2],
                [3 * t * u**2, 2 * t**2 * u + u**3, 2 * t * u**2 + t**3, 3 * t**2 * u],
                [u**3, t * u**2, t**2 * u, t**3],
            ]
        )
    )


@pytest.mark.parametrize("m", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("theta", ONE_THETA)
def test_with_one_theta_the_system_of_bars_and_its_closed_form_give_the_estimate(
    m: int, theta: Fraction
) -> None:
    counts = reports_of((theta,) * m, seed=m)
    N = bars(counts, m)
    found = estimate((theta,) * m, counts)
    assert found == pytest.approx(np.linalg.solve(bars_matrix(m, float(theta)), N)[0], rel=1e-9)
    a, b = theta / (2 * theta - 1), -(1 - theta) / (2 * theta - 1)
    closed = sum(a ** (m - k) * b**k * int(N[k]) for k in range(m + 1))
    assert found == pytest.approx(float(closed), rel=1e-9)


def test_the_standard_error_of_one_warner_group_is_the_exact_one() -> None:
    theta = Fraction(7, 10)
    counts = reports_of((theta,))
    design = design_of((theta,))
    found = RandomizedOracle(Reports(design.schema, counts), design).count([asked(1)])
    # N*(E) + N*(Ē) is preserved by flipping, and each of them is flipped by a coin.
    m, t = float(variations(counts, 1).sum()), float(theta)
    assert found.std_error[0] == pytest.approx(np.sqrt(m * t * (1 - t)) / abs(2 * t - 1), rel=1e-12)


@pytest.mark.parametrize("thetas", MANY_THETAS)
def test_one_forged_report_moves_the_estimate_by_at_most_the_product_of_the_largest_weights(
    thetas: tuple[Fraction, ...],
) -> None:
    counts = reports_of(thetas)
    before = estimate(thetas, counts)
    moves = []
    for cell in range(len(counts)):
        forged = counts.copy()
        forged[cell] += 1
        moves.append(abs(estimate(thetas, forged) - before))
    largest = prod(float(max(t, 1 - t) / abs(2 * t - 1)) for t in thetas)
    assert max(moves) == pytest.approx(largest, rel=1e-6)
