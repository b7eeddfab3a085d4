"""Repeated answers, breaches, forged reports, populations and warnings."""

from fractions import Fraction
from itertools import product
from math import exp, log

import numpy as np
import pytest

from deniable.channel import Related
from deniable.design import Design
from deniable.engine.records import Records
from deniable.errors import DeniableError
from deniable.experiments.attacked import privacy_report
from deniable.oracle.randomized import RandomizedOracle
from deniable.privacy.breach import breach_is_impossible, highest_posterior, suspicions
from deniable.privacy.concerns import most_serious
from deniable.privacy.entry import posteriors
from deniable.privacy.influence import influences, most_influence
from deniable.privacy.measure import measure_privacy
from deniable.privacy.population import Population
from deniable.privacy.repeats import guess_after_repeats
from deniable.schema import Schema


def yes_no(*names: str, **options: object) -> Design:
    """One group of yes/no questions."""
    return Design.of(
        {
            "attributes": {name: ["no", "yes"] for name in names},
            "groups": [{"attributes": list(names), **options}],
        }
    )


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
        for suspicion in suspicions(values, matrix, prior):
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
    assert most_influence(six) == pytest.approx(1.75**6)  # 28.7, as MATH says


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
    (yes_no("a", channel="related", theta="0.99"), "99 times likelier"),
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
    assert f"from 4.0% to {after:.1%}" in " ".join(report.warnings)
    assert not report.attributes["a"].breach_impossible


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
