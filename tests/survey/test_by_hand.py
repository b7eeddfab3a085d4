"""Rules by hand, as the shipped page has them: to follow one is exactly what the channel says.

Every way in which coins and dice can fall is gone through, and what a person then clicks is counted
in fractions: no sample, no tolerance.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from deniable.channel.channel import patterns
from deniable.design import Design, Group
from deniable.survey.questionnaire.by_hand import earlier_by_hand, group_by_hand
from deniable.survey.questionnaire.group_on_page import shown
from survey.node import browser

Rule = Mapping[str, Any]
Codes = tuple[int, ...]
Chances = Mapping[Codes, Fraction]

SIDES = {"coin": 2, "die": 6, "coins": 4, "digit": 10, "dice": 36, "digits": 100}
YES_NO = ["no", "yes"]
THETAS = sorted(
    {Fraction(top, 180) for top in range(1, 180)} | {Fraction(1, n) for n in (4, 7, 25, 100)}
)

FEWER = sorted({Fraction(top, of) for of in (6, 10, 12, 24, 35) for top in range(1, of)})


def design_of(sizes: Sequence[int], **channel: Any) -> Design:
    values = {f"a{place}": [f"v{code}" for code in range(size)] for place, size in enumerate(sizes)}
    group = {"attributes": list(values), **channel}
    return Design.of({"attributes": values, "groups": [group]})


def on_page(design: Design, *, personal: bool = False) -> Rule | None:
    """How the shipped page would have a design's only group disguised by hand."""
    (group,) = design.groups
    told = shown(group, group.names[0], group.names if personal else [])
    rule = browser("byHand", given=[{"design": design.document(), "shown": [told]}, 0])
    assert rule is None or isinstance(rule, dict)
    return rule


def falls(tool: str, outcome: str) -> int:
    """In how many equally likely ways an outcome comes up."""
    if tool in {"coin", "coins"}:
        return len(re.split(", |\n", outcome))
    ranges = [[int(end) for end in part.split("–")] for part in outcome.split(", ")]
    faces = [face for ends in ranges for face in range(ends[0], ends[-1] + 1)]
    if tool != "dice":
        return len(faces)
    return sum(1 for throw in product(range(1, 7), repeat=2) if sum(throw) in faces)


def throws(rule: Rule) -> list[tuple[Fraction, Mapping[str, Any]]]:
    """What a throw may say, and how likely: in all, every side of what is thrown."""
    counts = [falls(rule["tool"], outcome) for outcome in rule["outcomes"]]
    assert sum(counts) == SIDES[rule["tool"]]
    assert all(counts)
    chances = (Fraction(count, SIDES[rule["tool"]]) for count in counts)
    return list(zip(chances, rule["parts"], strict=True))


def clicked(rule: Rule, truth: Codes, group: Group) -> Chances:
    """What a person with this truth clicks, who follows a rule to the letter."""
    found: defaultdict[Codes, Fraction] = defaultdict(Fraction)
    for chance, part in throws(rule):
        for codes, share in followed(part, truth, group).items():
            found[codes] += chance * share
    return found


def followed(part: Mapping[str, Any], truth: Codes, group: Group) -> Chances:
    if part["do"] != "throw":
        return {at_once(part, truth, group): Fraction(1)}
    if not part["every"]:
        return clicked(part["then"], truth, group)
    joint: Chances = {(): Fraction(1)}
    for place, code in enumerate(truth):
        alone = Group((group.attributes[place],), group.channel.marginal([place]))
        again = clicked(part["then"], (code,), alone)
        joint = {(*codes, c): p * q for codes, p in joint.items() for (c,), q in again.items()}
    return joint


def at_once(part: Mapping[str, Any], truth: Codes, group: Group) -> Codes:
    """What is clicked where no second throw is asked for."""
    values = group.attributes[0].values
    if part["do"] == "truth":
        return truth
    if part["do"] == "opposite":
        assert {attribute.size for attribute in group.attributes} == {2}
        return tuple(1 - code for code in truth)
    (code,) = truth  # all others are of a single answer
    codes: dict[str, Callable[[], int]] = {
        "say": lambda: values.index(part["value"]),
        "step": lambda: (code + part["by"]) % len(values),
        "nth": lambda: part["place"],
        "each": lambda: values.index(part["values"][code]),
    }
    return (codes[part["do"]](),)


