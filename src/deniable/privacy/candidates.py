"""Reading a whole report where joint patterns are too many to list, but people are not.

The truths that a reader considers are the patterns that occur in the population; the reports are a
sample, disguised by the real device. What comes out is an average over that sample, so it has a
standard error. The same questions as `deniable.privacy.part` answers exactly.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from deniable.design import Group
from deniable.engine.records import Records
from deniable.errors import DataError
from deniable.privacy.part import Together
from deniable.privacy.population import Population

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]

MOST_REPORTS, FEWEST_REPORTS = 2000, 100
MOST_WORK = 1_000_000_000
"""Reports times candidates times attributes."""

AT_ONCE = 20_000_000
"""The same, held in memory at one time."""


@dataclass(frozen=True)
class Sampled:
    """A share, averaged over a sample of reports."""

    success: float
    std_error: float


@dataclass
class _Average:
    """Of what is guessed right, report by report."""

    values: list[Floats] = field(default_factory=list)

    def sampled(self) -> Sampled:
        values = np.concatenate(self.values)
        return Sampled(float(values.mean()), float(values.std() / np.sqrt(len(values))))


class Candidates:
    """Posterior weights of the population's patterns, for each of some reports."""

    def __init__(self, together: Together, population: Population, reports: Records) -> None:
        (block,) = (b for b in population.blocks if set(together.names) <= set(b.names))
        self.together = together
        self._places = {name: place for place, name in enumerate(block.names)}
        self._codes, self._shares = block.codes, block.shares
        work = len(self._codes) * len(together.names)
        many = min(len(reports), MOST_REPORTS, max(MOST_WORK // work, FEWEST_REPORTS))
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

    def _weigh(self) -> None:
        """Go through the reports once, answering every question on the way."""
        groups = self.together.groups
        record = _Average()
        by_group = {group.names: _Average() for group in groups}
        by_attribute = {name: _Average() for group in groups for name in group.names}
        knowing = {name: _Average() for group in groups for name in group.names}
        for posterior in self._posteriors():
            record.values.append(posterior.max(axis=1))
            for group in groups:
                patterns, place = self._patterns[group.names]
                mass = _summed(posterior, place.ravel(), len(patterns))
                by_group[group.names].values.append(mass.max(axis=1))
                for column, name in enumerate(group.names):
                    values, codes = np.unique(patterns[:, column], return_inverse=True)
                    by_value = _summed(mass, codes, len(values))
                    by_attribute[name].values.append(by_value.max(axis=1))
                    best = [mass[:, codes == value].max(axis=1) for value in range(len(values))]
                    knowing[name].values.append(np.sum(best, axis=0))
        self.record = record.sampled()
        self.groups = {names: average.sampled() for names, average in by_group.items()}
        self.attributes = {name: average.sampled() for name, average in by_attribute.items()}
        self.knowing = {name: average.sampled().success for name, average in knowing.items()}

    def record_before(self) -> float:
        """How often everything is guessed without a report."""
        place, many = self._public()
        best = np.zeros(many)
        np.maximum.at(best, place, self._shares)
        return float(best.sum())

    def before(self, names: tuple[str, ...]) -> float:
        """How often some attributes are guessed together without a report."""
        public, many = self._public()
        columns = [self._codes[:, self._places[name]] for name in names]
        patterns, place = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)
        cells = np.bincount(
            public * len(patterns) + place.ravel(), self._shares, minlength=many * len(patterns)
        )
        return float(cells.reshape(many, -1).max(axis=1).sum())

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


def _summed(weights: Floats, place: Codes, many: int) -> Floats:
    """Add up columns that belong to the same place; every place has one."""
    order = np.argsort(place, kind="stable")
    starts = np.searchsorted(place[order], np.arange(many))
    summed: Floats = np.add.reduceat(weights[:, order], starts, axis=1)
    return summed
