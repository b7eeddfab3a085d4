"""Discrete Laplace noise, exact, and the same whenever the same question is asked.

P(x) is proportional to exp(−|x| / scale), for whole numbers x. With scale = 1/epsilon, a count is
epsilon-differentially private, as one person changes it by at most 1. Drawn by fair bits and whole
numbers only, as by Canonne, Kamath and Steinke (2020): floating-point noise can be told apart.

The bits are a keyed hash of the question. Fresh noise at each asking could be averaged away; so a
question that gets other noise must be charged anew.
"""

import hmac
from fractions import Fraction
from math import exp, expm1


def discrete_laplace(scale: Fraction, key: bytes, about: str) -> int:
    """Draw the noise of one question.

    >>> noise = [discrete_laplace(Fraction(2), b"a secret key", f"question {n}") for n in range(8)]
    >>> noise == [discrete_laplace(Fraction(2), b"a secret key", f"question {n}") for n in range(8)]
    True
    """
    bits = _KeyedBits(key, about)
    t, s = scale.numerator, scale.denominator
    while True:
        below = bits.uniform(t)
        if not bits.exponential(Fraction(below, t)):
            continue
        times = 0
        while bits.exponential(Fraction(1)):
            times += 1
        size = (below + t * times) // s
        negative = bits.uniform(2) == 1
        if size or not negative:  # else 0 would be drawn twice as often
            return -size if negative else size


def variance(scale: Fraction) -> float:
    """Variance of the noise: 2p / (1 − p)², with p = exp(−1 / scale).

    >>> round(variance(Fraction(2)), 3)
    7.835
    """
    step = -1 / float(scale)
    return 2 * exp(step) / expm1(step) ** 2


class _KeyedBits:
    """A stream of bits that only the key's holder can tell from fair ones."""

    def __init__(self, key: bytes, about: str) -> None:
        self._key, self._about = key, about.encode()
        self._blocks = 0
        self._pool, self._left = 0, 0

    def uniform(self, most: int) -> int:
        """Draw 0, …, most − 1, each as likely."""
        length = (most - 1).bit_length()
        while (drawn := self._take(length)) >= most:
            pass
        return drawn

    def exponential(self, rate: Fraction) -> bool:
        """Draw True with probability exp(−rate), for a rate of 0 to 1.

        The first k at which a coin of chance rate/k shows tails is odd with that probability.
        """
        k = 1
        while self.uniform(rate.denominator * k) < rate.numerator:
            k += 1
        return k % 2 == 1

    def _take(self, length: int) -> int:
        while self._left < length:
            # The counter's length is fixed, so no two questions share a block.
            counter = self._blocks.to_bytes(8, "big")
            block = hmac.digest(self._key, counter + self._about, "sha256")
            self._pool = self._pool << 256 | int.from_bytes(block, "big")
            self._left += 256
            self._blocks += 1
        self._left -= length
        taken, self._pool = self._pool >> self._left, self._pool & ((1 << self._left) - 1)
        return taken
