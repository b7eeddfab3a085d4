"""One answer, read on its own: what its report says about it.

An *entry* is one attribute of one person, seen through its marginal channel ``C[report, truth]``
by a reader who knows the channel and the shares ``prior`` of the truths, and nothing else. Whoever
reads the whole report may learn more: see `deniable.privacy.measures.joint_groups`. Every figure
about guesses, there and here, comes from `best_guess`, `posterior` and `pse`.
"""

from collections.abc import Iterable
from math import exp, fsum, inf, log

import numpy as np
from numpy.typing import ArrayLike

from deniable.base.arrays import Floats
from deniable.channel import Channel
from deniable.design import Group

MOST_EPSILON = 700.0
"""e to this is about the largest number there is."""


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


def entry_matrix(group: Group, name: str) -> Floats:
    """The channel of one attribute alone."""
    position = group.names.index(name)
    return group.channel.marginal([position]).matrix([0])


def best_guess(joint: ArrayLike, truths: int | tuple[int, ...] = 0) -> float:
    """Bayes vulnerability: how often a guess at the likeliest truth is right.

    ``joint`` is the chance of each truth (along the axes ``truths``) with whatever is seen beside.
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


def guess_before(prior: ArrayLike) -> float:
    """Chance that the best guess is right for a reader who has seen no report.

    Shares are by value, here and in `guess_after`, and then by whatever the reader knows already.
    """
    return best_guess(prior)


def guess_after(matrix: ArrayLike, prior: ArrayLike) -> float:
    """The same after the report: ``Σ_r max_x π(x)·C(r|x)``."""
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
