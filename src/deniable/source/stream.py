"""Disguising files of any size: a batch in, a batch out, the whole file or nothing."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pyarrow as pa

from deniable.base.errors import DataError, OutputError
from deniable.base.files import refuse_to_overwrite, whole_file
from deniable.design import Design
from deniable.engine.counts.count_table import CountTable
from deniable.engine.files.write_parquet import write_parquet
from deniable.engine.memory.records import Records, stamped
from deniable.engine.open_table import open_table
from deniable.engine.table import NumberedBatch, Table
from deniable.source.disguise import bits_for, disguise_records, personal_schema, read_personal
from deniable.source.randomness import Bits

Progress = Callable[[int], None]
"""Is told the number of records that are done."""


def disguise_file(
    raw: str | Path,
    design: Design,
    out: str | Path,
    *,
    random_state: int | None = None,
    progress: Progress = lambda _: None,
) -> int:
    """Disguise a table into one Parquet file; return the number of records."""
    table = open_table(raw)
    if Path(out).suffix != ".parquet":
        raise OutputError(
            f"{out} would not carry the design's fingerprint.",
            hint="End its name in .parquet, or in / to write a folder of such files.",
        )
    refuse_to_overwrite(out, table.paths)
    require_raw(table, design)
    bits = bits_for(random_state)
    with whole_file(out) as temporary:
        written = write_parquet(temporary, disguised_stream(table, design, bits, progress))
        table.require_some(written)
    return written


def raw_columns(design: Design) -> list[str]:
    """What is read of raw records: attributes, and personal answers where the design needs them."""
    return [*design.schema.names, *personal_schema(design).names]


def require_raw(table: Table, design: Design) -> None:
    """Refuse what is disguised already, and what lacks a column that the design disguises."""
    if table.fingerprint is not None:
        raise DataError(
            f"{table.name} is disguised already.",
            hint="Disguise the raw file; twice cannot be undone.",
        )
    if isinstance(table, CountTable):
        raise DataError(f"{table.name} holds counts, not records.", hint="Name the raw records.")
    table.require(raw_columns(design))


def disguised_stream(
    table: Table, design: Design, bits: Bits, progress: Progress
) -> Iterator[pa.Table]:
    """Disguise a whole table, batch by batch."""
    done = 0
    for reports in disguised(table.numbered(raw_columns(design)), design, bits):
        yield reports
        done += reports.num_rows
        progress(done)


def disguised(batches: Iterable[NumberedBatch], design: Design, bits: Bits) -> Iterator[pa.Table]:
    """Disguise batches one by one; errors name the row."""
    for where, start, batch in batches:
        truth = Records.of(batch, design.schema, where=where, start=start)
        personal = read_personal(batch, design, where=where, start=start)
        yield disguised_table(disguise_records(truth, personal, design, bits), design)


def disguised_table(records: Records, design: Design) -> pa.Table:
    """Give reports as an Arrow table that carries the design's fingerprint."""
    return stamped(records.to_arrow(), design.fingerprint)
