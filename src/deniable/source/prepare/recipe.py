"""What is done to one column: numbers and dates fall into bins, words are kept or halved.

A recipe turns cells into codes of its values, and is read from and written to the schema file.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from deniable.base.arrays import Codes
from deniable.base.entries import Entry
from deniable.base.errors import DataError, SchemaError, nearest
from deniable.engine.engine import Column, code_type
from deniable.source.prepare.binning import Distribution, Split, labels
from deniable.source.prepare.dates import Dates
from deniable.source.prepare.labelled import MISSING, OTHER, UNKNOWN_CODE, Labelled, free_name, part
from deniable.source.prepare.raw_cells import RawColumn, numbers, texts

_UNHALVED = 2


@dataclass(frozen=True)
class Bins(Labelled):
    """Numbers by the bin they fall into.

    >>> age = Bins((Split(37.0),), ("<=37", ">37"))
    >>> age.encode(pa.array(["20", "37", "80", "old"]))
    array([ 0,  0,  1, -1])
    """

    splits: tuple[Split, ...]
    labels: tuple[str, ...]
    missing: str | None = None

    @classmethod
    def learn(cls, counts: Mapping[float, int], binning: str, *, missing: bool) -> "Bins":
        """Split counted numbers."""
        distribution = Distribution.of(counts)
        splits = tuple(distribution.splits(distribution.edges(binning)))
        names = labels(splits)
        return cls(splits, names, free_name(MISSING, names) if missing else None)

    @classmethod
    def read(cls, entry: Entry, values: tuple[str, ...], missing: str | None) -> "Bins":
        """Take back what entry() gave; the labels are the attribute's values."""
        splits = tuple(map(Split.read, part(entry, "splits").words("Write splits: [<=37.0].")))
        if any(low.top >= high.top for low, high in pairwise(splits)):
            raise SchemaError("its splits do not ascend.", hint="List them in order.")
        if len(values) != len(splits) + 1:
            raise SchemaError(
                f"{len(splits)} splits make {len(splits) + 1} bins, but there are {len(values)} "
                "values.",
                hint="List one value per bin.",
            )
        return cls(splits, values, missing)

    def encode(self, cells: pa.Array) -> Codes:
        """Look up in which bin each number lies."""
        found = numbers(cells)
        tops = np.array([split.top for split in self.splits])
        codes = np.searchsorted(tops, np.asarray(found.fill_null(0.0)), side="left")
        codes[np.asarray(found.is_null())] = UNKNOWN_CODE
        return self.with_missing(codes, cells)

    def entry(self) -> dict[str, Any]:
        """What the schema file says, beside the values."""
        return {"kind": "numeric", "splits": [str(split) for split in self.splits]}


