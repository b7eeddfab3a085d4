"""A real attacker: reconstructs records as well as a collector could.

It holds what every collector holds, the reports and the design, and nothing else. From these it
estimates how common whole patterns are, then guesses what each report most likely hides: the whole
record, each group, each attribute. What it got right on records whose truth is known is the
measured figure beside every theoretical one; where no truth is known, what it would get right is
estimated through the disguise.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.base.errors import DataError
from deniable.channel.channel import patterns
from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.privacy.attack.estimated_population import MOST_GUESSED_CELLS, SEED, estimated_groups
from deniable.privacy.attack.guessers import guesser
from deniable.privacy.measures.joint_groups import (
    JointGroups,
    along,
    on_axis,
    public_groups,
    through,
)
from deniable.privacy.measures.pattern_numbers import (
    codes_of,
    counted,
    numbered,
    pattern_count,
    shape,
)
from deniable.privacy.measures.standard_error import mean_and_error

MOST_LISTED_VALUES = 256
"""Patterns of a group up to which the attacker's success on it is foreseen."""


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

    def document(self) -> dict[str, float]:
        """Write as JSON."""
        return {"success": self.success, "std_error": self.std_error, "people": self.people}


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


def foreseen_attack(reports: Records, design: Design) -> Attack | None:
    """Estimate what an attacker gets right, through the disguise: no truth is needed.

    The attacker learns from one half of the reports and guesses the other half, and the other way
    round. A truth x is guessed with some chance h(x), by the channel; the mean of h over the true
    records is a total, and totals are estimated by undoing the channel on the reports. Unbiased, so
    an estimate may lie below 0 or above 1. None where patterns are too many to weigh.
    """
    reports = reports.select(design.schema)
    groups = (*design.groups, *public_groups(design))
    if pattern_count(groups) > MOST_GUESSED_CELLS or len(reports) < 2:  # noqa: PLR2004 (two halves)
        return None
    # In order, so that the halves do not depend on how the reports came in, singly or as counts.
    reports = reports.among(np.lexsort(reports.columns))
    one = np.random.default_rng(SEED).permutation(len(reports)) % 2 == 0
    halves = (reports.among(one), reports.among(~one))
    found: dict[object, list[Floats]] = defaultdict(list)  # by what is guessed
    for learned, guessed in (halves, halves[::-1]):
        part = estimated_groups(groups, counted(learned, groups))
        place = tuple(numbered(guessed, group) for group in groups)
        found[None].append(_undone(part, _records_hit(part))[place])
        for axis, group in enumerate(design.groups):
            numbers = np.arange(shape(groups)[axis])
            if len(numbers) <= MOST_LISTED_VALUES:
                hit = _hit(part, axis, part.group(axis).truth, numbers)
                found[group.names].append(_undone(part, hit)[place])
            for name in group.names:
                guess = part.attribute(axis, name).truth
                hit = _hit(part, axis, guess, codes_of(group, name))
                found[name].append(_undone(part, hit)[place])
    seen = {guessed: _mean(values) for guessed, values in found.items()}
    return Attack(
        seen[None],
        tuple(seen.get(group.names) for group in design.groups),
        {name: seen[name] for group in design.groups for name in group.names},
    )


def _records_hit(part: JointGroups) -> Floats:
    """Chance that a whole record is guessed right, by the record."""
    _, found = part.record()
    truth = [table.ravel() for table in found]
    reports = [table.ravel() for table in np.indices(part.table.shape)]
    chance = np.ones(part.table.size)
    for group, said, true in zip(part.groups, reports, truth, strict=True):
        codes = patterns(group.channel.sizes)
        chance *= group.channel.chance(codes[said], codes[true])
    keys = np.ravel_multi_index(tuple(truth), part.table.shape)
    hit = np.bincount(keys, chance, minlength=part.table.size).astype(np.float64)
    return hit.reshape(part.table.shape)


def _hit(part: JointGroups, axis: int, guess: Codes, values: Codes) -> Floats:
    """Chance that a value is guessed right, by the record; `values` are the axis's own."""
    hit = np.zeros(part.table.shape)
    for value in np.unique(values):
        guessed = through((guess == value).astype(np.float64), part.groups, transposed=True)
        hit = np.where(on_axis(values == value, axis, hit), guessed, hit)
    return hit


def _undone(part: JointGroups, function: Floats) -> Floats:
    """A function of the report whose mean is that of a function of the record."""
    for axis, group in enumerate(part.groups):
        function = along(function, axis, partial(group.channel.undo, transposed=True))
    return function


def _mean(values: Sequence[Floats]) -> AttackSuccess:
    both = np.concatenate(values)
    mean, error = mean_and_error(both)
    return AttackSuccess(mean, len(both), error)
