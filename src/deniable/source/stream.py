"""Disguising files of any size: a batch in, a batch out, the whole file or nothing.

Reading, disguising and writing are stages of a pipeline. Batches pass them one by one and in order,
so that a seed gives the same reports however many cores there are.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from pathlib import Path

import pyarrow as pa

from deniable.base.errors import DataError, OutputError
from deniable.base.files import refuse_to_overwrite, whole_file
from deniable.base.pipeline import stage
from deniable.design import Design, personal_schema
from deniable.engine.counts.count_table import CountTable
from deniable.engine.files.write_parquet import row_groups, write_parquet
from deniable.engine.memory.records import Records, stamped
from deniable.engine.open_table import open_table
from deniable.engine.table import NumberedBatch, Table
from deniable.source.disguise import bits_for, disguise_records, read_personal
from deniable.source.randomness import Bits, SeededBits

BATCH_CELLS = 1 << 19
"""Cells (records times columns) up to which batches are put together."""

NumberedBatches = tuple[str, int, list[pa.RecordBatch]]
"""Batches that follow each other, with the place of the first."""

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
    apart = table.any_thread
    with (
        whole_file(out) as temporary,
        stage(together(table.numbered(raw_columns(design))), apart=apart) as batches,
        stage(disguised(batches, design, bits), apart=apart) as reports,
    ):
        written = write_parquet(temporary, told(reports, progress))
        table.require_some(written)
    return written


def raw_columns(design: Design) -> list[str]:
    """What is read of raw records: attributes, and personal answers where the design needs them."""
    return [*design.schema.names, *personal_schema(design).names]


def require_raw(table: Table, design: Design) -> None:
    """Refuse what is disguised already, and what lacks a column that the design disguises."""
    design.require_device()
    if table.fingerprint is not None:
        raise DataError(
            f"{table.name} is disguised already.",
            hint="Disguise the raw file; twice cannot be undone.",
        )
    if isinstance(table, CountTable):
        raise DataError(f"{table.name} holds counts, not records.", hint="Name the raw records.")
    table.require(raw_columns(design))


def told(reports: Iterable[pa.Table], progress: Progress) -> Iterator[pa.Table]:
    """Tell of reports once they were taken."""
    done = 0
    for each in reports:
        yield each
        done += each.num_rows
        progress(done)


def disguised(batches: Iterable[NumberedBatches], design: Design, bits: Bits) -> Iterator[pa.Table]:
    """Disguise batches one by one, and give reports a row group at a time; errors name the row."""
    for reports in row_groups(_reports(batches, design, bits)):
        yield disguised_table(reports, design)


def _reports(batches: Iterable[NumberedBatches], design: Design, bits: Bits) -> Iterator[Records]:
    for where, start, several in batches:
        read = pa.Table.from_batches(several)
        truth = Records.of(read, design.schema, where=where, start=start)
        personal = read_personal(read, design, where=where, start=start)
        ends = [read.num_rows]
        if isinstance(bits, SeededBits):
            # Each by itself: a seed gives what it gives, however many are looked up at once.
            ends = list(accumulate(batch.num_rows for batch in several))
        for rows in map(slice, [0, *ends], ends):
            answers = personal and personal.among(rows)
            yield disguise_records(truth.among(rows), answers, design, bits)


def together(batches: Iterable[NumberedBatch]) -> Iterator[NumberedBatches]:
    """Put small batches together that follow each other in one place."""
    several: list[pa.RecordBatch] = []
    place, first, cells = "", 0, 0
    for where, start, batch in batches:
        more = batch.num_rows * batch.num_columns
        if several and where != place:
            yield place, first, several
            several = []
        if not several:
            place, first, cells = where, start, 0
        several.append(batch)
        cells += more
        if cells + more > BATCH_CELLS:  # another one like it would be too many
            yield place, first, several
            several = []
    if several:
        yield place, first, several


def disguised_table(records: Records, design: Design) -> pa.Table:
    """Give reports as an Arrow table that carries the design's fingerprint."""
    return stamped(records.to_arrow(), design.fingerprint)