@dataclass(frozen=True)
class Groups(Labelled):
    """Nominal values, each by itself or several under one label.

    >>> grade = Groups((("A..C", ("A", "B", "C")), ("D", ("D",))), "missing")
    >>> grade.values
    ('A..C', 'D', 'missing')
    >>> grade.encode(pa.array(["D", "B", None, "E"]))
    array([ 1,  0,  2, -1])
    """

    groups: tuple[tuple[str, tuple[str, ...]], ...]
    missing: str | None = None
    other: str | None = None
    """The value of all that is not in a group: what was rare, and what was not seen."""

    joined: bool = False
    """Whether missing answers are in the first group."""

    @classmethod
    def kept(cls, values: Iterable[str], *, missing: bool, rare: bool = False) -> "Groups":
        """Keep every value as it is; with `rare` ones there is a value for them, too."""
        groups = tuple((value, (value,)) for value in values)
        names = [label for label, _ in groups]
        other = free_name(OTHER, names) if rare else None
        taken = names if other is None else [*names, other]
        return cls(groups, free_name(MISSING, taken) if missing else None, other)

    @classmethod
    def halved(cls, counts: Mapping[str, int], *, missing: bool, absent: int = 0) -> "Groups":
        """Make a column binary, as the papers do.

        The values are sorted, coded by their position, and split at the median code over the
        records, so that the halves hold about as many records each. At most two values stay as
        they are. Missing answers are a value of their own, or (as many as are `absent`) one like
        any other that comes first.

        >>> Groups.halved({"A": 5, "B": 1, "C": 1, "D": 2}, missing=False).values
        ('A', 'B..D')
        >>> Groups.halved({"A": 5, "B": 1, "C": 1, "D": 2}, missing=False, absent=3).values
        ('missing..A', 'B..D')
        """
        values = sorted(counts)
        if len(values) + (absent > 0) <= _UNHALVED:
            return cls.kept(values, missing=missing or absent > 0)
        there = [counts[value] for value in values]
        codes = Distribution.of(dict(enumerate([absent, *there] if absent else there)))
        (split,) = codes.splits(codes.edges("median"))
        cut = sum(code <= split.top for code in range(len(codes.values))) - (absent > 0)
        halves = (tuple(values[:cut]), tuple(values[cut:]))
        first, second = (_span(half) for half in halves)
        if absent:
            first = f"{MISSING}..{halves[0][-1]}" if halves[0] else MISSING
        second = free_name(second, (first,))
        names = (first, second)
        groups = tuple(zip(names, halves, strict=True))
        apart = free_name(MISSING, names) if missing else None
        return cls(groups, apart, joined=absent > 0)

    @classmethod
    def read(cls, entry: Entry, values: tuple[str, ...], missing: str | None) -> "Groups":
        """Take back what entry() gave."""
        other = entry.value.get("other")
        if other is not None and values[-1:] != (other,):
            raise SchemaError(
                f"its last value is not {other!r}.", hint="List it behind the others."
            )
        values = values if other is None else values[:-1]
        if entry.value["kind"] == "kept":
            return cls(tuple((value, (value,)) for value in values), missing, other)
        given = part(entry, "groups").entries("Name a group like its value.")
        if tuple(given) != values:
            raise SchemaError(
                "its groups and its values differ.", hint="Name a group like its value."
            )
        hint = "Write groups: {label: [value, value]}."
        groups = tuple((label, those.words(hint)) for label, those in given.items())
        members = [value for _, those in groups for value in those]
        if len(set(members)) < len(members):
            raise SchemaError("a value is in its groups twice.", hint="Name it once.")
        joined = entry.value.get("missing") == values[0] and missing is None
        return cls(groups, missing, other, joined)

    @property
    def labels(self) -> tuple[str, ...]:
        """The groups' names, and that of the rest."""
        names = tuple(label for label, _ in self.groups)
        return names if self.other is None else (*names, self.other)

    @property
    def known(self) -> list[str]:
        """Every raw value."""
        return [value for _, values in self.groups for value in values]

    def encode(self, cells: pa.Array) -> Codes:
        """Look up in which group each value is."""
        found = pc.index_in(texts(cells), value_set=pa.array(self.known, pa.string()))
        sizes = np.array([len(values) for _, values in self.groups], dtype=np.int64)
        # One more place, for an unknown value: −1 indexes the last.
        unknown = UNKNOWN_CODE if self.other is None else len(sizes)
        codes = np.append(np.repeat(np.arange(len(sizes)), sizes), unknown)
        codes = codes[np.asarray(found.fill_null(UNKNOWN_CODE))]
        if self.joined:
            return np.where(np.asarray(cells.is_null()), 0, codes)
        return self.with_missing(codes, cells)

    def entry(self) -> dict[str, Any]:
        """What the schema file says, beside the values."""
        other = {} if self.other is None else {"other": self.other}
        if not self.joined and all(values == (label,) for label, values in self.groups):
            return {"kind": "kept", **other}
        joined = {"missing": self.groups[0][0]} if self.joined else {}
        groups = {label: list(values) for label, values in self.groups}
        return {"kind": "halved", "groups": groups, **other, **joined}


def _span(values: Sequence[str]) -> str:
    """Name sorted values by the first and the last."""
    if not values:
        return ""
    return values[0] if len(values) == 1 else f"{values[0]}..{values[-1]}"


Recipe = Bins | Groups | Dates
"""How a column becomes an attribute."""


def codes_of(recipe: Recipe, cells: RawColumn, where: tuple[object, str, Any]) -> Column:
    """Turn cells into codes; refuse the first without one. `where` has file, column and rows."""
    found = recipe.encode(cells.values)
    if (found == UNKNOWN_CODE).any():
        odd = np.flatnonzero(found[cells.places] == UNKNOWN_CODE)
        if len(odd):  # it may be the value of records that are left out
            value = cells.values[int(cells.places[odd[0]])].as_py()
            raise _unknown_cell(recipe, value, int(odd[0]), where)
    codes: Column = found.astype(code_type(len(recipe.values)))[cells.places]
    return codes


def _unknown_cell(
    recipe: Recipe, value: object, row: int, where: tuple[object, str, Any]
) -> DataError:
    path, name, rows = where
    place = f"{path}, row {rows[row]}: {name!r}"
    if value is None:
        return DataError(
            f"{place} is missing, but none was when the preparation was learned.",
            hint="Fill it in or leave the record out, or prepare all the data together.",
        )
    if isinstance(recipe, Bins):
        return DataError(
            f"{place} has the value {str(value)!r}, which is not a finite number.",
            hint="Mend it, or leave the column out.",
        )
    if isinstance(recipe, Dates):
        return DataError(
            f"{place} has the value {str(value)!r}, which is no date.",
            hint="Write it as 2024-03-31, or leave the column out.",
        )
    hint = nearest(str(value), recipe.known)
    return DataError(
        f"{place} has the value {str(value)!r}, which the preparation does not know.",
        hint=hint if hint.startswith("Did") else f"{hint} Mend it, or prepare all data together.",
    )


def read_recipe(entry: Entry, values: tuple[str, ...]) -> Recipe:
    """Read a column's recipe from the schema file."""
    recipes: dict[str, type[Recipe]] = {
        "numeric": Bins, "kept": Groups, "halved": Groups, "date": Dates,
    }  # fmt: skip
    kind = part(entry, "kind").choice(recipes)
    missing = entry.value.get("missing")
    if missing is None or (kind == "halved" and missing in values[:1]):
        return recipes[kind].read(entry, values, None)
    if values[-1:] != (missing,):
        raise SchemaError(f"its last value is not {missing!r}.", hint="List that value last.")
    return recipes[kind].read(entry, values[:-1], missing)
