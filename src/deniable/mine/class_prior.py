"""How common the classes are, and chances that are combined without forgetting it."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from deniable.base.arrays import Floats
from deniable.base.errors import ModelError
from deniable.expression import Family
from deniable.oracle.api import CountOracle
from deniable.oracle.simplex import expected_counts


def class_prior(oracle: CountOracle, target: str) -> Floats:
    """Estimate the share of each class, made possible."""
    found = oracle.count(Family.table([target], oracle.schema))
    if np.isnan(found.value).any():
        raise ModelError(
            f"The counts of the values of {target!r} are refused, so nothing can be mined.",
            hint="Ask who holds the data for a less strict policy, or choose another target.",
        )
    sizes = expected_counts(found.value, found.std_error, oracle.n)
    share: Floats = sizes / sizes.sum()
    return share


def read_prior(body: Mapping[str, Any], classes: int) -> Floats:
    """Read it from a model's file."""
    prior = np.array(body["prior"], dtype=np.float64)
    if prior.shape != (classes,) or (prior < 0).any() or not np.isclose(prior.sum(), 1):
        raise ValueError("its prior is no distribution of the target")
    return prior


def drawn_to_prior(chances: Floats, prior: Floats, n: int) -> Floats:
    """Draw chances towards the prior by one person of n, so that none is 0 but by the prior."""
    drawn: Floats = (n * chances + prior) / (n + 1)
    return drawn


def normalized(logs: Floats) -> Floats:
    """Turn logarithms of what is proportional to chances, a row per record, into chances."""
    likelihoods = np.exp(logs - logs.max(axis=1, keepdims=True))
    found: Floats = likelihoods / likelihoods.sum(axis=1, keepdims=True)
    return found


def averaged(chances: Sequence[Floats], weights: Sequence[float], prior: Floats, n: int) -> Floats:
    """Take the normalized geometric mean of several models' chances, by weights that add up to 1.

    >>> two = [np.array([[0.9, 0.1]]), np.array([[0.5, 0.5]])]
    >>> averaged(two, [0.5, 0.5], np.full(2, 0.5), 10**9).round(2)
    array([[0.75, 0.25]])
    """
    possible = prior > 0
    some = np.where(possible, prior, 1.0)
    logs = np.zeros_like(chances[0])
    for each, weight in zip(chances, weights, strict=True):
        logs += weight * np.log(drawn_to_prior(each, some, n))
    logs[:, ~possible] = -np.inf
    return normalized(logs)
