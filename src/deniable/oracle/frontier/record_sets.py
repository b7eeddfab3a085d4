"""Sets of records, each a run of one list of row numbers, and how often each value is in them.

A set is divided by what its records report about some columns. Of the sets that it is divided into
the largest is never counted: it has what is left of the whole.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deniable.base.arrays import AnyCodes, Codes
from deniable.channel.channel import BINARY
from deniable.oracle.frontier.record_bits import Counts, RecordBits, added_runs

EMPTY = -1
"""The set of a value that no record of the whole reports."""

MOST_UNUSED = 4
"""Rows of a list for each one in use, beyond which those are copied, and the list is forgotten."""

LONG_RUN = 100
"""Rows of a set from which on it is copied sooner as a run than row by row."""

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
    """Runs of lists of rows; sets that were one before stand side by side."""

    reports: ReportColumns
    lists: Sequence[AnyCodes]
    list_of: Codes
    """Which list each set is a run of: sets that stay whole are not copied."""

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
        numbers, same = np.arange(len(rows)), np.zeros(len(rows), dtype=np.int64)
        together = np.concatenate(rows).astype(np.int32, copy=False)
        return cls(reports, [together], same, np.cumsum(size) - size, size, numbers, numbers)

    def __len__(self) -> int:
        return len(self.start)

    def rows(self, number: int) -> AnyCodes:
        """Rows of a set."""
        start, rows = self.start[number], self.lists[self.list_of[number]]
        found: AnyCodes = rows[start : start + self.size[number]]
        return found

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
        for number, rows in enumerate(self.lists):
            asked = np.flatnonzero(~largest & (self.list_of == number))
            if len(asked):
                found[asked] = bits.counted(rows, self.start[asked], self.size[asked])
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
        divides = by != UNDIVIDED
        rows = np.empty(self.size[whole[divides]].sum(), dtype=np.int32)
        which, start, size = np.full((3, int(sizes.sum())), len(self.lists))
        same, at = first[~divides], 0
        which[same], start[same], size[same] = (
            each[whole[~divides]] for each in (self.list_of, self.start, self.size)
        )
        for number in np.unique(by[divides]).tolist():
            chosen = np.flatnonzero(by == number)
            end = at + self.size[whole[chosen]].sum()
            counts = self._ordered(whole[chosen], number, rows[at:end])
            places = (first[chosen][:, np.newaxis] + np.arange(counts.shape[1])).T.ravel()
            counts = counts.T.ravel()
            size[places], start[places] = counts, at + np.cumsum(counts) - counts
            at = end
        some = np.flatnonzero(size)
        numbers = np.full(len(size), EMPTY)
        numbers[some] = np.arange(len(some))
        family, before = np.searchsorted(some, first), self.__dict__.get("ones")
        lists = [*self.lists, rows]
        sets = RecordSets(
            self.reports, lists, which[some], start[some], size[some], whole, family, before
        )
        return sets._compact(), numbers, first

    def _compact(self) -> "RecordSets":
        """Forget lists of which little is in use, and copy that."""
        in_use = np.bincount(self.list_of, self.size, minlength=len(self.lists))
        little = [
            len(rows) > MOST_UNUSED * many for rows, many in zip(self.lists, in_use, strict=True)
        ]
        moved = np.flatnonzero(np.array(little)[self.list_of])
        which, start = self.list_of.copy(), self.start.copy()
        which[moved], start[moved] = len(self.lists), np.cumsum(self.size[moved]) - self.size[moved]
        pieces = [self.lists[0][:0], *(self.rows(number) for number in moved.tolist())]
        used, which = np.unique(which, return_inverse=True)
        lists = [*self.lists, np.concatenate(pieces)]
        return replace(self, lists=[lists[n] for n in used.tolist()], list_of=which, start=start)

    def _together(self, sets: Codes) -> AnyCodes:
        """Rows of sets, one set's after another's."""
        size, lists = self.size[sets], np.unique(self.list_of[sets]).tolist()
        if len(lists) > 1 or size.sum() > LONG_RUN * len(sets):
            return np.concatenate([self.rows(number) for number in sets.tolist()])
        place = np.repeat(self.start[sets] - np.cumsum(size) + size, size)
        place += np.arange(len(place))
        rows: AnyCodes = self.lists[lists[0]].take(place)
        return rows

    def _ordered(self, sets: Codes, column: int, into: AnyCodes) -> Codes:
        """Put rows of sets in order by what they report, then by set; count ``[set, value]``."""
        rows = self._together(sets)
        reported, values = self.reports.columns[column].take(rows), self.reports.sizes[column]
        lengths = self.size[sets]
        if values == BINARY:
            yes = reported.astype(np.bool_, copy=False)
            ones = np.flatnonzero(yes)
            many = np.diff(np.searchsorted(ones, np.append(0, np.cumsum(lengths))))
            noes = len(rows) - len(ones)
            np.take(rows, np.flatnonzero(~yes), out=into[:noes], mode="clip")
            np.take(rows, ones, out=into[noes:], mode="clip")
            return np.stack([lengths - many, many], axis=1)
        key = np.repeat(np.arange(len(sets)), lengths) * values + reported
        into[:] = rows[np.argsort(reported, kind="stable")]
        return np.bincount(key, minlength=len(sets) * values).reshape(-1, values)
