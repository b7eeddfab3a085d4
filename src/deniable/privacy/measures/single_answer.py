"""One answer, read on its own: what its report says about it.

An *entry* is one attribute of one person, seen through its marginal channel ``C[report, truth]``
by a reader who knows the channel and the shares ``prior`` of the truths, and nothing else. Whoever
reads the whole report may learn more: see `deniable.privacy.measures.joint_groups`. Every figure
about guesses, there and here, comes from `best_guess`, `posterior` and `pse`.

Who answers k times, each time disguised anew, gives a reader k independent reports of one truth:
the disguise averages away. ε adds up to k·ε; what the best guess gains is computed over all
multisets of reports. One coin per person, survey and group, kept, is the remedy.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise
from math import comb, exp, fsum, inf, log

import numpy as np
from numpy.typing import ArrayLike

from deniable.base.arrays import Floats
from deniable.channel import Channel
from deniable.design import Group

MOST_EPSILON = 700.0
"""e to this is about the largest number there is."""

MOST_REPEAT_WORK = 200_000
"""Multisets of reports, times truths."""


def epsilon(channel: Channel) -> float:
    """Local differential privacy: ``ln max C(r|x)/C(r|x')`` over all reports and pairs of truths.

    It assumes nothing about the reader, and holds for one report. Infinite where a report excludes
    a truth.
    """
    return log(channel.ratio())


def total_epsilon(epsilons: Iterable[float]) -> float:
    """ε of several reports about one person, each disguised by itself: they add up."""
    return fsum(epsilons)


def gamma(epsilon: float) -> float:
    """e^ε: how many times likelier a report can be under one truth than under another."""
    return exp(epsilon) if epsilon < MOST_EPSILON else inf


def json_number(number: float) -> float | str:
    """Write ε, or what grows with it, for JSON, which has no infinity."""
    return "inf" if number == inf else number


def entry(group: Group, name: str) -> Channel:
    """The channel of one attribute alone."""
    return group.channel.marginal([group.names.index(name)])


def entry_matrix(group: Group, name: str) -> Floats:
    """The same as a matrix, ``[report, truth]``."""
    return entry(group, name).matrix([0])


def tells_all(group: Group) -> bool:
    """Whether every report of every attribute can come from one truth only."""
    return all(((entry_matrix(group, name) > 0).sum(axis=1) <= 1).all() for name in group.names)


def best_guess(joint: ArrayLike, truths: int | tuple[int, ...] = 0) -> float:
    """Bayes vulnerability: how often a guess at the likeliest truth is right.

    ``joint`` is the chance of each truth (along the axes ``truths``) with whatever is seen beside;
    shares alone are what a reader knows before any report.
    """
    return float(np.max(joint, axis=truths).sum())


def posterior(joint: Floats, seen: Floats, otherwise: ArrayLike = 0.0) -> Floats:
    """``P(truth | what is seen)``; `otherwise` where that is never seen."""
    unseen = np.broadcast_to(np.asarray(otherwise, dtype=np.float64), joint.shape).copy()
    found: Floats = np.divide(joint, seen, out=unseen, where=seen > 0)
    return found


def pse(joint: Floats, after: Floats) -> float:
    """How often a guess *in proportion to the posterior* is wrong, from that of each truth."""
    return float((joint * (1 - after)).sum())


def guess_after(matrix: ArrayLike, prior: ArrayLike) -> float:
    """The same after the report: ``Σ_r max_x π(x)·C(r|x)``.

    Shares are by value, and then by whatever the reader knows already.
    """
    shares = np.asarray(prior, dtype=np.float64)
    shares = shares.reshape(len(shares), -1)
    return float(sum(best_guess(row[:, None] * shares) for row in np.asarray(matrix)))


def guess_if_even(group: Group, name: str) -> float:
    """The same for one attribute, if all its values are equally common."""
    matrix = entry_matrix(group, name)
    return guess_after(matrix, np.full(len(matrix), 1 / len(matrix)))


def pse_before_mining(matrix: ArrayLike, prior: ArrayLike) -> float:
    """Give the papers' PSE(PRE): ``Σ_o Σ_r π(o)·C(r|o)·(1 − P(o|r))``.

    The chance that a reader who guesses *in proportion to the posterior* is wrong. The best guess
    is wrong less often: 1 − `guess_after` ≤ PSE(PRE). Derived from the channel; the expansion that
    Zhan & Matwin (2007, §4.1) print has (1−θ)(1−W_y) where Pr(R=1|O=0) is (1−θ)·W_y, and agrees at
    W_y = ½ only.

    >>> pse_before_mining([[0.8, 0.2], [0.2, 0.8]], [0.5, 0.5])
    0.32
    """
    return pse(np.asarray(matrix) * np.asarray(prior), posteriors(matrix, prior))


def posteriors(matrix: ArrayLike, prior: ArrayLike) -> Floats:
    """``P(truth | report)``, a row per report; rows of reports that nobody gives are the prior."""
    joint = np.asarray(matrix, dtype=np.float64) * np.asarray(prior, dtype=np.float64)
    return posterior(joint, joint.sum(axis=1, keepdims=True), prior)


def guess_after_repeats(matrix: ArrayLike, prior: ArrayLike, times: int) -> float | None:
    """Chance that the best guess is right after so many independent reports of one entry.

    None where there are too many different multisets of reports to weigh.

    >>> warner = [[0.8, 0.2], [0.2, 0.8]]
    >>> [round(guess_after_repeats(warner, [0.5, 0.5], times), 3) for times in (1, 3, 9)]
    [0.8, 0.896, 0.98]
    """
    from scipy.special import gammaln  # slow to load, and only needed here

    C = np.asarray(matrix, dtype=np.float64)
    shares = np.asarray(prior, dtype=np.float64)
    if times == 1:
        return guess_after(C, shares)
    if comb(times + len(C) - 1, len(C) - 1) * len(C) > MOST_REPEAT_WORK:
        return None
    counts = np.array(list(_multisets(times, len(C))), dtype=np.float64)
    orders = gammaln(times + 1) - gammaln(counts + 1).sum(axis=1)
    excluded = counts @ (C == 0) > 0
    powers = counts @ np.log(np.where(C == 0, 1.0, C))
    likely: Floats = np.where(excluded, 0.0, np.exp(orders[:, None] + powers) * shares)
    return best_guess(likely, 1)


def _multisets(times: int, reports: int) -> Iterator[tuple[int, ...]]:
    """Every way to write `times` as an ordered sum of `reports` counts (stars and bars)."""
    for bars in combinations(range(times + reports - 1), reports - 1):
        ends = (-1, *bars, times + reports - 1)
        yield tuple(b - a - 1 for a, b in pairwise(ends))
