"""People who answer a survey over HTTP as the page does, and remember what they sent."""

import secrets
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import select

from deniable.base.fingerprint import digest_of
from deniable.survey.protocol import Submission, receipt_id, write_receipt
from deniable.survey.store.store import Store
from deniable.survey.store.tables import metadata
from deniable.survey.tokens import (
    MESSAGE_BYTES,
    PublicKey,
    blind,
    finalize,
    from_base64,
    to_base64,
)

SURVEY = """\
survey: habits
title: Habits
languages: [en]
consent: We ask you kindly.
contact: us@example.org
invitations: {invitations}
{more}
results: {{after: {after}, every: {every}}}
questions:
  age:
    text: How old are you?
    options: {{young: Young, old: Old, older: Older}}
  drugs:
    text: Have you ever taken drugs?
    options: {{"no": "No", "yes": "Yes"}}
groups:
  - {{attributes: [drugs], channel: related, theta: 4/5}}
"""

UNUSED = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Nothing is encrypted here, but a client would read all certificates of the machine."""

REPORTS = tuple(f"{age}{drugs}" for age in range(3) for drugs in range(2))


def write_survey(
    folder: Path, *, invitations: bool = False, after: int = 10, every: int = 5, more: str = ""
) -> Path:
    """Write a survey's file."""
    path = folder / "habits.yaml"
    asked = "yes" if invitations else "no"
    path.write_text(
        SURVEY.format(invitations=asked, after=after, every=every, more=more), encoding="utf-8"
    )
    return path


@dataclass(frozen=True)
class Person:
    """Somebody who has made up their answer."""

    receipt: bytes
    answer: Submission

    @property
    def shown_receipt(self) -> str:
        """The receipt as it is shown."""
        return write_receipt(self.receipt)


def person(survey: Mapping[str, object], token: str = "", report: str | None = None) -> Person:
    """Make up somebody's answer to a survey, given as the server describes it."""
    receipt = secrets.token_bytes(10)
    chosen = secrets.choice(REPORTS) if report is None else report
    name = digest_of(str(survey["asked"]))
    return Person(
        receipt, Submission(name, receipt_id(receipt), token, "disguised", "page", 2, chosen)
    )


def send(client: httpx.Client, answer: Submission | bytes) -> httpx.Response:
    """Send an answer."""
    body = answer if isinstance(answer, bytes) else answer.encode()
    return client.post("/api/answers", content=body, headers={"content-type": "application/json"})


def take_token(client: httpx.Client, public: PublicKey, code: str) -> str:
    """Use an invitation: blind, have it signed, take the blinding off."""
    blinded, blinding = blind(public, secrets.token_bytes(MESSAGE_BYTES))
    asked = {"invitation": code, "blinded": to_base64(blinded)}
    answer = client.post("/api/token", json=asked)
    assert answer.status_code == 200, answer.text
    return finalize(blinding, from_base64(answer.json()["signature"])).encode()


def some_address() -> str:
    """An address of this machine that hardly anybody else uses."""
    return ".".join(["127", *(str(1 + part % 254) for part in secrets.token_bytes(3))])


def stranger(url: str) -> httpx.Client:
    """A client at an address of its own."""
    transport = httpx.HTTPTransport(verify=UNUSED, local_address=some_address())
    return httpx.Client(base_url=url, transport=transport)


def everything(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """All that a database holds."""
    with store.database.reading() as connection:
        return {
            table.name: sorted(tuple(row) for row in connection.execute(select(table)))
            for table in metadata.sorted_tables
        }
