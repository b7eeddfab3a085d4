"""Disguising files of any size: a batch in, a batch out, the whole file or nothing."""

from collections.abc import Callable
from pathlib import Path
from typing import Self

import pyarrow as pa
import pyarrow.parquet as pq

from deniable.design import Design
from deniable.engine.files import BATCH_RECORDS, FINGERPRINT, TableFile, whole_file
from deniable.engine.records import Records
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
    file = TableFile(raw)
    if Path(out).suffix != ".parquet":
        raise OutputError(
            f"{out} would not carry the design's fingerprint.", hint="End its name in .parquet."
        )
    if Path(out).resolve() == Path(raw).resolve():
        raise OutputError(f"{out} is the raw file itself.", hint="Give the output another name.")
    bits = bits_for(seed)
    columns = [*design.schema.names, *personal_schema(design).names]
    done = 0
    with whole_file(out) as temporary, _Writer(temporary, design) as writer:
        for batch in file.batches(columns):
            records = Records.of(batch, design.schema, where=str(raw), start=done)
            personal = read_personal(batch, design, where=str(raw), start=done)
            writer.write(disguise_records(records, personal, design, bits))
            done += batch.num_rows
            progress(done)
        if done == 0:
            raise DataError(f"{raw} has no records.", hint="Collect some first.")
    return done


def disguised_table(records: Records, design: Design) -> pa.Table:
    """Give reports as an Arrow table that carries the design's fingerprint."""
    table = records.to_arrow()
    return table.replace_schema_metadata({FINGERPRINT: design.fingerprint.encode()})


class _Writer:
    """Gathers batches into row groups of a fair size."""

    def __init__(self, path: Path, design: Design) -> None:
        self._design = design
        schema = disguised_table(
            Records.from_codes([[]] * len(design.schema), design.schema), design
        )
        self._file = pq.ParquetWriter(path, schema.schema)
        self._waiting: list[pa.Table] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self._flush()
        self._file.close()

    def write(self, records: Records) -> None:
        self._waiting.append(disguised_table(records, self._design))
        if sum(table.num_rows for table in self._waiting) >= BATCH_RECORDS:
            self._flush()

    def _flush(self) -> None:
        if self._waiting:
            self._file.write_table(pa.concat_tables(self._waiting))
            self._waiting = []
