"""Secure counts as a follower answers them.

For each count one side holds a vector (encrypts it under a fresh key) and the other evaluates. Both
are semi-honest. What each side learns beyond the values in the ledger: nothing, as long as the
cryptography holds; the *evaluator's* program sees a value before the policy is applied to it, and
drops what may not be released.

    ask       which cells may be asked, before any ciphertext is made
    evaluate  the leader holds: its vectors come, masked answers go back
    opened    the leader has opened them: masks are taken off, values judged, written, released
    hold      the follower holds: its vectors go to the leader
    open      the leader's masked answers come, opened values go back
    release   the leader has taken its masks off, and says what is released
"""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from deniable.collab.cells import Cell, read, unlisted, written
from deniable.collab.counting import Backend, Bits, Holder, Sealed, unmasked
from deniable.collab.follower.reading import (
    MOST_VECTORS,
    Asked,
    are_counts,
    lost,
    reasons_of,
    rows_since,
    several,
    vectors_of,
)
from deniable.collab.ledger import Entry, Ledger
from deniable.collab.policy import Judge
from deniable.collab.policy.noise import discrete_laplace
from deniable.collab.possible import Possible
from deniable.collab.run import DIGITS, Run
from deniable.collab.wire.message import Message
from deniable.errors import AnswerError

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class _Held:
    """An own vector that the leader evaluates."""

    holder: Holder
    part: Cell
    cells: Sequence[Cell]


@dataclass(frozen=True, eq=False)
class _Waiting:
    """Masked answers that the leader is opening: the vector's size first, then its cells."""

    part: Cell
    cells: Sequence[Cell]
    masks: Sequence[int]


