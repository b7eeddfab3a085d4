"""What a reader of whole reports finds out, by whatever way it can be computed.

Exactly, where joint patterns can be listed (`ExactReader`); over a sample of reports, where only
people can be (`SampledReader`); in closed form, where a group is too large for either but every
pattern is equally likely (`EvenReader`). Otherwise nothing is said (`Reader`).
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.base.errors import DataError
from deniable.design import Group
from deniable.engine.memory.records import Records
from deniable.privacy.measures.joint_groups import JointGroups, LinkedGroups
from deniable.privacy.measures.single_answer import (
    best_guess,
    entry_matrix,
    guess_after,
    guess_if_even,
    posteriors,
)
from deniable.privacy.measures.standard_error import mean_and_error
from deniable.privacy.population import Population
from deniable.schema import Attribute

MOST_LISTED_WORK = 1 << 27
"""Joint patterns times values of an attribute, up to which each value is followed."""

MOST_REPORTS, FEWEST_REPORTS = 2000, 100
MOST_CANDIDATE_WORK = 600_000_000
"""Reports times candidates times attributes."""

AT_ONCE = 20_000_000
"""The same, held in memory at one time."""


@dataclass(frozen=True)
class BestGuess:
    """How often a guess is right before any report, and after it; None where it is not known."""

    before: float | None
    guess: float | None
    std_error: float = 0.0
    """0 where the guess is exact; else it is an average over a sample of reports."""


@dataclass(frozen=True, eq=False)
class AttributeBestGuess(BestGuess):
    """One attribute; a reader of its own answer alone knows the public attributes, too."""

    alone: float | None = None
    extremes: Floats | None = None
    """How likely, and how unlikely, a report can make each value, ``[2, value]``; if known."""


class Reader:
    """Of groups that are read together; this one finds nothing out: there is too much to weigh."""

    def record(self) -> BestGuess:
        """Guess all of them at once."""
        return BestGuess(None, None)

    def group(self, group: Group) -> BestGuess:
        """Guess one group's pattern."""
        return self.record()

    def attribute(self, group: Group, name: str) -> AttributeBestGuess:
        """Guess one attribute."""
        return AttributeBestGuess(None, None)

    def knowing(self, group: Group) -> dict[str, float]:
        """How often a group's pattern is guessed by one who knows this attribute of it."""
        return {}


class ExactReader(Reader):
    """All joint patterns, one by one."""

    def __init__(self, part: JointGroups) -> None:
        self._part = part

    def record(self) -> BestGuess:
        """Guess all of them at once."""
        before = best_guess(self._part.by_public(range(len(self._part.groups) - self._part.public)))
        return BestGuess(before, float(self._part.record()[0].sum()))

    def group(self, group: Group) -> BestGuess:
        """Guess one group's pattern."""
        axis = self._part.groups.index(group)
        before = best_guess(self._part.by_public([axis]))
        return BestGuess(before, self._part.group(axis).success)

    def attribute(self, group: Group, name: str) -> AttributeBestGuess:
        """Guess one attribute."""
        axis = self._part.groups.index(group)
        shares = self._part.values_by_public(axis, name)
        before, alone = best_guess(shares), guess_after(entry_matrix(group, name), shares)
        if len(shares) * self._part.table.size > MOST_LISTED_WORK:
            single = len(group.names) == 1  # then the attribute is the group's pattern
            guess = self._part.group(axis).success if single else None
            return AttributeBestGuess(before, guess, alone=alone)
        found = self._part.attribute(axis, name)
        return AttributeBestGuess(before, found.success, 0.0, alone, found.extremes)

    def knowing(self, group: Group) -> dict[str, float]:
        """How often a group's pattern is guessed by one who knows this attribute of it."""
        axis = self._part.groups.index(group)
        return {name: self._part.group_knowing(axis, name) for name in group.names}


class EvenReader(Reader):
    """One group, all of whose patterns are equally likely, and too many to list."""

    def __init__(self, group: Group) -> None:
        self._patterns = prod(group.channel.sizes)
        self._guess = group.channel.even_guess()

    def record(self) -> BestGuess:
        """Guess the group's pattern."""
        return BestGuess(1 / self._patterns, self._guess)

    def attribute(self, group: Group, name: str) -> AttributeBestGuess:
        """Guess from its own answer: the others say nothing more where all are equally likely."""
        size = group.attributes[group.names.index(name)].size
        alone = guess_if_even(group, name)
        return AttributeBestGuess(1 / size, alone, alone=alone)


