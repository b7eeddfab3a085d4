"""A real attacker: reconstructs records as well as a collector could.

It holds what every collector holds, the reports and the design, and nothing else. From these it
estimates how common whole patterns are, then guesses what each report most likely hides: the whole
record, each group, each attribute. What it got right on records whose truth is known is the
measured figure beside every theoretical one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod, sqrt

import numpy as np
from numpy.typing import NDArray

from deniable.channel.base import patterns
from deniable.design import Design, Group
from deniable.engine.memory import pack
from deniable.engine.records import Records
from deniable.errors import DataError
from deniable.expression import strides
from deniable.privacy.large import LargeGroup
from deniable.privacy.part import Part, codes_of, public_groups
from deniable.privacy.population import Block, Population
from deniable.privacy.reconstruction import estimated_part

Codes = NDArray[np.int64]

MOST_CELLS = 1 << 18
"""Joint patterns that the attacker weighs at once."""


@dataclass(frozen=True)
class Measured:
    """A share of right guesses among so many people, with its standard error."""

    success: float
    people: int

    @property
    def std_error(self) -> float:
        """Of the share, as of a sample of people."""
        return sqrt(self.success * (1 - self.success) / self.people)


@dataclass(frozen=True)
class Attack:
    """How often the attacker was right."""

    record: Measured
    groups: tuple[Measured, ...]
    attributes: Mapping[str, Measured]


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
    among = truth.having(known)
    attacker = Attacker(reports, design, known)
    people = int(among.sum())
    if not people:
        raise DataError("Nobody has all the known values.", hint="Take others with --known.")

    def right(guesses: Mapping[str, Codes]) -> Measured:
        fits = among.copy()
        for name, guess in guesses.items():
            fits &= guess == truth.columns[truth.schema.position(name)]
        return Measured(float(fits.sum()) / people, people)

    return Attack(
        right(attacker.record()),
        tuple(right(attacker.group(group)) for group in design.groups),
        {n: right({n: attacker.attribute(n)}) for group in design.groups for n in group.names},
    )


def reconstruct(reports: Records, design: Design) -> Records:
    """Guess every record from its report: a demonstration of what a design gives away."""
    guesses = Attacker(reports, design).record()
    columns = [
        guesses.get(name, column)
        for name, column in zip(reports.schema.names, reports.columns, strict=True)
    ]
    return Records.from_codes(columns, reports.schema)


def estimated_population(reports: Records, design: Design) -> Population:
    """What a collector can know of everybody: shares estimated from the reports themselves.

    Attributes that are too many to weigh together are taken as independent of each other.
    """
    blocks = []
    for groups in _divided(design):
        if _cells(groups) > MOST_CELLS:
            raise DataError(
                "A group has too many patterns to estimate their shares.",
                hint="Give records as they are, or shares, as the population.",
            )
        part = estimated_part(groups, _counted(groups, reports))
        names = tuple(name for group in groups for name in group.names)
        sizes = [size for group in groups for size in group.channel.sizes]
        blocks.append(Block(names, patterns(sizes), part.table.ravel()))
    covered = {name for block in blocks for name in block.names}
    for name in design.schema.names:
        if name not in covered:
            size = design.schema[name].size
            counts = np.bincount(_column(reports, name), minlength=size)
            blocks.append(Block((name,), patterns((size,)), counts / len(reports)))
    return Population(design.schema, tuple(blocks), "reports", len(reports))


class Attacker:
    """Guesses from reports and design; a known value is taken for everybody's."""

    def __init__(
        self, reports: Records, design: Design, known: Mapping[str, str] | None = None
    ) -> None:
        self.design = design
        codes = {name: design.schema[name].code(value) for name, value in (known or {}).items()}
        self._views = [
            LargeGroup(groups[0], reports, codes)
            if _cells(groups) > MOST_CELLS
            else _Weighed(groups, reports, codes)
            for groups in _divided(design)
        ]

    def record(self) -> dict[str, Codes]:
        """Guess all disguised attributes of each record together."""
        return {name: guess for view in self._views for name, guess in view.record().items()}

    def group(self, group: Group) -> dict[str, Codes]:
        """Guess one group's attributes together."""
        return self._view(group.names[0]).group(group)

    def attribute(self, name: str) -> Codes:
        """Guess one attribute of each record."""
        return self._view(name).attribute(name)

    def _view(self, name: str) -> "_Weighed | LargeGroup":
        return next(view for view in self._views if any(name in g.names for g in view.groups))


class _Weighed:
    """Groups whose joint patterns can be weighed one by one."""

    def __init__(self, groups: Sequence[Group], reports: Records, known: Mapping[str, int]) -> None:
        self.groups = tuple(groups)
        self._reports = tuple(_patterns(reports, group) for group in groups)
        self._part = _conditioned(estimated_part(groups, _counted(groups, reports)), known)

    def record(self) -> dict[str, Codes]:
        _, found = self._part.record()
        guesses: dict[str, Codes] = {}
        for group, truth in zip(self.groups, found, strict=True):
            guesses |= _unpacked(group, truth[self._reports])
        return guesses

    def group(self, group: Group) -> dict[str, Codes]:
        found = self._part.group(self.groups.index(group))
        return _unpacked(group, found.truth[self._reports])

    def attribute(self, name: str) -> Codes:
        axis = next(axis for axis, group in enumerate(self.groups) if name in group.names)
        guess: Codes = self._part.attribute(axis, name).truth[self._reports]
        return guess


def _divided(design: Design) -> list[tuple[Group, ...]]:
    """What is weighed together: everything, else all groups, else as many as fit, in order."""
    for everything in ((*design.groups, *public_groups(design)), design.groups):
        if _cells(everything) <= MOST_CELLS:
            return [tuple(everything)]
    found: list[tuple[Group, ...]] = []
    for group in design.groups:
        if found and _cells((*found[-1], group)) <= MOST_CELLS:
            found[-1] = (*found[-1], group)
        else:
            found.append((group,))
    return found


def _cells(groups: Sequence[Group]) -> int:
    return prod(size for group in groups for size in group.channel.sizes)


def _conditioned(part: Part, known: Mapping[str, int]) -> Part:
    """Keep the patterns that have the known values."""
    table = part.table
    for axis, group in enumerate(part.groups):
        for name in group.names:
            if name in known:
                fits = (codes_of(group, name) == known[name]).reshape(
                    -1, *(1,) * (table.ndim - axis - 1)
                )
                table = np.where(fits, table, 0.0)
    return Part(part.groups, table)


def _counted(groups: Sequence[Group], reports: Records) -> Codes:
    """Count the reports' joint patterns, an axis per group."""
    shape = tuple(prod(group.channel.sizes) for group in groups)
    keys = np.ravel_multi_index(tuple(_patterns(reports, group) for group in groups), shape)
    return np.bincount(keys, minlength=prod(shape)).reshape(shape)


def _column(records: Records, name: str) -> Codes:
    return records.columns[records.schema.position(name)].astype(np.int64)


def _patterns(records: Records, group: Group) -> Codes:
    """Number each record's pattern in one group."""
    columns = [records.columns[records.schema.position(name)] for name in group.names]
    return pack(columns, group.channel.sizes, len(records)).astype(np.int64)


def _unpacked(group: Group, numbers: Codes) -> dict[str, Codes]:
    sizes = group.channel.sizes
    steps = zip(group.names, sizes, strides(sizes), strict=True)
    return {name: numbers // step % size for name, size, step in steps}
