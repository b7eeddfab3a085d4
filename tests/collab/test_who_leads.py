"""Leaders from outside and drawn ones: each gets the result, and is told what to do."""

import logging
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from collab.parties import Gathering, by_rows
from commanding import Command, Outcome
from deniable.collab.party_server import PartyServer
from deniable.mine.bayes import NaiveBayes, mine_bayes
from deniable.mine.models.model_files import load_model
from deniable.oracle.pooled import PooledOracle
from deniable.oracle.randomized import RandomizedOracle
from deniable.schema import Schema
from deniable.source.disguise import disguise
from mine.datasets import random_records

SCHEMA = Schema.of({name: ["no", "yes"] for name in ("smokes", "back", "old")})
SITES = {"north": random_records(SCHEMA, 300, seed=1), "south": random_records(SCHEMA, 200, seed=2)}
SEEDS = {"north": 1, "south": 2}
GROUP = [{"attributes": list(SCHEMA.names), "channel": "keep-or-uniform", "theta": "1/2"}]


def sites(folder: Path, **others: Any) -> Gathering:
    return by_rows(
        folder, SITES, mode="pool", mine={"bayes": {"target": "back"}},
        disguise=dict.fromkeys(SITES, GROUP), seeds=SEEDS, **others,
    )  # fmt: skip


@contextmanager
def serving(gathering: Gathering, *names: str) -> Iterator[None]:
    with ExitStack() as stack:
        for name in names:
            server = PartyServer(gathering.party(name))
            stack.callback(server.close)
            server.start()
        yield


def run(deniable: Command, gathering: Gathering, name: str, *more: object) -> Outcome:
    file = gathering.folder / "collaboration.yaml"
    return deniable(
        "collaborate", "run", file, "--party", gathering.parties[name], "--patience", 1, *more
    )


@pytest.mark.filterwarnings("ignore::deniable.source.disguise.SeedWarning")
def test_a_collector_from_outside_gets_the_model(deniable: Command, tmp_path: Path) -> None:
    gathering = sites(tmp_path, outside="university")
    out = tmp_path / "university.json"
    with serving(gathering, *SITES):
        done = run(deniable, gathering, "university", "--out", out)
    assert done.code == 0, done.err
    assert done.out.startswith("Naive Bayes for back")
    agreement = gathering.agreement
    oracle = PooledOracle(
        [
            RandomizedOracle(
                disguise(people, agreement.sent(name), SEEDS[name]), agreement.sent(name)
            )
            for name, people in SITES.items()
        ]
    )
    found = load_model(out)
    assert isinstance(found, NaiveBayes)
    wanted = mine_bayes(oracle, "back")
    assert found.classes.value == pytest.approx(wanted.classes.value)
    for name in ("university", *SITES):
        assert (gathering.state(name) / "model.json").read_bytes() == out.read_bytes()


def test_who_gets_no_result_cannot_ask_for_it_in_a_file(deniable: Command, tmp_path: Path) -> None:
    gathering = sites(tmp_path, outside="university", results=["university", "south"])
    out = tmp_path / "north.json"
    done = run(deniable, gathering, "north", "--out", out)
    assert done.code == 1
    assert "north gets no result of readmission" in done.err
    assert "goes to university and south" in done.err
    assert not out.exists()


def test_where_the_leader_is_drawn_a_party_is_told_that_it_must_serve_itself(
    deniable: Command, tmp_path: Path
) -> None:
    gathering = sites(tmp_path, leader="drawn", own_columns="disguised")
    with serving(gathering, "north"):
        own = run(deniable, gathering, "south")
        other = run(deniable, gathering, "north")
    assert (own.code, other.code) == (1, 1)
    assert "south itself does not serve" in own.err
    assert "the party file of south here, in another window" in own.err
    assert "Ask south to run deniable party serve" in other.err


def test_who_is_drawn_hears_of_it_and_what_to_do(
    deniable: Command, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="deniable.collab")
    gathering = sites(tmp_path, leader="drawn", own_columns="disguised")
    with serving(gathering, *SITES):
        told = {name: run(deniable, gathering, name) for name in SITES}
    assert [each.code for each in told.values()] == [0, 0]
    leader = next(name for name in SITES if f"{name} was drawn to lead, and led" in told[name].err)
    own = [name for name in SITES if "from its own server; keep that running" in told[name].err]
    assert own == [leader]
    other = next(name for name in SITES if name != leader)
    said = [re.sub(r" \(\w{16}\)", "", line) for line in caplog.messages]
    duty = "keep this server running, for it mines here as soon as anybody runs the collaboration"
    assert f"{leader} was drawn to lead readmission: {duty}" in said
    assert f"{leader} was drawn to lead readmission: {other} answers it" in said


@pytest.mark.parametrize(
    ("leader", "party", "duty"),
    [
        ("drawn", "north", "lead if you are drawn, until there is a result"),
        ("north", "north", "lead for them"),
        ("north", "south", "- answer the others: deniable party serve"),
    ],
)
def test_approving_says_why_to_serve(
    deniable: Command, tmp_path: Path, leader: str, party: str, duty: str
) -> None:
    gathering = sites(tmp_path, leader=leader, own_columns="disguised")
    file = gathering.folder / "collaboration.yaml"
    done = deniable("collaborate", "approve", file, "--party", gathering.parties[party], "--yes")
    assert done.code == 0
    assert duty in " ".join(done.err.split())
