"""Columns as codes: positions in a domain that a design gives, or that the column itself shows.

A design's values are matched as everywhere in the package (`Records.of`). Without a design whole
numbers, booleans and words are categories, and numbers with fractions are cut at quantiles.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from deniable.base.arrays import Floats
from deniable.base.errors import DataError
from deniable.base.wording import joined
from deniable.engine.engine import Column, code_type
from deniable.engine.memory.arrow_codes import BOOLEANS
from deniable.engine.memory.records import Records, as_arrow
from deniable.schema import Attribute, Schema

if TYPE_CHECKING:
    import pyarrow as pa

Array = NDArray[Any]

FEW_INTEGERS = 1 << 16
"""Whole numbers of a smaller range are looked up once each."""

ROWS_CHECKED = 1 << 11
"""Records that are turned from rows into columns at once, while they are in the cache."""

SURELY_WHOLE = 2**53
"""From here on floating point holds no fractions."""


class InputError(DataError, ValueError):
    """Input that does not fit; also a ValueError, as scikit-learn wants."""


class MixedError(DataError, TypeError):
    """A column of several kinds of values; also a TypeError, as scikit-learn wants."""


class Domain(ABC):
    """The values of a column, and the code of each."""

    attribute: Attribute

    @abstractmethod
    def codes(self, column: Any) -> Column:
        """Look every value up."""


@dataclass(frozen=True)
class ListedDomain(Domain):
    """Values that are listed; any other is refused."""

    attribute: Attribute

    def codes(self, column: Any) -> Column:
        """Match values to the list, by text or by number."""
        name = self.attribute.name
        return Records.of({name: column}, Schema((self.attribute,)), where="The input").columns[0]


@dataclass(frozen=True, eq=False)
class NumberDomain(Domain):
    """Numbers between cuts: every number has a code, an unseen one that of the nearest known."""

    attribute: Attribute
    cuts: Floats

    @classmethod
    def learned(cls, name: str, column: Any, n_bins: int) -> "NumberDomain":
        """Take distinct whole numbers, or few distinct ones, as they are; cut others at quantiles.

        >>> NumberDomain.learned("age", np.array([30.0, 20.0, 30.0]), 10).attribute.values
        ('20', '30')
        >>> NumberDomain.learned("kg", np.array([0.5, 1.5, 2.5, 3.5]), 2).attribute.values
        ('< 2', '>= 2')
        """
        numbers = _numbers(name, column)
        distinct = np.unique(numbers)
        if len(distinct) <= n_bins or (distinct == np.rint(distinct)).all():
            words = [_word(number) for number in distinct.tolist()]
            below, above = distinct[:-1], distinct[1:]
            middle = below / 2 + above / 2
            cuts = np.where(middle > below, middle, above)  # neighbours have nothing in between
        else:
            inner = np.quantile(numbers, np.arange(1, n_bins) / n_bins)
            # A value that most records share is a quantile, too: keep it apart from the others.
            cuts = np.unique(np.where(inner > distinct[0], inner, distinct[1]))
            ends = [_word(cut) for cut in cuts.tolist()]
            between = [f"{a} to {b}" for a, b in pairwise(ends)]
            words = [f"< {ends[0]}", *between, f">= {ends[-1]}"]
        return cls(Attribute(name, tuple(words)), cuts)

    def codes(self, column: Any) -> Column:
        """Count the cuts at or below each number."""
        found = np.searchsorted(self.cuts, _numbers(self.attribute.name, column), side="right")
        return found.astype(code_type(self.attribute.size))


def learned(name: str, column: Any, n_bins: int) -> Domain:
    """Learn the domain of a column."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if isinstance(column, np.ndarray) and column.dtype.kind in "biuf":
        # Of whole numbers it only matters which there are.
        whole = column.dtype.kind != "f"
        return NumberDomain.learned(name, np.unique(column) if whole else column, n_bins)
    try:
        arrow = column if isinstance(column, pa.ChunkedArray) else pa.array(column.tolist())
    except (pa.ArrowException, TypeError):
        kinds = sorted({type(value).__name__ for value in column.tolist()})
        raise MixedError(
            f"The input argument must be uniformly strings or numbers in each column, but {name!r} "
            f"holds {joined(kinds)}.",
            hint="Make it text.",
        ) from None
    if pa.types.is_floating(arrow.type) or pa.types.is_integer(arrow.type):
        return NumberDomain.learned(name, arrow, n_bins)
    words = pc.unique(arrow.cast(pa.string())).drop_null().to_pylist()
    return ListedDomain(Attribute(name, tuple(sorted(words))))


