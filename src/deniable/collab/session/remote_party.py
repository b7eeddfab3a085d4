"""Another party of a run, as whoever asks it sees it.

Every question is stamped, and every row that was released is adopted.
"""

from collections.abc import Mapping
from typing import Any, Protocol

from deniable.base.errors import AnswerError
from deniable.collab.ledger import Ledger
from deniable.collab.protocol.body import R, Request, RowsReply, Stamp
from deniable.collab.protocol.verbs import Hello, MoreRows
from deniable.collab.session.run import Run
from deniable.collab.wire.message import Message
from deniable.schema import Schema


class Transport(Protocol):
    """Whatever takes a message to a peer and brings its answer back."""

    def ask(self, message: Message) -> Message:
        """Ask, and wait for the answer."""


NO_COLUMNS = Schema(())
"""Of questions that name no cells."""


def asked(
    transport: Transport, question: Request[R], stamp: Stamp, schema: Schema = NO_COLUMNS
) -> R:
    """Ask one question, and read its answer."""
    return question.answered(transport.ask(question.message(**vars(stamp))), schema)


class RemoteParty:
    """A party that is asked: a follower by the leader, or the others by whoever aligns them."""

    def __init__(self, run: Run, name: str, transport: Transport) -> None:
        self.run, self.name = run, name
        self._transport = transport
        self.ledger: Ledger = run.ledger(name)
        self.aligned: str | None = None
        self.policy: Mapping[str, Any] = {}
        self.commitment = ""

    def greet(self) -> None:
        """Begin, or go on: learn what the party brings, and adopt what it released meanwhile."""
        welcome = self.ask(Hello())
        self.policy, self.commitment = welcome.policy, welcome.commitment
        self.aligned = welcome.aligned
        while (have := len(self.ledger.rows)) < welcome.total:
            self.ask(MoreRows())
            if len(self.ledger.rows) == have:
                raise AnswerError(f"{self.name} does not send its ledger.", hint="Use one version.")

    def ask(self, question: Request[R]) -> R:
        """Ask under the terms of this run; rows that come with the answer are adopted."""
        self.run.require_unchanged()
        agreement, terms = self.run.agreement, self.run.terms
        stamp = Stamp(
            agreement.digest,
            None if terms is None else terms.digest,
            self.run.rehearsal,
            len(self.ledger.rows),
        )
        message = self._transport.ask(question.message(**vars(stamp)))
        theirs = message.fields.get("terms")
        if message.fields.get("collaboration") != agreement.digest or (
            terms is not None and theirs not in (None, terms.digest)
        ):
            raise AnswerError(
                f"{self.name} answers under other terms than were agreed on.",
                hint="All parties must approve the same collaboration; begin a new one.",
            )
        reply = question.answered(message, agreement.schema)
        if isinstance(reply, RowsReply):
            self.ledger.adopt(reply.rows)
        return reply
