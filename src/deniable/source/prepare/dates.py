"""Dates, by when they were: before or after some days, by year, quarter, month or weekday.

A date is written as ISO 8601 has it, 2024-03-31; a time of day may follow and does not count. In
Parquet, times with a zone are those of UTC. Quarters, months and weekdays come round again, so all
of them are listed, whichever occur. Years that did not occur when the recipe was learned fall into
the outer ones, as numbers do.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from math import floor
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from deniable.base.arrays import Codes
from deniable.base.entries import Entry
from deniable.base.errors import SchemaError
from deniable.source.prepare.binning import CALENDAR, Distribution
from deniable.source.prepare.labelled import MISSING, UNKNOWN_CODE, Labelled, free_name, part

CYCLES: Mapping[str, tuple[str, ...]] = {
    "quarter": ("Q1", "Q2", "Q3", "Q4"),
    "month": (
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ),
    "weekday": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
}  # fmt: skip
"""What comes round, in order."""

ISO_LENGTH = len("2024-03-31")

_ISO = re.compile(
    r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d([.,]\d+)?)?( ?(Z|UTC|[+-]\d\d(:?\d\d)?))?)?"
)


def date_of(text: str) -> date | None:
    """Read a date, with or without a time of day.

    >>> date_of(" 2024-03-31T23:59Z"), date_of("2024-02-30"), date_of("31.3.2024")
    (datetime.date(2024, 3, 31), None, None)
    """
    text = text.strip()
    if _ISO.fullmatch(text) is None:
        return None
    try:
        return date.fromisoformat(text[:ISO_LENGTH])
    except ValueError:
        return None


def are_dates(texts: Iterable[str]) -> bool:
    """Whether each is a date; looks no further than to the first that is none."""
    return all(date_of(text) is not None for text in texts)


@dataclass(frozen=True)
class Dates(Labelled):
    """Dates by the day or year up to which a value goes, or by what comes round.

    >>> born = Dates("year", (1999, 2001), ("<=1999", "2000..2001", ">=2002"))
    >>> born.encode(pa.array(["1987-04-01", "2000-12-31", "2002-01-01T10:00", "soon"]))
    array([ 0,  1,  2, -1])
    """

    by: str
    """``day``, ``year``, or one of CYCLES."""

    tops: tuple[int, ...]
    """The last day (from 0001-01-01, which is 1) or year of each value but the last one."""

    labels: tuple[str, ...]
    missing: str | None = None

    @classmethod
    def learn(cls, counts: Mapping[str, int], binning: str, *, missing: bool) -> "Dates":
        """Settle where to split dates that were counted as text."""
        by = binning if binning in CALENDAR else "day"
        found: dict[float, int] = {}
        for text, count in counts.items():
            number = _number(text, by)
            found[number] = found.get(number, 0) + count
        tops: tuple[int, ...] = ()
        if by == "day":
            distribution = Distribution.of(found)
            splits = distribution.splits(distribution.edges(binning))
            tops = tuple(int(split.at) - 1 if split.strict else floor(split.at) for split in splits)
        elif by == "year":
            tops = tuple(int(year) for year in sorted(found)[:-1])
        names = CYCLES.get(by) or _labels(tops, by)
        return cls(by, tops, names, free_name(MISSING, names) if missing else None)

    @classmethod
    def read(cls, entry: Entry, values: tuple[str, ...], missing: str | None) -> "Dates":
        """Take back what entry() gave; the labels are the attribute's values."""
        by = part(entry, "by").choice(("day", *CALENDAR))
        tops: tuple[int, ...] = ()
        if by not in CYCLES:
            written = part(entry, "splits").words("Write splits: [<=2024-03-31].")
            tops = tuple(_top(text, by) for text in written)
            if any(low >= high for low, high in pairwise(tops)):
                raise SchemaError("its splits do not ascend.", hint="List them in order.")
        wanted = len(CYCLES.get(by, (*tops, "")))
        if len(values) != wanted:
            raise SchemaError(
                f"it has {wanted} values by {by}, but {len(values)} are listed.",
                hint="List one value for each.",
            )
        return cls(by, tops, values, missing)

    def encode(self, cells: pa.Array) -> Codes:
        """Look up when each date was."""
        written = [None if text is None else date_of(text) for text in days(cells).to_pylist()]
        known = np.array([day is not None for day in written], dtype=bool)
        numbers = np.array([_part_of(day, self.by) for day in written if day is not None])
        if self.by not in CYCLES:
            numbers = np.searchsorted(np.array(self.tops), numbers, side="left")
        codes = np.full(len(written), UNKNOWN_CODE, dtype=np.int64)
        codes[known] = numbers
        return self.with_missing(codes, cells)

    def entry(self) -> dict[str, Any]:
        """What the schema file says, beside the values."""
        found: dict[str, Any] = {"kind": "date", "by": self.by}
        if self.by not in CYCLES:
            found["splits"] = [f"<={_written(top, self.by)}" for top in self.tops]
        return found


def days(cells: pa.Array) -> pa.Array:
    """Write cells as text; times of a type that holds nothing else, by their day alone."""
    texts = cells.cast(pa.string())
    if pa.types.is_temporal(cells.type) and not pa.types.is_time(cells.type):
        texts = pc.utf8_slice_codeunits(texts, 0, ISO_LENGTH)
    return texts


def _number(text: str, by: str) -> int:
    day = date_of(text)
    if day is None:
        raise ValueError(f"{text!r} is no date")
    return _part_of(day, by)


def _part_of(day: date, by: str) -> int:
    """The number by which dates are told apart; of what comes round, its code."""
    return {
        "day": day.toordinal(),
        "year": day.year,
        "quarter": (day.month - 1) // 3,
        "month": day.month - 1,
        "weekday": day.weekday(),
    }[by]


def _written(number: int, by: str) -> str:
    return date.fromordinal(number).isoformat() if by == "day" else f"{number:04}"


def _top(text: str, by: str) -> int:
    word = text.removeprefix("<=")
    number = date_of(word) if by == "day" else word.isascii() and word.isdigit() and int(word)
    if not text.startswith("<=") or not number:
        raise SchemaError(f"{text!r} is no split.", hint="Write <=2024-03-31, or <=2024 by year.")
    return number.toordinal() if isinstance(number, date) else int(number)


def _labels(tops: tuple[int, ...], by: str) -> tuple[str, ...]:
    """Name what lies between: ``<=2019``, ``2020``, ``2021..2023``, ``>=2024``."""
    if not tops:
        return ("any",)
    between = [
        _written(high, by) if low + 1 == high else f"{_written(low + 1, by)}..{_written(high, by)}"
        for low, high in pairwise(tops)
    ]
    return (f"<={_written(tops[0], by)}", *between, f">={_written(tops[-1] + 1, by)}")
