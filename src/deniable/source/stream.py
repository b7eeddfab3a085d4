"""Disguising files of any size: a batch in, a batch out, the whole file or nothing."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa

from deniable.design import Design
from deniable.engine.opening import open_table
from deniable.engine.records import FINGERPRINT, Records
from deniable.engine.writing import refuse_to_overwrite, whole_file, write_parquet
from deniable.errors import DataError, OutputError
from deniable.source.disguise import bits_for, disguise_records, personal_schema, read_personal


def disguise_file(
    raw: str | Path,
    design: Design,
    out: str | Path,
    *,
    seed: int | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> int:
    """Disguise a CSV or Parquet file into a Parquet file; return the number of records."""
    file = open_table(raw)
    if Path(out).suffix != ".parquet":
        raise OutputError(
            f"{out} would not carry the design's fingerprint.", hint="End its name in .parquet."
        )
    refuse_to_overwrite(out, file.paths)
    if file.fingerprint is not None:
        raise DataError(
            f"{raw} is disguised already.", hint="Disguise the raw file; twice cannot be undone."
        )
    bits = bits_for(seed)
    columns = [*design.schema.names, *personal_schema(design).names]
    file.require(columns)

    def tables() -> Iterator[pa.Table]:
        done = 0
        for batch in file.batches(columns):
            records = Records.of(batch, design.schema, where=str(raw), start=done)
            personal = read_personal(batch, design, where=str(raw), start=done)
            yield disguised_table(disguise_records(records, personal, design, bits), design)
            done += batch.num_rows
            progress(done)

    with whole_file(out) as temporary:
        written = write_parquet(temporary, tables())
        if written == 0:
            raise DataError(f"{raw} has no records.", hint="Collect some first.")
    return written


def disguised_table(records: Records, design: Design) -> pa.Table:
    """Give reports as an Arrow table that carries the design's fingerprint."""
    table = records.to_arrow()
    return table.replace_schema_metadata({FINGERPRINT: design.fingerprint.encode()})
