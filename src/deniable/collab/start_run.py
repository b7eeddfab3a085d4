"""`deniable collaborate run`: whoever starts a run leads it, or asks the one who does."""

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass

from deniable.base.errors import CollabError, PeerError
from deniable.collab.agreement.agreement import DRAWN, Agreement
from deniable.collab.agreement.party_file import PartyFile
from deniable.collab.leader.lead import RunOutcome, Told, lead
from deniable.collab.protocol import verbs
from deniable.collab.protocol.body import Stamp
from deniable.collab.session.leader_draw import drawn
from deniable.collab.session.remote_party import Transport, asked
from deniable.collab.session.run import Run
from deniable.collab.session.run_folder import BusyError

START_POLL = 0.2
"""Seconds between two looks at a run that another party leads."""


@dataclass(frozen=True)
class StartedRun:
    """Who led a run, and what it gave where that is known here."""

    leader: str
    outcome: RunOutcome | None
    """None where another party led: the result is with those who may have it."""


def start(
    party: PartyFile,
    agreement: Agreement,
    connect: Callable[[str], Transport],
    *,
    rehearsal: int | None = None,
    told: Told,
) -> StartedRun:
    """Run a collaboration from here, or go on with one that was interrupted."""
    stamp = Stamp(agreement.digest, rehearsal=rehearsal)
    leader = agreement.leader
    if leader == DRAWN:
        told("tossing a coin for the leader")
        leader = toss(agreement, connect, stamp)
        told(f"{leader} was drawn to lead")
    elif leader == party.name:
        try:
            with closing(Run(party, agreement, rehearsal)) as run:
                return StartedRun(leader, lead(run, connect, told=told))
        except BusyError as busy:
            # The party's own server has it open if another party asked for the run: let it go on.
            try:
                _follow(connect(leader), leader, stamp, told)
            except PeerError:
                raise busy from None
            return StartedRun(leader, None)
    _follow(connect(leader), leader, stamp, told)
    return StartedRun(leader, None)


def toss(agreement: Agreement, connect: Callable[[str], Transport], stamp: Stamp) -> str:
    """Have all parties commit, then reveal; everybody checks, and everybody knows who leads."""
    lines = {name: connect(name) for name in agreement.names}
    asking = lines.items()
    commitments = {name: asked(at, verbs.CommitCoin(), stamp).commitment for name, at in asking}
    reveal = verbs.RevealCoin(commitments)
    numbers = {name: asked(at, reveal, stamp).number for name, at in asking}
    for line in lines.values():
        asked(line, verbs.NoteDrawn(numbers), stamp)
    return drawn(list(agreement.names), numbers)


def _follow(line: Transport, leader: str, stamp: Stamp, told: Told) -> None:
    """Ask another party to lead, and tell how far it is until it has finished."""
    status = asked(line, verbs.StartLeading(), stamp)
    said = ""
    while not status.finished:
        if status.error:
            raise CollabError(f"{leader} could not go on: {status.error}")
        stage = f"{leader}: {status.stage}"
        if stage != said:
            told(stage)
            said = stage
        time.sleep(START_POLL)
        status = asked(line, verbs.AskStatus(), stamp)
