"""Raw cells, whatever the file: text or numbers, and null where an answer is missing.

In CSV some words mean missing; in Parquet nulls and NaN do. Spaces around a number or around a
word for missing do not count; other text is kept to the letter. Whatever is looked at, is looked at
once for each distinct value of a block: most columns have few.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from deniable.base.arrays import Codes, Mask
from deniable.base.errors import DataError
from deniable.engine.open_table import open_table
from deniable.engine.table import Table

DEFAULT_NA = ("", "?", "NA", "N/A", "NaN", "null")
"""Words that mean missing in CSV, unless others are named."""

_NUMBER = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"


@dataclass(frozen=True, eq=False)
class RawColumn:
    """Cells of a column: distinct values as they were written, and the place of each cell's."""

    values: pa.Array
    """Null where an answer is missing; some may be no cell's."""

    places: NDArray[Any]

    @classmethod
    def of(cls, column: pa.Array) -> "RawColumn":
        """Find the distinct values."""
        found = column.dictionary_encode("encode")
        return cls(found.dictionary, np.from_dlpack(found.indices))

    @property
    def present(self) -> Mask:
        """Which cells are not missing."""
        present: Mask = np.asarray(self.values.is_valid())[self.places]
        return present


@dataclass(frozen=True)
class RawBlock:
    """Some records of a file, a column of cells per name; `rows` counts from 1, for messages."""

    columns: tuple[RawColumn, ...]
    rows: Codes
    dropped: int


def open_raw(path: str | Path) -> Table:
    """Open a file that has columns."""
    file = open_table(path)
    if not file.names:
        raise DataError(f"{path} has no columns.", hint="Name them in its first line.")
    return file


def blocks(
    file: Table, names: Sequence[str], na: Sequence[str], *, drop_missing: bool
) -> Iterator[RawBlock]:
    """Read columns a block at a time, if asked without the records that miss a value."""
    _require_plain(file, names)
    done = 0
    for batch in file.batches(names):
        columns = [_cells(batch, name, file, na) for name in names]
        kept = np.ones(batch.num_rows, dtype=bool)
        if drop_missing:
            for column in columns:
                kept &= column.present
            columns = [RawColumn(column.values, column.places[kept]) for column in columns]
        yield RawBlock(
            tuple(columns),
            rows=done + 1 + np.flatnonzero(kept),
            dropped=batch.num_rows - int(kept.sum()),
        )
        done += batch.num_rows


def _require_plain(file: Table, names: Sequence[str]) -> None:
    """Refuse lists and the like, which have no text."""
    if file.types is None:
        return
    for name in names:
        kind = file.types.field(name).type
        if pa.types.is_nested(kind):
            raise _not_plain(file, name, kind)


def _not_plain(file: Table, name: str, kind: pa.DataType) -> DataError:
    return DataError(
        f"{file.name}: column {name!r} is of type {kind}, which is no plain text.",
        hint="Leave it out (--drop).",
    )


def _cells(batch: pa.RecordBatch, name: str, file: Table, na: Sequence[str]) -> RawColumn:
    column = batch.column(batch.schema.get_field_index(name))
    if file.types is None:
        found = RawColumn.of(column)
        return RawColumn(_without_words(found.values, na), found.places)
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_timestamp(column.type) and column.type.tz is not None:
        column = column.cast(pa.timestamp(column.type.unit, "UTC"))  # or text has local days
    try:
        found = RawColumn.of(column if is_numeric(column) else column.cast(pa.string()))
    except pa.ArrowException:
        raise _not_plain(file, name, column.type) from None
    return RawColumn(_without_nan(found.values), found.places)


def _without_nan(values: pa.Array) -> pa.Array:
    """Put null where there is no number."""
    if not pa.types.is_floating(values.type):
        return values
    values = values.cast(pa.float64())
    # Adding 0 turns −0 into 0, which would otherwise be another text.
    values = pc.add(values, 0.0)
    return pc.if_else(pc.is_nan(values), pa.scalar(None, pa.float64()), values)


def _without_words(values: pa.Array, na: Sequence[str]) -> pa.Array:
    """Put null where a word means missing, with or without spaces around it."""
    words = pa.array(na, pa.string())
    missing = pc.or_(
        pc.is_in(values, value_set=words),
        pc.is_in(pc.utf8_trim_whitespace(values), value_set=words),
    )
    return pc.if_else(missing, pa.scalar(None, pa.string()), values)


def is_numeric(cells: pa.Array) -> bool:
    """Whether a column is numeric by its type (text may hold numbers as well)."""
    kind = cells.type
    return bool(
        pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    )


def numbers(cells: pa.Array) -> pa.Array:
    """Read cells as double precision numbers; null where one is missing or not a finite number.

    >>> numbers(pa.array(["37", " .5 ", "1e3", "1e999", "x", None])).to_pylist()
    [37.0, 0.5, 1000.0, None, None, None]
    """
    if not is_numeric(cells):
        trimmed = pc.utf8_trim_whitespace(texts(cells))
        readable = pc.match_substring_regex(trimmed, _NUMBER)
        cells = pc.if_else(readable, trimmed, pa.scalar(None, pa.string()))
    # Unsafe: beyond 2⁵³ a whole number is rounded to the nearest double.
    found = cells.cast(pa.float64(), safe=False)
    return pc.if_else(pc.is_finite(found), found, pa.scalar(None, pa.float64()))


def texts(cells: pa.Array) -> pa.Array:
    """Write cells as text; a whole number has no decimal point.

    >>> texts(pa.array([37.0, 0.5, None])).to_pylist()
    ['37', '0.5', None]
    """
    return cells.cast(pa.string())
