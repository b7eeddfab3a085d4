"""The secure oracle: exact counts over two parties' columns that neither shows the other.

Counts about own columns are counted here; those about the follower's only, by the follower; all
others are dot products of two private vectors (see `follower.secure_answers`). What was released
once is in the ledger and never asked again. A count that may not be released is NaN.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from math import nan

import numpy as np

from deniable.base.errors import AnswerError, LostSessionError
from deniable.collab.cells import Cell, cells_of, listed
from deniable.collab.counting import Backend, Sealed
from deniable.collab.counting.bfv import BLOCK_SIZE
from deniable.collab.counting.packing import block_count
from deniable.collab.leader.contact import Contact
from deniable.collab.leader.plausibility import Plausible
from deniable.collab.policy.noise import variance
from deniable.collab.secure.count_plan import Vector, cover, place, plan
from deniable.collab.secure.side import UNCOUNTED, Side, Verdict
from deniable.collab.session.message_fields import are_counts, several
from deniable.expression import Expression, Family
from deniable.oracle.api import Estimates, Target, checked_target
from deniable.schema import Schema

MOST_ATTEMPTS = 20
"""Times that a batch is begun again because the follower was started again."""

MOST_SECURE_CELLS = 2000
"""In one batch of questions; a tree's nodes come one after the other, so few are torn apart."""

MOST_VECTORS, MOST_BYTES = 64, 1 << 26
"""Of ciphertexts in one message, about."""

Progress = Callable[[int], None]
"""Told how many secure counts have been made."""


