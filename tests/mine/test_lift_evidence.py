"""p-values of lift: uniform where lift is 1, small where it is not, and adjusted for many."""

import numpy as np
import pytest
from scipy.stats import false_discovery_control

from deniable.base.errors import ModelError
from deniable.engine.memory.records import Records
from deniable.expression import Conjunction
from deniable.mine.lift_evidence import benjamini_yekutieli, lift_p_values
from deniable.oracle.exact import ExactOracle
from deniable.oracle.recoded import RecodedOracle
from deniable.schema import Schema
from mine.test_chance import GROUPS, CountsOnly, designed, disguised, unrelated_people

RULES = [(Conjunction.of({a: "1"}), Conjunction.of(y="1")) for a in "abcd"] + [
    (Conjunction.of(a="1", b="0"), Conjunction.of(y="1"))
]


def test_without_a_disguise_z_is_that_of_pearson() -> None:
    x = unrelated_people(500, 1)
    schema = Schema.of({name: ["0", "1"] for name in "abcdy"})
    oracle = ExactOracle(Records(schema, tuple(x.astype(np.uint8))), schema)
    (p,) = lift_p_values(oracle, RULES[:1])
    from scipy.stats import norm

    z = np.sqrt(500) * abs(np.corrcoef(x[0], x[4])[0, 1])
    # The variance may be that of these records, if it is larger: by some of 1/√500.
    assert p == pytest.approx(2 * norm.sf(z), abs=0.02)


@pytest.mark.parametrize("groups", [GROUPS, (*GROUPS, "y"), (("a", "b", "y"), ("c", "d"))])
def test_p_is_uniform_where_lift_is_one(groups: tuple[tuple[str, ...], ...]) -> None:
    design = designed(groups)
    found = np.array(
        [
            lift_p_values(disguised(unrelated_people(800, run), design, run), RULES)
            for run in range(80)
        ]
    )
    # Shares of 80 for each rule: more than 12 at 5 % have a chance of .02 % (binomial).
    assert ((found <= 0.05).sum(axis=0) <= 12).all()
    # The mean of 80 uniform numbers has a standard error of .032; variances are never too small.
    assert ((found.mean(axis=0) > 0.5 - 4 * 0.033) & (found.mean(axis=0) < 0.5 + 0.15)).all()


def test_what_goes_together_is_found_and_only_that() -> None:
    rng = np.random.default_rng(3)
    x = rng.integers(0, 2, (5, 20_000))
    x[4] = np.where(rng.random(20_000) < 0.3, x[2], x[4])
    oracle = disguised(x, designed([*GROUPS, "y"]), 4)
    adjusted = benjamini_yekutieli(lift_p_values(oracle, RULES))
    assert list(np.flatnonzero(adjusted <= 0.05)) == [2]
    counted = lift_p_values(RecodedOracle(oracle, oracle.schema), RULES)
    assert counted[2] < 0.01
    # Without covariances p is a bound: no smaller.
    assert (counted >= lift_p_values(oracle, RULES) - 1e-9).all()


def test_refused_counts_and_empty_sides_prove_nothing() -> None:
    schema = Schema.of({name: ["0", "1"] for name in "ay"})
    oracle = ExactOracle({"a": ["0"] * 6, "y": ["0", "1"] * 3}, schema)
    assert lift_p_values(oracle, RULES[:1]).tolist() == [1.0]
    assert np.isnan(lift_p_values(CountsOnly(oracle, 1.0), RULES[:1])).all()
    assert len(lift_p_values(oracle, [])) == 0


def test_the_adjustment_is_that_of_benjamini_and_yekutieli() -> None:
    p = np.random.default_rng(5).random(30) ** 3
    assert np.allclose(benjamini_yekutieli(p), false_discovery_control(p, method="by"))
    padded = np.append(p, np.ones(20))
    assert np.allclose(
        benjamini_yekutieli(p, 50), false_discovery_control(padded, method="by")[:30]
    )
    assert np.isnan(benjamini_yekutieli(np.array([0.1, np.nan])))[1]
    with pytest.raises(ModelError, match="30 p-values cannot come of 3"):
        benjamini_yekutieli(p, 3)