def checked(design: Design) -> Rule | None:
    """Hold a rule, if there is one, against every entry of the channel's matrix."""
    (group,) = design.groups
    rule = on_page(design)
    assert rule == group_by_hand(group, ())
    if rule is None:
        return None
    cells = [tuple(cell) for cell in patterns([a.size for a in group.attributes]).tolist()]
    for truth, cell in enumerate(cells):
        chances = clicked(rule, cell, group)
        assert sum(chances.values()) == 1
        if len(group.names) == 1:
            expected = dict(enumerate(group.channel.exact_columns()[truth]))
            assert {(code,): p for code, p in expected.items() if p} == dict(chances)
        else:  # its matrix is in floating point; the fractions have small denominators
            every = group.channel.matrix(range(len(group.names)))[:, truth]
            told = [float(chances.get(other, 0)) for other in cells]
            np.testing.assert_allclose(told, every, rtol=0, atol=1e-12)
    return rule


def lines(rule: Rule) -> int:
    """How many lines there are to look up, both throws together."""
    return sum(lines(p["then"]) if p["do"] == "throw" else 1 for p in rule["parts"])


# --- Two values: one coin, one die ----------------------------------------------------------------


@pytest.mark.parametrize("channel", ["related", "unrelated"])
def test_the_truth_has_the_chance_that_the_design_says(channel: str) -> None:
    done = 0
    for theta in THETAS:
        if channel == "related" and theta == Fraction(1, 2):
            continue
        options: dict[str, object] = {"channel": channel, "theta": str(theta)}
        if channel == "unrelated":
            options["personal"] = {"a0": {"v0": "1/2", "v1": "1/2"}}
        design = design_of([2], **options)
        found = on_page(design, personal=True)
        assert found == group_by_hand(design.groups[0], {"a0"}), theta
        if found is not None:
            done += 1
            assert [chance for chance, _ in throws(found)] == [theta, 1 - theta]
    assert done > 40


def test_a_forced_answer_has_the_chance_that_the_design_says() -> None:
    for no, yes, sides in [
        (1, 1, 6),
        (1, 2, 6),
        (1, 3, 10),
        (5, 7, 36),
        (11, 13, 36),
        (12, 13, 100),
    ]:
        forced = {"v0": f"{no}/{sides}", "v1": f"{yes}/{sides}"}
        rule = checked(design_of([2], channel="forced", forced=forced))
        assert rule is not None
        assert lines(rule) == 3


# --- Several values -------------------------------------------------------------------------------


@pytest.mark.parametrize("size", range(2, 13))
@pytest.mark.parametrize("channel", ["related", "keep-or-uniform"])
def test_a_question_of_several_options_has_a_rule_of_the_exact_law(channel: str, size: int) -> None:
    thetas = [theta for theta in FEWER if channel != "related" or theta * size != 1]
    rules = [checked(design_of([size], channel=channel, theta=str(theta))) for theta in thetas]
    done = sum(rule is not None for rule in rules)
    # Ways with an even chance each are one die, two tosses or a digit, after the throw that decides
    # whether; for 7, 8 or 9 there is nothing of so many sides, and more would be too many lines.
    ways = size - 1 if channel == "related" else size
    most = {7: 3, 8: 3, 9: 3, 11: 0, 12: 0}.get(ways)
    assert done >= 10 if most is None else done <= most, done


@pytest.mark.parametrize(
    ("size", "theta", "tool", "outcomes"),
    [
        (3, "2/3", "die", ["1–4", "5", "6"]),
        (4, "1/2", "die", ["1–3", "4", "5", "6"]),
        (4, "7/10", "digit", ["0–6", "7", "8", "9"]),
        (4, "5/8", "", []),
        (2, "3/4", "coins", ["HH, HT, TH", "TT"]),
    ],
)
def test_the_usual_ones_take_what_everybody_has_at_hand(
    size: int, theta: str, tool: str, outcomes: list[str]
) -> None:
    rule = checked(design_of([size], channel="related", theta=theta))
    assert (rule or {"tool": ""})["tool"] == tool
    if rule is not None:
        assert rule["outcomes"] == outcomes


def test_a_second_throw_does_what_one_cannot() -> None:
    rule = checked(design_of([4], channel="keep-or-uniform", theta="7/10"))
    assert rule is not None
    assert (rule["tool"], rule["outcomes"]) == ("digit", ["0–6", "7–9"])
    _, again = rule["parts"]
    assert (again["do"], again["then"]["tool"]) == ("throw", "coins")
    assert [part["value"] for part in again["then"]["parts"]] == ["v0", "v1", "v2", "v3"]


MATRICES: dict[str, tuple[list[list[str]], bool]] = {
    "as keep or uniform": (
        [["4/6", "1/6", "1/6"], ["1/6", "4/6", "1/6"], ["1/6", "1/6", "4/6"]],
        True,
    ),
    "neighbours": ([["5/6", "1/6", "0"], ["0", "5/6", "1/6"], ["1/6", "0", "5/6"]], True),
    "any": ([["1/2", "1/3", "1/6"], ["1/6", "2/3", "1/6"], ["0", "1/6", "5/6"]], True),
    "two values": ([["0.9", "0.1"], ["0.3", "0.7"]], True),
    "of thirds and tenths": ([["2/3", "1/3"], ["0.1", "0.9"]], False),
}


