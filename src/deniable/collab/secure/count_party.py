"""What either party of a secure count has: own records, a judge, noise, and the ledger's word."""

from collections.abc import Iterable, Sequence

import numpy as np

from deniable.base.errors import AnswerError
from deniable.collab.cells import Cell, read, within, written
from deniable.collab.counting.backend import MODULUS, Backend, EncryptedVector, Holder, unmasked
from deniable.collab.ledger import LedgerRow
from deniable.collab.policy import Judge, Noise
from deniable.collab.policy.noise import discrete_laplace
from deniable.collab.protocol.fields import AskedVector, Verdict
from deniable.collab.session.run import Run
from deniable.schema import Schema

UNCOUNTED = "its part may not be counted"

SCALES = 64
"""Scales of noise that a count may lie outside its range by: e⁻⁶⁴ a count."""


class PossibleCounts:
    """Checks that counts out of n can be true, with room for the noise that was agreed on.

    A vector that holds anything but 0 and 1 (weights that read the other side's bits one by one)
    gives counts that do not fit: its size is more than all records, or a count is more than a part
    of it.
    """

    def __init__(self, schema: Schema, n: int, noise: Noise | None) -> None:
        self._schema, self._n = schema, n
        self.slack = 0 if noise is None else int(SCALES / noise.epsilon)

    def read(self, value: int) -> int:
        """Take a count that noise drove below 0 for what it is; counts are known modulo t."""
        return value - MODULUS if value > self._n + self.slack else value

    def require(self, cell: Cell, value: int, most: int, least: int = 0) -> None:
        """Refuse a count outside its range; nothing is released then."""
        if not least - self.slack <= value <= most + self.slack:
            raise AnswerError(
                f"The count of {written(cell, self._schema)} cannot be true, so nothing is "
                "released.",
                hint="The other side's vector is not what it should be.",
            )


class CountParty:
    """One of the two parties of secure counts."""

    def __init__(self, run: Run, peer: str, backend: Backend) -> None:
        self.run, self._backend = run, backend
        self.mine = frozenset(run.agreement.member(run.name).schema.names)
        self.theirs = frozenset(run.agreement.member(peer).schema.names)
        self._followers = self.theirs if run.name == run.leader else self.mine
        self.schema, self.n = run.agreement.schema, run.records.n
        self.judge = Judge(run.policy, self.schema, self.n, self.size)
        self.possible = PossibleCounts(self.schema, self.n, run.policy.noise)
        self.released: dict[Cell, int] = {}
        self.withheld: set[Cell] = set()
        self._learnt: set[Cell] = {frozenset()}
        if self.n + 2 * self.possible.slack >= MODULUS:
            raise AnswerError(
                f"The noise agreed on is too large for secure counts of {self.n:,} records.",
                hint="Agree on a larger epsilon.",
            )

    def take(self, rows: Iterable[LedgerRow]) -> dict[Cell, int]:
        """Learn what rows of the ledger say; give the counts among them."""
        counted: dict[Cell, int] = {}
        for row in rows:
            if row.kind == "opened":
                self.judge.spent += int(row.value or 0)
            elif row.kind == "refused":
                self.withheld.add(read(row.about, self.schema))
            elif row.kind == "count" and row.value is not None:
                cell = read(row.about, self.schema)
                self.released[cell] = counted[cell] = int(row.value)
                # The follower counts its own columns without opening anything.
                self.judge.spent += within(cell, self._followers)
                self.judge.learn(cell, counted[cell])
        return counted

    def before(self, cells: Sequence[Cell]) -> list[str | None]:
        """Judge cells before anything is computed.

        Counts of columns that both sides have are known to both, so they are learnt first.
        """
        for cell in cells:
            both = frozenset(term for term in cell if term[0] in self.mine & self.theirs)
            if both not in self._learnt:
                self._learnt.add(both)
                self.judge.learn(both, self.size(both), released=False)
        return self.judge.before(cells)

    def recorded(self, cell: Cell) -> bool:
        """Whether the ledger has a row about a cell."""
        return cell in self.released or cell in self.withheld

    def size(self, cell: Cell) -> int:
        """How many records satisfy the terms about own columns."""
        return int(np.count_nonzero(self.run.records.part(cell)))

    def hold(self, vector: AskedVector) -> Holder:
        """Encrypt an own vector, under a fresh key."""
        return self._backend.hold(self.run.records.part(vector.part))

    def opened(self, vector: AskedVector, holder: Holder, answers: Sequence[bytes]) -> list[int]:
        """Open the other side's masked answers; with noise, own noise is added."""
        values = zip(holder.open(answers), vector.all, strict=True)
        return [value + self.noise(cell) for value, cell in values]

    def evaluated(
        self, vector: AskedVector, encrypted: tuple[bytes, bytes]
    ) -> tuple[list[bytes], list[int]]:
        """Masked answers about the other side's vector, its size first, and their masks."""
        evaluation = self._backend.evaluate(EncryptedVector(*encrypted, self.n))
        everyone = np.ones(self.n, dtype=bool)
        parts = [self.run.records.part(cell - vector.part) for cell in vector.cells]
        return evaluation.answer(np.stack([everyone, *parts]))

    def counts(self, vector: AskedVector, opened: Sequence[int], masks: Sequence[int]) -> list[int]:
        """Take the masks off; refuse all of it if anything in it cannot be true."""
        size, *found = (
            self.possible.read(unmasked(value, mask))
            for value, mask in zip(opened, masks, strict=True)
        )
        self.possible.require(vector.part, size, self.n)
        for cell, value in zip(vector.cells, found, strict=True):
            self.possible.require(cell, value, min(size, self.size(cell - vector.part)))
        return [size, *found]

    def verdicts(
        self, vector: AskedVector, values: Sequence[Verdict], *, noisy: bool = True
    ) -> list[Verdict]:
        """Judge a vector's size and its counts, one beside the other.

        What the other side refused stays refused. Where the size may not be told, nothing is.
        """
        first, *others = values
        size = first if isinstance(first, str) else self.judged(vector.part, first, noisy=noisy)
        if isinstance(size, str):
            return [size, *(UNCOUNTED for _ in vector.cells)]
        return [
            size,
            *(
                value if isinstance(value, str) else self.judged(cell, value, noisy=noisy)
                for cell, value in zip(vector.cells, others, strict=True)
            ),
        ]

    def judged(self, cell: Cell, value: int, *, noisy: bool = True) -> Verdict:
        """Judge one value, with own noise unless it is in already; what was released stays so."""
        if cell in self.released:
            return self.released[cell]
        shown = value + (self.noise(cell) if noisy else 0)
        why = self.judge.after(cell, shown)
        if why is not None:
            return why
        self.judge.learn(cell, shown)  # the next one is judged beside it
        return shown

    def noise(self, cell: Cell) -> int:
        """Noise of this side, the same whenever the cell is asked; 0 where none is agreed on."""
        noise = self.run.policy.noise
        if noise is None:
            return 0
        key = self.run.derived("noise")
        return discrete_laplace(1 / noise.epsilon, key, written(cell, self.schema))