def encoded(column: Any, domain: Domain) -> Column:
    """Codes of a column; where it holds few whole numbers, each is looked up once."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "biu" and len(column):
        low, high = int(column.min()), int(column.max())
        if high - low < FEW_INTEGERS:
            numbers = np.arange(low, high + 1)
            try:
                table = domain.codes(numbers.astype(column.dtype))
            except DataError:
                return domain.codes(column)  # numbers in between need not occur
            if np.array_equal(table, numbers):
                return column.astype(table.dtype, copy=False)
            return table.take(np.subtract(column, low, dtype=np.int64) if low else column)
    return domain.codes(column)


def names_of(table: Any) -> list[str] | None:
    """Names of a data frame's columns, if they are words."""
    names = list(getattr(table, "column_names", getattr(table, "columns", ())))
    return names if names and all(isinstance(name, str) for name in names) else None


def columns_of(table: Any) -> list[Any]:
    """Columns of an array or a data frame: NumPy arrays, or Arrow's where they hold words."""
    if isinstance(table, np.ndarray):
        return _columns_of_array(table)
    kinds = getattr(table, "dtypes", [])
    if len(kinds) and all(isinstance(kind, np.dtype) and kind.kind in "iu" for kind in kinds):
        return _columns_of_array(table.to_numpy())
    arrow = as_arrow(table, Schema(()), "The input")
    return [_numpy_if_numbers(arrow.column(place)) for place in range(table.shape[1])]


def _columns_of_array(array: Array) -> list[Array]:
    """Small whole numbers become a byte each, a block of rows at a time.

    A pass for each column would read the memory of all columns as often as there are columns.
    """
    columns = list(array.T)
    if array.dtype.kind not in "biu":
        return columns
    narrow = np.empty(array.shape[::-1], dtype=bool if array.dtype == bool else np.uint8)
    unsigned = array if array.dtype == bool else array.view(f"u{array.dtype.itemsize}")
    for start in range(0, len(array), ROWS_CHECKED):
        block = unsigned[start : start + ROWS_CHECKED]
        if block.size and block.max() > np.iinfo(np.uint8).max:  # or negative
            return columns
        narrow[:, start : start + ROWS_CHECKED] = block.T
    return list(narrow)


def _numpy_if_numbers(column: "pa.ChunkedArray") -> Any:
    import pyarrow as pa

    kind = column.type
    plain = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)
    return column.to_numpy() if plain and not column.null_count else column


def typed(values: Sequence[str], like: Any) -> Array:
    """Write a domain's values in a column's own type; as text, where that cannot say them all.

    >>> typed(["0", "1"], np.array([1, 1])), typed(["no", "yes"], np.array([True]))
    (array([0, 1]), array([False,  True]))
    """
    given = like[:1] if isinstance(like, np.ndarray) else like.slice(0, 1).to_numpy()
    kind = np.asarray(given.tolist()).dtype if given.dtype.kind == "O" else given.dtype
    try:
        if kind.kind == "b":
            truths = {word: truth for pair in BOOLEANS for truth, word in enumerate(pair)}
            return np.array([truths[value] for value in values], dtype=bool)
        if kind.kind in "iu":
            return np.array([int(value) for value in values], dtype=kind)
        if kind.kind == "f":
            return np.array([float(value) for value in values], dtype=kind)
    except (KeyError, ValueError, OverflowError):
        pass
    return np.array(values, dtype=object if given.dtype.kind == "O" else None)


def _numbers(name: str, column: Any) -> Floats:
    """Floating point, refused where something is missing or no number."""
    try:
        numbers = np.asarray(column, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(
            f"{name!r} holds something that is no number.", hint="It held numbers in fit."
        ) from None
    if not np.isfinite(numbers).all():
        row = int(np.flatnonzero(~np.isfinite(numbers))[0]) + 1
        raise InputError(
            f"The input contains NaN or infinity: {name!r}, row {row}.",
            hint="Give missing values a value of their own, or drop them.",
        )
    return numbers


def _word(number: float) -> str:
    whole = number.is_integer() and abs(number) < SURELY_WHOLE
    return str(int(number)) if whole else repr(number)
