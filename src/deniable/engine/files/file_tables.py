"""Tables in files: one CSV or Parquet file, or many shards of one kind.

A Parquet file made by `deniable disguise` carries the fingerprint of its design, and is refused
when another design is given to read it.
"""

import csv
import re
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from math import prod
from pathlib import Path
from typing import TextIO

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from deniable.base.errors import DataError
from deniable.base.files import read_errors
from deniable.engine.engine import DENSE_CELLS, Engine
from deniable.engine.memory.numpy_engine import MemoryEngine
from deniable.engine.memory.records import says_undisguised, stamp_in
from deniable.engine.table import BATCH_RECORDS, NumberedBatch, Table, numbered
from deniable.schema import Schema

PARQUET_MAGIC = b"PAR1"
BLOCK_BYTES = 1 << 19
BUFFER_BYTES = 1 << 16

LONGEST_LINE = 1 << 24
"""Bytes of a line of CSV, at most: of a file that is one line, no more than that is read."""

READ_CELLS = 1 << 26
"""Cells (records times columns) up to which a file is read at once; more are counted by DuckDB."""

HELD_CELLS = 1 << 29
"""Cells up to which wide records are held, a byte each, for the many questions of a miner."""


class TableFile:
    """A CSV or Parquet file, opened far enough to know its columns."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        with _read_errors(self.path):
            if not stat.S_ISREG(self.path.stat().st_mode) and not self.path.is_dir():
                raise DataError(f"{path} is not a regular file.", hint="Save it as a file first.")
            if self.path.stat().st_size == 0:
                raise DataError(f"{path} is empty.", hint="Name a file with a header and records.")
            with self.path.open("rb") as file:
                self.is_parquet = file.read(4) == PARQUET_MAGIC
            if self.path.suffix == ".parquet" and not self.is_parquet:
                raise DataError(
                    f"{path} is not a Parquet file.", hint="Rename it, or write it again."
                )
            self.names: tuple[str, ...] = (
                tuple(pq.read_schema(self.whole_path).names) if self.is_parquet else self._header()
            )
        first: dict[str, int] = {}
        for place, name in enumerate(self.names, start=1):
            if first.setdefault(name, place) != place:
                # Without the name: a CSV file that has no header has somebody's answers there.
                raise DataError(
                    f"{path} has two columns of one name, the {first[name]}. and the {place}.",
                    hint="Rename one; the first line of a CSV file must name the columns.",
                )

    def _header(self) -> tuple[str, ...]:
        with self.path.open(encoding="utf-8-sig", newline="") as file:
            return tuple(next(csv.reader(self._lines(file), delimiter=self.delimiter), ()))

    def _lines(self, file: TextIO) -> Iterator[str]:
        """Read a header that may be quoted over several lines, and refuse one without end."""
        left = LONGEST_LINE
        while line := file.readline(left + 1):
            left -= len(line)
            if left < 0:
                raise DataError(
                    f"{self.path} has a first line of more than {LONGEST_LINE >> 20} MiB.",
                    hint="It must name the columns; check that this is a CSV file.",
                )
            yield line

    def _only_header(self) -> bool:
        with self.path.open(encoding="utf-8", errors="replace") as file:  # any kind of line end
            return not (file.readline(LONGEST_LINE) and file.readline(LONGEST_LINE))

    @cached_property
    def delimiter(self) -> str:
        """A tab in .tsv; a semicolon, as spreadsheets of much of Europe write, if that is it."""
        with self.path.open(encoding="utf-8-sig", errors="replace") as file:
            header = file.readline(LONGEST_LINE)
        if self.path.suffix.lower() == ".tsv":
            return "\t"
        return next((sign for sign in ",;\t" if sign in header), ",")

    @property
    def whole_path(self) -> Path:
        """Where the file is, from the root: Arrow takes a name such as ``a:b`` for a network's."""
        return self.path.absolute()

    @cached_property
    def types(self) -> "pa.Schema | None":
        """The columns' types, and what else a Parquet file says of itself."""
        return pq.read_schema(self.whole_path) if self.is_parquet else None

    @property
    def metadata(self) -> dict[bytes, bytes]:
        """What a Parquet file says of itself."""
        found: dict[bytes, bytes] = (self.types.metadata if self.types else None) or {}
        return found

    def cells(self, columns: int) -> int:
        """Roughly how many cells there are in so many of the columns."""
        if self.is_parquet:
            return int(pq.read_metadata(self.whole_path).num_rows) * columns
        return self.path.stat().st_size * columns // max(len(self.names), 1) // 2

    def batches(
        self, columns: Sequence[str], groups: Sequence[int] | None = None, most: int | None = None
    ) -> "Iterator[pa.RecordBatch]":
        """Read some columns, a block at a time; CSV values stay the text they are.

        Of Parquet, only some row groups if they are given, and at most so many records at once.
        """
        present = [name for name in columns if name in self.names]
        with _read_errors(self.path):
            if self.is_parquet:
                kinds = {field.name: field.type for field in self.types or ()}
                words = [name for name in present if pa.types.is_string(kinds[name])]
                # Buffered, pages are read as they are needed: a row group may exceed the memory.
                with pq.ParquetFile(
                    self.whole_path,
                    read_dictionary=words,
                    pre_buffer=False,
                    buffer_size=BUFFER_BYTES,
                ) as file:
                    yield from file.iter_batches(most or BATCH_RECORDS, groups, present)
            elif not self._only_header():
                yield from self._csv_batches(present)

    def _csv_batches(self, columns: list[str]) -> "Iterator[pa.RecordBatch]":
        """Read CSV; where a line is longer than a block, go on with a larger block."""
        done = 0
        for block in (BLOCK_BYTES, LONGEST_LINE):
            skip = done
            try:
                with self._open_csv(columns, block) as reader:
                    for batch in reader:
                        fresh = batch.slice(min(skip, batch.num_rows))
                        skip -= batch.num_rows - fresh.num_rows
                        done += fresh.num_rows
                        yield fresh
                return
            except pa.ArrowInvalid as error:
                if "straddling" not in str(error) or block == LONGEST_LINE:
                    raise

    def _open_csv(self, columns: list[str], block: int) -> "pacsv.CSVStreamingReader":
        return pacsv.open_csv(
            self.path,
            read_options=pacsv.ReadOptions(block_size=block),
            parse_options=pacsv.ParseOptions(
                delimiter=self.delimiter,
                newlines_in_values=True,
                # An empty line is a missing value only where there is nothing else to a record.
                ignore_empty_lines=len(self.names) > 1,
            ),
            convert_options=pacsv.ConvertOptions(
                column_types=dict.fromkeys(columns, pa.string()),
                include_columns=columns,
                strings_can_be_null=False,
            ),
        )


