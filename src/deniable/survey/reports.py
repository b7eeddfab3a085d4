"""Reports, from the characters they are sent as to records that can be counted."""

from collections.abc import Mapping
from functools import cache

import numpy as np
from numpy.typing import NDArray

from deniable.engine.memory.records import Records
from deniable.schema import Schema
from deniable.survey.protocol import REPORT_LETTERS

ReportCodes = NDArray[np.uint8]


def records(reports: Mapping[str, int], schema: Schema) -> Records:
    """Read reports as they are sent."""
    codes = np.frombuffer("".join(reports).encode("ascii"), dtype=np.uint8)
    counts = np.fromiter(reports.values(), dtype=np.int64, count=len(reports))
    table = _codes()[codes].reshape(len(reports), len(schema))
    return Records.from_codes(np.repeat(table, counts, axis=0), schema)


@cache
def _codes() -> ReportCodes:
    found = np.zeros(128, dtype=np.uint8)
    found[list(REPORT_LETTERS.encode("ascii"))] = np.arange(len(REPORT_LETTERS))
    return found


def shuffled(records: Records, generator: np.random.Generator) -> Records:
    """Put records in a random order."""
    return records.among(generator.permutation(len(records)))
