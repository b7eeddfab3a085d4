"""All that is remembered of a raw column: its distinct values and how often each occurs."""

import re
import shlex
from collections import defaultdict
from typing import Any

import numpy as np
import pyarrow as pa

from deniable.base.arrays import Codes
from deniable.engine.table import Table
from deniable.source.prepare.raw_cells import RawColumn, is_numeric, numbers, texts
from deniable.source.prepare.recipe import MISSING, Bins, Groups, Recipe, codes_of

MANY_VALUES = 50
"""With more values than this, each in one record only, a column looks like an identifier."""

_ANY_NUMBER = Bins((), ("any",), MISSING)


class ColumnValues:
    """Counts of one column, as blocks of cells go by.

    A Parquet column is numeric by its type, a CSV column if all its values can be read so.
    """

    def __init__(self, file: Table, name: str, *, binned: bool) -> None:
        self.name = name
        self._file = file
        self._binned = binned
        self._missing = False
        self._typed = False
        self._counts: dict[Any, int] = defaultdict(int)

    def add(self, cells: RawColumn, rows: Codes) -> None:
        """Count some more cells."""
        counts = np.bincount(cells.places, minlength=len(cells.values))
        values = cells.values.filter(pa.array(counts > 0))
        self._missing |= values.null_count > 0
        self._typed = is_numeric(values)
        if self._typed and self._binned:
            codes_of(_ANY_NUMBER, cells, (self._file.name, self.name, rows))
            values = numbers(values)
        else:
            values = texts(values)
        for value, count in zip(values.to_pylist(), counts[counts > 0].tolist(), strict=True):
            if value is not None:
                self._counts[value] += count

    def recipe(self, bins: str, nominal: str) -> Recipe:
        """Settle what becomes of the column; numbers that are not binned are kept as they are."""
        if not self._counts:
            return Groups((), MISSING)
        if self._is_numeric() and self._binned:
            return Bins.learn(self._numbers(), bins, missing=self._missing)
        if self._is_numeric():
            in_order = sorted(self._counts, key=lambda text: (float(text), text))
            return Groups.kept(in_order, missing=self._missing)
        if nominal == "binary":
            return Groups.halved(self._counts, missing=self._missing)
        return Groups.kept(sorted(self._counts), missing=self._missing)

    def _is_numeric(self) -> bool:
        if self._file.types is not None:
            return self._typed
        # Leading zeros mean a code, not a number: 01234 is a place in Massachusetts.
        coded = any(re.match(r"\s*[+-]?0\d", text) for text in self._counts)
        return not coded and bool(numbers(pa.array(self._counts, pa.string())).null_count == 0)

    def _numbers(self) -> dict[float, int]:
        """Count numbers, however they are written: 5 is 5.0."""
        if self._typed:
            return self._counts
        read = numbers(pa.array(self._counts, pa.string())).to_pylist()
        found: dict[float, int] = defaultdict(int)
        for number, count in zip(read, self._counts.values(), strict=True):
            found[number] += count
        return found

    def notes(self, recipe: Recipe, records: int) -> list[str]:
        """Say what is odd about the column."""
        leave_out = f"leave it out: --drop {shlex.quote(self.name)}"
        if not self._counts:
            return [f"{self.name!r} is missing in every record; perhaps {leave_out}"]
        if len(recipe.values) == 1:
            value = next(iter(self._counts))
            return [f"{self.name!r} is {value} in every record; perhaps {leave_out}"]
        if isinstance(recipe, Groups) and len(self._counts) == records > MANY_VALUES:
            return [
                f"{self.name!r} has another value in each of {records} records, as identifiers "
                f"have; perhaps {leave_out}"
            ]
        return []
