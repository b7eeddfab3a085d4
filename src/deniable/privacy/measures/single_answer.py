"""One answer, read on its own: what its report says about it.

An *entry* is one attribute of one person, seen through its marginal channel ``C[report, truth]``
by a reader who knows the channel and the shares ``prior`` of the truths, and nothing else. Whoever
reads the whole report may learn more: see `deniable.privacy.measures.joint_groups`.
"""

from math import log

import numpy as np
from numpy.typing import ArrayLike

from deniable.base.arrays import Floats
from deniable.channel import Channel
from deniable.design import Group


def epsilon(channel: Channel) -> float:
    """Local differential privacy: ``ln max C(r|x)/C(r|x')`` over all reports and pairs of truths.

    It assumes nothing about the reader, and holds for one report. Infinite where a report excludes
    a truth.
    """
    return log(channel.ratio())


def entry_matrix(group: Group, name: str) -> Floats:
    """The channel of one attribute alone."""
    position = group.names.index(name)
    return group.channel.marginal([position]).matrix([0])


def guess_before(prior: ArrayLike) -> float:
    """Chance that the best guess is right for a reader who has seen no report."""
    return float(np.max(prior))


def guess_after(matrix: ArrayLike, prior: ArrayLike) -> float:
    """Bayes vulnerability, ``Σ_r max_x π(x)·C(r|x)``: the best single guess after the report."""
    return float((np.asarray(matrix) * np.asarray(prior)).max(axis=1).sum())


def pse_before_mining(matrix: ArrayLike, prior: ArrayLike) -> float:
    """Give the papers' PSE(PRE): ``Σ_o Σ_r π(o)·C(r|o)·(1 − P(o|r))``.

    The chance that a reader who guesses *in proportion to the posterior* is wrong. The best guess
    is wrong less often: 1 − `guess_after` ≤ PSE(PRE). Derived from the channel; the expansion that
    Zhan & Matwin (2007, §4.1) print has (1−θ)(1−W_y) where Pr(R=1|O=0) is (1−θ)·W_y, and agrees at
    W_y = ½ only.

    >>> pse_before_mining([[0.8, 0.2], [0.2, 0.8]], [0.5, 0.5])
    0.32
    """
    joint = np.asarray(matrix, dtype=np.float64) * np.asarray(prior, dtype=np.float64)
    reports = joint.sum(axis=1, keepdims=True)
    posterior = np.divide(joint, reports, out=np.zeros_like(joint), where=reports > 0)
    return float((joint * (1 - posterior)).sum())


def posteriors(matrix: ArrayLike, prior: ArrayLike) -> Floats:
    """``P(truth | report)``, a row per report; rows of reports that nobody gives are the prior."""
    joint = np.asarray(matrix, dtype=np.float64) * np.asarray(prior, dtype=np.float64)
    reports = joint.sum(axis=1, keepdims=True)
    otherwise = np.broadcast_to(np.asarray(prior, dtype=np.float64), joint.shape).copy()
    found: Floats = np.divide(joint, reports, out=otherwise, where=reports > 0)
    return found
