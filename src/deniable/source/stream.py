"""Disguising files of any size: a batch in, a batch out, the whole file or nothing."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pyarrow as pa

from deniable.base.errors import DataError, OutputError
from deniable.base.files import refuse_to_overwrite, whole_file
from deniable.design import Design
from deniable.engine.counts.count_table import CountTable
from deniable.engine.files.file_tables import Files
from deniable.engine.files.write_parquet import write_parquet
from deniable.engine.memory.records import DESIGN_STAMP, Records
from deniable.engine.open_table import open_table
from deniable.engine.table import Table
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
        require_records(written, table)
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


def require_records(written: int, table: Table) -> None:
    """Refuse a table without records."""
    if written == 0:
        raise DataError(f"{table.name} has no records.", hint="Collect some first.")


def disguised_stream(
    table: Table, design: Design, bits: Bits, progress: Progress
) -> Iterator[pa.Table]:
    """Disguise a whole table, batch by batch."""
    columns = raw_columns(design)
    if isinstance(table, Files):
        streams = [(str(file.path), file.batches(columns)) for file in table.files]
    else:
        streams = [(table.name, table.batches(columns))]
    done = 0
    for where, batches in streams:
        for reports in disguised(batches, design, bits, where=where):
            yield reports
            done += reports.num_rows
            progress(done)


def disguised(
    batches: Iterable[pa.RecordBatch], design: Design, bits: Bits, *, where: str, start: int = 0
) -> Iterator[pa.Table]:
    """Disguise batches one by one; errors name the row, counted from the start."""
    for batch in batches:
        truth = Records.of(batch, design.schema, where=where, start=start)
        personal = read_personal(batch, design, where=where, start=start)
        start += batch.num_rows
        yield disguised_table(disguise_records(truth, personal, design, bits), design)


def disguised_table(records: Records, design: Design) -> pa.Table:
    """Give reports as an Arrow table that carries the design's fingerprint."""
    table = records.to_arrow()
    return table.replace_schema_metadata({DESIGN_STAMP: design.fingerprint.encode()})
