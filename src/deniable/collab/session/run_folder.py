"""The folder of one run at one party: every file in it by name, and a lock that keeps others out.

All that must survive a crash is here. Keys of secure counts are never written anywhere.
"""

import os
import shutil
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import IO

from deniable.base.errors import AnswerError
from deniable.base.files import lock, write_whole
from deniable.collab.agreement.agreement import Agreement
from deniable.collab.agreement.party_file import PartyFile
from deniable.collab.party_documents import SAFE_DIGITS

MOST_REHEARSALS = 5
"""Folders of dry runs of one collaboration."""

REPORTS_FOLDER = "disguised"
"""The folder of reports: in the party's state, or, of a dry run, in the run's own folder."""


class RunFile(StrEnum):
    """All files of a run's folder, besides one ledger for each peer and the reports of a dry run.

    What the party began with, what the parties agreed on, who was drawn to lead, who the people in
    common are, what a leader collected, and the result.
    """

    LOCK = "lock"
    SECRET = "secret"  # noqa: S105 (its name, and nothing else)
    BEGUN = "began.json"
    TERMS = "terms.json"
    COMMITMENTS = "toss.json"
    DRAWN_LEADER = "drawn"
    ORDER_KEY = "order.key"
    ORDER = "order.npy"
    PEOPLE = "people"
    ALIGNMENT = "aligned"
    COLLECTED = "collected.parquet"
    COLLECTED_DESIGN = "collected.yaml"
    UNFINISHED = "unfinished"
    CHARGED = "charged"
    STOPPED = "stopped"
    RESULT = "model.json"


class BusyError(AnswerError):
    """Another process of this party has the run open."""


class RunFolder:
    """Where a party keeps a collaboration; a dry run has a folder of its own."""

    def __init__(
        self, party: PartyFile, agreement: Agreement, rehearsal: int | None = None
    ) -> None:
        ending = "" if rehearsal is None else f"-rehearsal-{rehearsal}"
        self.path = party.state / f"{agreement.digest[:SAFE_DIGITS]}{ending}"
        self._name = party.name

    def drop_old_rehearsals(self) -> None:
        """Keep the latest few dry runs: peers may ask for one of each of a million sizes."""
        found = self.path.parent.glob(f"{self.path.name.partition('-')[0]}-rehearsal-*")
        old = sorted(found, key=lambda path: path.stat().st_mtime)[:-MOST_REHEARSALS]
        for folder in old:
            with suppress(OSError):  # open in another process, or gone
                os.close(lock(folder / RunFile.LOCK, wait=False))
                shutil.rmtree(folder)

    def file(self, file: RunFile) -> Path:
        """Where one of the files is, once it is written."""
        return self.path / file

    def ledger(self, peer: str) -> Path:
        """Where it is written what was released between this party and a peer."""
        return self.path / f"ledger-{peer}.jsonl"

    @property
    def ledgers(self) -> list[Path]:
        """All ledgers of the run."""
        return sorted(self.path.glob("ledger-*.jsonl"))

    def write(self, file: RunFile, content: bytes) -> None:
        """Write a private file, whole or not at all."""
        write_whole(self.file(file), content, private=True)

    def read(self, file: RunFile) -> bytes | None:
        """Read a file, if it is there."""
        path = self.file(file)
        return path.read_bytes() if path.exists() else None

    def text(self, file: RunFile) -> str | None:
        """Read a file of words, if it is there."""
        content = self.read(file)
        return None if content is None else content.decode()

    def locked(self) -> IO[bytes]:
        """Open the run for this process alone, and clear away what a killed one left unfinished."""
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.path.mkdir(mode=0o700, exist_ok=True)
        self.file(RunFile.LOCK).touch()
        try:
            locked = os.fdopen(lock(self.file(RunFile.LOCK), wait=False), "rb")
        except BlockingIOError:
            raise BusyError(
                f"{self._name} is running this collaboration already, in another process.",
                hint="Wait for it, or stop it.",
            ) from None
        for unfinished in self.path.glob(".*.part"):
            unfinished.unlink()
        return locked
