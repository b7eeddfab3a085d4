"""An attacker for wide records: people of a few kinds, whose answers are otherwise independent.

Where joint patterns are too many to weigh, the attacker fits a mixture of *classes*, within which
attributes are independent. EM sees the truth through the channels: a report of a group was kept, or
it was turned (related) or replaced (unrelated) as a whole, and each case says what to expect of the
attributes. How many classes there are is chosen where halves of the reports explain each other
best; one class is independence.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.channel.channel import patterns
from deniable.channel.device import Change
from deniable.design import Group
from deniable.engine.memory.records import Records
from deniable.expression import strides
from deniable.privacy.attack.estimated_population import SEED
from deniable.privacy.measures.pattern_numbers import codes_of

CLASSES_TRIED = (1, 3, 8)
STARTS, FIRST_STEPS, LAST_STEPS = 8, 10, 30
PUSH = 1.0
"""How much classes differ where EM begins: standard deviation of the logarithm of a share."""

MOST_FITTED = 4000
"""Reports that the classes are fitted to."""

SMOOTHING = 1.0
"""People added to every class, spread evenly over the values: no value is ruled out by noise."""

TINY = 1e-300


@dataclass(frozen=True, eq=False)
class Classes:
    """Sizes of the classes, and in each of them the shares of every attribute's values."""

    sizes: Floats
    shares: Mapping[str, Floats]
    """``[class, value]`` by attribute."""

    def given(self, known: Mapping[str, int]) -> "Classes":
        """Know some values: all have them, and classes in which they are common are larger."""
        sizes, shares = self.sizes, dict(self.shares)
        for name, code in known.items():
            sizes = sizes * shares[name][:, code]
            shares[name] = np.repeat(np.eye(shares[name].shape[1])[[code]], len(sizes), axis=0)
        return Classes(sizes / sizes.sum(), shares)


