"""Invitations: a secret code in each link, behind the # that browsers never send.

The link also carries the print of the survey's key and of what is asked. A server that wanted to
mark people, by giving each a key or a survey of their own, would have to send each another link,
for everybody to compare.
"""

import base64
import csv
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path

from deniable.base.errors import DataError
from deniable.survey.invitation_links import LINK, Invitation, csv_rows, read_invitations
from deniable.survey.spreadsheet_cells import plain_cell
from deniable.survey.store.store import Store
from deniable.survey.tokens import SigningKey

CODE_BYTES = 16


def invitations(store: Store, url: str, number: int) -> tuple[list[str], list[str]]:
    """Make codes, and the links that hold them."""
    if not store.survey.invitations:
        raise DataError(
            "This survey is open to everybody.", hint="Write 'invitations: yes' in its file."
        )
    if not url.startswith(("http://", "https://")):
        raise DataError(f"{url!r} is no address of a page.", hint="Write https://…")
    key = signing_key(store).public.print_with(store.survey.asked)
    codes = [_code() for _ in range(number)]
    return codes, [Invitation(code, key).link(url) for code in codes]


def signing_key(store: Store) -> SigningKey:
    """Read the survey's key; the first time, make it."""
    pem = store.setting("signing key") or store.set_once("signing key", SigningKey.generate().pem())
    return SigningKey.load(pem)


def read_people(path: Path) -> list[dict[str, str]]:
    """Read whom to invite: a CSV file with a header."""
    rows = csv_rows(path)
    if not rows or any(None in row or None in row.values() for row in rows):
        raise DataError(
            f"{path} is no list of people.", hint="Begin with a line of names, such as email."
        )
    if LINK in rows[0]:
        raise DataError(f"{path} has a column {LINK!r} already.", hint="Rename it.")
    return rows


def read_replaced(path: Path) -> tuple[list[dict[str, str]], list[str]]:
    """Read whose invitations to replace, and the codes of these: lines of what `invite` wrote."""
    codes = [invitation.code for invitation in read_invitations(path)]
    people = [{name: cell for name, cell in row.items() if name != LINK} for row in csv_rows(path)]
    return people, codes


def write_invitations(
    path: Path, people: Sequence[Mapping[str, str]], links: Sequence[str]
) -> None:
    """Write each person with a link; what people call themselves must not run as a formula."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*map(plain_cell, people[0]), LINK])
        for row, link in zip(people, links, strict=True):
            writer.writerow([*map(plain_cell, row.values()), link])


def _code() -> str:
    return base64.b32encode(secrets.token_bytes(CODE_BYTES)).decode().lower().rstrip("=")
