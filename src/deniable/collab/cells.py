"""Conjunctions as sets of terms: how both sides of a collaboration name what is counted."""

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from deniable.base.errors import AnswerError
from deniable.expression import ANY, Conjunction, Family, parse
from deniable.schema import Schema

Cell = frozenset[tuple[str, str]]
"""The terms of a conjunction: attribute and value. The empty one holds every record."""


def cells_of(family: Family, schema: Schema) -> list[Cell]:
    """Write a family's conjunctions as cells."""
    values = [schema[name].values for name in family.columns]
    named: list[list[tuple[str, str] | None]] = [
        [*((name, value) for value in known), None]  # None stands at ANY = −1
        for name, known in zip(family.columns, values, strict=True)
    ]
    return [
        frozenset(term for place, code in zip(named, row, strict=True) if (term := place[code]))
        for row in family.codes.tolist()
    ]


def family_of(cells: Sequence[Cell], schema: Schema) -> Family:
    """Write cells as a family."""
    used = {name for cell in cells for name, _ in cell}
    columns = tuple(name for name in schema.names if name in used)
    place = {name: number for number, name in enumerate(columns)}
    codes = np.full((len(cells), len(columns)), ANY, dtype=np.int64)
    for row, cell in enumerate(cells):
        for name, value in cell:
            codes[row, place[name]] = schema[name].code(value)
    return Family(columns, codes)


def within(cell: Cell, columns: Collection[str]) -> bool:
    """Whether a cell is about some columns only."""
    return all(name in columns for name, _ in cell)


def written(cell: Cell, schema: Schema) -> str:
    """Write a cell for people and for ledgers: always in the schema's order."""
    return str(Conjunction(tuple(sorted(cell, key=lambda term: schema.position(term[0])))))


def read(text: str, schema: Schema) -> Cell:
    """Read what `written` wrote."""
    return frozenset(parse(text, schema).terms)


def listed(cells: Iterable[Cell]) -> list[list[list[str]]]:
    """Write cells for a message."""
    return [sorted([name, value] for name, value in cell) for cell in cells]


def unlisted(given: Any, schema: Schema) -> list[Cell]:
    """Read cells from a message, and check every name and value."""
    known = {(attribute.name, value) for attribute in schema for value in attribute.values}
    with suppress(TypeError, ValueError):  # not even lists of pairs
        cells = [frozenset((name, value) for name, value in terms) for terms in given]
        if all(cell <= known and len(dict(cell)) == len(cell) for cell in cells):
            return cells
    raise AnswerError(
        "A message asks for conjunctions that this collaboration does not have.",
        hint="All parties must use the same version and the same agreement.",
    )
