"""`deniable privacy` as people and programs use it, and the one-line warning everywhere else."""

import json
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from commanding import Command
from deniable.design import Design
from deniable.source.disguise import disguise

COIN = "smokes and drinks share one coin"


@pytest.fixture
def people(tmp_path: Path, design: Design) -> Path:
    """A thousand records as they are."""
    rng = np.random.default_rng(5)
    smokes = rng.random(1000) < 0.3
    drinks = rng.random(1000) < np.where(smokes, 0.8, 0.2)
    path = tmp_path / "people.parquet"
    table = {
        "smokes": np.where(smokes, "yes", "no"),
        "drinks": np.where(drinks, "yes", "no"),
        "income": np.where(rng.random(1000) < 0.4, "high", "low"),
        "region": rng.choice(["north", "south", "west"], 1000),
    }
    pq.write_table(pa.table(table), path)
    return path


@pytest.fixture
def reports(people: Path, design: Design, tmp_path: Path) -> Path:
    path = tmp_path / "reports.parquet"
    pq.write_table(disguise(pq.read_table(people), design), path)
    return path


def measured(deniable: Command, *words: object) -> Any:
    done = deniable("privacy", *words, "--json")
    assert done.code == 0, done.err
    return json.loads(done.out)


def test_json_by_attribute_group_and_record(deniable: Command, design_file: Path) -> None:
    found = measured(deniable, design_file)
    assert list(found["attributes"]) == ["smokes", "drinks", "income", "region"]
    smokes = found["attributes"]["smokes"]
    assert smokes["epsilon"] == pytest.approx(log(4))
    assert smokes["guess"] == pytest.approx(0.8)
    assert smokes["pse"] == pytest.approx(0.32)
    assert found["attributes"]["region"]["epsilon"] == "inf"
    first, second = found["groups"]
    assert first["attributes"] == ["smokes", "drinks"]
    assert first["epsilon"] == "inf"
    assert max(first["knowing"].values()) == pytest.approx(1.0)
    assert second["epsilon"] == pytest.approx(log(0.85 / 0.15))
    assert found["record"]["epsilon"] == "inf"
    assert found["record"]["guess"] == pytest.approx(0.8 * 0.85)
    assert found["population"] == "even"
    assert COIN in found["warnings"][0]


@pytest.mark.slow
def test_records_are_attacked(deniable: Command, design_file: Path, people: Path) -> None:
    found = measured(deniable, design_file, "--population", people)
    assert found["population"] == "records"
    assert found["n"] == found["respondents"] == 1000
    for figures in (found["record"], *found["groups"], found["attributes"]["smokes"]):
        attack = figures["measured"]
        assert attack["people"] == 1000
        assert abs(attack["success"] - figures["guess"]) < 0.1
    shown = deniable("privacy", design_file, "--population", people)
    assert "attacker" in shown.out
    assert "among 1,000 people" in shown.out


@pytest.mark.slow
def test_the_attack_is_the_same_every_time(
    deniable: Command, design_file: Path, people: Path
) -> None:
    words = (design_file, "--population", people)
    assert measured(deniable, *words) == measured(deniable, *words)
    assert measured(deniable, *words, "--random-state", 1) != measured(deniable, *words)


@pytest.mark.slow
def test_reports_tell_what_a_collector_knows(
    deniable: Command, design_file: Path, reports: Path, people: Path
) -> None:
    found = measured(deniable, design_file, "--population", reports)
    assert found["population"] == "reports"
    # What an attacker would get right is estimated through the disguise, and close to the truth.
    truth = measured(deniable, design_file, "--population", people)
    for name in ("smokes", "drinks", "income"):
        foreseen = found["attributes"][name]["measured"]
        counted = truth["attributes"][name]["measured"]
        error = np.hypot(foreseen["std_error"], counted["std_error"])
        assert abs(foreseen["success"] - counted["success"]) < 4 * error + 0.03


def test_shares_from_yaml(deniable: Command, design_file: Path, tmp_path: Path) -> None:
    shares = tmp_path / "shares.yaml"
    shares.write_text("smokes: 0.1\nincome: {low: 0.9, high: 0.1}\n", encoding="utf-8")
    found = measured(deniable, design_file, "--population", shares)
    assert found["population"] == "shares"
    assert found["attributes"]["smokes"]["before"] == pytest.approx(0.9)
    assert found["attributes"]["drinks"]["before"] == pytest.approx(0.5)
    same = tmp_path / "shares.json"
    same.write_text('{"smokes": 0.1, "income": {"low": 0.9, "high": 0.1}}', encoding="utf-8")
    assert measured(deniable, design_file, "--population", same) == found


def test_a_known_answer_opens_its_group(deniable: Command, design_file: Path) -> None:
    found = measured(deniable, design_file, "--known", "drinks=yes")
    assert found["known"] == {"drinks": "yes"}
    assert found["attributes"]["smokes"]["guess"] == pytest.approx(1.0)
    assert found["groups"][1]["guess"] == pytest.approx(0.85)


