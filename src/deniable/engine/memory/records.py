"""Records in memory: one array of codes per attribute, read from any kind of table."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from deniable.base.arrays import Mask
from deniable.base.errors import DataError, FingerprintError, listed, nearest
from deniable.engine.engine import Column, code_type
from deniable.engine.memory.arrow_codes import dictionary_array, encoded
from deniable.schema import Attribute, Schema

if TYPE_CHECKING:
    import pyarrow as pa

DESIGN_STAMP = b"deniable.design"
RAW_STAMP = b"deniable.undisguised"
"""Where Arrow and Parquet metadata hold the design's fingerprint."""


@dataclass(frozen=True, eq=False)
class Records:
    """Codes of every attribute, in the order of the schema.

    >>> schema = Schema.of({"smokes": ["no", "yes"], "age": ["young", "old"]})
    >>> people = Records.of({"age": ["old", "old"], "smokes": ["no", "yes"]}, schema)
    >>> len(people), people.columns[0]
    (2, array([0, 1], dtype=uint8))
    """

    schema: Schema
    columns: tuple[Column, ...]

    @classmethod
    def of(
        cls, table: Any, schema: Schema, *, where: str = "the table", start: int | None = 0
    ) -> "Records":
        """Read a pandas, polars or Arrow table, a mapping of columns, or a NumPy array.

        An unstructured array holds values, not codes, its columns in the order of the schema.
        Columns that the schema does not name are left aside. `start` is the number of records
        before these, for error messages; None where rows have no number.
        """
        if isinstance(table, Records):
            return table if table.schema == schema else table.select(schema)
        arrow = as_arrow(table, schema, where)
        columns = tuple(
            encoded(_column(arrow, attribute.name, where), attribute, where, start)
            for attribute in schema
        )
        return cls(schema, columns)

    @classmethod
    def from_codes(cls, codes: Any, schema: Schema) -> "Records":
        """Take an array ``[record, attribute]`` of codes, or one array of codes per attribute."""
        columns = codes if isinstance(codes, (list, tuple)) else list(np.asarray(codes).T)
        if len(columns) != len(schema):
            raise DataError(
                f"There are {len(columns)} columns of codes for {len(schema)} attributes.",
                hint="Give one column per attribute, in the order of the schema.",
            )
        checked = (_checked(np.asarray(c), a) for a, c in zip(schema, columns, strict=True))
        return cls(schema, tuple(checked))

    @classmethod
    def joined(cls, parts: "Sequence[Records]") -> "Records":
        """Put records of one schema together."""
        columns = zip(*(part.columns for part in parts), strict=True)
        return cls(parts[0].schema, tuple(map(np.concatenate, columns)))

    def __len__(self) -> int:
        return len(self.columns[0]) if self.columns else 0

    def select(self, schema: Schema) -> "Records":
        """Keep some attributes, in the order given; their values must be the same."""
        for attribute in schema:
            if self.schema[attribute.name] != attribute:
                raise DataError(
                    f"The records list other values of {attribute.name!r}: "
                    f"{listed(self.schema[attribute.name].values)}.",
                    hint="Read them with the schema of the design.",
                )
        places = [self.schema.position(name) for name in schema.names]
        return Records(schema, tuple(self.columns[place] for place in places))

    def having(self, values: Mapping[str, str]) -> Mask:
        """Which records have all of some values."""
        fits = np.ones(len(self), dtype=bool)
        for name, value in values.items():
            fits &= self.columns[self.schema.position(name)] == self.schema[name].code(value)
        return fits

    def among(self, which: NDArray[Any] | slice) -> "Records":
        """Some of the records, by a mask, by number, or from one to another."""
        return Records(self.schema, tuple(column[which] for column in self.columns))

    def to_arrow(self) -> "pa.Table":
        """Give an Arrow table of dictionary-encoded text."""
        import pyarrow as pa

        arrays = list(map(dictionary_array, self.columns, self.schema))
        fields = map(pa.field, self.schema.names, [array.type for array in arrays], repeat(False))
        return pa.Table.from_arrays(arrays, schema=pa.schema(fields))


def _checked(codes: NDArray[Any], attribute: Attribute) -> Column:
    """Narrow an array of codes, if all of them are in range."""
    whole = codes.astype(np.int64, copy=False)
    # Read as unsigned, a negative code is huge: one pass checks both ends.
    if len(whole) and whole.view(np.uint64).max() >= attribute.size:
        raise DataError(
            f"{attribute.name!r} has codes outside 0 … {attribute.size - 1}.",
            hint="A code is a value's position in the attribute's list of values.",
        )
    return whole.astype(code_type(attribute.size))