class GroupReports:
    """Reports of one group, as the classes see them: ``[report, class]``."""

    def __init__(self, group: Group, reports: Records) -> None:
        self.group = group
        columns = [reports.columns[reports.schema.position(name)] for name in group.names]
        self.codes: Codes = np.stack(columns, axis=1).astype(np.int64)
        channel = group.channel
        # A report was kept, or changed as a whole; where that is not so, there is a small matrix.
        tabled = channel.change is Change.TABLED
        self._matrix = channel.matrix(range(len(channel.sizes))) if tabled else None
        self._pattern: Codes = self.codes @ np.array(strides(channel.sizes), dtype=np.int64)
        self._turns = channel.change is Change.TURNED
        self._weighed: tuple[Classes, Floats, Floats] | None = None  # a step of EM asks twice
        self._same: Floats = channel.chance(self.codes, self.codes)
        self._other: Floats = channel.chance(self.codes, (self.codes + 1) % np.array(channel.sizes))

    def chance(self, classes: Classes) -> Floats:
        """How likely each report is in each class."""
        if self._matrix is not None:
            reports: Floats = (self._matrix @ self._truths(classes).T)[self._pattern]
            return reports
        kept, changed = self._cases(classes)
        return kept + changed

    def expected(self, classes: Classes, belongs: Floats) -> dict[str, Floats]:
        """How many people of each class have each value, ``[class, value]`` by attribute."""
        if self._matrix is not None:
            by_pattern = np.zeros((len(self._matrix), belongs.shape[1]))
            np.add.at(by_pattern, self._pattern, belongs)
            truths = np.einsum("uk,ukv->kv", by_pattern, self._after(classes))
            return {name: truths @ self._having(name) for name in self.group.names}
        kept, changed = self._belonging(classes, belongs)
        found = {}
        for place, name in enumerate(self.group.names):
            shares = classes.shares[name]
            if self._turns:
                turned = self._by_report(place, changed) / np.maximum(1 - shares, TINY)
                elsewhere = turned.sum(axis=1, keepdims=True) - turned
            else:
                elsewhere = changed.sum(axis=0)[:, None]
            found[name] = self._by_report(place, kept) + shares * elsewhere
        return found

    def values(self, name: str, classes: Classes, belongs: Floats) -> Floats:
        """Chance of each value of one attribute given each report, ``[report, value]``."""
        place, shares = self.group.names.index(name), classes.shares[name]
        codes = self.codes[:, place]
        if self._matrix is not None:
            truths = np.einsum("rk,rkv->rv", belongs, self._after(classes)[self._pattern])
            likely: Floats = truths @ self._having(name)
            return likely
        kept, changed = self._belonging(classes, belongs)
        if self._turns:
            likely = (changed / np.maximum(1 - shares[:, codes].T, TINY)) @ shares
            likely[np.arange(len(codes)), codes] = 0.0
        else:
            likely = changed @ shares
        likely[np.arange(len(codes)), codes] += kept.sum(axis=1)
        return likely

    def likeliest(self, classes: Classes, kind: int) -> Codes:
        """For each report its likeliest pattern within one class, ``[report, attribute]``."""
        shares = [classes.shares[name][kind] for name in self.group.names]
        if self._matrix is not None:
            best = (self._matrix * self._truths(classes)[kind]).argmax(axis=1)
            found: Codes = patterns(self.group.channel.sizes)[best[self._pattern]]
            return found
        kept = self._same * np.prod(
            [s[c] for s, c in zip(shares, self.codes.T, strict=True)], axis=0
        )
        places, changed = [], self._other
        for share, codes in zip(shares, self.codes.T, strict=True):
            order = np.argsort(-share, kind="stable")
            place = np.full(len(codes), order[0])
            if self._turns:
                place = np.where(codes == order[0], order[1], order[0])
            places.append(place)
            changed = changed * share[place]
        return np.where((kept >= changed)[:, None], self.codes, np.stack(places, axis=1))

    def together(self, pattern: Codes, classes: Classes) -> Floats:
        """How likely each report and a pattern for it are in each class, both together."""
        shares = [classes.shares[name] for name in self.group.names]
        truth = np.prod([s[:, c].T for s, c in zip(shares, pattern.T, strict=True)], axis=0)
        both: Floats = self.group.channel.chance(self.codes, pattern)[:, None] * truth
        return both

    def _truths(self, classes: Classes) -> Floats:
        """Shares of the group's patterns in each class, ``[class, pattern]``."""
        truths = np.ones((len(classes.sizes), 1))
        for name in self.group.names:
            truths = (truths[:, :, None] * classes.shares[name][:, None]).reshape(len(truths), -1)
        return truths

    def _after(self, classes: Classes) -> Floats:
        """Chance of each pattern given each report and class, ``[report, class, pattern]``."""
        assert self._matrix is not None
        joint = self._matrix[:, None, :] * self._truths(classes)[None]
        after: Floats = joint / np.maximum(joint.sum(axis=2, keepdims=True), TINY)
        return after

    def _having(self, name: str) -> Floats:
        """Which patterns have which value of an attribute, ``[pattern, value]``."""
        codes = codes_of(self.group, name)
        having: Floats = np.eye(int(codes.max()) + 1)[codes]
        return having

    def _cases(self, classes: Classes) -> tuple[Floats, Floats]:
        """Chance that the report is as it is because it was kept, and because it was changed."""
        if self._weighed is None or self._weighed[0] is not classes:
            self._weighed = (classes, *self._weigh(classes))
        return self._weighed[1:]

    def _weigh(self, classes: Classes) -> tuple[Floats, Floats]:
        shares = [classes.shares[name] for name in self.group.names]
        own = [s.T[c] for s, c in zip(shares, self.codes.T, strict=True)]
        if self._turns:
            rest = reduce(np.multiply, [1 - o for o in own])
            return self._same[:, None] * reduce(np.multiply, own), self._other[:, None] * rest
        kept = (self._same - self._other)[:, None] * reduce(np.multiply, own)
        return kept, np.repeat(self._other[:, None], len(classes.sizes), axis=1)

    def _belonging(self, classes: Classes, belongs: Floats) -> tuple[Floats, Floats]:
        """The same two cases, given the report and with the chance of the class."""
        kept, changed = self._cases(classes)
        part = belongs / np.maximum(kept + changed, TINY)
        return kept * part, changed * part

    def _by_report(self, place: int, weights: Floats) -> Floats:
        """Add up weights by the value that was reported, ``[class, value]``."""
        added: Floats = (self._said[place] @ weights).T
        return added

    @cached_property
    def _said(self) -> list[Any]:
        """Which reports say which value, a sparse ``[value, report]`` for each attribute."""
        from scipy.sparse import csr_array

        many = len(self.codes)
        return [
            csr_array((np.ones(many), (codes, np.arange(many))), shape=(size, many))
            for codes, size in zip(self.codes.T, self.group.channel.sizes, strict=True)
        ]


