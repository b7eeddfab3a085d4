"""A second reading of "the median point of the range": nominal codes are split where it is.

`prepared_sets.binary` splits the sorted codes of a nominal attribute at the median over the
*records*. Here they are split at the middle of the *codes*, the middle one counting as upper. The
papers do not say which; numbers are split at the median either way.
"""

from functools import cache

import numpy as np

from deniable.engine.memory.records import Records
from deniable.papers.prepared_sets import binary, own_values
from deniable.schema import Schema

CODINGS = {
    "median": "nominal codes split at the median over the records",
    "range": "nominal codes split at the middle of their range",
}

LOWER_CODES, UPPER_CODES = "lower codes", "upper codes"


def coded(name: str, coding: str) -> Records:
    """Read a set in one of the readings."""
    return binary(name) if coding == "median" else by_range(name)


@cache
def by_range(name: str) -> Records:
    """Read a set: numbers split at the median, nominal codes at the middle of their range."""
    people = own_values(name)
    values, columns = {}, []
    for attribute, column in zip(people.schema, people.columns, strict=True):
        few = attribute.size <= 2  # noqa: PLR2004 (two values are two values already)
        values[attribute.name] = attribute.values if few else (LOWER_CODES, UPPER_CODES)
        columns.append(column if few else (column >= (attribute.size - 1) / 2).astype(np.uint8))
    return Records.from_codes(columns, Schema.of(values))