def as_arrow(table: Any, schema: Schema, where: str = "the table") -> "pa.Table":
    """View any kind of table as Arrow."""
    import pyarrow as pa

    if isinstance(table, np.ndarray):
        table = _array_columns(table, schema, where)
    if isinstance(table, pa.Table):
        return table
    try:
        if isinstance(table, pa.RecordBatch):
            return pa.Table.from_batches([table])
        if isinstance(table, Mapping):
            return pa.table({name: _plain(column) for name, column in table.items()})
        return pa.table(table)  # by the Arrow interface of pandas, polars, DuckDB, …
    except (TypeError, ValueError, pa.ArrowException) as error:
        raise DataError(
            f"{where} cannot be read as a table of type {type(table).__name__}: "
            f"{str(error).splitlines()[0]}",
            hint="Give a pandas, polars or Arrow table, a mapping of columns, or a NumPy array.",
        ) from None


def _plain(column: Any) -> Any:
    return column.tolist() if isinstance(column, np.ndarray) and column.dtype == object else column


def _array_columns(array: NDArray[Any], schema: Schema, where: str) -> dict[str, NDArray[Any]]:
    if array.dtype.names:
        return {name: array[name] for name in array.dtype.names}
    if array.ndim != 2 or array.shape[1] != len(schema):  # noqa: PLR2004 (records × attributes)
        raise DataError(
            f"{where} is an array of shape {array.shape}, not (records, {len(schema)}).",
            hint="Give one column per attribute, in the order of the design.",
        )
    return dict(zip(schema.names, array.T, strict=True))


def _column(arrow: "pa.Table", name: str, where: str) -> "pa.ChunkedArray":
    found = arrow.schema.get_all_field_indices(name)
    if not found:
        raise DataError(f"{where} has no column {name!r}.", hint=nearest(name, arrow.column_names))
    if len(found) > 1:
        raise DataError(f"{where} has {len(found)} columns named {name!r}.", hint="Keep one.")
    return arrow.column(found[0])


def same_kind(records: Records, like: Any) -> Any:
    """Give records back as the kind of table that came in."""
    arrow = records.to_arrow()
    library = type(like).__module__.partition(".")[0]
    if library == "pandas":
        return arrow.to_pandas().set_axis(like.index, axis=0)
    if library == "polars":
        import polars as pl

        return pl.from_arrow(arrow)
    if isinstance(like, np.ndarray):
        return _as_array(records, like.dtype)
    return arrow


def _as_array(records: Records, dtype: np.dtype[Any]) -> NDArray[Any]:
    """An array ``[record, attribute]`` of values: numbers if such came in, otherwise text."""
    columns = [
        np.asarray(attribute.values)[codes]
        for attribute, codes in zip(records.schema, records.columns, strict=True)
    ]
    values = np.stack(columns, axis=1)
    if dtype.kind in "iuf":
        with suppress(ValueError):  # a value that is no number: then all stay text
            return values.astype(dtype)
    return values.astype(object) if dtype.kind == "O" else values


def fingerprint_of(table: Any) -> str | None:
    """Fingerprint of the design that an Arrow table says it was disguised by."""
    metadata = getattr(getattr(table, "schema", None), "metadata", None)
    return stamp_in(metadata) if isinstance(metadata, Mapping) else None


def stamp_in(metadata: Mapping[bytes, bytes]) -> str | None:
    """Fingerprint of a design in what a table says about itself."""
    found = metadata.get(DESIGN_STAMP)
    return found.decode() if found else None


def says_undisguised(metadata: Any) -> bool:
    """Whether a table says that it holds answers as they are."""
    return isinstance(metadata, Mapping) and RAW_STAMP in metadata


def stamped_undisguised(table: "pa.Table") -> "pa.Table":
    """Have an Arrow table say that it holds answers as they are."""
    return table.replace_schema_metadata({RAW_STAMP: b"yes"})


def stamped(
    table: "pa.Table", fingerprint: str, more: Mapping[bytes, str] | None = None
) -> "pa.Table":
    """Have an Arrow table carry the fingerprint of its design, and more, into files."""
    marks = {DESIGN_STAMP: fingerprint, **(more or {})}
    return table.replace_schema_metadata({key: mark.encode() for key, mark in marks.items()})


def require_fingerprint(found: str | None, expected: str, where: str) -> None:
    """Refuse records that were disguised by another design."""
    if found is not None and found != expected:
        raise FingerprintError(
            f"{where} was disguised by another design (fingerprint {found[:12]}…, "
            f"this one is {expected[:12]}…).",
            hint="Give the design that was used for it.",
        )
