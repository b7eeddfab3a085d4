"""Links as they are sent to people: where the survey is, the invitation, and the key's print.

Code and print stand behind the #, which browsers never send.
"""

import csv
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from deniable.base.errors import DataError

LINK = "link"


@dataclass(frozen=True)
class Invitation:
    """One invitation, and what the survey's key must look like."""

    code: str
    print: str

    @classmethod
    def of(cls, link: str) -> "Invitation":
        """Read a link.

        >>> Invitation.of("https://host/#i=abc&k=0123")
        Invitation(code='abc', print='0123')
        """
        parts = parse_qs(urlsplit(link).fragment)
        if not {"i", "k"} <= parts.keys():
            raise DataError(
                "A link of the invitations has no code, or no print of the key.",
                hint="Give the file that deniable survey invite wrote.",
            )
        return cls(parts["i"][0], parts["k"][0])

    def link(self, url: str) -> str:
        """Write the link that `of` reads."""
        return f"{url.rstrip('/')}/#i={self.code}&k={self.print}"


def read_invitations(path: str | Path) -> list[Invitation]:
    """Read the column ``link`` of a CSV file."""
    rows = csv_rows(path)
    if not rows or any(row.get(LINK) is None for row in rows):
        raise DataError(
            f"{path} has no column {LINK!r} with a link in every row.",
            hint="Give the file that deniable survey invite wrote.",
        )
    return [Invitation.of(row[LINK]) for row in rows]


def csv_rows(path: str | Path) -> list[dict[str, str]]:
    """Read a CSV file with a header."""
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            return list(csv.DictReader(file, strict=True))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise DataError(
            f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.",
            hint="Name a CSV file in UTF-8.",
        ) from None
