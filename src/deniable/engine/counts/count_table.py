"""Counts at rest: a Parquet file of distinct reports and how often each occurs.

It carries the fingerprint of the design, and is asked like the reports that were counted into it.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
import pyarrow as pa

from deniable.base.arrays import Codes
from deniable.base.errors import DataError
from deniable.engine.engine import Engine, Tabulation, coded, tally_keys
from deniable.engine.files.file_tables import Files, TableFile
from deniable.engine.memory.counted_engine import CountedEngine
from deniable.engine.memory.numpy_engine import pack
from deniable.engine.memory.records import Records, stamped
from deniable.engine.table import BATCH_RECORDS
from deniable.schema import Schema

COUNT = b"deniable.count"
"""Where Parquet metadata names the column of counts."""

BATCHES = b"deniable.batches"
"""Where Parquet metadata lists the batches that were counted, by what tells each from others."""

MOST_RECORDS = 1 << 53
"""Counts are added as floats on the way, which are exact below this."""

MOST_COUNT_CELLS = 1 << 32
"""Cells (records times columns) up to which reports are laid out again, one by one."""


def is_counted(file: TableFile) -> bool:
    """Whether a file holds counts rather than records."""
    return COUNT in file.metadata


def batches_in(file: TableFile) -> list[str]:
    """The batches that were counted into a file."""
    return file.metadata.get(BATCHES, b"").decode().split()


class CountTable(Files):
    """Distinct reports and their counts, from one file or several."""

    def __init__(self, name: str, files: Sequence[TableFile]) -> None:
        super().__init__(name, files)
        owners: dict[str, TableFile] = {}
        for file in files:
            if not is_counted(file):
                raise DataError(
                    f"{name} is records and counts together: {file.path} holds records.",
                    hint="Name tables of one kind.",
                )
            if file.metadata[COUNT].decode() != self._count or self._count not in file.names:
                raise DataError(
                    f"{file.path} has no counts in {self._count!r}.",
                    hint="Make the count table again, from the reports.",
                )
            for batch in set(batches_in(file)):
                if owners.setdefault(batch, file) is not file:
                    raise DataError(
                        f"{owners[batch].path} and {file.path} count the same reports.",
                        hint="Leave one out, or add them up by deniable tabulate --again.",
                    )

    @cached_property
    def _count(self) -> str:
        return next(file.metadata[COUNT].decode() for file in self.files if is_counted(file))

    @property
    def names(self) -> tuple[str, ...]:
        """The columns that were counted."""
        return tuple(name for name in super().names if name != self._count)

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Refuse: whoever reads records as they are would take counts for people."""
        raise DataError(f"{self.name} holds counts of reports.", hint="Name records as they are.")

    def records(self, schema: Schema) -> Iterator[Records]:
        """Give every report as often as it was counted."""
        laid_out = 0
        for reports, counts in self._counted(schema):
            ends, many = counts.cumsum(), int(counts.sum())
            laid_out += many
            if laid_out * len(schema) > MOST_COUNT_CELLS:
                raise DataError(
                    f"{self.name} counts too many reports to lay them out one by one.",
                    hint="Lay out a sample of the reports instead.",
                )
            for start in range(0, many, BATCH_RECORDS):
                places = np.arange(start, min(start + BATCH_RECORDS, many))
                rows = np.searchsorted(ends, places, side="right")
                yield Records(schema, tuple(column[rows] for column in reports.columns))

    def engine(self, schema: Schema) -> Engine:
        """Read the counts."""
        keys, counts = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        for reports, many in self._counted(schema):
            keys.append(pack(reports.columns, schema.sizes, len(reports)).astype(np.int64))
            counts.append(many)
        table = tally_keys(schema.names, schema.sizes, np.concatenate(keys), np.concatenate(counts))
        return CountedEngine(schema, table)

    def held(self, schema: Schema) -> Engine:
        """The same: counts are held however wide the reports are."""
        return self.engine(schema)

    def _counted(self, schema: Schema) -> Iterator[tuple[Records, Codes]]:
        """Read distinct reports and their counts, a batch at a time; errors name the row."""
        self.require(schema.names)
        total = 0.0
        for where, start, batch in self.numbered([*schema.names, self._count]):
            reports = Records.of(batch, schema, where=where, start=start)
            counts = _whole(batch.column(self._count), where)
            # Exact below the limit, and never rounded to below it.
            total += float(counts.sum(dtype=np.float64))
            require_exact(total, self.name)
            yield reports, counts


def require_exact(records: float, where: str) -> None:
    """Refuse more records than can be counted exactly."""
    if records >= MOST_RECORDS:
        raise DataError(
            f"{where} would count {MOST_RECORDS:,} reports or more, which cannot be exact.",
            hint="Keep them in several count tables, and pool their estimates.",
        )


def _whole(column: pa.Array, where: str) -> Codes:
    """Counts as whole numbers; a safe cast refuses fractions."""
    try:
        counts: Codes = column.cast(pa.int64()).fill_null(-1).to_numpy()
    except pa.ArrowException:
        counts = np.full(1, -1)
    if (counts < 0).any():
        raise DataError(
            f"{where} has a count that is missing, negative or no whole number.",
            hint="Make the count table again, from the reports.",
        )
    return counts


def count_table(
    table: Tabulation, schema: Schema, fingerprint: str, batches: Sequence[str]
) -> pa.Table:
    """Write counts as a table that says what it is; reports that nobody gave are left out.

    >>> schema = Schema.of({"smokes": ["no", "yes"], "count": ["0", "1"]})
    >>> table = Tabulation(schema.names, schema.sizes, None, np.array([5, 0, 0, 7]))
    >>> count_table(table, schema, "f00d", ["beef"]).to_pylist()
    [{'smokes': 'no', 'count': '0', 'count_': 5}, {'smokes': 'yes', 'count': '1', 'count_': 7}]
    """
    keys, counts = table.occurring()
    count, taken = "count", {name.casefold() for name in schema.names}
    while count in taken:
        count += "_"
    arrow = Records(schema, coded(keys, schema.sizes)).to_arrow()
    arrow = arrow.append_column(count, pa.array(counts, pa.int64()))
    more = {COUNT: count, BATCHES: " ".join(sorted(batches))}
    return stamped(arrow, fingerprint, more)
