"""The reported class permuted over the other reports: what chance alone can do, exactly.

A contrast of undone counts is a sum over reports,

    D = Σ_i (w_i(f) − w̄)·(v_i(c) − v̄)    Var D = Σ(w − w̄)²·Σ(v − v̄)² / (n − 1)

w_i and v_i being the signed weights of a report for f and for the class, and Var the exact variance
when the v are permuted. Only how often distinct reports meet each reported class changes. That is
drawn as a table of fixed margins (multivariate hypergeometric), or record by record where few
reports are alike. Many records are put on a ring in random order, and it is turned: turns are a
group, so the level stays exact, and they take half the time.

All arrangements are counted by one product of matrices. Reports are counted, by columns of zeros
and ones (an attribute has a value other than its first; two have such values together), and a
sparse matrix turns these counts into contrasts of the truth.

Sites are strata: each is permuted by itself, and D and Var are added up.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from deniable.base.arrays import Codes, Floats, Mask
from deniable.mine.contrasts import (
    BINARY_SIZE,
    Associations,
    Pair,
    affordable,
    pair_functions,
    statistics,
    value_functions,
)
from deniable.oracle.api import Stratum

DRAWS = 199
LEAST_DRAWS = 49

WORK = 2.5
"""Seconds, about, that all arrangements may take; by the rates below, not by a clock."""

HYPERGEOMETRIC, RING_TURNING, COUNTING, UNDOING = 5e-8, 1e-8, 5e-11, 1.5e-9
"""Seconds for a drawn number, one on a ring, a sum of one cell, a weight of a contrast."""

RING = 100_000
"""Records from which on they are turned on a ring where they would be shuffled."""

MOST_PAIRS = 4000

MOST_PAIR_PATTERNS = 400
"""Joint patterns of a pair beyond which it is left out."""

PERMUTED_AT_ONCE = 1 << 22
"""Numbers that are held at once."""

LARGEST_URN = 10**9
"""Reports, beyond which they are not drawn without replacement."""

SINGLE_PRECISION = 1 << 24
"""Whole numbers up to here, and sums of them, are exact in four bytes."""

NOTHING = 1e-10
"""Relative variance below which a weight is constant."""


def looked_at(
    strata: Sequence[Stratum],
    target: str,
    sizes: dict[str, int],
    rng: np.random.Generator,
    *,
    pairs: bool,
) -> tuple[Associations, int]:
    """Choose pairs, and how often to permute, so that it takes a few seconds at most."""
    used = {name: size for name, size in sizes.items() if size > 1}
    reports = sum(len(stratum.classes) for stratum in strata)
    drawing = sum(
        len(stratum.classes) * (RING_TURNING if _turns(stratum.classes) else HYPERGEOMETRIC)
        for stratum in strata
    )
    classes = max(stratum.classes.shape[1] for stratum in strata)
    all_pairs = [_paired(strata, a, b) for a, b in combinations(used, 2)] if pairs else []
    both = np.array([(used[p.a], used[p.b]) for p in all_pairs], dtype=np.float64).reshape(-1, 2)
    cells = both.prod(axis=1)
    columns = (both - 1).prod(axis=1)
    cost = (classes - 1) * columns * reports * COUNTING
    cost += classes * cells * 2 * (columns + both.sum(axis=1)) * UNDOING * len(strata)
    cost = np.where(cells > MOST_PAIR_PATTERNS, np.inf, cost)
    base = (classes - 1) * (drawing + reports * sum(used.values()) * COUNTING)
    budget = max(0.0, WORK / (LEAST_DRAWS + 1) - base)
    chosen = affordable(used, all_pairs, cost, budget, MOST_PAIRS // len(strata), rng)
    kept = set(chosen.pairs)
    spent = base + sum(c for p, c in zip(all_pairs, cost, strict=True) if p in kept)
    return chosen, int(np.clip(WORK / max(spent, 1e-12) - 1, LEAST_DRAWS, DRAWS))


def certainty(strata: Sequence[Stratum], target: str, sizes: dict[str, int]) -> float:
    """Bound the p-value by what single attributes say, without permuting anything.

    Where reports weigh one of two amounts for a class, as for a public one, D is a difference of
    weights times the sum of w − w̄ over reports drawn without replacement. By Bernstein's
    inequality, which Hoeffding (1963) showed to hold for such draws, such a sum exceeds t in less
    than exp(−t²/(2V + 2Mt/3)) of all permutations, V being the variance of draws with replacement,
    and M the largest |w − w̄|. Times two sides, and all contrasts that were looked at.
    """
    chosen = Associations({name: size for name, size in sizes.items() if size > 1}, ())
    rng = np.random.default_rng(0)  # nothing is drawn
    sites = [_Site.of(stratum, target, chosen, 0, rng) for stratum in strata]
    d = np.abs(np.sum([site.contrasts(0, 1)[:, 0] for site in sites], axis=0))
    drawn = [
        (site, *site.drawn(stratum.classes.sum(axis=0)))
        for site, stratum in zip(sites, strata, strict=True)
    ]
    variance = np.sum([np.outer(site.spread, spread) for site, spread, _, _ in drawn], axis=0)
    reach = np.max([np.outer(site.reach, apart) for site, _, apart, _ in drawn], axis=0)
    below = 2 * variance + 2 / 3 * reach * d
    two = np.all([each for *_, each in drawn], axis=0)
    exponent = np.divide(d**2, below, out=np.zeros_like(d), where=two & (below > 0))
    return float(min(1.0, 2 * exponent.size * np.exp(-exponent.max(initial=0.0))))


def arranged(
    strata: Sequence[Stratum],
    target: str,
    chosen: Associations,
    draws: int,
    rng: np.random.Generator,
) -> Floats:
    """Statistics ``[arrangement, statistic]`` of what happened, then of so many permutations."""
    kinds = chosen.kinds()
    many = strata[0].classes.shape[1]
    sites = [_Site.of(stratum, target, chosen, draws, rng) for stratum in strata]
    variance = np.sum([np.outer(site.spread, site.class_spread) for site in sites], axis=0)
    seen = slice(1, None) if many == BINARY_SIZE else slice(None)
    found = []
    step = max(1, PERMUTED_AT_ONCE // (len(kinds) * many))
    for start in range(0, draws + 1, step):
        stop = min(start + step, draws + 1)
        total = np.sum([site.contrasts(start, stop) for site in sites], axis=0)[:, :, seen]
        below = variance[:, None, seen]
        squares = np.divide(total**2, below, out=np.zeros_like(total), where=below > 0)
        found.append(statistics(squares, kinds))
    return np.concatenate(found)


def _paired(strata: Sequence[Stratum], a: str, b: str) -> Pair:
    return Pair(a, b, all(stratum.group[a] == stratum.group[b] for stratum in strata))


@dataclass(frozen=True, eq=False)
class _Site:
    """One site's contrasts under all arrangements."""

    sums: Floats
    """``[column, arrangement, reported class but the first]``, less what is expected."""

    weights: Any
    """A sparse matrix ``[contrast, column]``."""

    spread: Floats
    """Σ(w − w̄)² of each contrast."""

    reach: Floats
    """Largest |w − w̄| of each contrast."""

    classes: Floats
    """What each reported class but the first weighs for each class, more than the first does."""

    class_spread: Floats
    """Σ(v − v̄)²/(n − 1) of each class."""

    class_weights: Floats
    """``[class, reported class]``."""

    @classmethod
    def of(
        cls,
        stratum: Stratum,
        target: str,
        chosen: Associations,
        draws: int,
        rng: np.random.Generator,
    ) -> "_Site":
        margin = stratum.classes.sum(axis=0)
        n, many = int(margin.sum()), len(margin)
        tables = _arrangements(stratum.classes, draws, rng)
        sums, totals = _counted(stratum, chosen, tables)
        sums -= np.outer(totals, np.tile(margin[1:] / max(n, 1), draws + 1))
        weights, spread, reach = _undone(stratum, chosen, totals, n)
        v = stratum.inverse((target,))
        off = v - v @ margin[:, None] / max(n, 1)
        return cls(
            sums.reshape(len(totals), draws + 1, many - 1),
            weights,
            spread,
            reach,
            (v[:, 1:] - v[:, :1]).T,
            off**2 @ margin / max(n - 1, 1),
            v,
        )

    def drawn(self, margin: Codes) -> tuple[Floats, Floats, Mask]:
        """How many reports are drawn for each class, as a share and weighted; how far one counts.

        And for which classes reports weigh no more than two amounts: others are not drawn so.
        """
        n = int(margin.sum())
        low, high = (each(self.class_weights, axis=1) for each in (np.min, np.max))
        middle = (low + high)[:, np.newaxis] / 2
        above = self.class_weights > middle
        two = np.isclose(self.class_weights, np.where(above, high[:, None], low[:, None])).all(
            axis=1
        )
        many = above @ margin
        share = np.minimum(many, n - many) / max(n, 1)
        apart = high - low
        return apart**2 * share, apart, two

    def contrasts(self, start: int, stop: int) -> Floats:
        """``D[contrast, arrangement, class]`` of some arrangements."""
        part = self.sums[:, start:stop]
        undone: Floats = self.weights @ part.reshape(len(part), -1)
        return undone.reshape(-1, stop - start, part.shape[2]) @ self.classes


