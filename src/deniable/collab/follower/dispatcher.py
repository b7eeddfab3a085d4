"""Every question that a peer may ask comes here, is checked by what its verb says, and answered.

Each message names the collaboration by its hash, and once all have agreed, the terms. A party
answers only for collaborations that it approved.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from threading import Lock
from typing import Any

from deniable.base.errors import AnswerError, DeniableError, shortened
from deniable.collab.agreement.agreement import Agreement
from deniable.collab.agreement.approvals import is_approved
from deniable.collab.agreement.party_file import PartyFile
from deniable.collab.counting.backend import Backend
from deniable.collab.counting.bfv import Bfv
from deniable.collab.follower.follower_session import (
    FollowerSession,
    Lead,
    lead_nothing,
    only_peer_errors,
)
from deniable.collab.follower.server_log import ServerLog
from deniable.collab.ledger import Ledger
from deniable.collab.party_documents import DIGEST_DIGITS
from deniable.collab.protocol import counting_verbs, verbs
from deniable.collab.protocol.body import REQUESTS, Asker, Reply, Request, RowsReply, Stamp
from deniable.collab.session.remote_party import Transport
from deniable.collab.session.run import Run
from deniable.collab.wire.message import Message, Opening
from deniable.collab.wire.message_limits import MOST_LEDGER_ROWS

Handler = Callable[[FollowerSession, Any], Reply]

HANDLERS: Mapping[type[Request[Any]], Handler] = {
    verbs.Hello: FollowerSession.welcome,
    verbs.MoreRows: lambda *_: verbs.LedgerRows(),
    verbs.AcceptTerms: FollowerSession.accept_terms,
    verbs.TakeResult: FollowerSession.take_result,
    verbs.CommitCoin: FollowerSession.commit_coin,
    verbs.RevealCoin: FollowerSession.reveal_coin,
    verbs.BindCoin: FollowerSession.bind_coin,
    verbs.NoteDrawn: FollowerSession.note_drawn,
    verbs.StartLeading: FollowerSession.start_leading,
    verbs.AskStatus: FollowerSession.lead_status,
    verbs.FindPeople: FollowerSession.find_people,
    verbs.IntersectIdentifiers: FollowerSession.intersect,
    verbs.CompareIdentifiers: FollowerSession.compare,
    verbs.SettleOrder: FollowerSession.settle_order,
    verbs.SendRecords: FollowerSession.send_records,
    verbs.EstimateCounts: lambda session, question: session.estimates.answer(question),
    counting_verbs.PermitCounts: lambda session, question: session.secure.permit(question),
    counting_verbs.BeginCounting: lambda session, question: session.secure.begin(question),
    counting_verbs.ShareKey: lambda session, question: session.secure.share_keys(question),
    counting_verbs.EvaluateVectors: lambda session, question: session.secure.evaluate(question),
    counting_verbs.AuditFollower: lambda session, question: session.secure.audit(question),
    counting_verbs.QuestionFollower: lambda session, question: session.secure.question(question),
    counting_verbs.ExpectProof: lambda session, question: session.secure.expect(question),
    counting_verbs.UnmaskCounts: lambda session, question: session.secure.unmask(question),
    counting_verbs.HoldVectors: lambda session, question: session.secure.hold(question),
    counting_verbs.AnswerVectors: lambda session, question: session.secure.answers(question),
    counting_verbs.ShowMaterial: lambda session, question: session.secure.material(question),
    counting_verbs.CommitProof: lambda session, question: session.secure.bind(question),
    counting_verbs.ShowProof: lambda session, question: session.secure.proof(question),
    counting_verbs.ReleaseCounts: lambda session, question: session.secure.release(question),
    counting_verbs.StopCounting: lambda session, question: session.secure.stop(question),
}
"""Who answers what."""

if set(HANDLERS) != set(REQUESTS.values()):
    raise ImportError("a verb has no handler, or a handler no verb")


class Dispatcher:
    """A party's answers to its peers, over all collaborations that it approved."""

    def __init__(
        self,
        party: PartyFile,
        connect: Callable[[str], Transport],
        backend: Backend | None = None,
        lead: Lead = lead_nothing,
    ) -> None:
        self.party = party
        self._connect, self._lead = connect, lead
        self._backend: Backend = backend or Bfv()
        self._sessions: dict[tuple[str, int | None], FollowerSession] = {}
        self._opening: dict[str, Lock] = {}
        """By collaboration: who opens one of its runs."""

        self._lock = Lock()
        self._log = ServerLog()

    def answer(self, peer: str, message: Message) -> Message:
        """Answer one message of a peer whose certificate was checked."""
        try:
            with only_peer_errors(self.party.name):
                return self._answer(peer, message)
        except DeniableError as error:
            self._log.refused(peer, error)
            raise

    def room(self, peer: str, opening: Opening) -> int:
        """Bytes that may follow the opening of a message, once all is known that it says."""
        with only_peer_errors(self.party.name):
            kind, stamp = self._kind(opening.verb), Stamp.read(opening.fields)
            run = self.session(peer, stamp).run
            _require_allowed(kind, run, peer, stamp)
            return kind.room(run.people)

    def _kind(self, verb: str) -> type[Request[Any]]:
        if verb not in REQUESTS:
            raise AnswerError(
                f"{self.party.name} does not understand {shortened(verb)}.",
                hint="All parties must use the same version.",
            )
        return REQUESTS[verb]

    def _answer(self, peer: str, message: Message) -> Message:
        kind, stamp = self._kind(message.verb), Stamp.read(message.fields)
        session = self.session(peer, stamp)
        run = session.run
        with session.lock:
            _require_allowed(kind, run, peer, stamp)
            if kind.asker is not Asker.ANYBODY:  # before anything is done for the asker
                _rows_since(run.ledger(peer), stamp.have)
            question = kind.read(message, run.agreement.schema)
            if not kind.meanwhile:
                return self._replied(session, peer, stamp, question)
        return self._replied(session, peer, stamp, question)

    def _replied(
        self, session: FollowerSession, peer: str, stamp: Stamp, question: Request[Any]
    ) -> Message:
        run, reply = session.run, HANDLERS[type(question)](session, question)
        if question.asker is not Asker.ANYBODY and isinstance(reply, RowsReply):
            reply = replace(reply, rows=_rows_since(run.ledger(peer), stamp.have))
        terms = run.terms
        self._log.answered(peer, question, run)
        return reply.message(
            collaboration=stamp.collaboration, terms=None if terms is None else terms.digest
        )

    def session(self, peer: str, stamp: Stamp) -> FollowerSession:
        """The run that a message is about; it must be approved here, and name the peer."""
        session = self._sessions.get((stamp.collaboration, stamp.rehearsal))
        if session is None:
            session = self._begun(peer, stamp)
        _require_part(peer, session.run.agreement)
        return session

    def _begun(self, peer: str, stamp: Stamp) -> FollowerSession:
        """Open a run; it may take long, and keeps nobody waiting but those of its collaboration."""
        key = stamp.collaboration, stamp.rehearsal
        agreement = is_approved(self.party, stamp.collaboration)
        if agreement is None:
            raise AnswerError(
                f"{self.party.name} has not approved this collaboration "
                f"({stamp.collaboration[:DIGEST_DIGITS]}).",
                hint=f"At {self.party.name}: deniable collaborate approve.",
            )
        _require_part(peer, agreement)
        self.party.check(agreement)
        with self._lock:
            opening = self._opening.setdefault(agreement.digest, Lock())
        with opening:
            if key not in self._sessions:
                if stamp.rehearsal is not None:
                    self._close_rehearsals(agreement.digest)
                self.open(agreement, stamp.rehearsal)
            return self._sessions[key]

    def open(self, agreement: Agreement, rehearsal: int | None) -> None:
        """Begin to answer for a run, or go on with it."""
        run = Run(self.party, agreement, rehearsal)
        if rehearsal is not None:
            run.folder.drop_old_rehearsals()
        session = FollowerSession(run, self._backend, self._connect, self._lead)
        self._sessions[agreement.digest, rehearsal] = session

    def _close_rehearsals(self, digest: str) -> None:
        """One rehearsal of a collaboration at a time: invented records are held in memory."""
        for key in [k for k in [*self._sessions] if k[0] == digest and k[1] is not None]:
            self._sessions.pop(key).run.close()

    def close(self) -> None:
        """Let other processes of this party go on with its runs."""
        with self._lock:
            for session in [*self._sessions.values()]:
                session.run.close()
            self._sessions.clear()


