"""Association rules: who holds the premise often holds the conclusion too.

    support     N(A ∧ B) / n                  confidence  N(A ∧ B) / N(A)
    lift        N(A ∧ B) · n / (N(A) · N(B))

Confidence and lift are ratios of estimates whose errors go together. Their standard errors are by
the delta method, with the covariance that the oracle gives; their intervals are Fieller's:
the ratios c that the data do not contradict, (N̂(A∧B) − c·N̂(A))² ≤ z²·Var(N̂(A∧B) − c·N̂(A)), on
the assumption that this difference is about normal. Such an interval is unbounded where the premise
may well be held by nobody. What an oracle without totals leaves open of the covariance is in
`deniable.mine.rules.count_errors`.

Rules whose lift chance alone explains are counted, and left out unless they are asked for
(`deniable.mine.rules.lift_evidence`).
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import inf

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.base.errors import ModelError
from deniable.mine.rules.apriori import Choice, Items, WrittenSets
from deniable.mine.rules.conclusions import Concluded, Conclusions
from deniable.mine.rules.count_errors import rule_covariances
from deniable.mine.rules.item_sets import ItemSets, Tolerance, frequent, ranked
from deniable.mine.rules.lift_evidence import (
    MAX_FALSE,
    benjamini_yekutieli,
    lift_p_values,
    shares_by_size,
)
from deniable.mine.rules.rule_set import RuleRows, RuleSet
from deniable.oracle.api import CountOracle, Target, standard_errors

MOST_RULES = 1 << 20
"""More are not a result that anybody reads."""

Moments = tuple[Floats, Floats, Floats]
"""Variance of the upper count, covariance, variance of the lower one."""


def mine_rules(
    oracle: CountOracle,
    *,
    min_support: float,
    min_confidence: float,
    min_lift: float = 0.0,
    target: str | None = None,
    conclusions: Conclusions = "any",
    max_false: float = MAX_FALSE,
    tolerance: Tolerance = "derived",
    confirm: CountOracle | None = None,
    max_len: int | None = None,
    items: Choice = "all",
    of: Target = "sample",
    level: float = 0.95,
) -> RuleSet:
    """Find frequent item sets, and the rules in them: see `frequent` and `rules`."""
    _check(min_confidence, min_lift, max_false)
    Concluded.of(Items.of(oracle.schema, items), conclusions, target)  # before anything is counted
    found = frequent(
        oracle,
        min_support=min_support,
        tolerance=tolerance,
        confirm=confirm,
        max_len=max_len,
        items=items,
        of=of,
        level=level,
    )
    return rules(
        found,
        oracle if confirm is None else confirm,
        min_confidence=min_confidence,
        min_lift=min_lift,
        target=target,
        conclusions=conclusions,
        max_false=max_false,
    )


def rules(
    itemsets: ItemSets,
    oracle: CountOracle,
    *,
    min_confidence: float,
    min_lift: float = 0.0,
    target: str | None = None,
    conclusions: Conclusions = "any",
    max_false: float = MAX_FALSE,
) -> RuleSet:
    """Split each frequent item set into premise and conclusion; keep what reaches the thresholds.

    Nothing is counted again: every part of a frequent set was kept. ``oracle``, the one that the
    sets were counted by, only adds how the errors of the parts go together. With ``target``, the
    conclusion is a value of that attribute; ``conclusions="single"`` allows one item of any, and a
    list (``["ill", "smokes=yes"]``, perhaps with ``"single"`` in it) only these items, or values of
    these attributes. A rule of which a part has no positive estimate has no confidence or lift, and
    is left out.

    Of the rules that reach the thresholds, those are kept whose lift is not 1 beyond chance: all
    but a share `max_false` of them, in expectation. The others are counted (`RuleSet.unproven`);
    ``max_false=1`` keeps all.
    """
    _check(min_confidence, min_lift, max_false)
    concluded = Concluded.of(itemsets.items, conclusions, target)
    kept = _Kept(itemsets)
    found, many = [np.empty((0, 3), dtype=np.int64)], 0
    for split in _splits(kept, concluded):
        ratios = kept.ratios(split)
        found.append(split[(ratios[0] >= min_confidence) & (ratios[1] >= min_lift)])
        many += len(found[-1])
        if many > MOST_RULES:
            raise ModelError(
                f"There are more than {MOST_RULES:,} rules.",
                hint="Raise min_support, min_confidence or min_lift, or name a target.",
            )
    tried = concluded.tried(itemsets)
    described, p_values = _described(kept, oracle, np.concatenate(found), tried)
    proven = described.among(np.flatnonzero(p_values <= max_false))
    return RuleSet(
        itemsets.items.schema,
        n=itemsets.n,
        of=itemsets.of,
        support=itemsets.support,
        confidence=min_confidence,
        lift=min_lift,
        level=itemsets.level,
        checked=itemsets.checked,
        confirmed=itemsets.confirmed,
        rules=proven,
        max_false=max_false,
        tried=int(tried.sum()),
        unproven=len(described) - len(proven),
    )


class _Kept:
    """All kept sets under one numbering, small ones first. A rule is the row (A ∧ B, A, B)."""

    def __init__(self, itemsets: ItemSets) -> None:
        self.itemsets = itemsets
        self.written = WrittenSets(itemsets.items, itemsets.kept)
        self.start = np.cumsum([0, *(len(sets) for sets in itemsets.kept)])
        self.counts = np.concatenate(
            [np.empty((4, 0)), *map(itemsets.measured, itemsets.counts)], 1
        )
        """``[value, std_error, low, high]`` of every set."""

    def ratios(self, rows: Codes) -> tuple[Floats, Floats]:
        """Give confidence and lift; not a number where a part is estimated to be empty."""
        parts = self.counts[0][rows]
        parts[(parts <= 0).any(axis=1)] = np.nan
        both, premise, conclusion = parts.T
        return both / premise, both * self.itemsets.n / (premise * conclusion)


def _splits(kept: _Kept, concluded: Concluded) -> Iterator[Codes]:
    """Split the frequent sets into premise and conclusion: those of one size at the same places."""
    for size, rows in enumerate(kept.itemsets.frequent, start=1):
        members = kept.itemsets.kept[size - 1].members[rows]
        for many in range(1, concluded.most(members) + 1):
            for places in combinations(range(size), many):
                some = rows[concluded.allowed[members[:, places]].all(axis=1)]
                others = [place for place in range(size) if place not in places]
                parts = [range(size), others, places]
                yield np.column_stack([_subset(kept, some, size, part) for part in parts])


def _subset(kept: _Kept, rows: Codes, size: int, places: Sequence[int]) -> Codes:
    """Number the parts of some sets of one size, by dropping all other items, the last first."""
    for place in reversed(range(size)):
        if place not in places:
            rows = kept.itemsets.kept[size - 1].facets[rows, place]
            size -= 1
    numbers: Codes = kept.start[size - 1] + rows
    return numbers


def _described(
    kept: _Kept, oracle: CountOracle, rows: Codes, tried: Codes
) -> tuple[RuleRows, Floats]:
    """Give each rule its errors, intervals and p-value, by falling confidence, then support."""
    n, of = kept.itemsets.n, kept.itemsets.of
    support, confidence = kept.counts[0, rows[:, 0]] / n, kept.ratios(rows)[0]
    rows = rows[np.lexsort([-ranked(support), -ranked(confidence)])]
    both, premise, conclusion = kept.counts[0][rows].T
    covariance = rule_covariances(oracle, rows, kept.written.conjunction, kept.counts[:2], of)
    moments = covariance[:, 0, 0], covariance[:, 0, 1], covariance[:, 1, 1]
    z2 = standard_errors(kept.itemsets.level) ** 2
    of_confidence = _ratio(both, premise, _at_confidence(both, premise, moments, n, of), z2)
    # The product of two counts errs by each one's error times the other count.
    slope = np.stack([np.zeros(len(rows)), conclusion, premise], axis=1) / n
    shared = np.einsum("ri,ri->r", covariance[:, 0], slope)
    own = np.einsum("ri,rij,rj->r", slope, covariance, slope)
    of_lift = _ratio(both, premise * conclusion / n, (moments[0], shared, own), z2)
    measures = np.stack([kept.counts[:, rows[:, 0]] / n, of_confidence, of_lift])
    p_values = _p_values(kept, rows, _by_disguise(kept.counts[0][rows], covariance, n, of), tried)
    figures, every = measures.transpose(2, 0, 1), np.arange(len(rows))
    return RuleRows(kept.written, rows[:, 1:], figures, p_values, every), p_values


def _p_values(kept: _Kept, rows: Codes, disguise: Floats, tried: Codes) -> Floats:
    """Adjust the p-values of lift for all that were tried; both directions are one test."""
    sides = np.sort(rows[:, 1:], axis=1)
    _, first, place = np.unique(sides, axis=0, return_index=True, return_inverse=True)
    own = lift_p_values(kept.counts[0][rows[first]], disguise[first], kept.itemsets.n)
    size = np.searchsorted(kept.start, rows[first, 0], side="right")
    adjusted = benjamini_yekutieli(own, shares_by_size(tried)[size], int(tried.sum()))
    return adjusted[place.ravel()]


def _by_disguise(counts: Floats, covariance: Floats, n: int, of: Target) -> Floats:
    """Take sampling out of the covariances of the counts: the disguise is left."""
    if of == "sample":
        return covariance
    both = counts[:, :1, None]
    shared = np.broadcast_to(both, covariance.shape).copy()
    shared[:, [1, 2], [1, 2]] = counts[:, 1:]
    sampled: Floats = shared - counts[:, :, None] * counts[:, None, :] / n
    return covariance - sampled


def _at_confidence(both: Floats, premise: Floats, moments: Moments, n: int, of: Target) -> Moments:
    """Take the sampling part of Var(N̂(A∧B) − c·N̂(A)) at the confidence c in question.

    That part is N(A)·c·(1 − c) if the confidence is c. At the estimated c nothing changes; and
    where nothing is disguised the interval becomes Wilson's, which does not collapse at 0 and 1.
    """
    if of == "sample":
        return moments
    top, shared, bottom = moments
    return (
        top + both**2 / n - both,
        shared + both * premise / n - both - premise / 2,
        bottom + premise**2 / n - 2 * premise,
    )


def _ratio(top: Floats, bottom: Floats, moments: Moments, z2: float) -> Floats:
    """``[value, std_error, low, high]`` of a ratio, by the delta method and by Fieller.

    The moments are variance, covariance and variance of top and bottom. Written around the value,
    so that exact counts give exact bounds.
    """
    value = top / bottom
    above, shared, below = moments
    variance = np.maximum(above - 2 * value * shared + value**2 * below, 0.0)
    lead = bottom**2 - z2 * below
    root = np.sqrt(np.maximum(z2 * bottom**2 * variance + z2**2 * (shared**2 - above * below), 0.0))
    middle = z2 * (value * below - shared)
    bounded = lead > 0
    lead = np.where(bounded, lead, 1.0)
    low = np.where(bounded, value + (middle - root) / lead, -inf)
    high = np.where(bounded, value + (middle + root) / lead, inf)
    return np.stack([value, np.sqrt(variance) / bottom, low, high])


def _check(min_confidence: float, min_lift: float, max_false: float) -> None:
    if not 0 <= min_confidence <= 1:
        raise ModelError(
            f"min_confidence = {min_confidence} is no share.", hint="Use one from 0 to 1."
        )
    if not 0 <= min_lift < inf:
        raise ModelError(
            f"min_lift = {min_lift} is no threshold.", hint="Use 0 for any, 1 for a gain."
        )
    if not 0 < max_false <= 1:
        raise ModelError(
            f"max_false = {max_false} is no share of rules.",
            hint="Use one above 0, such as 0.05; 1 keeps what chance explains, too.",
        )
