"""Between Arrow's columns and codes: values are looked up in a domain, codes become text again.

Arrow asks pandas about every Python list and number it is given, and loads it for that, which takes
longer than to read a million records. Here values cross as buffers, and arrays by DLPack.
"""

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from deniable.base.errors import DataError, SchemaError, UnknownValueError, listed, shortened
from deniable.engine.engine import Column, code_type
from deniable.schema import Attribute

if TYPE_CHECKING:
    import pyarrow as pa

BOOLEANS = (("false", "true"), ("False", "True"), ("0", "1"), ("no", "yes"))
"""How a domain may spell a boolean column."""

PREPARE_ALIKE = (
    "Raw records are prepared first, as those were that the values are from: "
    "deniable prepare RAW --out NEW.parquet --like SCHEMA.yaml."
)

_PREPARED = re.compile(r"^([<>]=?|[\d.e+-]+<x<=?)-?[\d.e+-]+$|.\.\..")
"""Values as prepare names them: ``<=37``, ``28<x<=37``, ``A..K``."""

SIGNED = (np.int8, np.int16, np.int32)
"""Types of a dictionary's indices: signed, because some readers know no others."""


@lru_cache(maxsize=256)
def text_array(values: tuple[str, ...]) -> "pa.Array":
    """Values as an Arrow array of text.

    >>> text_array(("no", "yes")).to_pylist()
    ['no', 'yes']
    """
    import pyarrow as pa

    parts = [value.encode() for value in values]
    ends = np.cumsum([0, *map(len, parts)], dtype=np.int32)
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(b"".join(parts))]
    return pa.Array.from_buffers(pa.string(), len(values), buffers)


def dictionary_array(codes: NDArray[Any], attribute: Attribute) -> "pa.Array":
    """Codes as an Arrow array of dictionary-encoded text, in the fewest bytes."""
    import pyarrow as pa

    kind = next(kind for kind in SIGNED if attribute.size - 1 <= np.iinfo(kind).max)
    indices = np.ascontiguousarray(codes).astype(kind, copy=False)
    arrow = pa.Array.from_buffers(
        pa.from_numpy_dtype(kind), len(indices), [None, pa.py_buffer(indices)]
    )
    return pa.DictionaryArray.from_arrays(arrow, text_array(attribute.values))


def encoded(
    column: "pa.ChunkedArray", attribute: Attribute, where: str, start: int | None
) -> Column:
    """Look every value up in the attribute's domain; errors say where, and after how many rows."""
    import pyarrow as pa

    try:
        chunks = _looked_up(column, attribute)
    except pa.ArrowException:
        raise DataError(
            f"{where}: the column {attribute.name!r} is of type {column.type}, which holds no "
            "plain values.",
            hint="Make it text, numbers or booleans.",
        ) from None
    parts = [np.zeros(0, dtype=code_type(attribute.size))]
    done = 0
    for found in chunks:
        if found.null_count:
            unknown = done + int(np.flatnonzero(np.asarray(found.is_null()))[0])
            row = "" if start is None else f", row {start + unknown + 1}"
            raise _unknown_value(column[unknown].as_py(), attribute, where + row)
        parts.append(np.from_dlpack(found).astype(parts[0].dtype))
        done += len(found)
    return parts[1] if len(chunks) == 1 else np.concatenate(parts)


def _looked_up(column: "pa.ChunkedArray", attribute: Attribute) -> "list[pa.Array]":
    """Codes of a column's values, in chunks; of dictionaries, each value is looked up once."""
    import pyarrow as pa

    if not pa.types.is_dictionary(column.type):
        found: list[pa.Array] = _codes(column, attribute).chunks
        return found
    return [_codes(chunk.dictionary, attribute).take(chunk.indices) for chunk in column.chunks]


def _codes(values: Any, attribute: Attribute) -> Any:
    """Codes of Arrow values, an array or chunks of one; null where the domain has no such value."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_floating(values.type) or pa.types.is_decimal(values.type):
        # By number: pandas turns whole numbers into floats where one is missing.
        numbers = [_number(value) for value in attribute.values]
        return pc.index_in(
            values.cast(pa.float64()), value_set=pa.array(numbers, pa.float64()), skip_nulls=True
        )
    if pa.types.is_boolean(values.type):
        for no, yes in BOOLEANS:
            if no in attribute and yes in attribute:
                values = pc.if_else(values, yes, no)
                break
    if not pa.types.is_string(values.type):
        values = values.cast(pa.string())
    return pc.index_in(values, value_set=text_array(attribute.values), skip_nulls=True)


def _number(value: str) -> float | None:
    """A value's number, if it is one; what is none must match nothing, not even "not a number"."""
    try:
        number = float(value)
    except ValueError:
        return None
    return number if number == number else None  # noqa: PLR0124 (not a number)


def _unknown_value(value: object, attribute: Attribute, where: str) -> DataError:
    if value is None or value != value:  # noqa: PLR0124 (not a number)
        return DataError(
            f"{where}: {attribute.name!r} is missing.",
            hint="Give missing values a value of their own (deniable prepare does), or drop them."
            + (f" {PREPARE_ALIKE}" if "missing" in attribute else ""),
        )
    try:
        attribute.code(str(value))
        hint = ""
    except SchemaError as unknown:
        hint = unknown.hint
    if any(map(_PREPARED.search, attribute.values)):  # whatever is nearest is not meant
        hint = PREPARE_ALIKE
    elif not hint.startswith("Did"):
        hint = f"Add it to the design's list, or mend the data. {PREPARE_ALIKE}"
    return UnknownValueError(
        f"{where}: {attribute.name!r} has the value {shortened(value)}, which is not "
        f"one of {listed(attribute.values)}.",
        hint=hint,
        discreet=f"{where}: {attribute.name!r} has a value that is not in its list.",
    )
