"""Skipped, and not asked: nobody can tell who did, and estimates are of those they say."""

import asyncio
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import httpx
import numpy as np
import pytest
import yaml

from commanding import Command
from deniable.channel.channel import patterns
from deniable.design import Design
from deniable.engine.open_table import open_table
from deniable.oracle.randomized import RandomizedOracle
from deniable.respondents import simulation
from deniable.survey.among_sayers import among_sayers, ratios, weights_of
from deniable.survey.board_papers.analysis_scripts import python_script
from deniable.survey.export import export
from deniable.survey.protocol import REPORT_LETTERS, size_of
from deniable.survey.questionnaire import Survey, load
from deniable.survey.reports import records
from deniable.survey.results import FEWEST_ASKED, published, results
from deniable.survey.server.app import create
from survey.node import browser_table
from survey.serving import open_store

NO_YES = {"no": "No", "yes": "Yes"}
SURVEY = {
    "survey": "work",
    "languages": ["en"],
    "title": "Work",
    "consent": "We ask.",
    "contact": "a@b.example",
    "invitations": "no",
    "direct": "1/10",
    "results": {"after": "100", "every": "50"},
    "questions": {
        "job": {"text": "Job?", "options": {"none": "None", "some": "Some", "two": "Two"}},
        "place": {
            "text": "Where?",
            "if": {"job": ["some", "two"]},
            "options": {"desk": "Desk", "shop": "Shop"},
        },
        "theft": {"text": "Theft?", "options": NO_YES, "may_skip": "yes", "if": {"place": "shop"}},
        "pills": {"text": "Pills?", "options": NO_YES, "may_skip": "yes"},
    },
    "groups": [
        {"attributes": ["theft"], "channel": "related", "theta": "2/3"},
        {"attributes": ["pills"], "channel": "related", "theta": "2/3"},
    ],
}
SKIPS = Design.of(
    {
        "attributes": {"a": ["no", "yes", "skipped"]},
        "groups": [{"attributes": ["a"], "channel": "related", "theta": "2/3"}],
    }
)


def survey_file(folder: Path, **changes: object) -> Path:
    path = folder / "work.yaml"
    path.write_text(yaml.safe_dump({**SURVEY, **changes}, sort_keys=False), encoding="utf-8")
    return path


@pytest.fixture
def survey(tmp_path: Path) -> Survey:
    return load(survey_file(tmp_path))


# --- Nobody can tell who skipped ------------------------------------------------------------------


@pytest.mark.slow
def test_from_a_sent_skip_nobody_can_tell_who_skipped() -> None:
    """The shipped page's coin, attacked by the best guess: Bayes' rule with the right prior."""
    n = 30_000
    truths = [{"a": value} for value in ("no", "yes", "skipped")]
    counts = browser_table(SKIPS, truths, n, seed=7) / n  # [report, truth]
    prior = np.array([0.6, 0.3, 0.1])
    posterior = counts * prior / (counts @ prior)[:, None]
    # 2/3·1/10 of (2/3·1/10 + 1/6·9/10): 4/13. Its error is at most .3 % of that.
    assert posterior[2, 2] == pytest.approx(4 / 13, abs=0.01)
    assert posterior.argmax(axis=1)[2] != 2  # even who sends "skipped" most likely did not
    # No report makes a truth more than e^ε = 4 times likelier against another.
    assert (counts[:, :, None] / counts[:, None, :]).max() < 4 * 1.05


def boxes(channel: str) -> Design:
    values = ["no", "yes", "skipped"]
    group = {"attributes": ["a", "b"], "channel": channel, "theta": "2/3"}
    return Design.of({"attributes": {"a": values, "b": values}, "groups": [group]})


def test_boxes_that_are_skipped_together_show_nothing_where_whole_answers_are_replaced() -> None:
    cells = [tuple(cell) for cell in patterns((3, 3)).tolist()]
    possible = [place for place, cell in enumerate(cells) if len({c == 2 for c in cell}) == 1]
    assert len(possible) == 5  # two boxes, or skipped
    chances = {
        channel: boxes(channel).groups[0].channel.matrix([0, 1])[:, possible]
        for channel in ("related", "keep-or-uniform")
    }
    kept = chances["keep-or-uniform"]
    # Kept with 2/3, or one of nine: (2/3 + 1/27)/(1/27) = 19 times, for any report and two truths.
    assert (kept.max(axis=1) / kept.min(axis=1)).max() == pytest.approx(19)
    # One coin for both would tell: who sends (no, skipped) is not as sent, and so has ticked a.
    told = chances["related"][cells.index((0, 2))]
    assert [cells[possible[place]] for place in np.flatnonzero(told)] == [(1, 0), (1, 1)]


# --- Shares among those who would say -------------------------------------------------------------


