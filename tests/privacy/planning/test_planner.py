"""The planner: limits hold, goals are kept, and what cannot be had is answered by what would."""

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import inf, log
from typing import Any

import numpy as np
import pytest

from deniable.base.errors import DeniableError
from deniable.design import Design, Group
from deniable.engine.memory.records import Records
from deniable.privacy.measures.single_answer import (
    best_guess,
    entry_matrix,
    epsilon,
    guess_after,
    pse_before_mining,
)
from deniable.privacy.plan.families import DesignFamily, planned_kinds
from deniable.privacy.plan.limits import Limits, PlannedPrivacy, readings
from deniable.privacy.plan.plan import Plan
from deniable.privacy.plan.plan_request import PlanRequest
from deniable.privacy.plan.plan_survey import plan_survey
from deniable.privacy.plan.read_request import expected
from deniable.privacy.plan.search import parts
from deniable.privacy.population import Population
from deniable.schema import Schema

QUESTIONS: dict[str, Any] = {
    "drugs": 0.3,
    "cheated": 0.25,
    "income": {"low": 0.5, "middle": 0.3, "high": 0.2},
}
ROUNDING = 1e-12
FEW = ["related", "keep-or-uniform"]
"""Enough where it does not matter which channels are compared, and quicker."""


def privacy(groups: Sequence[Group], population: Population) -> PlannedPrivacy:
    """What a design gives away, as the planner measures it."""
    read = [each for group in groups for each in readings(group, population).values()]
    return PlannedPrivacy.of([epsilon(group.channel) for group in groups], read)


def measured(plan: Plan) -> tuple[float, float, float]:
    """ε of the record, the best guess and the least PSE, from the document that is written."""
    design = Design.of(plan.document()["design"])
    entries = [(entry_matrix(g, name), name) for g in design.groups for name in g.names]
    shares = plan.request.population.table
    return (
        sum(epsilon(group.channel) for group in design.groups),
        max(guess_after(matrix, shares([name])) for matrix, name in entries),
        min(pse_before_mining(matrix, shares([name])) for matrix, name in entries),
    )


@pytest.mark.slow
@pytest.mark.parametrize("together", [[], [["drugs", "cheated"]], [["drugs", "cheated", "income"]]])
@pytest.mark.parametrize(
    "limits",
    [
        {"epsilon": 2.0},
        {"epsilon": 0.7},
        {"epsilon": 1.0, "per": "attribute"},
        {"guess": 0.8},
        {"pse": 0.3},
        {"epsilon": 3.0, "guess": 0.78, "pse": 0.25},
    ],
)
def test_the_recommended_design_is_within_every_limit(
    limits: dict[str, Any], together: list[list[str]]
) -> None:
    channels = FEW if together else []
    plan = plan_survey(QUESTIONS, margin=0.05, together=together, channels=channels, **limits)
    whole, guess, pse = measured(plan)
    if "epsilon" in limits and limits.get("per") != "attribute":
        assert whole <= limits["epsilon"] * (1 + ROUNDING)
    if limits.get("per") == "attribute":
        assert all(epsilon(g.channel) <= limits["epsilon"] for g in plan.design.groups)
    assert guess <= limits.get("guess", 1) + ROUNDING
    assert pse >= limits.get("pse", 0) - ROUNDING
    assert whole == pytest.approx(plan.recommended.epsilon)
    # Read with the rest of its group, an attribute is guessed at least as well as alone.
    assert guess <= plan.recommended.guess + ROUNDING <= limits.get("guess", 1) + 2 * ROUNDING
    assert pse >= plan.recommended.pse - ROUNDING
    for row in plan.tradeoff:
        assert row.within or not row.recommended


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", [kind for kind in planned_kinds() if kind not in {"mangat", "triangular"}]
)
@pytest.mark.parametrize("limit", [0.05, 0.5, log(3), 2, 5])
def test_theta_is_the_largest_of_three_decimals_within_epsilon(kind: str, limit: float) -> None:
    plan = plan_survey({"drugs": 0.3}, epsilon=limit, respondents=1000, channels=[kind])
    (theta,) = plan.recommended.thetas
    # With the smallest step more, the limit would be broken.
    family = DesignFamily(kind)
    exactly = Fraction(str(theta))
    near = min(abs(exactly - end) for end in family.ends(ATTRIBUTES))
    step = Fraction(1, 1000 if near >= Fraction("0.05") else 100_000)
    assert exactly.limit_denominator(100_000) == exactly
    assert epsilon(family.group(ATTRIBUTES, exactly).channel) <= limit
    assert epsilon(family.group(ATTRIBUTES, exactly + step).channel) > limit


