"""The planner: limits hold, goals are kept, and what cannot be had is answered by what would."""

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import inf, log
from typing import Any

import numpy as np
import pytest

from deniable.design import Design
from deniable.engine.records import Records
from deniable.errors import DeniableError
from deniable.privacy.entry import (
    entry_matrix,
    epsilon,
    guess_after,
    guess_before,
    pse_before_mining,
)
from deniable.privacy.planning.families import KINDS, Family
from deniable.privacy.planning.layout import Layout, partitions, privacy
from deniable.privacy.planning.planner import Plan
from deniable.privacy.planning.survey import plan_survey
from deniable.privacy.planning.wish import Limits
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


def measured(plan: Plan) -> tuple[float, float, float]:
    """ε of the record, the best guess and the least PSE, from the document that is written."""
    design = Design.of(plan.document()["design"])
    entries = [(entry_matrix(g, name), name) for g in design.groups for name in g.names]
    shares = plan.wish.population.table
    return (
        sum(epsilon(group.channel) for group in design.groups),
        max(guess_after(matrix, shares([name])) for matrix, name in entries),
        min(pse_before_mining(matrix, shares([name])) for matrix, name in entries),
    )


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


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in {"mangat", "triangular"}])
@pytest.mark.parametrize("limit", [0.05, 0.5, log(3), 2, 5])
def test_theta_is_the_largest_of_three_decimals_within_epsilon(kind: str, limit: float) -> None:
    plan = plan_survey({"drugs": 0.3}, epsilon=limit, respondents=1000, channels=[kind])
    (theta,) = plan.recommended.thetas
    # With the smallest step more, the limit would be broken.
    family = Family(kind)
    step = Fraction(1, 1000 if abs(theta - float(family.ends(ATTRIBUTES)[0])) >= 0.05 else 100_000)
    exactly = Fraction(str(theta))
    assert exactly.limit_denominator(100_000) == exactly
    assert epsilon(family.group(ATTRIBUTES, exactly).channel) <= limit
    assert epsilon(family.group(ATTRIBUTES, exactly + step).channel) > limit


ATTRIBUTES = Schema.of({"drugs": ["no", "yes"]}).attributes


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [2, 3, 5])
def test_privacy_and_precision_are_monotone_in_the_signal(kind: str, size: int) -> None:
    schema = Schema.of({"a": [str(v) for v in range(size)]})
    family = Family(kind, personal=Fraction("0.3"), split=Fraction("1/4"))
    if not family.suits(schema.attributes):
        return
    people = Population.of_shares(schema, {"a": np.arange(1, size + 1) / sum(range(size + 1))})
    found = []
    for signal in range(20_000, 1_000_000, 70_000):
        groups = Layout(family, (schema.attributes,)).groups([signal])
        found.append(privacy(groups, people))
    for weaker, stronger in pairwise(found):
        assert weaker.epsilon <= stronger.epsilon + ROUNDING
        assert weaker.guess <= stronger.guess + ROUNDING
        assert weaker.pse >= stronger.pse - ROUNDING
    assert found[0].guess >= guess_before(people.table(["a"])) - ROUNDING


def test_reading_a_group_is_the_bayes_guess_of_enumeration() -> None:
    schema = Schema.of({"a": ["0", "1"], "b": ["0", "1", "2"]})
    rng = np.random.default_rng(1)
    codes = [rng.integers(0, 2, 200), rng.integers(0, 3, 200)]
    people = Population.of_records(Records.from_codes(codes, schema))
    for kind in ("related", "keep-or-uniform", "unrelated"):
        family = Family(kind, personal=Fraction("0.3"))
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


@pytest.mark.parametrize("together", [[], [["drugs", "cheated"]]])
def test_no_line_of_the_trade_off_within_the_limits_beats_the_recommended_one(
    together: list[list[str]],
) -> None:
    """An even share of ε starves the question with the most values; equal signals do not."""
    plan = plan_survey(QUESTIONS, epsilon=3, margin=0.04, together=together)
    for row in plan.tradeoff:
        if row.within:
            assert row.figures.margin >= plan.recommended.margin / 1.01


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


def test_partitions_go_from_all_alone_to_all_in_one() -> None:
    attributes = Schema.of({name: ["0", "1"] for name in "abcde"}).attributes

    def named(together: Sequence[Sequence[str]]) -> list[str]:
        return [
            "|".join("".join(a.name for a in part) for part in parts)
            for parts in partitions(attributes, together)
        ]

    assert named([]) == ["a|b|c|d|e"]
    assert named([["b", "c", "d"]]) == ["a|b|c|d|e", "a|bc|d|e", "a|bcd|e"]
    assert named([["a", "b"], ["b", "c"]])[-1] == "abc|d|e"  # sets that touch are one
    assert len(named([["a", "b"], ["c", "d"]])) == 4


def test_a_pilot_gives_shares_and_how_questions_depend_on_each_other() -> None:
    schema = Schema.of({"a": ["no", "yes"], "b": ["no", "yes"], "c": ["no", "yes"]})
    a = np.array([0] * 700 + [1] * 300)
    same = Records.from_codes([a, a, 1 - a], schema)
    plan = plan_survey(
        same, epsilon=2, margin=0.05, together=[["a", "b"]], public=["c"], respondents=4000
    )
    assert plan.design.public == ("c",)
    assert plan.wish.population.table(["a", "b"]).tolist() == [[0.7, 0.0], [0.0, 0.3]]


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
