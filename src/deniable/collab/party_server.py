"""`deniable party serve`: one process that answers peers, and leads when it is asked to."""

import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

from deniable.base.errors import AnswerError
from deniable.collab.agreement.party_file import PartyFile
from deniable.collab.follower.dispatcher import Dispatcher
from deniable.collab.leader.lead import lead
from deniable.collab.session.run import Run
from deniable.collab.wire.connection import Connection
from deniable.collab.wire.identity import CERTIFICATE, Identity, Peer
from deniable.collab.wire.listener import Listener

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


class Connections(ExitStack):
    """How a party reaches its peers: a connection for each name, made when it is asked for."""

    def __init__(
        self, party: PartyFile, patience: float = PEER_PATIENCE, longest: float | None = None
    ) -> None:
        super().__init__()
        self._party, self._patience, self._longest = party, patience, longest
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
            made = Connection(
                self._identity, self._peers[name], patience=patience, longest=self._longest
            )
            self._made[name] = self.enter_context(made)
        return self._made[name]


class PartyServer:
    """A party's dispatcher behind its listener."""

    def __init__(self, party: PartyFile, patience: float = PEER_PATIENCE) -> None:
        self.party = party
        identity = Identity.load(party.identity)
        self._patience = patience
        self._connections = Connections(party, patience)
        self.dispatcher = Dispatcher(party, self._connections, lead=self._lead)
        peers = {**party.peers, party.name: itself(party, identity)}
        self._listener = Listener(
            party.listen, identity, peers, self.dispatcher.answer, self.dispatcher.room
        )

    @property
    def port(self) -> int:
        """Where it listens."""
        return self._listener.port

    def _lead(self, run: Run, told: Callable[[str], None]) -> None:
        """Lead; runs may be led side by side, and a connection takes one question at a time."""
        with Connections(self.party, self._patience) as connect:
            lead(run, connect, told=told)

    def start(self) -> None:
        """Begin to listen."""
        self._listener.start()

    def close(self) -> None:
        """Hang up, and let go of all runs."""
        self._listener.close()
        self.dispatcher.close()
        self._connections.close()


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
