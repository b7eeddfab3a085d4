"""The papers' data at parties in processes of their own, over real TLS: the very same models."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from collab.parties import EVERYTHING, Gathering, by_columns
from collab.processes import finished, running, serving
from commanding import Command, Outcome
from deniable import Design, ExactOracle, RandomizedOracle, disguise
from deniable.base.documents import read_yaml, to_yaml
from deniable.collab.agreement.agreement import Agreement
from deniable.collab.agreement.approvals import approve
from deniable.collab.agreement.party_file import PartyFile
from deniable.collab.counting.plain_twin import Twin
from deniable.collab.ledger import read
from deniable.design import Group
from deniable.engine.memory.records import Records
from deniable.mine.model import Model
from deniable.mine.models.model_files import load_model
from deniable.mine.rules.association_rules import mine_rules
from deniable.mine.rules.rule_set import RuleSet
from deniable.mine.tree.decision_tree import DecisionTree
from deniable.mine.tree.mine_tree import mine_tree
from deniable.papers.datasets import SETS
from deniable.papers.prepared_sets import binary
from mine.datasets import random_records
from papersets import dataset

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::deniable.source.disguise.SeedWarning"),
]

FIRST = {"adult": 10_000}
DEEPEST = {"secure": {"adult": "3"}, "hybrid": {"adult": "3", "mushroom": "4"}}
"""Whole trees elsewhere. The whole one of Adult is in the benchmarks: it takes a minute."""

STRANGERS = {"tic-tac-toe": 25}
"""People that only one side has; sets with none are aligned by their key."""

SOUTH = {"tic-tac-toe": slice(0, 4), "mushroom": slice(12, 15), "adult": slice(0, 4)}
"""Columns that are only the second party's; of Mushroom, the colours of the stalk and one more."""

ROWS = {"north": "top", "south": "middle", "east": "bottom"}
"""Three parties, each of which sees one row of the board."""

SEEDS = {"north": 1, "south": 2, "east": 3}
INVENTED = 200


def papers(name: str) -> Records:
    dataset(name)  # or the test is left out
    return binary(name, FIRST.get(name))


def tree_of(name: str, mode: str = "", **options: str) -> dict[str, Any]:
    deepest = DEEPEST.get(mode, {}).get(name)
    return {
        "tree": {"target": SETS[name].target, **options}
        | ({"max_depth": deepest} if deepest else {})
    }


def two_parties(folder: Path, name: str, records: Records | None = None) -> Gathering:
    """Both know the class; the second party's other columns are disguised for the hybrid."""
    records, target = records or papers(name), SETS[name].target
    features = [column for column in records.schema.names if column != target]
    theirs = features[SOUTH[name]]
    mine = [column for column in features if column not in theirs]
    return by_columns(
        folder,
        records,
        {"north": [*mine, target], "south": [*theirs, target]},
        mode="hybrid",
        mine=tree_of(name, "hybrid", window="full"),
        disguise={"south": [related(theirs, "0.8")]},
        policy=EVERYTHING,
        strangers=STRANGERS.get(name, 0),
        align="psi" if name in STRANGERS else "key",
    )


def three_parties(folder: Path) -> Gathering:
    """Each party has a row of the board; a university has nothing."""
    shares = {
        party: [column for column in papers("tic-tac-toe").schema.names if column.startswith(row)]
        for party, row in ROWS.items()
    }
    shares["north"].append(SETS["tic-tac-toe"].target)
    return by_columns(
        folder,
        papers("tic-tac-toe"),
        shares,
        mode="collect",
        mine=tree_of("tic-tac-toe", growth="faithful"),
        disguise={party: [related(columns, "0.9")] for party, columns in shares.items()},
        seeds=SEEDS,
        outside="university",
        results=["university", "north"],
    )


def related(columns: Sequence[str], theta: str) -> dict[str, Any]:
    return {"attributes": list(columns), "channel": "related", "theta": theta}


