"""Keeping only what the noise does not explain.

Going down the tree, a node's class shares depart from its parent's only by as much as its counts
differ from them by more than so many standard errors (soft thresholding). Where the noise explains
the difference, node and parent say the same, and the split is dropped. How many standard errors,
the *strength*, is chosen by cross-validation on the disguised data itself, scored by the accuracy
that is estimated through the disguise.
"""

from collections.abc import Sequence
from itertools import chain
from math import isfinite
from statistics import NormalDist

import numpy as np

from deniable.base.arrays import Codes, Floats, Mask
from deniable.base.errors import ModelError
from deniable.mine.chance import EVIDENT
from deniable.mine.tree.gain import TIE
from deniable.mine.tree.grow import Grown, Progress, SplitRule, grow, node_totals
from deniable.oracle.api import CountOracle, divisible
from deniable.oracle.frontier.frontier import CLOSED

STRENGTHS = (0.0, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0)

USUAL = 0.75
"""The strength that is kept unless another is clearly better."""

MARGIN = 0.5
"""Standard errors by which another strength must be better than the usual one."""

COMPARED_DIGITS = 12

SETTLED = 20_000
"""Records from which one deal of the folds is enough."""

MOST_REPEATS = 5
MOST_FOLDS = 50

FEWEST_FOR_FOLDS = 20
"""Records below which folds would tell nothing, and only the plainest differences are kept."""


def checked_strength(strength: float) -> float:
    """Refuse what is no number of standard errors."""
    if not (isfinite(strength) and strength >= 0):
        raise ModelError(
            f"{strength} is no number of standard errors.", hint="Use 0 or more, such as 1."
        )
    return float(strength)


def softened(grown: Grown, strengths: Sequence[float]) -> Floats:
    """Class shares ``[strength, node, class]``, each as near its parent's as the noise allows."""
    by = np.array(strengths)[:, None]
    # Classes first: they are few, and sums over the last axis of few would be slow.
    counts, variances = grown.counts.T, np.maximum(grown.variances.T, 0.0)
    shares = np.empty((len(counts), len(by), len(grown.axis)))
    root, *below = grown.levels()
    shares[:, :, root] = _shares(counts[:, None, root], np.ones((len(counts), 1, 1)))
    for level in below:
        count, variance = counts[:, None, level], variances[:, None, level]
        before = shares[:, :, grown.parent[level]]
        total, whole = node_totals(grown.counts[level]), variance.sum(axis=0)
        # Of N_c − total·before_c; at least that of N_c, which is 0 where nobody reports class c.
        apart_variance = (1 - before) ** 2 * variance + before**2 * (whole - variance)
        allowed = by * np.sqrt(np.maximum(variance, apart_variance))
        apart = count - total * before
        apart -= np.minimum(np.maximum(apart, -allowed), allowed)
        there = total > by * np.sqrt(whole) / 2  # or nobody may be in the node
        shares[:, :, level] = _shares(np.where(there, before * total + apart, 0.0), before)
    # Rounded, so that ties are ties, whichever way the counts came.
    return shares.round(COMPARED_DIGITS).transpose(1, 2, 0)


def inherited_shares(grown: Grown) -> Floats:
    """Class shares ``[node, class]`` of possible counts; an empty node's are its parent's."""
    shares = np.empty_like(grown.counts)
    root, *below = grown.levels()
    shares[root] = _shares(grown.counts[root].T, np.ones((grown.counts.shape[1], 1))).T
    for level in below:
        shares[level] = _shares(grown.counts[level].T, shares[grown.parent[level]].T).T
    return shares.round(COMPARED_DIGITS)


