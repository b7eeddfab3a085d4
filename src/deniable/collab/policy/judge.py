"""Which counts may be released, beside all that were released before.

Whoever sees counts can subtract them. With m the minimum, no count may be released that leaves
fewer than m people (and, where zeros are withheld, none at all) in

- the cell itself, or all records outside it;
- the difference to a known cell that says more or less: N(E) − N(E ∧ x) = 1 points at a person;
- what is left of a known count after some of a family: N(E) − N(E ∧ a=1) − N(E ∧ a=2);
- any cell whose count follows: the parent of a whole family, the last one of a family;
- the difference to what a side knows by itself: how many satisfy its own terms.

For yes/no attributes this covers inclusion and exclusion too, as every part is itself a cell.

**Not covered.** Other sums and differences of overlapping cells, as
n − N(a=1) − N(b=1) + N(a=1 ∧ b=1), which counts a≠1 ∧ b≠1, where both have three values or more:
to rule out every combination is a linear programme at each count, and withholds nearly everything.
What a refusal tells: that some rule would be broken. Whatever anyone knows from elsewhere. Against
these there is noise, and the limit on how many counts are released.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import chain

from deniable.channel.channel import BINARY
from deniable.collab.cells import Cell
from deniable.collab.policy.known_counts import Counts, Own
from deniable.collab.policy.policy import Policy
from deniable.schema import Schema

EMPTY_CELL: Cell = frozenset()


class Judge:
    """Judges the counts of one run for one side, which knows its own columns.

    Each value is to be learnt before the next is judged: what two tell together is judged with the
    second.
    """

    def __init__(
        self, policy: Policy, schema: Schema, n: int, own: Callable[[Cell], int] | None
    ) -> None:
        self.policy, self.schema, self.n = policy, schema, n
        self._own = Own(schema, n, own if policy.minimum else None)
        self._known = Counts(schema, self._own)
        self._known.add(EMPTY_CELL, n)
        self._released: set[Cell] = set()
        self.spent = 0
        """Counts that a side has opened, whether they were released then or not."""
        # Of two values, one and the parent tell the other: no more need be said of such a family.
        self._several = {attribute.name for attribute in schema if attribute.size > BINARY}
        self._trial: tuple[tuple[Cell, int], Counts] | None = None

    def before(self, cells: Sequence[Cell]) -> list[str | None]:
        """Say of each cell why it may not be asked, if so, from what is known without its value."""
        batch = Counts(self.schema, self._own, self._known)
        fresh = 0
        reasons: list[str | None] = []
        for cell in cells:
            if cell in self._released or cell in batch.added or cell == EMPTY_CELL:
                reasons.append(None)
                continue
            why = self._predicted(cell, batch) or self._exhausted(fresh)
            if why is None:
                fresh += 1
                if cell not in batch:
                    batch.add(cell, self._own.size(cell))
            reasons.append(why)
        return reasons

    def after(self, cell: Cell, value: int) -> str | None:
        """Say why a value may not be released, if so."""
        if self.policy.minimum == 0 or cell == EMPTY_CELL:
            return None
        known = self._known.get(cell)
        if known not in {None, value} and self.policy.noise is None:
            return "it does not fit the counts known already"
        trial = self._concluded(cell, value)
        new = trial.added or {cell: value}
        return next(filter(None, (self._telling(*each, trial) for each in new.items())), None)

    def learn(self, cell: Cell, value: int, *, released: bool = True) -> None:
        """Take note of a count that was released, or is known otherwise."""
        if released and cell != EMPTY_CELL:
            self._released.add(cell)
        if self.policy.minimum > 0:
            for each in self._concluded(cell, value).added.items():
                self._known.add(*each)
            self._trial = None

    def _concluded(self, cell: Cell, value: int) -> Counts:
        """What would be known with a count; kept, as what is judged is mostly learnt next."""
        if self._trial is None or self._trial[0] != (cell, value):
            trial = Counts(self.schema, self._own, self._known)
            trial.conclude(cell, value)
            self._trial = (cell, value), trial
        return self._trial[1]

    def _exhausted(self, fresh: int) -> str | None:
        most = self.policy.most
        if most is None or max(len(self._released), self.spent) + fresh < most:
            return None
        if self.policy.counts == most:
            return f"no more than {most:,} counts are released"
        return "the budget for noise is used up"

    def _predicted(self, cell: Cell, batch: Counts) -> str | None:
        """What own records, and counts known already, tell before any value is there."""
        if self.policy.minimum == 0:
            return None
        size = self._own.size(cell)
        if self.policy.small(size):
            return self._few
        if self._own.part(cell) and self.policy.small(self.n - size):
            # The other side knows the count of its own terms; beside that, it points at few.
            return self._few
        if self._squeezed(cell, size) or self._differs_in_few_of_own(cell, size, batch):
            return self._few
        if self._leaves_few_of_own(cell, batch):
            return self._few
        return None if self._own.part(cell) != cell else self.after(cell, size)

    def _squeezed(self, cell: Cell, size: int) -> bool:
        """Whether known counts on both sides leave no room for a value that may be released."""
        if self._own.part(cell) == cell:
            return False
        most = min(size, *(count for _, count in self._known.wider(cell)))
        least = max((count for _, count in self._known.narrower(cell)), default=0)
        room = most - least
        both = 2 * self.policy.minimum if self.policy.zeros == "withheld" else 0
        return room < both or self.policy.small(room)

    def _differs_in_few_of_own(self, cell: Cell, size: int, batch: Counts) -> bool:
        """Whether another cell differs in own terms only, and they tell few own records apart."""
        for other, _ in chain(batch.wider(cell), batch.narrower(cell)):
            extra = cell ^ other
            if self._own.part(extra) == extra and self.policy.small(
                abs(self._own.size(other) - size)
            ):
                return True
        return False

    def _leaves_few_of_own(self, cell: Cell, batch: Counts) -> bool:
        """Whether own records outside what is asked of a family are few: they bound the rest."""
        for name, value in self._own.part(cell):
            parent = cell - {(name, value)}
            if parent in batch or not self._own.part(parent):  # else nobody knows the whole
                there, missing = batch.family(parent, name)
                asked = {*there, cell}
                left = self._own.size(parent) - sum(map(self._own.size, asked))
                if set(missing) - asked and self.policy.small(left):
                    return True
        return False

    def _telling(self, cell: Cell, value: int, counts: Counts) -> str | None:
        """What a count tells, alone and beside others."""
        small = self.policy.small
        if small(value):
            return self._few
        wider, narrower = counts.wider(cell), counts.narrower(cell)
        part = self._own.part(cell)
        if part != cell:
            wider.append((part, self._own.size(cell)))
        if small(self.n - value):
            return self._few
        if any(small(count - value) for _, count in wider) or any(
            small(value - count) for _, count in narrower
        ):
            return self._few
        if self._leaves_few_of(wider, cell, counts) or self._left_few_by(narrower, cell, value):
            return self._few
        return None

    def _leaves_few_of(self, wider: list[tuple[Cell, int]], cell: Cell, counts: Counts) -> bool:
        """Whether some of the cell's family, taken from a wider count, leave few."""
        for term in [term for term in cell if term[0] in self._several]:
            parent = cell - {term}
            there, missing = counts.family(parent, term[0])
            if missing and len(there) > 1:
                wholes = [count for other, count in wider if term not in other]
                if self._own.part(cell) != cell:
                    wholes.append(self._own.size(parent))
                total = counts.total(there)
                if any(self.policy.small(whole - total) for whole in wholes):
                    return True
        return False

    def _left_few_by(self, narrower: list[tuple[Cell, int]], cell: Cell, value: int) -> bool:
        """Whether some of a family, taken from this count, leave few."""
        families: defaultdict[tuple[Cell, str], list[int]] = defaultdict(list)
        for other, count in narrower:
            for term in other - cell:
                if term[0] in self._several:
                    families[other - {term}, term[0]].append(count)
        return any(
            len(counts) < self.schema[name].size and self.policy.small(value - sum(counts))
            for (_, name), counts in families.items()
        )

    @property
    def _few(self) -> str:
        """Always the same words: which rule would be broken says what the value is about."""
        return f"alone or beside others, it tells of fewer than {self.policy.minimum} people"
