"""One follower, as the leader sees it: every message is stamped, every released row adopted."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from deniable.base.errors import AnswerError
from deniable.collab.ledger import Ledger
from deniable.collab.session.message_fields import field
from deniable.collab.session.run import Run
from deniable.collab.wire.message import Message


class Asking(Protocol):
    """Whatever takes a message to a peer and brings its answer back."""

    def ask(self, message: Message) -> Message:
        """Ask, and wait for the answer."""


class Contact:
    """A follower of this run."""

    def __init__(self, run: Run, name: str, connection: Asking) -> None:
        self.run, self.name = run, name
        self._connection = connection
        self.ledger: Ledger = run.ledger(name)
        self.aligned: str | None = None
        self.policy: Mapping[str, Any] = {}
        self.commitment = ""

    def greet(self) -> None:
        """Begin, or go on: learn what the follower brings, and adopt what it released meanwhile."""
        reply = self.ask("hello")
        self.policy = field(reply, "policy", dict)
        self.commitment = field(reply, "commitment", str)
        self.aligned = reply.fields.get("aligned")
        total = field(reply, "total", int)
        while (have := len(self.ledger.rows)) < total:
            self.ask("rows")
            if len(self.ledger.rows) == have:
                raise AnswerError(f"{self.name} does not send its ledger.", hint="Use one version.")

    def ask(
        self, verb: str, fields: Mapping[str, Any] | None = None, parts: Sequence[bytes] = ()
    ) -> Message:
        """Ask under the terms of this run; rows that come with the answer are adopted."""
        self.run.require_unchanged()
        terms = self.run.terms
        stamp = {
            "collaboration": self.run.agreement.digest,
            "terms": None if terms is None else terms.digest,
            "rehearsal": self.run.rehearsal,
            "have": len(self.ledger.rows),
        }
        reply = self._connection.ask(Message(verb, {**(fields or {}), **stamp}, tuple(parts)))
        theirs = reply.fields.get("terms")
        if reply.fields.get("collaboration") != self.run.agreement.digest or (
            terms is not None and theirs not in {None, terms.digest}
        ):
            raise AnswerError(
                f"{self.name} answers under other terms than were agreed on.",
                hint="All parties must approve the same collaboration; begin a new one.",
            )
        if "rows" in reply.fields:
            self.ledger.adopt(field(reply, "rows", list))
        return reply