class Files(Table):
    """One file, or shards with the same columns."""

    any_thread = True

    def __init__(self, name: str, files: Sequence[TableFile]) -> None:
        self.name, self.files = name, tuple(files)
        first = self.files[0]
        for file in self.files[1:]:
            if set(file.names) != set(first.names) or file.is_parquet != first.is_parquet:
                raise DataError(
                    f"{file.path} has other columns than {first.path}.",
                    hint="Shards of one table have the same columns and are of one kind.",
                )
            if stamp_in(file.metadata) != stamp_in(first.metadata):
                raise DataError(
                    f"{file.path} was not disguised like {first.path}.",
                    hint="Name the shards of one design.",
                )
        self.paths = tuple(file.path for file in self.files)
        self.fingerprint = stamp_in(first.metadata)
        self.undisguised = any(says_undisguised(file.metadata) for file in self.files)

    @property
    def names(self) -> tuple[str, ...]:
        """The columns, in the order of the first file."""
        return self.files[0].names

    @property
    def types(self) -> "pa.Schema | None":
        """The columns' types in the first file."""
        return self.files[0].types

    def batches(self, columns: Sequence[str]) -> "Iterator[pa.RecordBatch]":
        """Read some columns, file after file."""
        return (batch for _, _, batch in self.numbered(columns))

    def numbered(self, columns: Sequence[str]) -> Iterator[NumberedBatch]:
        """Read the same; errors name the file and its row."""
        for file in self.files:
            yield from numbered(file.batches(columns), str(file.path))

    def engine(self, schema: Schema) -> Engine:
        """Count in memory what fits there easily, and by DuckDB what does not."""
        if self._cells(schema) <= READ_CELLS:
            return MemoryEngine(self.read(schema))
        self.require(schema.names)
        from deniable.engine.files.duckdb_engine import Embedded
        from deniable.engine.sql.pushed_engine import PushedEngine

        return PushedEngine(Embedded(self.name, self.files), schema, lambda: self._reread(schema))

    def held(self, schema: Schema) -> Engine:
        """The same; wide records are held themselves, while they fit."""
        if prod(schema.sizes) > DENSE_CELLS and self._cells(schema) <= HELD_CELLS:
            return MemoryEngine(self.read(schema))
        return super().held(schema)

    def _cells(self, schema: Schema) -> int:
        return sum(file.cells(len(schema)) for file in self.files)

    def _reread(self, schema: Schema) -> None:
        """Read record by record, for an error that names the row."""
        for _ in self.records(schema):
            pass


@contextmanager
def _read_errors(path: Path) -> Iterator[None]:
    """Turn what can go wrong with a file into one sentence."""
    try:
        with read_errors(path, "a CSV or Parquet file"):
            yield
    except (pa.ArrowException, csv.Error, OSError) as error:
        raise _broken(path, str(error)) from None


def _broken(path: Path, problem: str) -> DataError:
    ragged = re.search(r"Expected (\d+) columns, got (\d+)", problem)
    if ragged:
        # Arrow's message would print the line itself, which may be someone's raw answers.
        expected, got = ragged.groups()
        return DataError(
            f"{path}{_ragged_line(path, int(expected))}: expected {expected} columns, got {got}.",
            hint="Mend that line.",
        )
    if "straddling" in problem:
        return DataError(
            f"{path} has a line of more than {LONGEST_LINE >> 20} MiB.",
            hint="Check that this is a CSV file, and that every quote in it is closed.",
        )
    first = problem.splitlines()[0] if problem else "unreadable"
    return DataError(
        f"{path} cannot be read: {first.rstrip('.')}.",
        hint="The file may be cut short or damaged; write it again.",
    )


def _ragged_line(path: Path, columns: int) -> str:
    """Find the first line that has too few or too many values."""
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        reader = csv.reader(file, delimiter=TableFile(path).delimiter)
        line = next((reader.line_num for row in reader if row and len(row) != columns), None)
    return f", line {line}" if line else ""
