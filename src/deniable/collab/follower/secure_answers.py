"""Secure counts as a follower answers them.

For each count one side holds a vector (encrypts it under a fresh key) and the other evaluates. Both
are semi-honest. The *evaluator's* program sees a value before the policy is applied to it, and
drops what may not be released; beyond that, each side learns what the ledger says.

    ask       which cells may be asked, before any ciphertext is made
    evaluate  the leader holds: its vectors come, masked answers go back
    opened    the leader has opened them: the masks are taken off, the values judged here
    hold      the follower holds: its vectors go to the leader
    open      the leader's masked answers come, opened values go back
    release   the leader has judged too: what both let pass is written, and so released

Before opened values leave this side, the ledger says how many there are: they are charged to the
limit whether they are released then or not.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from deniable.base.errors import AnswerError
from deniable.collab.agreement.party_file import DIGEST_DIGITS
from deniable.collab.cells import Cell, unlisted, written
from deniable.collab.counting import Backend, Holder, Sealed
from deniable.collab.ledger import Ledger, LedgerEntry
from deniable.collab.secure.side import Side, Verdict
from deniable.collab.session.message_fields import (
    MOST_ASKED,
    MOST_VECTORS,
    AskedVector,
    are_counts,
    field,
    lost,
    reasons_of,
    rows_since,
    several,
    vectors_of,
)
from deniable.collab.session.run import Run
from deniable.collab.wire.message import Message

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class _Held:
    """An own vector that the leader evaluates."""

    holder: Holder
    asked: AskedVector


@dataclass(frozen=True, eq=False)
class _Waiting:
    """Masked answers that the leader is opening: the vector's size first, then its cells."""

    asked: AskedVector
    masks: Sequence[int]


@dataclass(frozen=True, eq=False)
class _Open:
    """Counts that wait for the leader's word; where it holds, with this side's verdicts."""

    asked: AskedVector
    verdicts: Sequence[Verdict] | None


