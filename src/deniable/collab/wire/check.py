"""Whether two parties can talk, and what each knows of the other."""

import time
from dataclasses import dataclass

from deniable.base.errors import CollabError
from deniable.collab.wire.connection import Connection
from deniable.collab.wire.identity import Certificate, Identity, Peer
from deniable.collab.wire.message import Message


@dataclass(frozen=True)
class Check:
    """What a check of the connection found."""

    peer: str
    tls: str
    ours: Certificate
    theirs: Certificate
    version: str
    protocol: int
    clock: float
    """Seconds that their clock is ahead of ours, to within half a round trip."""

    round_trip: float
    known_as: str
    """What the peer calls us."""


def check(identity: Identity, peer: Peer, timeout: float) -> Check:
    """Connect and ask once; PeerError, in one sentence, if that fails or takes longer."""
    began = time.monotonic()
    with Connection(identity, peer, timeout=timeout) as connection:
        tls = connection.open()
        connection.timeout = max(0.1, timeout - (time.monotonic() - began))
        asked, started = time.time(), time.monotonic()
        answer = connection.ask(Message("check"))
        round_trip = time.monotonic() - started
    match answer.fields:
        case {
            "version": str(version),
            "protocol": int(protocol),
            "time": float(there),
            "you": str(known_as),
        }:
            return Check(
                peer.name,
                tls,
                identity.certificate,
                connection.certificate,
                version,
                protocol,
                there - (asked + round_trip / 2),
                round_trip,
                known_as,
            )
    raise CollabError(f"{peer.name} does not answer a check as a party does.")
