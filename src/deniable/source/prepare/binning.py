"""Where to split numbers into bins: exact order statistics, and no bin ever empty.

A split is a condition, ``<=37`` or ``<37``; a number belongs to the first bin whose condition
holds, else to the last. Numbers outside the range seen so far thus fall into the outer bins.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from deniable.base.errors import SchemaError, nearest

BINNINGS = ("median", "midrange", "quantiles:K", "none")
CALENDAR = ("year", "quarter", "month", "weekday")
"""Binnings of dates only."""

MOST_QUANTILES = 1000
_DIGITS = 12
_EXACT = 1e15  # below it a whole number is written in full


@dataclass(frozen=True)
class Split:
    """The upper end of a bin."""

    at: float
    strict: bool = False

    def __str__(self) -> str:
        return f"{'<' if self.strict else '<='}{self.at!r}"

    @classmethod
    def read(cls, text: str) -> "Split":
        """Take back what str() gave.

        >>> Split.read("<=0.1") == Split(0.1)
        True
        """
        sign = "<=" if text.startswith("<=") else "<"
        try:
            at = float(text.removeprefix(sign))
        except ValueError:
            at = math.nan
        if not text.startswith("<") or not math.isfinite(at):
            raise SchemaError(f"{text!r} is no split.", hint="Write <=37.0 or <37.0.")
        return cls(at, strict=sign == "<")

    @property
    def top(self) -> float:
        """The greatest double that belongs to the bin."""
        return math.nextafter(self.at, -math.inf) if self.strict else self.at


@dataclass(frozen=True)
class Distribution:
    """Distinct numbers in order, and how often each occurs."""

    values: tuple[float, ...]
    counts: tuple[int, ...]

    @classmethod
    def of(cls, counts: Mapping[float, int]) -> "Distribution":
        """Sort counted numbers."""
        values = sorted(counts)
        return cls(tuple(values), tuple(counts[value] for value in values))

    @cached_property
    def _ends(self) -> list[int]:
        return list(accumulate(self.counts))

    def _smallest(self, rank: int) -> float:
        return self.values[bisect_left(self._ends, rank)]

    def quantile(self, part: int, parts: int) -> float:
        """Give the number below which ``part/parts`` of the records lie.

        Between two records it is their mean, so the median of an even count is the mean of the
        middle two (R's type 2, NumPy's ``averaged_inverted_cdf``).

        >>> Distribution.of({1: 1, 2: 1, 9: 2}).quantile(1, 2)
        5.5
        """
        rank, rest = divmod(self._ends[-1] * part, parts)
        if rest:
            return self._smallest(rank + 1)
        return _mean(self._smallest(rank), self._smallest(rank + 1))

    def edges(self, binning: str) -> list[float]:
        """Where a binning would like to split."""
        if binning == "midrange":
            return [_mean(self.values[0], self.values[-1])]
        parts = quantiles(binning)
        return [self.quantile(part, parts) for part in range(1, parts)]

    def splits(self, edges: Sequence[float]) -> list[Split]:
        """Split at edges so that no bin is empty.

        Edges that part the numbers in the same way count once. One at (or past) the greatest
        number would leave nothing above, so the greatest number then gets a bin of its own.

        >>> most_are_9 = Distribution.of({1: 1, 2: 1, 9: 5})
        >>> [str(split) for split in most_are_9.splits([2, 9, 9])]
        ['<=2']
        >>> [str(split) for split in most_are_9.splits([1, 9])]
        ['<=1', '<9']
        """
        found: list[Split] = []
        last = len(self.values)
        reached = 0
        for edge in edges:
            below = bisect_right(self.values, edge)
            split = Split(edge)
            if below == last:
                below, split = last - 1, Split(self.values[-1], strict=True)
            if below > reached:
                found.append(split)
                reached = below
        return found


def _mean(a: float, b: float) -> float:
    mean = (float(a) + float(b)) / 2
    return mean if math.isfinite(mean) else a / 2 + b / 2


def quantiles(binning: str) -> int:
    """Into how many parts the records are to fall; checks the word.

    >>> quantiles("median"), quantiles("quantiles:4"), quantiles("4")
    (2, 4, 4)
    """
    if binning == "median":
        return 2
    word, _, parts = binning.partition(":")
    if binning.isascii() and binning.isdigit():
        word, parts = "quantiles", binning
    if word != "quantiles":
        known = nearest(binning, (*BINNINGS, *CALENDAR))
        raise SchemaError(f"There is no binning {binning!r}.", hint=known)
    if not (parts.isascii() and parts.isdigit()) or not 2 <= int(parts) <= MOST_QUANTILES:  # noqa: PLR2004
        raise SchemaError(
            f"{binning!r} does not say into how many bins.",
            hint=f"Write quantiles:K with a whole K from 2 to {MOST_QUANTILES}.",
        )
    return int(parts)


def checked_binning(binning: str) -> str:
    """Refuse a word that names no binning."""
    if binning not in {"midrange", "none", *CALENDAR}:
        quantiles(binning)
    return binning


def labels(splits: Sequence[Split]) -> tuple[str, ...]:
    """Name the bins: ``<=28``, ``28<x<=37``, ``>37``; one bin without a split is ``any``.

    >>> labels([Split(28.0), Split(37.5), Split(99.0, strict=True)])
    ('<=28', '28<x<=37.5', '37.5<x<99', '>=99')
    """
    if not splits:
        return ("any",)
    words = [_short(split.at) for split in splits]
    if len(set(words)) < len(words):
        words = [repr(split.at) for split in splits]
    signs = ["<" if split.strict else "<=" for split in splits]
    # Only the last split is ever strict, so every bin but the first is open below …
    middle = [
        f"{low}<x{sign}{high}" for low, sign, high in zip(words, signs[1:], words[1:], strict=False)
    ]
    # … and the last one has its lowest number exactly when that split is.
    over = ">=" if splits[-1].strict else ">"
    return (signs[0] + words[0], *middle, over + words[-1])


def _short(number: float) -> str:
    """Write a number for people; the exact one stands in the splits."""
    if number.is_integer() and abs(number) < _EXACT:
        return str(int(number))
    return f"{number:.{_DIGITS}g}"
