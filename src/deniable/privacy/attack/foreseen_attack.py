"""What an attacker would get right, estimated without any truth: from reports and design alone."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.channel.channel import patterns
from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.privacy.attack.attacker import Attack, AttackSuccess
from deniable.privacy.attack.estimated_population import (
    MOST_GUESSED_CELLS,
    SEED,
    estimated_groups,
)
from deniable.privacy.measures.joint_groups import JointGroups, along, public_groups, sent
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
    order = np.lexsort(reports.columns)
    reports = Records(reports.schema, tuple(column[order] for column in reports.columns))
    one = np.random.default_rng(SEED).permutation(len(reports)) % 2 == 0
    halves = (reports.among(one), reports.among(~one))
    record: list[Floats] = []
    by_group: list[list[Floats]] = [[] for _ in design.groups]
    by_attribute: dict[str, list[Floats]] = {n: [] for g in design.groups for n in g.names}
    for learned, guessed in (halves, halves[::-1]):
        part = estimated_groups(groups, counted(learned, groups))
        place = tuple(numbered(guessed, group) for group in groups)
        record.append(_undone(part, _records_hit(part))[place])
        for axis, group in enumerate(design.groups):
            numbers = np.arange(shape(groups)[axis])
            if len(numbers) <= MOST_LISTED_VALUES:
                hit = _hit(part, axis, part.group(axis).truth, numbers)
                by_group[axis].append(_undone(part, hit)[place])
            for name in group.names:
                guess = part.attribute(axis, name).truth
                hit = _hit(part, axis, guess, codes_of(group, name))
                by_attribute[name].append(_undone(part, hit)[place])
    return Attack(
        _mean(record),
        tuple(_mean(values) if values else None for values in by_group),
        {name: _mean(values) for name, values in by_attribute.items()},
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
        guessed = (guess == value).astype(np.float64)
        for other, group in enumerate(part.groups):
            guessed = sent(guessed, other, group.channel, transposed=True)
        own = (values == value).reshape(-1, *(1,) * (part.table.ndim - axis - 1))
        hit = np.where(own, guessed, hit)
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
