"""Reading a whole report where joint patterns are too many to list, but people are not.

The truths that a reader considers are the patterns that occur in the population; the reports are a
sample, disguised by the real device. What comes out is an average over that sample, so it has a
standard error. The same questions as `deniable.privacy.measures.joint_groups` answers exactly.
"""

from collections.abc import Iterator

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.base.errors import DataError
from deniable.design import Group
from deniable.engine.memory.records import Records
from deniable.privacy.measures.joint_groups import LinkedGroups
from deniable.privacy.measures.readers import AttributeBestGuess, BestGuess
from deniable.privacy.measures.single_answer import (
    entry_matrix,
    guess_after,
    guess_before,
    posteriors,
)
from deniable.privacy.measures.standard_error import mean_and_error
from deniable.privacy.population import Population
from deniable.schema import Attribute

MOST_REPORTS, FEWEST_REPORTS = 2000, 100
MOST_CANDIDATE_WORK = 600_000_000
"""Reports times candidates times attributes."""

AT_ONCE = 20_000_000
"""The same, held in memory at one time."""


class _Average:
    """Of what is guessed right, report by report."""

    def __init__(self) -> None:
        self._values: list[Floats] = []

    def add(self, values: Floats) -> None:
        """Take in a chunk of reports."""
        self._values.append(values)

    def seen(self, before: float) -> BestGuess:
        """Give the mean and its standard error."""
        return BestGuess(before, *mean_and_error(np.concatenate(self._values)))


class SampledReader:
    """Posterior weights of the population's patterns, for each of some reports."""

    def __init__(self, together: LinkedGroups, population: Population, reports: Records) -> None:
        (block,) = (b for b in population.blocks if set(together.names) <= set(b.names))
        self.together = together
        self._places = {name: place for place, name in enumerate(block.names)}
        self._codes, self._shares = block.codes, block.shares
        work = len(self._codes) * len(together.names)
        many = min(len(reports), MOST_REPORTS, max(MOST_CANDIDATE_WORK // work, FEWEST_REPORTS))
        self._chunk = max(AT_ONCE // work, 1)
        steps = np.linspace(0, len(reports) - 1, many).astype(np.int64)
        self._reports = {
            name: reports.columns[reports.schema.position(name)][steps].astype(np.int64)
            for name in together.names
        }
        self._patterns = {
            group.names: np.unique(self._truths(group), axis=0, return_inverse=True)
            for group in (*together.groups, *together.public)
        }
        self._weigh()

    def record(self) -> BestGuess:
        """Guess all of them at once."""
        place, many = self._public()
        best = np.zeros(many)
        np.maximum.at(best, place, self._shares)
        return self._record.seen(float(best.sum()))

    def group(self, group: Group) -> BestGuess:
        """Guess one group's pattern."""
        patterns, place = self._patterns[group.names]
        shares = self._with_public(place.ravel(), len(patterns))
        return self._groups[group.names].seen(guess_before(shares))

    def attribute(self, group: Group, name: str) -> AttributeBestGuess:
        """Guess one attribute; how sure a reader can become is seen on the sample only."""
        size = group.attributes[group.names.index(name)].size
        shares = self._with_public(self._codes[:, self._places[name]], size)
        seen = self._attributes[name].seen(guess_before(shares))
        matrix = entry_matrix(group, name)
        own = posteriors(matrix, shares.sum(axis=1))
        return AttributeBestGuess(
            seen.before,
            seen.guess,
            seen.std_error,
            guess_after(matrix, shares),
            np.maximum(own.max(axis=0), self._highest[name]),
            np.minimum(own.min(axis=0), self._lowest[name]),
        )

    def knowing(self, group: Group) -> dict[str, float]:
        """How often a group's pattern is guessed by one who knows this attribute of it."""
        return {name: self._knowing[name].seen(0.0).guess or 0.0 for name in group.names}

    def _weigh(self) -> None:
        """Go through the reports once, answering every question on the way."""
        groups = self.together.groups
        names = [name for group in groups for name in group.names]
        self._record = _Average()
        self._groups = {group.names: _Average() for group in groups}
        self._attributes = {name: _Average() for name in names}
        self._knowing = {name: _Average() for name in names}
        self._highest: dict[str, Floats] = {}
        self._lowest: dict[str, Floats] = {}
        by_pattern = {g.names: _Places(self._patterns[g.names][1].ravel()) for g in groups}
        by_value = {
            name: _Places(self._patterns[group.names][0][:, column])
            for group in groups
            for column, name in enumerate(group.names)
        }
        for posterior in self._posteriors():
            self._record.add(posterior.max(axis=1))
            for group in groups:
                mass = by_pattern[group.names].summed(posterior)
                self._groups[group.names].add(mass.max(axis=1))
                for attribute in group.attributes:
                    self._look(attribute, by_value[attribute.name], mass)

    def _look(self, attribute: Attribute, places: "_Places", mass: Floats) -> None:
        """Take in what a chunk says of one attribute, from the masses of its group's patterns."""
        name = attribute.name
        likely = np.zeros((len(mass), attribute.size))
        likely[:, places.values] = places.summed(mass)
        self._attributes[name].add(likely.max(axis=1))
        self._knowing[name].add(places.largest(mass).sum(axis=1))
        highest, lowest = likely.max(axis=0), likely.min(axis=0)
        self._highest[name] = np.maximum(highest, self._highest.get(name, highest))
        self._lowest[name] = np.minimum(lowest, self._lowest.get(name, lowest))

    def _with_public(self, place: Codes, many: int) -> Floats:
        public, patterns = self._public()
        cells = np.bincount(place * patterns + public, self._shares, minlength=many * patterns)
        return cells.reshape(many, patterns).astype(np.float64)

    def _public(self) -> tuple[Codes, int]:
        """Number the candidates' public patterns."""
        if not self.together.public:
            return np.zeros(len(self._shares), dtype=np.int64), 1
        names = [group.names[0] for group in self.together.public]
        columns = np.stack([self._codes[:, self._places[name]] for name in names], axis=1)
        found, place = np.unique(columns, axis=0, return_inverse=True)
        return place.ravel(), len(found)

    def _posteriors(self) -> Iterator[Floats]:
        """Chance of each candidate given each report, a chunk of reports at a time."""
        many = len(next(iter(self._reports.values())))
        for start in range(0, many, self._chunk):
            weight = np.repeat(self._shares[None], min(self._chunk, many - start), axis=0)
            for group in (*self.together.groups, *self.together.public):
                patterns, place = self._patterns[group.names]
                columns = [self._reports[name][start : start + self._chunk] for name in group.names]
                reports = np.stack(columns, axis=1)[:, None, :]
                weight *= group.channel.chance(reports, patterns[None])[:, place.ravel()]
            total = weight.sum(axis=1, keepdims=True)
            if not total.min() > 0:
                raise DataError(
                    "A report fits nobody in the population.",
                    hint="Give reports of the same people.",
                )
            yield weight / total

    def _truths(self, group: Group) -> Codes:
        return self._codes[:, [self._places[name] for name in group.names]]


class _Places:
    """Which columns belong together."""

    def __init__(self, place: Codes) -> None:
        self._order = np.argsort(place, kind="stable")
        self.values, self._starts = np.unique(place[self._order], return_index=True)

    def summed(self, columns: Floats) -> Floats:
        """Add up the columns of each place."""
        summed: Floats = np.add.reduceat(columns[:, self._order], self._starts, axis=1)
        return summed

    def largest(self, columns: Floats) -> Floats:
        """Take the largest column of each place."""
        largest: Floats = np.maximum.reduceat(columns[:, self._order], self._starts, axis=1)
        return largest
