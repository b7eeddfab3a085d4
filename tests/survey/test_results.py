"""What is shown: nothing before there are enough answers, then frozen batches, with doubts."""

import secrets
from pathlib import Path

import numpy as np
import pytest

from deniable.design import Design
from deniable.oracle.randomized import RandomizedOracle
from deniable.survey.protocol import Submission
from deniable.survey.questionnaire import EXAMPLE, Survey, load
from deniable.survey.reports import records
from deniable.survey.results import Published, Results, published, results
from deniable.survey.store.store import Store
from survey.serving import open_store


@pytest.fixture
def survey(tmp_path: Path) -> Survey:
    path = tmp_path / "survey.yaml"
    path.write_text(EXAMPLE.replace("# direct: 1/10", "direct: 1/10"), encoding="utf-8")
    return load(path)


def drawn(survey: Survey, people: int, seed: int) -> list[str]:
    generator = np.random.default_rng(seed)
    columns = [generator.integers(0, size, people) for size in survey.design.schema.sizes]
    return ["".join(map(str, row)) for row in np.column_stack(columns)]


def counted(reports: list[str]) -> dict[str, int]:
    return {report: reports.count(report) for report in set(reports)}


def test_shares_are_those_of_the_oracle(survey: Survey) -> None:
    reports = drawn(survey, 700, 1)
    found = results(survey, counted(reports), {})
    oracle = RandomizedOracle(records(counted(reports), survey.design.schema), survey.design)
    for share in found.shares:
        asked = oracle.count([f"{share.attribute}='{share.value}'"], of="population")
        low, high = asked.interval()
        assert share.estimate.share == pytest.approx(asked.share[0])
        assert (share.estimate.low, share.estimate.high) == pytest.approx(
            (low[0] / 700, high[0] / 700)
        )
        place = survey.design.schema.position(share.attribute)
        digit = str(survey.design.schema[share.attribute].code(share.value))
        assert share.reported == pytest.approx(np.mean([r[place] == digit for r in reports]))
    assert found.people == 700
    assert {s.attribute for s in found.shares if s.disguised} == {"copied", "pills", "moon"}


def test_the_direct_arm_is_read_as_it_is_and_compared(survey: Survey) -> None:
    disguised, direct = drawn(survey, 500, 2), drawn(survey, 60, 3)
    found = results(survey, counted(disguised), counted(direct))
    place = survey.design.schema.position("copied")
    plain = np.mean([report[place] == "1" for report in direct])
    (share,) = [s for s in found.shares if (s.attribute, s.value) == ("copied", "yes")]
    assert share.direct
    assert share.difference
    assert share.direct.share == pytest.approx(plain)
    assert share.difference.share == pytest.approx(share.estimate.share - plain)
    # Both arms by hand: θ = 4/5 blows a sample's error up by 1/(2θ − 1).
    told = np.mean([report[place] == "1" for report in disguised])
    error = np.sqrt(told * (1 - told) / 500 / 0.6**2 + plain * (1 - plain) / 60)
    # Score intervals are a little narrower in the middle than 1.96 standard errors of 60 people.
    assert share.difference.high - share.difference.share == pytest.approx(1.96 * error, rel=0.06)
    assert found.directly == 60


def test_nobody_among_a_few_is_not_taken_for_nobody_at_all(survey: Survey) -> None:
    place = survey.design.schema.position("copied")
    disguised = [r[:place] + str(int(n % 40 < 9)) + r[place + 1 :]
                 for n, r in enumerate(drawn(survey, 4000, 11))]  # fmt: skip
    direct = [r[:place] + "0" + r[place + 1 :] for r in drawn(survey, 30, 12)]
    shares = results(survey, counted(disguised), counted(direct)).shares
    (share,) = [s for s in shares if (s.attribute, s.value) == ("copied", "yes")]
    assert share.difference
    assert share.estimate.low > 0  # about 4 %, which 0 of 30 does not contradict
    assert share.difference.low < 0


def test_control_items_are_held_against_their_known_share(survey: Survey) -> None:
    place = survey.design.schema.position("moon")
    everybody = [r[:place] + "1" + r[place + 1 :] for r in drawn(survey, 300, 4)]
    (share,) = [
        s for s in results(survey, counted(everybody), {}).shares
        if (s.attribute, s.value) == ("moon", "yes")
    ]  # fmt: skip
    assert share.known == 0
    assert share.contradicted
    honest = [f"{r[:place]}{int(n % 5 == 0)}{r[place + 1 :]}" for n, r in enumerate(everybody)]
    (share,) = [
        s for s in results(survey, counted(honest), {}).shares
        if (s.attribute, s.value) == ("moon", "yes")
    ]  # fmt: skip
    assert not share.contradicted


def test_how_far_a_personal_distribution_moves_an_estimate_is_what_it_does(survey: Survey) -> None:
    reports = counted(drawn(survey, 400, 5))
    document = survey.design.document()
    (unrelated,) = [group for group in document["groups"] if group["channel"] == "unrelated"]
    unrelated["personal"] = {"pills": {"no": "0.6615", "yes": "0.3385"}}  # a point more
    table = records(reports, survey.design.schema)
    before, after = (
        RandomizedOracle(table, design).count(["pills=yes"]).share[0]
        for design in (survey.design, Design.of(document))
    )
    shares = results(survey, reports, {}).shares
    (share,) = [s for s in shares if (s.attribute, s.value) == ("pills", "yes")]
    assert share.moves is not None
    assert after - before == pytest.approx(share.moves / 100)


def test_results_survive_being_written_down(survey: Survey) -> None:
    found = results(survey, counted(drawn(survey, 90, 6)), counted(drawn(survey, 9, 7)))
    assert Results.of(found.document()) == found


def kept(store: Store, reports: list[str]) -> list[str]:
    ids = [secrets.token_hex(16) for _ in reports]
    store.keep(
        [
            Submission(store.survey.fingerprint, id_, "", "disguised", "page", 2, report)
            for id_, report in zip(ids, reports, strict=True)
        ]
    )
    return ids


def shown(store: Store) -> Published:
    found = published(store)
    assert found
    return found


def test_nothing_is_shown_before_the_threshold_and_then_only_whole_batches(
    survey: Survey, tmp_path: Path
) -> None:
    store = open_store(tmp_path / "survey.yaml")
    reports = drawn(survey, 300, 8)
    kept(store, reports[:199])
    assert published(store) is None
    kept(store, reports[199:200])
    first = shown(store)
    assert first.results.people == 200
    assert first.tallies["device page"] == 200
    kept(store, reports[200:249])
    assert shown(store) == first
    kept(store, reports[249:250])
    assert shown(store).results.people == 250
    store.database.close()


def test_a_withdrawn_answer_changes_nothing_that_is_shown_until_the_next_batch(
    survey: Survey, tmp_path: Path
) -> None:
    store = open_store(tmp_path / "survey.yaml")
    ids = kept(store, drawn(survey, 200, 9))
    before = shown(store)
    assert store.withdraw(ids[0])
    assert shown(store) == before
    kept(store, drawn(survey, 50, 10))
    assert shown(store).results.people == 249
    store.database.close()
