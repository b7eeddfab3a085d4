"""What was released, row by row, each bound to the one before by a hash.

A row is one line of canonical JSON, on the disk before `append` returns; so whatever was told is
written. Both sides hold the same rows, byte by byte. A chain shows that a row was changed, taken
out or put in; that the last ones were cut off shows only beside the other side's ledger.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path
from typing import Any

from deniable.base.errors import CollabError, DataError, OutputError
from deniable.base.files import sync
from deniable.collab.ledger.ledger_rows import LedgerEntry, LedgerRow, parse


class Ledger:
    """A ledger that is being written, by one process at a time."""

    def __init__(self, path: Path, rows: Sequence[LedgerRow], size: int) -> None:
        self.path = path
        self.rows: list[LedgerRow] = []
        self._size = size
        self._found: dict[tuple[str, str], LedgerRow] = {}
        self._take(rows)

    @classmethod
    def open(cls, path: str | Path) -> "Ledger":
        """Open a ledger, or begin one; a last line that was never finished is cut off."""
        path = Path(path)
        with _writing(path):
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            content = path.read_bytes()
            whole = content[: content.rfind(b"\n") + 1]
            rows = parse(whole, path)
            if len(whole) < len(content):
                os.truncate(path, len(whole))
                sync(path)
            sync(path.parent)
        return cls(path, rows, len(whole))

    def append(self, entries: Sequence[LedgerEntry]) -> list[LedgerRow]:
        """Write new rows; they are on the disk when this returns."""
        time = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        new: list[LedgerRow] = []
        for entry in entries:
            new.append(LedgerRow.after(new or self.rows, entry, time))
        self._write(new)
        return new

    def adopt(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Take over the rows that the other side wrote, all or none.

        Rows that are here already must be the same.
        """
        new: list[LedgerRow] = []
        for document in rows:
            try:
                row = LedgerRow.of(document)
                if 0 < row.number <= len(self.rows):
                    if row != self.rows[row.number - 1]:
                        raise ValueError("another one stands here")
                else:
                    row.follow(new or self.rows)
                    new.append(row)
            except ValueError as wrong:
                number = len(self.rows) + len(new)
                raise CollabError(
                    "The other side's ledger does not continue this one, which ends with row "
                    f"{number}: {wrong}.",
                    hint="Compare both ledgers by deniable ledger verify.",
                ) from None
        self._write(new)

    def find(self, kind: str, about: str) -> LedgerRow | None:
        """The first row of a kind about something."""
        return self._found.get((kind, about))

    def _take(self, rows: Sequence[LedgerRow]) -> None:
        self.rows.extend(rows)
        for row in rows:
            self._found.setdefault((row.kind, row.about), row)

    def _write(self, rows: Sequence[LedgerRow]) -> None:
        if not rows:
            return
        lines = b"".join(row.line() for row in rows)
        with _writing(self.path), self.path.open("r+b", buffering=0) as file:
            if file.seek(0, os.SEEK_END) != self._size:
                raise CollabError(
                    f"{self.path} was changed by another program.",
                    hint="Run one process of this party at a time, then begin again.",
                )
            try:
                _write_all(file.fileno(), lines)
                os.fsync(file.fileno())
            except BaseException:  # what was not acknowledged must not stand there
                os.ftruncate(file.fileno(), self._size)
                raise
        self._size += len(lines)
        self._take(rows)


@dataclass(frozen=True)
class Comparison:
    """How two ledgers that should be the same differ."""

    common: int
    """Rows from the first on that both have."""

    differing: tuple[tuple[LedgerRow, LedgerRow], ...]
    only_first: tuple[LedgerRow, ...]
    only_second: tuple[LedgerRow, ...]

    @property
    def equal(self) -> bool:
        """Whether both recorded the same."""
        return not (self.differing or self.only_first or self.only_second)


def read(path: str | Path) -> list[LedgerRow]:
    """Read a ledger; CollabError names the first row that is not as it was written."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise DataError(
            f"{path} cannot be read: {(error.strerror or 'unknown reason').lower()}.",
            hint="Name a ledger: state/<collaboration>/ledger-<peer>.jsonl.",
        ) from None
    rows = parse(content[: content.rfind(b"\n") + 1], path)
    if not content.endswith(b"\n") and content:
        raise CollabError(
            f"Row {len(rows) + 1} of {path} is not finished.",
            hint="If its party was stopped while writing, run the collaboration again.",
        )
    return rows


def compare(first: str | Path, second: str | Path) -> Comparison:
    """Check two ledgers, and tell where they differ."""
    one, two = read(first), read(second)
    pairs = list(zip(one, two, strict=False))
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return Comparison(
        common, tuple(pairs[common:]), tuple(one[len(pairs) :]), tuple(two[len(pairs) :])
    )


def _write_all(descriptor: int, content: bytes) -> None:
    while content:
        content = content[os.write(descriptor, content) :]


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise OutputError(
            f"{path} cannot be written: {reason}.",
            hint="Nothing is released that is not written; make room, and begin again.",
        ) from None
