import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.integrate import quad
from scipy.stats import norm

from deniable.oracle.simplex import expected_counts, onto_simplex

Floats = NDArray[np.float64]

numbers = st.floats(-1e6, 1e6, allow_subnormal=False)
rows = st.lists(numbers, min_size=1, max_size=8)
totals = st.floats(1e-3, 1e6)


def by_bisection(values: Floats, total: float) -> Floats:
    """The same projection, from its definition: max(v − t, 0), t such that it sums to the total."""
    low, high = values.min() - total, values.max()
    for _ in range(200):
        middle = (low + high) / 2
        if np.maximum(values - middle, 0).sum() > total:
            low = middle
        else:
            high = middle
    nearest: Floats = np.maximum(values - low, 0)
    return nearest


@given(rows, totals)
def test_the_projection_agrees_with_its_definition(row: list[float], total: float) -> None:
    values = np.array(row)
    found = onto_simplex(values, total)
    # Both subtract numbers as large as the largest given.
    rounding = 1e-12 * (np.abs(values).max() + total)
    assert (found >= 0).all()
    assert found.sum() == pytest.approx(total, abs=len(row) * rounding)
    assert found == pytest.approx(by_bisection(values, total), abs=rounding)


def test_no_possible_counts_are_nearer() -> None:
    generator = np.random.default_rng(1)
    for _ in range(50):
        values = generator.normal(0, 5, size=4)
        distance = np.linalg.norm(values - onto_simplex(values, 7.0))
        others = 7 * generator.dirichlet(np.full(4, 0.3), size=1000)
        assert distance <= np.linalg.norm(values - others, axis=1).min()


@given(rows)
def test_possible_counts_come_back_bit_for_bit(row: list[float]) -> None:
    values = np.abs(np.array([row, row[::-1]]))
    impossible = np.full((1, len(row)), -1.0)
    alone = onto_simplex(values, values.sum(axis=1))
    beside = onto_simplex(np.vstack([values, impossible]), [*values.sum(axis=1), 1.0])
    assert alone.tolist() == values.tolist()
    assert beside[:2].tolist() == values.tolist()


def test_the_result_is_an_array_of_its_own() -> None:
    values = np.array([1.0, 2.0])
    onto_simplex(values, 3.0)[0] = 9.0
    assert values.tolist() == [1.0, 2.0]


def test_a_total_that_leaves_nothing_gives_zeros() -> None:
    assert onto_simplex([[3, -1], [3, -1]], [0, -2]).tolist() == [[0, 0], [0, 0]]
    assert expected_counts([[3, -1], [3, -1]], 1.0, [0, -2]).tolist() == [[0, 0], [0, 0]]


def test_one_total_serves_every_row_and_rows_may_be_stacked() -> None:
    values = np.random.default_rng(2).normal(size=(3, 4, 5))
    found = onto_simplex(values, 2.0)
    one_by_one = [[onto_simplex(row, 2.0) for row in table] for table in values]
    assert found.tolist() == np.array(one_by_one).tolist()
    assert onto_simplex(np.empty((0, 3)), 1.0).shape == (0, 3)


def test_a_small_total_beside_huge_values_is_kept() -> None:
    assert onto_simplex([1e17, 1e17, 0], 1.0).tolist() == [0.5, 0.5, 0.0]


@pytest.mark.parametrize("value", [-30.0, -3.0, 0.0, 2.0, 40.0])
def test_the_expected_count_is_the_mean_over_nonnegative_counts(value: float) -> None:
    error = 7.0
    far = max(value, 0) + 12 * error
    # Relative to its largest, so that no tail is lost.
    highest = norm.logpdf(max(value, 0), value, error)

    def density(count: float) -> float:
        return float(np.exp(norm.logpdf(count, value, error) - highest))

    mean = quad(lambda x: x * density(x), 0, far)[0] / quad(density, 0, far)[0]
    beside = 100.0  # exact, so that the ratio shows the first before scaling
    found = expected_counts([value, beside], [error, 0.0], 1.0)
    assert beside * found[0] / found[1] == pytest.approx(mean, rel=1e-7)


@given(rows, st.floats(1e-6, 1e6), totals)
def test_expected_counts_are_positive_and_sum_to_the_total(
    row: list[float], error: float, total: float
) -> None:
    found = expected_counts(row, error, total)
    assert (found >= 0).all()
    assert found.sum() == pytest.approx(total, rel=1e-12)


def test_exact_counts_are_expected_as_they_are() -> None:
    counts = np.random.default_rng(3).integers(0, 1000, size=(20, 6)).astype(float)
    assert expected_counts(counts, 0.0, counts.sum(axis=1)).tolist() == counts.tolist()


def test_a_row_of_which_nothing_is_known_is_spread_evenly() -> None:
    assert expected_counts([0, 0, -1, 0], 0.0, 8).tolist() == [2, 2, 2, 2]
