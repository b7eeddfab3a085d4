"""Frequent item sets: Apriori (Agrawal & Srikant 1994) over estimated supports.

An item is an attribute with one of its values; an item set names an attribute at most once. Its
support is the share of the records that hold all of it. Level by level, sets of k items are joined
to candidates of k + 1, candidates with a subset that was not kept are pruned, and one question to
the oracle counts the rest.

An estimate is not a count: a subset of a frequent set may fall below the threshold by noise alone,
and would take the whole branch with it. So candidates grow from all sets that may well be frequent
(the *kept* ones), while only those whose own estimate reaches the threshold are reported.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Self

import numpy as np

from deniable.base.arrays import Codes, Floats, Mask
from deniable.base.errors import ModelError
from deniable.expression import Conjunction, Family
from deniable.mine.model import require_same_people
from deniable.mine.rules.apriori import Choice, Items, Sets, WrittenSets, joined
from deniable.mine.rules.result_rows import ResultRows
from deniable.oracle.api import CountOracle, Estimates, Target

BATCH = 1 << 15
"""Candidates counted at once: enough to share the work, few enough to hold."""

DECIMALS = 12
"""Of a share, beyond which there is only rounding."""

Tolerance = float | Literal["derived"]


@dataclass(frozen=True, slots=True)
class Measure:
    """An estimate, its standard error and its interval; none is clipped."""

    value: float
    std_error: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ItemSet:
    """A frequent item set; its support is a share of the records."""

    items: Conjunction
    support: Measure
    significant: bool
    """Whether the support is significantly above the threshold, not only estimated so."""


@dataclass(frozen=True, eq=False)
class ItemSets:
    """Item sets whose estimated support reaches the threshold, and all that were kept on the way.

    Every reported estimate stands for itself: it is unbiased and not made to fit its neighbours, so
    that a set may be reported while a subset, by noise, is not.
    """

    items: Items
    n: int
    of: Target
    support: float
    level: float
    """Of the one-sided tests, and (two-sided) of the intervals."""

    kept: tuple[Sets, ...]
    """By size, from single items up."""

    counts: tuple[Estimates, ...]
    """Of the kept sets."""

    checked: int
    """Candidates that the screen counted."""

    confirmed: int
    """Candidates that the confirming oracle counted."""

    tried: Codes
    """``[size, attribute]``: candidates that the screen counted and that name the attribute."""

    refused: int = 0
    """Candidates whose count an oracle did not release; they are not kept."""

    def __len__(self) -> int:
        return sum(len(rows) for rows in self.frequent)

    @cached_property
    def frequent(self) -> tuple[Codes, ...]:
        """Rows of the kept sets that reach the threshold themselves, by size."""
        return tuple(np.flatnonzero(found.share >= self.support) for found in self.counts)

    def measured(self, counts: Estimates) -> Floats:
        """``[value, std_error, low, high]`` of every count."""
        return np.stack([counts.value, counts.std_error, *counts.interval(self.level)])

    def rows(self) -> "ItemSetRows":
        """The frequent sets, small ones first, among those of one size the most frequent first."""
        return ItemSetRows.of(self)


class ItemSetRows(ResultRows[ItemSet]):
    """Frequent item sets, and what is known of each."""

    def __init__(
        self, written: WrittenSets, measures: Floats, significant: Mask, chosen: Codes
    ) -> None:
        super().__init__(chosen)
        self._written, self._measures, self._significant = written, measures, significant

    @classmethod
    def of(cls, found: ItemSets) -> Self:
        """Take what was found."""
        measures, significant = [np.empty((0, 4))], [np.empty(0, dtype=bool)]
        chosen, start = [np.empty(0, dtype=np.int64)], 0
        for counts, rows in zip(found.counts, found.frequent, strict=True):
            order = np.argsort(-ranked(counts.share[rows]), kind="stable")
            chosen.append(start + rows[order])
            start += len(counts)
            measures.append(found.measured(counts).T / counts.n)
            above = counts.interval(2 * found.level - 1)[0] / counts.n >= found.support
            significant.append(above)
        return cls(
            WrittenSets(found.items, found.kept),
            *(np.concatenate(parts) for parts in (measures, significant, chosen)),
        )

    @property
    def size(self) -> Codes:
        """How many items each set has."""
        return self._written.size[self._chosen]

    @property
    def support(self) -> Floats:
        """Estimated supports."""
        support: Floats = self._measures[self._chosen, 0]
        return support

    def among(self, places: Codes | slice) -> Self:
        """Give some of these sets."""
        rows = self._chosen[places]
        return type(self)(self._written, self._measures, self._significant, rows)

    def _made(self, chosen: Codes) -> Iterator[ItemSet]:
        told = zip(
            self._written.conjunctions(chosen),
            self._measures[chosen].tolist(),
            self._significant[chosen].tolist(),
            strict=True,
        )
        for items, measures, significant in told:
            yield ItemSet(items, Measure(*measures), significant)


def ranked(shares: Floats) -> Floats:
    """Shares to sort by: no last bit decides which of equal ones comes first."""
    return np.round(shares, DECIMALS)


def frequent(
    screen: CountOracle,
    *,
    min_support: float,
    tolerance: Tolerance = "derived",
    confirm: CountOracle | None = None,
    max_len: int | None = None,
    items: Choice = "all",
    of: Target = "sample",
    level: float = 0.95,
) -> ItemSets:
    """Find the item sets whose estimated support is at least ``min_support``.

    It is a share of these respondents or, with ``of="population"``, of whom they stand for.
    Candidates grow from sets with an estimate of at least ``min_support − tolerance``; by default,
    from those that are not significantly below ``min_support``, by a one-sided test at ``level``
    that takes the variance at the threshold. Where counts are exact, both (at tolerance 0) are
    plain Apriori.

    ``confirm``, an oracle that is costly and exact, counts each candidate that passes the screen,
    and its counts decide: no false one remains, and candidates grow from confirmed sets only. A
    set whose count is refused is dropped, with all that contain it.
    """
    _check(min_support, tolerance, max_len, level)
    if confirm is not None:
        screen.schema.require_same_domains(confirm.schema, "The confirming oracle")
        require_same_people(screen, confirm)
    numbered = Items.of(screen.schema, items)
    candidates = Sets.single(numbered)
    kept, counts = list[Sets](), list[Estimates]()
    tried = list[Codes]()
    checked = confirmed = refused = 0
    while len(candidates):
        checked += len(candidates)
        tried.append(numbered.named(candidates.members))
        found = _counted(screen, numbered.family(candidates.members), of)
        refused += _refused(found)
        passed = _most(found, tolerance, level) >= min_support
        if confirm is not None and passed.any():
            confirmed += int(passed.sum())
            candidates = candidates[passed]
            family = numbered.family(candidates.members).recoded(screen.schema, confirm.schema)
            found = _counted(confirm, family, of)
            refused += _refused(found)
            passed = found.share >= min_support
        if not passed.any():
            break
        kept.append(candidates[passed])
        counts.append(_taken(found, passed))
        if len(kept) == max_len:
            break
        candidates = joined(kept[-1], numbered)
    found_by = (numbered, screen.n, of, min_support, level)
    asked = (checked, confirmed, np.array(tried), refused)
    return ItemSets(*found_by, tuple(kept), tuple(counts), *asked)


def _most(found: Estimates, tolerance: Tolerance, level: float) -> Floats:
    """Give the largest support that each set is granted."""
    if tolerance == "derived":
        return found.interval(2 * level - 1)[1] / found.n
    return found.share + tolerance


def _refused(found: Estimates) -> int:
    return int(np.isnan(found.value).sum())


def _counted(oracle: CountOracle, family: Family, of: Target) -> Estimates:
    batches = range(0, len(family), BATCH)
    parts = [Family(family.columns, family.codes[start : start + BATCH]) for start in batches]
    found = [oracle.count(part, of=of) for part in parts]
    arrays = zip(*([e.value, e.variance, e.tilt, e.bend] for e in found), strict=True)
    return Estimates(found[0].n, of, *(np.concatenate(array) for array in arrays))


def _taken(found: Estimates, rows: Mask) -> Estimates:
    arrays = (found.value, found.variance, found.tilt, found.bend)
    return Estimates(found.n, found.of, *(array[rows] for array in arrays))


def _check(min_support: float, tolerance: object, max_len: int | None, level: float) -> None:
    is_share = isinstance(tolerance, int | float) and 0 <= tolerance <= 1
    for fine, wrong, hint in (
        (0 < min_support <= 1, f"min_support = {min_support} is no share",
         "Use one above 0, at most 1."),
        (is_share or tolerance == "derived", f"tolerance = {tolerance!r} is no share",
         "Use one from 0 to 1, or 'derived'."),
        (max_len is None or max_len > 0, f"max_len = {max_len} leaves no set", "Use 1 or more."),
        (1 / 2 < level < 1, f"level = {level} is no one-sided level", "Use one such as 0.95."),
    ):  # fmt: skip
        if not fine:
            raise ModelError(f"{wrong}.", hint=hint)