ATTRIBUTES = Schema.of({"drugs": ["no", "yes"]}).attributes


@pytest.mark.parametrize("kind", planned_kinds())
@pytest.mark.parametrize("size", [2, 3, 5])
def test_privacy_and_precision_are_monotone_in_the_signal(kind: str, size: int) -> None:
    schema = Schema.of({"a": [str(v) for v in range(size)]})
    family = DesignFamily(kind, personal=Fraction("0.3"), split=Fraction("1/4"))
    if not family.suits(schema.attributes):
        return
    people = Population.of_shares(schema, {"a": np.arange(1, size + 1) / sum(range(size + 1))})
    found = []
    for signal in range(20_000, 1_000_000, 70_000):
        theta = family.theta(Fraction(signal, 10**6), schema.attributes)
        found.append(privacy([family.group(schema.attributes, theta)], people))
    for weaker, stronger in pairwise(found):
        assert weaker.epsilon <= stronger.epsilon + ROUNDING
        assert weaker.guess <= stronger.guess + ROUNDING
        assert weaker.pse >= stronger.pse - ROUNDING
    assert found[0].guess >= best_guess(people.table(["a"])) - ROUNDING


def test_reading_a_group_is_the_bayes_guess_of_enumeration() -> None:
    schema = Schema.of({"a": ["0", "1"], "b": ["0", "1", "2"]})
    rng = np.random.default_rng(1)
    codes = [rng.integers(0, 2, 200), rng.integers(0, 3, 200)]
    people = Population.of_records(Records.from_codes(codes, schema))
    for kind in ("related", "keep-or-uniform", "unrelated"):
        family = DesignFamily(kind, personal=Fraction("0.3"))
        group = family.group(schema.attributes, Fraction("0.7"))
        table = people.table(["a", "b"])
        guess, pse = 0.0, inf
        for axis in (0, 1):
            best = wrong = 0.0
            for report in product(range(2), range(3)):
                by_value = np.zeros(schema.sizes[axis])
                for truth in product(range(2), range(3)):
                    chance = group.channel.chance(np.array(report), np.array(truth))
                    by_value[truth[axis]] += table[truth] * float(chance)
                best += by_value.max()
                wrong += (by_value * (1 - by_value / by_value.sum())).sum()
            guess, pse = max(guess, best), min(pse, wrong)
        found = privacy([group], people)
        assert found.guess == pytest.approx(guess, abs=1e-12)
        assert found.pse == pytest.approx(pse, abs=1e-12)


@pytest.mark.slow
def test_with_room_the_most_private_design_that_keeps_the_margin_is_recommended() -> None:
    strict = plan_survey({"drugs": 0.1}, epsilon=3, margin=0.05, respondents=2000)
    assert strict.recommended.epsilon < 1
    assert strict.recommended.margin <= 0.05
    assert strict.respondents == 2000
    (theta,) = strict.recommended.thetas
    a_step_less = plan_survey(
        {"drugs": 0.1}, epsilon=log((theta - 0.001) / (1.001 - theta)) + 1e-9, respondents=2000
    )
    assert a_step_less.recommended.margin > 0.05
    assert plan_survey({"drugs": 0.1}, margin=0.05, respondents=2000).recommended.thetas == (theta,)


