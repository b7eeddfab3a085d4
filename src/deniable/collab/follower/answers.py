"""Every question that a peer may ask, and who may ask it.

Each message names the collaboration by its hash, and once all have agreed, the terms. A party
answers only for collaborations that it approved.
"""

import json
import re
from collections.abc import Callable
from threading import RLock

from deniable.base.errors import AnswerError
from deniable.base.fingerprint import digest_of
from deniable.collab.agreement.agreement import Agreement
from deniable.collab.agreement.party_file import DIGEST_DIGITS, PartyFile, is_approved
from deniable.collab.counting import Backend, Bfv
from deniable.collab.follower.align import AligningDesk, aligned_entry
from deniable.collab.follower.follower_session import Session
from deniable.collab.follower.send_records import send_records
from deniable.collab.leader.align import align
from deniable.collab.leader.contact import Asking, Contact
from deniable.collab.ledger import LedgerEntry
from deniable.collab.session.coin import CoinDesk
from deniable.collab.session.discretion import discreet
from deniable.collab.session.message_fields import field, rows_since
from deniable.collab.session.run import Run
from deniable.collab.session.run_terms import RunTerms
from deniable.collab.wire.message import Message
from deniable.mine.model import Model, read_model
from deniable.mine.models.miners import MODEL_KINDS

MOST_REHEARSED = 1 << 20
RESULT = "model.json"
DIGEST = re.compile("[0-9a-f]{64}")

Answer = Callable[[Session, str, Message], Message]


class Answers:
    """A party's answers to its peers, over all collaborations that it approved."""

    def __init__(
        self, party: PartyFile, connect: Callable[[str], Asking], backend: Backend | None = None
    ) -> None:
        self.party, self._connect = party, connect
        self._backend: Backend = backend or Bfv()
        self._sessions: dict[tuple[str, int | None], Session] = {}
        self._lock = RLock()

    def answer(self, peer: str, message: Message) -> Message:
        """Answer one message of a peer whose certificate was checked."""
        if message.verb not in _ANSWERS:
            raise AnswerError(
                f"{self.party.name} does not understand {message.verb!r}.",
                hint="All parties must use the same version.",
            )
        with discreet(self.party.name):
            session = self.session(peer, message)
        with session.lock, discreet(self.party.name):
            session.run.require_unchanged()
            if message.verb not in _BEFORE_TERMS:
                session.require_terms(message)
            reply = _ANSWERS[message.verb](session, peer, message)
            terms = session.run.terms
            stamp = {
                "collaboration": session.run.agreement.digest,
                "terms": None if terms is None else terms.digest,
            }
            return Message(reply.verb, {**reply.fields, **stamp}, reply.parts)

    def session(self, peer: str, message: Message) -> Session:
        """The run that a message is about; it must be approved here, and name the peer."""
        digest = field(message, "collaboration", str)
        rehearsal = message.fields.get("rehearsal")
        if rehearsal is not None and not (
            type(rehearsal) is int and 1 <= rehearsal <= MOST_REHEARSED
        ):
            raise AnswerError("A rehearsal needs a number of records.", hint="Use up to a million.")
        if not DIGEST.fullmatch(digest):  # it becomes part of a file's name
            raise AnswerError("A message names no collaboration.", hint="Use the same version.")
        with self._lock:
            if (digest, rehearsal) not in self._sessions:
                agreement = is_approved(self.party, digest)
                if agreement is None:
                    raise AnswerError(
                        f"{self.party.name} has not approved this collaboration "
                        f"({digest[:DIGEST_DIGITS]}).",
                        hint=f"At {self.party.name}: deniable collaborate approve.",
                    )
                _require_part(peer, agreement)
                self.party.check(agreement)
                if rehearsal is not None:
                    self._close_rehearsals(digest)
                self.open(agreement, rehearsal)
            session = self._sessions[digest, rehearsal]
        _require_part(peer, session.run.agreement)
        return session

    def open(self, agreement: Agreement, rehearsal: int | None) -> None:
        """Begin to answer for a run, or go on with it."""
        run = Run(self.party, agreement, rehearsal)
        key = agreement.digest, rehearsal
        self._sessions[key] = Session(run, self._backend, self._connect)

    def _close_rehearsals(self, digest: str) -> None:
        """One rehearsal of a collaboration at a time: invented records are held in memory."""
        for key in [k for k in self._sessions if k[0] == digest and k[1] is not None]:
            self._sessions.pop(key).run.close()

    def close(self) -> None:
        """Let other processes of this party go on with its runs."""
        with self._lock:
            for session in self._sessions.values():
                session.run.close()
            self._sessions.clear()


def people(agreement: Agreement) -> set[str]:
    """Everybody with a part in a collaboration: its members, and a leader from outside."""
    return {*agreement.names, *agreement.leaders}


def _require_part(peer: str, agreement: Agreement) -> None:
    if peer not in people(agreement):
        raise AnswerError(f"{peer} has no part in this collaboration.", hint="Check the names.")


def _hello(session: Session, peer: str, message: Message) -> Message:
    """Say what this party brings, and how far the run has come."""
    session.require_leader(peer)
    session.forget()
    run = session.run
    return Message(
        "welcome",
        {
            "policy": run.party.policy.document(),
            "commitment": run.commitment,
            "aligned": (run.kept("aligned") or b"").decode() or None,
            "rows": rows_since(run.ledger(peer), message.fields.get("have")),
            "total": len(run.ledger(peer).rows),
        },
    )


