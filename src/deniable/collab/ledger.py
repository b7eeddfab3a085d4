"""What was released, row by row on both sides, each row bound to the one before by a hash.

A row is one line of canonical JSON, on the disk before `append` returns; so whatever was told is
written. Both sides hold the same rows, byte by byte. A chain shows that a row was changed, taken
out or put in; that the last ones were cut off shows only beside the other side's ledger.
"""

import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path
from types import NoneType
from typing import Any, Literal, get_args

from deniable.base.errors import CollabError, DataError, OutputError
from deniable.base.files import sync
from deniable.base.fingerprint import canonical_json, digest_of_json

Kind = Literal[
    "agreed", "aligned", "records", "opened", "count", "refused", "stopped", "estimate", "result"
]

ROW_KINDS: frozenset[str] = frozenset(get_args(Kind))

START = "0" * 64
"""What the first row follows."""

ROW_TYPES: dict[str, set[type]] = {
    "number": {int},
    "value": {int, float, NoneType},
    "why": {str, NoneType},
}
"""What may stand in a row; all else is text."""

LARGEST_VALUE = 1 << 62

MOST_ROW_LETTERS = 20_000
"""Of each text in a row; the names of a few hundred columns are the longest."""

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)


@dataclass(frozen=True)
class LedgerEntry:
    """What a row says, before it has its place."""

    kind: Kind
    about: str
    by: str
    policy: str
    value: float | None = None
    why: str | None = None


@dataclass(frozen=True)
class LedgerRow:
    """One line of a ledger; its fields are in the order in which messages have them."""

    number: int
    previous: str
    kind: str
    about: str
    value: float | None
    why: str | None
    by: str
    policy: str
    time: str
    hash: str

    @classmethod
    def after(cls, rows: "Sequence[LedgerRow]", entry: LedgerEntry, time: str) -> "LedgerRow":
        """Bind an entry to the rows before it."""
        bound = vars(entry) | _place(rows) | {"time": time}
        return cls.of(bound | {"hash": _hash(bound)})

    @classmethod
    def of(cls, document: object) -> "LedgerRow":
        """Read a row as it came from a file or a peer; ValueError if it is none."""
        if (
            not isinstance(document, Mapping)
            or set(document) != {field.name for field in fields(cls)}
            or not all(type(each) in ROW_TYPES.get(name, {str}) for name, each in document.items())
            or document["kind"] not in ROW_KINDS
            or not f"{document['about']}{document['why']}{document['by']}".isprintable()
            or not TIME.fullmatch(document["time"])
            or max(len(each) for each in document.values() if type(each) is str) > MOST_ROW_LETTERS
            or not -LARGEST_VALUE <= (document["value"] or 0) <= LARGEST_VALUE
        ):
            raise ValueError("it is no row")
        return cls(**document)

    def follow(self, rows: "Sequence[LedgerRow]") -> None:
        """Raise a ValueError unless this row's own hash is right, and it follows the others."""
        rest = {name: value for name, value in self.document().items() if name != "hash"}
        if self.hash != _hash(rest):
            raise ValueError("it was changed")
        if {"number": self.number, "previous": self.previous} != _place(rows):
            raise ValueError("it does not follow the row before it")

    def document(self) -> dict[str, Any]:
        """Return the row as JSON has it."""
        return dict(vars(self))

    def line(self) -> bytes:
        """Return the row as the file has it."""
        return canonical_json(self.document(), ascii_only=False) + b"\n"


def _place(rows: Sequence[LedgerRow]) -> dict[str, Any]:
    """What the next row says of the one before it."""
    if not rows:
        return {"number": 1, "previous": START}
    return {"number": rows[-1].number + 1, "previous": rows[-1].hash}


def _hash(document: Mapping[str, Any]) -> str:
    return digest_of_json(document, ascii_only=False)


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
            rows = _parse(whole, path)
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

    def find(self, kind: Kind, about: str) -> LedgerRow | None:
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


def tally(rows: Iterable[LedgerRow]) -> tuple[int, int]:
    """How many values were released, and how many withheld."""
    kinds = Counter(row.kind for row in rows)
    return kinds["count"] + kinds["estimate"], kinds["refused"]


def read(path: str | Path) -> list[LedgerRow]:
    """Read a ledger; CollabError names the first row that is not as it was written."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise DataError(
            f"{path} cannot be read: {(error.strerror or 'unknown reason').lower()}.",
            hint="Name a ledger: state/<collaboration>/ledger-<peer>.jsonl.",
        ) from None
    rows = _parse(content[: content.rfind(b"\n") + 1], path)
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


def _parse(content: bytes, path: str | Path) -> list[LedgerRow]:
    """Read finished lines; CollabError names the first row that is not as it was written."""
    rows: list[LedgerRow] = []
    for number, line in enumerate(content.split(b"\n")[:-1], start=1):
        try:
            row = LedgerRow.of(json.loads(line))
            if row.line() != line + b"\n":
                raise ValueError("it was changed")
            row.follow(rows)
        except (ValueError, RecursionError) as wrong:
            why = str(wrong) if type(wrong) is ValueError else "it cannot be read"
            raise CollabError(
                f"Row {number} of {path} is not as it was written: {why}.",
                hint="The rows before it are whole; compare with the other side's ledger.",
            ) from None
        rows.append(row)
    return rows


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