@pytest.mark.slow
@pytest.mark.parametrize("together", [[], [["drugs", "cheated"]]])
def test_no_line_of_the_trade_off_within_the_limits_beats_the_recommended_one(
    together: list[list[str]],
) -> None:
    """An even share of ε starves the question with the most values; equal signals do not."""
    plan = plan_survey(QUESTIONS, epsilon=3, margin=0.04, together=together)
    for row in plan.tradeoff:
        if row.within:
            assert row.figures.margin >= plan.recommended.margin / 1.01


@pytest.mark.slow
def test_more_respondents_and_more_room_never_hurt() -> None:
    for few, many in pairwise([500, 1000, 4000, 16000]):
        a, b = (
            plan_survey({"drugs": 0.1}, epsilon=2, respondents=n, channels=FEW) for n in (few, many)
        )
        assert a.recommended.margin > b.recommended.margin
    for strict, loose in pairwise([0.5, 1, 2, 4]):
        a, b = (
            plan_survey({"drugs": 0.1}, epsilon=e, margin=0.03, channels=FEW)
            for e in (strict, loose)
        )
        assert a.respondents > b.respondents


@pytest.mark.slow
@pytest.mark.parametrize(
    "wish",
    [
        {"epsilon": 2.0, "margin": 0.03, "together": [["drugs", "cheated", "income"]]},
        {"guess": 0.76, "margin": 0.02},
        {"pse": 0.33, "margin": 0.03},
        {"epsilon": 0.5, "per": "attribute", "margin": 0.03},
        {"epsilon": 1.0, "power": 0.9, "against": {"drugs": 0.25}},
    ],
)
def test_what_cannot_be_had_is_answered_by_what_would_do(wish: dict[str, Any]) -> None:
    n, wish = 3000, {**wish, "channels": FEW}
    with pytest.raises(
        DeniableError, match=r"3,000 respondents within .* at best, not "
    ) as refusal:
        plan_survey(QUESTIONS, respondents=n, **wish)
    hint = refusal.value.hint
    people = re.search(r"ask ([\d,]+) people", hint)
    looser = re.search(r"--(epsilon|guess|pse) (\d+(?:\.\d+)?)", hint)
    margin = re.search(r"--margin (\d+\.\d+)", hint)
    assert people
    assert looser
    asked = int(people[1].replace(",", ""))
    assert plan_survey(QUESTIONS, **{**wish, "respondents": asked}).respondents == asked
    eased = {**wish, looser[1]: float(looser[2]), "respondents": n}
    assert plan_survey(QUESTIONS, **eased).respondents == n
    if "margin" in wish:
        assert margin
        plan_survey(QUESTIONS, **{**wish, "margin": float(margin[1]), "respondents": n})


@pytest.mark.slow
def test_one_group_is_chosen_where_joint_cells_are_known_better_so() -> None:
    names = ["drugs", "cheated", "income"]
    plan = plan_survey(QUESTIONS, epsilon=2, margin=0.05, together=[names])
    worst = {each.groups: each.joint_margin for each in plan.alternatives}
    assert len(worst) == 3  # three groups, two, one
    assert plan.recommended.groups == ((*names,),)
    assert plan.worst_cell is not None
    assert {term.split("=")[0] for term in plan.worst_cell.split(" & ")} == set(names)
    # ε decides, not taste: per attribute, groups of their own do not share it.
    alone = plan_survey(QUESTIONS, epsilon=2, per="attribute", margin=0.05)
    assert alone.recommended.groups == (("drugs",), ("cheated",), ("income",))


def test_a_related_group_is_excluded_by_a_limit_on_epsilon() -> None:
    questions = {"drugs": 0.3, "cheated": 0.2}
    together = [["drugs", "cheated"]]
    plan = plan_survey(questions, epsilon=2, margin=0.05, together=together, channels=["related"])
    assert {each.groups for each in plan.alternatives} == {(("drugs",), ("cheated",))}
    loose = plan_survey(questions, guess=0.95, margin=0.05, together=together, channels=["related"])
    wide = [each for each in loose.alternatives if len(each.groups) == 1]
    assert all(each.epsilon == inf for each in wide)


