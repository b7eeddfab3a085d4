"""Repeated answers, breaches, forged reports, populations and warnings."""

from fractions import Fraction
from itertools import product
from math import exp, log

import numpy as np
import pytest

from deniable.base.errors import DeniableError
from deniable.channel import Related
from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.expression import Implication, rule_sets
from deniable.oracle.randomized import RandomizedOracle
from deniable.privacy.attack.attacker import attack, reconstruct
from deniable.privacy.attack.audit import audited_epsilon
from deniable.privacy.attack.estimated_population import estimated_population
from deniable.privacy.measures.breach import breach_is_impossible, suspicions
from deniable.privacy.measures.influence import influences, most_influence
from deniable.privacy.measures.single_answer import guess_after_repeats, posteriors
from deniable.privacy.population import Population
from deniable.privacy.report.design_warnings import most_serious
from deniable.privacy.report.measure_privacy import measure_privacy
from deniable.privacy.report.privacy_report import privacy_report
from deniable.schema import Schema


def yes_no(*names: str, **options: object) -> Design:
    """One group of yes/no questions."""
    return Design.of(
        {
            "attributes": {name: ["no", "yes"] for name in names},
            "groups": [{"attributes": list(names), **options}],
        }
    )


def highest_posterior(before: float, gamma: float) -> float:
    """What any report can make of a suspicion at most, whatever the population."""
    return before * gamma / (1 + before * (gamma - 1))


@pytest.mark.parametrize("times", [1, 2, 3, 5])
@pytest.mark.parametrize("size", [2, 3])
def test_repeated_answers_against_every_sequence(times: int, size: int) -> None:
    rng = np.random.default_rng(size * 10 + times)
    matrix, prior = rng.dirichlet(np.ones(size), size).T, rng.dirichlet(np.ones(size))
    right = 0.0
    for sequence in product(range(size), repeat=times):
        right += float((prior * matrix[list(sequence)].prod(axis=0)).max())
    assert guess_after_repeats(matrix, prior, times) == pytest.approx(right, abs=1e-12)


def test_answering_again_averages_the_disguise_away() -> None:
    warner = Related((2,), Fraction(3, 5)).matrix([0])
    found = [guess_after_repeats(warner, [0.5, 0.5], times) or 0.0 for times in (1, 11, 101, 601)]
    assert found[0] == pytest.approx(0.6)
    assert found == sorted(found)
    assert found[-1] > 0.999
    assert guess_after_repeats(np.eye(60), np.full(60, 1 / 60), 20) is None


def test_no_report_lifts_a_suspicion_above_what_gamma_allows() -> None:
    rng = np.random.default_rng(8)
    for _ in range(300):
        size = int(rng.integers(2, 5))
        matrix, prior = rng.dirichlet(np.ones(size), size).T, rng.dirichlet(np.ones(size))
        gamma = float((matrix.max(axis=1) / matrix.min(axis=1)).max())
        values = tuple(f"v{code}" for code in range(size))
        for suspicion in suspicions(values, prior, posteriors(matrix, prior)):
            assert suspicion.highest <= highest_posterior(suspicion.before, gamma) + 1e-12
            if breach_is_impossible(0.1, 0.5, gamma):
                assert not suspicion.breached(0.1, 0.5)


def test_the_bound_of_gamma_is_reached() -> None:
    """By two truths, and the report that tells them apart best."""
    matrix, prior = np.array([[0.2, 0.8], [0.8, 0.2]]), np.array([0.95, 0.05])
    assert posteriors(matrix, prior)[0, 1] == pytest.approx(highest_posterior(0.05, 4.0), abs=1e-12)


