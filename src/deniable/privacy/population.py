"""What a reader knows of everybody before a report comes in: shares of the true records.

A population is a product of independent *blocks*, each a list of patterns with their shares. Data
make one block of all attributes; shares given attribute by attribute make a block each; where
nothing is known, every value is as likely as any other, which is an assumption like any other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from math import prod
from typing import Literal

import numpy as np

from deniable.base.arrays import Codes, Floats, Mask
from deniable.base.errors import DataError, DesignError, EstimateError, nearest
from deniable.channel.channel import patterns
from deniable.channel.group_options import distribution, fraction, sums_to_one
from deniable.engine.engine import LARGEST_DOMAIN
from deniable.engine.memory.numpy_engine import MemoryEngine
from deniable.engine.memory.records import Records
from deniable.expression import strides
from deniable.schema import Attribute, Schema

Source = Literal["even", "shares", "records", "reports"]

SHARE = "share"
JOINT = "joint"


@dataclass(frozen=True, eq=False)
class PopulationBlock:
    """Patterns of some attributes, each once, and their shares, which sum to 1."""

    names: tuple[str, ...]
    codes: Codes
    shares: Floats

    def having(self, known: Mapping[str, int]) -> Mask:
        """Which patterns have some values, as far as these are of its own attributes."""
        fits = np.ones(len(self.codes), dtype=bool)
        for place, name in enumerate(self.names):
            if name in known:
                fits &= self.codes[:, place] == known[name]
        return fits

    def distinct(self, names: Sequence[str]) -> tuple[Codes, Codes]:
        """Patterns of some attributes, each once, and which of them each whole pattern has."""
        columns = self.codes[:, [self.names.index(name) for name in names]]
        found, place = np.unique(columns, axis=0, return_inverse=True)
        return found, place.ravel()

    def given(self, known: Mapping[str, int]) -> "PopulationBlock":
        """Keep the people who have some values."""
        fits = self.having(known)
        left = float(self.shares[fits].sum())
        if not left > 0:
            raise EstimateError(
                "Nobody in the population has all the values that are taken as known.",
                hint="Take other values, or fewer of them, with --known.",
            )
        return PopulationBlock(self.names, self.codes[fits], self.shares[fits] / left)

    def table(self, names: Sequence[str], schema: Schema) -> Floats:
        """Joint shares of some of its attributes, an axis each."""
        sizes = tuple(schema[name].size for name in names)
        columns = tuple(self.codes[:, self.names.index(name)] for name in names)
        keys = np.ravel_multi_index(columns, sizes)
        cells: Floats = np.bincount(keys, self.shares, minlength=prod(sizes)).astype(np.float64)
        return cells.reshape(sizes)


@dataclass(frozen=True, eq=False)
class Population:
    """Independent blocks of attributes, which together are the schema's.

    >>> schema = Schema.of({"smokes": ["no", "yes"], "drinks": ["no", "yes"]})
    >>> people = Records.of({"smokes": ["no", "yes"], "drinks": ["no", "yes"]}, schema)
    >>> Population.of_records(people).table(["drinks", "smokes"])
    array([[0.5, 0. ],
           [0. , 0.5]])
    """

    schema: Schema
    blocks: tuple[PopulationBlock, ...]
    source: Source
    n: int | None = None

    @classmethod
    def even(cls, schema: Schema) -> "Population":
        """Assume that every value is as likely as any other, independently."""
        return cls.of_shares(schema, {}, source="even")

    @classmethod
    def of_shares(
        cls, schema: Schema, shares: Mapping[str, Floats], *, source: Source = "shares"
    ) -> "Population":
        """Take attributes to be independent, with given shares; those not given are even."""
        blocks = []
        for attribute in schema:
            given = shares.get(attribute.name, np.full(attribute.size, 1 / attribute.size))
            blocks.append(PopulationBlock((attribute.name,), patterns((attribute.size,)), given))
        return cls(schema, tuple(blocks), source)

    @classmethod
    def of_records(cls, records: Records) -> "Population":
        """Count the patterns of true records: a reader who knows how many people have each."""
        if len(records) == 0:
            raise DataError("The population has no records.", hint="Give some.")
        schema = records.schema
        if prod(schema.sizes) <= LARGEST_DOMAIN:
            (found,) = MemoryEngine(records).tabulate([schema.names])
            keys, counts = found.occurring()
            steps = zip(schema.sizes, strides(schema.sizes), strict=True)
            codes = np.stack([keys // step % size for size, step in steps], axis=1)
        else:
            rows = np.stack([column.astype(np.int64) for column in records.columns], axis=1)
            codes, counts = np.unique(rows, axis=0, return_counts=True)
        block = PopulationBlock(schema.names, codes, counts / len(records))
        return cls(schema, (block,), "records", len(records))

    @classmethod
    def of_document(cls, document: object, schema: Schema) -> "Population":
        """Read the shares that a YAML file gives, by attribute, and for one joint table.

        ``smokes: {no: 0.7, yes: 0.3}``, or ``smokes: 0.3`` for the last of two values; ``joint:``
        lists rows ``{smokes: yes, drinks: no, share: 0.2}``; rows not listed have share 0.
        """
        if not isinstance(document, Mapping):
            raise DesignError(
                "The shares of a population are a mapping.",
                hint="Write a line 'NAME: {VALUE: SHARE, …}' for each attribute.",
            )
        joint = None
        if JOINT in document and JOINT not in schema:
            joint = _read_joint(document[JOINT], schema)
        taken = joint.names if joint else ()
        shares = {}
        for name, given in document.items():
            if name == JOINT and joint is not None:
                continue
            if name not in schema:
                raise DesignError(
                    f"There is no attribute {name!r}.", hint=nearest(name, schema.names)
                )
            if name in taken:
                raise DesignError(
                    f"{name!r} stands in the joint table and by itself.", hint="Remove one of them."
                )
            shares[name] = read_shares(given, schema[name])
        alone = cls.of_shares(schema, shares)
        blocks = tuple(block for block in alone.blocks if block.names[0] not in taken)
        return cls(schema, (*blocks, joint) if joint else blocks, "shares")

    def given(self, known: Mapping[str, str]) -> "Population":
        """Keep the people who have some values: what a reader knows who knows these."""
        codes = self.schema.codes(known)
        return replace(self, blocks=tuple(block.given(codes) for block in self.blocks))

    def share(self, values: Mapping[str, str]) -> float:
        """How common it is to have some values."""
        codes = self.schema.codes(values)
        return prod(float(block.shares[block.having(codes)].sum()) for block in self.blocks)

    @property
    def is_even(self) -> bool:
        """Whether every pattern is equally likely."""
        return all(
            len(block.names) == 1
            and bool((block.shares == 1 / self.schema[block.names[0]].size).all())
            for block in self.blocks
        )

    def table(self, names: Sequence[str]) -> Floats:
        """Joint shares of some attributes, an axis each, in the order given."""
        wanted = [
            (here, block.table(here, self.schema))
            for block in self.blocks
            if (here := [name for name in names if name in block.names])
        ]
        order = [name for here, _ in wanted for name in here]
        outer: Floats = reduce(np.multiply.outer, (table for _, table in wanted), np.ones(()))
        return outer.transpose([order.index(name) for name in names])


def read_shares(given: object, attribute: Attribute) -> Floats:
    """Read a share for each value of an attribute, or that of the last of two."""
    name = attribute.name
    if isinstance(given, Mapping):
        exactly = distribution(given, attribute, name)
    elif attribute.size == 2:  # noqa: PLR2004 (one share says both)
        share = fraction(given, f"The share of {name}")
        exactly = (1 - share, share)
    else:
        raise DesignError(
            f"{name!r} has {attribute.size} values, so one share does not say all of them.",
            hint=f"Write {name}: {{{attribute.values[0]}: …, {attribute.values[1]}: …, …}}.",
        )
    return np.array([float(share) for share in exactly])


def _read_joint(rows: object, schema: Schema) -> PopulationBlock:
    if not isinstance(rows, Sequence) or isinstance(rows, str) or not rows:
        raise DesignError(
            "joint must be a list of rows, at least one.",
            hint="Write - {smokes: yes, drinks: no, share: 0.2}.",
        )
    names: tuple[str, ...] = ()
    cells: dict[tuple[int, ...], float] = {}
    exactly = []
    for number, row in enumerate(rows, start=1):
        here = tuple(name for name in row if name != SHARE) if isinstance(row, Mapping) else ()
        if not here or SHARE not in row or (names and set(here) != set(names)):
            raise DesignError(
                f"joint, row {number}, must name the same attributes as the others, and a share.",
                hint="Write - {smokes: yes, drinks: no, share: 0.2}.",
            )
        names = names or here
        cell = tuple(schema[name].code(str(row[name])) for name in names)
        if cell in cells:
            raise DesignError(
                f"joint, row {number}, repeats a combination.", hint="Give every one once."
            )
        exactly.append(fraction(row[SHARE], f"joint, row {number}"))
        cells[cell] = float(exactly[-1])
    sums_to_one(exactly, JOINT)
    return PopulationBlock(
        names, np.array(list(cells), dtype=np.int64), np.array(list(cells.values()))
    )