class SampledReader(Reader):
    """Posterior weights of the population's patterns, for each of some reports.

    The truths that this reader considers are the patterns that occur in the population; the reports
    are a sample, disguised by the real device. So what comes out is an average over that sample,
    and has a standard error.
    """

    def __init__(self, together: LinkedGroups, population: Population, reports: Records) -> None:
        (self._block,) = (b for b in population.blocks if set(together.names) <= set(b.names))
        self._together = together
        work = len(self._block.codes) * len(together.names)
        many = min(len(reports), MOST_REPORTS, max(MOST_CANDIDATE_WORK // work, FEWEST_REPORTS))
        self._chunk = max(AT_ONCE // work, 1)
        steps = np.linspace(0, len(reports) - 1, many).astype(np.int64)
        self._reports = {
            name: reports.columns[reports.schema.position(name)][steps].astype(np.int64)
            for name in together.names
        }
        self._patterns = {
            group.names: self._block.distinct(group.names)
            for group in (*together.groups, *together.public)
        }
        # Chances to be right, report by report, chunk by chunk; by what is guessed.
        self._right: dict[object, list[Floats]] = defaultdict(list)
        self._right_knowing: dict[str, list[Floats]] = defaultdict(list)
        self._extremes: dict[str, list[Floats]] = defaultdict(list)
        self._weigh()

    def record(self) -> BestGuess:
        """Guess all of them at once."""
        place, many = self._public
        best = np.zeros(many)
        np.maximum.at(best, place, self._block.shares)
        return BestGuess(float(best.sum()), *self._mean_right(None))

    def group(self, group: Group) -> BestGuess:
        """Guess one group's pattern."""
        patterns, place = self._patterns[group.names]
        shares = self._with_public(place, len(patterns))
        return BestGuess(best_guess(shares), *self._mean_right(group.names))

    def attribute(self, group: Group, name: str) -> AttributeBestGuess:
        """Guess one attribute; how sure a reader can become is seen on the sample only."""
        size = group.attributes[group.names.index(name)].size
        shares = self._with_public(self._block.codes[:, self._block.names.index(name)], size)
        matrix = entry_matrix(group, name)
        after = np.concatenate([*self._extremes[name], posteriors(matrix, shares.sum(axis=1))])
        return AttributeBestGuess(
            best_guess(shares),
            *self._mean_right(name),
            guess_after(matrix, shares),
            np.stack([after.max(axis=0), after.min(axis=0)]),
        )

    def knowing(self, group: Group) -> dict[str, float]:
        """How often a group's pattern is guessed by one who knows this attribute of it."""
        found = {name: np.concatenate(self._right_knowing[name]) for name in group.names}
        return {name: float(right.mean()) for name, right in found.items()}

    def _mean_right(self, guessed: object) -> tuple[float, float]:
        """How often a guess is right, and the standard error of that."""
        return mean_and_error(np.concatenate(self._right[guessed]))

    def _weigh(self) -> None:
        """Go through the reports once, answering every question on the way."""
        for posterior in self._posteriors():
            self._right[None].append(posterior.max(axis=1))
            for group in self._together.groups:
                patterns, place = self._patterns[group.names]
                mass = _gathered(np.add, posterior, place)
                self._right[group.names].append(mass.max(axis=1))
                for attribute, values in zip(group.attributes, patterns.T, strict=True):
                    self._look(attribute, values, mass)

    def _look(self, attribute: Attribute, values: Codes, mass: Floats) -> None:
        """Take in what a chunk says of one attribute, from the masses of its group's patterns."""
        name = attribute.name
        likely = np.zeros((len(mass), attribute.size))
        likely[:, np.unique(values)] = _gathered(np.add, mass, values)
        self._right[name].append(likely.max(axis=1))
        self._right_knowing[name].append(_gathered(np.maximum, mass, values).sum(axis=1))
        self._extremes[name].append(np.stack([likely.max(axis=0), likely.min(axis=0)]))

    def _with_public(self, place: Codes, many: int) -> Floats:
        public, patterns = self._public
        cells = np.bincount(
            place * patterns + public, self._block.shares, minlength=many * patterns
        )
        return cells.reshape(many, patterns).astype(np.float64)

    @cached_property
    def _public(self) -> tuple[Codes, int]:
        """Number the candidates' public patterns."""
        found, place = self._block.distinct([group.names[0] for group in self._together.public])
        return place, len(found)

    def _posteriors(self) -> Iterator[Floats]:
        """Chance of each candidate given each report, a chunk of reports at a time."""
        many = len(next(iter(self._reports.values())))
        for start in range(0, many, self._chunk):
            weight = np.repeat(self._block.shares[None], min(self._chunk, many - start), axis=0)
            for group in (*self._together.groups, *self._together.public):
                patterns, place = self._patterns[group.names]
                columns = [self._reports[name][start : start + self._chunk] for name in group.names]
                reports = np.stack(columns, axis=1)[:, None, :]
                weight *= group.channel.chance(reports, patterns[None])[:, place]
            total = weight.sum(axis=1, keepdims=True)
            if not total.min() > 0:
                raise DataError(
                    "A report fits nobody in the population.",
                    hint="Give reports of the same people.",
                )
            yield weight / total


def _gathered(reduce: np.ufunc, columns: Floats, place: Codes) -> Floats:
    """Add up the columns of each place, or take the largest of them."""
    order = np.argsort(place, kind="stable")
    _, starts = np.unique(place[order], return_index=True)
    gathered: Floats = reduce.reduceat(columns[:, order], starts, axis=1)
    return gathered