def _require_part(peer: str, agreement: Agreement) -> None:
    if peer not in agreement.everybody:
        raise AnswerError(f"{peer} has no part in this collaboration.", hint="Check the names.")


def _require_allowed(kind: type[Request[Any]], run: Run, peer: str, stamp: Stamp) -> None:
    """Hold a peer to what the verb says: when it may be asked, by whom, in what collaboration."""
    if not kind.under_way:
        run.require_unchanged()
    terms = run.terms
    if not kind.before_terms and (terms is None or stamp.terms != terms.digest):
        raise AnswerError(
            "The message is not under the terms that all agreed on.",
            hint="Begin the run again; what was answered is kept.",
        )
    if kind.asker is Asker.LEADER and peer != run.leader:
        raise AnswerError(
            f"{peer} does not lead this collaboration; {run.leader} does.",
            hint=f"Start the run at {run.leader}.",
        )
    if kind.asker is Asker.SEEKER and peer != run.seeker:
        raise AnswerError(
            f"{run.seeker} aligns the records, not {peer}.", hint="Begin the run again."
        )
    if not kind.allowed(run.agreement):
        raise AnswerError(kind.of_no_use, hint="See the agreement.")


def _rows_since(ledger: Ledger, have: int | None) -> list[dict[str, Any]]:
    """Rows of a ledger for a peer that has so many."""
    if have is None or not 0 <= have <= len(ledger.rows):
        raise AnswerError(
            "The other side's ledger holds rows that this one does not have.",
            hint="Compare both with 'deniable ledger verify'.",
        )
    return [row.document() for row in ledger.rows[have:][:MOST_LEDGER_ROWS]]
