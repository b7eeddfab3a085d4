"""The attacker, given reports and design only, against the optimum that knows the population."""

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from deniable.base.errors import DataError
from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.privacy.attack import guessers
from deniable.privacy.attack.attacker import attack, foreseen_attack, reconstruct
from deniable.privacy.attack.estimated_population import estimated_population
from deniable.privacy.report import measure_privacy
from deniable.privacy.report.design_warnings import most_serious
from deniable.privacy.report.privacy_report import privacy_report
from deniable.schema import Schema
from deniable.source.disguise import disguise_records
from deniable.source.prepare.preparation import Preparation
from deniable.source.randomness import SeededBits
from papersets import dataset
from privacy.designs import random_design, random_people

LAST_EIGHT = slice(7, 15)
"""relationship, race, sex, capital-gain, capital-loss, hours-per-week, native-country, income"""


@pytest.fixture(scope="module")
def adult(tmp_path_factory: pytest.TempPathFactory) -> Records:
    """All 48,842 records in binary."""
    out = Path(tmp_path_factory.mktemp("adult"), "adult.parquet")
    plan = Preparation.learn(dataset("adult"), nominal="binary", na=())
    plan.apply(dataset("adult"), out)
    return Records.of(pq.read_table(out), plan.schema)


def in_groups(schema: Schema, groups: int, theta: str) -> Design:
    """Equal groups of neighbouring attributes, each under one related question."""
    domains = {a.name: list(a.values) for a in schema}
    return Design.of(
        {
            "attributes": domains,
            "groups": [
                {"attributes": list(names), "channel": "related", "theta": theta}
                for names in np.array_split(schema.names, groups)
            ],
        }
    )


@pytest.mark.slow
@pytest.mark.parametrize("groups", [1, 2, 4, 8])
def test_whole_records_of_adult_within_two_points_of_the_optimum(
    adult: Records, groups: int
) -> None:
    records = adult.select(Schema(adult.schema.attributes[LAST_EIGHT]))
    report = privacy_report(in_groups(records.schema, groups, "0.6"), records)
    measured, optimum = report.record.measured, report.record.guess
    assert measured is not None
    assert optimum is not None
    assert measured.success > optimum - 0.02
    # Nobody beats the optimum but by luck: its standard error is that of 48,842 coin tosses.
    assert measured.success < optimum + 4 * measured.std_error
    if groups == 1:
        assert measured.success > 0.9
    for attribute in report.attributes.values():
        assert attribute.measured is not None
        assert attribute.guess is not None
        error = attribute.measured.std_error
        assert attribute.guess - 0.03 < attribute.measured.success < attribute.guess + 4 * error


@pytest.mark.slow
def test_a_design_that_looks_private_is_reported_as_what_it_is(adult: Records) -> None:
    records = adult.select(Schema(adult.schema.attributes[LAST_EIGHT]))
    design = in_groups(records.schema, 1, "0.55")
    report = privacy_report(design, records)
    # Each answer on its own looks like the toss of a coin …
    assert all(a.epsilon < 0.21 for a in report.attributes.values())
    # … and the report is next to the record itself.
    assert report.record.epsilon == np.inf
    assert report.record.guess is not None
    assert report.record.guess > 0.99
    assert report.record.measured is not None
    assert report.record.measured.success > 0.98
    assert "reads the whole record of" in report.warnings[0]
    assert "leaves only itself and its opposite" in report.warnings[1]
    assert report.document()["record"]["epsilon"] == "inf"
    assert "leaves only itself and its opposite" in str(most_serious(design))