def beyond_chance(grown: Grown, axes: int) -> Mask:
    """Nodes whose split changes a class's share by more than chance explains.

    A child's count of a class is compared with its people times the share at its parent, by normal
    tails; the level is shared by all axes that the split was chosen from, all children and classes
    of the node, and all nodes of its level.
    """
    found = np.zeros(len(grown.axis), dtype=bool)
    classes = grown.counts.shape[1]
    for level in grown.levels()[1:]:
        parent = grown.parent[level]
        count, variance = grown.counts[level], np.maximum(grown.variances[level], 0.0)
        above = np.maximum(grown.counts[parent], 0.0)
        share = above / np.maximum(above.sum(axis=1, keepdims=True), TIE)
        apart = count - count.sum(axis=1, keepdims=True) * share
        rest = variance.sum(axis=1, keepdims=True) - variance
        spread = (1 - share) ** 2 * variance + share**2 * rest
        level_alpha = EVIDENT / (axes * classes * len(parent))
        least = NormalDist().inv_cdf(1 - level_alpha / 2)
        clear = (np.abs(apart) > least * np.sqrt(spread)) & (spread > 0)
        np.logical_or.at(found, parent, clear.any(axis=1))
    return found


def _shares(counts: Floats, otherwise: Floats) -> Floats:
    """Shares ``[class, …]`` of what is above 0, if anything is."""
    positive = np.maximum(counts, 0.0)
    total = positive.sum(axis=0)
    some = total > 0
    shares: Floats = np.where(some, positive / np.where(some, total, 1.0), otherwise)
    shares /= shares.sum(axis=0)
    return shares


def strength_by_folds(
    oracle: CountOracle,
    target: str,
    axes: Sequence[str],
    rule: SplitRule,
    *,
    cv: int,
    rng: np.random.Generator,
    progress: Progress | None = None,
) -> float:
    """Choose the strength; the usual one where the data cannot be divided or cannot tell."""
    if not 2 <= cv <= MOST_FOLDS:  # noqa: PLR2004 (one to learn, one to try)
        raise ModelError(f"There cannot be {cv} folds.", hint=f"Use 2 to {MOST_FOLDS}.")
    if oracle.n < FEWEST_FOR_FOLDS:
        return STRENGTHS[-1]
    if not divisible(oracle):
        return USUAL
    better, variance = np.zeros(len(STRENGTHS)), np.zeros(len(STRENGTHS))
    # Few records leave much to the luck of the folds, and are quickly dealt again.
    repeats = min(max(SETTLED // oracle.n, 1), MOST_REPEATS)
    dealt = chain.from_iterable(oracle.folds(cv, rng) for _ in range(repeats))
    for number, (rest, fold) in enumerate(dealt):
        if progress is not None:
            progress(number, cv * repeats + 1)  # and the tree itself
        if rest.n == 0 or fold.n == 0:
            continue
        grown = grow(rest, target, axes, rule, watchers=[fold])
        leaves = grown.leaves
        count, spread = (watched[leaves] for watched in grown.watched[0])
        labels = softened(grown, STRENGTHS)[:, leaves].argmax(axis=2)
        usual = labels[STRENGTHS.index(USUAL)]
        for place, label in enumerate(labels):
            differ = np.flatnonzero(label != usual)
            new, old = label[differ], usual[differ]
            better[place] += (count[differ, new] - count[differ, old]).sum()
            variance[place] += (spread[differ, new] + spread[differ, old]).sum()
    lead = better / repeats - MARGIN * np.sqrt(np.maximum(variance, 0.0) / repeats)
    return STRENGTHS[int(lead.argmax())] if lead.max() > 0 else USUAL


def simplified(grown: Grown, shares: Floats, *, labels: bool, kept: Mask | None = None) -> Codes:
    """Close every node below which nothing changes: the shares, or (`labels`) the answer.

    Splits in `kept` are, with all that lead to them.
    """
    said = shares.argmax(axis=1)[:, None].astype(np.float64) if labels else shares
    axis = grown.axis.copy()
    same = np.ones(len(grown.axis), dtype=bool) if kept is None else ~kept
    for level in reversed(grown.levels()[1:]):
        as_parent = same[level] & (said[level] == said[grown.parent[level]]).all(axis=1)
        np.logical_and.at(same, grown.parent[level], as_parent)
    axis[same] = CLOSED
    return axis
