"""Raw cells, whatever the file: text or numbers, and null where an answer is missing.

In CSV some words mean missing; in Parquet nulls and NaN do. Spaces around a number or around a
word for missing do not count; other text is kept to the letter.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from deniable.base.arrays import Codes
from deniable.base.errors import DataError
from deniable.engine.open_table import open_table
from deniable.engine.table import Table

DEFAULT_NA = ("", "?", "NA", "N/A", "NaN", "null")
"""Words that mean missing in CSV, unless others are named."""

_NUMBER = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"


@dataclass(frozen=True)
class RawBlock:
    """Some records of a file, a column of cells per name; `rows` counts from 1, for messages."""

    columns: tuple[pa.Array, ...]
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
                kept &= np.asarray(column.is_valid())
            columns = [column.filter(pa.array(kept)) for column in columns]
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


def _cells(batch: pa.RecordBatch, name: str, file: Table, na: Sequence[str]) -> pa.Array:
    column = batch.column(batch.schema.get_field_index(name))
    if file.types is None:
        return _without_words(column, na)
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_floating(column.type):
        column = column.cast(pa.float64())
        # Adding 0 turns −0 into 0, which would otherwise be another text.
        column = pc.add(column, 0.0)
        return pc.if_else(pc.is_nan(column), pa.scalar(None, pa.float64()), column)
    try:
        return column if is_numeric(column) else column.cast(pa.string())
    except pa.ArrowException:
        raise _not_plain(file, name, column.type) from None


def _without_words(column: pa.Array, na: Sequence[str]) -> pa.Array:
    """Put null where a word means missing, with or without spaces around it."""
    words = pa.array(na, pa.string())
    missing = pc.or_(
        pc.is_in(column, value_set=words),
        pc.is_in(pc.utf8_trim_whitespace(column), value_set=words),
    )
    return pc.if_else(missing, pa.scalar(None, pa.string()), column)


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