def test_sets_are_cut_from_all_alone_to_all_in_one() -> None:
    def named(together: list[list[str]], *cuts: list[int]) -> list[str]:
        sets = tuple(map(tuple, together))
        request = PlanRequest(expected(dict.fromkeys("abcde", 0.3)), Limits(1), together=sets)
        return [
            "|".join("".join(a.name for a in part) for part in parts(request, tuple(cut)))
            for cut in cuts
        ]

    assert named([], []) == ["a|b|c|d|e"]
    assert named([["b", "c", "d"]], [3], [2], [1]) == ["a|b|c|d|e", "a|bc|d|e", "a|bcd|e"]
    assert named([["a", "b"], ["b", "c"]], [1]) == ["abc|d|e"]  # sets that touch are one
    assert named([["a", "b"], ["c", "d"]], [1, 2], [2, 1]) == ["ab|c|d|e", "a|b|cd|e"]


def test_a_pilot_gives_shares_and_how_questions_depend_on_each_other() -> None:
    schema = Schema.of({"a": ["no", "yes"], "b": ["no", "yes"], "c": ["no", "yes"]})
    a = np.array([0] * 700 + [1] * 300)
    same = Records.from_codes([a, a, 1 - a], schema)
    plan = plan_survey(
        same, epsilon=2, margin=0.05, together=[["a", "b"]], public=["c"], respondents=4000
    )
    assert plan.design.public == ("c",)
    assert plan.request.population.table(["a", "b"]).tolist() == [[0.7, 0.0], [0.0, 0.3]]


def test_power_decides_the_number_where_it_is_asked_for() -> None:
    plan = plan_survey({"drugs": 0.1}, epsilon=1.5, power=0.9, against=0.05)
    assert plan.recommended.power is not None
    assert plan.recommended.power >= 0.9
    fewer = plan_survey({"drugs": 0.1}, epsilon=1.5, against=0.05, respondents=plan.respondents - 1)
    assert fewer.recommended.power is not None
    assert fewer.recommended.power < 0.9


def test_the_bias_of_people_who_do_not_follow_the_device_is_foreseen() -> None:
    plan = plan_survey({"drugs": 0.2}, epsilon=2, margin=0.04, comply=[0.9, 1])
    assert plan.shortfall is not None
    (theta,) = plan.recommended.thetas
    # Of those with the trait a tenth says no: θ·0.2 of all reports lose 0.1·θ, over 2θ − 1.
    assert plan.shortfall.bias["drugs"]["yes"] == pytest.approx(
        -0.2 * 0.1 * theta / (2 * theta - 1), abs=1e-12
    )
    assert plan.shortfall.followed.respondents is not None
    assert plan.shortfall.followed.respondents < plan.respondents