def test_a_forged_report_moves_the_oracle_s_estimate_by_as_much() -> None:
    design = yes_no("a", channel="related", theta="0.7")
    honest = {"a": ["yes"] * 40 + ["no"] * 60}
    count = RandomizedOracle(honest, design).count(["a=yes"]).value[0]
    forged = {"a": [*honest["a"], "yes"]}
    moved = RandomizedOracle(forged, design).count(["a=yes"]).value[0] - count
    assert moved == pytest.approx(1.75)
    found = influences(design.groups[0], "a", [0.5, 0.5], 1000)
    assert [influence.most for influence in found] == pytest.approx([1.75, 1.75])
    # ± one standard error: √(n·Var w) people, each forger adding the largest weight − the share.
    spread = np.sqrt(1000 * (0.5 * 1.75**2 + 0.5 * 0.75**2 - 0.25))
    assert found[1].forgers == pytest.approx(spread / (1.75 - 0.5))
    names = [f"a{i}" for i in range(6)]
    six = Design.of(
        {
            "attributes": {name: ["no", "yes"] for name in names},
            "groups": [
                {"attributes": [name], "channel": "related", "theta": "0.7"} for name in names
            ],
        }
    )
    assert most_influence(six) == pytest.approx(1.75**6)  # 28.7, as mathematics.md says


SCHEMA = Schema.of({"a": ["no", "yes"], "b": ["x", "y", "z"]})


def test_shares_are_read_from_a_document() -> None:
    people = Population.of_document({"a": "0.3", "b": {"x": "1/2", "y": "1/4", "z": "1/4"}}, SCHEMA)
    assert people.table(["b", "a"]) == pytest.approx(np.outer([0.5, 0.25, 0.25], [0.7, 0.3]))
    rows = [
        {"a": "yes", "b": "x", "share": "0.2"},
        {"a": "no", "b": "z", "share": "0.8"},
    ]
    joint = Population.of_document({"joint": rows}, SCHEMA).table(["a", "b"])
    assert joint == pytest.approx(np.array([[0, 0, 0.8], [0.2, 0, 0]]))


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ([], "are a mapping"),
        ({"c": "0.3"}, "no attribute 'c'"),
        ({"b": "0.3"}, "has 3 values"),
        ({"a": "1.3"}, "not a probability"),
        ({"a": {"no": "0.3", "yes": "0.3"}}, "sum to 0.6"),
        ({"joint": "all"}, "list of rows"),
        ({"joint": [{"a": "yes"}]}, "row 1"),
        ({"joint": [{"a": "yes", "share": "1"}, {"b": "x", "share": "0"}]}, "row 2"),
        ({"joint": [{"a": "yes", "share": "1"}, {"a": "yes", "share": "0"}]}, "repeats"),
        ({"a": "0.3", "joint": [{"a": "yes", "share": "1"}]}, "by itself"),
    ],
)
def test_bad_shares_are_refused(document: object, words: str) -> None:
    with pytest.raises(DeniableError, match=words) as caught:
        Population.of_document(document, SCHEMA)
    assert caught.value.hint


WARNED = [
    (yes_no("a", "b", channel="related", theta="0.6"), "itself and its opposite"),
    (yes_no("a", channel="related", theta="1"), "not disguised at all"),
    (yes_no("a", channel="related", theta="0"), "not disguised at all"),
    (yes_no("a", channel="truthful"), "not disguised at all"),
    (yes_no("a", channel="mangat", theta="0.6"), "a=no proves that it is 'no'"),
    (
        yes_no("a", channel="unrelated", theta="0.5", personal={"a": {"no": "1", "yes": "0"}}),
        "a=yes proves that it is 'yes'",
    ),
    (yes_no("a", channel="unrelated", theta="0.5", personal="unknown"), "is unknown"),
    (yes_no("a", channel="related", theta="0.99"), "hardly disguised"),
    (yes_no("a", channel="related", theta="0.95"), "right for 95 of 100"),
    (yes_no("a", "b", "c", channel="keep-or-uniform", theta="0.75"), "25 times likelier"),
    (yes_no("a", channel="unrelated", theta="1", personal="unknown"), "not disguised at all"),
    (Design.of({"attributes": {"a": ["no", "yes"]}}), "Nothing is disguised"),
]


@pytest.mark.parametrize(("design", "words"), WARNED)
def test_the_most_serious_thing_is_said_in_one_line(design: Design, words: str) -> None:
    sentence = most_serious(design)
    assert sentence is not None
    assert words in sentence
    assert "\n" not in sentence


def test_a_sound_design_earns_no_warning() -> None:
    assert most_serious(yes_no("a", channel="related", theta="0.7")) is None
    sound = yes_no("a", "b", channel="keep-or-uniform", theta="0.5")
    assert most_serious(sound) is None
    assert measure_privacy(sound).warnings == ()