class SecureOracle:
    """Exact counts of the joint table, asked of one follower."""

    def __init__(
        self,
        follower: Contact,
        backend: Backend,
        *,
        plausible: Plausible | None = None,
        progress: Progress | None = None,
    ) -> None:
        run = follower.run
        self._follower, self._backend, self._run = follower, backend, run
        self._plausible, self._progress = plausible, progress
        self._schema = run.agreement.schema
        self._mine = frozenset(run.agreement.member(run.name).schema.names)
        self._theirs = frozenset(run.agreement.member(follower.name).schema.names)
        self._n = run.records.n
        self._side = Side(run, follower.name, backend)
        self._known: dict[Cell, float] = {frozenset(): float(self._n)}
        noise = run.policy.noise
        self._one_noise = 0.0 if noise is None else variance(1 / noise.epsilon)
        self._spread: dict[Cell, float] = {}
        """Variance of the noise in each known count; each side adds its own."""
        self._read_rows = 0
        self.asked = 0
        """Secure counts made in this process: dot products, without sizes of vectors."""
        self.vectors = 0
        self._take_rows()

    @property
    def schema(self) -> Schema:
        """All attributes, both parties'."""
        return self._schema

    @property
    def n(self) -> int:
        """How many people both have."""
        return self._n

    def count(
        self, expressions: Iterable[Expression] | Family, *, of: Target = "sample"
    ) -> Estimates:
        """Count exactly; about the population only the sampling is left."""
        checked_target(of)
        family = Family.of(expressions, self._schema)
        cells = cells_of(family, self._schema)
        self._count_own(cells)
        planned = plan(cells, self._schema, self._known)
        if planned.ask:
            self._settle(planned.ask)
        found = planned.resolve(self._known)
        self._known.update(found)
        for step in planned.derive:
            rests_on = (step.parent, *step.siblings)
            self._spread[step.cell] = sum(self._spread.get(cell, 0.0) for cell in rests_on)
        value = np.array([found[cell] for cell in cells], dtype=np.float64)
        noise = np.array([self._spread.get(cell, 0.0) for cell in cells])
        nothing = np.zeros(len(value))
        if of == "sample":
            return Estimates(self._n, of, value, noise, nothing, nothing)
        n = self._n
        spread = noise + np.maximum(value - value**2 / n, 0.0)
        return Estimates(n, of, value, spread, 1 - 2 * value / n, np.full(len(value), 1 / n))

    def _count_own(self, cells: Sequence[Cell]) -> None:
        """Count what is about own columns, and the own part that siblings add up to."""
        for cell in cells:
            own = frozenset(term for term in cell if term[0] in self._mine)
            others = cell - own
            if len(others) <= 1 and own not in self._known:
                self._known[own] = float(self._side.size(own))

    def _settle(self, cells: Sequence[Cell]) -> None:
        """Have cells counted or refused, however often the follower is started again meanwhile."""
        attempts = 0
        while open_cells := [cell for cell in cells if cell not in self._known][:MOST_SECURE_CELLS]:
            try:
                self._batch(open_cells)
            except LostSessionError:
                attempts += 1
                if attempts == MOST_ATTEMPTS:
                    raise
                self._follower.greet()
                self._take_rows()
                continue
            if all(cell not in self._known for cell in open_cells):
                raise AnswerError(
                    f"{self._follower.name} leaves questions unanswered.", hint="Use one version."
                )

    def _batch(self, cells: Sequence[Cell]) -> None:
        refused = self._refused(cells)
        placed = place([c for c in cells if c not in refused], self._mine, self._theirs)
        vectors = cover(placed.pairs)
        parts = [v.part for v in vectors if not self._side.recorded(v.part)]
        unsaid = self._refused(list(dict.fromkeys(parts)))
        for vector in vectors:
            if vector.part in unsaid or vector.part in self._side.withheld:
                refused |= {placed.crossing[number]: UNCOUNTED for number in vector.pairs}
        # A vector's size before its cells: where few counts are left, some are served whole.
        served = [(v.part, *(placed.crossing[number] for number in v.pairs)) for v in vectors]
        self._ask([*chain.from_iterable(served), *cells], refused | unsaid)
        open_vectors = self._still_open(vectors, placed.crossing)
        for group in self._grouped(open_vectors, "mine"):
            self._hold(group)
        for group in self._grouped(open_vectors, "theirs"):
            self._evaluate(group)
        missing = [cell for cell in cells if cell not in self._known]
        if missing:  # their vector's size was refused only now
            self._ask(missing, dict.fromkeys(missing, UNCOUNTED))

    def _refused(self, cells: Sequence[Cell]) -> dict[Cell, str]:
        """What the own policy refuses before anything is computed."""
        found = zip(cells, self._side.before(cells), strict=True)
        return {cell: why for cell, why in found if why is not None}

    def _ask(self, cells: Sequence[Cell], refused: dict[Cell, str]) -> None:
        cells = list(dict.fromkeys(cells))
        places = {str(p): refused[cell] for p, cell in enumerate(cells) if cell in refused}
        self._follower.ask("ask", {"cells": listed(cells), "refused": places})
        self._take_rows()

    def _still_open(
        self, vectors: Sequence[Vector], crossing: Sequence[Cell]
    ) -> list[tuple[Vector, list[Cell]]]:
        """Vectors whose size may be told, with the cells that are still to be counted."""
        found = []
        for vector in vectors:
            cells = [crossing[number] for number in vector.pairs]
            cells = [cell for cell in cells if cell not in self._known]
            if cells and vector.part not in self._side.withheld:
                found.append((vector, cells))
        return found

    def _grouped(
        self, vectors: Sequence[tuple[Vector, list[Cell]]], side: str
    ) -> Iterator[list[tuple[Cell, list[Cell]]]]:
        """Vectors of one side, as many as a message takes."""
        chosen = [(vector.part, cells) for vector, cells in vectors if vector.side == side]
        many = max(1, min(MOST_VECTORS, MOST_BYTES // (block_count(self._n) * BLOCK_SIZE)))
        for start in range(0, len(chosen), many):
            yield chosen[start : start + many]

    def _hold(self, vectors: Sequence[tuple[Cell, list[Cell]]]) -> None:
        """Encrypt own vectors; the follower evaluates, judges and releases."""
        holders = [self._backend.hold(self._run.records.part(part)) for part, _ in vectors]
        parts = [bytes_ for h in holders for bytes_ in (h.sealed.key, h.sealed.blocks)]
        reply = self._follower.ask("evaluate", {"vectors": _described(vectors)}, parts)
        answers = list(reply.parts)
        tokens = several(reply, "tokens")
        if len(tokens) != len(vectors) or len(answers) != sum(len(c) + 1 for _, c in vectors):
            raise AnswerError("The follower's answers are missing.", hint="Use one version.")
        opened = []
        for holder, (part, cells) in zip(holders, vectors, strict=True):
            mine, answers = answers[: len(cells) + 1], answers[len(cells) + 1 :]
            values = holder.open(mine)
            opened.append(
                [v + self._side.noise(c) for v, c in zip(values, (part, *cells), strict=True)]
            )
        reply = self._follower.ask("opened", {"tokens": tokens, "values": opened})
        judged = several(reply, "values")
        if len(judged) != len(vectors):
            raise AnswerError("The follower judged no counts.", hint="Use one version.")
        released = []
        for (part, cells), values in zip(vectors, judged, strict=True):
            if not are_counts(values, len(cells) + 1, or_reasons=True):
                raise AnswerError("The follower judged no counts.", hint="Use one version.")
            self._require_plausible((part, *cells), values)
            released.append(self._side.verdicts(part, cells, values, noisy=False))
        self._release(tokens, released, vectors)

    def _evaluate(self, vectors: Sequence[tuple[Cell, list[Cell]]]) -> None:
        """Evaluate the follower's vectors; take the masks off, judge, and tell what is released."""
        held = self._follower.ask("hold", {"vectors": _described(vectors)})
        tokens = several(held, "tokens")
        if len(held.parts) != 2 * len(vectors) or len(tokens) != len(vectors):
            raise AnswerError("The follower's vectors are missing.", hint="Use one version.")
        sent: list[bytes] = []
        masks = []
        for (part, cells), key, blocks in zip(
            vectors, held.parts[::2], held.parts[1::2], strict=True
        ):
            evaluation = self._backend.evaluate(Sealed(key, blocks, self._n))
            answers, mask = evaluation.answer(self._side.candidates(part, cells))
            sent += answers
            masks.append(mask)
        opened = several(self._follower.ask("open", {"tokens": tokens}, sent), "values")
        if len(opened) != len(vectors):
            raise AnswerError("The follower opened no counts.", hint="Use one version.")
        released = []
        for (part, cells), mask, values in zip(vectors, masks, opened, strict=True):
            if not are_counts(values, len(cells) + 1):
                raise AnswerError("The follower opened no counts.", hint="Use one version.")
            found = self._side.counts(part, cells, values, mask)
            self._require_plausible((part, *cells), found)
            released.append(self._side.verdicts(part, cells, found))
        self._release(tokens, released, vectors)

    def _release(
        self,
        tokens: Sequence[str],
        released: Sequence[Sequence[Verdict]],
        vectors: Sequence[tuple[Cell, list[Cell]]],
    ) -> None:
        """Tell what this side lets pass; what both do comes back as rows of the ledger."""
        self._follower.ask("release", {"tokens": tokens, "values": released})
        self._made(vectors)

    def _require_plausible(self, cells: Sequence[Cell], values: Sequence[Verdict]) -> None:
        """Compare values with the disguised estimates, before they are used for anything."""
        counts = {c: v for c, v in zip(cells, values, strict=True) if isinstance(v, int)}
        if self._plausible is not None:
            slack = self._side.possible.slack
            self._plausible.require(list(counts), list(counts.values()), slack)

    def _made(self, vectors: Sequence[tuple[Cell, list[Cell]]]) -> None:
        self.asked += sum(len(cells) for _, cells in vectors)
        self.vectors += len(vectors)
        self._take_rows()
        if self._progress is not None:
            self._progress(self.asked)

    def _take_rows(self) -> None:
        """Learn what the ledger's new rows say."""
        rows = self._follower.ledger.since(self._read_rows)
        self._read_rows = len(self._follower.ledger.rows)
        counted = self._side.take(rows)
        for cell, value in counted.items():
            self._side.possible.require(cell, value, self._side.size(cell))
            if not self._is_mine(cell):  # own columns are counted here, exactly
                self._known[cell] = float(value)
                self._spread[cell] = self._one_noise * (1 if self._is_theirs(cell) else 2)
        for cell in self._side.withheld:
            if not self._is_mine(cell):
                self._known[cell] = nan
        self._require_plausible(list(counted), list(counted.values()))

    def _is_mine(self, cell: Cell) -> bool:
        return all(name in self._mine for name, _ in cell)

    def _is_theirs(self, cell: Cell) -> bool:
        return all(name in self._theirs for name, _ in cell)


def _described(vectors: Sequence[tuple[Cell, list[Cell]]]) -> list[dict[str, object]]:
    return [{"part": listed([part])[0], "cells": listed(cells)} for part, cells in vectors]
