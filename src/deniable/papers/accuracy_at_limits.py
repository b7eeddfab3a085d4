"""Accuracy of a scheme that is as strong as a limit on privacy allows, from what was measured.

Strengths are few, and no two designs let an attacker be right equally often. So each scheme's
accuracy is read off the line between its strengths, at the limit.
"""

import numpy as np

from deniable.base.arrays import Floats
from deniable.papers.equal_privacy import ATTACKED, MINED, RELATED_GROUPS, epsilon_of
from deniable.papers.equal_privacy_figures import UNSEEN, Scheme, strengths
from deniable.papers.reproduction.measurements import Measurements

EPSILON = "epsilon"
"""Not guessed by an attacker but promised: it has no repeats."""


def at_limit(found: Measurements, name: str, scheme: Scheme, measure: str, limit: float) -> Floats:
    """Accuracy where the attacker is right so often, or ε is so large, for each repeat.

    Below the weakest strength that was tried is a straight line to no report at all, where the
    larger class is the answer. But related groups of several answers tell a pattern up to its
    opposite however weak they are: below their weakest there is nothing but the larger class. A
    scheme that stays below the limit at all strengths gives what its strongest does.
    """
    thetas = strengths(found, name, scheme.design, MINED)
    where = [{"set": name, "design": scheme.design, "theta": theta} for theta in thetas]
    right = np.stack([found.values(MINED, scheme.miner, **each) for each in where])
    guessed = float(found.values(MINED, "larger class", **where[0])[0])
    if measure == EPSILON:
        success = np.array([epsilon_of(scheme.design, theta) or np.inf for theta in thetas])
        unseen = 0.0
    else:
        success = np.array([found.mean(ATTACKED, measure, **each) for each in where])
        unseen = found.mean(ATTACKED, UNSEEN[measure], **where[0])
    order = np.argsort(success, kind="stable")
    places, lines = success[order], right[order]
    if scheme.design in RELATED_GROUPS and limit < places[0]:
        return np.full(right.shape[1], guessed)
    places = np.concatenate([[min(unseen, places[0])], places])
    lines = np.vstack([np.full(right.shape[1], guessed), lines])
    return np.array([np.interp(limit, places, line) for line in lines.T])
