"""Chance where reports cannot be permuted: by the known noise of the counts.

*Simulated*: where the class shares a random device with features, reports are drawn as if nothing
predicted the class (`deniable.mine.drawn_reports`). Of a device with too many joint patterns for
that, totals of functions of the record have a known covariance matrix, and what noise alone does to
all contrasts together is drawn from a normal distribution with that covariance.

*Bound*: where counts are all there is, each contrast has a standard error of its own, and the
p-values are adjusted for how many were tried (Holm; half of the level is for the attributes, half
for the pairs). The covariances within a contrast are known from counts of two classes; for more,
and for the class's own share, standard errors are added as if they always went together, so that
the bound is one.

Neither holds where few people are expected: a cell that nobody reported shows no variance at all.
There nothing is told.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from math import comb, prod, sqrt
from typing import Protocol

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.base.errors import EstimateError
from deniable.expression import ANY, Family
from deniable.mine.contrasts import (
    BINARY_SIZE,
    Associations,
    Pair,
    affordable,
    p_value,
    pair_functions,
    statistics,
    value_functions,
)
from deniable.mine.drawn_reports import LARGEST_DEVICE, SIMULATED, chosen_functions, redrawn
from deniable.oracle.api import CountOracle, Permutable, TotalOracle


class Simulable(TotalOracle, Permutable, Protocol):
    """What it takes."""


LEAST_EXPECTED = 25.0
"""People in a cell, if nothing predicts the class, from which on its count is about normal."""

MOST_CONTRASTS = 400
"""Whose covariance matrix is asked for at once."""

MOST_COUNTED = 20_000
"""Patterns of pairs that are counted for a bound."""

EXACT_VARIANCE = 1e-9
"""Relative variance below which a contrast says nothing."""


def simulated(
    oracle: Simulable,
    target: str,
    sizes: dict[str, int],
    rng: np.random.Generator,
    *,
    pairs: bool,
) -> tuple[float, Associations]:
    """Test features that share the class's device: the p-value, and what was looked at."""
    used = {name: size for name, size in sizes.items() if size > 1}
    each = [Pair(a, b, True) for a, b in combinations(used, 2)] if pairs else []
    cost = [len(pair_functions(used[p.a], used[p.b])) for p in each]
    many = oracle.schema[target].size
    tested = 1 if many == BINARY_SIZE else many
    own = sum(len(value_functions(size)) for size in used.values())
    budget = MOST_CONTRASTS / tested - own
    chosen = affordable(used, each, cost, budget, len(each), rng)
    if prod(used.values()) * many <= LARGEST_DEVICE:
        return redrawn(oracle.strata(target, tuple(used)), target, used, chosen, rng), chosen
    try:
        return _simulated(oracle, target, chosen, rng), chosen
    except EstimateError:  # too many joint patterns of all of them: one by one
        if len(used) == 1:
            raise
        alone = [_simulated(oracle, target, _only(name, used), rng) for name in used]
        none = replace(chosen, pairs=(), left_out=len(each))
        return min(1.0, len(alone) * min(alone)), none


def _only(name: str, sizes: dict[str, int]) -> Associations:
    return Associations({name: sizes[name]}, ())


