"""The population as a collector can estimate it: from the reports and the design alone.

An attacker needs shares of whole patterns, where an unbiased estimate is mostly noise (with eight
groups at θ = .6 its standard error is thousands of times the shares). So the attacker climbs the
likelihood by EM from the product of the attributes' shares, and stops where *other* reports are
explained best: halves of the reports judge each other. It goes up in two ways, freely and within
the tables that have no more structure than their pairs of attributes (EM with a cycle of iterative
proportional fitting), and believes the average of the two ends. These shares are biased on purpose:
they are for guessing, not for estimates. (docs/decisions/0015 has what else was tried.)
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import combinations, islice
from math import comb, prod

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.base.errors import DataError
from deniable.channel.channel import patterns
from deniable.design import Design, Group
from deniable.engine.memory.records import Records
from deniable.privacy.measures.joint_groups import JointGroups, public_groups, through
from deniable.privacy.measures.pattern_numbers import attribute_sizes, counted, pattern_count
from deniable.privacy.population import Population, PopulationBlock

MOST_GUESSED_CELLS = 1 << 15
"""Joint patterns that are weighed one by one."""

CHECKPOINTS = (1, 3, 10, 30, 100, 300)
"""Steps after which the way up is looked at."""

LAST_FREE = (0, 3, 10, 30)
"""Free steps after the pairs are fitted."""

FREE_WORK = 100_000_000
"""Cells times groups times steps that climbing freely may cost."""

PAIR_WORK = 30_000_000
"""Cells times pairs times cycles that fitting in pairs may cost: about a second."""

FEWEST_PAIR_CYCLES, MOST_PAIR_CYCLES = 5, 300

LEAST_SHARE = 0.01
"""Of the even share: no value is ruled out by noise before the likelihood is asked."""

SEED = 0
"""Of the halves, and of where EM begins; the attacker's own coin, which hides nothing."""


def estimated_population(reports: Records, design: Design) -> Population:
    """Estimate shares of joint patterns from the reports themselves.

    Attributes that are too many to weigh together are taken as independent of each other. The
    shares are regularized, for guessing: a reader who believes them expects to be right as often as
    they say, and is not, quite.
    """
    reports = reports.select(design.schema)
    blocks = []
    for groups in _divided(design):
        if pattern_count(groups) > MOST_GUESSED_CELLS:
            raise DataError(
                "A group has too many patterns to estimate their shares.",
                hint="Give records as they are, or shares, as the population.",
            )
        part = estimated_groups(groups, counted(reports, groups))
        names = tuple(name for group in groups for name in group.names)
        sizes = attribute_sizes(groups)
        blocks.append(PopulationBlock(names, patterns(sizes), part.table.ravel()))
    single = [a for a in design.schema if a.size == 1 and a.name in design.public]
    blocks += [PopulationBlock((a.name,), patterns((1,)), np.ones(1)) for a in single]
    return Population(design.schema, tuple(blocks), "reports", len(reports))


def estimated_groups(groups: Sequence[Group], counts: Codes) -> JointGroups:
    """Estimate shares of true patterns from counts of reports, an axis per group."""
    halves = _halves(counts)
    ways = [_freely, _in_pairs] if _cycles(groups) >= FEWEST_PAIR_CYCLES else [_freely]
    ends = []
    for way in ways:
        judged = [
            [_explained(shares, groups, other) for shares in way(groups, one)]
            for one, other in (halves, halves[::-1])
        ]
        best = int(np.argmax(np.sum(judged, axis=0)))
        ends.append(next(islice(way(groups, counts.astype(np.float64)), best, None)))
    # One more step keeps what is public, and so not disguised, exactly as it was reported.
    shares = _climbed(np.mean(ends, axis=0), groups, counts.astype(np.float64))
    return JointGroups(tuple(groups), shares)


def _divided(design: Design) -> list[tuple[Group, ...]]:
    """What is weighed together: everything, else as many groups as fit, in order."""
    found: list[tuple[Group, ...]] = []
    for group in (*design.groups, *public_groups(design)):
        if found and pattern_count((*found[-1], group)) <= MOST_GUESSED_CELLS:
            found[-1] = (*found[-1], group)
        else:
            found.append((group,))
    return found


