"""Tables on disk: read in batches, written whole or not at all.

A Parquet file made by `deniable disguise` carries the fingerprint of its design, and is refused
when another design is given to read it.
"""

import csv
import errno
import os
import re
import secrets
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cached_property
from math import prod
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from deniable.engine.base import DENSE_CELLS, Columns, Engine, Tabulation
from deniable.engine.counted import CountedEngine
from deniable.engine.memory import MemoryEngine
from deniable.engine.records import FINGERPRINT, Records, require_fingerprint
from deniable.errors import DataError, OutputError, nearest
from deniable.schema import Schema

PARQUET_MAGIC = b"PAR1"
BLOCK_BYTES = 1 << 19
LARGEST_BLOCK = 1 << 28
LINE_PROBE = 1 << 28
BATCH_RECORDS = 1 << 16
MERGED = 16
"""Batches whose counts are added at once."""


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
                tuple(pq.read_schema(self.path).names) if self.is_parquet else self._header()
            )
        for name in set(self.names):
            if self.names.count(name) > 1:
                raise DataError(f"{path} has two columns named {name!r}.", hint="Rename one.")

    def _header(self) -> tuple[str, ...]:
        with self.path.open(encoding="utf-8-sig", newline="") as file:
            return tuple(next(csv.reader(file, delimiter=self.delimiter), ()))

    def _only_header(self) -> bool:
        with self.path.open(encoding="utf-8", errors="replace") as file:  # any kind of line end
            return not (file.readline(LINE_PROBE) and file.readline(LINE_PROBE))

    @cached_property
    def delimiter(self) -> str:
        """A tab in .tsv; a semicolon, as spreadsheets of much of Europe write, if that is it."""
        with self.path.open(encoding="utf-8-sig", errors="replace") as file:
            header = file.readline(LINE_PROBE)
        if self.path.suffix.lower() == ".tsv":
            return "\t"
        return next((sign for sign in ",;\t" if sign in header), ",")

    def require(self, names: Iterable[str]) -> None:
        """Refuse names that the file does not have."""
        for name in names:
            if name not in self.names:
                raise DataError(
                    f"{self.path} has no column {name!r}.", hint=nearest(name, self.names)
                )

    @cached_property
    def fingerprint(self) -> str | None:
        """Of the design that disguised the file, if it says so."""
        if not self.is_parquet:
            return None
        found = (pq.read_schema(self.path).metadata or {}).get(FINGERPRINT)
        return found.decode() if found else None

    def check_fingerprint(self, expected: str) -> None:
        """Refuse a file of another design."""
        require_fingerprint(self.fingerprint, expected, str(self.path))

    def batches(self, columns: Sequence[str]) -> "Iterator[pa.RecordBatch]":
        """Read some columns, a block at a time; CSV values stay the text they are."""
        present = [name for name in columns if name in self.names]
        with _read_errors(self.path):
            if self.is_parquet:
                schema = pq.read_schema(self.path)
                words = [name for name in present if pa.types.is_string(schema.field(name).type)]
                with pq.ParquetFile(self.path, read_dictionary=words) as file:
                    yield from file.iter_batches(batch_size=BATCH_RECORDS, columns=present)
            elif not self._only_header():
                yield from self._csv_batches(present)

    def _csv_batches(self, columns: list[str]) -> "Iterator[pa.RecordBatch]":
        """Read CSV; where a line is longer than a block, go on with a larger block."""
        done = 0
        for block in (BLOCK_BYTES, LARGEST_BLOCK):
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
                if "straddling" not in str(error) or block == LARGEST_BLOCK:
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

    def records(self, schema: Schema) -> Iterator[Records]:
        """Read records of a schema, a batch at a time; errors name the row."""
        self.require(schema.names)
        start = 0
        for batch in self.batches(schema.names):
            records = Records.of(batch, schema, where=str(self.path), start=start)
            start += batch.num_rows
            yield records