class SecureDesk:
    """Answers one leader's questions about cells of the joint table."""

    def __init__(self, run: Run, leader: str, backend: Backend) -> None:
        self.run, self.leader, self.backend = run, leader, backend
        self.schema = run.agreement.schema
        self.own = frozenset(run.agreement.member(run.name).schema.names)
        self.theirs = frozenset(run.agreement.member(leader).schema.names)
        self.n = run.records.n
        self.ledger: Ledger = run.ledger(leader)
        self.judge = Judge(run.policy, self.schema, self.n, self._size)
        self.possible = Possible(self.schema, self.n, run.policy.noise)
        self._waiting: dict[str, _Waiting] = {}
        self._held: dict[str, _Held] = {}
        self._permitted: set[Cell] = set()
        self._recorded: set[Cell] = set()
        """Cells that the ledger has a row about."""
        for row in self.ledger.rows:
            if row.kind in {"count", "refused"}:
                cell = read(row.about, self.schema)
                self._recorded.add(cell)
                if row.value is not None:
                    self.judge.learn(cell, int(row.value))

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
        cells = unlisted(message.fields.get("cells"), self.schema)
        fresh = [place for place, cell in enumerate(cells) if cell not in self._recorded]
        theirs = reasons_of(message, fresh)
        reasons = {place: f"{self.leader}: {why}" for place, why in theirs.items()}
        fresh = [place for place in fresh if place not in reasons]
        judged = self.judge.before([cells[place] for place in fresh])
        for place, why in zip(fresh, judged, strict=True):
            if why is not None:
                reasons[place] = f"{self.run.name}: {why}"
        entries = {cells[place]: self._refusal(cells[place], why) for place, why in reasons.items()}
        permitted = [cells[place] for place in fresh if place not in reasons]
        self._permitted = set(permitted)
        alone = [cell for cell in permitted if self._is_own(cell)]
        entries |= {cell: self._judged(cell, self._size(cell)) for cell in alone}
        self._write(entries)
        return self._rows(message)

    def _evaluate(self, message: Message) -> Message:
        """Answer the leader's vectors: the size of each first, then the cells wanted of it."""
        vectors = self._asked(message, held_by_leader=True)
        if len(message.parts) != 2 * len(vectors):
            raise AnswerError("Vectors are missing in a message.", hint="Use the same version.")
        sent: list[bytes] = []
        tokens = []
        self._waiting.clear()  # a leader asks again only if it has lost what came before
        for (part, cells), key, blocks in zip(
            vectors, message.parts[::2], message.parts[1::2], strict=True
        ):
            evaluation = self.backend.evaluate(Sealed(key, blocks, self.n))
            answers, masks = evaluation.answer(self._candidates(part, cells))
            tokens.append(_remember(self._waiting, _Waiting(part, cells, masks)))
            sent += answers
        return Message("answers", {"tokens": tokens}, tuple(sent))

    def _opened(self, message: Message) -> Message:
        """Take the masks off, check, judge, write, release."""
        found: list[tuple[Cell, int]] = []
        given = several(message, "values")
        for token, values in zip(_tokens(message, len(given)), given, strict=True):
            waiting = self._waiting.pop(token, None)
            if waiting is None or not are_counts(values, len(waiting.masks)):
                raise lost("Opened answers came that nobody waits for.")
            modulus = self.backend.modulus
            size, *counts = (
                self.possible.read(unmasked(value, mask, modulus), modulus)
                for value, mask in zip(values, waiting.masks, strict=True)
            )
            self.possible.require(waiting.part, size, self.n)
            for cell, value in zip(waiting.cells, counts, strict=True):
                most = min(size, self._size(cell - waiting.part))
                self.possible.require(cell, value, most)
            found += zip((waiting.part, *waiting.cells), (size, *counts), strict=True)
        self._write({cell: self._judged(cell, value) for cell, value in self._unrecorded(found)})
        return self._rows(message)

    def _hold(self, message: Message) -> Message:
        """Encrypt own vectors for the leader, a fresh key each."""
        parts: list[bytes] = []
        tokens = []
        self._held.clear()
        for part, cells in self._asked(message, held_by_leader=False):
            holder = self.backend.hold(self.run.records.part(part))
            tokens.append(_remember(self._held, _Held(holder, part, cells)))
            parts += [holder.sealed.key, holder.sealed.blocks]
        return Message("held", {"tokens": tokens}, tuple(parts))

    def _open(self, message: Message) -> Message:
        """Open the leader's masked answers; with noise, own noise is added first."""
        parts = list(message.parts)
        values = []
        for token in _tokens(message):
            held = self._held.pop(token, None)
            if held is None:
                raise lost("Answers came for a vector that nobody holds.")
            cells = (held.part, *held.cells)
            answers, parts = parts[: len(cells)], parts[len(cells) :]
            if len(answers) < len(cells):
                raise AnswerError("Answers are missing in a message.", hint="Use the same version.")
            opened = held.holder.open(answers)
            values.append([v + self._noise(c) for v, c in zip(opened, cells, strict=True)])
        if parts:
            raise AnswerError("More answers came than were asked for.", hint="Use one version.")
        return Message("opened", {"values": values})

    def _release(self, message: Message) -> Message:
        """Write what the leader found or refused, if it can be true and may be released."""
        vectors = self._asked(message, held_by_leader=False)
        given = several(message, "values")
        if len(given) != len(vectors):
            raise AnswerError("The leader released no counts.", hint="Begin the run again.")
        found: list[tuple[Cell, int | str]] = []
        for (part, cells), values in zip(vectors, given, strict=True):
            if not are_counts(values, len(cells) + 1, or_reasons=True):
                raise AnswerError("The leader released no counts.", hint="Begin the run again.")
            size = self._size(part)
            if isinstance(values[0], int):
                self.possible.require(part, values[0], size, least=size)
            for cell, value in zip(cells, values[1:], strict=True):
                if isinstance(value, int):
                    self.possible.require(cell, value, size)
            found += zip((part, *cells), values, strict=True)
        self._write(
            {
                cell: self._judged(cell, value, noisy=False)
                if isinstance(value, int)
                else self._refusal(cell, f"{self.leader}: {value}")
                for cell, value in self._unrecorded(found)
            }
        )
        return self._rows(message)

    def _unrecorded(self, found: Iterable[tuple[Cell, T]]) -> Iterable[tuple[Cell, T]]:
        """Cells without a row yet, each once; a value that was released stays what it was."""
        return {cell: value for cell, value in found if cell not in self._recorded}.items()

    def _write(self, entries: Mapping[Cell, Entry]) -> None:
        """Write rows, all that a message leads to at once: each time waits for the disk."""
        self.ledger.append(list(entries.values()))
        self._recorded.update(entries)

    def _judged(self, cell: Cell, value: int, *, noisy: bool = True) -> Entry:
        """Release or refuse a computed value; own noise is added, unless it is in already."""
        shown = value + (self._noise(cell) if noisy else 0)
        why = self.judge.after(cell, shown)
        if why is not None:
            return self._refusal(cell, f"{self.run.name}: {why}")
        self.judge.learn(cell, shown)
        return self._entry("count", cell, shown, None)

    def _noise(self, cell: Cell) -> int:
        """Noise of this side, the same whenever the cell is asked; 0 where none is agreed on."""
        noise = self.run.policy.noise
        if noise is None:
            return 0
        return discrete_laplace(
            1 / noise.epsilon, self.run.derived("noise"), written(cell, self.schema)
        )

    def _refusal(self, cell: Cell, why: str) -> Entry:
        return self._entry("refused", cell, None, why)

    def _entry(self, kind: str, cell: Cell, value: int | None, why: str | None) -> Entry:
        return Entry(
            kind=kind,
            about=written(cell, self.schema),
            value=value,
            why=why,
            by=self.leader,
            policy=self.run.policy.digest[:DIGITS],
        )

    def _rows(self, message: Message) -> Message:
        """Give the rows that the leader does not have yet."""
        have = message.fields.get("have")
        return Message("rows", {"rows": rows_since(self.ledger, have)})

    def _size(self, cell: Cell) -> int:
        """How many records satisfy the terms about own columns."""
        return int(np.count_nonzero(self.run.records.part(cell)))

    def _is_own(self, cell: Cell) -> bool:
        """Whether a cell is about own columns only, and not all of them the leader's too."""
        names = {name for name, _ in cell}
        return names <= self.own and not names <= self.theirs

    def _candidates(self, part: Cell, cells: Sequence[Cell]) -> Bits:
        """Own vectors: everyone first, so that the size of the other's vector is known."""
        rows = [np.ones(self.n, dtype=bool)]
        rows += [self.run.records.part(cell - part) for cell in cells]
        return np.stack(rows)

    def _asked(self, message: Message, *, held_by_leader: bool) -> list[Asked]:
        """Read vectors' parts and cells; all must have been permitted by `ask`."""
        held, other = (self.theirs, self.own) if held_by_leader else (self.own, self.theirs)
        vectors = vectors_of(message, self.schema)
        for part, cells in vectors:
            fits = part and {name for name, _ in part} <= held
            for cell in cells:
                fits = fits and part <= cell and {name for name, _ in cell - part} <= other
            known = {part, *cells} - self._permitted <= self._recorded
            if not fits or not known:
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
