"""PSE and REC as Zhan & Matwin (2007, §4) print them, and where the print errs."""

from fractions import Fraction

import numpy as np
import pytest

from deniable.channel import Unrelated
from deniable.design import Design
from deniable.expression import Conjunction, Implication, rule_sets
from deniable.privacy.measures.single_answer import guess_after, posteriors, pse_before_mining
from deniable.privacy.population import Population
from deniable.privacy.report.measure_privacy import measure_privacy
from deniable.schema import Schema

SHARES = [0.05, 0.2, 0.5, 0.77]
THETAS = ["0.05", "0.3", "0.5", "0.7", "0.95"]


def printed(theta: float, wa: float, wy: float) -> float:
    """The last line of §4.1."""
    one, zero = theta + (1 - theta) * wy, theta + (1 - theta) * (1 - wy)
    first = (1 - wa) * wa * (1 - theta) * one / (one * wa + (1 - theta) * wy * (1 - wa))
    second = (
        2
        * wa
        * (1 - wa)
        * (1 - theta)
        * (1 - wy)
        * zero
        / (zero * (1 - wa) + (1 - theta) * (1 - wy) * wa)
    )
    return first + second


def measured(theta: str, wa: float, wy: str) -> float:
    personal = ((1 - Fraction(wy), Fraction(wy)),)
    channel = Unrelated((2,), Fraction(theta), personal)
    return pse_before_mining(channel.matrix([0]), [1 - wa, wa])


@pytest.mark.parametrize("theta", THETAS)
@pytest.mark.parametrize("wa", SHARES)
def test_the_printed_formula_holds_where_personal_answers_are_even(theta: str, wa: float) -> None:
    assert measured(theta, wa, "1/2") == pytest.approx(printed(float(theta), wa, 0.5), abs=1e-12)
    # There, and only there, the privacy of a share is that of its complement.
    assert measured(theta, wa, "1/2") == pytest.approx(measured(theta, 1 - wa, "1/2"), abs=1e-12)


@pytest.mark.parametrize("theta", THETAS)
def test_elsewhere_the_derivation_rules(theta: str) -> None:
    # Rounding is 1e-15; these differ a billion times more.
    assert abs(measured(theta, 0.2, "1/4") - printed(float(theta), 0.2, 0.25)) > 1e-6
    assert abs(measured(theta, 0.2, "1/4") - measured(theta, 0.8, "1/4")) > 1e-6


def test_the_best_guess_is_never_worse_than_the_papers_guesser() -> None:
    rng = np.random.default_rng(4)
    for _ in range(200):
        matrix, prior = rng.dirichlet(np.ones(3), 3).T, rng.dirichlet(np.ones(3))
        assert 1 - guess_after(matrix, prior) <= pse_before_mining(matrix, prior) + 1e-12


DESIGN = Design.of(
    {
        "attributes": {"A1": ["0", "1"], "A2": ["0", "1"], "A3": ["0", "1"]},
        "groups": [
            {"attributes": ["A1", "A2", "A3"], "channel": "keep-or-uniform", "theta": "0.6"}
        ],
    }
)
RULES = [
    Implication.parse(rule, DESIGN.schema)
    for rule in (
        "A1=1 => A2=1: 0.8",
        "A1=1 => A2=0: 0.6",
        "A1=0 => A2=1: 0.4",
        "A1=0 => A2=0: 0.3",
    )
]


def population() -> Population:
    shares = {"A1": np.array([0.3, 0.7]), "A2": np.array([0.45, 0.55])}
    return Population.of_shares(DESIGN.schema, shares)


def test_the_papers_example_of_recoverability() -> None:
    report = measure_privacy(DESIGN, population(), rules=rule_sets(RULES))
    found = report.attributes["A2"]
    assert found.recovery is not None
    assert found.recovery.premise_known == pytest.approx(0.7 * (0.8 + 0.6) + 0.3 * (0.4 + 0.3))
    after = posteriors(found.matrix, found.prior)
    expected = (0.8 + 0.4) * after[1, 1] + (0.6 + 0.3) * after[0, 0]
    assert found.recovery.premise_unknown == pytest.approx(expected)
    assert found.pse_after == pytest.approx(found.pse - found.recovery.largest)
    # Confidences that sum past 1 make it negative; it is reported as it is.
    assert found.pse_after < 0
    assert report.attributes["A1"].recovery is None
    assert report.attributes["A1"].pse_after == report.attributes["A1"].pse
    assert report.groups[0].pse_after == found.pse_after
    assert report.document()["attributes"]["A2"]["rec"]["known"] == pytest.approx(1.19)


def test_the_strongest_set_of_rules_counts() -> None:
    weak = Implication(Conjunction.of(A3="1"), "A2", "1", 0.1)
    both = measure_privacy(DESIGN, population(), rules=rule_sets([*RULES, weak]))
    alone = measure_privacy(DESIGN, population(), rules=rule_sets(RULES))
    assert both.attributes["A2"].recovery == alone.attributes["A2"].recovery


def test_a_premise_is_as_common_as_the_population_says() -> None:
    schema = Schema.of({"A1": ["0", "1"], "A2": ["0", "1"], "A3": ["0", "1"]})
    rule = Implication(Conjunction.of(A1="1", A3="0"), "A2", "1", 0.9)
    report = measure_privacy(DESIGN, population(), rules=[[rule]])
    assert report.attributes["A2"].recovery is not None
    assert report.attributes["A2"].recovery.premise_known == pytest.approx(0.7 * 0.5 * 0.9)
    assert schema == DESIGN.schema
