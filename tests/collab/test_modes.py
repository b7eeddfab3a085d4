"""Every mode gives what the same data would give in one place."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from collab.parties import EVERYTHING, PATIENTS, TWO_HOSPITALS, Gathering, by_columns, by_rows
from deniable import Design, ExactOracle, RandomizedOracle, disguise
from deniable.base.errors import CollabError, PolicyError
from deniable.base.fingerprint import digest_of
from deniable.collab.agreement.agreement import Agreement
from deniable.collab.counting.plain_twin import Twin
from deniable.collab.ledger import read
from deniable.collab.protocol.body import Stamp
from deniable.collab.session.leader_draw import committed, drawn
from deniable.collab.session.own_records import Holding
from deniable.collab.start_run import toss
from deniable.collab.wire.message import Message
from deniable.design import Group
from deniable.engine.memory.records import Records
from deniable.mine.bayes import NaiveBayes, mine_bayes
from deniable.mine.rules.association_rules import mine_rules
from deniable.mine.rules.rule_set import RuleSet
from deniable.mine.tree.decision_tree import DecisionTree
from deniable.mine.tree.mine_tree import mine_tree
from deniable.oracle.pooled import PooledOracle
from deniable.source.disguise import SeedWarning
from mine.datasets import random_records

pytestmark = pytest.mark.filterwarnings("ignore::deniable.source.disguise.SeedWarning")

THREE = {"north": ["smokes", "age"], "south": ["region", "ill"], "east": ["drinks"]}
GROUPS = {
    "north": [{"attributes": ["smokes", "age"], "channel": "related", "theta": "0.9"}],
    "south": [
        {"attributes": ["region"], "channel": "related", "theta": "0.8"},
        {"attributes": ["ill"], "channel": "related", "theta": "0.85"},
    ],
    "east": [{"attributes": ["drinks"], "channel": "keep-or-uniform", "theta": "0.7"}],
}
SEEDS = {"north": 1, "south": 2, "east": 3}
TREE = {"tree": {"target": "ill", "growth": "faithful"}}


def combined(gathering: Gathering, records: Records, agreement: Agreement) -> RandomizedOracle:
    """The file that all parties' reports would make, disguised by the same seeds."""
    columns: dict[str, Any] = {}
    groups: list[Group] = []
    for name in agreement.names:
        design = agreement.sent(name)
        # A holding is in the order of its identifiers, and so is the whole of its reports.
        holding = Holding.open(gathering.party(name), agreement.member(name), aligned=True)
        raw = holding.records.select(design.schema)
        seed = gathering.party(name).seed
        reports = (
            raw if name == agreement.leader and agreement.own_plain else disguise(raw, design, seed)
        )
        columns |= dict(zip(design.schema.names, reports.columns, strict=True))
        groups += design.groups
    joint = Records(agreement.schema, tuple(columns[name] for name in agreement.schema.names))
    return RandomizedOracle(joint, Design(agreement.schema, tuple(groups)))


@pytest.mark.slow
@pytest.mark.parametrize("own", ["plain", "disguised"])
def test_three_parties_give_what_the_combined_file_gives(tmp_path: Path, own: str) -> None:
    records = random_records(PATIENTS, 600, seed=2)
    gathering = by_columns(
        tmp_path, records, THREE, mode="collect", mine=TREE, disguise=GROUPS, seeds=SEEDS,
        own_columns=own,
    )  # fmt: skip
    found = gathering.lead_here().model
    oracle = combined(gathering, records, gathering.agreement)
    wanted = mine_tree(oracle, "ill", growth="faithful")
    assert isinstance(found, DecisionTree)
    assert np.array_equal(found.axis, wanted.axis)
    assert np.allclose(found.counts, wanted.counts, rtol=0, atol=1e-9)


@pytest.mark.slow
def test_a_collector_from_outside_sees_disguised_columns_in_an_order_that_tells_nothing(
    tmp_path: Path,
) -> None:
    records = random_records(PATIENTS, 300, seed=3)
    gathering = by_columns(
        tmp_path, records, THREE, mode="collect", mine=TREE, disguise=GROUPS, seeds=SEEDS,
        outside="university", strangers=15,
    )  # fmt: skip
    outcome = gathering.lead_here()
    assert outcome.records == 300
    assert not (gathering.state("university") / "order.npy").exists()
    orders = [np.load(gathering.state(name) / "order.npy") for name in THREE]
    for order in orders:  # rows are numbered by identifier; their order must not be that one
        assert abs(np.corrcoef(order, np.arange(300))[0, 1]) < 5 / np.sqrt(300)
    for name in THREE:
        assert len(read(gathering.ledger(name, "university"))) > 0


