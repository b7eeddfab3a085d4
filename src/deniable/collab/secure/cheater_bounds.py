"""What a partner who breaks the rules can still learn, in bits: how much, and how likely.

**As the holder of a vector.** It is proven to be of zeros and ones, so a count over it is a count
of *some* people, whom the cheater has chosen. It learns that count, with the other side's noise, or
that it is refused, and no more: with noise of ε at most log2(2 + n·tanh(ε/2)) bits a count over n
people (the maximal leakage of the discrete Laplace mechanism, by Issa, Wagner and Kamath 2020, and
one more outcome), log2(n + 2) without noise. That adds up over as many counts as are opened.

**As the evaluator.** It can answer with any weighted sum in place of a count, and learn log2 t bits
by it; but one answer in ten is audited before anything of its batch is opened, and a wrong one ends
the run for good. It may walk away from an audit and begin again, five times in a run: six lives of
ten answers each. An answer that it can guess with a chance of g passes its audit as often, and
tells less: h(g) + (1 − g)·log2 t bits for (1 − g)/10 of a life. So a life is worth 10·(log2 t +
h(g)/(1 − g)) bits at most, which is below 10·(log2 t + log2(e/(1 − g))); and to spend six lives in
k answers, 1 − g is 60/k at least.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import e, log2, tanh

from scipy.stats import nbinom

from deniable.base.wording import plural
from deniable.collab.counting.parameters import parameters
from deniable.collab.counting.proofs import MOST_UNFINISHED
from deniable.collab.policy import Policy
from deniable.collab.secure.batches import AUDITED

LIVES = MOST_UNFINISHED + 1
"""Audits that an evaluator can fail: from all but the last it may walk away."""

UNLIKELY = 0.01
"""One cheater in a hundred gets away with more."""


@dataclass(frozen=True)
class CheaterBounds:
    """Bounds for a policy and a number of people in common."""

    records: int
    counts: int
    """That are opened in all, at most."""

    holder_bits: float
    """By a count in a vector of its choice, at most."""

    evaluator_bits: float
    """By an answer that is no count, at most."""

    noisy: bool
    unseen: float
    """How likely a vector that is not of bits passes its proof, at most."""

    @classmethod
    def of(cls, policy: Policy, records: int) -> "CheaterBounds":
        """Compute them.

        >>> found = CheaterBounds.of(Policy(), 10_000)
        >>> found.counts, round(found.holder_bits, 1), round(found.evaluator_bits, 1)
        (1000, 11.3, 16.0)
        >>> round(found.expected_bits), round(found.rare_bits)
        (1290, 2731)
        """
        settled = policy.settled()
        noise = settled.noise
        shape = parameters(records, 0 if noise is None else 2 * noise.reach)
        spread = 1.0 if noise is None else tanh(float(noise.epsilon) / 2)
        bits = log2(2 + records * spread)
        many = settled.most_about(records) or 0
        return cls(records, many, bits, log2(shape.t), noise is not None, shape.believed)

    @property
    def life_bits(self) -> float:
        """That an evaluator reads by an answer that costs it a tenth of a life, at most."""
        return self.evaluator_bits + log2(e * max(1.0, self.counts / (AUDITED * LIVES)))

    @property
    def expected_bits(self) -> float:
        """That an evaluator reads before it is caught, on average, at most."""
        return LIVES * AUDITED * self.life_bits

    @property
    def rare_bits(self) -> float:
        """What one cheating evaluator in a hundred reads.

        Answers that pass before there are so many audits that it is caught: negative binomial.
        """
        return (float(nbinom.ppf(1 - UNLIKELY, LIVES, 1 / AUDITED)) + LIVES) * self.life_bits

    def told(self) -> Iterator[str]:
        """Say it in words."""
        counts = "the noisy counts" if self.noisy else "the exact counts"
        yield f"a partner with an honest program learns {counts} that are released, and no more"
        yield (
            f"one who changes the program and chooses the people of its own vectors learns at most "
            f"{self.holder_bits:.1f} bits by each of {plural(self.counts, 'count')}, "
            f"{self.holder_bits * self.counts:,.0f} in all, about {self.records:,} people"
        )
        yield (
            f"one who answers with anything but counts reads at most {self.evaluator_bits:.0f} "
            f"bits an answer, exactly; one in {AUDITED} is audited, and {MOST_UNFINISHED} times it "
            f"may walk away from that: it is caught after about {self.expected_bits:,.0f} bits on "
            f"average, one in a hundred after {self.rare_bits:,.0f}; then the run is over, and "
            "it is written down why"
        )
        yield (
            f"a vector that is not of zeros and ones passes once in {1 / self.unseen:,.0f} tries, "
            f"at most, and has {LIVES} of them"
        )