@pytest.mark.parametrize(
    ("questions", "wish", "sentence"),
    [
        ({}, {"epsilon": 1}, "no question"),
        ({"a": 0}, {"epsilon": 1}, "everybody has, or nobody"),
        ({"a": 0.1}, {}, "no limit on privacy"),
        ({"a": 0.1}, {"margin": 0.03}, "no limit on privacy"),
        ({"a": 0.1}, {"epsilon": 0}, "no limit"),
        ({"a": 0.1}, {"epsilon": inf}, "no limit"),
        ({"a": 0.1}, {"epsilon": 1, "per": "person"}, "not per 'person'"),
        ({"a": 0.1}, {"guess": 0.8}, "already guesses 'a' right 90 % of the time"),
        ({"a": 0.1}, {"pse": 0.2}, "PSE 0.18"),
        ({"a": 0.1}, {"epsilon": 1, "margin": 2}, "margin = 2"),
        ({"a": 0.1}, {"epsilon": 1, "power": 0.9}, "against"),
        ({"a": 0.1}, {"epsilon": 1, "power": 0.9, "against": 0.1}, "just the share"),
        ({"a": 0.1}, {"epsilon": 1, "against": {"b": 0.1}}, "no yes/no question"),
        ({"a": 0.1}, {"epsilon": 1, "level": 95}, "level = 95"),
        ({"a": 0.1}, {"epsilon": 1, "respondents": 3}, "too few"),
        ({"a": 0.1}, {"epsilon": 1, "channels": ["warner"]}, "'warner'"),
        ({"a": 0.1}, {"epsilon": 1, "channels": ["mangat"]}, "No mangat design"),
        ({"a": 0.1}, {"epsilon": 1e-5, "margin": 0.1}, "tells anything at all"),
        ({"a": 0.1}, {"epsilon": 1, "margin": 1e-6}, "too few"),
        ({"a": 0.1}, {"epsilon": 1, "personal": 0}, "always the same"),
        ({"a": 0.1}, {"epsilon": 1, "comply": 0}, "nobody follows"),
        ({"a": 0.1}, {"epsilon": 1, "comply": [0.9, 1, 1]}, "one share, or two"),
        ({"a": 0.1}, {"epsilon": 1, "comply": [0.2, 1]}, "So few follow"),
        ({"a": 0.1}, {"epsilon": 1, "comply": 0.9, "otherwise": "maybe"}, "'maybe'"),
        ({"a": 0.1}, {"epsilon": 1, "together": [["a"]]}, "two attributes"),
        ({"a": 0.1, "b": 0.1}, {"epsilon": 1, "together": [["a", "x"]]}, "no attribute 'x'"),
        ({"a": {"x": 0.5, "y": 0.6}}, {"epsilon": 1}, "sum to 1.1"),
        (
            {"a": {"x": 0.2, "y": 0.3, "z": 0.5}},
            {"epsilon": 1, "channels": ["crosswise"]},
            "yes/no",
        ),
    ],
)
def test_bad_wishes_are_refused_in_one_sentence(
    questions: dict[str, Any], wish: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(DeniableError) as refusal:
        plan_survey(questions, **wish)
    assert sentence in refusal.value.message
    assert refusal.value.hint


def test_limits_are_checked_on_the_design_that_is_written() -> None:
    found = privacy(Design.of(EXAMPLE).groups, Population.even(Design.of(EXAMPLE).schema))
    assert found.epsilon == pytest.approx(log(4) + log(3))
    assert found.within(Limits(epsilon=log(12)))
    assert not found.within(Limits(epsilon=log(11)))
    assert found.within(Limits(epsilon=log(4), per="attribute"))


EXAMPLE = {
    "attributes": {"a": ["no", "yes"], "b": ["no", "yes"]},
    "groups": [
        {"attributes": ["a"], "channel": "related", "theta": "4/5"},
        {"attributes": ["b"], "channel": "keep-or-uniform", "theta": "1/2"},
    ],
}


TEN = {str(value): 0.1 for value in range(10)}
TWENTY = {str(value): 0.05 for value in range(20)}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("questions", "epsilon", "margin", "people"),
    [
        # Found by bisection over n: each group by itself at the weakest signal that keeps the
        # margin, the sum of their ε within the limit. Equal signals take 5,520 and 1,343.
        ({"d": 0.1, "t": TEN}, 3, 0.03, 3421),
        ({"d": 0.01, "e": 0.5}, 6, 0.03, 1170),
    ],
)
def test_epsilon_is_shared_out_so_that_all_questions_need_the_same_people(
    questions: dict[str, Any], epsilon: float, margin: float, people: int
) -> None:
    plan = plan_survey(questions, epsilon=epsilon, margin=margin, channels=FEW)
    assert plan.respondents <= people * 1.01  # designs within one percent are equals
    assert plan.recommended.epsilon <= epsilon
    # The same in the other direction: the most precise with so many people.
    back = plan_survey(questions, epsilon=epsilon, respondents=plan.respondents, channels=FEW)
    assert back.recommended.margin <= margin * 1.01


