"""What a party allows to be released, as it is written in its file, and what all allow together."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, cast

from deniable.base.entries import Entry
from deniable.collab.party_documents import digest, entry_of, words

Zeros = Literal["withheld", "released"]

DEFAULT_MINIMUM = 10

MOST_MINIMUM = 1_000_000

MOST_NUMBER_LETTERS = 24
"""Of a number: more digits say nothing, and exact arithmetic pays for each."""

HINT = "Write policy: {minimum cell: 10, zeros: withheld, counts: 500}; each may be left out."


@dataclass(frozen=True)
class Noise:
    """Discrete Laplace noise on every count, and how much privacy loss all counts may add up to."""

    epsilon: Fraction
    budget: Fraction

    @property
    def counts(self) -> int:
        """How many counts the budget is enough for.

        >>> Noise(Fraction(1, 2), Fraction(20)).counts
        40
        """
        return int(self.budget / self.epsilon)


@dataclass(frozen=True)
class Policy:
    """The smallest count that may be released, and how many counts.

    >>> Policy.of({"minimum cell": "5"}).document()
    {'minimum cell': 5, 'zeros': 'withheld'}
    """

    minimum: int = DEFAULT_MINIMUM
    """0: everything may be released, zeros too."""

    zeros: Zeros = "withheld"
    counts: int | None = None
    noise: Noise | None = None

    def __post_init__(self) -> None:
        if self.minimum == 0:
            object.__setattr__(self, "zeros", "released")

    @classmethod
    def of(cls, document: object) -> "Policy":
        """Read a policy from a file; what it does not say is as strict as the defaults."""
        if not document and (document is None or isinstance(document, dict)):
            return cls()
        found = entry_of(document).entries(HINT, ("minimum cell", "zeros", "counts", "noise"))
        return cls(
            found.read("minimum cell", lambda entry: entry.whole(0, MOST_MINIMUM), DEFAULT_MINIMUM),
            found.read("zeros", _zeros, "withheld"),
            found.read("counts", lambda entry: entry.whole(0), None),
            found.read("noise", _noise, None),
        )

    @classmethod
    def strictest(cls, policies: "Iterable[Policy]") -> "Policy":
        """The policy under which nothing is released that one of them withholds.

        >>> Policy.strictest([Policy(0), Policy(5, "released"), Policy(3, counts=9)])
        Policy(minimum=5, zeros='withheld', counts=9, noise=None)
        """
        all_of = list(policies)
        noises = [policy.noise for policy in all_of if policy.noise is not None]
        return cls(
            max((policy.minimum for policy in all_of), default=DEFAULT_MINIMUM),
            "released"
            if all_of and all(policy.zeros == "released" for policy in all_of)
            else "withheld",
            min((policy.counts for policy in all_of if policy.counts is not None), default=None),
            Noise(min(noise.epsilon for noise in noises), min(noise.budget for noise in noises))
            if noises
            else None,
        )

    @property
    def most(self) -> int | None:
        """How many counts may be released in all; None where there is no limit."""
        limits = (self.counts, None if self.noise is None else self.noise.counts)
        return min((limit for limit in limits if limit is not None), default=None)

    def small(self, people: int) -> bool:
        """Whether so many people are too few to be told about.

        >>> [Policy(3).small(few) for few in (0, 2, 3)]
        [True, True, False]
        >>> Policy(3, "released").small(0), Policy(0).small(0)
        (False, False)
        """
        return people < self.minimum and not (people == 0 and self.zeros == "released")

    def document(self) -> dict[str, Any]:
        """Return what a file would say."""
        document: dict[str, Any] = {"minimum cell": self.minimum, "zeros": self.zeros}
        if self.counts is not None:
            document["counts"] = self.counts
        if self.noise is not None:
            document["noise"] = {
                "epsilon": str(self.noise.epsilon),
                "budget": str(self.noise.budget),
            }
        return document

    @cached_property
    def digest(self) -> str:
        """Hash of the policy, which stands in every row of a ledger."""
        return digest(words(self.document()))

    def story(self) -> str:
        """Tell people what the policy does.

        >>> print(Policy(0).story())
        Every count may be released.
        """
        told = ["Every count may be released."]
        if self.minimum > 0:
            also = "a zero too" if self.zeros == "withheld" else "but not a zero"
            told = [
                f"A count of fewer than {self.minimum} people is withheld, {also}, and so is one "
                "that would tell such a count beside others."
            ]
        if self.counts is not None:
            told.append(f"No more than {self.counts:,} counts are released.")
        if self.noise is not None:
            told.append(
                f"Every count gets noise (epsilon {self.noise.epsilon}); the budget of "
                f"{self.noise.budget} is enough for {self.noise.counts:,} counts."
            )
        return " ".join(told)


def _zeros(entry: Entry) -> Zeros:
    return cast("Zeros", entry.choice(("withheld", "released")))


def _noise(entry: Entry) -> Noise:
    keys = ("epsilon", "budget")
    found = entry.entries("Write noise: {epsilon: 1/2, budget: 20}.", keys, keys)
    noise = Noise(_positive(found["epsilon"]), _positive(found["budget"]))
    if noise.budget < noise.epsilon:
        raise entry.mistake("The budget is less than one count costs.", "Give a larger budget.")
    return noise


def _positive(entry: Entry) -> Fraction:
    hint = "Write a number above 0, as 1/2 or 0.5."
    text = entry.text(hint)
    try:
        number = (
            Fraction(text) if len(text) <= MOST_NUMBER_LETTERS and "e" not in text.lower() else None
        )
    except (ValueError, ZeroDivisionError):
        number = None
    if number is None or number <= 0:
        raise entry.mistake(f"{text!r} is no number above 0.", hint)
    return number
