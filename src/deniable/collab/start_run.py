"""`deniable collaborate run`: whoever starts a run leads it, or asks the one who does."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from deniable.base.errors import CollabError, PeerError
from deniable.collab.agreement.agreement import DRAWN, Agreement
from deniable.collab.agreement.party_file import PartyFile
from deniable.collab.leader.contact import Asking
from deniable.collab.leader.lead import RunOutcome, Told, lead
from deniable.collab.session.coin import drawn
from deniable.collab.session.run import BusyError, Run
from deniable.collab.wire.message import Message

START_POLL = 0.2
"""Seconds between two looks at a run that another party leads."""


@dataclass(frozen=True)
class Started:
    """Who led a run, and what it gave where that is known here."""

    leader: str
    outcome: RunOutcome | None
    """None where another party led: the result is with those who may have it."""


def start(
    party: PartyFile,
    agreement: Agreement,
    connect: Callable[[str], Asking],
    *,
    rehearsal: int | None = None,
    told: Told,
) -> Started:
    """Run a collaboration from here, or go on with one that was interrupted."""
    stamp = {"collaboration": agreement.digest, "rehearsal": rehearsal, "terms": None}
    leader = agreement.leader
    if leader == DRAWN:
        told("tossing a coin for the leader")
        leader = toss(agreement, connect, stamp)
        told(f"{leader} was drawn to lead")
    elif leader == party.name:
        try:
            return Started(leader, _lead(Run(party, agreement, rehearsal), connect, told))
        except BusyError as busy:
            # The party's own server has it open if another party asked for the run: let it go on.
            try:
                _follow(connect(leader), leader, stamp, told)
            except PeerError:
                raise busy from None
            return Started(leader, None)
    _follow(connect(leader), leader, stamp, told)
    return Started(leader, None)


def _lead(run: Run, connect: Callable[[str], Asking], told: Told) -> RunOutcome:
    try:
        return lead(run, run.name, connect, told=told)
    finally:
        run.close()


def toss(
    agreement: Agreement, connect: Callable[[str], Asking], stamp: Mapping[str, object]
) -> str:
    """Have all parties commit, then reveal; everybody checks, and everybody knows who leads."""
    lines = {name: connect(name) for name in agreement.names}
    commitments = {
        name: line.ask(Message("commit", stamp)).fields.get("commitment")
        for name, line in lines.items()
    }
    bound = {**stamp, "commitments": commitments}
    numbers = {
        name: str(line.ask(Message("reveal", bound)).fields.get("number"))
        for name, line in lines.items()
    }
    for line in lines.values():
        line.ask(Message("drawn", {**stamp, "numbers": numbers}))
    return drawn(list(agreement.names), numbers)


def _follow(line: Asking, leader: str, stamp: Mapping[str, object], told: Told) -> None:
    """Ask another party to lead, and tell how far it is until it has finished."""
    reply = line.ask(Message("lead", stamp))
    said = ""
    while not reply.fields.get("finished"):
        if reply.fields.get("error"):
            raise CollabError(f"{leader} could not go on: {reply.fields['error']}")
        stage = f"{leader}: {reply.fields.get('stage')}"
        if stage != said:
            told(stage)
            said = stage
        time.sleep(START_POLL)
        reply = line.ask(Message("status", stamp))