@pytest.mark.slow
@pytest.mark.parametrize(
    ("questions", "n"),
    [({"a": 0.3, "t": TEN, "u": TWENTY}, 5000), ({"d": 0.02, "e": 0.5}, 1500)],
)
def test_each_question_gets_no_more_signal_than_its_margin_needs(
    questions: dict[str, Any], n: int
) -> None:
    whole = plan_survey(questions, margin=0.03, respondents=n, channels=["related"])
    alone = [
        plan_survey({name: share}, margin=0.03, respondents=n, channels=["related"])
        for name, share in questions.items()
    ]
    assert whole.recommended.thetas == tuple(each.recommended.thetas[0] for each in alone)
    assert whole.recommended.epsilon == pytest.approx(sum(e.recommended.epsilon for e in alone))
    # A limit that does not bind changes nothing.
    limited = plan_survey(questions, margin=0.03, respondents=n, epsilon=9, channels=["related"])
    assert limited.recommended.thetas == whole.recommended.thetas


def test_a_question_that_is_not_tested_is_known_no_worse_than_those_that_are() -> None:
    wish: dict[str, Any] = {"power": 0.9, "against": {"d": 0.2}, "channels": ["related"]}
    plan = plan_survey({"d": 0.1, "e": 0.5}, respondents=2000, **wish)
    alone = plan_survey({"d": 0.1}, respondents=2000, **wish)
    assert plan.recommended.thetas[0] == alone.recommended.thetas[0]
    d, e = (2 * theta - 1 for theta in plan.recommended.thetas)
    assert 0.25 / e**2 <= 0.25 / d**2 - 0.25 + 0.1 * 0.9  # variances: reported, and of d
    limited = plan_survey({"d": 0.1, "e": 0.5}, respondents=2000, epsilon=1.5, **wish)
    assert limited.recommended.epsilon <= 1.5


@pytest.mark.slow
def test_the_best_of_many_cuts_is_found_set_by_set() -> None:
    questions = {f"q{i}": (i + 10) / 100 for i in range(1, 13)}
    together = [[f"q{i}" for i in range(first, first + 3)] for first in (1, 4, 7, 10)]
    plan = plan_survey(
        questions, epsilon=10, margin=0.05, together=together, channels=["keep-or-uniform"]
    )
    assert plan.recommended.groups == tuple(map(tuple, together))
    joint = [each.joint_margin for each in plan.alternatives if each.joint_margin is not None]
    assert plan.recommended.joint_margin == min(joint)
    needed = {each.groups: each.respondents for each in plan.alternatives}
    assert plan.respondents == min(n for n in needed.values() if n is not None)
    assert tuple((name,) for name in questions) in needed


@pytest.mark.slow
@pytest.mark.parametrize(
    ("share", "wish"),
    [
        (0.3, {"epsilon": 1.5, "comply": ["1", "0.6"]}),
        (0.3, {"guess": 0.75, "comply": ["1", "0.6"]}),
        (0.3, {"guess": 0.75, "comply": "0.9", "otherwise": "truth"}),
        (0.3, {"pse": 0.3, "comply": "0.9", "otherwise": "truth"}),
        (0.3, {"pse": 0.3, "comply": ["0.7", "1"]}),
    ],
)
def test_limits_hold_whether_all_follow_the_device_or_not(
    share: float, wish: dict[str, Any]
) -> None:
    plan = plan_survey({"d": share}, margin=0.04, **wish)
    assert plan.shortfall is not None
    found = [privacy(design.groups, plan.request.population) for design in plan.designs]
    assert len(found) == 2
    assert all(each.within(plan.request.limits) for each in found)
    assert plan.recommended.epsilon == max(each.epsilon for each in found)
    assert plan.recommended.guess == max(each.guess for each in found)
    assert plan.recommended.pse == min(each.pse for each in found)


def test_a_limit_that_behaviour_alone_breaks_is_refused() -> None:
    # A yes is 1/0.6 times likelier from those with the trait even if the device says nothing.
    with pytest.raises(DeniableError, match="whatever the device"):
        plan_survey({"d": 0.3}, epsilon=log(1 / 0.6) - 0.01, comply=["1", "0.6"])
    # Signals that are strong enough for so few followers cost more than there is.
    with pytest.raises(DeniableError, match="So few follow"):
        plan_survey({"d": 0.3, "e": 0.3}, epsilon=1, comply=["0.5", "1"])