def agreed(gathering: Gathering, name: str, **changes: Any) -> Gathering:
    """Another collaboration of the same parties; what is None is left out."""
    document: Any = read_yaml(gathering.folder / "collaboration.yaml")
    document |= {key.replace("_", " "): value for key, value in changes.items()}
    if document["mode"] == "secure":
        for brought in document["parties"].values():
            brought.pop("disguise", None)
    folder = gathering.folder / name
    folder.mkdir()
    file = folder / "collaboration.yaml"
    file.write_text(to_yaml({key: value for key, value in document.items() if value is not None}))
    agreement = Agreement.load(file)
    for party in gathering.parties.values():
        if PartyFile.load(party).name in {*agreement.names, *agreement.leaders}:
            approve(PartyFile.load(party), agreement)
    return replace(gathering, folder=folder, agreement=agreement)


@pytest.fixture(scope="module", params=SOUTH)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


only_ttt = pytest.mark.parametrize("name", ["tic-tac-toe"], indirect=True)


@pytest.fixture(scope="module")
def pair(name: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gathering]:
    """Two parties of a set, the second of which serves."""
    gathering = two_parties(tmp_path_factory.mktemp(name), name)
    with serving(gathering):
        yield gathering


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gathering]:
    """Three parties that serve, and a university."""
    gathering = three_parties(tmp_path_factory.mktemp("three"))
    with serving(gathering):
        yield gathering


def ran(deniable: Command, gathering: Gathering, name: str, *options: str) -> Outcome:
    """`deniable collaborate run` at a party."""
    file, party = gathering.folder / "collaboration.yaml", gathering.parties[name]
    done = deniable("collaborate", "run", file, "--party", party, *options)
    assert done.code == 0, done.err
    return done


def result(gathering: Gathering, name: str) -> Model:
    return load_model(gathering.state(name) / "model.json")


def plain(name: str, agreement: Agreement) -> DecisionTree:
    """ID3 on the joint table; columns in the agreement's order, by which ties are broken."""
    joint = papers(name).select(agreement.schema)
    options = {key: value for key, value in agreement.task.options.items() if key != "window"}
    return mine_tree(ExactOracle(joint, joint.schema), **options)


def require_same(found: Model, wanted: DecisionTree) -> None:
    assert isinstance(found, DecisionTree)
    assert found.features == wanted.features
    assert np.array_equal(found.axis, wanted.axis)
    assert np.array_equal(found.counts, wanted.counts)
    assert np.array_equal(found.shares, wanted.shares)
    assert found.n == wanted.n


def require_same_ledgers(gathering: Gathering, one: str, other: str) -> None:
    first, second = gathering.ledger(one, other), gathering.ledger(other, one)
    assert len(read(first)) > 1
    assert first.read_bytes() == second.read_bytes()


def test_a_secure_tree_is_plain_id3_of_the_joint_table(
    pair: Gathering, deniable: Command, name: str
) -> None:
    gathering = agreed(pair, "secure", mode="secure", mine=tree_of(name, "secure"))
    told = json.loads(ran(deniable, gathering, "north", "--json").out)
    wanted = plain(name, gathering.agreement)
    for party in ("north", "south"):
        require_same(result(gathering, party), wanted)
    assert told["leader"] == "north"
    assert told["records"] == len(papers(name))  # without the people that only one side has
    assert told["secure_counts"] > 0
    assert told["withheld"] == 0
    assert told["model"] == json.loads((gathering.state("south") / "model.json").read_text())
    require_same_ledgers(gathering, "north", "south")


def test_a_hybrid_tree_by_a_full_window_is_plain_id3_too(
    pair: Gathering, deniable: Command, name: str
) -> None:
    ran(deniable, pair, "north")
    for party in ("north", "south"):
        require_same(result(pair, party), plain(name, pair.agreement))
    require_same_ledgers(pair, "north", "south")


@only_ttt
def test_secure_rules_are_the_rules_of_the_joint_table(pair: Gathering) -> None:
    options = {"min_support": "0.25", "min_confidence": "0.6", "max_len": "3"}
    gathering = agreed(pair, "rules", mode="secure", mine={"rules": options})
    code, out, err = finished(running(gathering, "north", "--json"))
    assert code == 0, err
    joint = papers("tic-tac-toe").select(gathering.agreement.schema)
    wanted = mine_rules(
        ExactOracle(joint, joint.schema), min_support=0.25, min_confidence=0.6, max_len=3
    )
    for party in ("north", "south"):
        found = result(gathering, party)
        assert isinstance(found, RuleSet)
        assert len(found) > 20
        assert found.document() == wanted.document() == json.loads(out)["model"]


