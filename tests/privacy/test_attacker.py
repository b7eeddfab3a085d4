"""The attacker, given reports and design only, against the optimum that knows the population."""

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from deniable.design import Design
from deniable.engine.records import Records
from deniable.errors import DataError
from deniable.experiments.attacked import privacy_report
from deniable.privacy import attacker, measure
from deniable.privacy.attacker import attack, estimated_population, reconstruct
from deniable.privacy.concerns import most_serious
from deniable.schema import Schema
from deniable.source.disguise import disguise_records
from deniable.source.preparing.preparation import Preparation
from deniable.source.randomness import SeededBits
from mine.datasets import DATA
from privacy.designs import random_design, random_people

LAST_EIGHT = slice(7, 15)
"""relationship, race, sex, capital-gain, capital-loss, hours-per-week, native-country, income"""


@pytest.fixture(scope="module")
def adult(tmp_path_factory: pytest.TempPathFactory) -> Records:
    """All 48,842 records in binary."""
    out = Path(tmp_path_factory.mktemp("adult"), "adult.parquet")
    plan = Preparation.learn(DATA / "adult.csv", nominal="binary", na=())
    plan.apply(DATA / "adult.csv", out)
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


@pytest.mark.parametrize("seed", range(12))
def test_no_attack_beats_the_optimum_but_by_luck(seed: int) -> None:
    design = random_design(seed)
    records = random_people(design, seed, n=4000)
    report = privacy_report(design, records, seed=seed)
    for figures in (report.record, *report.groups, *report.attributes.values()):
        assert figures.measured is not None
        assert figures.guess is not None
        spread = np.sqrt(figures.guess * (1 - figures.guess) / len(records))
        assert figures.measured.success <= figures.guess + 4.5 * spread + 1e-12


@pytest.mark.parametrize("seed", range(12))
def test_candidates_agree_with_the_table(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Weighing people instead of patterns gives the same figures, within their standard error."""
    design = random_design(seed)
    records = random_people(design, seed, n=2000)
    listed = privacy_report(design, records)
    monkeypatch.setattr(measure, "MOST_CELLS", 1)
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


def test_a_group_too_large_to_weigh_is_compared_with_its_opposites(
    adult: Records, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = adult.select(Schema(adult.schema.attributes[LAST_EIGHT]))
    design = in_groups(records.schema, 1, "0.6")
    reports = disguise_records(records, None, design, SeededBits(3))
    weighed = attack(records, reports, design).record
    monkeypatch.setattr(attacker, "MOST_CELLS", 1)
    compared = attack(records, reports, design).record
    assert compared.success > 0.98
    assert abs(compared.success - weighed.success) < 0.02


def test_reconstruction_keeps_public_attributes_and_names() -> None:
    design = random_design(3)
    records = random_people(design, 3, n=500)
    reports = disguise_records(records, None, design, SeededBits(1))
    found = reconstruct(reports, design)
    assert found.schema == design.schema
    for name in design.public:
        place = design.schema.position(name)
        assert np.array_equal(found.columns[place], records.columns[place])


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
