"""Chance where the class shares a device with features: reports drawn as if nothing predicted it.

One coin turns both, so their reports depend on each other though the truth does not, and permuting
them would find that. What chance does is simulated: the device's reports are undone, features and
class are made independent with the margins that they have, sent through the channel again, and as
many reports drawn. Drawn tables are judged like the one that happened, so that rare values, whose
counts are far from normal, are rare there too. Sites are drawn each by itself.
"""

from collections.abc import Sequence
from math import prod

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.mine.contrasts import (
    BINARY_SIZE,
    Associations,
    p_value,
    pair_functions,
    statistics,
    value_functions,
)
from deniable.oracle.api import Stratum
from deniable.oracle.simplex import onto_simplex

SIMULATED = 999
"""Draws of what chance does."""

LARGEST_DEVICE = 1 << 10
"""Joint patterns of features and class whose channel is inverted as one matrix."""

CONSTANT = 1e-9
"""Relative variance below which a contrast says nothing."""


def redrawn(
    strata: Sequence[Stratum],
    target: str,
    sizes: dict[str, int],
    chosen: Associations,
    rng: np.random.Generator,
) -> float:
    """Give the p-value of the chosen contrasts of some features that share the class's device.

    ``sizes`` are those of all these features, of few joint patterns (`LARGEST_DEVICE`).
    """
    features = tuple(sizes)
    patterns = np.stack(np.unravel_index(np.arange(prod(sizes.values())), (*sizes.values(),)), 1)
    functions = chosen_functions(chosen, features, patterns)
    d = np.sum([_contrasts(each, target, sizes, functions, rng) for each in strata], axis=0)
    if d.shape[1] == BINARY_SIZE:  # both classes say the same
        d = d[:, 1:]
    spread = d[:, :, 1:].var(axis=2)
    heard = spread > CONSTANT * spread.max(initial=0.0)
    if not heard.any():
        return 1.0
    squares = np.divide(d**2, spread[:, :, None], out=np.zeros_like(d), where=heard[:, :, None])
    return p_value(statistics(squares.swapaxes(1, 2), chosen.kinds()))


def chosen_functions(chosen: Associations, features: Sequence[str], codes: Codes) -> Floats:
    """Give each chosen function of the features, a row, at some records ``[record, feature]``."""
    place = {name: features.index(name) for name in chosen.sizes}
    found = [value_functions(size)[:, codes[:, place[n]]] for n, size in chosen.sizes.items()]
    for pair in chosen.pairs:
        a, b = chosen.sizes[pair.a], chosen.sizes[pair.b]
        pattern = codes[:, place[pair.a]] * b + codes[:, place[pair.b]]
        found.append(pair_functions(a, b)[:, pattern])
    return np.concatenate(found).astype(np.float64)


def _contrasts(
    stratum: Stratum,
    target: str,
    sizes: dict[str, int],
    functions: Floats,
    rng: np.random.Generator,
) -> Floats:
    """``D[function, class, arrangement]`` of the reports as they are, and of those drawn."""
    inverse = stratum.inverse((*sizes, target))
    classes = stratum.classes.shape[1]
    reported = np.zeros((functions.shape[1], classes))
    np.add.at(reported, _numbers(stratum, sizes), stratum.classes)
    n = int(reported.sum())
    truth = (inverse @ reported.ravel()).reshape(reported.shape)
    shares = [onto_simplex(truth.sum(axis=axis), n) / max(n, 1) for axis in (1, 0)]
    expected = np.maximum(np.linalg.solve(inverse, np.outer(*shares).ravel()), 0.0)
    drawn = rng.multinomial(n, expected / max(expected.sum(), CONSTANT), size=SIMULATED)
    every = np.concatenate([reported.reshape(1, -1), drawn]) @ inverse.T
    tables = every.reshape(-1, *reported.shape)
    together = np.einsum("fx,axc->fca", functions, tables, optimize=True)
    of_class = tables.sum(axis=1).T
    found: Floats = together - together.sum(axis=1)[:, None] * of_class / max(n, 1)
    return found


def _numbers(stratum: Stratum, sizes: dict[str, int]) -> Codes:
    """Number the joint pattern of the features in each distinct report."""
    columns = [stratum.columns[name].astype(np.int64) for name in sizes]
    numbers: Codes = np.ravel_multi_index(columns, (*sizes.values(),))
    return numbers