@pytest.mark.parametrize("truth", [(0.6, 0.25, 0.15), (0.9, 0.05, 0.05), (0.3, 0.3, 0.4)])
def test_shares_among_those_who_say_have_the_error_and_coverage_that_they_claim(
    truth: tuple[float, float, float],
) -> None:
    n, surveys = 1500, 4000
    shares = np.array(truth)
    weights = weights_of(SKIPS, "a")
    sent = np.linalg.inv(weights) @ shares
    drawn = np.random.default_rng(11).multinomial(n, sent, surveys) / n
    found = [ratios(weights, reported, 2, n) for reported in drawn]
    assert all(each is not None for each in found)
    estimates, errors = (np.array([each[k][1] for each in found if each]) for k in (0, 1))
    true = shares[1] / (1 - shares[2])
    # An s.d. from 4,000 is known to 1.1 %, a mean to s.d./63; the delta method leaves out terms of
    # the order of the squared relative error of 1 − p_s, which is below .05 here: .25 % of 1.
    assert errors.mean() == pytest.approx(estimates.std(), rel=0.05)
    assert estimates.mean() == pytest.approx(true, abs=4 * errors.mean() / 63 + 0.0025)
    covered = (np.abs(estimates - true) < 1.96 * errors).mean()
    # Its s.d. is √(.95·.05/4000) = .0034: four of them, and .006 for what is left out.
    assert covered == pytest.approx(0.95, abs=0.02)


def test_the_error_is_that_of_the_covariance_matrix() -> None:
    column = np.random.default_rng(3).choice(3, 900, p=[0.5, 0.2, 0.3])
    weights = weights_of(SKIPS, "a")[:, column]
    shares, cov = weights.mean(axis=1), np.cov(weights, bias=True) / 900
    slope = np.array([1 / (1 - shares[2]), shares[1] / (1 - shares[2]) ** 2])
    error = np.sqrt(slope @ cov[np.ix_([1, 2], [1, 2])] @ slope)
    found = among_sayers(SKIPS, "a", column)
    assert set(found) == {"no", "yes"}
    assert found["yes"].share == pytest.approx(shares[1] / (1 - shares[2]))
    assert (found["yes"].high - found["yes"].low) / 2 == pytest.approx(1.959964 * error)
    assert found["no"].share + found["yes"].share == pytest.approx(1)


def test_where_hardly_anybody_would_say_there_is_no_share_of_those() -> None:
    assert among_sayers(SKIPS, "a", np.full(300, 2)) == {}
    assert among_sayers(SKIPS, "a", np.zeros(0, dtype=np.int64)) == {}


# --- Who was asked --------------------------------------------------------------------------------


def reports(survey: Survey, n: int, seed: int) -> list[str]:
    """Reports as the page sends them: of what is not asked, the first value."""
    generator = np.random.default_rng(seed)
    job, place, theft, pills = (generator.integers(0, k, n) for k in survey.design.schema.sizes)
    place[job == 0] = 0
    theft[place != 1] = 0
    columns = np.stack([job, place, theft, pills], axis=1)
    return ["".join(REPORT_LETTERS[code] for code in row) for row in columns]


def test_estimates_are_of_those_who_were_asked(survey: Survey) -> None:
    ours, theirs = Counter(reports(survey, 900, 1)), Counter(reports(survey, 200, 2))
    found = results(survey, ours, theirs)
    asked = {report: number for report, number in ours.items() if report[1] == "1"}
    oracle = RandomizedOracle(records(asked, survey.design.schema), survey.design)
    of = sum(asked.values())
    assert 250 < of < 350
    for share in found.shares:
        if share.attribute == "theft":
            count = oracle.count([f"theft={share.value}"], of="population")
            low, high = count.interval()
            assert share.asked == of
            assert share.estimate.share == pytest.approx(count.value[0] / of)
            assert share.estimate.low == pytest.approx(low[0] / of)
            assert share.estimate.high == pytest.approx(high[0] / of)
            assert share.direct is not None
            assert (share.among is None) is (share.value == "skipped")
        elif share.attribute == "place":
            assert share.asked == sum(number for r, number in ours.items() if r[0] != "0")
        else:
            assert share.asked is None
    names = [share.attribute for share in found.shares]
    assert names == sorted(names, key=survey.design.schema.position)


def test_of_a_few_who_were_asked_nothing_is_shown(survey: Survey) -> None:
    some = ["1120"] * (FEWEST_ASKED - 1) + ["0000"] * 300
    shown = {share.attribute for share in results(survey, Counter(some), {}).shares}
    assert shown == {"job", "pills"}
    more = results(survey, Counter([*some, "1120"]), Counter(some))
    (share,) = (s for s in more.shares if (s.attribute, s.value) == ("theft", "skipped"))
    assert (share.asked, share.direct) == (FEWEST_ASKED, None)


