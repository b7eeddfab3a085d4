"""Secure counts as a follower answers them: one batch at a time, each step once (`secure.batches`).

    ask       which cells may be asked, before any ciphertext is made
    begin, keys        randomness that both draw, and a key of each side
    evaluate, audit, question, expect, opened       the leader holds, the follower evaluates
    hold, answers, material, prove, proof           the follower holds, the leader evaluates
    release   the leader has judged too: what both let pass is written, and so released

A batch is charged to the limit before anything that was computed for it leaves this side, whether
it is released then or not; and what was permitted is permitted once. A side that breaks the rules
ends the run: the ledger says why, and nothing is counted in it again.
"""

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from deniable.base.errors import AnswerError, LostSessionError, PolicyError
from deniable.collab.cells import Cell, within, written
from deniable.collab.counting.backend import Backend
from deniable.collab.counting.proofs import SALT_SIZE, BrokenRulesError, Opened
from deniable.collab.ledger import Ledger, LedgerEntry
from deniable.collab.protocol import counting_verbs, verbs
from deniable.collab.protocol.fields import AskedVector, Verdict
from deniable.collab.secure.batches import CountingKeys, EvaluatedBatch, HeldBatch
from deniable.collab.secure.count_party import CountParty
from deniable.collab.session.run import Run
from deniable.collab.wire.message_limits import MOST_REASON_LETTERS, MOST_REFUSALS

Batch = TypeVar("Batch", HeldBatch, EvaluatedBatch)


