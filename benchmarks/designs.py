"""Designs that the benchmarks share, and the privacy parameter that peers know them by."""

from fractions import Fraction
from math import exp, log

from deniable import Design

ATTRIBUTES = 15


def grouped(size: int, channel: str, theta: Fraction, together: int) -> Design:
    """Build 15 attributes of the same size, so many of them to a group."""
    names = [f"a{index}" for index in range(ATTRIBUTES)]
    return Design.of(
        {
            "attributes": {name: [str(value) for value in range(size)] for name in names},
            "groups": [
                {"attributes": names[at : at + together], "channel": channel, "theta": str(theta)}
                for at in range(0, ATTRIBUTES, together)
            ],
        }
    )


def single(size: int, epsilon: float) -> Design:
    """Build one attribute under k-ary randomized response of a given ε.

    Peers keep a value with e^ε/(e^ε + k − 1); that is θ + (1 − θ)/k, θ = (e^ε − 1)/(e^ε + k − 1).
    """
    theta = Fraction((exp(epsilon) - 1) / (exp(epsilon) + size - 1)).limit_denominator(10**12)
    return Design.of(
        {
            "attributes": {"a": [str(value) for value in range(size)]},
            "groups": [{"attributes": ["a"], "channel": "keep-or-uniform", "theta": str(theta)}],
        }
    )


def epsilon_of(size: int, kept: float) -> float:
    """Return the ε at which peers report a value as it is with a given probability."""
    return log(kept * (size - 1) / (1 - kept))