def test_an_export_marks_who_was_not_asked_and_every_command_counts_right(
    survey: Survey, tmp_path: Path, deniable: Command
) -> None:
    ours = Counter(reports(survey, 900, 4))
    arms = {"disguised": records(ours, survey.design.schema)}
    folder = export(survey, arms, tmp_path / "out").folder
    design = Design.load(folder / "design.yaml")
    assert design.schema["theft"].values == ("no", "yes", "skipped", "not_asked")
    oracle = RandomizedOracle(open_table(folder / "disguised.parquet"), design)
    asked = sum(number for report, number in ours.items() if report[1] == "1")
    found = oracle.count(["theft=not_asked", "theft=yes", "theft=yes & place=shop"])
    assert found.value[0] == pytest.approx(900 - asked)
    assert found.std_error[0] == pytest.approx(0, abs=1e-6)
    (share,) = (
        s for s in results(survey, ours, {}).shares if (s.attribute, s.value) == ("theft", "yes")
    )
    assert found.value[1:] / asked == pytest.approx([share.estimate.share] * 2)
    done = deniable("estimate", folder / "disguised.csv", "theft=yes", "--design",
                    folder / "design.yaml", "--json")  # fmt: skip
    assert done.code == 0, done.err
    book = json.loads((folder / "codebook.json").read_text(encoding="utf-8"))
    theft = next(question for question in book["questions"] if question["name"] == "theft")
    assert theft["asked_if"] == {"place": ["shop"]}
    assert theft["may_skip"] is True
    assert theft["columns"][0]["values"][-1]["value"] == "not_asked"
    assert book["design_fingerprint"] == design.fingerprint
    text = (folder / "codebook.md").read_text(encoding="utf-8")
    assert "Asked only of people with `place` = shop." in text
    assert "People may skip it" in text


@pytest.mark.slow
def test_simulated_people_skip_are_asked_or_not_and_their_truth_is_found(tmp_path: Path) -> None:
    store = open_store(survey_file(tmp_path))
    transport = httpx.ASGITransport(create(store))
    truth = {
        "theft": {"no": 0.7, "yes": 0.2, "skipped": 0.1},
        "pills": {"no": 0.5, "yes": 0.2, "skipped": 0.3},
    }
    done = asyncio.run(
        simulation("http://survey.test", 600, truth=truth, random_state=3, transport=transport)
    )
    assert done.acknowledged == 600
    store.close()
    found = published(store)
    store.database.close()
    assert found is not None
    shares = [s for s in found.results.shares if s.attribute in truth]
    assert len(shares) == 6
    for share in shares:
        half = (share.estimate.high - share.estimate.low) / 2  # four standard errors are twice that
        assert abs(share.estimate.share - truth[share.attribute][share.value]) < 2 * half
        if share.among:
            among = truth[share.attribute][share.value] / (1 - truth[share.attribute]["skipped"])
            assert abs(share.among.share - among) < share.among.high - share.among.low


def test_a_sent_answer_to_what_was_not_asked_is_refused(tmp_path: Path) -> None:
    store = open_store(survey_file(tmp_path))

    async def answers() -> list[int]:
        transport = httpx.ASGITransport(create(store))
        async with httpx.AsyncClient(transport=transport, base_url="http://survey.test") as client:
            found = []
            for number, report in enumerate(("1120", "0000", "0100", "0010", "1020", "1010")):
                body = (
                    f'{{"survey":"{store.survey.fingerprint}","id":"{number:032x}","token":"",'
                    f'"arm":"disguised","device":"own","understood":2,"report":"{report}",'
                    '"padding":"'
                )
                body = f'{body:.<{size_of(4) - 2}}"}}'
                headers = {"content-type": "application/json"}
                sent = await client.post("/api/answers", content=body, headers=headers)
                found.append(sent.status_code)
            return found

    assert asyncio.run(answers()) == [200, 200, 422, 422, 422, 422]
    store.database.close()


def test_the_script_beside_an_export_finds_the_shares_of_those_who_were_asked(
    survey: Survey, tmp_path: Path
) -> None:
    ours = Counter(reports(survey, 600, 8))
    folder = export(survey, {"disguised": records(ours, survey.design.schema)}, tmp_path / "out")
    script = tmp_path / "analysis.py"
    script.write_text(python_script(survey), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, script, folder.folder, "--json"], capture_output=True, check=True
    )
    found = {(row["attribute"], row["value"]): row for row in json.loads(done.stdout)}
    for share in results(survey, ours, {}).shares:
        row = found[share.attribute, share.value]
        assert row["n"] == share.asked or share.asked is None
        assert row["share"] == pytest.approx(share.estimate.share)
        assert (row["low"], row["high"]) == pytest.approx((share.estimate.low, share.estimate.high))