def test_a_breach_is_called_out() -> None:
    design = yes_no("a", channel="related", theta="0.97")
    people = Population.of_document({"a": "0.04"}, design.schema)
    report = measure_privacy(design, people)
    after = 0.04 * 0.97 / (0.04 * 0.97 + 0.96 * 0.03)
    assert f"from 4.0 % to {100 * after:.1f} %" in " ".join(report.warnings)
    assert not report.breach_impossible


def test_people_alone_with_their_public_attributes_are_called_out() -> None:
    schema = {"a": ["no", "yes"], "town": [str(code) for code in range(50)]}
    group = {"attributes": ["a"], "channel": "related", "theta": "0.7"}
    design = Design.of({"attributes": schema, "groups": [group]})
    rng = np.random.default_rng(1)
    people = Records.from_codes([rng.integers(0, 2, 60), rng.integers(0, 50, 60)], design.schema)
    assert any("only one with their public" in w for w in privacy_report(design, people).warnings)


def test_epsilon_of_named_designs() -> None:
    """Closed forms from the literature, by hand."""
    report = measure_privacy(yes_no("a", channel="related", theta="0.8"))
    assert report.record.epsilon == pytest.approx(log(4))
    uneven = yes_no(
        "a", channel="unrelated", theta="0.7", personal={"a": {"no": "3/4", "yes": "1/4"}}
    )
    expected = log((0.7 + 0.3 / 4) / (0.3 / 4))
    assert measure_privacy(uneven).record.epsilon == pytest.approx(expected)
    pair = yes_no("a", "b", channel="keep-or-uniform", theta="0.5")
    assert exp(measure_privacy(pair).record.epsilon) == pytest.approx(1 + 4)


@pytest.mark.slow
def test_many_weak_reports_about_one_rare_trait_are_a_breach() -> None:
    """Each answer alone rules the breach out; fifteen of them together do not."""
    names = [f"a{i}" for i in range(15)]
    design = Design.of(
        {
            "attributes": {name: ["no", "yes"] for name in names},
            "groups": [
                {"attributes": [name], "channel": "related", "theta": "0.7"} for name in names
            ],
        }
    )
    trait = np.arange(1000) < 30
    report = privacy_report(design, Records.from_codes([trait] * 15, design.schema))
    after = 0.03 * 0.7**15 / (0.03 * 0.7**15 + 0.97 * 0.3**15)
    assert report.attributes["a0"].suspicions[1].highest == pytest.approx(after, abs=1e-12)
    assert not report.breach_impossible
    assert any("lifts a0=yes from 3.0 %" in warning for warning in report.warnings)


def test_nothing_disguised_is_no_privacy() -> None:
    report = measure_privacy(Design.of({"attributes": {"a": ["no", "yes"]}}))
    assert report.document()["record"]["epsilon"] == "inf"
    assert report.record.guess == 1


def test_what_public_attributes_give_away_is_said() -> None:
    schema = {"hiv": ["no", "yes"], "clinic": ["a", "b"]}
    group = {"attributes": ["hiv"], "channel": "related", "theta": "0.6"}
    design = Design.of({"attributes": schema, "groups": [group]})
    hiv = np.arange(1000) % 2
    clinic = np.where(np.arange(1000) < 40, 1 - hiv, hiv)
    report = privacy_report(design, Records.from_codes([hiv, clinic], design.schema))
    assert report.attributes["hiv"].before == pytest.approx(0.96)
    assert report.attributes["hiv"].guess_alone == pytest.approx(0.96)
    assert "public attributes alone give hiv away for 96 of 100" in " ".join(report.warnings)


def test_estimated_shares_keep_what_is_public() -> None:
    schema = {"a": ["no", "yes"], "b": ["no", "yes"], "town": [str(code) for code in range(40)]}
    group = {"attributes": ["a", "b"], "channel": "related", "theta": "0.7"}
    design = Design.of({"attributes": schema, "groups": [group]})
    rng = np.random.default_rng(2)
    columns = [rng.integers(0, 2, 60), rng.integers(0, 2, 60), rng.integers(0, 40, 60)]
    reports = Records.from_codes(columns, design.schema)
    found = estimated_population(reports, design).table(["town"]) * 60
    assert found == pytest.approx(np.bincount(columns[2], minlength=40), abs=1e-9)


