"""What is promised stays promised when it is written with few digits."""

from math import exp, log

import numpy as np
import pytest

from deniable.base.wording import as_chance, at_least, decimal, epsilon_bound, points, times

NUMBERS = np.random.default_rng(7).uniform(0, 1, 500)
NOISE = 1e-6  # in units of the last digit, what is taken for rounding error


def test_a_margin_is_never_written_smaller_than_it_is() -> None:
    for margin in NUMBERS:
        written = float(points(margin))
        assert margin * 100 - NOISE / 10 <= written < margin * 100 + 0.1


def test_epsilon_and_its_ratio_are_never_written_smaller_than_they_are() -> None:
    for epsilon in NUMBERS * log(1e6):
        assert epsilon - NOISE / 100 <= float(epsilon_bound(epsilon)) < epsilon + 0.01
        written, ratio = float(times(epsilon).replace(",", "")), exp(epsilon)
        assert ratio - NOISE <= written < ratio + (1 if ratio >= 10 else 0.01)


def test_what_is_a_round_number_but_for_rounding_error_stays_round() -> None:
    assert (points(0.1 + 0.2), points(0.07), epsilon_bound(0.1 * 3)) == ("30", "7", "0.30")
    assert times(log(3) + log(3)) == "9"


def test_power_is_never_written_larger_than_it_is() -> None:
    for power in NUMBERS:
        assert power - 0.001 < float(at_least(power)) <= power


@pytest.mark.parametrize("chance", [1e-12, 1e-4, 0.9996, 0.99999, 1 - 1e-9, 1 - 1e-12])
def test_only_what_is_certain_is_written_as_certain(chance: float) -> None:
    assert as_chance(chance) not in {"0 %", "100 %"}
    assert 0 < float(as_chance(chance).removesuffix(" %")) < 100


def test_what_is_certain_is_written_so() -> None:
    assert (as_chance(0), as_chance(1.0)) == ("0 %", "100 %")


def test_nothing_has_no_sign() -> None:
    assert (decimal(-0.0), decimal(-0.04), decimal(-0.06)) == ("0.0", "0.0", "−0.1")
