"""A leader that does as it likes, towards parties that are served by processes of their own."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from collab.intruder import agreed
from collab.parties import Gathering
from deniable.collab.agreement.run_terms import RunTerms
from deniable.collab.session.remote_party import RemoteParty
from deniable.collab.session.run import Run
from deniable.collab.wire.connection import Connection
from deniable.collab.wire.identity import Identity
from deniable.collab.wire.listener import Listener
from deniable.collab.wire.message import Message

PATIENCE = 60.0


class NetworkIntruder(ExitStack):
    """North, whose key it has, and whose file it may have changed."""

    def __init__(self, gathering: Gathering) -> None:
        super().__init__()
        self.gathering = gathering
        self.party = gathering.party("north")
        self.identity = Identity.load(self.party.identity)
        self.lines: dict[str, Connection] = {}
        self.terms: RunTerms | None = None
        self.run: Run | None = None

    def line(self, name: str = "south") -> Connection:
        """The way to a party."""
        if name not in self.lines:
            line = Connection(self.identity, self.party.peers[name], patience=PATIENCE)
            self.lines[name] = self.enter_context(line)
        return self.lines[name]

    def agree(self) -> None:
        """Greet south, and have it accept the terms, as an honest leader does."""
        self.run = Run(self.party, self.gathering.agreement)
        self.callback(self.run.close)
        self.terms = agreed(self.run, RemoteParty(self.run, "south", self.line()))

    def say(
        self,
        verb: str,
        fields: Mapping[str, Any] | None = None,
        parts: Sequence[bytes] = (),
        *,
        to: str = "south",
    ) -> Message:
        """Ask a party anything."""
        stamp = {
            "collaboration": self.gathering.agreement.digest,
            "terms": None if self.terms is None else self.terms.digest,
            "have": 0,
        }
        return self.line(to).ask(Message(verb, {**stamp, **(fields or {})}, tuple(parts)))

    def rows(self, name: str = "south") -> str:
        """What a party wrote about north."""
        return self.gathering.ledger(name, "north").read_text(encoding="utf-8")

    @contextmanager
    def answering(self, answer: Callable[[str, Message], Message]) -> Iterator[None]:
        """Listen as north, too."""
        with Listener(self.party.listen, self.identity, self.party.peers, answer):
            yield
