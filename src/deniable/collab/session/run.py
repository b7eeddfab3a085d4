"""One collaboration at one party: its data as they were at the beginning, its terms, its ledgers.

A collaboration is one run: whoever asks again gets what was answered before.
"""

import hmac
import json
import secrets
from functools import cached_property
from io import BytesIO

import numpy as np

from deniable.base.arrays import Codes
from deniable.base.errors import AnswerError
from deniable.base.fingerprint import digest_of
from deniable.collab.agreement.agreement import DRAWN, SECURE_MODES, Agreement, Member
from deniable.collab.agreement.approvals import approval, is_approved
from deniable.collab.agreement.party_file import PartyFile
from deniable.collab.agreement.run_terms import RunTerms
from deniable.collab.ledger import Kind, Ledger, LedgerEntry
from deniable.collab.party_documents import DIGEST_DIGITS
from deniable.collab.policy import Policy
from deniable.collab.session.intersection import KEY_BYTES
from deniable.collab.session.own_records import Holding
from deniable.collab.session.run_folder import RunFile, RunFolder
from deniable.collab.wire.message_limits import MOST_IDENTIFIERS
from deniable.engine.open_table import open_table


class Run:
    """Everything one party keeps of one collaboration."""

    def __init__(
        self, party: PartyFile, agreement: Agreement, rehearsal: int | None = None
    ) -> None:
        self.party, self.agreement, self.rehearsal = party, agreement, rehearsal
        self.name = party.name
        self.folder = RunFolder(party, agreement, rehearsal)
        self._lock = self.folder.locked()
        # A rehearsal in one's own process needs nobody's approval.
        self._approval = [p for p in [approval(party, agreement.digest)] if p.is_file()]
        self._ledgers: dict[str, Ledger] = {}
        try:
            self._seen = self._signature()
            self._require_as_begun()
        except BaseException:
            self.close()
            raise

    @property
    def member(self) -> Member | None:
        """The party's own part; None for a collector from outside."""
        here = self.name in self.agreement.names
        return self.agreement.member(self.name) if here else None

    @property
    def leader(self) -> str:
        """Who asks in this run: named in the agreement, or drawn by all."""
        named = self.agreement.leader
        found = self.folder.text(RunFile.DRAWN_LEADER) if named == DRAWN else named
        if found is None:
            raise AnswerError("The leader has not been drawn yet.", hint="Begin the run again.")
        return found

    @property
    def seeker(self) -> str:
        """Who finds the people in common: the leader, or the first party if the leader has none."""
        return self.leader if self.leader in self.agreement.names else self.agreement.names[0]

    @cached_property
    def secret(self) -> bytes:
        """Randomness of this run that never leaves the party."""
        return self.drawn_once(RunFile.SECRET)

    def drawn_once(self, file: RunFile) -> bytes:
        """Random bytes that are drawn once, so that a run that is begun again has the same."""
        if self.folder.read(file) is None:
            self.folder.write(file, secrets.token_bytes(KEY_BYTES))
        return self.folder.read(file) or b""

    @cached_property
    def holding(self) -> Holding:
        """The party's own records, as they are in its data."""
        member = self.member
        if member is None:
            raise AnswerError(
                f"{self.name} brings no records to this collaboration.",
                hint="Name it as a party, or ask another one.",
            )
        if self.rehearsal is not None:
            # The same people at all parties, or, where parties have people of their own, others.
            whose = "" if self.agreement.vertical else self.name
            seed = int(digest_of(f"{self.agreement.digest} {whose}")[:16], 16)
            return Holding.rehearse(member, self.rehearsal, seed)
        return Holding.open(self.party, member, aligned=self.agreement.vertical)

    @cached_property
    def aligned(self) -> Holding:
        """The records of the people in common, in the order that all agreed on."""
        order = self.order
        if order is None:
            raise AnswerError(
                f"{self.name} has not been aligned with the others.", hint="Begin the run again."
            )
        return self.holding.taken(order)

    @property
    def records(self) -> Holding:
        """The records that take part: aligned where people are shared, else all."""
        return self.aligned if self.agreement.vertical else self.holding

    @property
    def people(self) -> int:
        """As many as a message can be about: where they are shared, all of the party's own."""
        shared = self.member is not None and self.agreement.vertical
        return self.holding.n if shared else MOST_IDENTIFIERS

    @property
    def order(self) -> Codes | None:
        """Own row numbers in the agreed order, once there is one."""
        content = self.folder.read(RunFile.ORDER)
        if content is None:
            return None
        rows: Codes = np.load(BytesIO(content), allow_pickle=False)
        return rows

    def keep_order(self, rows: Codes) -> None:
        """Remember the agreed order."""
        content = BytesIO()
        np.save(content, rows, allow_pickle=False)
        self.folder.write(RunFile.ORDER, content.getvalue())
        self.__dict__.pop("aligned", None)

    @property
    def commitment(self) -> str:
        """Hash that binds the party to its data and tells nothing about them."""
        if self.member is None:
            return "no data"
        return self.derived("data", self.holding.digest).hex()

    def derived(self, purpose: str, about: str = "") -> bytes:
        """A secret for one purpose, always the same in this run."""
        return hmac.digest(self.secret, f"{purpose}\n{about}".encode(), "sha256")

    @property
    def terms(self) -> RunTerms | None:
        """What all agreed on, once they did."""
        document = self.folder.read(RunFile.TERMS)
        return None if document is None else RunTerms.of(json.loads(document))

    def agree(self, terms: RunTerms) -> None:
        """Accept the terms if they say of this party what is true; later ones must be the same."""
        mine = (self.party.policy.document(), self.commitment)
        stated = (dict(terms.policies.get(self.name, {})), terms.commitments.get(self.name))
        whole = set(terms.policies) == set(terms.commitments) == self.agreement.everybody
        if terms.agreement != self.agreement.digest or stated != mine or not whole:
            raise AnswerError(
                f"The terms do not say what {self.name} brings.", hint="Begin the run again."
            )
        before = self.terms
        if before is not None and before.digest != terms.digest:
            raise AnswerError(
                f"{self._changed(before, terms)} since the run began.",
                hint="Go back to what all agreed on, or begin a new collaboration.",
            )
        if before is None:
            document = json.dumps(terms.document(), sort_keys=True)
            self.folder.write(RunFile.TERMS, document.encode())
            self.__dict__.pop("policy", None)

    def _changed(self, before: RunTerms, now: RunTerms) -> str:
        for name, policy in before.policies.items():
            if now.policies.get(name) != policy:
                return f"{name} changed its policy"
        for name, commitment in before.commitments.items():
            if now.commitments.get(name) != commitment:
                return f"{name} changed its data"
        return "The parties changed"

    @cached_property
    def policy(self) -> Policy:
        """The strictest of all policies: the agreement's and every party's own."""
        terms = self.terms
        if terms is None:
            raise AnswerError("The parties have not agreed yet.", hint="Begin the run again.")
        own = (Policy.of(document) for document in terms.policies.values())
        secure = self.agreement.mode in SECURE_MODES
        return Policy.strictest([self.agreement.policy, *own], secure=secure)

    def ledger(self, peer: str) -> Ledger:
        """What was released between this party and a peer."""
        if peer not in self._ledgers:
            self._ledgers[peer] = Ledger.open(self.folder.ledger(peer))
        return self._ledgers[peer]

    def entry(
        self, kind: Kind, about: str, by: str, value: float | None = None, why: str | None = None
    ) -> LedgerEntry:
        """What a row of a ledger is to say, under the policy of this run."""
        return LedgerEntry(kind, about, by, self.policy.digest[:DIGEST_DIGITS], value, why)

    def enter_once(self, peer: str, kind: Kind, about: str, value: float | None = None) -> None:
        """Write a row into the ledger of a peer, unless one says so already."""
        if self.ledger(peer).find(kind, about) is None:
            self.ledger(peer).append([self.entry(kind, about, peer, value)])

    def require_unchanged(self) -> None:
        """Refuse to go on once the party's own file or data are others than at the beginning."""
        signature = self._signature()
        if signature == self._seen:
            return
        self.__dict__.pop("holding", None)
        self.__dict__.pop("aligned", None)
        self.party = PartyFile.load(self.party.path)
        self.party.check(self.agreement)
        if self._approval and is_approved(self.party, self.agreement.digest) is None:
            raise AnswerError(
                f"{self.name} no longer approves this collaboration.", hint="Approve it to go on."
            )
        self._require_as_begun()
        self._seen = signature

    def _require_as_begun(self) -> None:
        data = "" if self.member is None else self.holding.digest
        now = {"policy": self.party.policy.digest, "data": data}
        document = self.folder.read(RunFile.BEGUN)
        if document is None:
            self.folder.write(RunFile.BEGUN, json.dumps(now).encode())
            return
        began = json.loads(document)
        for what in ("policy", "data"):
            if began[what] != now[what]:
                raise AnswerError(
                    f"{self.name} changed its {what} since the run began.",
                    hint=f"Put the old {what} back, or begin a new collaboration.",
                )

    def _signature(self) -> tuple[tuple[str, int, int], ...]:
        """Names, sizes and times of the files that the run rests on."""
        paths = [self.party.path, *self._approval]
        if self.rehearsal is None and self.member is not None:
            paths += open_table(self.party.data).paths
        found = []
        for path in paths:
            try:
                status = path.stat()
            except OSError:
                raise AnswerError(
                    f"A file of {self.name} is gone.", hint="Put it back to go on."
                ) from None
            found.append((str(path), status.st_size, status.st_mtime_ns))
        return tuple(found)

    def close(self) -> None:
        """Let another process go on."""
        self._lock.close()
