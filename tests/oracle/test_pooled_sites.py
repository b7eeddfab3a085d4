"""Sites with designs of their own: their counts add up, whatever the order of their values."""

from typing import Any

import numpy as np
import pytest

from deniable.base.errors import DesignError, EstimateError, SchemaError
from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.expression import Family
from deniable.oracle.api import CountOracle, Target
from deniable.oracle.exact import ExactOracle
from deniable.oracle.likelihood.joint_table import joint_table
from deniable.oracle.pooled import PooledOracle
from deniable.oracle.randomized import RandomizedOracle
from deniable.oracle.two_samples import GreenbergOracle
from deniable.source.disguise import disguise_records
from deniable.source.randomness import SeededBits

DOMAINS = {"smokes": ["no", "yes"], "region": ["north", "south", "west"], "age": ["young", "old"]}
TURNED = {"age": ["old", "young"], "region": ["west", "north", "south"], "smokes": ["yes", "no"]}

FIRST = Design.of(
    {
        "attributes": DOMAINS,
        "groups": [
            {"attributes": ["smokes", "age"], "channel": "related", "theta": "0.8"},
            {"attributes": ["region"], "channel": "keep-or-uniform", "theta": "0.7"},
        ],
    }
)
SECOND = Design.of(
    {
        "attributes": TURNED,
        "groups": [
            {
                "attributes": ["age", "region"],
                "channel": "unrelated",
                "theta": "0.6",
                "personal": {
                    "age": {"old": "0.3", "young": "0.7"},
                    "region": {"west": "0.5", "north": "0.3", "south": "0.2"},
                },
            },
            {"attributes": ["smokes"], "channel": "mangat", "theta": "0.7", "sensitive": "yes"},
        ],
    }
)
QUESTIONS = ["*", "smokes=yes", "region=west & age=old", "smokes=no & region=north & age=young"]


def table(seed: int, n: int) -> dict[str, list[str]]:
    """True records, as text: the same whatever the order of a design's values."""
    generator = np.random.default_rng(seed)
    return {name: generator.choice(values, size=n).tolist() for name, values in DOMAINS.items()}


def site(design: Design, seed: int, n: int) -> RandomizedOracle:
    raw = Records.of(table(seed, n), design.schema)
    return RandomizedOracle(disguise_records(raw, None, design, SeededBits(seed)), design)


@pytest.mark.parametrize("of", ["sample", "population"])
def test_pooled_counts_and_variances_are_the_sums_over_the_sites(of: Target) -> None:
    sites = [site(FIRST, 1, 500), site(SECOND, 2, 700), site(SECOND, 3, 300)]
    pooled = PooledOracle(sites)
    found = pooled.count(QUESTIONS, of=of)
    parts = [each.count(QUESTIONS, of=of) for each in sites]
    assert pooled.n == found.n == 1500
    assert found.of == of
    assert found.value == pytest.approx(sum(part.value for part in parts))
    assert found.variance == pytest.approx(sum(part.variance for part in parts))
    assert found.value[0] == pytest.approx(1500)


def test_a_family_is_written_for_each_sites_own_order_of_values() -> None:
    sites = [site(FIRST, 1, 500), site(SECOND, 2, 700)]
    family = Family.of(QUESTIONS, FIRST.schema)
    found = PooledOracle(sites).count(family)
    by_text = [each.count(QUESTIONS).value for each in sites]
    assert found.value == pytest.approx(sum(by_text))


def test_undisguised_sites_pool_to_the_plain_count_of_all_records() -> None:
    tables = [table(1, 200), table(2, 300)]
    exact = [
        ExactOracle(tables[0], FIRST.schema),
        ExactOracle(tables[1], SECOND.schema),
    ]
    found = PooledOracle(exact).count(QUESTIONS)
    rows = [row for t in tables for row in zip(t["smokes"], t["region"], t["age"], strict=True)]
    assert found.value.tolist() == [
        500,
        sum(smokes == "yes" for smokes, _, _ in rows),
        sum((region, age) == ("west", "old") for _, region, age in rows),
        sum(row == ("no", "north", "young") for row in rows),
    ]
    assert found.std_error.tolist() == [0, 0, 0, 0]


def test_disguised_and_undisguised_records_make_a_hybrid_set() -> None:
    sites: list[CountOracle] = [site(FIRST, 1, 500), ExactOracle(table(9, 400), SECOND.schema)]
    found = PooledOracle(sites).count(QUESTIONS)
    disguised, plain = (each.count(QUESTIONS) for each in sites)
    assert found.value == pytest.approx(disguised.value + plain.value)
    assert found.std_error == pytest.approx(disguised.std_error)


