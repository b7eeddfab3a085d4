"""A miner of another package, in one file, does all that our own miners do."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from collab.parties import EXACT, PATIENTS, TWO_HOSPITALS, by_columns, by_rows
from commanding import Command
from deniable import ExactOracle, RandomizedOracle, Records, load_model, save_model, score
from deniable.base.errors import CollabError, ExtensionError, ModelError
from deniable.collab.counting.plain_twin import Twin
from deniable.design import Design
from deniable.mine.implied_rules import implications
from deniable.mine.miner import Miner, MinerOption
from deniable.mine.model import Classifier
from deniable.mine.models.find_miner import find_miner, miner_names
from deniable.source.disguise import disguise_records
from deniable.source.randomness import SeededBits
from extending.distribution import installed
from extending.outside_miner import ONER, OneRule, mine_oner
from mine.datasets import random_records

GROUP, N = "deniable.miners", 4000


@pytest.fixture
def oner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    return installed(tmp_path, monkeypatch, GROUP, "oner", "extending.outside_miner:ONER")


@pytest.fixture
def people(design: Design) -> Records:
    """Whoever smokes earns little, nine times in ten."""
    rng = np.random.default_rng(5)
    smokes, drinks, region = (rng.integers(size, size=N) for size in (2, 2, 3))
    income = np.where(rng.random(N) < 0.9, 1 - smokes, smokes)
    return Records.from_codes([smokes, drinks, income, region], design.schema)


@pytest.fixture
def reports(people: Records, design: Design, tmp_path: Path) -> Path:
    path = tmp_path / "reports.parquet"
    pq.write_table(disguise_records(people, None, design, SeededBits(7)).to_arrow(), path)
    return path


def test_plain_and_disguised_records_give_the_same_rule(people: Records, design: Design) -> None:
    reported = disguise_records(people, None, design, SeededBits(7))
    plain = mine_oner(ExactOracle(people, design.schema), "income")
    through = mine_oner(RandomizedOracle(reported, design), "income")
    assert plain.attribute == through.attribute == "smokes"
    assert np.array_equal(plain.chances.argmax(axis=1), through.chances.argmax(axis=1))
    # Ours is one of the rules that a reader could know.
    assert len(implications(replace(through))[0]) == 2 * 2 * 3


@pytest.mark.usefixtures("oner")
def test_commands_mine_predict_and_score_it(
    deniable: Command, reports: Path, people: Records, design_file: Path, tmp_path: Path
) -> None:
    raw, model = tmp_path / "raw.parquet", tmp_path / "model.json"
    pq.write_table(people.to_arrow(), raw)
    ask = ("mine", "oner", reports, "--design", design_file, "--target", "income")
    shown = deniable(*ask, "--out", model)
    assert shown.code == 0, shown.err
    assert "income by smokes" in shown.out
    assert "wrote" in shown.err

    found = json.loads(deniable(*ask, "--alpha", 2, "--feature", "drinks", "--json").out)
    assert (found["values"], found["model"]["attribute"]) == (2, "drinks")

    plain = json.loads(deniable("score", model, raw, "--json").out)
    # The rule is right for nine in ten: 4 standard errors of a share of 4,000.
    assert abs(plain["accuracy"] - 0.9) < 4 * np.sqrt(0.9 * 0.1 / N)
    seen = json.loads(deniable("score", model, reports, "--design", design_file, "--json").out)
    assert abs(seen["accuracy"] - 0.9) < 4 * seen["std_error"]

    answers = deniable("predict", model, raw).out.splitlines()
    assert len(answers) == N + 1
    assert "oner" in deniable("mine", "--help").out
    assert "Added to every count." in deniable("mine", "oner", "--help").out
    assert deniable(*ask, "--alpha", "much").code == 2
    assert deniable("privacy", design_file, "--model", model).code == 0


@pytest.mark.usefixtures("oner")
def test_models_are_read_and_scored_from_python(
    people: Records, design: Design, tmp_path: Path
) -> None:
    oracle = RandomizedOracle(disguise_records(people, None, design, SeededBits(8)), design)
    model = find_miner("oner").mine(oracle, "income")
    save_model(model, tmp_path / "model.json")
    read = load_model(tmp_path / "model.json")
    assert isinstance(read, OneRule)
    assert read.document() == model.document()
    assert abs(score(read, oracle).accuracy - 0.9) < 4 * score(read, oracle).std_error


@pytest.mark.slow
@pytest.mark.usefixtures("oner")
@pytest.mark.parametrize("mode", ["secure", "pool", "counts"])
def test_parties_mine_it_together(mode: str, tmp_path: Path) -> None:
    records = random_records(PATIENTS, 300, seed=2)
    mine, wanted = {"oner": {"target": "ill", "alpha": "2"}}, ExactOracle(records, PATIENTS)
    if mode == "secure":
        # Without noise: with it, another attribute comes out best now and then.
        gathering = by_columns(tmp_path, records, TWO_HOSPITALS, mode=mode, mine=mine, policy=EXACT)
    else:
        first = np.arange(len(records)) < 100
        sites = {"north": records.among(first), "south": records.among(~first)}
        shown: dict[str, Any] = {"disguise": {}, "undisguised": PATIENTS.names}
        gathering = by_rows(tmp_path, sites, mode=mode, mine=mine, **shown)
    found = gathering.lead_here(backend=Twin()).model
    assert found.document() == mine_oner(wanted, "ill", alpha=2).document()
    assert "a rule of one attribute about ill" in gathering.agreement.story()


@pytest.mark.usefixtures("oner")
def test_a_collaboration_reads_its_options(tmp_path: Path) -> None:
    records = random_records(PATIENTS, 30, seed=2)
    for mode, options, wrong in (
        ("secure", {"target": "ill", "alpha": "0"}, "alpha: 0 is out of range"),
        ("secure", {"target": "ill", "beta": "1"}, "no entry 'beta'"),
        ("secure", {"alpha": "1"}, "'target' is missing"),
        ("hybrid", {"target": "ill"}, "A rule of one attribute has no candidates to confirm"),
    ):
        with pytest.raises(CollabError, match=wrong):
            by_columns(tmp_path, records, TWO_HOSPITALS, mode=mode, mine={"oner": options})


def test_where_it_is_not_installed_it_is_not_known(
    deniable: Command, people: Records, design: Design, tmp_path: Path
) -> None:
    save_model(mine_oner(ExactOracle(people, design.schema), "income"), tmp_path / "model.json")
    with pytest.raises(ModelError, match="kind 'oner'"):
        load_model(tmp_path / "model.json")
    assert deniable("mine", "oner").code == 2
    assert "oner" not in miner_names()


def test_a_model_that_holds_no_numbers_is_one_sentence_and_not_written(
    people: Records, design: Design, tmp_path: Path
) -> None:
    model = mine_oner(ExactOracle(people, design.schema), "income")
    with pytest.raises(ModelError, match="holds what is no number"):
        save_model(replace(model, chances=model.chances * np.nan), tmp_path / "model.json")
    assert not list(tmp_path.glob("*.json"))


# --- Leaving anything out fails, in one sentence -------------------------------------------------

PARTS: dict[str, Any] = {
    "name": "oner", "help": "…", "mine": mine_oner, "model": OneRule, "show": ONER.show
}  # fmt: skip


class NoKind(OneRule):
    kind = "two rules"


class NotRead(Classifier):
    kind = "oner"


def no_types(oracle, target, alpha=1.0):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN201
    return mine_oner(oracle, target, alpha=alpha)


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"mine": None}, "has no function that mines"),
        ({"show": None}, "or none to show"),
        ({"model": None}, "is no subclass of Model"),
        ({"model": NoKind}, "is of another kind"),
        ({"model": NotRead}, "does not say 'body', 'probabilities', 'read', 'schema'"),
        ({"options": {"gamma": MinerOption("?")}}, "an option 'gamma' it cannot take"),
    ],
)
def test_a_description_without_a_needed_part_is_refused(
    changes: dict[str, Any], wrong: str
) -> None:
    with pytest.raises(ModelError, match=wrong):
        Miner(**{**PARTS, **changes})


def test_an_option_without_a_type_is_refused() -> None:
    miner = Miner(**{**PARTS, "mine": no_types, "options": {"alpha": MinerOption("?")}})
    with pytest.raises(ModelError, match="does not say which type"):
        miner.keywords()


NO_MINER = "not a miner"
OTHER_NAME = replace(ONER)


@pytest.mark.parametrize(
    ("target", "wrong"),
    [
        ("extending.no_such_module:ONER", "does not work: No module named"),
        ("extending.outside_miner:NONE", "has no attribute 'NONE'"),
        ("extending.test_outside_miner:NO_MINER", "is no deniable.mine.miner.Miner"),
        ("extending.test_outside_miner:OTHER_NAME", "calls itself 'oner'"),
    ],
)
def test_a_broken_package_is_one_sentence_and_nobody_else_suffers(
    target: str,
    wrong: str,
    deniable: Command,
    reports: Path,
    design_file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    package = installed(tmp_path, monkeypatch, GROUP, "broken", target)
    with pytest.raises(ExtensionError, match=wrong):
        find_miner("broken")
    done = deniable("mine", "broken", reports, "--design", design_file, "--target", "income")
    assert (done.code, done.err.count("\n")) == (1, 1)
    assert "the miner 'broken' of the package" in done.err
    assert package in done.err
    assert deniable("mine", "--help").code == 0
    other = deniable("mine", "bayes", reports, "--design", design_file, "--target", "income")
    assert other.code == 0, other.err


def test_two_packages_that_offer_one_name_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        installed(tmp_path, monkeypatch, GROUP, "oner", "extending.outside_miner:ONER")
    with pytest.raises(ExtensionError, match="is offered by"):
        find_miner("oner")