def fitted(groups: Sequence[Group], reports: Records) -> Classes:
    """Fit classes to some reports: as many as explain other reports best."""
    chosen = np.random.default_rng(SEED).permutation(len(reports))[:MOST_FITTED]
    parts = [np.isin(np.arange(len(reports)), part) for part in (chosen[::2], chosen[1::2], chosen)]
    one, other, both = ([GroupReports(g, reports.among(part)) for g in groups] for part in parts)
    if not len(other[0].codes):
        return _climbed(both, 1)
    judged = [
        _explained(_climbed(one, many), other) + _explained(_climbed(other, many), one)
        for many in CLASSES_TRIED
    ]
    return _climbed(both, CLASSES_TRIED[int(np.argmax(judged))])


def belonging(views: Sequence[GroupReports], classes: Classes) -> Floats:
    """Chance of each class given each report."""
    logs = _logs(views, classes)
    belongs = np.exp(logs - logs.max(axis=1, keepdims=True))
    likely: Floats = belongs / belongs.sum(axis=1, keepdims=True)
    return likely


def best_patterns(
    views: Sequence[GroupReports], classes: Classes, weights: Floats | None = None
) -> list[Codes]:
    """Guess some groups together: of each class's likeliest patterns, the likeliest by all.

    Classes weigh as much as they are large, unless each report gives them weights of its own.
    """
    weights = classes.sizes[None] if weights is None else weights
    best: Floats = np.full(len(views[0].codes), -np.inf)
    found = [view.codes for view in views]
    for kind in range(len(classes.sizes)):
        patterns = [view.likeliest(classes, kind) for view in views]
        logs = np.log(np.maximum(weights, TINY))
        for view, pattern in zip(views, patterns, strict=True):
            logs = logs + np.log(np.maximum(view.together(pattern, classes), TINY))
        likely = np.logaddexp.reduce(logs, axis=1)
        better = likely > best
        best = np.where(better, likely, best)
        found = [
            np.where(better[:, None], new, old) for new, old in zip(patterns, found, strict=True)
        ]
    return found


def _climbed(views: Sequence[GroupReports], many: int) -> Classes:
    """Go up by EM from several starts a few steps, and on from the best of these."""
    rng = np.random.default_rng(SEED)
    starts = [_start(views, many, rng) for _ in range(STARTS if many > 1 else 1)]
    begun = [_stepped(views, classes, FIRST_STEPS) for classes in starts]
    best = max(begun, key=lambda classes: _explained(classes, views))
    return _stepped(views, best, LAST_STEPS)


def _stepped(views: Sequence[GroupReports], classes: Classes, steps: int) -> Classes:
    """Some steps of EM."""
    for _ in range(steps):
        belongs = belonging(views, classes)
        shares = {}
        for view in views:
            for name, counts in view.expected(classes, belongs).items():
                smooth = np.maximum(counts, 0.0) + SMOOTHING / counts.shape[1]
                shares[name] = smooth / smooth.sum(axis=1, keepdims=True)
        sizes = belongs.sum(axis=0) + SMOOTHING
        classes = Classes(sizes / sizes.sum(), shares)
    return classes


def _start(views: Sequence[GroupReports], many: int, rng: np.random.Generator) -> Classes:
    """Each attribute's own shares, pushed up or down at random in every class but a single one."""
    shares = {}
    for view in views:
        for place, (name, size) in enumerate(
            zip(view.group.names, view.group.channel.sizes, strict=True)
        ):
            counts = np.bincount(view.codes[:, place], minlength=size).astype(np.float64)
            undone = view.group.channel.marginal([place]).undo(counts[:, None])[:, 0]
            kept = np.maximum(undone, 0.0) + SMOOTHING
            pushed = kept * np.exp(rng.normal(0, PUSH if many > 1 else 0.0, (many, size)))
            shares[name] = pushed / pushed.sum(axis=1, keepdims=True)
    return Classes(np.full(many, 1 / many), shares)


def _explained(classes: Classes, views: Sequence[GroupReports]) -> float:
    """Log-likelihood of other reports."""
    return float(np.logaddexp.reduce(_logs(views, classes), axis=1).sum())


def _logs(views: Sequence[GroupReports], classes: Classes) -> Floats:
    logs = np.repeat(np.log(np.maximum(classes.sizes, TINY))[None], len(views[0].codes), axis=0)
    for view in views:
        logs += np.log(np.maximum(view.chance(classes), TINY))
    return logs
