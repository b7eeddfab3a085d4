"""One run as a follower has it in memory, and what it answers to those who lead, align or start it.

Counts have classes of their own: `secure_follower` and `estimate_release`.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from threading import Lock, RLock, Thread

from deniable.base.documents import strict_json
from deniable.base.errors import (
    AnswerError,
    CollabError,
    DeniableError,
    PeerError,
    PolicyError,
    UnknownValueError,
)
from deniable.base.fingerprint import digest_of
from deniable.collab.counting.backend import Backend
from deniable.collab.follower.estimate_release import EstimateRelease
from deniable.collab.follower.secure_follower import SecureFollower
from deniable.collab.ledger import LedgerRow
from deniable.collab.party_documents import DIGEST_DIGITS, SAFE_DIGITS
from deniable.collab.protocol import verbs
from deniable.collab.protocol.body import Stamp
from deniable.collab.session import leader_draw
from deniable.collab.session.alignment import align, settle
from deniable.collab.session.intersection import IntersectionServer, same_identifiers
from deniable.collab.session.own_reports import own_reports, packed
from deniable.collab.session.remote_party import RemoteParty, Transport, asked
from deniable.collab.session.run import Run
from deniable.collab.session.run_folder import RunFile
from deniable.collab.wire.message_limits import FEW_SOUGHT, SOUGHT_EACH
from deniable.mine.models.model_files import read_model

MOST_REQUESTS = 50
"""Rows about alignment in one run: an honest one has two, and a dishonest one may fill no disk."""

BY_DIGEST = " · "
"""Between what was asked, and the hash of what came with it."""

Lead = Callable[[Run, Callable[[str], None]], object]
"""Leads a run, and tells in a few words what is being done."""

log = logging.getLogger(__name__)


def lead_nothing(run: Run, _: Callable[[str], None]) -> None:
    """What a process does that only answers."""
    raise AnswerError(f"{run.name} leads nothing from here.", hint="Run deniable party serve.")


@contextmanager
def only_peer_errors(name: str) -> Iterator[None]:
    """Let through to a peer only what was written for peers.

    All other errors may name files and rows of the party's own; they go to its log. Values do not:
    others than those who may see the data read logs.
    """
    try:
        yield
    except (AnswerError, PeerError, PolicyError):
        raise
    except DeniableError as error:
        log.error("%s", error.discreet if isinstance(error, UnknownValueError) else error)
        raise AnswerError(
            f"{name} cannot answer because of its own data or files.",
            hint=f"The log at {name} says why.",
        ) from None


class FollowerSession:
    """A run, what is in memory for the leader that it answers, and how far the party leads it."""

    def __init__(
        self,
        run: Run,
        backend: Backend,
        connect: Callable[[str], Transport],
        lead: Lead = lead_nothing,
    ) -> None:
        self.run, self._backend, self._connect, self._lead = run, backend, connect, lead
        self.lock, self._coin = RLock(), Lock()
        self._leading: verbs.LeadStatus | None = None

    @cached_property
    def secure(self) -> SecureFollower:
        """Secure counting with the leader; answers and keys are in memory only."""
        return SecureFollower(self.run, self.run.leader, self._backend)

    @cached_property
    def estimates(self) -> EstimateRelease:
        """Estimated counts for the leader."""
        return EstimateRelease(self.run, self.run.leader)

    def welcome(self, _: verbs.Hello) -> verbs.Welcome:
        """Say what this party brings, and how far the run has come."""
        for left in ("secure", "estimates"):  # in memory, by a leader that was interrupted
            vars(self).pop(left, None)
        return verbs.Welcome(
            policy=self.run.party.policy.document(),
            commitment=self.run.commitment,
            aligned=self.run.folder.text(RunFile.ALIGNMENT),
            total=len(self.run.ledger(self.run.leader).rows),
        )

    def accept_terms(self, question: verbs.AcceptTerms) -> verbs.TermsAccepted:
        """Accept the terms, and write them into the ledger once."""
        run, terms = self.run, question.document
        run.agree(terms)
        about = f"{run.agreement.name} {run.agreement.digest} · terms {terms.digest}"
        run.enter_once(run.leader, "agreed", about)
        return verbs.TermsAccepted()

    def take_result(self, question: verbs.TakeResult) -> verbs.ResultReceived:
        """Keep the model that was mined, if this party may have it."""
        run = self.run
        if run.name not in run.agreement.results:
            raise AnswerError(f"{run.name} gets no result.", hint="See 'results' in the agreement.")
        if question.digest != digest_of(question.model):
            raise AnswerError(
                "The result is not the one that its digest is of.", hint="Begin the run again."
            )
        try:
            document = strict_json(question.model)
            # Before it is read: nobody but the agreement says whose code that is.
            if document["kind"] != run.agreement.task.miner.name:
                raise AnswerError("The result is of another kind.", hint="Mine what was agreed on.")
            read_model(document, "The result")
        except (ValueError, TypeError, LookupError, RecursionError):
            raise AnswerError("The result is no model.", hint="Use one version.") from None
        run.folder.write(RunFile.RESULT, question.model)
        run.enter_once(run.leader, "result", digest_of(question.model))
        return verbs.ResultReceived()

    def commit_coin(self, _: verbs.CommitCoin) -> verbs.CoinCommitment:
        """Bind this party to its number."""
        return verbs.CoinCommitment(leader_draw.commitment(self.run))

    def reveal_coin(self, question: verbs.RevealCoin) -> verbs.CoinNumber:
        """Give the number, once everybody is bound, and says so itself."""
        run, stamp = self.run, Stamp(self.run.agreement.digest, rehearsal=self.run.rehearsal)
        bound = self.bind_coin(verbs.BindCoin(question.commitments)).bound
        for name in run.agreement.names:
            if name != run.name:
                theirs = asked(self._connect(name), verbs.BindCoin(question.commitments), stamp)
                leader_draw.require_same(bound, theirs.bound, name)
        return verbs.CoinNumber(leader_draw.number(run))

    def bind_coin(self, question: verbs.BindCoin) -> verbs.CoinBound:
        """Take over the commitments of a toss, whoever shows them; only ever one set of them."""
        with self._coin:
            return verbs.CoinBound(leader_draw.bind(self.run, question.commitments))

    def note_drawn(self, question: verbs.NoteDrawn) -> verbs.DrawnLeader:
        """Check all numbers, and remember who was drawn."""
        return verbs.DrawnLeader(leader_draw.note(self.run, question.numbers))

    def start_leading(self, _: verbs.StartLeading) -> verbs.LeadStatus:
        """Lead in the background, or go on; a run that is under way is left alone."""
        run = self.run
        if run.leader != run.name:
            raise AnswerError(
                f"{run.name} does not lead this collaboration; {run.leader} does.",
                hint=f"Start the run at {run.leader}.",
            )
        if self._leading is None or self._leading.error is not None:
            self._leading = verbs.LeadStatus()
            Thread(target=self._lead_on, args=(self._leading,), daemon=True).start()
        return self._leading

    def lead_status(self, _: verbs.AskStatus) -> verbs.LeadStatus:
        """Say how far it is."""
        if self._leading is None:
            raise AnswerError("Nothing was started here.", hint="Run deniable collaborate run.")
        return self._leading

    def _lead_on(self, status: verbs.LeadStatus) -> None:
        def tell(stage: str) -> None:
            self._leading = replace(status, stage=stage)

        try:
            with only_peer_errors(self.run.name):
                self._lead(self.run, tell)
        except DeniableError as error:
            self._leading = replace(self._leading or status, error=str(error))
        except BaseException:
            why = f"{self.run.name} could not go on, and does not say why."
            self._leading = replace(self._leading or status, error=why)
            raise
        else:
            self._leading = replace(self._leading or status, finished=True)

    def find_people(self, _: verbs.FindPeople) -> verbs.PeopleFound:
        """Be the seeker, for a leader that has no records."""
        run = self.run
        others = [name for name in run.agreement.names if name != run.name]
        align(run, [RemoteParty(run, name, self._connect(name)) for name in others])
        self._enter_alignment(run.leader)
        return verbs.PeopleFound()

    def intersect(self, question: verbs.IntersectIdentifiers) -> verbs.IntersectionPoints:
        """Answer a request of private set intersection: one in a run, however often it is asked."""
        run, many = self.run, question.records
        most = FEW_SOUGHT + SOUGHT_EACH * run.holding.n
        about = f"an intersection with {many:,} identifiers of {run.seeker}"
        if many > most:
            self._note(f"{about}, refused")
            raise AnswerError(
                f"{run.name} answers an intersection with {most:,} identifiers at most, and "
                f"{run.seeker} has {many:,}.",
                hint="Whoever has most people should not lead; or leave out who cannot be shared.",
            )
        request = f"{about}{BY_DIGEST}{digest_of(question.points)[:SAFE_DIGITS]}"
        self._require_only(request, about)
        secret = run.derived("sought", run.seeker)
        server = IntersectionServer(run.holding.ids, secret, run.agreement.digest)
        response = server.respond(question.points, many)
        run.enter_once(run.seeker, "aligned", request)
        return verbs.IntersectionPoints(server.setup, response)

    def compare(self, question: verbs.CompareIdentifiers) -> verbs.IdentifiersHash:
        """Give a keyed hash of all identifiers, for parties that agree on them already."""
        run, about = self.run, f"a comparison of all identifiers by {self.run.seeker}"
        request = f"{about}{BY_DIGEST}{digest_of(question.key)[:SAFE_DIGITS]}"
        self._require_only(request, about)
        same = same_identifiers(run.holding.ids, question.key)
        run.enter_once(run.seeker, "aligned", request)
        return verbs.IdentifiersHash(same)

    def _require_only(self, request: str, about: str) -> None:
        """Refuse a request beside the one of this run; who asks the same again gets the same."""
        run = self.run
        before = [row.about for row in self._requests if BY_DIGEST in row.about]
        if before and request not in before:
            self._note(f"{about}, which is not the first, refused")
            raise AnswerError(
                f"{run.seeker} asked {run.name} with other identifiers before, or by another key.",
                hint="People are looked for once in a collaboration; begin a new one.",
            )
        self._require_few_requests()

    @property
    def _requests(self) -> list[LedgerRow]:
        return [row for row in self.run.ledger(self.run.seeker).rows if row.kind == "aligned"]

    def _require_few_requests(self) -> None:
        if len(self._requests) >= MOST_REQUESTS:
            raise AnswerError(
                f"{self.run.seeker} was refused too often, and {self.run.name} aligns nobody.",
                hint="Its ledger says what was asked; begin a new collaboration.",
            )

    def settle_order(self, question: verbs.SettleOrder) -> verbs.OrderSettled:
        """Take over the people in common, and their order by a key that the parties share.

        A list that is refused is written down too, and the refusal says the same whatever is wrong
        with it: lists of guessed people would tell who is here.
        """
        run = self.run
        try:
            order = settle(run, question.key, question.named)
        except CollabError as error:
            log.info("%s", error)
            self._note(f"a list of people by {run.seeker}, refused")
            raise AnswerError(
                f"{run.name} refuses the list of people in common.",
                hint="It must name enough people, all of them there, and the same every time; the "
                f"log at {run.name} says more.",
            ) from None
        self._enter_alignment(run.seeker)
        return verbs.OrderSettled(order)

    def _note(self, about: str) -> None:
        """Write down every request: whoever asks with guessed identifiers learns who is here."""
        run = self.run
        self._require_few_requests()
        run.ledger(run.seeker).append([run.entry("aligned", about, run.seeker)])

    def _enter_alignment(self, peer: str) -> None:
        """Write into the ledger, once, how many people are in common."""
        self.run.enter_once(peer, "aligned", "people in common", self.run.aligned.n)

    def send_records(self, _: verbs.SendRecords) -> verbs.DisguisedRecords:
        """Send the disguised records of the columns that the agreement names."""
        run = self.run
        design = run.agreement.led_by(run.leader).sent(run.name)
        body = packed(own_reports(run, design))
        made_by = f"design {design.fingerprint[:DIGEST_DIGITS]}"
        about = f"{', '.join(design.schema.names)} · {made_by} · {digest_of(body)}"
        run.enter_once(run.leader, "records", about, run.records.n)
        return verbs.DisguisedRecords(body)