class SecureDesk:
    """Answers one leader's questions about cells of the joint table."""

    def __init__(self, run: Run, leader: str, backend: Backend) -> None:
        self.run, self.leader, self.backend = run, leader, backend
        self.schema = run.agreement.schema
        self.own = frozenset(run.agreement.member(run.name).schema.names)
        self.theirs = frozenset(run.agreement.member(leader).schema.names)
        self.ledger: Ledger = run.ledger(leader)
        self.side = Side(run, run.name, backend)
        self.side.take(self.ledger.rows)
        self._waiting: dict[str, _Waiting] = {}
        self._held: dict[str, _Held] = {}
        self._open_counts: dict[str, _Open] = {}
        self._permitted: set[Cell] = set()

    def answer(self, message: Message) -> Message:
        """Do what the verb says, for a leader whose ledger this one continues."""
        rows_since(self.ledger, message.fields.get("have"))
        return {
            "ask": self._ask,
            "evaluate": self._evaluate,
            "opened": self._opened,
            "hold": self._hold,
            "open": self._open,
            "release": self._release,
        }[message.verb](message)

    def _ask(self, message: Message) -> Message:
        """Judge cells before anything is computed; count those that are about own columns only.

        ``refused`` are reasons of the leader's own, by the cell's place.
        """
        cells = unlisted(field(message, "cells", list)[: MOST_ASKED + 1], self.schema)
        if len(cells) > MOST_ASKED:
            raise AnswerError(
                f"A message asks for more than {MOST_ASKED:,} counts.", hint="Ask for fewer."
            )
        fresh = [place for place, cell in enumerate(cells) if not self.side.recorded(cell)]
        theirs = reasons_of(message, fresh)
        reasons = {cells[place]: f"{self.leader}: {why}" for place, why in theirs.items()}
        open_cells = [cells[place] for place in fresh if cells[place] not in reasons]
        for cell, why in zip(open_cells, self.side.before(open_cells), strict=True):
            if why is not None:
                reasons[cell] = f"{self.run.name}: {why}"
        entries = {cell: self._refusal(cell, why) for cell, why in reasons.items()}
        self._permitted = {cell for cell in open_cells if cell not in reasons}
        for cell in open_cells:
            if cell in self._permitted and self._is_own(cell):
                entries[cell] = self._entry(cell, self.side.judged(cell, self.side.size(cell)))
        self._write(list(entries.values()))
        return self._rows(message)

    def _evaluate(self, message: Message) -> Message:
        """Answer the leader's vectors: the size of each first, then the cells wanted of it."""
        vectors = self._asked(message, held_by_leader=True)
        if len(message.parts) != 2 * len(vectors):
            raise AnswerError("Vectors are missing in a message.", hint="Use the same version.")
        sent: list[bytes] = []
        tokens = []
        self._waiting.clear()  # a leader asks again only if it has lost what came before
        for asked, key, blocks in zip(
            vectors, message.parts[::2], message.parts[1::2], strict=True
        ):
            evaluation = self.backend.evaluate(Sealed(key, blocks, self.side.n))
            answers, masks = evaluation.answer(self.side.candidates(asked.part, asked.cells))
            tokens.append(_remember(self._waiting, _Waiting(asked, masks)))
            sent += answers
        return Message("answers", {"tokens": tokens}, tuple(sent))

    def _opened(self, message: Message) -> Message:
        """Take the masks off, check, judge; the leader sees what may pass, and judges too."""
        given = several(message, "values")
        tokens = _tokens(message, len(given))
        found: list[tuple[AskedVector, list[int]]] = []
        self._open_counts.clear()
        for token, values in zip(tokens, given, strict=True):
            waiting = self._waiting.pop(token, None)
            if waiting is None or not are_counts(values, len(waiting.masks)):
                raise lost("Opened answers came that nobody waits for.")
            counts = self.side.counts(*waiting.asked, values, waiting.masks)
            found.append((waiting.asked, counts))
        self._charge([asked for asked, _ in found])
        verdicts = [self.side.verdicts(*asked, counts) for asked, counts in found]
        for token, (asked, _), verdict in zip(tokens, found, verdicts, strict=True):
            self._open_counts[token] = _Open(asked, verdict)
        return Message("judged", {"values": verdicts})

    def _hold(self, message: Message) -> Message:
        """Encrypt own vectors for the leader, a fresh key each."""
        parts: list[bytes] = []
        tokens = []
        self._held.clear()
        for asked in self._asked(message, held_by_leader=False):
            holder = self.backend.hold(self.run.records.part(asked.part))
            tokens.append(_remember(self._held, _Held(holder, asked)))
            parts += [holder.sealed.key, holder.sealed.blocks]
        return Message("held", {"tokens": tokens}, tuple(parts))

    def _open(self, message: Message) -> Message:
        """Open the leader's masked answers; with noise, own noise is added first."""
        parts = list(message.parts)
        opening: dict[str, tuple[_Held, list[bytes]]] = {}
        self._open_counts.clear()
        for token in _tokens(message):
            held = self._held.pop(token, None)
            if held is None:
                raise lost("Answers came for a vector that nobody holds.")
            many = len(held.asked.cells) + 1
            opening[token], parts = (held, parts[:many]), parts[many:]
            if len(opening[token][1]) < many:
                raise AnswerError("Answers are missing in a message.", hint="Use the same version.")
        if parts:
            raise AnswerError("More answers came than were asked for.", hint="Use one version.")
        values = []
        for held, answers in opening.values():
            cells = (held.asked.part, *held.asked.cells)
            opened = zip(held.holder.open(answers), cells, strict=True)
            values.append([value + self.side.noise(cell) for value, cell in opened])
        self._charge([held.asked for held, _ in opening.values()])
        self._open_counts |= {
            token: _Open(held.asked, None) for token, (held, _) in opening.items()
        }
        return Message("opened", {"values": values})

    def _release(self, message: Message) -> Message:
        """Write what both sides let pass; a value must be the one that was opened."""
        given = several(message, "values")
        entries: dict[Cell, LedgerEntry] = {}
        for token, values in zip(_tokens(message, len(given)), given, strict=True):
            waiting = self._open_counts.pop(token, None)
            if waiting is None:
                raise lost("Counts are released that were not opened.")
            cells = (waiting.asked.part, *waiting.asked.cells)
            if not are_counts(values, len(cells), or_reasons=True):
                raise AnswerError("The leader released no counts.", hint="Begin the run again.")
            for cell, value, verdict in zip(
                cells, values, self._confirmed(waiting, values), strict=True
            ):
                if self.side.recorded(cell) or cell in entries:
                    continue
                refused_there = isinstance(value, str)
                entries[cell] = self._entry(
                    cell, value if refused_there else verdict, by_leader=refused_there
                )
        self._write(list(entries.values()))
        return self._rows(message)

    def _confirmed(self, waiting: _Open, values: Sequence[Verdict]) -> Sequence[Verdict]:
        """This side's verdicts on what the leader would release."""
        part, cells = waiting.asked
        if waiting.verdicts is not None:
            for mine, theirs in zip(waiting.verdicts, values, strict=True):
                if isinstance(mine, int) and isinstance(theirs, int) and mine != theirs:
                    raise AnswerError(
                        "The leader releases another count than was opened.",
                        hint="Both must use the same version.",
                    )
            return waiting.verdicts
        size = self.side.size(part)
        for cell, value in zip((part, *cells), values, strict=True):
            if isinstance(value, int):
                self.side.possible.require(cell, value, size, size if cell == part else 0)
        return self.side.verdicts(part, cells, values, noisy=False)

    def _charge(self, vectors: Sequence[AskedVector]) -> None:
        """Write down how many counts are about to be known, before anybody knows them."""
        entries = []
        for part, cells in vectors:
            fresh = sum(not self.side.recorded(cell) for cell in (part, *cells))
            entries.append(self._row("opened", written(part, self.schema), fresh, None))
        self._write(entries)

    def _write(self, entries: Sequence[LedgerEntry]) -> None:
        """Write rows, all that a message leads to at once: each time waits for the disk."""
        self.side.take(self.ledger.append(entries))

    def _entry(self, cell: Cell, verdict: Verdict, *, by_leader: bool = False) -> LedgerEntry:
        if isinstance(verdict, int):
            return self._row("count", written(cell, self.schema), verdict, None)
        return self._refusal(cell, f"{self.leader if by_leader else self.run.name}: {verdict}")

    def _refusal(self, cell: Cell, why: str) -> LedgerEntry:
        return self._row("refused", written(cell, self.schema), None, why)

    def _row(self, kind: str, about: str, value: int | None, why: str | None) -> LedgerEntry:
        policy = self.run.policy.digest[:DIGEST_DIGITS]
        return LedgerEntry(
            kind=kind, about=about, value=value, why=why, by=self.leader, policy=policy
        )

    def _rows(self, message: Message) -> Message:
        """Give the rows that the leader does not have yet."""
        have = message.fields.get("have")
        return Message("rows", {"rows": rows_since(self.ledger, have)})

    def _is_own(self, cell: Cell) -> bool:
        """Whether a cell is about own columns only, and not all of them the leader's too."""
        names = {name for name, _ in cell}
        return names <= self.own and not names <= self.theirs

    def _asked(self, message: Message, *, held_by_leader: bool) -> list[AskedVector]:
        """Read vectors' parts and cells; all must have been permitted by `ask`."""
        held, other = (self.theirs, self.own) if held_by_leader else (self.own, self.theirs)
        vectors = vectors_of(message, self.schema)
        for part, cells in vectors:
            fits = part and {name for name, _ in part} <= held
            for cell in cells:
                fits = fits and part <= cell and {name for name, _ in cell - part} <= other
            permitted = part in self._permitted or part in self.side.released
            if not fits or not permitted or not self._permitted >= set(cells):
                raise lost(f"A count within {written(part, self.schema)} was not asked for first.")
        return vectors


def _remember(kept: dict[str, T], what: T) -> str:
    """Keep something in memory for the leader's next message; the oldest goes when it is full."""
    token = secrets.token_hex(8)
    kept[token] = what
    while len(kept) > MOST_VECTORS:
        del kept[next(iter(kept))]
    return token


def _tokens(message: Message, many: int | None = None) -> list[str]:
    """Names of vectors in memory; so many, where it must be so."""
    found = several(message, "tokens")
    if many not in {None, len(found)} or not all(isinstance(token, str) for token in found):
        raise AnswerError("Vectors are named badly.", hint="Use the same version.")
    return found
