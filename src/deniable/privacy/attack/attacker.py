"""A real attacker: reconstructs records as well as a collector could.

It holds what every collector holds, the reports and the design, and nothing else. From these it
estimates how common whole patterns are, then guesses what each report most likely hides: the whole
record, each group, each attribute. What it got right on records whose truth is known is the
measured figure beside every theoretical one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt

from deniable.base.arrays import Codes
from deniable.base.errors import DataError
from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.privacy.attack.guessers import guesser


@dataclass(frozen=True)
class AttackSuccess:
    """A share of right guesses among so many people."""

    success: float
    people: int
    error: float | None = None
    """Its standard error, where it was estimated through the disguise."""

    @property
    def std_error(self) -> float:
        """As of a sample of people; never 0 where guesses were counted (Agresti & Coull)."""
        if self.error is not None:
            return self.error
        share = (self.success * self.people + 2) / (self.people + 4)
        return sqrt(share * (1 - share) / (self.people + 4))


@dataclass(frozen=True)
class Attack:
    """How often the attacker was right; None where that is not known."""

    record: AttackSuccess
    groups: tuple[AttackSuccess | None, ...]
    attributes: Mapping[str, AttackSuccess]


def attack(
    truth: Records, reports: Records, design: Design, known: Mapping[str, str] | None = None
) -> Attack:
    """Reconstruct records from their reports, and compare with the truth.

    With known values, only people who have them count, and the attacker knows that they do.
    """
    if len(truth) != len(reports):
        raise DataError(
            f"There are {len(truth)} records and {len(reports)} reports.",
            hint="Give the report of every record, in the same order.",
        )
    known = known or {}
    truth = truth.select(design.schema)
    among = truth.having(known)
    people = int(among.sum())
    if not people:
        raise DataError("Nobody has all the known values.", hint="Take others with --known.")
    attacker = guesser(reports, design, known)

    def right(guesses: Mapping[str, Codes]) -> AttackSuccess:
        fits = among.copy()
        for name, guess in guesses.items():
            fits &= guess == truth.columns[truth.schema.position(name)]
        return AttackSuccess(float(fits.sum()) / people, people)

    return Attack(
        right(attacker.record()),
        tuple(right(attacker.group(group)) for group in design.groups),
        {n: right({n: attacker.attribute(n)}) for group in design.groups for n in group.names},
    )


def reconstruct(reports: Records, design: Design) -> Records:
    """Guess every record from its report: a demonstration of what a design gives away."""
    reports = reports.select(design.schema)
    guesses = guesser(reports, design).record()
    columns = zip(design.schema.names, reports.columns, strict=True)
    return Records.from_codes(
        [guesses.get(name, column) for name, column in columns], design.schema
    )
