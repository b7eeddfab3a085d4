"""What recipes of all kinds share: labels, and perhaps a value for what is missing."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from deniable.base.arrays import Codes
from deniable.base.entries import Entry

UNKNOWN_CODE = -1
"""The code of a cell that a recipe has no value for."""

MISSING = "missing"
"""The value of a missing answer, where that name is free."""

OTHER = "other"
"""The value of rare answers, where that name is free."""


class Labelled:
    """Labels in the order of their codes; what is missing has the last value, if it has one."""

    missing: str | None

    if TYPE_CHECKING:  # or a field of this name would take it for its default

        @property
        def labels(self) -> tuple[str, ...]: ...  # noqa: D102

    @property
    def values(self) -> tuple[str, ...]:
        """The labels, and the missing value."""
        return self.labels if self.missing is None else (*self.labels, self.missing)

    def with_missing(self, codes: Codes, cells: pa.Array) -> Codes:
        """Put the missing value's code where a cell is null."""
        code = UNKNOWN_CODE if self.missing is None else len(self.labels)
        return np.where(np.asarray(cells.is_null()), code, codes)


def free_name(name: str, taken: Sequence[str]) -> str:
    """Give a name, or one like it that is not taken."""
    while name in taken:
        name += "_"
    return name


def part(entry: Entry, name: str) -> Entry:
    """A part that a recipe must have."""
    return entry.entries("Write its kind, with splits or groups.", required=(name,))[name]