def test_sites_pool_disguised_records_or_only_estimated_counts(tmp_path: Path) -> None:
    sites = {
        "north": random_records(PATIENTS, 400, seed=4),
        "south": random_records(PATIENTS, 300, seed=5),
    }
    everything = list(PATIENTS.names)
    groups = {
        "north": [{"attributes": everything, "channel": "related", "theta": "0.9"}],
        "south": [
            {"attributes": everything[:2], "channel": "related", "theta": "0.8"},
            {"attributes": everything[2:], "channel": "related", "theta": "0.85"},
        ],
    }
    models = {}
    for mode in ("pool", "counts"):
        gathering = by_rows(
            tmp_path / mode, sites, mode=mode, mine=TREE, disguise=groups,
            seeds={"north": 1, "south": 2}, own_columns="disguised",
        )  # fmt: skip
        models[mode] = gathering.lead_here().model
        members = gathering.agreement.members
        designs = [member.design() for member in members]
    oracles = []
    for (name, records), design, seed in zip(sites.items(), designs, (1, 2), strict=True):
        with pytest.warns(SeedWarning):
            oracles.append(RandomizedOracle(disguise(records, design, seed), design))
        assert name in groups
    wanted = mine_tree(PooledOracle(oracles), "ill", growth="faithful")
    for found in models.values():
        assert isinstance(found, DecisionTree)
        assert np.array_equal(found.axis, wanted.axis)
        assert np.allclose(found.counts, wanted.counts, rtol=0, atol=1e-6)


def test_one_disguises_and_the_other_adds_its_plain_records(tmp_path: Path) -> None:
    """Paper A, section 2."""
    sites = {
        "b": random_records(PATIENTS, 400, seed=6),
        "a": random_records(PATIENTS, 300, seed=7),
    }
    groups = {"a": [{"attributes": list(PATIENTS.names), "channel": "related", "theta": "0.9"}]}
    gathering = by_rows(
        tmp_path, sites, mode="pool", mine={"bayes": {"target": "ill"}}, disguise=groups,
        seeds={"a": 9},
    )  # fmt: skip
    found = gathering.lead_here().model
    design = gathering.agreement.member("a").design()
    with pytest.warns(SeedWarning):
        reports = disguise(sites["a"], design, 9)
    pooled = PooledOracle([ExactOracle(sites["b"], PATIENTS), RandomizedOracle(reports, design)])
    wanted = mine_bayes(pooled, "ill")
    assert isinstance(found, NaiveBayes)
    for one, other in zip(found.conditionals, wanted.conditionals, strict=True):
        assert np.allclose(one, other)


@pytest.mark.slow
@pytest.mark.parametrize("window", [4, "adaptive"])
def test_a_hybrid_tree_by_a_full_window_is_the_exact_one(tmp_path: Path, window: int | str) -> None:
    records = random_records(PATIENTS, 500, seed=8)
    groups = {
        "north": [{"attributes": ["smokes", "age", "ill"], "channel": "related", "theta": "0.7"}],
        "south": [
            {"attributes": ["region", "drinks", "ill"], "channel": "related", "theta": "0.7"}
        ],
    }
    gathering = by_columns(
        tmp_path, records, TWO_HOSPITALS, mode="hybrid", disguise=groups, policy=EVERYTHING,
        seeds=SEEDS, mine={"tree": {"target": "ill", "window": str(window)}},
    )  # fmt: skip
    outcome = gathering.lead_here(backend=Twin())
    found = outcome.model
    wanted = mine_tree(ExactOracle(records, PATIENTS), "ill", growth="faithful")
    assert isinstance(found, DecisionTree)
    if window == 4:
        names = [wanted.features[a] for a in wanted.axis if a >= 0]
        assert [found.features[a] for a in found.axis if a >= 0] == names
        assert np.array_equal(found.counts, wanted.counts)
    assert found.confirmed > 0


@pytest.mark.slow
def test_hybrid_rules_are_exact_and_secure_rules_are_all_of_them(tmp_path: Path) -> None:
    records = random_records(PATIENTS, 500, seed=9)
    groups = {
        "north": [{"attributes": ["smokes", "age", "ill"], "channel": "related", "theta": "0.7"}],
        "south": [
            {"attributes": ["region", "drinks", "ill"], "channel": "related", "theta": "0.7"}
        ],
    }
    wanted = mine_rules(ExactOracle(records, PATIENTS), min_support=0.2, min_confidence=0.6)
    exact = {str(rule) for rule in wanted}
    for mode in ("secure", "hybrid"):
        gathering = by_columns(
            tmp_path / mode, records, TWO_HOSPITALS, mode=mode, policy=EVERYTHING, seeds=SEEDS,
            disguise=groups if mode == "hybrid" else None,
            mine={"rules": {"min_support": "0.2", "min_confidence": "0.6"}},
        )  # fmt: skip
        found = gathering.lead_here(backend=Twin()).model
        assert isinstance(found, RuleSet)
        rules = {_in_order(rule) for rule in found}
        assert rules <= {_in_order(rule) for rule in wanted}  # no false one
        if mode == "secure":
            assert len(rules) == len(exact)


