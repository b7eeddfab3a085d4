"""Counts at rest: a Parquet file of distinct reports and how often each occurs.

It carries the fingerprint of the design, and is asked like the reports that were counted into it.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from deniable.engine.base import Engine, tally_keys
from deniable.engine.counted import CountedEngine
from deniable.engine.files import BATCH_RECORDS, Files, TableFile
from deniable.engine.memory import pack
from deniable.engine.records import Records
from deniable.errors import DataError
from deniable.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa

COUNT = b"deniable.count"
"""Where Parquet metadata names the column of counts."""


def is_counted(file: TableFile) -> bool:
    """Whether a file holds counts rather than records."""
    return COUNT in file.metadata


class CountTable(Files):
    """Distinct reports and their counts, from one file or several."""

    def __init__(self, name: str, files: Sequence[TableFile]) -> None:
        super().__init__(name, files)
        for file in files:
            if not is_counted(file):
                raise DataError(
                    f"{file.path} holds records, and {files[0].path} counts.",
                    hint="Name tables of one kind.",
                )

    @cached_property
    def _count(self) -> str:
        return self.files[0].metadata[COUNT].decode()

    @property
    def names(self) -> tuple[str, ...]:
        """The columns that were counted."""
        return tuple(name for name in super().names if name != self._count)

    def batches(self, columns: Sequence[str]) -> "Iterator[pa.RecordBatch]":
        """Give every report as often as it was counted."""
        for batch in super().batches([*columns, self._count]):
            counts = np.asarray(batch.column(self._count))
            everyone = np.repeat(np.arange(len(counts)), counts)
            reports = batch.drop_columns([self._count])
            for start in range(0, len(everyone), BATCH_RECORDS):
                yield reports.take(everyone[start : start + BATCH_RECORDS])

    def engine(self, schema: Schema) -> Engine:
        """Read the counts."""
        self.require(schema.names)
        keys, counts = [], []
        for batch in super().batches([*schema.names, self._count]):
            records = Records.of(batch, schema, where=self.name)
            keys.append(pack(records.columns, schema.sizes, len(records)).astype(np.int64))
            counts.append(np.asarray(batch.column(self._count)))
        table = tally_keys(
            schema.names,
            schema.sizes,
            np.concatenate([*keys, np.zeros(0, np.int64)]),
            np.concatenate([*counts, np.zeros(0, np.int64)]),
        )
        return CountedEngine(schema, table)
