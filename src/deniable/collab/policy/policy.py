"""What a party allows to be released, as it is written in its file, and what all allow together."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import sqrt
from typing import Any, Literal, cast

from deniable.base.entries import Entry
from deniable.base.wording import at_most_times
from deniable.collab.party_documents import digest, entry_of, words
from deniable.collab.policy.noise import variance

Zeros = Literal["withheld", "released"]

DEFAULT_MINIMUM = 10

DEFAULT_PEOPLE = 100
"""People who must be in common, or nothing is counted about them."""

DEFAULT_COUNTS = 1_000
"""Most counts that are opened in one collaboration, where parties count together."""

DEFAULT_ESTIMATES = 250_000
"""Most counts that a site estimates in one collaboration: the disguise protects people, and this
the disk, as each is a row."""

DEFAULT_PEOPLE_PER_COUNT = 10
"""Counts of half of the people each, drawn at random, give away nearly everybody once there are as
many of them as people, noise or not (Dinur and Nissim 2003); by a tenth as many, a yes/no answer is
guessed rightly by 62 % instead of 50 %."""

MOST_COUNTS = 100_000_000
"""More than anybody asks for."""

MOST_PEOPLE = 1_000_000
"""For a least number of people, in a count or in common."""

MOST_NUMBER_LETTERS = 24
"""Of a number: more digits say nothing, and exact arithmetic pays for each."""

HINT = "Write policy: {minimum cell: 10, zeros: withheld, counts: 500}; each may be left out."

POLICY_KEYS = ("minimum cell", "zeros", "people", "counts", "people per count", "noise")

NO_NOISE = "none"

SCALES = 64
"""Scales of noise that a count may lie outside its range by."""

GUESSED = 6
"""Standard deviations of noise that a leaf should have people. With so many, a majority of 60 % is
taken for the other class one time in five: Φ(−0.2·6 / √2)."""


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

    @property
    def reach(self) -> int:
        """How far one side's noise moves a count, at most: further with a chance of e⁻⁶⁴."""
        return int(SCALES / self.epsilon)

    @property
    def off_by(self) -> float:
        """Standard deviation of what two sides add to a count, each its own.

        >>> round(Noise(Fraction(1, 2), Fraction(20)).off_by, 1)
        4.0
        """
        return sqrt(2 * variance(1 / self.epsilon))

    def story(self) -> str:
        """Tell people what it does to counts and to a model, and what it protects."""
        off = max(round(self.off_by), 1)
        return (
            f"Every count gets noise of each side, of epsilon {self.epsilon}: a count of 100 is "
            f"off by about {off}, so a leaf of fewer than about {GUESSED * off} people is little "
            f"more than a guess. One count is {at_most_times(float(self.epsilon))} likelier with a "
            f"person's record than with another in its place. That adds up: by {self.counts:,} "
            f"counts, for which the budget is enough, to epsilon {self.budget}. Noise hides a "
            "person in a few counts, and the limit keeps them few."
        )


DEFAULT_NOISE = Noise(Fraction(1, 2), Fraction(500))
"""Of the modes that count together (`benchmarks/noise.py` shows what it costs)."""