def _in_order(rule: object) -> tuple[frozenset[str], frozenset[str], float]:
    premise, conclusion = rule.premise, rule.conclusion  # type: ignore[attr-defined]
    support = round(rule.support.value, 12)  # type: ignore[attr-defined]
    return frozenset(map(str, premise.terms)), frozenset(map(str, conclusion.terms)), support


@pytest.mark.slow
def test_a_leader_is_drawn_by_all_and_leads(tmp_path: Path) -> None:
    records = random_records(PATIENTS, 200, seed=10)
    gathering = by_columns(
        tmp_path, records, THREE, mode="collect", mine=TREE, disguise=GROUPS, leader="drawn",
        own_columns="disguised",
    )  # fmt: skip
    stamp = Stamp(gathering.agreement.digest)
    leader = toss(gathering.agreement, lambda name: gathering.loop("north", name), stamp)
    again = toss(gathering.agreement, lambda name: gathering.loop("south", name), stamp)
    assert leader == again  # a second toss is the same toss
    gathering.close()
    assert gathering.lead_here(leader).records == 200
    other = next(name for name in THREE if name != leader)
    with pytest.raises(CollabError, match=f"does not lead this collaboration; {leader} does"):
        gathering.lead_here(other)


def _says_it_is_bound(_: str, message: Message) -> Message:
    shown = json.dumps(message.fields["commitments"], sort_keys=True)
    return Message("bound", {"bound": digest_of(shown)})


def test_a_party_cannot_change_its_number_after_seeing_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = random_records(PATIENTS, 50, seed=10)
    gathering = by_columns(
        tmp_path, records, THREE, mode="collect", mine=TREE, disguise=GROUPS, leader="drawn",
    )  # fmt: skip
    stamp = {"collaboration": gathering.agreement.digest}
    lines = {name: gathering.loop("north", name) for name in THREE}
    honest = {
        name: line.ask(Message("commit", stamp)).fields["commitment"]
        for name, line in lines.items()
    }
    cheating = {**honest, "north": committed("north", "aa" * 32)}
    gathering.dispatchers["north"].close()
    monkeypatch.setattr(gathering.dispatchers["north"], "answer", _says_it_is_bound)
    numbers = {}
    for name in ("south", "east"):
        reply = lines[name].ask(Message("reveal", {**stamp, "commitments": cheating}))
        numbers[name] = reply.fields["number"]
    # Now north knows what the others drew, and would like another number.
    tries = [f"{guess:064x}" for guess in range(20)]
    liked = next(n for n in tries if drawn(list(THREE), {**numbers, "north": n}) == "north")
    with pytest.raises(CollabError, match="not the one that was committed to"):
        lines["south"].ask(Message("drawn", {**stamp, "numbers": {**numbers, "north": liked}}))
    with pytest.raises(CollabError, match="a second time"):
        lines["south"].ask(
            Message(
                "reveal", {**stamp, "commitments": {**honest, "north": committed("north", liked)}}
            )
        )
    gathering.close()


def test_the_coin_is_fair() -> None:
    names = ["a", "b", "c"]
    generator = np.random.default_rng(1)
    counts = Counter(
        drawn(names, {name: generator.bytes(32).hex() for name in names}) for _ in range(6000)
    )
    spread = np.sqrt(6000 * 2 / 9)
    assert all(abs(counts[name] - 2000) < 4.5 * spread for name in names)


def test_estimated_counts_stop_at_the_limit(tmp_path: Path) -> None:
    sites = {"a": random_records(PATIENTS, 200, seed=4), "b": random_records(PATIENTS, 200, seed=5)}
    whole = [{"attributes": list(PATIENTS.names), "channel": "related", "theta": "0.9"}]
    gathering = by_rows(
        tmp_path, sites, mode="counts", mine=TREE, disguise={"a": whole, "b": whole},
        policy={"counts": "30"},
    )  # fmt: skip
    with pytest.raises(PolicyError, match="releases at most 30 counts"):
        gathering.lead_here()