@pytest.mark.slow
@pytest.mark.parametrize("of", ["sample", "population"])
def test_pooled_estimates_are_unbiased_and_their_intervals_cover(of: Target) -> None:
    repeats, n = 300, (300, 500)
    truth = [
        Records.of(table(place, size), d.schema)
        for place, size, d in zip((1, 2), n, (FIRST, SECOND), strict=True)
    ]
    plain = PooledOracle([ExactOracle(raw, raw.schema) for raw in truth]).count(QUESTIONS[1:])
    bits, generator = SeededBits(11), np.random.default_rng(12)
    scores, covered = [], []
    for _ in range(repeats):
        sites = []
        for raw, design in zip(truth, (FIRST, SECOND), strict=True):
            these = raw
            if of == "population":  # the site's own part of the population, drawn with return
                rows = generator.integers(0, len(raw), size=len(raw))
                these = Records(raw.schema, tuple(column[rows] for column in raw.columns))
            reports = disguise_records(these, None, design, bits)
            sites.append(RandomizedOracle(reports, design))
        found = PooledOracle(sites).count(QUESTIONS[1:], of=of)
        scores.append((found.value - plain.value) / found.std_error)
        lower, upper = found.interval()
        covered.append((lower <= plain.value) & (plain.value <= upper))
    # The mean of 300 standard scores has s.d. 1/√300.
    assert np.abs(np.mean(scores, axis=0)).max() < 4 / np.sqrt(repeats)
    # 95 % of 300 repeats have the s.d. 1.26 %: 4 s.d. are 5 %.
    assert np.abs(np.mean(covered, axis=0) - 0.95).max() < 0.05


def test_the_joint_table_of_sites_is_the_sum_of_their_joint_tables() -> None:
    names = ["smokes", "region"]
    sites = [site(FIRST, 1, 500), site(SECOND, 2, 700)]
    pooled = joint_table(sites, names)
    alone = [joint_table(each, names) for each in sites]
    assert pooled.cells[0] == ("no", "north")
    assert pooled.schema == FIRST.schema.select(names)
    total = dict.fromkeys(pooled.cells, 0.0)
    for part in alone:
        for cell, value in zip(part.cells, part.estimates.value, strict=True):
            total[cell] += float(value)
    assert pooled.estimates.value == pytest.approx(list(total.values()))
    assert pooled.maximum.counts.sum() == pytest.approx(1200)
    assert pooled.maximum.converged


def test_the_order_of_values_at_a_site_does_not_matter() -> None:
    """The same reports, described by a design that lists everything the other way round."""
    entry = {"attributes": ["smokes", "region"], "channel": "related", "theta": "0.8"}
    matrix = {
        "young": {"young": "0.9", "old": "0.1"},
        "old": {"young": "0.3", "old": "0.7"},
    }
    other = {"attributes": ["age"], "channel": "matrix", "matrix": matrix}
    plain = Design.of({"attributes": DOMAINS, "groups": [entry, other]})
    turned = Design.of({"attributes": TURNED, "groups": [other, entry]})
    raw = Records.of(table(4, 900), plain.schema)
    text = disguise_records(raw, None, plain, SeededBits(4)).to_arrow()
    ours, theirs = RandomizedOracle(text, plain), RandomizedOracle(text, turned)
    assert theirs.count(QUESTIONS).value == pytest.approx(ours.count(QUESTIONS).value)
    names = ["age", "region", "smokes"]
    twice = joint_table([ours, theirs], names)
    once = joint_table(ours, names)
    assert twice.estimates.value == pytest.approx(2 * once.estimates.value)
    # Certified to 1e-4 in log-likelihood; near the maximum n·Σ(p−p̂)²/(2p) is the loss.
    assert twice.maximum.counts == pytest.approx(2 * once.maximum.counts, abs=1.0)
    assert twice.independence is not None
    assert once.independence is not None
    assert twice.independence.statistic == pytest.approx(2 * once.independence.statistic, rel=1e-3)
    assert twice.independence.df == 2 * once.independence.df


def refused(build: Any, *arguments: Any) -> str:
    with pytest.raises((EstimateError, SchemaError)) as refusal:
        build(*arguments)
    assert refusal.value.hint
    return refusal.value.message


def test_sites_that_do_not_fit_together_are_refused_with_a_hint() -> None:
    smaller = Design.of({"attributes": {"smokes": ["no", "yes"]}})
    other = Design.of({"attributes": {**DOMAINS, "region": ["north", "south", "east"]}})
    ours = site(FIRST, 1, 10)
    alone = ExactOracle({"smokes": ["no"]}, smaller.schema)
    east = ExactOracle({"smokes": ["no"], "region": ["east"], "age": ["old"]}, other.schema)
    assert "Site 2" in refused(PooledOracle, [ours, alone])
    assert "'east'" in refused(PooledOracle, [ours, east])
    assert "no site" in refused(PooledOracle, [])


def greenberg(theta: str, names: list[str] | None = None) -> RandomizedOracle:
    design = Design.of(
        {
            "attributes": DOMAINS,
            "groups": [
                {
                    "attributes": names or ["smokes"],
                    "channel": "unrelated",
                    "theta": theta,
                    "personal": "unknown",
                }
            ],
        }
    )
    return RandomizedOracle(table(1, 50), design)


def test_a_second_sample_with_the_same_theta_or_another_group_is_refused() -> None:
    for first, second in (
        (greenberg("0.7"), greenberg("0.7")),
        (greenberg("0.7"), greenberg("0.4", ["age"])),
        (greenberg("0.7"), site(FIRST, 1, 10)),
    ):
        with pytest.raises(DesignError) as refusal:
            GreenbergOracle(first, second)
        assert refusal.value.hint


def test_one_sample_of_unknown_personal_answers_cannot_be_undone() -> None:
    assert "unknown" in refused(greenberg("0.7").count, ["smokes=yes"])
