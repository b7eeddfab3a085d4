"""Another party of a run, as whoever asks it sees it.

Every question is stamped, and every row that was released is adopted.
"""

from collections.abc import Mapping
from typing import Any, Protocol

from deniable.base.errors import AnswerError
from deniable.collab.agreement.run_terms import policy_of
from deniable.collab.ledger import Ledger
from deniable.collab.protocol.body import R, Request, RowsReply, Stamp
from deniable.collab.protocol.verbs import Hello, MoreRows
from deniable.collab.session.run import Run
from deniable.collab.wire.message import Message
from deniable.collab.wire.message_limits import MOST_LEDGER_BYTES, MOST_LEDGER_ROWS
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
    return question.answered(transport.ask(question.asking(stamp, people=0)), schema)


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
        self.policy = policy_of(self.name, welcome.policy).document()
        self.commitment = welcome.commitment
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
        message = self._transport.ask(question.asking(stamp, self.run.people))
        theirs = message.fields.get("terms")
        # One that is greeted again may have been stopped before it accepted the terms.
        waits = theirs is None and isinstance(question, Hello | MoreRows)
        if message.fields.get("collaboration") != agreement.digest or (
            terms is not None and theirs != terms.digest and not waits
        ):
            raise AnswerError(
                f"{self.name} answers under other terms than were agreed on.",
                hint="All parties must approve the same collaboration; begin a new one.",
            )
        reply = question.answered(message, agreement.schema)
        if isinstance(reply, RowsReply):
            self._require_room(len(reply.rows))
            self.ledger.adopt(reply.rows)
        return reply

    def _require_room(self, rows: int) -> None:
        """Keep no more of what another party writes than a run can need."""
        if rows > MOST_LEDGER_ROWS or self.ledger.path.stat().st_size > MOST_LEDGER_BYTES:
            raise AnswerError(
                f"{self.name} sends more rows of a ledger than a run can have.",
                hint="Do not go on with it before you know why.",
            )
