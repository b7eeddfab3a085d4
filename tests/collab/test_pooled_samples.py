"""Collaborations whose leader has disguised records: all miners, and unknown personal answers."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from collab.parties import Gathering, by_rows
from collab.party_folders import exchange, write_agreement, write_party
from commanding import Command
from deniable.base.errors import CollabError
from deniable.collab.agreement.agreement import Agreement
from deniable.collab.agreement.approvals import approve
from deniable.collab.agreement.party_file import PartyFile
from deniable.collab.protocol.body import Stamp
from deniable.collab.start_run import toss
from deniable.mine.models.find_miner import find_miner
from deniable.oracle.pooled import PooledOracle
from deniable.oracle.randomized import RandomizedOracle
from deniable.schema import Schema
from deniable.source.disguise import disguise
from mine.datasets import random_records

YES = ["no", "yes"]
SCHEMA = Schema.of({"smokes": YES, "old": YES, "ill": YES})
SEEDS = {"north": 1, "south": 2}

MINED: dict[str, dict[str, Any]] = {
    "forest": {"target": "ill", "n_estimators": "5", "random_state": "3"},
    "groupwise": {"target": "ill", "n_estimators": "3"},
    "best": {"target": "ill", "n_estimators": "3"},
    "logistic": {"target": "ill", "ridge": "1"},
    "dependence": {"attributes": ["smokes", "ill"], "level": "0.1"},
}


def options(kind: str) -> dict[str, Any]:
    numbers = {"n_estimators": int, "random_state": int, "ridge": float, "level": float}
    return {name: numbers.get(name, lambda v: v)(value) for name, value in MINED[kind].items()}


@pytest.mark.filterwarnings("ignore::deniable.source.disguise.SeedWarning")
@pytest.mark.parametrize("kind", MINED)
def test_a_leader_with_disguised_records_mines_all_that_one_command_would(
    kind: str, tmp_path: Path
) -> None:
    sites = {
        "north": random_records(SCHEMA, 400, seed=1),
        "south": random_records(SCHEMA, 300, seed=2),
    }
    group = [{"attributes": list(SCHEMA.names), "channel": "keep-or-uniform", "theta": "4/5"}]
    gathering = by_rows(
        tmp_path, sites, mode="pool", mine={kind: MINED[kind]}, own_columns="disguised",
        disguise=dict.fromkeys(sites, group), seeds=SEEDS,
    )  # fmt: skip
    found = gathering.lead_here().model
    parts = []
    for name, records in sites.items():
        design = gathering.agreement.sent(name)
        parts.append(RandomizedOracle(_in_order(disguise(records, design, SEEDS[name])), design))
    oracle = PooledOracle(parts)
    wanted = find_miner(kind).mine(oracle, **options(kind))
    assert json.loads(json.dumps(found.document())) == json.loads(json.dumps(wanted.document()))


def _in_order(reports: Any) -> Any:
    """A site sends its reports sorted, so that their order tells nothing."""
    return reports.among(np.lexsort(reports.columns))


@pytest.mark.parametrize("mode", ["counts", "secure", "hybrid"])
def test_where_only_counts_are_mined_a_forest_is_refused_with_the_way_out(mode: str) -> None:
    columns = {"smokes": YES, "ill": YES}
    other = {"old": YES} if mode != "counts" else columns
    groups = [
        {"attributes": [name], "channel": "related", "theta": "0.8"} for name in ("smokes", "ill")
    ]
    own = [{"attributes": ["old"], "channel": "related", "theta": "0.8"}]
    parties: dict[str, Any] = {
        "north": {"columns": columns, "disguise": groups},
        "south": {"columns": other, "disguise": groups if mode == "counts" else own},
    }
    if mode == "secure":
        parties = {name: {"columns": each["columns"]} for name, each in parties.items()}
    document = {
        "collaboration": "a", "mode": mode, "leader": "north",
        "parties": parties, "mine": {"forest": {"target": "ill"}},
    }  # fmt: skip
    with pytest.raises(CollabError, match="A random forest takes disguised records") as refused:
        Agreement.of(document)
    assert "collect or pool" in refused.value.hint


# --- Unknown personal distributions -----------------------------------------------------------

N = 20_000
THETAS = {"north": "0.8", "south": "0.3"}


def people(seed: int) -> dict[str, list[str]]:
    """Who smokes is ill for 85 %; personal answers go together in 60 %."""
    rng = np.random.default_rng(seed)
    smokes, lake, old = rng.integers(2, size=(3, N))
    codes = {
        "smokes": smokes,
        "ill": smokes ^ (rng.random(N) > 0.85),
        "old": old,
        "personal.smokes": lake,
        "personal.ill": lake ^ (rng.random(N) > 0.6),
    }
    return {name: [YES[code] for code in column] for name, column in codes.items()}


def unknown(theta: str) -> list[dict[str, Any]]:
    group = {"attributes": ["smokes", "ill"], "channel": "unrelated", "personal": "unknown"}
    return [{**group, "theta": theta}]


def gathered(folder: Path, mine: Mapping[str, Any], **others: Any) -> Gathering:
    columns = dict.fromkeys(("smokes", "old", "ill"), YES)
    parties = {
        name: write_party(
            folder / name, name, data=people(SEEDS[name]), columns=columns, seed=SEEDS[name],
            disguise=unknown(theta), undisguised=["old"],
        )
        for name, theta in THETAS.items()
    }  # fmt: skip
    parties["broker"] = write_party(folder / "broker", "broker")
    exchange(*parties.values())
    brought = {
        name: {"columns": columns, "disguise": unknown(theta), "undisguised": ["old"]}
        for name, theta in THETAS.items()
    }
    file = write_agreement(
        folder, parties=brought, mine=mine, mode="pool", **{"leader": "broker", **others}
    )
    agreement = Agreement.load(file)
    for name, path in parties.items():
        if name in agreement.everybody:
            approve(PartyFile.load(path), agreement)
    return Gathering(folder, agreement, parties)


@pytest.mark.filterwarnings("ignore::deniable.source.disguise.SeedWarning")
@pytest.mark.parametrize("leads", ["broker", "north", "drawn"])
def test_two_sites_with_different_thetas_tell_an_unknown_distribution(
    tmp_path: Path, leads: str
) -> None:
    own = {} if leads == "broker" else {"own_columns": "disguised", "leader": leads}
    gathering = gathered(tmp_path, {"bayes": {"target": "ill"}}, **own)
    if leads == "drawn":
        stamp = Stamp(gathering.agreement.digest)
        leads = toss(gathering.agreement, lambda name: gathering.loop("north", name), stamp)
        gathering.close()
    found: Any = gathering.lead_here(leads).model
    assert (found.of, found.n) == ("population", 2 * N)
    # Of 40,000 private answers: half smoke, and half are ill.
    shares = found.classes.value / found.n
    assert (np.abs(shares - 0.5) < 4 * found.classes.std_error / found.n).all()
    place = found.features.index("smokes")
    among = found.tables[place].value / found.n
    error = found.tables[place].std_error / found.n
    assert (np.abs(among - [[0.425, 0.075], [0.075, 0.425]]) < 4.5 * error).all()
    for name in THETAS:
        sent = gathering.agreement.sent(name)
        assert sent.schema.names == ("smokes", "old", "ill")


@pytest.mark.parametrize(
    ("kind", "asked"),
    [
        ("tree", {"target": "ill"}),
        ("rules", {"min_support": "0.1", "min_confidence": "0.6"}),
        ("itemsets", {"min_support": "0.1"}),
        ("logistic", {"target": "ill"}),
    ],
)
@pytest.mark.filterwarnings("ignore::deniable.source.disguise.SeedWarning")
def test_every_miner_takes_two_sites_without_being_told_of_the_population(
    tmp_path: Path, kind: str, asked: dict[str, str]
) -> None:
    model: Any = gathered(tmp_path, {kind: asked}).lead_here().model
    if kind == "tree":
        assert model.predict(np.array([[0, 0], [1, 1]])).tolist() == [0, 1]
    elif kind == "logistic":
        odds = {row.name: (row.estimate, row.std_error) for row in model.rows()}
        truth = 2 * np.log(0.85 / 0.15)
        assert abs(odds["smokes=yes"][0] - truth) < 4 * odds["smokes=yes"][1]
    else:
        assert model.of == "population"
        assert len(model) > 0


def test_what_it_costs_and_gives_away_is_told_and_can_be_rehearsed(
    deniable: Command, tmp_path: Path
) -> None:
    gathering = gathered(tmp_path, {"bayes": {"target": "ill"}})
    file = gathering.folder / "collaboration.yaml"
    own = ("--party", gathering.parties["north"])
    told = deniable("collaborate", "estimate", file, *own)
    assert told.code == 0, told.err
    said = " ".join(told.out.split())
    assert "depends on how the personal answers are distributed, which nobody knows yet" in said
    shown = deniable("collaborate", "approve", file, *own, "--yes")
    assert "personal.smokes and personal.ill" in " ".join(shown.out.split())


def changed(document: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {**document, **{key.replace("_", " "): value for key, value in changes.items()}}


SITE = {"columns": {"smokes": YES, "ill": YES}}
AGREED: dict[str, Any] = {
    "collaboration": "a",
    "mode": "pool",
    "leader": "broker",
    "parties": {name: {**SITE, "disguise": unknown(theta)} for name, theta in THETAS.items()},
    "mine": {"bayes": {"target": "ill"}},
}
KNOWN = [{"attributes": ["smokes", "ill"], "channel": "related", "theta": "0.8"}]


def with_south(disguised: list[dict[str, Any]]) -> dict[str, Any]:
    return {"parties": {**AGREED["parties"], "south": {**SITE, "disguise": disguised}}}


RULES = {"rules": {"min_support": "0.1", "min_confidence": "0", "of": "sample"}}


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"leader": "north"}, "leaves its own columns undisguised"),
        (with_south(unknown("0.8")), "one equation for two unknowns"),
        (with_south(KNOWN), "different groups unknown"),
        ({"mode": "counts"}, "mode: counts sends no reports"),
        ({"mine": RULES}, "the population only"),
        ({"mine": {"tree": {"target": "ill", "growth": "shrunk"}}}, "no channel to shrink"),
    ],
)
def test_sites_that_cannot_tell_it_are_refused_when_the_file_is_read(
    changes: dict[str, Any], problem: str
) -> None:
    assert Agreement.of(AGREED).several_samples
    with pytest.raises(CollabError, match=problem) as refused:
        Agreement.of(changed(AGREED, **changes))
    assert refused.value.hint


def test_data_without_the_personal_answers_are_refused_before_anybody_approves(
    tmp_path: Path,
) -> None:
    gathering = gathered(tmp_path, {"bayes": {"target": "ill"}})
    data = people(1)
    del data["personal.ill"]
    columns = dict.fromkeys(("smokes", "old", "ill"), YES)
    offered: dict[str, Any] = {"disguise": unknown("0.8"), "undisguised": ["old"]}
    write_party(tmp_path / "north", "north", data=data, columns=columns, **offered)
    exchange(*gathering.parties.values())
    with pytest.raises(CollabError, match=r"no column 'personal\.ill'"):
        gathering.party("north").check(gathering.agreement)
