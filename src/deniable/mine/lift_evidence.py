"""Is a rule's lift more than chance? p-values of lift = 1, adjusted for how many were tried.

Lift is 1 just if ``D = N(A∧B) − N(A)·N(B)/n`` is 0. D is a total of ``([x ⊨ A] − p_A)·([x ⊨ B] −
p_B)``, whose variance about 0 the oracle's totals give, disguise and sampling together; it is taken
to be no less than sampling alone would make it, because few records show their own variance badly.
An oracle that only counts leaves the covariances open: then errors add up, and p is a bound.

Of many rules, those that survive Benjamini and Yekutieli's (2001) adjustment at a level are, but
for a share of that level in expectation, rules whose lift is not 1, however they depend on each
other. That holds for all that were *tried*: sets that were counted and not kept were tried, too.
"""

from collections.abc import Sequence
from contextlib import suppress

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.base.errors import EstimateError, ModelError
from deniable.expression import ANY, Conjunction, Family
from deniable.oracle.api import CountOracle, TotalOracle

RULES_AT_ONCE = 256
"""Rules over the same attributes that are asked for at once."""

Sides = tuple[Conjunction, Conjunction]
"""What a rule supposes, and what it concludes."""


def lift_p_values(oracle: CountOracle, rules: Sequence[Sides]) -> Floats:
    """Two-sided p-values of "lift is 1" in the population, one per rule, not adjusted.

    Not a number where a count is refused; 1 where a side is held by nobody, or by everybody.

    >>> from deniable import ExactOracle
    >>> from deniable.schema import Schema
    >>> people = {"smokes": ["no", "yes"] * 50, "coughs": ["no", "yes"] * 48 + ["yes", "no"] * 2,
    ...           "reads": ["no", "no", "yes", "yes"] * 25}
    >>> oracle = ExactOracle(people, Schema.of({name: ["no", "yes"] for name in people}))
    >>> yes = {name: Conjunction.of({name: "yes"}) for name in people}
    >>> p = lift_p_values(oracle, [(yes["smokes"], yes["coughs"]), (yes["smokes"], yes["reads"])])
    >>> benjamini_yekutieli(p).round(4)
    array([0., 1.])
    """
    from scipy.special import ndtr  # slow to load, and only needed here

    if not rules:
        return np.zeros(0)
    n = oracle.n
    asked = [each for a, b in rules for each in (a & b, a, b)]
    counts = oracle.count(Family.of(asked, oracle.schema), of="population")
    both, premise, conclusion = counts.value.reshape(-1, 3).T
    p_a, p_b = np.clip(premise / n, 0, 1), np.clip(conclusion / n, 0, 1)
    errors = counts.std_error.reshape(-1, 3)
    # The worst that can be: all errors go together.
    error = errors[:, 0] + p_b * errors[:, 1] + p_a * errors[:, 2]
    variance = _by_totals(oracle, rules, premise / n, conclusion / n, error**2)
    least = n * p_a * (1 - p_a) * p_b * (1 - p_b)
    spread = np.sqrt(np.maximum(variance, least))
    d = both - premise * conclusion / n
    z = np.divide(d, spread, out=np.zeros(len(d)), where=least > 0)
    z[np.isnan(d)] = np.nan
    tails: Floats = 2 * ndtr(-np.abs(z))
    return tails


def benjamini_yekutieli(p_values: Floats, tried: int | None = None) -> Floats:
    """Adjust p-values for how many were tried, all of these by default.

    Those up to a level hold no more than that share of false ones, in expectation.
    """
    known = np.flatnonzero(~np.isnan(p_values))
    many = len(known) if tried is None else tried
    if many < len(known):
        raise ModelError(
            f"{len(known)} p-values cannot come of {many} that were tried.",
            hint="Count all that were looked at, also those that were not kept.",
        )
    order = known[np.argsort(p_values[known], kind="stable")]
    harmonic = np.sum(1 / np.arange(1, many + 1))
    raised = p_values[order] * many * harmonic / np.arange(1, len(order) + 1)
    adjusted = np.full(len(p_values), np.nan)
    adjusted[order] = np.minimum(np.minimum.accumulate(raised[::-1])[::-1], 1.0)
    return adjusted


def _by_totals(
    oracle: CountOracle, rules: Sequence[Sides], p_a: Floats, p_b: Floats, otherwise: Floats
) -> Floats:
    """Variances of D about 0, by totals where the oracle has them."""
    variance = otherwise.copy()
    if not isinstance(oracle, TotalOracle):
        return variance
    groups: dict[tuple[str, ...], list[int]] = {}
    for number, (a, b) in enumerate(rules):
        groups.setdefault(tuple(sorted({n for n, _ in (a & b).terms})), []).append(number)
    parts = [
        group[start : start + RULES_AT_ONCE]
        for group in groups.values()
        for start in range(0, len(group), RULES_AT_ONCE)
    ]
    for part in parts:
        here = np.array(part)
        family = Family.of([side for k in part for side in rules[k]], oracle.schema)
        expected = np.stack([p_a[here], p_b[here]], axis=1)

        def product(codes: Codes, family: Family = family, share: Floats = expected) -> Floats:
            fits = ((family.codes == ANY) | (codes[:, None] == family.codes)).all(axis=2)
            off = fits.reshape(len(codes), -1, 2) - share
            found: Floats = off.prod(axis=2)
            return found

        with suppress(EstimateError):  # too many columns, or a site that only counts
            total = oracle.total(family.columns, product, of="population")
            variance[here] = np.diagonal(total.covariance) + total.value**2 / oracle.n
    return variance
