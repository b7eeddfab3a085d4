"""Which candidates are worth an exact count: what must hold whatever the constants are."""

import numpy as np
import pytest

from deniable.base.arrays import Floats
from deniable.mine.tree.gain import Beliefs

OPEN = np.ones((1, 4), dtype=bool)
GAINS = np.array([[0.1, 0.4, 0.2, 0.4]])


def row(*values: float) -> Floats:
    return np.array([values])


def how_many(beliefs: Beliefs, bits: float) -> int:
    return int(beliefs.worthwhile(OPEN, np.array([bits])).sum())


def test_an_exact_estimate_leaves_the_first_of_the_best() -> None:
    beliefs = Beliefs.of_nothing(4).estimated(GAINS, np.zeros((1, 4)))
    assert beliefs.worthwhile(OPEN, np.array([1e6])).tolist() == [[False, True, False, False]]


def test_without_knowledge_a_large_node_has_all_confirmed_and_a_small_one_a_single_one() -> None:
    beliefs = Beliefs.of_nothing(4).estimated(GAINS, np.full((1, 4), 1e6))
    assert how_many(beliefs, 1000.0) == 4
    assert how_many(beliefs, 1.0) == 1


def test_more_noise_and_more_bits_never_confirm_fewer() -> None:
    noise = [0.0, 1e-4, 1e-3, 1e-2, 1e-1]
    many = np.array(
        [
            [
                how_many(Beliefs.of_nothing(4).estimated(GAINS, np.full((1, 4), v)), bits)
                for v in noise
            ]
            for bits in (1, 10, 100, 1000)
        ]
    )
    assert (np.diff(many, axis=0) >= 0).all()
    assert (np.diff(many, axis=1) >= 0).all()
    assert many.min() == 1
    assert many.max() == 4


def test_what_is_not_open_is_never_confirmed() -> None:
    beliefs = Beliefs.of_nothing(4).estimated(row(-np.inf, 0.1, 0.2, 0.3), np.ones((1, 4)))
    open_axes = np.array([[False, True, False, True], [False] * 4])
    both = beliefs.below(np.array([0, 0]))
    assert both.worthwhile(open_axes, np.array([1e6, 1e6])).tolist() == open_axes.tolist()


def test_an_estimate_counts_by_its_precision() -> None:
    # Before it, 1/2 with variance 1/12: an estimate just as precise moves the mean half the way.
    beliefs = Beliefs.of_nothing(1).estimated(row(0.3), row(1 / 12))
    assert (beliefs.mean.item(), beliefs.variance.item()) == pytest.approx((0.4, 1 / 24))


def test_children_believe_what_was_counted_above_and_learn_how_far_gains_drift() -> None:
    beliefs = Beliefs.of_nothing(2).counted(row(0.3, -np.inf))
    assert beliefs.drift == pytest.approx(1 / 12)  # nothing was counted twice so far
    children = beliefs.below(np.array([0, 0]))
    np.testing.assert_allclose(children.mean, [[0.3, 0.5], [0.3, 0.5]])
    np.testing.assert_allclose(children.variance, [[1 / 12, 1 / 6], [1 / 12, 1 / 6]])
    learned = children.counted(np.array([[0.4, 0.9], [0.2, -np.inf]]))
    # Twice it moved by 0.1; the second axis was not counted above, and does not count.
    assert learned.drift == pytest.approx((2 * 0.1**2 + 1 / 12) / 3)
