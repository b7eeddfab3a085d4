"""Which counts may be released, beside all that were released before.

Whoever sees counts can subtract them. With m the minimum, no count may be released that leaves
fewer than m people (and, where zeros are withheld, none at all) in

- the cell itself, or all records outside it;
- the difference to a known cell that says more or less: N(E) − N(E ∧ x) = 1 points at a person;
- what is left of a known count after some of a family: N(E) − N(E ∧ a=1) − N(E ∧ a=2);
- any cell whose count follows: the parent of a whole family, the last one of a family;
- those who have neither of two terms: N(E) − N(E ∧ a=1) − N(E ∧ b=1) + N(E ∧ a=1 ∧ b=1);
- the difference to what a side knows by itself: how many satisfy its own terms;
- the difference to what was counted of nearly the same people: each side compares the people behind
  its own terms, whatever these are called (`deniable.collab.policy.own_people`).

For yes/no attributes this covers inclusion and exclusion too, as every part is itself a cell. Where
there is noise, the same people are not counted again under another name: that would be a second
draw of the other side's noise.

**Not covered.** Other sums and differences of overlapping cells, of three terms and more where all
have three values or more: to rule out every combination is a linear programme at each count, and
withholds nearly everything. What a refusal tells: that some rule would be broken. Whatever anyone
knows from elsewhere. What a side's own judge would refuse, if that side has changed its program.
Against these there is noise, and the limit on how many counts are opened.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import chain
from math import inf

from deniable.channel.channel import BINARY
from deniable.collab.cells import Cell
from deniable.collab.policy.known_counts import Counts, Own
from deniable.collab.policy.own_people import AskedParts, OwnPeople
from deniable.collab.policy.policy import Policy
from deniable.schema import Schema

EMPTY_CELL: Cell = frozenset()


class Judge:
    """Judges the counts of one run for one side, which knows its own columns.

    Each value is to be learnt before the next is judged: what two tell together is judged with the
    second.
    """

    def __init__(
        self,
        policy: Policy,
        schema: Schema,
        n: int,
        own: Callable[[Cell], int] | None,
        people: OwnPeople | None = None,
    ) -> None:
        self.policy, self.schema, self.n = policy, schema, n
        self._own = Own(schema, n, own if policy.minimum else None)
        self._known = Counts(schema, self._own)
        self._known.add(EMPTY_CELL, n)
        compared = policy.minimum > 0 or policy.noise is not None
        self._people = people if compared else None
        self._released: set[Cell] = set()
        self._recorded: set[Cell] = set()
        self.spent = 0
        """Counts that a side has opened, whether they were released then or not."""
        # Of two values, one and the parent tell the other: no more need be said of such a family.
        self._several = {attribute.name for attribute in schema if attribute.size > BINARY}
        self._trial: tuple[tuple[Cell, int], Counts] | None = None

    def before(self, cells: Sequence[Cell]) -> list[str | None]:
        """Say of each cell why it may not be asked, if so, from what is known without its value."""
        batch = Counts(self.schema, self._own, self._known)
        asked: dict[Cell, AskedParts] = {}
        fresh = 0
        reasons: list[str | None] = []
        for cell in cells:
            if cell in self._recorded or cell in batch.added or cell == EMPTY_CELL:
                reasons.append(None)
                continue
            # Once the limit is reached nothing else is told, not even what else would be refused.
            why = self._exhausted(fresh)
            # What was told and never released is no news, but is charged again.
            if why is None and cell not in self._released:
                why = self._predicted(cell, batch) or self._nearly_known(cell, asked)
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

    def learn(
        self, cell: Cell, value: int, *, released: bool = True, recorded: bool = True
    ) -> None:
        """Take note of a count that was released, or told and not yet recorded, or is known."""
        if released and cell != EMPTY_CELL:
            self._released.add(cell)
            if recorded:
                self._recorded.add(cell)
        new = {cell: value}
        if self.policy.minimum > 0:
            new = self._concluded(cell, value).added
            for each in new.items():
                self._known.add(*each)
            self._trial = None
        if self._people is not None:
            for known in {cell, *new}:
                self._people.note(known)

    def _concluded(self, cell: Cell, value: int) -> Counts:
        """What would be known with a count; kept, as what is judged is mostly learnt next."""
        if self._trial is None or self._trial[0] != (cell, value):
            trial = Counts(self.schema, self._own, self._known)
            trial.conclude(cell, value)
            self._trial = (cell, value), trial
        return self._trial[1]

    @property
    def left(self) -> float:
        """How many counts may still be opened."""
        most = self.policy.most_about(self.n)
        return inf if most is None else most - max(len(self._released), self.spent)

    def _exhausted(self, fresh: int) -> str | None:
        most = self.policy.most_about(self.n)
        if most is None or fresh < self.left:
            return None
        if self.policy.noise is not None and self.policy.noise.counts == most != self.policy.counts:
            return "the budget for noise is used up"
        return f"no more than {most:,} counts are released"

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

    def _nearly_known(self, cell: Cell, asked: dict[Cell, AskedParts]) -> str | None:
        """Whether nearly the same people, or a sum of them, were counted with the same other part.

        `asked` are the parts of this batch beside those of all before it.
        """
        people = self._people
        if people is None:
            return None
        others = people.others(cell)
        among = asked.get(others)
        if among is None:
            among = asked[others] = people.asked_with(others).copy()
        few = self.policy.minimum > 0 and people.tells_of_few(cell, among, self.policy.minimum)
        if few or (self.policy.noise is not None and people.again(cell, among)):
            return self._few
        among.add(people.name(cell), people.part(cell))
        return None

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
        return self._few if self._few_have_neither(cell, counts) else None

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

    def _few_have_neither(self, cell: Cell, counts: Counts) -> bool:
        """Whether a count, beside three others, tells that few have neither of two terms.

        N(E) − N(E ∧ s) − N(E ∧ t) + N(E ∧ s ∧ t), for attributes of three values and more: else the
        rest is a cell, and judged as such.
        """
        for whole, one, two, both in counts.squares(cell, self._several):
            corners = [self._count(each, counts) for each in (whole, one, two, both)]
            known = [count for count in corners if count is not None]
            if known == corners and self.policy.small(known[0] - known[1] - known[2] + known[3]):
                return True
        return False

    def _count(self, cell: Cell, counts: Counts) -> int | None:
        """A count that is known, or that this side can make by itself."""
        return self._own.size(cell) if self._own.part(cell) == cell else counts.get(cell)

    @property
    def _few(self) -> str:
        """Always the same words: which rule would be broken says what the value is about."""
        if self.policy.minimum == 0:
            return "the same people were counted already"
        return f"alone or beside others, it tells of fewer than {self.policy.minimum} people"