class SecureFollower:
    """Answers one leader's questions about cells of the joint table."""

    def __init__(self, run: Run, leader: str, backend: Backend) -> None:
        self.run, self.leader = run, leader
        self.schema = run.agreement.schema
        self.ledger: Ledger = run.ledger(leader)
        self.own = CountParty(run, leader, backend)
        self.own.take(self.ledger.rows)
        self._permitted: set[Cell] = set()
        self._commitment = self._nonce = ""
        self._keys: CountingKeys | None = None
        # The batch that is under way, and the step that comes next; and counts that wait for the
        # leader's word, with this side's verdicts where this side took the masks off.
        self._batch: HeldBatch | EvaluatedBatch | None = None
        self._next = ""
        self._open_counts: list[tuple[AskedVector, Sequence[Verdict] | None]] | None = None

    def permit(self, question: counting_verbs.PermitCounts) -> verbs.LedgerRows:
        """Judge cells before anything is computed; count those that are about own columns only."""
        self.own.require_running()
        cells = question.cells
        fresh = [place for place, cell in enumerate(cells) if not self.own.recorded(cell)]
        if fresh and len(self.own.withheld) >= MOST_REFUSALS:
            raise PolicyError("Too much was refused.", hint="Agree on a smaller model.")
        theirs = question.refused
        reasons = {cells[n]: f"{self.leader}: {theirs[n]}" for n in fresh if n in theirs}
        open_cells = [cells[place] for place in fresh if cells[place] not in reasons]
        for cell, why in zip(open_cells, self.own.before(open_cells), strict=True):
            if why is not None:
                reasons[cell] = f"{self.run.name}: {why}"
        entries = {cell: self._refusal(cell, why) for cell, why in reasons.items()}
        allowed = [cell for cell in open_cells if cell not in reasons]
        own = [cell for cell in allowed if self._is_own(cell)]
        self._permitted = {*allowed} - {*own}  # what is counted here is not opened, too
        for cell in own:
            entries[cell] = self._entry(cell, self.own.judged(cell, self.own.size(cell), cell))
        self._write(list(entries.values()))
        return verbs.LedgerRows()

    def begin(self, question: counting_verbs.BeginCounting) -> counting_verbs.CountingNonce:
        """Draw this side's part of a session's randomness, once the leader is bound to its own."""
        self.own.require_running()
        self._keys, self._batch, self._open_counts = None, None, None
        self._commitment, self._nonce = question.commitment, secrets.token_hex(SALT_SIZE)
        return counting_verbs.CountingNonce(self._nonce)

    def share_keys(self, question: counting_verbs.ShareKey) -> counting_verbs.FollowerKey:
        """Make a key of this session, and take the leader's."""
        if not self._nonce or Opened((), question.nonce).commitment != self._commitment:
            raise AnswerError("The leader changed its number.", hint="Begin the run again.")
        session = self.own.session(question.nonce, self._nonce)
        self._nonce = ""
        own = self.own.own_vectors(session)
        self._keys = self.own.keys(own, question.key)
        return counting_verbs.FollowerKey(own.key.public)

    # --- the leader holds ---

    def evaluate(self, question: counting_verbs.EvaluateVectors) -> counting_verbs.MaskedAnswers:
        """Answer the leader's vectors: the size of each first, then the cells wanted of it."""
        self._require_permitted(question.vectors, self.own.theirs, self.own.mine)
        batch = EvaluatedBatch(self._session, question.vectors)
        self._charge(question.vectors)
        self._batch, self._next = batch, "evaluate"
        with self._step(EvaluatedBatch, "evaluate", "audit"):
            answers, commitments = batch.answered(question.sealed)
        return counting_verbs.MaskedAnswers(commitments, tuple(answers))

    def audit(self, question: counting_verbs.AuditFollower) -> counting_verbs.EvaluatorMaterial:
        """Show the leader what proves the counts that it chose."""
        with self._step(EvaluatedBatch, "audit", "question") as batch:
            expected, material, masks = batch.reveal(question.commitment, question.audited)
        return counting_verbs.EvaluatorMaterial(
            expected, list(material), masks, tuple(material.values())
        )

    def question(
        self, question: counting_verbs.QuestionFollower
    ) -> counting_verbs.EvaluatorCommitment:
        """See the leader's proof, and be bound to the own one."""
        with self._step(EvaluatedBatch, "question", "expect") as batch:
            shown = Opened(tuple(question.opened), question.salt)
            return counting_verbs.EvaluatorCommitment(batch.commit(shown, question.answers))

    def expect(self, question: counting_verbs.ExpectProof) -> counting_verbs.EvaluatorProof:
        """Show the own proof to a leader that knows what it must be."""
        with self._step(EvaluatedBatch, "expect", "opened") as batch:
            proof = batch.prove(question.expected)
        return counting_verbs.EvaluatorProof(proof.values, proof.salt)

    def unmask(self, question: counting_verbs.UnmaskCounts) -> counting_verbs.JudgedCounts:
        """Take the masks off, check, judge; the leader sees what may pass, and judges too."""
        with self._step(EvaluatedBatch, "opened", "") as batch:
            counts = batch.counts(question.values, self.own.possible.read)
            for asked, found in zip(batch.vectors, counts, strict=True):
                self.own.require_possible(asked, found)
        verdicts = [
            self.own.verdicts(asked, found)
            for asked, found in zip(batch.vectors, counts, strict=True)
        ]
        self._open_counts = list(zip(batch.vectors, verdicts, strict=True))
        return counting_verbs.JudgedCounts(verdicts)

    # --- the follower holds ---

    def hold(self, question: counting_verbs.HoldVectors) -> counting_verbs.HeldVectors:
        """Seal own vectors for the leader."""
        self._require_permitted(question.vectors, self.own.mine, self.own.theirs)
        batch = HeldBatch(self._session, question.vectors)
        self._charge(question.vectors)
        self._batch, self._next = batch, "answers"
        return counting_verbs.HeldVectors(batch.sealed())

    def answers(self, question: counting_verbs.AnswerVectors) -> counting_verbs.HolderAudit:
        """Open the leader's masked answers; choose what is audited."""
        with self._step(HeldBatch, "answers", "material") as batch:
            return counting_verbs.HolderAudit(*batch.audit(question.answers, question.commitments))

    def material(self, question: counting_verbs.ShowMaterial) -> counting_verbs.HolderQuestions:
        """Show the own proof, and ask for the leader's."""
        with self._step(HeldBatch, "material", "prove") as batch:
            opened, asked = batch.answered(question.expected, question.given, question.masks)
        return counting_verbs.HolderQuestions(opened.values, opened.salt, tuple(asked))

    def bind(self, question: counting_verbs.CommitProof) -> counting_verbs.HolderExpectation:
        """Say what a true proof is, now that the leader is bound to its own."""
        with self._step(HeldBatch, "prove", "proof") as batch:
            return counting_verbs.HolderExpectation(batch.expected(question.commitment))

    def proof(self, question: counting_verbs.ShowProof) -> counting_verbs.OpenedAnswers:
        """Give the opened answers, with own noise, to a leader whose proof holds."""
        with self._step(HeldBatch, "proof", "") as batch:
            values = batch.values(Opened(tuple(question.opened), question.salt))
        self._open_counts = [(asked, None) for asked in batch.vectors]
        return counting_verbs.OpenedAnswers(self.own.noisy(batch.vectors, values))

    def release(self, question: counting_verbs.ReleaseCounts) -> verbs.LedgerRows:
        """Write what both sides let pass; a value must be the one that was opened."""
        self.own.require_running()
        waiting, self._open_counts = self._open_counts, None
        if waiting is None or len(waiting) != len(question.values):
            raise _lost("Counts are released that were not opened.")
        entries: dict[Cell, LedgerEntry] = {}
        for (asked, verdicts), values in zip(waiting, question.values, strict=True):
            if len(values) != len(asked.all):
                raise AnswerError("The leader released no counts.", hint="Begin the run again.")
            confirmed = self._confirmed(asked, verdicts, values)
            for cell, value, verdict in zip(asked.all, values, confirmed, strict=True):
                if self.own.recorded(cell) or cell in entries:
                    continue
                refused_there = isinstance(value, str)
                entries[cell] = self._entry(
                    cell, value if refused_there else verdict, by_leader=refused_there
                )
        self._write(list(entries.values()))
        return verbs.LedgerRows()

    def stop(self, question: counting_verbs.StopCounting) -> verbs.LedgerRows:
        """Write down why the leader ends the run."""
        self._end(f"{self.leader}: {question.why}")
        return verbs.LedgerRows()

    @property
    def _session(self) -> CountingKeys:
        """The keys, until a batch fails or is left: a key serves no second try."""
        if self._keys is None or self._batch is not None:
            self._keys = self._batch = None
            raise _lost("No keys were exchanged.")
        return self._keys

    @contextmanager
    def _step(self, kind: type[Batch], now: str, after: str) -> Iterator[Batch]:
        """The batch that is under way, if it has come to this step; each is gone through once.

        A step that fails ends the batch: the next would have nothing to compare with. If the leader
        breaks the rules, it ends the run.
        """
        self.own.require_running()
        batch, keys, self._batch, self._keys = self._batch, self._keys, None, None
        if not isinstance(batch, kind) or self._next != now:
            raise _lost("A step of a batch came that nobody waits for.")
        try:
            yield batch
            self._keys, self._batch, self._next = keys, batch if after else None, after
        except BrokenRulesError as error:
            self._end(f"{self.run.name}: {error}")
            raise AnswerError(str(error), hint="The ledgers say so.") from None

    def _end(self, why: str) -> None:
        """Write a row that nobody goes on after."""
        self._batch = self._open_counts = None
        self.own.require_running()  # it is written down once
        shown = why[:MOST_REASON_LETTERS]
        self.own.stop(shown)
        self.ledger.append([self.run.entry("stopped", "counting", self.leader, why=shown)])

    def _confirmed(
        self, asked: AskedVector, verdicts: Sequence[Verdict] | None, values: Sequence[Verdict]
    ) -> Sequence[Verdict]:
        """This side's verdicts on what the leader would release."""
        if verdicts is not None:
            for mine, theirs in zip(verdicts, values, strict=True):
                if isinstance(mine, int) and isinstance(theirs, int) and mine != theirs:
                    raise AnswerError(
                        "The leader releases another count than was opened.",
                        hint="Both must use the same version.",
                    )
            return verdicts
        size = self.own.size(asked.part)
        for cell, value in zip(asked.all, values, strict=True):
            if isinstance(value, int):
                self.own.possible.require(cell, value, size, size if cell == asked.part else 0)
        return self.own.verdicts(asked, values, noisy=False)

    def _charge(self, vectors: Sequence[AskedVector]) -> None:
        """Charge a batch to the limit, and write it down, before anything is computed for it.

        All of it, known or not: whatever is opened may be something else than it is called.
        """
        self.own.charge(vectors)
        entries = [
            self.run.entry("opened", written(asked.part, self.schema), self.leader, len(asked.all))
            for asked in vectors
        ]
        self._write(entries)

    def _write(self, entries: Sequence[LedgerEntry]) -> None:
        """Write rows, all that a message leads to at once: each time waits for the disk."""
        self.own.take(self.ledger.append(entries))

    def _entry(self, cell: Cell, verdict: Verdict, *, by_leader: bool = False) -> LedgerEntry:
        if isinstance(verdict, int):
            return self.run.entry("count", written(cell, self.schema), self.leader, verdict)
        return self._refusal(cell, f"{self.leader if by_leader else self.run.name}: {verdict}")

    def _refusal(self, cell: Cell, why: str) -> LedgerEntry:
        return self.run.entry("refused", written(cell, self.schema), self.leader, why=why)

    def _is_own(self, cell: Cell) -> bool:
        """Whether a cell is about own columns only, and not all of them the leader's too."""
        return within(cell, self.own.mine) and not within(cell, self.own.theirs)

    def _require_permitted(
        self, vectors: Sequence[AskedVector], holder: frozenset[str], evaluator: frozenset[str]
    ) -> None:
        """Refuse vectors that are not of their holder's columns, or that `permit` did not see."""
        if len({part for part, _ in vectors}) < len(vectors):
            raise _lost("A part was asked for twice.")
        for part, cells in vectors:
            fits = bool(part) and bool(cells) and within(part, holder)
            for cell in cells:
                fits = fits and part <= cell and within(cell - part, evaluator)
            permitted = part in self._permitted or part in self.own.released
            if not fits or not permitted or not self._permitted >= set(cells):
                raise _lost(f"A count within {written(part, self.schema)} was not asked for first.")
            self._permitted -= {*cells}  # once, whatever comes of it
        self._permitted -= {part for part, _ in vectors}


def _lost(what: str) -> LostSessionError:
    """What is in memory only is gone after a restart; the leader greets again and goes on."""
    return LostSessionError(what, hint="Begin the run again; what was answered is kept.")
