"""How a side is held to the rules without showing anything: claims about its sealed vectors.

A *claim* is a sum that is 0 if something is true, and a uniform number modulo t if it is not: every
wrong slot is multiplied by a random number of its own. The checker has the sum opened with a mask
that only it knows. The prover commits to what it has opened; the checker says its mask; the prover
sees that the two are equal, and shows its own. So

- a prover whose claim is not true has to guess the mask (`Parameters.believed`);
- a checker that asks for anything but a claim does not know what will be opened, cannot say it, and
  is told nothing: without this, "proofs" would be a way to read.
"""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from deniable.base.errors import AnswerError
from deniable.base.fingerprint import digest_of_json
from deniable.collab.counting.backend import (
    Bits,
    Numbers,
    PeerKey,
    Product,
    Quadratic,
    SealedVector,
    Square,
    Weighted,
)
from deniable.collab.counting.derived import uniform
from deniable.collab.counting.parameters import MOST_PRODUCTS, Parameters

SALT_SIZE = 16

MOST_UNFINISHED = 5
"""Proofs that were asked for and never came, as when a connection is lost. Whoever could walk away
from each that it would fail, and begin again, would never be caught."""


class BrokenRulesError(AnswerError):
    """The other side does not do what was agreed on; the run is stopped for good."""


class PendingProofs:
    """How many proofs were asked for and never came, in all of a run; kept by a subclass."""

    unfinished = 0

    def ask(self) -> None:
        """Note, before it is asked for, that a proof must come."""
        if self.unfinished >= MOST_UNFINISHED:
            raise BrokenRulesError(
                f"The other side has left {MOST_UNFINISHED} proofs unfinished.",
                hint="That may be the network, or somebody who is about to be caught; the run is "
                "stopped.",
            )
        self.unfinished += 1

    def came(self) -> None:
        """Note that it has come, and holds."""
        self.unfinished -= 1


@dataclass(frozen=True, eq=False)
class Claim:
    """Products, weighted vectors and a constant that add up to 0 if it is true."""

    products: Sequence[Quadratic] = ()
    weighted: Weighted = ()
    constant: int = 0
    about: str = ""
    """What is known of for good once it is proven."""


def random_numbers(t: int, many: int) -> Numbers:
    """Numbers modulo t that nobody else knows."""
    return uniform(secrets.token_bytes(32), "weights", t, many).astype(np.int64)


def of_bits(vector: SealedVector, parameters: Parameters, about: str = "") -> Claim:
    """Claim that a vector is of zeros and ones: Σ (rᵢ·vᵢ)² − rᵢ²·vᵢ = 0.

    Weights that are squares make it a square, which is quicker than a product. If vᵢ² ≠ vᵢ, at most
    two numbers rᵢ give the sum that a prover had hoped for.
    """
    weights = random_numbers(parameters.t, parameters.records)
    less = [(vector, -(weights**2) % parameters.t)]
    return Claim([Square([(vector, weights)])], less, about=about)


def of_conjunction(
    vector: SealedVector, inverse: SealedVector, terms: Sequence[SealedVector], p: Parameters
) -> Claim:
    """Claim that a vector is 1 just where all of several vectors of bits are.

    With s their sum and d their number: v·(d − s) = 0, and (d − s)·w = 1 − v for some w. Where
    d = s, the second says v = 1; where not, the first says v = 0, and w = 1/(d − s) can be given.
    """
    first, second = (random_numbers(p.t, p.records) for _ in range(2))
    mixed = Product([(vector, first), (inverse, second)], len(terms), terms)
    return Claim([mixed], [(vector, second)], -int(second.sum()))


def inverses(terms: Sequence[Bits], t: int) -> Numbers:
    """The w of a conjunction: 1/(d − s), or 0 where there is none."""
    d = len(terms)
    table = np.array([0, *(pow(missing, -1, t) for missing in range(1, d + 1))], np.int64)
    found: Numbers = table[d - np.sum(terms, axis=0, dtype=np.int64)]
    return found


@dataclass
class Questions:
    """Answers that ask for claims to be opened, and the masks that should come out."""

    answers: list[bytes] = field(default_factory=list)
    expected: list[int] = field(default_factory=list)
    about: set[str] = field(default_factory=set)
    """What is proven by them: nothing that was not asked for."""

    def ask(self, key: PeerKey, claims: Iterable[Claim], p: Parameters) -> None:
        """Ask for claims, as many in an answer as its noise has room for.

        Claims without products are answered as counts are, and hide as much.
        """
        several: dict[bool, list[list[Claim]]] = {False: [[]], True: [[]]}
        room = MOST_PRODUCTS // p.blocks
        for claim in claims:
            groups = several[bool(claim.products)]
            many = sum(max(len(each.products), len(each.weighted)) for each in groups[-1])
            if many + max(len(claim.products), len(claim.weighted)) > room:
                groups.append([])
            groups[-1].append(claim)
        for group in filter(None, several[False] + several[True]):
            mask = secrets.randbelow(p.t)
            products = [each for claim in group for each in claim.products]
            weighted = [each for claim in group for each in claim.weighted]
            total = mask + sum(claim.constant for claim in group)
            answer = (
                key.proof(products, weighted, total)
                if products
                else key.masked(weighted, total % p.t)
            )
            self.answers.append(answer)
            self.expected.append(mask)
            self.about |= {claim.about for claim in group}


@dataclass(frozen=True)
class Opened:
    """What a prover has opened, and the salt of its commitment."""

    values: tuple[int, ...]
    salt: str

    @classmethod
    def of(cls, values: Iterable[int]) -> "Opened":
        """Values to be committed to."""
        return cls(tuple(values), secrets.token_hex(SALT_SIZE))

    @property
    def commitment(self) -> str:
        """A hash that binds to the values and tells nothing of them."""
        return digest_of_json([list(self.values), self.salt])

    def require_known(self, expected: Sequence[int]) -> None:
        """As the prover: show nothing to a checker that did not know what would come out."""
        if list(expected) != list(self.values):
            raise BrokenRulesError(
                "The other side asked for a proof of something that it does not know.",
                hint="It was about to read records; the run is stopped.",
            )

    def require_proof(self, commitment: str, expected: Sequence[int]) -> None:
        """As the checker: the values are those committed to, and those of true claims."""
        if self.commitment != commitment or list(expected) != list(self.values):
            raise BrokenRulesError(
                "The other side's vectors are not what was agreed on.",
                hint="Its proof fails; nothing of this batch is released, and the run is stopped.",
            )
