"""Secure counts as a follower answers them.

Both sides are semi-honest. The *evaluator's* program sees a value before the policy is applied to
it, and drops what may not be released; beyond that, each side learns what the ledger says.

    permit    which cells may be asked, before any ciphertext is made
    evaluate  the leader holds: its vectors come, masked answers go back
    unmask    the leader has opened them: the masks are taken off, the values judged here
    hold      the follower holds: its vectors go to the leader
    open      the leader's masked answers come, opened values go back
    release   the leader has judged too: what both let pass is written, and so released

Before opened values leave this side, the ledger says how many there are: they are charged to the
limit whether they are released then or not.
"""

import secrets
from collections.abc import Sequence
from typing import TypeVar

from deniable.base.errors import AnswerError, LostSessionError
from deniable.collab.cells import Cell, within, written
from deniable.collab.counting.backend import Backend, Holder
from deniable.collab.ledger import Ledger, LedgerEntry
from deniable.collab.protocol import verbs
from deniable.collab.protocol.fields import AskedVector, Verdict
from deniable.collab.secure.count_party import CountParty
from deniable.collab.session.run import Run
from deniable.collab.wire.message_limits import MOST_VECTORS_TAKEN

T = TypeVar("T")


class SecureFollower:
    """Answers one leader's questions about cells of the joint table."""

    def __init__(self, run: Run, leader: str, backend: Backend) -> None:
        self.run, self.leader = run, leader
        self.schema = run.agreement.schema
        self.ledger: Ledger = run.ledger(leader)
        self.own = CountParty(run, leader, backend)
        self.own.take(self.ledger.rows)
        self._permitted: set[Cell] = set()
        # What waits for the leader's next message, by token: masked answers that it opens, by their
        # masks; own vectors that it evaluates; and counts that wait for its word, with this side's
        # verdicts where this side took the masks off.
        self._masked: dict[str, tuple[AskedVector, Sequence[int]]] = {}
        self._held: dict[str, tuple[AskedVector, Holder]] = {}
        self._open_counts: dict[str, tuple[AskedVector, Sequence[Verdict] | None]] = {}

    def permit(self, question: verbs.PermitCounts) -> verbs.LedgerRows:
        """Judge cells before anything is computed; count those that are about own columns only."""
        cells = question.cells
        fresh = [place for place, cell in enumerate(cells) if not self.own.recorded(cell)]
        theirs = question.refused
        reasons = {cells[n]: f"{self.leader}: {theirs[n]}" for n in fresh if n in theirs}
        open_cells = [cells[place] for place in fresh if cells[place] not in reasons]
        for cell, why in zip(open_cells, self.own.before(open_cells), strict=True):
            if why is not None:
                reasons[cell] = f"{self.run.name}: {why}"
        entries = {cell: self._refusal(cell, why) for cell, why in reasons.items()}
        self._permitted = {cell for cell in open_cells if cell not in reasons}
        for cell in open_cells:
            if cell in self._permitted and self._is_own(cell):
                entries[cell] = self._entry(cell, self.own.judged(cell, self.own.size(cell)))
        self._write(list(entries.values()))
        return verbs.LedgerRows()

    def evaluate(self, question: verbs.EvaluateVectors) -> verbs.MaskedAnswers:
        """Answer the leader's vectors: the size of each first, then the cells wanted of it."""
        self._require_permitted(question.vectors, self.own.theirs, self.own.mine)
        sent: list[bytes] = []
        tokens = []
        self._masked.clear()  # a leader asks again only if it has lost what came before
        for asked, encrypted in zip(question.vectors, question.encrypted, strict=True):
            answers, masks = self.own.evaluated(asked, encrypted)
            tokens.append(_remember(self._masked, (asked, masks)))
            sent += answers
        return verbs.MaskedAnswers(tokens, tuple(sent))

    def unmask(self, question: verbs.UnmaskCounts) -> verbs.JudgedCounts:
        """Take the masks off, check, judge; the leader sees what may pass, and judges too."""
        found: list[tuple[AskedVector, list[int]]] = []
        self._open_counts.clear()
        for token, values in zip(question.tokens, question.values, strict=True):
            asked, masks = self._masked.pop(token, (None, ()))
            if asked is None or len(values) != len(masks):
                raise _lost("Opened answers came that nobody waits for.")
            found.append((asked, self.own.counts(asked, values, masks)))
        self._charge([asked for asked, _ in found])
        verdicts = [self.own.verdicts(asked, counts) for asked, counts in found]
        for token, (asked, _), verdict in zip(question.tokens, found, verdicts, strict=True):
            self._open_counts[token] = asked, verdict
        return verbs.JudgedCounts(verdicts)

    def hold(self, question: verbs.HoldVectors) -> verbs.HeldVectors:
        """Encrypt own vectors for the leader, a fresh key each."""
        self._require_permitted(question.vectors, self.own.mine, self.own.theirs)
        self._held.clear()
        holders = [self.own.hold(asked) for asked in question.vectors]
        held = zip(question.vectors, holders, strict=True)
        tokens = [_remember(self._held, each) for each in held]
        return verbs.HeldVectors(tokens, tuple(holder.encrypted.parts for holder in holders))

    def open(self, question: verbs.OpenAnswers) -> verbs.OpenedAnswers:
        """Open the leader's masked answers; with noise, own noise is added first."""
        parts = list(question.answers)
        opening: dict[str, tuple[AskedVector, Holder, list[bytes]]] = {}
        self._open_counts.clear()
        for token in question.tokens:
            asked, holder = self._held.pop(token, (None, None))
            if asked is None or holder is None:
                raise _lost("Answers came for a vector that nobody holds.")
            many = len(asked.all)
            if len(parts) < many:
                raise AnswerError("Answers are missing in a message.", hint="Use the same version.")
            opening[token], parts = (asked, holder, parts[:many]), parts[many:]
        if parts:
            raise AnswerError("More answers came than were asked for.", hint="Use one version.")
        values = [self.own.opened(*each) for each in opening.values()]
        self._charge([asked for asked, _, _ in opening.values()])
        self._open_counts |= {token: (asked, None) for token, (asked, _, _) in opening.items()}
        return verbs.OpenedAnswers(values)

    def release(self, question: verbs.ReleaseCounts) -> verbs.LedgerRows:
        """Write what both sides let pass; a value must be the one that was opened."""
        entries: dict[Cell, LedgerEntry] = {}
        for token, values in zip(question.tokens, question.values, strict=True):
            asked, verdicts = self._open_counts.pop(token, (None, None))
            if asked is None:
                raise _lost("Counts are released that were not opened.")
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
        """Write down how many counts are about to be known, before anybody knows them."""
        entries = []
        for asked in vectors:
            fresh = sum(not self.own.recorded(cell) for cell in asked.all)
            about = written(asked.part, self.schema)
            entries.append(self.run.entry("opened", about, self.leader, fresh))
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
        for part, cells in vectors:
            fits = bool(part) and within(part, holder)
            for cell in cells:
                fits = fits and part <= cell and within(cell - part, evaluator)
            permitted = part in self._permitted or part in self.own.released
            if not fits or not permitted or not self._permitted >= set(cells):
                raise _lost(f"A count within {written(part, self.schema)} was not asked for first.")


def _remember(kept: dict[str, T], what: T) -> str:
    """Keep something in memory for the leader's next message; the oldest goes when it is full."""
    token = secrets.token_hex(8)
    kept[token] = what
    while len(kept) > MOST_VECTORS_TAKEN:
        del kept[next(iter(kept))]
    return token


def _lost(what: str) -> LostSessionError:
    """What is in memory only is gone after a restart; the leader greets again and goes on."""
    return LostSessionError(what, hint="Begin the run again; what was answered is kept.")