@pytest.mark.parametrize("name", MATRICES)
def test_a_matrix_of_small_denominators_names_an_answer_for_each_truth(name: str) -> None:
    columns, possible = MATRICES[name]
    values = [f"v{code}" for code in range(len(columns))]
    matrix = {t: dict(zip(values, c, strict=True)) for t, c in zip(values, columns, strict=True)}
    rule = checked(design_of([len(columns)], channel="matrix", matrix=matrix))
    assert (rule is not None) is possible


def test_a_matrix_that_moves_everybody_alike_is_told_in_steps() -> None:
    columns, _ = MATRICES["neighbours"]
    values = ["v0", "v1", "v2"]
    matrix = {t: dict(zip(values, c, strict=True)) for t, c in zip(values, columns, strict=True)}
    rule = checked(design_of([3], channel="matrix", matrix=matrix))
    assert rule is not None
    assert rule["parts"] == [{"do": "truth"}, {"do": "step", "by": 1}]


@pytest.mark.parametrize("sensitive", ["v0", "v1"])
def test_mangats_and_kuks_devices_can_be_thrown_and_a_trait_that_one_has_cannot(
    sensitive: str,
) -> None:
    for theta in ("1/3", "7/10", "1/4"):
        options = {"theta": theta, "sensitive": sensitive}
        assert checked(design_of([2], channel="mangat", **options)) is not None
        assert checked(design_of([2], channel="crosswise", **options)) is None
        assert checked(design_of([2], channel="triangular", **options)) is None
    red = {"v0": "1/6", "v1": "5/6"}
    assert checked(design_of([2], channel="kuk", red=red, sensitive=sensitive)) is not None


def test_personal_answers_that_the_device_draws_are_dictated() -> None:
    personal = {"a0": {"v0": "1/2", "v1": "1/3", "v2": "1/6"}}
    rule = checked(design_of([3], channel="unrelated", theta="2/3", personal=personal))
    assert rule is not None
    assert lines(rule) == 4


# --- Groups ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sizes", "channel", "possible"),
    [
        ([2, 2, 2], "related", True),
        ([3, 3], "related", True),
        ([4, 4], "related", True),
        ([3, 3, 3, 3], "keep-or-uniform", True),
        ([2, 2], "keep-or-uniform", True),
        ([3, 3, 3, 3, 3], "keep-or-uniform", False),
        ([2, 3], "related", False),
        ([2, 3], "keep-or-uniform", False),
    ],
)
def test_a_group_throws_once_for_all_and_then_for_each(
    sizes: list[int], channel: str, possible: bool
) -> None:
    rule = checked(design_of(sizes, channel=channel, theta="2/3"))
    assert (rule is not None) is possible


def test_boxes_are_not_thrown_for_one_by_one() -> None:
    design = design_of([2, 2], channel="keep-or-uniform", theta="2/3")
    (group,) = design.groups
    assert group_by_hand(group, ()) is not None
    assert group_by_hand(group, (), group.names) is None
    turned = design_of([2, 2], channel="related", theta="2/3").groups[0]
    assert group_by_hand(turned, (), group.names) is not None  # all opposite: one look


def test_a_rule_that_is_too_long_is_none() -> None:
    assert on_page(design_of([12], channel="keep-or-uniform", theta="1/2")) is None
    assert on_page(design_of([2], channel="related", theta="1/7")) is None


def test_what_depends_on_a_personal_answer_is_asked_beside_it_or_drawn() -> None:
    personal = {"a0": {"v0": "1/4", "v1": "3/4"}}
    design = design_of([2], channel="unrelated", theta="1/2", personal=personal)
    drawn, asked = on_page(design), on_page(design, personal=True)
    assert drawn is not None
    assert asked is not None
    assert {part["do"] for part in asked["parts"]} == {"truth", "personal"}
    assert "personal" not in str(drawn)


# --- Versions before ------------------------------------------------------------------------------


def test_rules_of_versions_before_are_known_as_they_were() -> None:
    def before(**channel: Any) -> Rule | None:
        return earlier_by_hand(design_of([2], **channel).groups[0], ())

    quarter = before(channel="related", theta="3/4")
    assert quarter is not None
    assert quarter["tool"] == "dice"  # now two tosses of a coin
    assert before(channel="keep-or-uniform", theta="1/2") is None
    assert before(channel="mangat", theta="1/2") is None
    assert before(channel="related", theta="0") is None
