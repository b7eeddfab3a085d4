"""All that is remembered of a raw column: its distinct values and how often each occurs."""

import re
import shlex
from collections import defaultdict
from typing import Any

import numpy as np
import pyarrow as pa

from deniable.base.arrays import Codes
from deniable.base.errors import DataError, SchemaError, shortened
from deniable.engine.table import Table
from deniable.source.prepare.binning import CALENDAR
from deniable.source.prepare.dates import Dates, are_dates, days
from deniable.source.prepare.labelled import MISSING
from deniable.source.prepare.rare_values import Rare
from deniable.source.prepare.raw_cells import RawColumn, is_numeric, numbers
from deniable.source.prepare.recipe import Bins, Groups, Recipe, codes_of

MOST_WORDS = 1 << 20
"""Distinct words of a column: more are no attribute's values, and would take all memory."""

_ANY_NUMBER = Bins((), ("any",), MISSING)


def leave_out(name: str) -> str:
    """Write the option that leaves a column out."""
    return f"--drop {shlex.quote(name)}"


class ColumnValues:
    """Counts of one column, as blocks of cells go by.

    A Parquet column is numeric by its type, a CSV column if all its values can be read so. A column
    is of dates if all its values are written so.
    """

    def __init__(self, file: Table, name: str, binning: str) -> None:
        self.name = name
        self.absent = 0
        """Records that miss it."""

        self.counts: dict[Any, int] = defaultdict(int)
        self._file = file
        self._binning = binning
        self._typed = False
        self._checked_at = MOST_WORDS

    def add(self, cells: RawColumn, rows: Codes) -> None:
        """Count some more cells."""
        counts = np.bincount(cells.places, minlength=len(cells.values))
        values = cells.values.filter(pa.array(counts > 0))
        self._typed = is_numeric(values)
        if self._typed and self._binning != "none":
            codes_of(_ANY_NUMBER, cells, (self._file.name, self.name, rows))
            values = numbers(values)
        else:
            values = days(values)
        for value, count in zip(values.to_pylist(), counts[counts > 0].tolist(), strict=True):
            if value is not None:
                self.counts[value] += count
            else:
                self.absent += count
        self._check_size()

    def _check_size(self) -> None:
        """Refuse an endless list of words; distinct numbers and dates are all needed."""
        if len(self.counts) <= self._checked_at:
            return
        self._checked_at *= 2
        if self._binning == "none" or not (self.is_numeric or self._are_dates):
            raise DataError(
                f"{self._file.name}: {self.name!r} has more than {MOST_WORDS:,} different values, "
                "too many for an attribute.",
                hint=f"Leave it out: {leave_out(self.name)}",
            )

    def recipe(self, nominal: str, rare: Rare | None, *, join: bool) -> Recipe:
        """Settle what becomes of the column; numbers and dates not binned are kept as they are."""
        missing = self.absent > 0
        if not self.counts:
            return Groups((), MISSING)
        numeric, dated = self.is_numeric, self._are_dates
        self._check_binning(numeric=numeric, dated=dated)
        if numeric and self._binning != "none":
            return Bins.learn(self._numbers(), self._binning, missing=missing)
        if dated and self._binning != "none":
            return Dates.learn(self.counts, self._binning, missing=missing)
        if nominal == "binary" and not (numeric or dated):
            absent = self.absent if join else 0
            return Groups.halved(self.counts, missing=missing and not join, absent=absent)
        kept, merged = self.counts, 0
        if rare is not None:
            kept, merged = rare.parted(self.counts, sum(self.counts.values()) + self.absent)
        in_order = sorted(kept)
        if numeric:
            in_order.sort(key=float)
        return Groups.kept(in_order, missing=missing, rare=merged > 0)

    def _check_binning(self, *, numeric: bool, dated: bool) -> None:
        """Refuse what only dates can have."""
        if self._binning in CALENDAR and not dated:
            value = next((each for each in map(str, self.counts) if not are_dates([each])), "")
            raise SchemaError(
                f"{self._file.name}: {self.name!r} cannot be binned by {self._binning}: "
                f"{shortened(value)} is no date.",
                hint="Write dates as 2024-03-31, or choose another binning.",
            )

    def check_named(self) -> None:
        """Refuse bins for a column that has neither numbers nor dates."""
        if self.counts and self._binning != "none" and not (self.is_numeric or self._are_dates):
            self._check_binning(numeric=False, dated=False)
            odd = next((each for each in self.counts if not _is_number(each)), None)
            kind = f"{shortened(odd)} is neither a number nor a date"
            raise SchemaError(
                f"{self._file.name}: {self.name!r} cannot be binned: "
                f"{kind if odd is not None else 'its type is text'}.",
                hint="Leave its bins out, mend it, or name the words that mean missing (--na).",
            )

    @property
    def is_numeric(self) -> bool:
        """Whether it holds numbers, and no codes that look like some."""
        if self._file.types is not None:
            return self._typed
        # Leading zeros mean a code, not a number: 01234 is a place in Massachusetts.
        coded = any(re.match(r"\s*[+-]?0\d", text) for text in self.counts)
        return not coded and bool(numbers(pa.array(self.counts, pa.string())).null_count == 0)

    @property
    def _are_dates(self) -> bool:
        return not self._typed and bool(self.counts) and are_dates(self.counts)

    def _numbers(self) -> dict[float, int]:
        """Count numbers, however they are written: 5 is 5.0."""
        if self._typed:
            return self.counts
        read = numbers(pa.array(self.counts, pa.string())).to_pylist()
        found: dict[float, int] = defaultdict(int)
        for number, count in zip(read, self.counts.values(), strict=True):
            found[number] += count
        return found


def _is_number(text: str) -> bool:
    return not re.match(r"\s*[+-]?0\d", text) and numbers(pa.array([text])).null_count == 0
