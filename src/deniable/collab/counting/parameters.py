"""Parameters of secure counting, and what they are worth: every bound that the pages promise.

A vector is written into the slots of polynomials modulo a prime t, so counts are known modulo t,
and t is chosen just above the number of records: a dishonest answer carries log2 t bits at most.

Two things are added to whatever is answered. A mask, uniform modulo t, and a *flood*, uniform over
all of Δ = q/t but a margin that an honest side's noise needs. Together they are uniform modulo q
but for the margin: so what an answer shows is within 2·margin/Δ of nothing at all, whatever the
other side has sent. Noise is estimated by its standard deviation, and the margin is 16 of them.
"""

from dataclasses import dataclass
from functools import cache, cached_property
from math import log2, sqrt

from deniable.base.errors import AnswerError

LARGEST_MODULUS = 1 << 22
"""t is below this, so there must be fewer records."""

MOST_PRODUCTS = 1024
"""Products of polynomials that one answer adds up: a vector has fewer blocks, and a proof about
several vectors is cut into answers of so many."""

SMALLEST_MODULUS = 1 << 16
"""A proof is believed wrongly twice in t times at most, however few records there are."""

ERROR_BITS = 21
"""An error is the difference of two sums of so many fair bits: as SEAL has it."""

ERROR = sqrt(ERROR_BITS / 2)
"""Its standard deviation."""

DEVIATIONS = 16
"""Of noise that a margin has room for: it is more with a chance of 2⁻¹⁸⁰."""

MOST_SHOWN = 2.0**-40
"""How far an answer may be from telling nothing but the count."""

MOST_BELIEVED = 2.0**-13
"""How likely a proof may be that is not true: one in eight thousand."""


@dataclass(frozen=True)
class Lattice:
    """A degree, and the bits of its primes: at 128-bit security, by SEAL's table."""

    degree: int
    prime_bits: tuple[int, ...]
    """The last one is SEAL's own, for keys that are not used here."""

    @property
    def residue_size(self) -> int:
        """Bytes of a residue."""
        return -(-max(self.prime_bits) // 8)

    @property
    def modulus_bits(self) -> int:
        """Bits of q, at least."""
        return sum(self.prime_bits[:-1]) - 1


LATTICES = (Lattice(4096, (47, 46, 16)), Lattice(8192, (54, 54, 17)))
"""The smaller is quicker; the larger has room for more records."""


@dataclass(frozen=True)
class Parameters:
    """For so many records."""

    lattice: Lattice
    records: int
    t: int

    @property
    def blocks(self) -> int:
        """Polynomials of a vector."""
        return -(-self.records // self.lattice.degree)

    @cached_property
    def scale_bits(self) -> float:
        """Of Δ = q/t, at least."""
        return self.lattice.modulus_bits - log2(self.t)

    @cached_property
    def linear_margin(self) -> int:
        """Room for the noise of Σ A·B: every coefficient of A errs, those of B are below t/2."""
        degree = self.lattice.degree
        noise = ERROR * sqrt((MOST_PRODUCTS + 2) * degree) * self.t / sqrt(12)
        return int(DEVIATIONS * noise)

    @cached_property
    def product_margin(self) -> int:
        """Room for the noise of Σ (r∘A)², or (r∘A)·C: a wrap of either factor, times the other's.

        A ciphertext's phase is that of its plaintext and some q more: as many as a sum of s's
        coefficients, with a variance of degree/18. Each is multiplied by t and the other's noise.
        """
        degree = self.lattice.degree
        factor = 2 * ERROR * sqrt(degree) * self.t / sqrt(12)
        noise = factor * self.t * degree / sqrt(18) * sqrt(MOST_PRODUCTS + 1)
        return int(DEVIATIONS * noise)

    @property
    def shown(self) -> float:
        """How far a masked answer is from telling nothing: a bound on anybody's advantage."""
        return 2 * self.linear_margin / 2**self.scale_bits

    @property
    def believed(self) -> float:
        """How likely a proof is that is not true, at most, whoever made it (`proofs.of_bits`)."""
        return 2 / self.t + 2 * self.product_margin / 2**self.scale_bits

    @property
    def holds(self) -> bool:
        """The inequalities that everything rests on."""
        return self.shown <= MOST_SHOWN and self.believed <= MOST_BELIEVED


@cache
def parameters(records: object, slack: int = 0) -> Parameters:
    """Choose parameters for so many records, and counts that noise moves by at most `slack`.

    >>> parameters(50_000).t, parameters(50_000).lattice.degree, parameters(10**6).lattice.degree
    (65537, 4096, 8192)
    """
    if type(records) is int and 1 <= records < LARGEST_MODULUS and slack < LARGEST_MODULUS:
        for lattice in LATTICES:
            found = Parameters(lattice, records, _prime(records + 2 * slack + 1, lattice.degree))
            if found.t < LARGEST_MODULUS and found.holds:
                return found
    raise AnswerError(
        f"Secure counts are for 1 to {LARGEST_MODULUS:,} records, and not {records!r} with such "
        "noise.",
        hint="Count over fewer records, for instance a sample that both sides agree on, or agree "
        "on a larger epsilon.",
    )


def _prime(above: int, degree: int) -> int:
    """The first prime from some number on that slots need: 1 modulo twice the degree."""
    step = 2 * degree
    candidate = max(above, SMALLEST_MODULUS) // step * step + 1
    while candidate < above or candidate < SMALLEST_MODULUS or not _is_prime(candidate):
        candidate += step
    return candidate


def _is_prime(number: int) -> bool:
    return all(number % factor for factor in range(2, int(sqrt(number)) + 1))