def _arrangements(classes: Codes, draws: int, rng: np.random.Generator) -> Codes:
    """Count how often each report has each class but the first, as happened and permuted.

    ``[arrangement · class, report]``
    """
    margin, reports = classes.sum(axis=0), classes.sum(axis=1)
    many = len(margin) - 1
    small = np.min_scalar_type(int(reports.max(initial=0)))
    tables = np.empty((draws + 1, many, len(classes)), dtype=small)
    tables[0] = classes.T[1:]
    if not draws:
        return tables.reshape(-1, len(classes))
    n = int(margin.sum())
    if not _few_alike(classes):
        for table in tables[1:]:
            left = reports
            for value in range(many):
                drawn = rng.multivariate_hypergeometric(left, margin[value + 1], method="marginals")
                table[value] = drawn
                left = left - drawn
        return tables.reshape(-1, len(classes))
    kinds = np.arange(many + 1, dtype=np.min_scalar_type(many))
    records = np.repeat(np.tile(kinds, len(classes)), classes.ravel())
    starts = np.concatenate([[0], np.cumsum(reports)[:-1]])
    if _turns(classes):
        order = rng.permutation(n)
        place, ring = np.empty_like(order), np.tile(records[order], 2)
        place[order] = np.arange(n)
        turns = (ring[turn:][place] for turn in rng.integers(n, size=draws))
    else:
        turns = (rng.permutation(records) for _ in range(draws))
    for table, turned in zip(tables[1:], turns, strict=True):
        for value in range(many):
            has = (turned == value + 1).astype(small)
            table[value] = has if n == len(classes) else np.add.reduceat(has, starts, dtype=small)
    return tables.reshape(-1, len(classes))


