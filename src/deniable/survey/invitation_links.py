"""Links as they are sent to people: where the survey is, the invitation, and the key's print.

Code and print stand behind the #, which browsers never send.
"""

import csv
from collections.abc import Iterable, Mapping, Sequence
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
    return [Invitation.of(row[LINK]) for row in _rows_with_links(path)]


def read_everybody(paths: Iterable[Path]) -> list[dict[str, str]]:
    """Read whole lists of one survey, with whatever they say of each person."""
    people = [row for path in paths for row in _rows_with_links(path)]
    found = [Invitation.of(row[LINK]) for row in people]
    if len({each.print for each in found}) > 1:
        raise DataError("The links are of more than one survey.", hint="Give the lists of one.")
    if len({each.code for each in found}) < len(found):
        raise DataError(
            "A link stands there twice.", hint="Give each list once: nobody gets two letters."
        )
    return people


def write_links(path: Path, people: Sequence[Mapping[str, str]]) -> None:
    """Write people with their links as they were read; lists may have other columns."""
    names = list(dict.fromkeys(name for row in people for name in row if name != LINK))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [*names, LINK], restval="", extrasaction="ignore")
        writer.writeheader()
        writer.writerows(people)


def _rows_with_links(path: str | Path) -> list[dict[str, str]]:
    rows = csv_rows(path)
    if not rows or any(row.get(LINK) is None for row in rows):
        raise DataError(
            f"{path} has no column {LINK!r} with a link in every row.",
            hint="Give the file that deniable survey invite wrote.",
        )
    return rows


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