def test_values_in_another_order_are_not_mixed_up() -> None:
    design = yes_no("a", channel="related", theta="0.9")
    other = Schema.of({"a": ["yes", "no"]})
    people = Records.from_codes([np.array([0, 1, 1])], other)
    with pytest.raises(DeniableError, match="other values"):
        attack(people, people, design)
    with pytest.raises(DeniableError, match="other values"):
        reconstruct(people, design)
    with pytest.raises(DeniableError, match="other values"):
        estimated_population(people, design)
    with pytest.raises(DeniableError, match="another order"):
        measure_privacy(design, Population.of_records(people))


@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 2, 3])
def test_few_people_are_no_reason_to_stumble(n: int) -> None:
    design = yes_no("a", "b", "c", channel="related", theta="0.6")
    people = Records.from_codes([np.arange(n) % 2] * 3, design.schema)
    report = privacy_report(design, people)
    assert report.record.measured is not None
    assert report.record.measured.std_error > 0.15


@pytest.mark.parametrize(
    ("channel", "guess"),
    [("related", 0.6), ("keep-or-uniform", 0.6 + 0.4 / 2**30)],
)
def test_a_group_of_thirty_without_a_population(channel: str, guess: float) -> None:
    design = yes_no(*(f"a{i}" for i in range(30)), channel=channel, theta="0.6")
    report = measure_privacy(design)
    assert report.record.guess == pytest.approx(guess, abs=1e-12)
    assert report.attributes["a0"].guess == report.attributes["a0"].guess_alone
    shares = Population.of_document({"a0": "0.1"}, design.schema)
    assert measure_privacy(design, shares).record.guess is None


@pytest.mark.parametrize(
    ("first", "second", "level"),
    [([1, 2], [1, 2], 1.5), ([1, 2], [1], 0.9), ([], [], 0.9), ([-1, 3], [1, 2], 0.9)],
)
def test_an_audit_needs_counts(first: list[int], second: list[int], level: float) -> None:
    with pytest.raises(DeniableError):
        audited_epsilon(first, second, level)


def test_many_names_are_cut_short() -> None:
    sentence = most_serious(yes_no(*(f"a{i}" for i in range(19)), channel="related", theta="0.6"))
    assert str(sentence).startswith("a0, a1, a2, a3 and 15 more attributes share one coin:")


def test_attributes_with_one_value_take_no_room() -> None:
    domains = {f"o{i}": ["only"] for i in range(70)} | {"a": ["no", "yes"]}
    group = {"attributes": ["a"], "channel": "related", "theta": "0.7"}
    design = Design.of({"attributes": domains, "groups": [group]})
    people = Records.from_codes([np.zeros(9, int)] * 70 + [np.arange(9) % 2], design.schema)
    assert privacy_report(design, people).record.guess == pytest.approx(0.7)


def test_a_rule_counts_once() -> None:
    schema = Schema.of({"a": ["0", "1"], "b": ["0", "1"]})
    rule = Implication.parse("a=1 => b=1: 0.8", schema)
    assert rule_sets([rule, rule]) == [[rule]]
    with pytest.raises(DeniableError, match="two confidences"):
        rule_sets([rule, Implication.parse("a=1 => b=1: 0.9", schema)])


def test_shares_that_reports_cannot_tell_are_called_uncertain() -> None:
    design = yes_no("a", channel="related", theta="0.501")
    answers = Records.from_codes([np.arange(1500) % 2], design.schema)
    report = privacy_report(design, collected=answers)
    # s.e. = √(¼/1500)/(2θ − 1) = 6.45, times 1.96
    assert report.warnings[0].startswith("From these reports the shares of a are known to ± 1265")
    sound = yes_no("a", channel="related", theta="0.8")
    assert privacy_report(sound, collected=answers).warnings == ()


def test_reports_of_a_design_that_disguises_nothing_are_read_as_they_are() -> None:
    design = Design.of({"attributes": {"a": ["no", "yes"]}})
    answers = Records.from_codes([np.arange(6) % 2], design.schema)
    (warning,) = privacy_report(design, collected=answers).warnings
    assert warning.startswith("Nothing is disguised")
