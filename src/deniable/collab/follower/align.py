"""Finding the people in common, as a follower: private set intersection, or one agreed key.

The seeker (the leader, or for a collector from outside the first party) learns which of its own
identifiers the other has too, and tells it; both learn how many the other has. Identifiers that
only one side has stay with it. By ``align: key`` all have the same identifiers already, and only a
keyed hash of all of them is compared.
"""

import logging
from functools import cached_property

import numpy as np

from deniable.base.errors import AnswerError, CollabError
from deniable.base.fingerprint import digest_of
from deniable.collab.agreement.party_file import DIGEST_DIGITS
from deniable.collab.ledger import LedgerEntry
from deniable.collab.session.alignment import Giver, found, same_identifiers
from deniable.collab.session.run import Run
from deniable.collab.wire.message import Message

log = logging.getLogger(__name__)


class AligningDesk:
    """Answers the seeker."""

    def __init__(self, run: Run) -> None:
        self.run = run

    @cached_property
    def _giver(self) -> Giver:
        return Giver(self.run.holding.ids)

    def intersect(self, message: Message, seeker: str) -> Message:
        """Answer a request of private set intersection."""
        (request,) = _parts(message, 1)
        clients = message.fields.get("records")
        if type(clients) is not int or clients < 1:
            raise AnswerError("The request says no number of records.", hint="Use one version.")
        answer = self._giver.setup(clients), self._giver.respond(request)
        self._note(f"an intersection with {clients:,} identifiers of {seeker}", seeker)
        return Message("intersected", {}, answer)

    def _note(self, about: str, seeker: str) -> None:
        """Write down every request: whoever asks with guessed identifiers learns who is here."""
        policy = self.run.policy.digest[:DIGEST_DIGITS]
        entry = LedgerEntry(
            kind="aligned", about=about, value=None, why=None, by=seeker, policy=policy
        )
        self.run.ledger(seeker).append([entry])

    def compare(self, message: Message) -> Message:
        """Give a keyed hash of all identifiers, for parties that agree on them already."""
        (key,) = _parts(message, 1)
        return Message("compared", {"same": same_identifiers(self.run.holding.ids, key)})

    def settle(self, message: Message, seeker: str) -> Message:
        """Take over the people in common, and their order by a key that the parties share.

        A list that is refused is written down too, and the refusal says the same whatever is wrong
        with it: lists of guessed people would tell who is here.
        """
        key, named = _parts(message, 2)
        try:
            return Message("settled", {"order": settled(self.run, key, named)})
        except CollabError as error:
            log.info("%s", error)
            self._note(f"a list of people by {seeker}, refused", seeker)
            raise AnswerError(
                f"{self.run.name} refuses the list of people in common.",
                hint="It must name enough people, all of them there, and the same every time; the "
                f"log at {self.run.name} says more.",
            ) from None


def settled(run: Run, key: bytes, named: bytes) -> str:
    """Keep the rows of the people named, in their order; give a hash that all parties' must equal.

    Names are keyed tags, so that nothing but the people in common can be told by them.
    """
    rows = found(run.holding.ids, named, key)
    if run.agreement.align == "key" and len(rows) < run.holding.n:
        raise AnswerError("Not all people are named.", hint="By a key, all are the same.")
    least = max(run.policy.minimum, 1)
    if len(rows) < least:
        raise AnswerError(
            f"{len(rows):,} people are in common, and nothing is released about fewer than "
            f"{least:,}.",
            hint="Check that all parties know people by the same identifiers.",
        )
    before = run.order
    if before is not None and not np.array_equal(before, rows):
        raise AnswerError(
            "The people in common are others than when the run began.",
            hint="Begin a new collaboration.",
        )
    if before is None:
        run.keep_order(rows)
    digest = digest_of(key + named)
    run.keep("aligned", digest.encode())
    return digest


def aligned_entry(run: Run, peer: str) -> LedgerEntry:
    """What the ledger says of an alignment."""
    return LedgerEntry(
        kind="aligned",
        about="people in common",
        value=run.aligned.n,
        why=None,
        by=peer,
        policy=run.policy.digest[:DIGEST_DIGITS],
    )


def _parts(message: Message, many: int) -> tuple[bytes, ...]:
    if len(message.parts) != many:
        raise AnswerError("A message of the alignment is incomplete.", hint="Use one version.")
    return tuple(message.parts)
