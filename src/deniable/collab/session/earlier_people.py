"""The people of earlier collaborations with the same parties: what two of them tell together.

A second collaboration about everybody but one patient gives a second set of counts, and the
differences are that patient's. Each party sees who the people in common are, whatever the other's
program does; so it compares them with those of every earlier collaboration in which it counted the
same columns together with the same parties.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from deniable.base.errors import AnswerError
from deniable.base.files import lock
from deniable.collab.agreement.agreement import SECURE_MODES, Agreement
from deniable.collab.agreement.approvals import approved
from deniable.collab.agreement.party_file import PartyFile
from deniable.collab.session.intersection import KEY_BYTES, Rows, tags
from deniable.collab.session.run import Run
from deniable.collab.session.run_folder import RunFile, RunFolder
from deniable.collab.wire.message_limits import TAG_BYTES


def counted_before(party: PartyFile, agreement: Agreement) -> Iterator[Agreement]:
    """Approved collaborations that count some of the party's columns with the same parties."""
    if agreement.mode not in SECURE_MODES or party.name not in agreement.names:
        return
    mine = set(agreement.member(party.name).schema.names)
    for other in approved(party):
        if other.digest == agreement.digest or other.mode not in SECURE_MODES:
            continue
        same = set(other.names) == set(agreement.names)
        if same and mine & set(other.member(party.name).schema.names):
            yield other


@contextmanager
def one_at_a_time(run: Run) -> Iterator[None]:
    """Settle on people in one run of this party at a time, in whatever process.

    Two that are settled at once would see nothing of each other.
    """
    folder = lock(run.party.state)
    try:
        yield
    finally:
        os.close(folder)


def require_unlike_earlier(run: Run, rows: Rows) -> None:
    """Refuse people who are those of an earlier collaboration but for a few."""
    if run.rehearsal is not None or run.policy.minimum == 0:
        return
    for earlier in counted_before(run.party, run.agreement):
        kept = RunFolder(run.party, earlier).read(RunFile.PEOPLE)
        if kept is None:
            continue
        before = np.frombuffer(kept[KEY_BYTES:], f"S{TAG_BYTES}")
        now = np.frombuffer(tags(run.holding.ids, rows, kept[:KEY_BYTES]), f"S{TAG_BYTES}")
        apart = len(np.setxor1d(before, now, assume_unique=True))
        if 0 < apart < run.policy.minimum:
            raise AnswerError(
                f"The people in common are those of {earlier.name} but for {apart:,}, and the "
                "counts of both together would tell of these.",
                hint="Bring the same people as then, or come back when more of them are others.",
            )


def keep_people(run: Run, key: bytes, named: bytes) -> None:
    """Remember who the people in common are, by the names that were settled on."""
    run.folder.write(RunFile.PEOPLE, key + named)