@dataclass(frozen=True)
class Policy:
    """The smallest count that may be released, how many counts, and how exact they are.

    As a file says it: what it leaves open about secure counts, `settled` fills in.

    >>> Policy.of({"minimum cell": "5"}).document()
    {'minimum cell': 5, 'zeros': 'withheld', 'people': 100, 'people per count': 10}
    """

    minimum: int = DEFAULT_MINIMUM
    """0: everything may be released, zeros too."""

    zeros: Zeros = "withheld"
    counts: int | None = None
    """None: not said."""

    noise: Noise | None = None
    people: int = DEFAULT_PEOPLE
    """Fewest people in common."""

    people_per_count: int = DEFAULT_PEOPLE_PER_COUNT
    """How many people must be in common for each count; 0 for any number."""

    noiseless: bool = False
    """Whether it says that counts shall be exact; all must say so."""

    def __post_init__(self) -> None:
        if self.minimum == 0:
            object.__setattr__(self, "zeros", "released")

    @classmethod
    def of(cls, document: object) -> "Policy":
        """Read a policy from a file; what it does not say is as strict as the defaults."""
        if not document and (document is None or isinstance(document, dict)):
            return cls()
        found = entry_of(document).entries(HINT, POLICY_KEYS)
        noise = found.read("noise", _noise, None)
        return cls(
            found.read("minimum cell", _least, DEFAULT_MINIMUM),
            found.read("zeros", _zeros, "withheld"),
            found.read("counts", lambda entry: entry.whole(0, MOST_COUNTS), None),
            noise if isinstance(noise, Noise) else None,
            found.read("people", _least, DEFAULT_PEOPLE),
            found.read("people per count", _least, DEFAULT_PEOPLE_PER_COUNT),
            noiseless=noise == NO_NOISE,
        )

    def settled(self) -> "Policy":
        """What it means where counts are made together: a limit and noise, unless it says else.

        >>> Policy().settled().most
        1000
        """
        return replace(
            self,
            counts=DEFAULT_COUNTS if self.counts is None else self.counts,
            noise=DEFAULT_NOISE if self.noise is None and not self.noiseless else self.noise,
        )

    @classmethod
    def strictest(cls, policies: "Iterable[Policy]", *, secure: bool = True) -> "Policy":
        """The policy under which nothing is released that one of them withholds.

        Where counts are not `secure`, the disguise protects: there is no noise, and no limit that
        nobody wrote.

        >>> Policy.strictest([Policy(0), Policy(5, "released"), Policy(3, counts=9)], secure=False)
        Policy(minimum=5, zeros='withheld', counts=9, noise=None, people=100, people_per_count=0, \
        noiseless=False)
        >>> exact = Policy(noiseless=True)
        >>> Policy.strictest([exact, Policy()]).noise == DEFAULT_NOISE
        True
        >>> Policy.strictest([exact, exact]).noise is None
        True
        """
        given = list(policies) or [cls()]
        all_of = [policy.settled() if secure else policy for policy in given]
        noises = [policy.noise for policy in all_of if policy.noise is not None and secure]
        return cls(
            max(policy.minimum for policy in all_of),
            "released" if all(policy.zeros == "released" for policy in all_of) else "withheld",
            min((policy.counts for policy in all_of if policy.counts is not None), default=None),
            Noise(min(noise.epsilon for noise in noises), min(noise.budget for noise in noises))
            if noises
            else None,
            max(policy.people for policy in all_of),
            max(policy.people_per_count for policy in all_of) if secure else 0,
            noiseless=secure and not noises,
        )

    @property
    def estimates(self) -> int:
        """How many counts a site may estimate in all, where it sends nothing else."""
        return DEFAULT_ESTIMATES if self.counts is None else self.counts

    @property
    def most(self) -> int | None:
        """How many counts may be released in all; None where there is no limit."""
        limits = (self.counts, None if self.noise is None else self.noise.counts)
        return min((limit for limit in limits if limit is not None), default=None)

    def most_about(self, people: int) -> int | None:
        """How many counts may be released about so many people.

        >>> Policy().settled().most_about(3_000), Policy().settled().most_about(50_000)
        (300, 1000)
        """
        if not self.people_per_count:
            return self.most
        share = people // self.people_per_count
        return share if self.most is None else min(self.most, share)

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
        document: dict[str, Any] = {
            "minimum cell": self.minimum,
            "zeros": self.zeros,
            "people": self.people,
            "people per count": self.people_per_count,
        }
        if self.counts is not None:
            document["counts"] = self.counts
        if self.noise is not None:
            document["noise"] = {
                "epsilon": str(self.noise.epsilon),
                "budget": str(self.noise.budget),
            }
        elif self.noiseless:
            document["noise"] = NO_NOISE
        return document

    @cached_property
    def digest(self) -> str:
        """Hash of the policy, which stands in every row of a ledger."""
        return digest(words(self.document()))

    def story(self) -> str:
        """Tell people what the policy does to counts that are made together.

        >>> print(Policy(0, counts=9, noiseless=True, people=0, people_per_count=0).story())
        Every count may be released. No more than 9 counts are opened in all. They are exact.
        """
        settled = self.settled()
        told = ["Every count may be released."]
        if self.minimum > 0:
            also = "a zero too" if self.zeros == "withheld" else "but not a zero"
            told = [
                f"A count of fewer than {self.minimum} people is withheld, {also}, and so is one "
                "that would tell such a count beside others, by its terms or by the people behind "
                "them."
            ]
        if self.people > 0:
            told.append(f"Nothing is counted about fewer than {self.people:,} people in common.")
        each = f", and one for {self.people_per_count:,} people" if self.people_per_count else ""
        told.append(f"No more than {settled.most:,} counts are opened in all{each}.")
        told.append("They are exact." if settled.noise is None else settled.noise.story())
        return " ".join(told)


LETS_ALL_PASS = Policy(0, counts=MOST_COUNTS, people=0, people_per_count=0, noiseless=True)
"""The policy that withholds nothing: beside it, any other one is the strictest."""


def _least(entry: Entry) -> int:
    return entry.whole(0, MOST_PEOPLE)


def _zeros(entry: Entry) -> Zeros:
    return cast("Zeros", entry.choice(("withheld", "released")))


def _noise(entry: Entry) -> Noise | str:
    if entry.value == NO_NOISE:
        return NO_NOISE
    keys = ("epsilon", "budget")
    hint = "Write noise: {epsilon: 1/2, budget: 500}, or noise: none."
    found = entry.entries(hint, keys, keys)
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
