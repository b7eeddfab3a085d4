"""The rows of a ledger: what each says, and how it is bound to the one before."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from types import NoneType
from typing import Any, Literal, get_args

from deniable.base.errors import CollabError
from deniable.base.fingerprint import canonical_json, digest_of_json

Kind = Literal["agreed", "aligned", "records", "opened", "count", "refused", "estimate", "result"]

ROW_KINDS: frozenset[str] = frozenset(get_args(Kind))

START = "0" * 64
"""What the first row follows."""

TYPES: dict[str, set[type]] = {
    "number": {int},
    "value": {int, float, NoneType},
    "why": {str, NoneType},
}
"""What may stand in a row; all else is text."""

LARGEST_VALUE = 1 << 62

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)


@dataclass(frozen=True)
class LedgerEntry:
    """What a row says, before it has its place."""

    kind: str
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
            or not all(type(value) in TYPES.get(name, {str}) for name, value in document.items())
            or document["kind"] not in ROW_KINDS
            or not f"{document['about']}{document['why']}{document['by']}".isprintable()
            or not TIME.fullmatch(document["time"])
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


def parse(content: bytes, path: str | Path) -> list[LedgerRow]:
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


def _place(rows: Sequence[LedgerRow]) -> dict[str, Any]:
    """What the next row says of the one before it."""
    if not rows:
        return {"number": 1, "previous": START}
    return {"number": rows[-1].number + 1, "previous": rows[-1].hash}


def _hash(document: Mapping[str, Any]) -> str:
    return digest_of_json(document, ascii_only=False)
