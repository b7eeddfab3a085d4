"""The secure oracle: exact counts over two parties' columns that neither shows the other.

Counts about own columns are counted here; those about the follower's only, by the follower; all
others are dot products of two private vectors (see `protocol.verbs`). What was
released once is in the ledger and never asked again. A count that may not be released is NaN.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from math import nan
from typing import TypeVar

import numpy as np

from deniable.base.errors import AnswerError, LostSessionError
from deniable.collab.cells import Cell, cells_of, within
from deniable.collab.counting.backend import Backend
from deniable.collab.counting.bfv import BLOCK_SIZE
from deniable.collab.counting.ring import block_count
from deniable.collab.leader.plausibility import PlausibilityCheck
from deniable.collab.policy.noise import variance
from deniable.collab.protocol import verbs
from deniable.collab.protocol.fields import AskedVector, Verdict
from deniable.collab.secure.count_party import UNCOUNTED, CountParty
from deniable.collab.secure.count_plan import cover, place, plan
from deniable.collab.session.remote_party import RemoteParty
from deniable.collab.wire.message_limits import (
    MOST_CELLS_ASKED,
    MOST_VECTORS_SENT,
    VECTOR_BYTES_SENT,
)
from deniable.expression import Expression, Family
from deniable.oracle.api import Estimates, Target, checked_target

MOST_ATTEMPTS = 20
"""Times that a batch is begun again because the follower was started again."""

T = TypeVar("T")

Progress = Callable[[int], None]
"""Told how many secure counts have been made."""


class SecureOracle:
    """Exact counts of the joint table, asked of one follower."""

    def __init__(
        self,
        follower: RemoteParty,
        backend: Backend,
        *,
        plausible: PlausibilityCheck | None = None,
        progress: Progress | None = None,
    ) -> None:
        run = follower.run
        self._follower, self._plausible, self._progress = follower, plausible, progress
        self._own = CountParty(run, follower.name, backend)
        self.schema, self.n = self._own.schema, self._own.n
        self._known: dict[Cell, float] = {frozenset(): float(self.n)}
        noise = run.policy.noise
        self._one_noise = 0.0 if noise is None else variance(1 / noise.epsilon)
        self._spread: dict[Cell, float] = {}
        """Variance of the noise in each known count; each side adds its own."""
        self._read_rows = 0
        self.asked = 0
        """Secure counts made in this process: dot products, without sizes of vectors."""
        self._take_rows()

    def count(
        self, expressions: Iterable[Expression] | Family, *, of: Target = "sample"
    ) -> Estimates:
        """Count exactly; about the population only the sampling is left."""
        checked_target(of)
        family = Family.of(expressions, self.schema)
        cells = cells_of(family, self.schema)
        self._count_own(cells)
        planned = plan(cells, self.schema, self._known)
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
            return Estimates(self.n, of, value, noise, nothing, nothing)
        n = self.n
        spread = noise + np.maximum(value - value**2 / n, 0.0)
        return Estimates(n, of, value, spread, 1 - 2 * value / n, np.full(len(value), 1 / n))

    def _count_own(self, cells: Sequence[Cell]) -> None:
        """Count what is about own columns, and the own part that siblings add up to."""
        for cell in cells:
            own = frozenset(term for term in cell if term[0] in self._own.mine)
            others = cell - own
            if len(others) <= 1 and own not in self._known:
                self._known[own] = float(self._own.size(own))

    def _settle(self, cells: Sequence[Cell]) -> None:
        """Have cells counted or refused, however often the follower is started again meanwhile."""
        attempts = 0
        while open_cells := [cell for cell in cells if cell not in self._known][:MOST_CELLS_ASKED]:
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
        placed = place([c for c in cells if c not in refused], self._own.mine, self._own.theirs)
        vectors = [
            (holder, AskedVector(part, [placed.crossing[number] for number in pairs]))
            for holder, part, pairs in cover(placed.pairs)
        ]
        parts = dict.fromkeys(v.part for _, v in vectors if not self._own.recorded(v.part))
        unsaid = self._refused(list(parts))
        for _, vector in vectors:
            if vector.part in unsaid or vector.part in self._own.withheld:
                refused |= dict.fromkeys(vector.cells, UNCOUNTED)
        # A vector's size before its cells: where few counts are left, some are served whole.
        served = chain.from_iterable(vector.all for _, vector in vectors)
        self._ask([*served, *cells], refused | unsaid)
        still_open = [(holder, self._uncounted(vector)) for holder, vector in vectors]
        for group in self._grouped(v for holder, v in still_open if holder == "mine"):
            self._hold(group)
        for group in self._grouped(v for holder, v in still_open if holder == "theirs"):
            self._evaluate(group)
        missing = [cell for cell in cells if cell not in self._known]
        if missing:  # their vector's size was refused only now
            self._ask(missing, dict.fromkeys(missing, UNCOUNTED))

    def _refused(self, cells: Sequence[Cell]) -> dict[Cell, str]:
        """What the own policy refuses before anything is computed."""
        found = zip(cells, self._own.before(cells), strict=True)
        return {cell: why for cell, why in found if why is not None}

    def _ask(self, cells: Sequence[Cell], refused: dict[Cell, str]) -> None:
        cells = list(dict.fromkeys(cells))
        places = {p: refused[cell] for p, cell in enumerate(cells) if cell in refused}
        self._follower.ask(verbs.PermitCounts(cells, places))
        self._take_rows()

    def _uncounted(self, vector: AskedVector) -> AskedVector:
        """A vector with the cells that are still to be counted; none if its size is withheld."""
        withheld = vector.part in self._own.withheld
        left = [cell for cell in vector.cells if cell not in self._known and not withheld]
        return vector._replace(cells=left)

    def _grouped(self, vectors: Iterable[AskedVector]) -> Iterator[list[AskedVector]]:
        """Vectors that have something to count, as many as a message takes."""
        chosen = [vector for vector in vectors if vector.cells]
        bytes_each = block_count(self.n) * BLOCK_SIZE
        many = max(1, min(MOST_VECTORS_SENT, VECTOR_BYTES_SENT // bytes_each))
        for start in range(0, len(chosen), many):
            yield chosen[start : start + many]

    def _hold(self, vectors: Sequence[AskedVector]) -> None:
        """Encrypt own vectors; the follower evaluates, judges and releases."""
        holders = [self._own.hold(vector) for vector in vectors]
        encrypted = tuple(holder.encrypted.parts for holder in holders)
        reply = self._follower.ask(verbs.EvaluateVectors(vectors, encrypted))
        wanted = sum(len(vector.all) for vector in vectors)
        if len(reply.tokens) != len(vectors) or len(reply.answers) != wanted:
            raise AnswerError("The follower's answers are missing.", hint="Use one version.")
        answers = iter(reply.answers)
        opened = [
            self._own.opened(vector, holder, list(islice(answers, len(vector.all))))
            for holder, vector in zip(holders, vectors, strict=True)
        ]
        judged = self._follower.ask(verbs.UnmaskCounts(reply.tokens, opened)).values
        released = []
        for vector, verdicts in _paired(vectors, judged):
            self._require_plausible(vector.all, verdicts)
            released.append(self._own.verdicts(vector, verdicts, noisy=False))
        self._release(reply.tokens, released, vectors)

    def _evaluate(self, vectors: Sequence[AskedVector]) -> None:
        """Evaluate the follower's vectors; take the masks off, judge, and tell what is released."""
        held = self._follower.ask(verbs.HoldVectors(vectors))
        if len(held.tokens) != len(vectors):
            raise AnswerError("The follower's vectors are missing.", hint="Use one version.")
        sent: list[bytes] = []
        masks = []
        for vector, encrypted in zip(vectors, held.encrypted, strict=True):
            answers, mask = self._own.evaluated(vector, encrypted)
            sent += answers
            masks.append(mask)
        opened = self._follower.ask(verbs.OpenAnswers(held.tokens, tuple(sent))).values
        released = []
        for (vector, values), mask in zip(_paired(vectors, opened), masks, strict=True):
            found = self._own.counts(vector, values, mask)
            self._require_plausible(vector.all, found)
            released.append(self._own.verdicts(vector, found))
        self._release(held.tokens, released, vectors)

    def _release(
        self,
        tokens: Sequence[str],
        released: Sequence[Sequence[Verdict]],
        vectors: Sequence[AskedVector],
    ) -> None:
        """Tell what this side lets pass; what both do comes back as rows of the ledger."""
        self._follower.ask(verbs.ReleaseCounts(tokens, released))
        self.asked += sum(len(vector.cells) for vector in vectors)
        self._take_rows()
        if self._progress is not None:
            self._progress(self.asked)

    def _require_plausible(self, cells: Sequence[Cell], values: Sequence[Verdict]) -> None:
        """Compare values with the disguised estimates, before they are used for anything."""
        counts = {c: v for c, v in zip(cells, values, strict=True) if isinstance(v, int)}
        if self._plausible is not None:
            slack = self._own.possible.slack
            self._plausible.require(list(counts), list(counts.values()), slack)

    def _take_rows(self) -> None:
        """Learn what the ledger's new rows say."""
        rows = self._follower.ledger.rows[self._read_rows :]
        self._read_rows = len(self._follower.ledger.rows)
        counted = self._own.take(rows)
        for cell, value in counted.items():
            self._own.possible.require(cell, value, self._own.size(cell))
            if not within(cell, self._own.mine):  # own columns are counted here, exactly
                self._known[cell] = float(value)
                sides = 1 if within(cell, self._own.theirs) else 2
                self._spread[cell] = self._one_noise * sides
        for cell in self._own.withheld:
            if not within(cell, self._own.mine):
                self._known[cell] = nan
        self._require_plausible(list(counted), list(counted.values()))


def _paired(
    vectors: Sequence[AskedVector], values: Sequence[Sequence[T]]
) -> list[tuple[AskedVector, Sequence[T]]]:
    """Each vector with the values of its size and its cells."""
    if [len(each) for each in values] != [len(vector.all) for vector in vectors]:
        raise AnswerError("The follower's counts are missing.", hint="Use one version.")
    return list(zip(vectors, values, strict=True))