@pytest.mark.slow
def test_one_known_attribute_opens_a_related_group(adult: Records) -> None:
    records = adult.select(Schema(adult.schema.attributes[LAST_EIGHT]))
    design = in_groups(records.schema, 2, "0.55")
    report = privacy_report(
        design, records, known={"relationship": records.schema.attributes[0].values[0]}
    )
    assert report.groups[0].guess == pytest.approx(1.0, abs=1e-12)
    assert report.groups[0].measured is not None
    assert report.groups[0].measured.success == 1.0
    assert report.groups[1].guess is not None
    assert report.groups[1].guess < 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_no_attack_beats_the_optimum_but_by_luck(seed: int) -> None:
    design = random_design(seed)
    records = random_people(design, seed, n=4000)
    report = privacy_report(design, records, random_state=seed)
    for figures in (report.record, *report.groups, *report.attributes.values()):
        assert figures.measured is not None
        assert figures.guess is not None
        spread = np.sqrt(figures.guess * (1 - figures.guess) / len(records))
        assert figures.measured.success <= figures.guess + 4.5 * spread + 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_candidates_agree_with_the_table(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Weighing people instead of patterns gives the same figures, within their standard error."""
    design = random_design(seed)
    records = random_people(design, seed, n=2000)
    listed = privacy_report(design, records)
    monkeypatch.setattr(measure_privacy, "MOST_JOINT_CELLS", 1)
    weighed = privacy_report(design, records)
    pairs = [
        (listed.record, weighed.record),
        *zip(listed.groups, weighed.groups, strict=True),
        *zip(listed.attributes.values(), weighed.attributes.values(), strict=True),
    ]
    for exact, sampled in pairs:
        assert exact.guess is not None
        assert sampled.guess is not None
        assert abs(exact.guess - sampled.guess) <= 4.5 * sampled.guess_std_error + 1e-9
        assert sampled.before == pytest.approx(exact.before, abs=1e-12)


@pytest.mark.slow
def test_kinds_of_people_do_as_well_as_patterns(
    adult: Records, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What guesses in wide domains, tried where both ways are possible."""
    records = adult.select(Schema(adult.schema.attributes[LAST_EIGHT]))
    for groups in (1, 4):
        design = in_groups(records.schema, groups, "0.6")
        reports = disguise_records(records, None, design, SeededBits(3))
        weighed = attack(records, reports, design)
        monkeypatch.setattr(guessers, "MOST_GUESSED_CELLS", 1)
        by_kinds = attack(records, reports, design)
        monkeypatch.undo()
        assert abs(by_kinds.record.success - weighed.record.success) < 0.04
        for name, measured in by_kinds.attributes.items():
            assert measured.success > weighed.attributes[name].success - 0.04


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_kinds_of_people_through_every_channel(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    design = random_design(seed)
    records = random_people(design, seed, n=3000)
    report = privacy_report(design, records)
    monkeypatch.setattr(guessers, "MOST_GUESSED_CELLS", 1)
    by_kinds = privacy_report(design, records)
    for name, attribute in by_kinds.attributes.items():
        assert attribute.measured is not None
        before = report.attributes[name].before
        assert before is not None
        assert attribute.measured.success > before - 0.02
    assert by_kinds.record.measured is not None
    assert report.record.measured is not None
    assert by_kinds.record.measured.success > report.record.measured.success - 0.05


@pytest.mark.slow
@pytest.mark.parametrize("groups", [1, 2, 4])
def test_success_is_foreseen_without_the_truth(adult: Records, groups: int) -> None:
    """An attacker's success, estimated through the disguise, against what it really got right."""
    records = adult.select(Schema(adult.schema.attributes[LAST_EIGHT]))
    design = in_groups(records.schema, groups, "0.7")
    reports = disguise_records(records, None, design, SeededBits(8))
    foreseen, counted = foreseen_attack(reports, design), attack(records, reports, design)
    assert foreseen is not None
    # It learns from half of the reports only: up to a point less is right.
    pairs = [(foreseen.record, counted.record), *zip(foreseen.groups, counted.groups, strict=True)]
    pairs += [(foreseen.attributes[name], counted.attributes[name]) for name in counted.attributes]
    for estimate, truth in pairs:
        assert estimate is not None
        assert truth is not None
        assert abs(estimate.success - truth.success) < 4 * estimate.std_error + 0.015


def test_reconstruction_keeps_public_attributes_and_names() -> None:
    design = random_design(3)
    records = random_people(design, 3, n=500)
    reports = disguise_records(records, None, design, SeededBits(1))
    found = reconstruct(reports, design)
    assert found.schema == design.schema
    for name in design.public:
        place = design.schema.position(name)
        assert np.array_equal(found.columns[place], records.columns[place])


@pytest.mark.slow
def test_what_a_collector_can_know_comes_close_to_the_truth(adult: Records) -> None:
    records = adult.select(Schema(adult.schema.attributes[LAST_EIGHT]))
    design = in_groups(records.schema, 2, "0.8")
    reports = disguise_records(records, None, design, SeededBits(5))
    estimated = estimated_population(reports, design)
    assert estimated.source == "reports"
    assert sum(block.shares.sum() for block in estimated.blocks) == pytest.approx(1)
    by_truth = privacy_report(design, records).record.guess
    by_reports = privacy_report(design, estimated).record.guess
    assert by_truth is not None
    assert by_reports == pytest.approx(by_truth, abs=0.02)


def test_reports_of_other_records_are_refused() -> None:
    design = random_design(1)
    with pytest.raises(DataError, match="records and"):
        attack(random_people(design, 1, n=10), random_people(design, 1, n=9), design)


@pytest.mark.slow
@pytest.mark.parametrize("known", [None, {"a0": "no"}])
@pytest.mark.parametrize("channel", ["related", "keep-or-uniform"])
def test_groups_too_large_to_weigh(channel: str, known: dict[str, str] | None) -> None:
    """Twenty independent yes/no answers in one group, a tenth yes each."""
    names = [f"a{i}" for i in range(20)]
    group = {"attributes": names, "channel": channel, "theta": "0.6"}
    domains = {name: ["no", "yes"] for name in names}
    design = Design.of({"attributes": domains, "groups": [group]})
    rng = np.random.default_rng(9)
    people = Records.from_codes(list(rng.random((20, 3000)) < 0.1), design.schema)
    report = privacy_report(design, people, known=known)
    constant = 1 - float(people.columns[1].mean())
    for figures in (report.record, report.attributes["a1"]):
        assert figures.measured is not None
        assert figures.guess is not None
        assert figures.measured.success > figures.guess - 0.02 - 4 * figures.guess_std_error
    assert report.attributes["a1"].measured is not None
    assert report.attributes["a1"].measured.success > constant - 0.01
    if known and channel == "related":
        assert report.record.measured is not None
        assert report.record.measured.success == 1


@pytest.mark.slow
def test_known_values_in_a_wide_domain() -> None:
    """Only reports of people who have the known value are averaged over."""
    names = [f"a{i}" for i in range(22)]
    domains = {name: ["no", "yes"] for name in names}
    groups = [
        {"attributes": names[i : i + 2], "channel": "related", "theta": "0.6"}
        for i in range(0, 22, 2)
    ]
    design = Design.of({"attributes": domains, "groups": groups})
    rng = np.random.default_rng(3)
    people = Records.from_codes(list(rng.random((22, 400)) < 0.3), design.schema)
    report = privacy_report(design, people, known={"a0": "yes"})
    assert report.groups[0].guess == pytest.approx(1.0, abs=1e-9)
    assert report.record.guess is not None
    assert 0 < report.record.guess <= 1