@pytest.mark.slow
def test_rules_and_models(
    deniable: Command, design_file: Path, people: Path, reports: Path, tmp_path: Path
) -> None:
    found = measured(deniable, design_file, "--rule", "drinks=yes => smokes=yes: 0.8")
    smokes = found["attributes"]["smokes"]
    assert smokes["rec"]["known"] == pytest.approx(0.5 * 0.8)
    assert smokes["rec"]["unknown"] == pytest.approx(0.8 * 0.8)
    assert smokes["pse_after"] == pytest.approx(0.32 - 0.64)
    shown = deniable("privacy", design_file, "--rule", "drinks=yes => smokes=yes: 0.8")
    assert "PSE after" in shown.out
    for kind in ("tree", "bayes", "forest", "logistic", "rules"):
        model = tmp_path / f"{kind}.json"
        target = ["--min-support", "0.1", "--min-confidence", "0.2"] if kind == "rules" else []
        target = target or ["--target", "smokes"]
        done = deniable("mine", kind, reports, "--design", design_file, *target, "--out", model)
        assert done.code == 0, done.err
        mined = measured(deniable, design_file, "--population", people, "--model", model)
        rec = mined["attributes"]["smokes"]["rec"]
        assert rec is not None, kind
        if kind != "rules":
            # Rules whose premises exclude each other recover at most what there is.
            assert 0.5 < rec["known"] <= 1
    done = deniable("mine", "dependence", reports, "--design", design_file, "--out", model)
    assert done.code == 0
    refused = deniable("privacy", design_file, "--model", model)
    assert refused.code == 1
    assert "holds no rules" in refused.err


def test_html_is_written_whole(deniable: Command, design_file: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    done = deniable("privacy", design_file, "--html", page)
    assert done.code == 0
    text = page.read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert COIN in text
    assert f"wrote {page}" in done.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--known", "smokes"], "Expected '='"),
        (["--known", "smoke=yes"], "no attribute 'smoke'"),
        (["--known", "smokes=yes", "--known", "smokes=no"], "'yes' and that it is 'no'"),
        (["--rule", "smokes=yes"], "is no rule"),
        (["--rule", "smokes=yes => drinks=yes: 2"], "is no rule"),
        (["--rule", "smokes=yes => drinks=yes & income=low: 0.5"], "one value"),
        (["--breach", "0.5"], "is not two shares"),
        (["--breach", "0.5,0.1"], "makes no sense"),
        (["--population", "nowhere.csv"], "does not exist"),
        (["--population", "nowhere.yaml"], "does not exist"),
        (["--model", "nowhere.json"], "does not exist"),
        (["--html", "nowhere/report.html"], "nowhere"),
    ],
)
def test_bad_input_gets_one_sentence(
    deniable: Command, design_file: Path, words: list[str], message: str
) -> None:
    done = deniable("privacy", design_file, *words)
    assert done.code == 1
    assert message in done.err
    assert done.err.count("\n") == 1
    assert not done.out


def test_reports_of_another_design_are_refused(
    deniable: Command, design_file: Path, reports: Path
) -> None:
    text = design_file.read_text(encoding="utf-8").replace("4/5", "3/5")
    design_file.write_text(text, encoding="utf-8")
    done = deniable("privacy", design_file, "--population", reports)
    assert done.code == 1
    assert "another design" in done.err


def test_an_unknown_personal_distribution_cannot_be_measured(
    deniable: Command, tmp_path: Path
) -> None:
    path = tmp_path / "unknown.yaml"
    path.write_text(
        "attributes: {a: [no, yes]}\n"
        "groups: [{attributes: [a], channel: unrelated, theta: 0.7, personal: unknown}]\n",
        encoding="utf-8",
    )
    done = deniable("privacy", path)
    assert done.code == 1
    assert "cannot be measured" in done.err


def test_design_check_prints_the_most_serious_warning_once(
    deniable: Command, design_file: Path
) -> None:
    done = deniable("design", "check", design_file)
    assert done.out.count("Warning:") == 1
    assert COIN in done.out.splitlines()[-1]
    assert COIN in json.loads(deniable("design", "check", design_file, "--json").out)["warning"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ["tree", "--target", "smokes"],
        ["forest", "--target", "smokes", "--n-estimators", "2"],
        ["bayes", "--target", "smokes"],
        ["logistic", "--target", "smokes"],
        ["rules", "--min-support", "0.3", "--min-confidence", "0.5"],
        ["dependence"],
    ],
)
def test_every_mining_command_warns_once(
    deniable: Command, design_file: Path, reports: Path, words: list[str]
) -> None:
    kind, *rest = words
    done = deniable("mine", kind, reports, "--design", design_file, *rest)
    assert done.code == 0
    lines = [line for line in done.err.splitlines() if "warning:" in line]
    assert len(lines) == 1
    assert COIN in lines[0]


def test_cutting_back_by_a_second_file_warns_once_too(
    deniable: Command,
    design_file: Path,
    reports: Path,
    tmp_path: Path,
    people: Path,
    design: Design,
) -> None:
    second = tmp_path / "second.parquet"
    pq.write_table(disguise(pq.read_table(people), design), second)
    words = ("--target", "smokes", "--validation", second)
    done = deniable("mine", "tree", reports, "--design", design_file, *words)
    assert done.code == 0
    assert done.err.count("warning:") == 1


def test_a_report_is_not_written_over_what_it_is_made_of(
    deniable: Command, design_file: Path, people: Path
) -> None:
    for out in (design_file, people):
        before = out.read_bytes()
        done = deniable("privacy", design_file, "--population", people, "--html", out)
        assert done.code == 1
        assert "is read" in done.err
        assert out.read_bytes() == before


def test_a_rule_about_a_public_attribute_is_called_harmless(
    deniable: Command, design_file: Path
) -> None:
    done = deniable("privacy", design_file, "--rule", "smokes=yes => region=north: 0.8")
    assert done.code == 0
    assert "region is public" in done.err


def test_a_negative_pse_has_a_true_minus_sign(deniable: Command, design_file: Path) -> None:
    shown = deniable("privacy", design_file, "--rule", "drinks=yes => smokes=yes: 0.8")
    assert "−0.320" in shown.out
    assert "-0.320" not in shown.out