def _few_alike(classes: Codes) -> bool:
    """Whether it is quicker to permute records than to draw a number for each report and class."""
    return bool(classes.sum() <= classes.size)


def _turns(classes: Codes) -> bool:
    return _few_alike(classes) and bool(classes.sum() > RING)


def _counted(stratum: Stratum, chosen: Associations, tables: Codes) -> tuple[Floats, Floats]:
    """Sums of each column of zeros and ones: under each arrangement, and over all classes."""
    n = int(stratum.classes.sum())
    exact = np.float32 if n <= SINGLE_PRECISION else np.float64
    width = chosen.starts()[2]
    sums = np.zeros((width, len(tables) + 1))
    reports = len(stratum.classes)
    step = max(1, PERMUTED_AT_ONCE // max(width, len(tables) + 1))
    for start in range(0, reports, step):
        here = slice(start, start + step)
        counts = np.empty((len(tables) + 1, min(step, reports - start)), dtype=exact)
        counts[0] = stratum.classes[here].sum(axis=1)
        counts[1:] = tables[:, here]
        at = 0
        for columns in _columns(stratum, chosen, here, exact):
            sums[at : at + len(columns)] += columns @ counts.T
            at += len(columns)
    return sums[:, 1:], sums[:, 0].copy()


def _columns(
    stratum: Stratum, chosen: Associations, here: slice, exact: type[np.floating[Any]]
) -> Iterator[Any]:
    """Columns of zeros and ones for some reports: of the attributes, then of the pairs."""
    ones = {
        name: (stratum.columns[name][here] == np.arange(1, size)[:, None]).astype(exact)
        for name, size in chosen.sizes.items()
    }
    yield np.concatenate(list(ones.values()))
    held: list[Any] = []
    for pair in chosen.pairs:
        a, b = ones[pair.a], ones[pair.b]
        held.append((a[:, None] * b[None]).reshape(-1, a.shape[1]))
        if sum(map(len, held)) * a.shape[1] > PERMUTED_AT_ONCE:
            yield np.concatenate(held)
            held = []
    if held:
        yield np.concatenate(held)


def _undone(
    stratum: Stratum, chosen: Associations, totals: Floats, n: int
) -> tuple[Any, Floats, Floats]:
    """Weights of the columns in each contrast; its Σ(w − w̄)² and largest |w − w̄| over reports."""
    from scipy.sparse import csr_array

    names, places, width = chosen.starts()
    values, columns, lengths, spreads, reaches = [], [], [], [], []

    def add(weights: Floats, at: Codes, by_report: Floats, counts: Floats) -> None:
        values.append(weights.ravel())
        columns.append(np.tile(at, len(weights)))
        lengths.append(np.full(len(weights), len(at)))
        square = by_report**2 @ counts
        spread = square - (by_report @ counts) ** 2 / max(n, 1)
        spreads.append(np.where(spread > NOTHING * square, spread, 0.0))
        off = np.abs(by_report - (by_report @ counts)[:, None] / max(n, 1))
        reaches.append((off * (counts > 0)).max(axis=1))

    alone = {}
    for name, size in chosen.sizes.items():
        at = names[name] + np.arange(size - 1)
        alone[name] = at, np.concatenate([[n - totals[at].sum()], totals[at]])
        w = value_functions(size) @ stratum.inverse((name,))
        add(w[:, 1:] - w[:, :1], at, w, alone[name][1])
    for pair, place in zip(chosen.pairs, places, strict=True):
        (at_a, counts_a), (at_b, counts_b) = alone[pair.a], alone[pair.b]
        a, b = len(counts_a), len(counts_b)
        at = place + np.arange((a - 1) * (b - 1))
        counts = np.empty((a, b))
        counts[1:, 1:] = totals[at].reshape(a - 1, b - 1)
        counts[1:, 0] = counts_a[1:] - counts[1:, 1:].sum(axis=1)
        counts[0] = counts_b - counts[1:].sum(axis=0)
        w = (pair_functions(a, b) @ stratum.inverse((pair.a, pair.b))).reshape(-1, a, b)
        weights = np.concatenate(
            [
                w[:, 1:, 0] - w[:, :1, 0],
                w[:, 0, 1:] - w[:, 0, :1],
                (w[:, 1:, 1:] - w[:, 1:, :1] - w[:, :1, 1:] + w[:, :1, :1]).reshape(len(w), -1),
            ],
            axis=1,
        )
        reported = w.reshape(len(w), -1), counts.ravel()
        add(weights, np.concatenate([at_a, at_b, at]), *reported)
    ends = np.concatenate([[0], np.cumsum(np.concatenate(lengths))])
    table = csr_array(
        (np.concatenate(values), np.concatenate(columns), ends), shape=(len(ends) - 1, width)
    )
    table.eliminate_zeros()
    return table, np.concatenate(spreads), np.concatenate(reaches)
