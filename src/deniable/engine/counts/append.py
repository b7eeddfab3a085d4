"""Adding counts up: batches of reports into a stored count table.

Batches are counted first, which may take long. Then, under a lock, the stored counts are read,
added to and replaced as a whole: batches that arrive at the same time are all counted, and readers,
like crashes, find the table as it was before or after. A batch is known by the contents of its
files, so that none is counted twice.
"""

import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import reduce
from glob import escape
from math import prod
from pathlib import Path

from deniable.base.errors import DataError, EstimateError
from deniable.base.files import (
    lock,
    read_errors,
    refuse_to_overwrite,
    sync,
    whole_file,
    write_errors,
)
from deniable.base.fingerprint import digest_of
from deniable.engine.counts.count_table import (
    CountTable,
    batches_in,
    count_table,
    is_counted,
    require_exact,
)
from deniable.engine.engine import LARGEST_DOMAIN, Tabulation
from deniable.engine.files.file_tables import Files, TableFile
from deniable.engine.files.write_parquet import require_parquet_name, write_parquet
from deniable.engine.memory.records import stamp_in
from deniable.engine.table import Table
from deniable.schema import Schema

MOST_BATCHES = 1 << 20
"""Batches that fit into what Parquet readers take for metadata (100 MB)."""


@dataclass(frozen=True)
class Appended:
    """How many records were added, and what the count table holds now."""

    added: int
    records: int
    distinct: int


@dataclass(frozen=True)
class Batches:
    """A table, and what tells its batches from all others.

    A table of a database may have grown since it was last counted: each time it is a new batch.
    """

    table: Table
    marks: tuple[str, ...]
    _state: tuple[object, ...]

    @classmethod
    def of(cls, table: Table) -> "Batches":
        """Look at a table's files."""
        state = _state(table)
        if isinstance(table, Files):
            return cls(table, tuple(mark for file in table.files for mark in _marks(file)), state)
        return cls(table, (secrets.token_hex(32),), state)

    def counted(self, schema: Schema) -> Tabulation:
        """Count whole reports."""
        try:
            (found,) = self.table.engine(schema).tabulate([schema.names])
        except EstimateError as error:
            raise EstimateError(error.message, hint="Mine the reports themselves.") from None
        self.table.require_some(found.n)
        if _state(self.table) != self._state:
            raise DataError(
                f"{self.table.name} changed while it was read.",
                hint="Nothing was added; run it again when the file is complete.",
            )
        return found


def append(
    tables: Sequence[Table],
    schema: Schema,
    fingerprint: str,
    into: str | Path,
    *,
    again: bool = False,
) -> Appended:
    """Add the counts of some tables to a count table, all of them or none; make it if need be."""
    target = Path(into)
    require_parquet_name(into)
    if prod(schema.sizes) > LARGEST_DOMAIN:
        raise EstimateError(
            f"The {len(schema)} attributes of the design have too many joint patterns to count "
            "whole reports.",
            hint="Mine the reports themselves.",
        )
    for table in tables:
        refuse_to_overwrite(into, table.paths)
        table.check_fingerprint(fingerprint)
    batches = [Batches.of(table) for table in tables]
    with _locked(target):  # what can be refused is refused before the long work
        _stored(target, fingerprint, batches, again=again)
    fresh = reduce(_sum, (batch.counted(schema) for batch in batches))
    with _locked(target):
        stored = _stored(target, fingerprint, batches, again=again)
        marks = [mark for batch in (*stored, *batches) for mark in batch.marks]
        if len(marks) > MOST_BATCHES:
            raise DataError(
                f"{into} would list more than {MOST_BATCHES:,} batches.",
                hint="Begin another count table; a pattern reads several as one.",
            )
        total = reduce(_sum, (batch.counted(schema) for batch in stored), fresh)
        arrow = count_table(total, schema, fingerprint, marks)
        _sweep(target)
        with whole_file(target) as temporary:
            write_parquet(temporary, [arrow])
        with write_errors(target):  # have the new name on the disk before anybody is told
            sync(target.resolve().parent)
    return Appended(fresh.n, total.n, arrow.num_rows)


def _marks(file: TableFile) -> tuple[str, ...]:
    """Tell a file by its contents, and a count table by all that was counted into it."""
    if is_counted(file):
        found = batches_in(TableFile(file.path))  # as it is now, not as it was when opened
        if found:
            return tuple(found)
    elif not any(batch.num_rows for batch in file.batches(file.names[:1])):
        return ()  # shards without records are all alike, and count nothing
    with read_errors(file.path, "a file"), file.path.open("rb") as content:
        return (digest_of(iter(lambda: content.read(1 << 20), b"")),)


def _state(table: Table) -> tuple[object, ...]:
    """What would be another if somebody wrote to a file."""
    found: list[object] = []
    for path in table.paths:
        with suppress(OSError):
            seen = path.stat()
            found.append((path, seen.st_ino, seen.st_size, seen.st_mtime_ns))
    return tuple(found)


def _stored(
    target: Path, fingerprint: str, batches: Sequence[Batches], *, again: bool
) -> list[Batches]:
    """Open what is stored, if anything is, and refuse what was counted before."""
    stored = []
    if target.exists():
        file = TableFile(target)
        if not is_counted(file) or stamp_in(file.metadata) is None:
            raise DataError(
                f"{target} is there already, and is no count table.", hint="Name another file."
            )
        table = CountTable(str(target), [file])
        table.check_fingerprint(fingerprint)
        stored = [Batches.of(table)]
    owners: dict[str, str] = {}
    for batch in (*stored, *batches):
        if not again and not owners.keys().isdisjoint(batch.marks):
            where = next(owners[mark] for mark in batch.marks if mark in owners)
            raise DataError(
                f"{batch.table.name} holds reports that are already counted in {where}.",
                hint="Nothing was added; --again counts them once more.",
            )
        owners |= dict.fromkeys(batch.marks, batch.table.name)
    return stored


def _sum(one: Tabulation, other: Tabulation) -> Tabulation:
    require_exact(one.n + other.n, "The count table")
    return Tabulation.merged([one, other])


@contextmanager
def _locked(target: Path) -> Iterator[None]:
    """Have a folder's count tables to oneself.

    The folder itself is locked: its files come and go, and a lock file would stay behind. The lock
    ends with the process, however that ends.
    """
    with write_errors(target):
        folder = lock(target.resolve().parent)
    try:
        yield
    finally:
        os.close(folder)


def _sweep(target: Path) -> None:
    """Remove what writers that were killed have left; nobody else is writing now."""
    real = target.resolve()
    for left in real.parent.glob(f".{escape(real.name)}.*.part"):
        with suppress(OSError):
            left.unlink()