class FileEngine:
    """Counts a file's records as they stream by; memory does not grow with the file."""

    def __init__(self, path: str | Path, schema: Schema) -> None:
        self.file = TableFile(path)
        self.schema = schema

    def tabulate(self, column_sets: Sequence[Columns]) -> list[Tabulation]:
        """Count distinct records over each set of columns, in one pass."""
        used = {name for columns in column_sets for name in columns}
        names = [name for name in self.schema.names if name in used] or self.schema.names[:1]
        parts: list[list[Tabulation]] = []
        for records in self.file.records(self.schema.select(names)):
            parts.append(MemoryEngine(records).tabulate(column_sets))
            if len(parts) == MERGED:
                parts = [_merged(parts)]
        if not parts:
            raise DataError(f"{self.file.path} has no records.", hint="Collect some first.")
        return _merged(parts)

    def held(self) -> Engine:
        """Read the file once, into counts or, where patterns are many, into records."""
        if prod(self.schema.sizes) <= DENSE_CELLS:
            return CountedEngine(self.schema, self.tabulate([self.schema.names])[0])
        batches = list(self.file.records(self.schema))
        if not batches:
            raise DataError(f"{self.file.path} has no records.", hint="Collect some first.")
        return MemoryEngine(Records.joined(batches))


def _merged(parts: list[list[Tabulation]]) -> list[Tabulation]:
    return [Tabulation.merged(same) for same in zip(*parts, strict=True)]


def write_parquet(path: Path, tables: "Iterable[pa.Table]") -> int:
    """Write tables of one schema as they come, in row groups of a fair size; count the records."""
    with ExitStack() as stack:
        writer: pq.ParquetWriter | None = None
        records = 0
        for table in _gathered(tables):
            if writer is None:
                writer = stack.enter_context(pq.ParquetWriter(path, table.schema))
            writer.write_table(table)
            records += table.num_rows
    return records


def _gathered(tables: "Iterable[pa.Table]") -> "Iterator[pa.Table]":
    waiting: list[pa.Table] = []
    for table in tables:
        waiting.append(table)
        if sum(each.num_rows for each in waiting) >= BATCH_RECORDS:
            yield pa.concat_tables(waiting)
            waiting = []
    if waiting:
        yield pa.concat_tables(waiting)


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """Give a temporary name beside the path; what is written there appears whole, or not at all."""
    target = Path(path).resolve()
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        if target.is_dir():
            raise OutputError(f"{path} is a directory.", hint="Name a file to write.")
        if target.exists() and not target.is_file():
            raise OutputError(f"{path} is not a regular file.", hint="Name a file to write.")
        temporary.touch(exist_ok=False)
    except OSError as error:
        raise _cannot_write(path, error) from None
    try:
        yield temporary
        try:
            with temporary.open("rb+") as file:
                os.fsync(file.fileno())
            if target.exists():
                temporary.chmod(stat.S_IMODE(target.stat().st_mode))
            temporary.replace(target)
        except OSError as error:
            raise _cannot_write(path, error) from None
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}:
            raise _cannot_write(path, error) from None
        raise
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def _cannot_write(path: str | Path, error: OSError) -> OutputError:
    reason = os.strerror(error.errno).lower() if error.errno else str(error)
    return OutputError(
        f"{path} cannot be written: {reason}.", hint="Choose another place for the output."
    )


@contextmanager
def _read_errors(path: Path) -> Iterator[None]:
    """Turn what can go wrong with a file into one sentence."""
    try:
        yield
    except FileNotFoundError:
        raise DataError(f"{path} does not exist.", hint="Check the name.") from None
    except IsADirectoryError:
        raise DataError(f"{path} is a directory.", hint="Name a CSV or Parquet file.") from None
    except UnicodeDecodeError:
        raise DataError(f"{path} is not text in UTF-8.", hint="Save it as UTF-8.") from None
    except (pa.ArrowException, csv.Error) as error:
        raise _broken(path, str(error)) from None
    except OSError as error:
        if error.errno:
            raise DataError(f"{path} cannot be read: {os.strerror(error.errno).lower()}.") from None
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