def _rows(session: Session, peer: str, message: Message) -> Message:
    """Send more of the ledger, to a leader that begins again."""
    session.require_leader(peer)
    ledger = session.run.ledger(peer)
    return Message("rows", {"rows": rows_since(ledger, message.fields.get("have"))})


def _agree(session: Session, peer: str, message: Message) -> Message:
    """Accept the terms, and write them into the ledger once."""
    session.require_leader(peer)
    run = session.run
    given = field(message, "document", dict)
    terms = RunTerms.of(given)
    run.agree(terms)
    ledger = run.ledger(peer)
    about = f"{run.agreement.name} {run.agreement.digest} · terms {terms.digest}"
    if ledger.find("agreed", about) is None:
        policy = run.policy.digest[:DIGEST_DIGITS]
        ledger.append(
            [LedgerEntry(kind="agreed", about=about, value=None, why=None, by=peer, policy=policy)]
        )
    return Message("agreed", {"rows": rows_since(ledger, message.fields.get("have"))})


def _align(session: Session, peer: str, message: Message) -> Message:
    """Take part in finding the people in common."""
    desk = AligningDesk(session.run)
    _require_seeker(session, peer)
    wanted = {"psi": "intersect", "key": "compare"}.get(session.run.agreement.align or "")
    if message.verb not in {wanted, "settle"}:
        raise AnswerError("Records are not aligned in this way.", hint="See 'align'.")
    if message.verb == "intersect":
        return desk.intersect(message, peer)
    if message.verb == "compare":
        return desk.compare(message)
    reply = desk.settle(message, peer)
    ledger = session.run.ledger(peer)
    if ledger.find("aligned", "people in common") is None:
        ledger.append([aligned_entry(session.run, peer)])
    return Message(
        reply.verb, {**reply.fields, "rows": rows_since(ledger, message.fields.get("have"))}
    )


def _require_seeker(session: Session, peer: str) -> None:
    seeker = seeker_of(session.run.agreement, session.leader)
    if peer != seeker:
        raise AnswerError(f"{seeker} aligns the records, not {peer}.", hint="Begin the run again.")


def seeker_of(agreement: Agreement, leader: str) -> str:
    """Who aligns the records: the leader, or the first party if the leader has none."""
    return leader if leader in agreement.names else agreement.names[0]


def _records(session: Session, peer: str, message: Message) -> Message:
    session.require_leader(peer)
    if session.run.agreement.mode not in {"collect", "pool", "hybrid"}:
        raise AnswerError("No records are sent in this collaboration.", hint="Check the mode.")
    return send_records(session.run, peer, message)


def _estimates(session: Session, peer: str, message: Message) -> Message:
    session.require_leader(peer)
    if session.run.agreement.mode != "counts":
        raise AnswerError("No estimates are sent in this collaboration.", hint="Check the mode.")
    return session.estimating.answer(message)


def _secure(session: Session, peer: str, message: Message) -> Message:
    session.require_leader(peer)
    if session.run.agreement.mode not in {"secure", "hybrid"}:
        raise AnswerError(
            "No secure counts are made in this collaboration.", hint="Check the mode."
        )
    return session.secure.answer(message)


def _result(session: Session, peer: str, message: Message) -> Message:
    """Take the model that was mined, if this party may have it."""
    session.require_leader(peer)
    run = session.run
    if run.name not in run.agreement.results:
        raise AnswerError(f"{run.name} gets no result.", hint="See 'results' in the agreement.")
    if len(message.parts) != 1:
        raise AnswerError("The result is missing.", hint="Use one version.")
    (body,) = message.parts
    received(body)
    run.keep(RESULT, body)
    ledger = run.ledger(peer)
    digest = digest_of(body)
    if ledger.find("result", digest) is None:
        policy = run.policy.digest[:DIGEST_DIGITS]
        ledger.append(
            [LedgerEntry(kind="result", about=digest, value=None, why=None, by=peer, policy=policy)]
        )
    return Message("received", {"rows": rows_since(ledger, message.fields.get("have"))})


def received(body: bytes) -> Model:
    """Read a model that a peer sent."""
    try:
        return read_model(json.loads(body), MODEL_KINDS, "The result")
    except (ValueError, RecursionError):
        raise AnswerError("The result is no model.", hint="Use one version.") from None


def _seek(session: Session, peer: str, message: Message) -> Message:
    """Align the records of all parties, for a leader that has none."""
    session.require_leader(peer)
    run = session.run
    others = [Contact(run, n, session.connect(n)) for n in run.agreement.names if n != run.name]
    for other in others:
        other.aligned = None
    align(run, others)
    ledger = run.ledger(peer)
    if ledger.find("aligned", "people in common") is None:
        ledger.append([aligned_entry(run, peer)])
    return Message("sought", {"rows": rows_since(ledger, message.fields.get("have"))})


def _coin(session: Session, peer: str, message: Message) -> Message:
    return CoinDesk(session.run).answer(message)


_BEFORE_TERMS = frozenset({"hello", "rows", "agree", "commit", "reveal", "drawn"})

_ANSWERS: dict[str, Answer] = {
    "hello": _hello,
    "rows": _rows,
    "agree": _agree,
    "seek": _seek,
    "intersect": _align,
    "compare": _align,
    "settle": _align,
    "records": _records,
    "estimates": _estimates,
    "result": _result,
    **dict.fromkeys(("ask", "evaluate", "opened", "hold", "open", "release"), _secure),
    **dict.fromkeys(("commit", "reveal", "drawn"), _coin),
}
