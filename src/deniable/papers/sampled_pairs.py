"""Local differential privacy with sampled attributes, as its packages collect: one pair each.

Every respondent draws one feature at random and reports it together with the class, as one of k
pairs, by generalized randomized response (GRR): the truth with chance p = e^ε / (e^ε + k − 1), else
any other pair. So all of ε is for one pair ("Smp"), not shared out over all answers ("Spl"), and
naive Bayes needs nothing else (Yilmaz, Al-Rubaie and Chang 2019 collect so). The estimate is that
of pure-ldp and of multi-freq-ldpy: (C(v) − n·q) / (p − q), with q = (1 − p) / (k − 1).

The attacker knows all of that, and what naive Bayes says about how common records are.
"""

from dataclasses import dataclass
from math import exp

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.engine.memory.records import Records

LAPLACE = 1.0


@dataclass(frozen=True, eq=False)
class SampledPairs:
    """What the collector holds: which feature each respondent drew, and the pair reported."""

    names: tuple[str, ...]
    sizes: tuple[int, ...]
    classes: int
    epsilon: float
    drawn: Codes
    reported: Codes
    """Of each respondent: value · classes + class."""

    def chances(self, feature: int) -> tuple[float, float]:
        """Chance of the true pair, and of each other one."""
        pairs = self.sizes[feature] * self.classes
        true = exp(self.epsilon) / (exp(self.epsilon) + pairs - 1)
        return true, (1 - true) / (pairs - 1)

    def estimated(self, feature: int) -> Floats:
        """Counts ``[value, class]`` among those who drew a feature: unbiased, some below 0."""
        p, q = self.chances(feature)
        own = self.reported[self.drawn == feature]
        counts = np.bincount(own, minlength=self.sizes[feature] * self.classes).astype(np.float64)
        found = (counts - len(own) * q) / (p - q)
        return found.reshape(self.sizes[feature], self.classes)


def collected(
    people: Records, target: str, epsilon: float, rng: np.random.Generator
) -> SampledPairs:
    """Have everybody report one pair."""
    schema, n = people.schema, len(people)
    names = tuple(name for name in schema.names if name != target)
    sizes, classes = tuple(schema[name].size for name in names), schema[target].size
    columns = np.stack([people.columns[schema.position(name)] for name in names]).astype(np.int64)
    drawn = rng.integers(len(names), size=n)
    truth = columns[drawn, np.arange(n)] * classes + people.columns[schema.position(target)]
    asked = SampledPairs(names, sizes, classes, epsilon, drawn, truth)
    keep = np.array([asked.chances(feature)[0] for feature in range(len(names))])[drawn]
    pairs = np.array(sizes)[drawn] * classes
    other = (truth + 1 + rng.integers(pairs - 1)) % pairs
    reported = np.where(rng.random(n) < keep, truth, other)
    return SampledPairs(names, sizes, classes, epsilon, drawn, reported)


@dataclass(frozen=True, eq=False)
class PairBayes:
    """Naive Bayes of what was collected."""

    pairs: SampledPairs
    prior: Floats
    conditionals: tuple[Floats, ...]
    """Of each feature ``[value, class]``; its columns sum to 1."""

    @classmethod
    def of(cls, pairs: SampledPairs) -> "PairBayes":
        """Read counts below 0 as 0, and smooth."""
        tables = [np.maximum(pairs.estimated(at), 0.0) for at in range(len(pairs.names))]
        sizes = np.sum([table.sum(axis=0) for table in tables], axis=0) + LAPLACE
        added = [table + LAPLACE for table in tables]
        conditionals = tuple(table / table.sum(axis=0) for table in added)
        return cls(pairs, sizes / sizes.sum(), conditionals)

    def accuracy(self, people: Records, target: str) -> float:
        """Share of records whose class it says rightly."""
        logs = np.repeat(np.log(self.prior)[None], len(people), axis=0)
        schema = people.schema
        for name, chances in zip(self.pairs.names, self.conditionals, strict=True):
            logs += np.log(chances)[people.columns[schema.position(name)]]
        return float((logs.argmax(axis=1) == people.columns[schema.position(target)]).mean())

    def guesses(self) -> tuple[dict[str, Codes], dict[str, Codes]]:
        """Guess of each respondent each value by itself, and the whole record; class as ``""``."""
        single: dict[str, Codes] = {}
        pair = self._pair_chances()
        of_class = pair.sum(axis=1)
        single[""] = of_class.argmax(axis=1)
        best_pair = pair.max(axis=1)
        others = np.array([c.max(axis=0) for c in self.conditionals])
        rest = others.prod(axis=0) / others  # [feature, class]: the best of all others
        best = (best_pair * rest[self.pairs.drawn]).argmax(axis=1)
        whole: dict[str, Codes] = {"": best}
        everyone = np.arange(len(best))
        for at, (name, chances) in enumerate(zip(self.pairs.names, self.conditionals, strict=True)):
            told = self.pairs.drawn == at
            size = len(chances)
            likely = of_class @ chances.T
            likely[told] = pair.sum(axis=2)[told, :size]
            single[name] = likely.argmax(axis=1)
            guess = chances.argmax(axis=0)[best]
            whole[name] = np.where(told, pair[everyone, :, best].argmax(axis=1), guess)
        return single, whole

    def _pair_chances(self) -> Floats:
        """Weigh what the drawn feature and the class may be, ``[respondent, value, class]``."""
        most = max(self.pairs.sizes)
        chances = np.zeros((len(self.pairs.drawn), most, self.pairs.classes))
        for at, conditional in enumerate(self.conditionals):
            p, q = self.pairs.chances(at)
            told = self.pairs.drawn == at
            cells = np.arange(conditional.size).reshape(conditional.shape)
            seen = np.where(self.pairs.reported[told][:, None, None] == cells, p, q)
            chances[told, : len(conditional)] = seen * conditional * self.prior
        weighed: Floats = chances / chances.sum(axis=(1, 2), keepdims=True)
        return weighed