def _simulated(
    oracle: TotalOracle, target: str, chosen: Associations, rng: np.random.Generator
) -> float:
    names = tuple(chosen.sizes)
    columns = (*names, target)
    many, n = oracle.schema[target].size, oracle.n
    classes = np.arange(1 if many == BINARY_SIZE else 0, many)

    def both(codes: Codes) -> Floats:
        functions = chosen_functions(chosen, names, codes).T
        return np.concatenate([functions, codes[:, -1:] == classes], axis=1)

    share = oracle.total(columns, both, of="population").value / n
    ours, theirs = share[: -len(classes)], share[-len(classes) :]

    def contrasts(codes: Codes) -> Floats:
        f = chosen_functions(chosen, names, codes).T - ours
        c = (codes[:, -1:] == classes) - theirs
        product: Floats = (f[:, :, None] * c[:, None]).reshape(len(codes), -1)
        return product

    found = oracle.total(columns, contrasts, of="population")
    # If nothing predicts the class their mean is 0: the variance is about that.
    covariance = found.covariance + np.outer(found.value, found.value) / n
    variance = np.diagonal(covariance)
    rare = np.outer(_rarest(chosen, ours), np.minimum(theirs, 1 - theirs)).ravel()
    heard = (variance > EXACT_VARIANCE * variance.max(initial=0.0)) & (n * rare >= LEAST_EXPECTED)
    if not heard.any():
        return 1.0
    scale = np.where(heard, 1 / np.sqrt(np.where(heard, variance, 1.0)), 0.0)
    values, vectors = np.linalg.eigh(covariance * np.outer(scale, scale))
    normal = rng.standard_normal((SIMULATED, len(scale)))
    noise = (normal * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
    z = np.concatenate([(found.value * scale)[None], noise])
    squares = np.square(z).T.reshape(-1, len(classes), len(z)).swapaxes(1, 2)
    return p_value(statistics(squares, chosen.kinds()))


def _rarest(chosen: Associations, shares: Floats) -> Floats:
    """Share of the rarer side of each function; of a product, of the pair's rarest pattern."""
    found, start = [], 0
    for size in chosen.sizes.values():
        own = shares[start : start + len(value_functions(size))]
        found.append(np.minimum(own, 1 - own))
        start += len(own)
    for pair in chosen.pairs:
        cells = chosen.sizes[pair.a] * chosen.sizes[pair.b]
        products = len(pair_functions(chosen.sizes[pair.a], chosen.sizes[pair.b])) - cells
        own = shares[start : start + cells]
        found += [np.minimum(own, 1 - own), np.full(products, own.min())]
        start += cells + products
    return np.concatenate(found)


def bounded(
    oracle: CountOracle,
    target: str,
    sizes: dict[str, int],
    rng: np.random.Generator,
    *,
    pairs: bool,
) -> tuple[float | None, Associations]:
    """Bound the p-value from counts; None where all of them were refused."""
    used = {name: size for name, size in sizes.items() if size > 1}
    each = [Pair(a, b, False) for a, b in combinations(used, 2)] if pairs else []
    cost = [used[p.a] * used[p.b] for p in each]
    chosen = affordable(used, each, cost, MOST_COUNTED, len(each), rng)
    chosen = replace(chosen, left_out=comb(len(used), 2) - len(chosen.pairs))
    single = _tails(oracle, target, [(name,) for name in used])
    joint = _tails(oracle, target, [(p.a, p.b) for p in chosen.pairs])
    steps = [len(tails) * float(tails.min()) for tails in (single, joint) if len(tails)]
    return (min(1.0, len(steps) * min(steps)) if steps else None), chosen


def _tails(oracle: CountOracle, target: str, sets: Sequence[tuple[str, ...]]) -> Floats:
    """Two-sided tails of the contrasts of all patterns of some attributes."""
    from scipy.special import ndtr

    if not sets:
        return np.zeros(0)
    n, many = oracle.n, oracle.schema[target].size
    family = _patterns(oracle, target, sets)
    everyone = np.full((many, len(family.columns)), ANY, dtype=np.int64)
    everyone[:, 0] = np.arange(many)
    asked = Family(family.columns, np.concatenate([everyone, family.codes]))
    counts = oracle.count(asked, of="population")
    of_class, class_error = counts.value[:many], counts.std_error[:many]
    rows = counts.value[many:].reshape(-1, many + 1)
    errors = counts.std_error[many:].reshape(-1, many + 1)
    p = of_class / n
    share = rows[:, -1:] / n
    d = rows[:, :-1] - rows[:, -1:] * p
    error = errors[:, :-1] + np.abs(p) * errors[:, -1:]
    if many == BINARY_SIZE:
        here, other = errors[:, 0], errors[:, 1]
        shared = (errors[:, 2] ** 2 - here**2 - other**2) / 2
        square = (p[1] * here) ** 2 + (p[0] * other) ** 2 - 2 * p[0] * p[1] * shared
        error = np.sqrt(np.maximum(square, 0.0))[:, None].repeat(many, axis=1)
    error = error + np.abs(share) * class_error
    # Few records show their own variance badly: no less than sampling alone, if independent.
    possible = np.clip(share, 0, 1) * np.clip(1 - share, 0, 1) * np.clip(p * (1 - p), 0, 1)
    error = np.maximum(error, np.sqrt(n * possible))
    rarer = np.minimum(np.minimum(share, 1 - share), 1.0) * np.minimum(p, 1 - p)
    if many == BINARY_SIZE:  # both classes say the same
        d, error, rarer = d[:, 1:], error[:, 1:], rarer[:, 1:]
    known = np.isfinite(d) & np.isfinite(error) & (error > EXACT_VARIANCE * sqrt(n))
    tails: Floats = 2 * ndtr(-np.abs(d[known] / error[known]))
    return np.where(n * rarer[known] >= LEAST_EXPECTED, tails, 1.0)


def _patterns(oracle: CountOracle, target: str, sets: Sequence[tuple[str, ...]]) -> Family:
    """Each pattern of each set with each class, then with any."""
    columns = (target, *dict.fromkeys(name for names in sets for name in names))
    classes = np.array([*range(oracle.schema[target].size), ANY])
    rows = []
    for names in sets:
        cells = Family.table(names, oracle.schema).codes
        codes = np.full((len(cells), len(classes), len(columns)), ANY, dtype=np.int64)
        codes[:, :, 0] = classes
        codes[:, :, [columns.index(name) for name in names]] = cells[:, None]
        rows.append(codes.reshape(-1, len(columns)))
    return Family(columns, np.concatenate(rows))