def combined(gathering: Gathering, leader: str) -> RandomizedOracle:
    """The file that all reports make; every party disguises its people in order of identifiers."""
    agreement = gathering.agreement.led_by(leader)
    people = papers("tic-tac-toe")
    order = np.array(sorted(range(len(people)), key=lambda row: f"p{row}"))
    columns: dict[str, Any] = {}
    groups: list[Group] = []
    for name in agreement.names:
        design = agreement.sent(name)
        raw = people.select(design.schema)
        raw = Records(raw.schema, tuple(column[order] for column in raw.columns))
        reports = disguise(raw, design, SEEDS[name]) if design.groups else raw
        columns |= dict(zip(design.schema.names, reports.columns, strict=True))
        groups += design.groups
    schema = agreement.schema
    joint = Records(schema, tuple(columns[name] for name in schema.names))
    return RandomizedOracle(joint, Design(schema, tuple(groups)))


@pytest.mark.parametrize("own", ["plain", "disguised"])
def test_three_parties_give_what_the_combined_file_gives(
    three: Gathering, deniable: Command, own: str
) -> None:
    gathering = agreed(three, own, leader="north", own_columns=own, results=["north", "south"])
    ran(deniable, gathering, "north")
    oracle = combined(gathering, "north")
    wanted = mine_tree(oracle, SETS["tic-tac-toe"].target, growth="faithful")
    for party in ("north", "south"):
        require_same(result(gathering, party), wanted)
    assert not (gathering.state("east") / "model.json").exists()
    for other in ("south", "east"):
        require_same_ledgers(gathering, "north", other)


def test_a_collector_from_outside_gives_the_result_to_those_who_may_have_it(
    three: Gathering, deniable: Command
) -> None:
    told = json.loads(ran(deniable, three, "university", "--json").out)
    assert (told["leader"], told["secure_counts"]) == ("university", 0)
    wanted = mine_tree(combined(three, "university"), SETS["tic-tac-toe"].target, growth="faithful")
    for party in ("university", "north"):
        require_same(result(three, party), wanted)
    for party in ("south", "east"):
        assert not (three.state(party) / "model.json").exists()
        assert not (three.state(party) / "collected.parquet").exists()
        require_same_ledgers(three, "university", party)


def test_whoever_is_drawn_leads_wherever_the_command_is_given(
    three: Gathering, deniable: Command
) -> None:
    gathering = agreed(three, "drawn", leader="drawn", own_columns="disguised", results=None)
    # Two parties give the command, so at least one of them follows another's lead.
    first, again = (
        json.loads(ran(deniable, gathering, name, "--json").out) for name in ("south", "east")
    )
    leader = first["leader"]
    assert again == first
    wanted = mine_tree(combined(gathering, leader), SETS["tic-tac-toe"].target, growth="faithful")
    for party in ROWS:
        require_same(result(gathering, party), wanted)
    for party in set(ROWS) - {leader}:
        require_same_ledgers(gathering, leader, party)
        assert not (gathering.state(party) / "collected.parquet").exists()


@only_ttt
def test_a_dry_run_tells_nothing_of_the_real_data(
    pair: Gathering, deniable: Command, tmp_path: Path
) -> None:
    changes = {
        "mode": "secure",
        "mine": tree_of("tic-tac-toe", max_depth="2"),
        "purpose": "A rehearsal.",
    }
    gathering = agreed(pair, "rehearsal", **changes)
    ran(deniable, gathering, "north", "--dry-run", "--records", str(INVENTED))
    others = random_records(papers("tic-tac-toe").schema, 500, seed=1)
    elsewhere = agreed(two_parties(tmp_path, "tic-tac-toe", others), "rehearsal", **changes)
    assert elsewhere.agreement.digest == gathering.agreement.digest
    elsewhere.lead_here(rehearsal=INVENTED, backend=Twin())
    ledgers = [
        each.state(one).with_name(f"{each.state(one).name}-rehearsal-{INVENTED}")
        / f"ledger-{other}.jsonl"
        for each in (gathering, elsewhere)
        for one, other in (("north", "south"), ("south", "north"))
    ]
    released = [[(r.about, r.value) for r in read(path) if r.kind == "count"] for path in ledgers]
    assert len(released[0]) > 5
    assert all(rows == released[0] for rows in released)  # whatever the real data are
    for party in ("north", "south"):
        assert not gathering.state(party).exists()
