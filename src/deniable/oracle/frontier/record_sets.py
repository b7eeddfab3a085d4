"""Sets of records, each a run of one list of row numbers, and how often each value is in them.

A set is divided by what its records report about some columns. Of the sets that it is divided into
the largest is never counted: it has what is left of the whole.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deniable.base.arrays import AnyCodes, Codes
from deniable.channel.channel import BINARY
from deniable.oracle.frontier.record_bits import Counts, RecordBits, added_runs

EMPTY = -1
"""The set of a value that no record of the whole reports."""

UNDIVIDED = -1
"""In place of a column: nothing divides the set."""


@dataclass(frozen=True, eq=False)
class ReportColumns:
    """Codes of every record, a column each, and the same in bits."""

    columns: Sequence[NDArray[Any]]
    sizes: Sequence[int]
    n: int

    @cached_property
    def bits(self) -> RecordBits:
        """What is counted."""
        return RecordBits(self.columns, self.sizes, self.n)


@dataclass(frozen=True, eq=False)
class RecordSets:
    """Runs of a list of rows; sets that were one before stand side by side."""

    reports: ReportColumns
    rows: AnyCodes
    start: Codes
    size: Codes
    whole: Codes
    """Which set each run of siblings was before."""

    family: Codes
    """Where each run of siblings begins."""

    before: Counts | None = None
    """``ones`` of the sets before, if those were asked for."""

    @classmethod
    def of(cls, reports: ReportColumns, rows: Sequence[AnyCodes]) -> "RecordSets":
        """Some sets; a record may be in several, and several times in one."""
        size = np.array([len(each) for each in rows])
        numbers = np.arange(len(rows))
        together = np.concatenate(rows).astype(np.int32, copy=False)
        return cls(reports, together, np.cumsum(size) - size, size, numbers, numbers)

    def __len__(self) -> int:
        return len(self.start)

    @cached_property
    def ones(self) -> Counts:
        """Count records ``[set, value]``, for every value but the first of every column."""
        bits = self.reports.bits
        largest = np.zeros(len(self), dtype=np.bool_)
        if self.before is not None:
            lengths = np.diff(np.append(self.family, len(self)))
            order = np.lexsort((self.size, np.repeat(np.arange(len(lengths)), lengths)))
            largest[order[self.family + lengths - 1]] = True
        found = np.zeros((len(self), bits.width), dtype=np.int32)
        asked = np.flatnonzero(~largest)
        found[asked] = bits.counted(self.rows, self.start[asked], self.size[asked])
        if self.before is not None and len(self):
            found[largest] = self.before[self.whole] - added_runs(found, self.family)
        return found

    def divided(self, whole: Codes, by: Codes) -> tuple["RecordSets", Codes, Codes]:
        """Divide sets, each by what it reports about a column, or by none: it is left UNDIVIDED.

        Give the sets, none of them empty; the set of each value, or EMPTY; and where the values of
        each whole begin.
        """
        sizes = np.array([*self.reports.sizes, 1])[by]  # UNDIVIDED = −1 reads the last
        first = np.cumsum(sizes) - sizes
        start, size = np.zeros((2, int(sizes.sum())), dtype=np.int64)
        pieces, at = [self.rows[:0]], 0
        for number in np.unique(by).tolist():
            chosen = np.flatnonzero(by == number)
            rows, counts = self._ordered(whole[chosen], number)
            places = first[chosen][:, np.newaxis] + np.arange(counts.shape[1])
            size[places] = counts
            counts = counts.T.ravel()
            start[places.T.ravel()] = at + np.cumsum(counts) - counts
            pieces.append(rows)
            at += len(rows)
        some = np.flatnonzero(size)
        numbers = np.full(len(size), EMPTY)
        numbers[some] = np.arange(len(some))
        family = np.searchsorted(some, first)
        before = self.__dict__.get("ones")
        sets = RecordSets(
            self.reports, np.concatenate(pieces), start[some], size[some], whole, family, before
        )
        return sets, numbers, first

    def _ordered(self, sets: Codes, column: int) -> tuple[AnyCodes, Codes]:
        """Rows of sets by what they report, then by set; their numbers ``[set, value]``."""
        lengths = self.size[sets]
        runs = zip(self.start[sets].tolist(), lengths.tolist(), strict=True)
        rows = np.concatenate([self.rows[start : start + many] for start, many in runs])
        if column == UNDIVIDED:
            return rows, lengths[:, np.newaxis]
        reported, values = self.reports.columns[column].take(rows), self.reports.sizes[column]
        ends = np.append(0, np.cumsum(lengths))
        if values == BINARY:
            yes = reported.astype(np.bool_)
            ones = np.flatnonzero(yes)
            many = np.diff(np.searchsorted(ones, ends))
            counts = np.stack([lengths - many, many], axis=1)
            return np.concatenate([rows[np.flatnonzero(~yes)], rows[ones]]), counts
        key = np.repeat(np.arange(len(sets)), lengths) * values + reported
        counts = np.bincount(key, minlength=len(sets) * values).reshape(-1, values)
        return rows[np.argsort(reported, kind="stable")], counts
