"""Writing Parquet in row groups of a fair size, as tables come."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from deniable.base.errors import OutputError
from deniable.engine.memory.records import Records

GROUP_RECORDS = 1 << 16
"""Records of a row group, at least."""


def require_parquet_name(path: str | Path) -> None:
    """Refuse to write Parquet into a file that is named otherwise."""
    if Path(path).suffix != ".parquet":
        raise OutputError(f"{path} is not named like Parquet.", hint="End its name in .parquet.")


def write_parquet(path: Path, tables: Iterable[pa.Table]) -> int:
    """Write tables of one schema as they come, in row groups of a fair size; count the records."""
    with ExitStack() as stack:
        writer: pq.ParquetWriter | None = None
        records = 0
        for table in _gathered(tables):
            if writer is None:
                # As many records at once as there are: 1,024 by themselves are a loop in a loop.
                writer = stack.enter_context(
                    pq.ParquetWriter(path, table.schema, write_batch_size=GROUP_RECORDS)
                )
            writer.write_table(table)
            records += table.num_rows
    return records


def row_groups(parts: Iterable[Records]) -> Iterator[Records]:
    """Put records of one schema together until they fill a row group."""
    waiting: list[Records] = []
    for part in parts:
        waiting.append(part)
        if sum(map(len, waiting)) >= GROUP_RECORDS:
            yield Records.joined(waiting)
            waiting = []
    if waiting:
        yield Records.joined(waiting)


def _gathered(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
    waiting: list[pa.Table] = []
    for table in tables:
        waiting.append(table)
        if sum(each.num_rows for each in waiting) >= GROUP_RECORDS:
            yield pa.concat_tables(waiting)
            waiting = []
    if waiting:
        yield pa.concat_tables(waiting)