def test_a_public_answer_is_known_to_whoever_guesses() -> None:
    schema = Schema.of({"a": ["no", "yes"], "c": ["no", "yes", "maybe"]})
    rng = np.random.default_rng(2)
    a = (rng.random(500) < 0.4).astype(int)
    records = Records.from_codes([a, np.where(rng.random(500) < 0.7, a, 2)], schema)
    plan = plan_survey(records, guess=0.9, respondents=2000, public=["c"], channels=["related"])
    (theta,) = plan.recommended.thetas
    table = Population.of_records(records).table(["a", "c"])
    guess = sum(
        max(table[v, c] * (theta if r == v else 1 - theta) for v in (0, 1))
        for c, r in product(range(3), (0, 1))
    )
    assert plan.recommended.guess == pytest.approx(guess, abs=1e-12)
    assert guess <= 0.9
    assert plan.readings["a"].before == pytest.approx(table.max(axis=0).sum())
    with pytest.raises(DeniableError, match="nothing else is asked"):
        plan_survey(records, epsilon=1, public=["a", "c"])


def test_near_no_disguise_theta_has_more_decimals() -> None:
    plan = plan_survey({"d": 0.001}, epsilon=8, margin=0.002)
    assert plan.recommended.channel == "related"
    assert 7.9 < plan.recommended.epsilon <= 8
    assert plan.respondents < 3100  # three decimals: ε = 6.9, and 3,681 people


@pytest.mark.parametrize(
    ("wish", "hint"),
    [
        ({"epsilon": 0.01, "power": 0.99, "against": 0.09999}, "Ask for less precision."),
        ({"epsilon": 1, "power": 0.9, "against": 0.05, "margin": 0.02}, r"Ask [\d,]+ people\."),
        (
            {"epsilon": 0.1, "margin": 0.03},
            r"Either ask [\d,]+ people, or allow --epsilon [\d.]+\.",
        ),
    ],
)
def test_hints_are_sentences_and_never_nonsense(wish: dict[str, Any], hint: str) -> None:
    with pytest.raises(DeniableError) as refusal:
        plan_survey({"d": 0.1}, respondents=1000, **wish)
    assert re.fullmatch(hint, refusal.value.hint)


@pytest.mark.slow
def test_the_margin_that_is_reached_is_the_best_of_all_channels() -> None:
    questions = {"a": 0.1, "b": 0.1, "c": dict.fromkeys("vwxyz", 0.2)}
    wish: dict[str, Any] = {"pse": 0.162, "respondents": 200, "comply": ["0.9", "1"]}
    with pytest.raises(DeniableError, match=r"reach ± (\d+\.?\d*) points") as refusal:
        plan_survey(questions, margin=0.02, **wish)
    reached = re.search(r"accept --margin (\d\.\d+)", refusal.value.hint)
    assert reached
    best = plan_survey(questions, **wish)
    assert float(reached[1]) <= best.recommended.margin + 0.001


@pytest.mark.slow
@pytest.mark.parametrize(("share", "pse"), [(0.05, 0.0855), (0.05, 0.0285), (0.1, 0.09)])
def test_among_designs_that_need_about_as_many_people_the_least_epsilon_is_taken(
    share: float, pse: float
) -> None:
    plan = plan_survey({"d": share}, pse=pse, margin=0.03)
    close = [e for e in plan.alternatives if (e.respondents or inf) <= 1.02 * plan.respondents]
    assert len(close) > 1
    assert plan.recommended.epsilon <= min(each.epsilon for each in close) * 1.01
    assert plan.respondents <= 1.031 * min(each.respondents or inf for each in plan.alternatives)


def test_simulated_surveys_are_those_of_people_who_may_not_follow_the_device() -> None:
    plan = plan_survey({"d": 0.3}, epsilon=2, margin=0.04, comply="0.9")
    assert plan.shortfall is not None
    (row,) = (row for row in plan.tradeoff if row.recommended)
    assert row.design.groups == plan.shortfall.design.groups
