from fractions import Fraction
from math import exp, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

from deniable.collab.policy.noise import discrete_laplace, variance

DRAWS = 8_000


def drawn(scale: Fraction, key: bytes = b"key", many: int = DRAWS) -> NDArray[np.int64]:
    return np.array([discrete_laplace(scale, key, f"cell {n}") for n in range(many)])


@pytest.mark.parametrize("scale", [Fraction(1, 2), Fraction(2), Fraction(7, 3)])
def test_every_number_is_drawn_as_often_as_it_should_be(scale: Fraction) -> None:
    noise = drawn(scale)
    p = exp(-1 / float(scale))
    for x in range(-4, 5):
        chance = (1 - p) / (1 + p) * p ** abs(x)
        sd = sqrt(chance * (1 - chance) / DRAWS)
        # 27 comparisons: 4.5 sd is exceeded by chance once in 5,000 such tests.
        assert abs(np.mean(noise == x) - chance) < 4.5 * sd


def test_the_variance_is_what_it_is_said_to_be() -> None:
    scale = Fraction(3)
    noise = drawn(scale)
    p = exp(-1 / 3)
    # Var(X²) = E X⁴ − (E X²)²; E X⁴ = 2 Σ x⁴ p^x (1 − p)/(1 + p).
    fourth = 2 * (1 - p) / (1 + p) * sum(x**4 * p**x for x in range(1, 400))
    sd = sqrt((fourth - variance(scale) ** 2) / DRAWS)
    assert abs(np.mean(noise.astype(float) ** 2) - variance(scale)) < 4 * sd


def test_the_same_question_gets_the_same_noise_and_others_do_not() -> None:
    scale = Fraction(20)
    assert (drawn(scale, many=200) == drawn(scale, many=200)).all()
    assert (drawn(scale, many=200) != drawn(scale, b"another key", many=200)).any()
    assert len(set(drawn(scale, many=200).tolist())) > 20


def test_a_question_is_not_another_one_further_on() -> None:
    # The counter is apart from the question: b"\0" before a question makes it another one.
    about = ["x", "\0x", "\1x", "x\0"]
    noise = {text: discrete_laplace(Fraction(10**12), b"key", text) for text in about}
    assert len(set(noise.values())) == len(about)


def test_noise_of_a_scale_with_many_digits_is_drawn() -> None:
    scale = Fraction(123456789123456789, 987654321)
    assert abs(discrete_laplace(scale, b"key", "cell")) < 100 * scale
