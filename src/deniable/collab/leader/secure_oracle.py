"""The secure oracle: exact counts over two parties' columns that neither shows the other.

Counts about own columns are counted here; those about the follower's only, by the follower; all
others are dot products of two private vectors (see `protocol.verbs`). What was
released once is in the ledger and never asked again. A count that may not be released is NaN.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from math import nan
from typing import TypeVar

import numpy as np

from deniable.base.errors import AnswerError, CollabError, LostSessionError, PeerError
from deniable.collab.cells import Cell, cells_of, within
from deniable.collab.counting.backend import Backend
from deniable.collab.counting.proofs import BrokenRulesError, Opened
from deniable.collab.leader.plausibility import PlausibilityCheck
from deniable.collab.policy.noise import variance
from deniable.collab.protocol import counting_verbs, verbs
from deniable.collab.protocol.fields import AskedVector, Verdict
from deniable.collab.secure.batches import AUDITED, CountingKeys, EvaluatedBatch, HeldBatch
from deniable.collab.secure.count_party import UNCOUNTED, CountParty
from deniable.collab.secure.count_plan import cover, place, plan
from deniable.collab.session.remote_party import RemoteParty
from deniable.collab.wire.message_limits import (
    AUDIT_BYTES_SENT,
    MOST_CELLS_ASKED,
    MOST_REASON_LETTERS,
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
        self._sealed_size = backend.sealed_size(self._own.possible.parameters)
        self._keys: CountingKeys | None = None
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
                self._keys = None
                self._follower.greet()
                self._take_rows()
                continue
            except BrokenRulesError as error:
                # On the own disk first: the other side may not want to hear it.
                why = str(error)[:MOST_REASON_LETTERS]
                self._own.stop(f"{self._own.run.name}: {why}")
                with suppress(CollabError, PeerError):
                    self._follower.ask(counting_verbs.StopCounting(why))
                raise
            except AnswerError:
                with suppress(CollabError):  # the follower may have written down why
                    self._follower.ask(verbs.MoreRows())
                raise
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
            if fitting := self._fitting(group):
                self._hold(fitting)
        for group in self._grouped(v for holder, v in still_open if holder == "theirs"):
            if fitting := self._fitting(group):
                self._evaluate(fitting)
        missing = [cell for cell in cells if cell not in self._known]
        if missing:  # their vector's size was refused only now, or too few counts are left
            self._ask(missing, dict.fromkeys(missing, UNCOUNTED))

    def _refused(self, cells: Sequence[Cell]) -> dict[Cell, str]:
        """What the own policy refuses before anything is computed."""
        found = zip(cells, self._own.before(cells), strict=True)
        return {cell: why for cell, why in found if why is not None}

    def _ask(self, cells: Sequence[Cell], refused: dict[Cell, str]) -> None:
        cells = list(dict.fromkeys(cells))
        places = {p: refused[cell] for p, cell in enumerate(cells) if cell in refused}
        self._follower.ask(counting_verbs.PermitCounts(cells, places))
        self._take_rows()

    def _uncounted(self, vector: AskedVector) -> AskedVector:
        """A vector with the cells that are still to be counted; none if its size is withheld."""
        withheld = vector.part in self._own.withheld
        left = [cell for cell in vector.cells if cell not in self._known and not withheld]
        return vector._replace(cells=left)

    def _grouped(self, vectors: Iterable[AskedVector]) -> Iterator[list[AskedVector]]:
        """Vectors that have something to count: as many as a message takes, and their audit's."""
        group: list[AskedVector] = []
        audited = 0.0
        for vector in (each for each in vectors if each.cells):
            # One count in ten brings a vector, and what proves it.
            audit = 2 * len(vector.all) / AUDITED * self._sealed_size
            # A part with many counts is sent more than once, in messages of their own.
            full = vector.part in {each.part for each in group}
            full |= len(group) == MOST_VECTORS_SENT or (
                (len(group) + 1) * self._sealed_size > VECTOR_BYTES_SENT
                or audited + audit > AUDIT_BYTES_SENT
            )
            if group and full:
                yield group
                group, audited = [], 0.0
            group.append(vector)
            audited += audit
        if group:
            yield group

    def _fitting(self, vectors: Sequence[AskedVector]) -> list[AskedVector]:
        """What may still be opened of them: a vector's size is opened with its cells each time."""
        left, fitting = self._own.judge.left, list[AskedVector]()
        for vector in vectors:
            cells = [cell for place, cell in enumerate(vector.cells, 2) if place <= left]
            if cells:
                fitting.append(vector._replace(cells=cells))
                left -= len(cells) + 1
        return fitting

    def _begun(self) -> CountingKeys:
        """Draw a session's randomness together with the follower, and exchange keys."""
        if self._keys is None:
            nonce = Opened.of(())  # its salt is the number, its commitment binds to it
            theirs = self._follower.ask(counting_verbs.BeginCounting(nonce.commitment)).nonce
            own = self._own.own_vectors(self._own.session(nonce.salt, theirs))
            key = self._follower.ask(counting_verbs.ShareKey(nonce.salt, own.key.public)).key
            self._keys = self._own.keys(own, key)
        return self._keys

    def _hold(self, vectors: Sequence[AskedVector]) -> None:
        """Seal own vectors; the follower evaluates, is audited, judges and releases."""
        ask, batch = self._follower.ask, HeldBatch(self._begun(), vectors)
        self._own.charge(vectors)
        reply = ask(counting_verbs.EvaluateVectors(vectors, batch.sealed()))
        audited = batch.audit(reply.answers, reply.commitments)
        material = ask(counting_verbs.AuditFollower(*audited))
        opened, questions = batch.answered(material.expected, material.given, material.masks)
        bound = ask(counting_verbs.QuestionFollower(opened.values, opened.salt, tuple(questions)))
        proof = ask(counting_verbs.ExpectProof(batch.expected(bound.commitment)))
        values = batch.values(Opened(tuple(proof.opened), proof.salt))
        judged = ask(counting_verbs.UnmaskCounts(self._own.noisy(vectors, values))).values
        released = []
        for vector, verdicts in _paired(vectors, judged):
            self._require_plausible(vector.all, verdicts)
            released.append(self._own.verdicts(vector, verdicts, noisy=False))
        self._release(released, vectors)

    def _evaluate(self, vectors: Sequence[AskedVector]) -> None:
        """Evaluate the follower's vectors; be audited, take the masks off, judge and release."""
        ask, batch = self._follower.ask, EvaluatedBatch(self._begun(), vectors)
        self._own.charge(vectors)
        held = ask(counting_verbs.HoldVectors(vectors))
        answers, commitments = batch.answered(held.sealed)
        audit = ask(counting_verbs.AnswerVectors(commitments, tuple(answers)))
        expected, material, masks = batch.reveal(audit.commitment, audit.audited)
        sealed = tuple(material.values())
        question = ask(counting_verbs.ShowMaterial(expected, list(material), masks, sealed))
        proof = Opened(tuple(question.opened), question.salt)
        bound = batch.commit(proof, question.answers)
        shown = batch.prove(ask(counting_verbs.CommitProof(bound)).expected)
        values = ask(counting_verbs.ShowProof(shown.values, shown.salt)).values
        released = []
        for vector, found in zip(
            vectors, batch.counts(values, self._own.possible.read), strict=True
        ):
            self._own.require_possible(vector, found)
            self._require_plausible(vector.all, found)
            released.append(self._own.verdicts(vector, found))
        self._release(released, vectors)

    def _release(
        self, released: Sequence[Sequence[Verdict]], vectors: Sequence[AskedVector]
    ) -> None:
        """Tell what this side lets pass; what both do comes back as rows of the ledger."""
        self._follower.ask(counting_verbs.ReleaseCounts(released))
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
