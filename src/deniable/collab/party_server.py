"""`deniable party serve`: one process that answers peers, and leads when it is asked to."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock, Thread
from typing import Any, Self

from deniable.base.errors import AnswerError, DeniableError
from deniable.collab.agreement.party_file import PartyFile
from deniable.collab.follower.answers import Answers
from deniable.collab.leader.lead import lead
from deniable.collab.session.discretion import discreet
from deniable.collab.session.events import Events
from deniable.collab.wire.connection import Connection
from deniable.collab.wire.identity import CERTIFICATE, Identity, Peer
from deniable.collab.wire.listener import Listener
from deniable.collab.wire.message import Message

PEER_PATIENCE = 60.0
"""Seconds that a leader goes on trying to reach a follower that is gone."""

OWN_PATIENCE = 3.0
"""Seconds that a command goes on trying to reach the server of its own party."""

SERVER_POLL = 0.5


def itself(party: PartyFile, identity: Identity, port: int | None = None) -> Peer:
    """The party as a peer of its own: how its commands reach its server."""
    host, listens = party.listen
    if host in {"0.0.0.0", "::", ""}:  # noqa: S104 (every address; one of them is this machine's)
        host = "127.0.0.1"
    certificate = party.identity / CERTIFICATE
    return Peer(party.name, host, port or listens, certificate, identity.fingerprint)


class Connections:
    """How a party reaches its peers: a connection for each name, made when it is asked for."""

    def __init__(self, party: PartyFile, patience: float = PEER_PATIENCE) -> None:
        self._party, self._patience = party, patience
        self._identity = Identity.load(party.identity)
        self._peers = {**party.peers, party.name: itself(party, self._identity)}
        self._made: dict[str, Connection] = {}

    def __call__(self, name: str) -> Connection:
        """Give the connection to a peer."""
        if name not in self._peers:
            raise AnswerError(
                f"{self._party.name} does not know {name}.", hint=f"Add {name} to its peers."
            )
        if name not in self._made:
            own = name == self._party.name
            patience = min(self._patience, OWN_PATIENCE) if own else self._patience
            self._made[name] = Connection(self._identity, self._peers[name], patience=patience)
        return self._made[name]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Hang up everywhere."""
        for connection in self._made.values():
            connection.close()


@dataclass
class _Lead:
    """A run that this server leads, as others see it."""

    stage: str = "beginning"
    finished: bool = False
    error: str | None = None

    def told(self, stage: str) -> None:
        """Take note of what is being done."""
        self.stage = stage


class PartyServer:
    """A party's desk behind its listener."""

    def __init__(self, party: PartyFile, patience: float = PEER_PATIENCE) -> None:
        self.party = party
        identity = Identity.load(party.identity)
        self._patience = patience
        self._connections = Connections(party, patience)
        self.desk = Answers(party, self._connections)
        peers = {**party.peers, party.name: itself(party, identity)}
        self._listener = Listener(party.listen, identity, peers, self.answer)
        self._events = Events()
        self._leads: dict[tuple[str, Any], _Lead] = {}
        self._lock = Lock()

    @property
    def port(self) -> int:
        """Where it listens."""
        return self._listener.port

    def answer(self, peer: str, message: Message) -> Message:
        """Answer a peer, and write into the log what was done for it."""
        try:
            reply = self._answer(peer, message)
        except DeniableError as error:
            self._events.refused(peer, error)
            raise
        self._events.answered(peer, message, self.desk.session(peer, message).run)
        return reply

    def _answer(self, peer: str, message: Message) -> Message:
        """Answer a peer; leading goes on in the background."""
        if message.verb == "lead":
            return self._led(peer, message)
        if message.verb == "status":
            with discreet(self.party.name):
                self.desk.session(peer, message)
            return self._status(message)
        return self.desk.answer(peer, message)

    def _led(self, peer: str, message: Message) -> Message:
        with discreet(self.party.name):
            session = self.desk.session(peer, message)
        leader = session.leader
        if leader != self.party.name:
            raise AnswerError(
                f"{self.party.name} does not lead this collaboration; {leader} does.",
                hint=f"Start the run at {leader}.",
            )
        key = _key(message)
        with self._lock:
            under_way = self._leads.get(key)
            if under_way is None or under_way.error is not None:
                self._leads[key] = state = _Lead()
                Thread(target=self._lead, args=(session, state), daemon=True).start()
        return self._status(message)

    def _lead(self, session: Any, state: _Lead) -> None:
        try:
            # Runs may be led side by side, and a connection takes one question at a time.
            with (
                discreet(self.party.name),
                Connections(self.party, self._patience) as connect,
            ):
                lead(session.run, self.party.name, connect, told=state.told)
        except DeniableError as error:
            state.error = str(error)
        except BaseException:
            state.error = f"{self.party.name} could not go on, and does not say why."
            raise
        state.finished = state.error is None

    def _status(self, message: Message) -> Message:
        state = self._leads.get(_key(message))
        if state is None:
            raise AnswerError("Nothing was started here.", hint="Run deniable collaborate run.")
        fields = {"stage": state.stage, "finished": state.finished, "error": state.error}
        return Message("status", fields)

    def start(self) -> None:
        """Begin to listen."""
        self._listener.start()

    def close(self) -> None:
        """Hang up, and let go of all runs."""
        self._listener.close()
        self.desk.close()
        self._connections.close()


def _key(message: Message) -> tuple[str, Any]:
    return str(message.fields.get("collaboration")), message.fields.get("rehearsal")


def serve(path: Path, ready: Callable[[PartyServer], None] | None = None) -> None:
    """Serve until interrupted."""
    server = PartyServer(PartyFile.load(path))
    server.start()
    try:
        if ready is not None:
            ready(server)
        while True:
            time.sleep(SERVER_POLL)
    finally:
        with suppress(OSError):
            server.close()
