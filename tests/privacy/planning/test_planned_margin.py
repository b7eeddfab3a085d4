"""A promised margin is kept: by the printed interval and by the estimate, survey after survey."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom

from deniable.design import Design, Group
from deniable.oracle.api import standard_errors
from deniable.oracle.randomized import RandomizedOracle, estimated
from deniable.privacy.plan.compliance import Compliance, biases
from deniable.privacy.plan.families import DesignFamily, planned_kinds
from deniable.privacy.plan.plan import Plan
from deniable.privacy.plan.plan_survey import plan_survey
from deniable.privacy.plan.precision import cells, fewest, share_test
from deniable.privacy.population import Population
from deniable.schema import Schema
from oracle.simulated import Reports, whole_matrix

Floats = NDArray[np.float64]

SURVEYS = 1000
ENOUGH = 0.94
"""Of 1,000 surveys that each keep a promise with probability 0.95, 94 % or more do."""

YES_NO = Schema.of({"drugs": ["no", "yes"]})


def kept(
    analysed: Design,
    reports: Floats,
    truths: Sequence[tuple[str, float]],
    n: int,
    margin: float,
    seed: int,
) -> Floats:
    """Share of simulated surveys ``[expression, (estimate, half-width)]`` within the margin."""
    tables = np.random.default_rng(seed).multinomial(n, reports, size=SURVEYS)
    distinct, times = np.unique(tables, axis=0, return_counts=True)
    shares = np.array([share for _, share in truths])
    total = np.zeros((len(truths), 2))
    for table, many in zip(distinct, times, strict=True):
        oracle = RandomizedOracle(Reports(analysed.schema, table), analysed)
        found = oracle.count([expression for expression, _ in truths], of="population")
        low, high = found.interval(0.95)
        near = np.abs(found.share - shares) <= margin
        narrow = (high - low) / (2 * n) <= margin
        total += many * np.stack([near, narrow], axis=1)
    return total / SURVEYS


def planned(plan: Plan, truth: Floats, expressions: Sequence[str], seed: int) -> Floats:
    """The same, for a plan: reports are made by the device, counted as the plan says."""
    followed = plan.shortfall.design if plan.shortfall else plan.design
    assert plan.goal.margin is not None
    pairs = [(expression, _share(expression, plan)) for expression in expressions]
    reports = whole_matrix(followed) @ truth
    return kept(followed, reports, pairs, plan.respondents, plan.goal.margin, seed)


def _share(expression: str, plan: Plan) -> float:
    name, value = expression.split("=")
    return float(plan.request.population.table([name])[plan.design.schema[name].code(value)])


@pytest.mark.slow
@pytest.mark.parametrize("channel", ["related", "unrelated", "crosswise", "forced"])
@pytest.mark.parametrize("share", [0.05, 0.2, 0.5])
def test_surveys_reach_the_planned_margin(channel: str, share: float) -> None:
    personal = "0.3" if channel == "unrelated" else "0.5"
    plan = plan_survey(
        {"drugs": share}, epsilon=1.5, margin=0.04, channels=[channel], personal=personal
    )
    assert plan.recommended.margin <= 0.04
    found = planned(plan, np.array([1 - share, share]), ["drugs=yes", "drugs=no"], seed=4)
    assert (found >= ENOUGH).all(), found


@pytest.mark.parametrize("channel", ["related", "crosswise", "forced"])
def test_the_most_private_design_for_a_given_survey_reaches_it_too(channel: str) -> None:
    plan = plan_survey({"drugs": 0.1}, epsilon=3, margin=0.05, respondents=1500, channels=[channel])
    found = planned(plan, np.array([0.9, 0.1]), ["drugs=yes"], seed=5)
    assert (found >= ENOUGH).all(), found


@pytest.mark.slow
@pytest.mark.parametrize("otherwise", ["no", "truth"])
@pytest.mark.parametrize("comply", [[0.9, 1], [0.8, 0.9]])
def test_people_who_do_not_follow_the_device_can_be_allowed_for(
    comply: list[float], otherwise: Any
) -> None:
    wish: dict[str, Any] = {"margin": 0.04, "comply": comply, "otherwise": otherwise}
    for plan in (
        plan_survey({"drugs": 0.2}, epsilon=2, **wish),
        plan_survey({"drugs": 0.2}, epsilon=4, respondents=5000, **wish),
    ):
        found = planned(plan, np.array([0.8, 0.2]), ["drugs=yes"], seed=6)
        assert (found >= ENOUGH).all(), found


def test_every_value_of_a_question_with_several_answers_is_promised_the_margin() -> None:
    shares = {"low": 0.5, "middle": 0.35, "high": 0.15}
    plan = plan_survey({"income": shares}, epsilon=1.5, margin=0.05, channels=["keep-or-uniform"])
    found = planned(plan, np.array(list(shares.values())), [f"income={v}" for v in shares], seed=7)
    assert (found >= ENOUGH).all(), found


@pytest.mark.slow
@pytest.mark.parametrize("channel", ["related", "keep-or-uniform"])
def test_joint_cells_reach_their_margin(channel: str) -> None:
    plan = plan_survey(
        {"drugs": 0.2, "cheated": 0.3},
        epsilon=3,
        respondents=3000,
        channels=[channel],
        together=[["drugs", "cheated"]],
    )
    margin = plan.recommended.joint_margin
    assert margin is not None
    truth = np.outer([0.8, 0.2], [0.7, 0.3]).ravel()
    pairs = [
        (f"drugs={a} & cheated={b}", float(p))
        for (a, b), p in zip(product(["no", "yes"], repeat=2), truth, strict=True)
    ]
    found = kept(plan.design, whole_matrix(plan.design) @ truth, pairs, 3000, margin, seed=8)
    assert (found >= ENOUGH).all(), found


def yes_no(kind: str, signal: str) -> Group:
    family = DesignFamily(kind, personal=Fraction("0.3"), split=Fraction("1/4"))
    return family.group(YES_NO.attributes, family.theta(Fraction(signal), YES_NO.attributes))


def among(share: float) -> Population:
    return Population.of_shares(YES_NO, {"drugs": np.array([1 - share, share])})


@pytest.mark.slow
@pytest.mark.parametrize("kind", planned_kinds())
def test_the_margin_is_kept_with_the_promised_probability_exactly(kind: str) -> None:
    """With one yes/no question the number of reported yeses says all, and is binomial."""
    for signal, share, margin in product(
        ["0.2", "0.5", "0.9"], [0.01, 0.05, 0.2, 0.5, 0.9], [0.02, 0.05, 0.1]
    ):
        group = yes_no(kind, signal)
        foreseen = cells([group], ["drugs"], among(share))
        start = foreseen.variance.max() * standard_errors(0.95) ** 2 / margin**2
        n = fewest(lambda n: bool((foreseen.margins(n, 0.95) <= margin).all()), start)  # noqa: B023
        assert n is not None
        counts = np.arange(n + 1.0)
        reported = float(group.channel.matrix([0])[1] @ [1 - share, share])
        chances = binom.pmf(counts, n, reported)
        no, yes = group.channel.undo(np.eye(2))[1]
        sums = [(n - counts) * no**k + counts * yes**k for k in (1, 2, 3)]
        moment = np.full(n + 1, group.channel.second_moment(np.array([[1]]))[0])
        found = estimated(n, "population", sums, moment)
        low, high = found.interval(0.95)
        slightly_more = margin * (1 + 1e-9)
        assert chances[np.abs(found.share - share) <= slightly_more].sum() >= 0.95
        assert chances[(high - low) / (2 * n) <= slightly_more].sum() >= 0.95


def rejected(group: Group, share: float, against: float, n: int) -> float:
    """Chance that the oracle's interval does not hold the other share, by the binomial itself."""
    counts = np.arange(n + 1.0)
    no, yes = group.channel.undo(np.eye(2))[1]
    sums = [(n - counts) * no**k + counts * yes**k for k in (1, 2, 3)]
    moment = np.full(n + 1, group.channel.second_moment(np.array([[1]]))[0])
    low, high = estimated(n, "population", sums, moment).interval(0.95)
    reported = float(group.channel.matrix([0])[1] @ [1 - share, share])
    missed = (against * n < low - 1e-9) | (against * n > high + 1e-9)
    return float(binom.pmf(counts, n, reported)[missed].sum())


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["related", "unrelated", "forced", "mangat"])
def test_power_is_promised_to_so_many_respondents_and_to_more(kind: str) -> None:
    for signal, (share, against) in product(
        ["0.3", "0.9", "0.99"], [(0.02, 0.0), (0.02, 0.01), (0.1, 0.01), (0.3, 0.4), (0.01, 0.05)]
    ):
        group = yes_no(kind, signal)
        test = share_test(group, "drugs", among(share), against)
        n = fewest(lambda n: test.power(n, 0.95) >= 0.8)  # noqa: B023
        assert n is not None
        if n > 50_000:
            continue
        for more in (0, 1, 2, 5, 10, n // 3, n):
            found = rejected(group, share, against, n + more)
            assert found >= test.power(n + more, 0.95) - 1e-9 >= 0.8 - 2e-9
        # The price is at most the chance of two counts: where the edge is, and one count less.
        reported = float(group.channel.matrix([0])[1] @ [1 - share, share])
        likeliest = binom.pmf(np.floor((n + 1) * reported), n, reported)
        assert rejected(group, share, against, n) - test.power(n, 0.95) <= 2 * likeliest + 0.025


@pytest.mark.slow
def test_moments_are_those_of_enumeration() -> None:
    rng = np.random.default_rng(9)
    schema = Schema.of({"a": ["0", "1"], "b": ["0", "1", "2"], "c": ["0", "1"]})
    a, b, c = schema.attributes
    for first, second in product(["related", "keep-or-uniform", "unrelated"], ["forced", "mangat"]):
        groups = (
            DesignFamily(first).group([b, a], Fraction(int(rng.integers(600, 900)), 1000)),
            DesignFamily(second).group([c], Fraction(int(rng.integers(300, 900)), 1000)),
        )
        shares = {x.name: rng.dirichlet(np.ones(x.size)) for x in schema}
        people = Population.of_shares(schema, shares)
        found = cells(groups, ["a", "b", "c"], people)
        truths = list(product(range(3), range(2), range(2)))  # the groups' order: b, a, c
        chance = {t: shares["b"][t[0]] * shares["a"][t[1]] * shares["c"][t[2]] for t in truths}
        for place, cell in enumerate(truths):
            weight = {
                r: float(
                    groups[0].channel.weights(cell[:2], np.array([r[:2]]))[0]
                    * groups[1].channel.weights(cell[2:], np.array([r[2:]]))[0]
                )
                for r in truths
            }
            sent = {(r, t): _sent(groups, r, t) for r in truths for t in truths}
            for power in range(1, 7):
                moment = sum(
                    chance[t] * sent[r, t] * weight[r] ** power for r in truths for t in truths
                )
                assert found.moments[power - 1, place] == pytest.approx(
                    moment, rel=1e-12, abs=1e-12
                )
            second_moment = sum(sent[r, cell] * weight[r] ** 2 for r in truths)
            assert found.second[place] == pytest.approx(second_moment, rel=1e-12)
            assert found.moments[0, place] == pytest.approx(chance[cell], abs=1e-12)


def _sent(groups: Sequence[Group], report: tuple[int, ...], truth: tuple[int, ...]) -> float:
    first, second = groups
    return float(
        first.channel.chance(np.array(report[:2]), np.array(truth[:2]))
        * second.channel.chance(np.array(report[2:]), np.array(truth[2:]))
    )


@pytest.mark.parametrize("kind", planned_kinds())
@pytest.mark.parametrize("otherwise", ["no", "truth"])
def test_the_effective_channel_is_that_of_enumeration(kind: str, otherwise: Any) -> None:
    group = yes_no(kind, "0.7")
    np.testing.assert_allclose(
        np.array(group.channel.exact_columns(), dtype=float).T,
        group.channel.matrix([0]),
        atol=1e-15,
    )
    compliance = Compliance(Fraction("0.85"), Fraction("0.95"), otherwise)
    actual = compliance.effective(group)
    expected = np.zeros((2, 2))
    for truth, follows in product((0, 1), (True, False)):
        rate = 0.85 if truth else 0.95
        for report in (0, 1):
            answers = float(report == (truth if otherwise == "truth" else 0))
            device = group.channel.matrix([0])[report, truth]
            expected[report, truth] += rate * device if follows else (1 - rate) * answers
    np.testing.assert_allclose(actual.channel.matrix([0]), expected, atol=1e-12)
    off = biases(group, actual, [0.8, 0.2])
    by_hand = np.linalg.inv(group.channel.matrix([0])) @ expected @ [0.8, 0.2] - [0.8, 0.2]
    np.testing.assert_allclose(off, by_hand, atol=1e-12)
