"""How the errors of a rule's three counts go together: of A ∧ B, A and B.

An oracle that adds up functions of the record says it exactly. One that only counts, in part,
because errors of sums are those of their parts: N(A) = N(A ∧ B) + N(A ∧ not B), so that

    Cov(N̂(A ∧ B), N̂(A)) = (Var N̂(A ∧ B) + Var N̂(A) − Var N̂(A ∧ not B)) / 2

wherever "not B" can be counted: where B is one value of a yes/no attribute. What sampling does is
known, too, about one sample of a population: N(A ∧ B) − N(A)·N(B)/n. What the disguise does beyond
that is left open, and taken as bad as it can be: errors are then too large rather than too small.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.base.errors import CollabError, EstimateError, PeerError
from deniable.expression import Conjunction, Family
from deniable.oracle.api import CountOracle, Target, TotalOracle
from deniable.oracle.covariance import covariance
from deniable.schema import Schema

TOGETHER = 64
"""Rules over the same attributes whose covariances are asked for at once."""

BINARY = 2


def rule_covariances(
    oracle: CountOracle,
    rows: Codes,
    written: Callable[[int], Conjunction],
    counts: Floats,
    of: Target,
) -> Floats:
    """Give for each rule, a row of numbers of (A ∧ B, A, B), the covariances of their counts.

    ``counts[0]`` and ``counts[1]`` are the values and standard errors of whatever is numbered.
    """
    found = np.zeros((len(rows), 3, 3))
    if not counts[1, rows].any():
        return found
    still_open = np.ones(len(rows), dtype=bool)
    for chosen in _same_attributes(rows, written):
        parts, place = np.unique(rows[chosen], return_inverse=True)
        family = Family.of([written(number) for number in parts.tolist()], oracle.schema)
        with suppress(EstimateError):  # too many columns, or a site that only counts
            known, where = covariance(oracle, family, of), place.reshape(-1, 3)
            found[chosen] = known[where[:, :, None], where[:, None, :]]
            still_open[chosen] = False
    left = np.flatnonzero(still_open)
    if len(left):
        found[left] = _from_counts(oracle, rows[left], written, counts, of)
    return found


def _from_counts(
    oracle: CountOracle,
    rows: Codes,
    written: Callable[[int], Conjunction],
    counts: Floats,
    of: Target,
) -> Floats:
    value, error = counts[0][rows], counts[1][rows]
    sampled = np.zeros((len(rows), 3, 3))
    if of == "population" and not isinstance(oracle, TotalOracle):  # not several samples
        shared = np.repeat(value[:, :1], 3, axis=1)
        sampled = shared[:, :, None] - value[:, :, None] * value[:, None, :] / oracle.n
        sampled[:, [1, 2], [1, 2]] = value[:, 1:] * (1 - value[:, 1:] / oracle.n)
    apart = np.sqrt(np.maximum(error**2 - np.diagonal(sampled, axis1=1, axis2=2), 0.0))
    worst: Floats = apart * [1.0, -1.0, -1.0]
    found = sampled + worst[:, :, None] * worst[:, None, :]
    found[:, range(3), range(3)] = error**2
    with suppress(EstimateError):
        _narrow(found, *_complements(oracle, rows, written, of))
    return found


def _complements(
    oracle: CountOracle, rows: Codes, written: Callable[[int], Conjunction], of: Target
) -> tuple[Floats, Floats, Floats]:
    """Variances of the counts of A ∧ not B, B ∧ not A, and neither; NaN where there is none."""
    asked: dict[Conjunction, int] = {}
    places = np.full((len(rows), 3), -1)
    for row, (_, a, b) in enumerate(rows.tolist()):
        premise, conclusion = written(a), written(b)
        no_premise = _negated(premise, oracle.schema)
        no_conclusion = _negated(conclusion, oracle.schema)
        wanted = (
            no_conclusion and premise & no_conclusion,
            no_premise and conclusion & no_premise,
            no_premise and no_conclusion and no_premise & no_conclusion,
        )
        for column, each in enumerate(wanted):
            if each:
                places[row, column] = asked.setdefault(each, len(asked))
    variance = np.full(len(asked) + 1, np.nan)  # −1 reads the last
    if asked:
        variance[:-1] = _counted(oracle, list(asked), of)
    first, second, third = variance[places].T
    return first, second, third


def _counted(oracle: CountOracle, asked: Sequence[Conjunction], of: Target) -> Floats:
    try:
        return oracle.count(asked, of=of).variance
    except PeerError:
        raise
    except CollabError as error:  # no count is left for this
        raise EstimateError(str(error)) from error


def _negated(one: Conjunction, schema: Schema) -> Conjunction | None:
    """Give the other value of a yes/no attribute."""
    if len(one.terms) != 1:
        return None
    ((name, value),) = one.terms
    others = [other for other in schema[name].values if other != value]
    return Conjunction(((name, others[0]),)) if len(others) == BINARY - 1 else None


def _narrow(found: Floats, no_b: Floats, no_a: Floats, neither: Floats) -> None:
    """Put in what sums and their parts say; the rest stays as it is."""
    both, a, b = np.diagonal(found, axis1=1, axis2=2).T.copy()
    for other, one, part in ((1, a, no_b), (2, b, no_a)):
        known = np.flatnonzero(np.isfinite(part))
        shared = ((both + one - part) / 2)[known]
        most = np.sqrt(both * one)[known]
        found[known, 0, other] = found[known, other, 0] = np.clip(shared, -most, most)
    # N(A) and N(B) share N(A∧B). Of the products of the four cells' errors, only A∧B with neither
    # and the two others with each other are not known, but their sum is: n has no error.
    with np.errstate(invalid="ignore"):
        crossed = -a - b + (both + no_b + no_a + neither) / 2
        rest = np.minimum(np.sqrt(no_a * no_b), crossed + np.sqrt(both * neither))
        most = both + (a - both - no_b) / 2 + (b - both - no_a) / 2 + rest
    known = np.flatnonzero(np.isfinite(most))
    found[known, 1, 2] = found[known, 2, 1] = np.minimum(found[known, 1, 2], most[known])


def _same_attributes(rows: Codes, written: Callable[[int], Conjunction]) -> Iterator[list[int]]:
    """Rules over the same attributes together, some at a time."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for rule, number in enumerate(rows[:, 0].tolist()):
        names = tuple(name for name, _ in written(number).terms)
        groups.setdefault(names, []).append(rule)
    for group in groups.values():
        for start in range(0, len(group), TOGETHER):
            yield group[start : start + TOGETHER]