def _halves(counts: Codes) -> tuple[Floats, Floats]:
    one = np.random.default_rng(SEED).binomial(counts, 0.5)
    return one.astype(np.float64), (counts - one).astype(np.float64)


def _explained(shares: Floats, groups: Sequence[Group], reports: Floats) -> float:
    """Log-likelihood of reports; a little of it evenly, so that one surprise is not the end."""
    expected = 0.99 * through(shares, groups) + 0.01 / shares.size
    return float((reports * np.log(expected)).sum())


def _freely(groups: Sequence[Group], counts: Floats) -> Iterator[Floats]:
    """Tables on the way to the maximum of the likelihood, the first one independent."""
    shares = _product_of_shares(groups, counts)
    yield shares
    for step in range(1, min(CHECKPOINTS[-1], FREE_WORK // (shares.size * len(groups))) + 1):
        shares = _climbed(shares, groups, counts)
        if step in CHECKPOINTS:
            yield shares


def _in_pairs(groups: Sequence[Group], counts: Floats) -> Iterator[Floats]:
    """Tables without more structure than pairs, ever better ones; then some freely from there."""
    shares = _product_of_shares(groups, counts)
    yield shares
    sizes = attribute_sizes(groups)
    for cycle in range(1, _cycles(groups) + 1):
        aim = _climbed(shares, groups, counts)
        shares = _fitted_in_pairs(shares.reshape(sizes), aim.reshape(sizes)).reshape(aim.shape)
        if cycle in CHECKPOINTS:
            yield shares
    for step in range(LAST_FREE[-1] + 1):
        if step in LAST_FREE:
            yield shares
        shares = _climbed(shares, groups, counts)


def _cycles(groups: Sequence[Group]) -> int:
    """How many cycles over all pairs of attributes are worth their time; 0 for a single pair."""
    sizes = attribute_sizes(groups)
    pairs = comb(len(sizes), 2)
    return 0 if pairs <= 1 else min(PAIR_WORK // (prod(sizes) * pairs), MOST_PAIR_CYCLES)


def _climbed(shares: Floats, groups: Sequence[Group], counts: Floats) -> Floats:
    """One step of EM: give each report to the truths in proportion to their posterior."""
    if not counts.any():
        return shares
    expected = through(shares, groups)
    ratio = np.divide(counts, expected, out=np.zeros_like(counts), where=expected > 0)
    better = shares * through(ratio, groups, transposed=True)
    climbed: Floats = better / better.sum()
    return climbed


def _fitted_in_pairs(shares: Floats, aim: Floats) -> Floats:
    """One cycle of iterative proportional fitting to the aim's pairs of attributes."""
    for pair in combinations(range(shares.ndim), 2):
        others = tuple(axis for axis in range(shares.ndim) if axis not in pair)
        here, there = (t.sum(axis=others, keepdims=True) for t in (shares, aim))
        shares = shares * np.divide(there, here, out=np.zeros_like(there), where=here > 0)
    fitted: Floats = shares / shares.sum()
    return fitted


def _product_of_shares(groups: Sequence[Group], counts: Floats) -> Floats:
    """Take the attributes for independent, with the shares that each reports on its own."""
    tables = []
    for axis, group in enumerate(groups):
        others = tuple(other for other in range(counts.ndim) if other != axis)
        reported = counts.sum(axis=others)
        codes = patterns(group.channel.sizes)
        shares = []
        for place, size in enumerate(group.channel.sizes):
            marginal = np.bincount(codes[:, place], reported, minlength=size)
            undone = group.channel.marginal([place]).undo(marginal[:, None].astype(np.float64))
            kept = np.maximum(undone[:, 0] / max(counts.sum(), 1.0), LEAST_SHARE / size)
            shares.append(kept / kept.sum())
        tables.append(reduce(np.multiply.outer, shares).ravel())
    product: Floats = np.asarray(reduce(np.multiply.outer, tables))
    return product
