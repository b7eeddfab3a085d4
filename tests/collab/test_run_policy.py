"""What may not be released is refused before any ciphertext is made, and the miner goes on."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from collab.intruder import Watched, around, cell, intruding
from collab.parties import EXACT, PATIENTS, Gathering
from deniable.collab.cells import Cell, read
from deniable.collab.counting.plain_twin import Twin
from deniable.collab.follower.dispatcher import Dispatcher
from deniable.collab.leader.lead import RunOutcome
from deniable.collab.leader.secure_oracle import SecureOracle
from deniable.collab.ledger import Ledger, LedgerRow, compare
from deniable.collab.policy import Policy
from deniable.engine.memory.records import Records
from deniable.mine.rules.rule_set import RuleSet
from deniable.mine.tree.decision_tree import DecisionTree
from mine.datasets import random_records

N = 400
PAIRS = [("north", "south"), ("south", "north")]
TEN = {**EXACT, "minimum cell": "10"}


@dataclass
class Done:
    """A run in this process, and what each side's backend was used for."""

    gathering: Gathering
    outcome: RunOutcome
    leading: Watched
    following: Watched

    @property
    def rows(self) -> list[LedgerRow]:
        ledgers = [self.gathering.ledger(*pair) for pair in PAIRS]
        assert compare(*ledgers).equal
        return Ledger.open(ledgers[0]).rows

    def of(self, kind: str) -> list[LedgerRow]:
        return [row for row in self.rows if row.kind == kind]


def done(gathering: Gathering) -> Done:
    leading, following = Watched(Twin()), Watched(Twin())
    party = gathering.party("south")
    gathering.dispatchers["south"] = Dispatcher(
        party, lambda n: gathering.loop("south", n), following
    )
    return Done(gathering, gathering.lead_here(backend=leading), leading, following)


def joint(n: int = N) -> Records:
    return random_records(PATIENTS, n, seed=1)


def counted(terms: Cell, n: int = N) -> int:
    """How many of the joint table's records are in a cell: what nobody has."""
    records = joint(n)
    inside = np.ones(len(records), dtype=bool)
    for name, value in terms:
        column = records.columns[PATIENTS.names.index(name)]
        inside &= column == PATIENTS[name].code(value)
    return int(inside.sum())


# --- one rule each, asked by hand -----------------------------------------------------------------


def asked(
    folder: Path, policy: dict[str, Any], *cells: Cell
) -> tuple[list[float], list[LedgerRow], int]:
    """Counts of cells, the follower's rows about them, and how often cryptography was begun."""
    with intruding(around(folder, N, schema=PATIENTS, policy=policy)) as intruder:
        mine = Watched(Twin())
        oracle = SecureOracle(intruder.contact, mine)
        values = oracle.count([dict(each) for each in cells]).value.tolist()
        used = mine.used + intruder.backend.used
        ledgers = [intruder.gathering.ledger(*pair) for pair in PAIRS]
        assert ledgers[0].read_bytes() == ledgers[1].read_bytes()
        return values, Ledger.open(ledgers[1]).rows, used


def refusals(rows: Sequence[LedgerRow]) -> dict[Cell, str]:
    return {read(row.about, PATIENTS): row.why or "" for row in rows if row.kind == "refused"}


@pytest.mark.slow
@pytest.mark.parametrize("side", ["leader", "follower"])
def test_a_cell_with_few_records_of_one_side_is_refused_before_any_ciphertext(
    tmp_path: Path, side: str
) -> None:
    """Either side refuses by its own part, whatever the other's says."""
    few = (
        cell(age="young", smokes="yes") if side == "leader" else cell(region="hills", drinks="much")
    )
    other = cell(region="coast") if side == "leader" else cell(smokes="yes")
    size = counted(few)
    policy = {**EXACT, "minimum cell": str(size + 1)}
    values, rows, used = asked(tmp_path, policy, few | other)
    assert np.isnan(values[0])
    assert used == 0
    name = {"leader": "north", "follower": "south"}[side]
    assert refusals(rows)[few | other] == (
        f"{name}: alone or beside others, it tells of fewer than {size + 1} people"
    )
    released = asked(tmp_path / "again", {**EXACT, "minimum cell": "0"}, few | other)
    assert released[0] == [counted(few | other)]
    assert released[2] > 0


@pytest.mark.slow
def test_a_differencing_pair_is_refused_before_any_ciphertext(tmp_path: Path) -> None:
    """Two cells that differ by a handful of one side's records: their difference is about them."""
    wide, narrow = cell(age="young"), cell(age="young", smokes="no")
    apart = counted(wide) - counted(narrow)
    lower = min(counted(narrow), N - counted(wide))
    assert apart < lower, "the pair is refused for their difference, not for their size"
    hills = cell(region="hills")
    policy = {**EXACT, "minimum cell": str(apart + 1)}
    values, rows, used = asked(tmp_path, policy, wide | hills, narrow | hills)
    why = refusals(rows)
    assert "it tells of fewer than" in why[narrow | hills]
    assert np.isnan(values[1])
    # the one that was asked first is released
    assert values[0] == counted(wide | hills)
    assert used > 0
    both = asked(tmp_path / "again", {**EXACT, "minimum cell": "0"}, wide | hills, narrow | hills)
    assert both[0] == [counted(wide | hills), counted(narrow | hills)]


def test_counts_beyond_the_limit_are_refused_before_any_ciphertext(tmp_path: Path) -> None:
    cells = [
        cell(age=age, region="coast", drinks=drinks)
        for age in PATIENTS["age"].values
        for drinks in PATIENTS["drinks"].values
    ]
    policy = {**EXACT, "minimum cell": "0", "counts": "4"}
    _, rows, _ = asked(tmp_path, policy, *cells)
    assert sum(row.kind == "count" for row in rows) == 4
    why = refusals(rows)
    assert set(why.values()) <= {
        "north: no more than 4 counts are released",
        "south: no more than 4 counts are released",
    } | {text for text in why.values() if "may not be counted" in text}
    assert any("no more than 4 counts" in text for text in why.values())


# --- whole runs -----------------------------------------------------------------------------------


def respected(rows: Sequence[LedgerRow], minimum: int, n: int = N) -> None:
    """No count is small, nor its rest, nor what two of them that lie in each other leave."""
    known = {read(row.about, PATIENTS): int(row.value or 0) for row in rows if row.kind == "count"}
    assert known
    for here, value in known.items():
        assert minimum <= value <= n - minimum, here
        for there, other in known.items():
            if here < there:
                assert value - other >= minimum, (here, there)


def test_a_tree_grows_on_without_the_counts_that_are_refused(tmp_path: Path) -> None:
    run = done(around(tmp_path, N, schema=PATIENTS, policy=TEN))
    assert isinstance(run.outcome.model, DecisionTree)
    assert run.outcome.refused > 0
    assert len(run.outcome.model.axis) > 1, "it has a split"
    respected(run.rows, 10)
    for row in run.of("count"):
        assert row.value == counted(read(row.about, PATIENTS))
    for row in run.of("refused"):
        assert row.why
        assert row.why.startswith(("north: ", "south: "))
    about = [row.about for row in run.rows if row.kind in {"count", "refused"}]
    assert len(about) == len(set(about))


def test_nothing_is_encrypted_for_a_run_that_may_count_nothing(tmp_path: Path) -> None:
    """Half of all records is a minimum that no crossing cell reaches."""
    run = done(
        around(tmp_path, N, schema=PATIENTS, policy={**EXACT, "minimum cell": str(N // 2 + 1)})
    )
    assert run.of("count") == []
    assert run.outcome.refused > 0
    assert run.leading.used == run.following.used == 0


@pytest.mark.slow
def test_vectors_of_refused_parts_are_never_encrypted(tmp_path: Path) -> None:
    smallest = {}
    for minimum in ("10", "0"):
        policy = {**EXACT, "minimum cell": minimum}
        run = done(around(tmp_path / minimum, 150, schema=PATIENTS, policy=policy))
        sealed = {*run.leading.sealed, *run.following.sealed}
        parts = [read(a.removeprefix("part "), PATIENTS) for a in sealed if a.startswith("part ")]
        smallest[minimum] = min(counted(each, 150) for each in parts)
    assert smallest["0"] < 10 <= smallest["10"]


def test_rules_are_mined_without_the_counts_that_are_refused(tmp_path: Path) -> None:
    mine = {"rules": {"min_support": "0.05", "min_confidence": "0.5"}}
    run = done(around(tmp_path, N, schema=PATIENTS, policy=TEN, mine=mine))
    assert isinstance(run.outcome.model, RuleSet)
    assert len(run.outcome.model) > 0
    assert run.outcome.refused > 0
    respected(run.rows, 10)


def test_a_second_run_asks_nothing_and_says_the_same(tmp_path: Path) -> None:
    gathering = around(tmp_path, N, schema=PATIENTS, policy=TEN)
    first = done(gathering)
    rows = first.rows
    second = done(gathering)
    assert second.leading.used == second.following.used == 0
    assert second.outcome.secure_counts == 0
    assert second.outcome.model.document() == first.outcome.model.document()
    assert second.rows == rows


@pytest.mark.slow
def test_noise_is_in_every_value_and_what_was_released_stays(tmp_path: Path) -> None:
    policy = {
        "people per count": "0",
        "minimum cell": "0",
        "noise": {"epsilon": "1/4", "budget": "60"},
    }
    gathering = around(tmp_path, N, schema=PATIENTS, policy=policy)
    first = done(gathering)
    apart = np.array(
        [(row.value or 0) - counted(read(row.about, PATIENTS)) for row in first.of("count")]
    )
    assert len(apart) > 30
    assert np.count_nonzero(apart) > len(apart) / 2
    # two-sided geometric of scale 4 on each side: variance 2·(2·4²) = 64 at most a count; the mean
    # of m is within 5 standard errors
    assert abs(apart.mean()) < 5 * 8 / np.sqrt(len(apart))
    # With noise, a count that follows may follow otherwise where more is known, and the tree ask
    # for more; but nothing that was released is asked for, or told otherwise.
    before = first.rows
    after = done(gathering).rows
    assert after[: len(before)] == before
    told = [row.about for row in after if row.kind in {"count", "refused"}]
    assert len(told) == len(set(told))


def test_a_budget_for_noise_stops_the_counts(tmp_path: Path) -> None:
    policy = {
        "people per count": "0",
        "minimum cell": "0",
        "noise": {"epsilon": "1", "budget": "12"},
    }
    run = done(around(tmp_path, N, schema=PATIENTS, policy=policy))
    assert len(run.of("count")) == 12
    assert any("the budget for noise is used up" in (row.why or "") for row in run.of("refused"))


def test_the_strictest_policy_holds_for_all(tmp_path: Path) -> None:
    """One party's own minimum binds both sides, though the agreement says less."""
    from collab.party_folders import FILE

    gathering = around(tmp_path, N, schema=PATIENTS, policy={**EXACT, "minimum cell": "0"})
    file = gathering.folder / "south" / FILE
    text = file.read_text()
    assert text.count("minimum cell: '0'") == 1 or text.count('minimum cell: "0"') == 1
    file.write_text(text.replace("'0'", "'25'").replace('"0"', '"25"'))
    run = done(gathering)
    respected(run.rows, 25)
    assert len({row.policy for row in run.rows}) == 1
    assert all(first.number + 1 == second.number for first, second in pairwise(run.rows))


def test_by_default_counts_have_noise_and_are_limited(tmp_path: Path) -> None:
    run = done(around(tmp_path, N, schema=PATIENTS, policy={}))
    apart = [(row.value or 0) - counted(read(row.about, PATIENTS)) for row in run.of("count")]
    assert len(apart) > 5
    assert np.count_nonzero(apart) > 2  # of some 18, of which one in five is 0 by chance
    assert Policy().settled().most == 1_000


def test_noise_is_left_out_only_if_all_say_so(tmp_path: Path) -> None:
    from collab.party_folders import FILE

    gathering = around(tmp_path, N, schema=PATIENTS, policy=TEN)
    file = gathering.folder / "south" / FILE
    text = file.read_text()
    assert text.count("noise: none") == 1
    file.write_text(text.replace("noise: none, ", ""))
    run = done(gathering)
    assert any(row.value != counted(read(row.about, PATIENTS)) for row in run.of("count"))


def test_a_hybrid_tree_knows_the_noise_of_its_counts(tmp_path: Path) -> None:
    groups = {"south": [{"attributes": ["region", "drinks"], "channel": "related", "theta": "0.8"}]}
    errors: dict[str, Any] = {}
    for noise in ("none", {"epsilon": "1/4", "budget": "1000"}):
        policy = {"people per count": "0", "minimum cell": "0", "noise": noise}
        mine = {"tree": {"target": "ill", "max_depth": "2"}}
        options: dict[str, Any] = {"mine": mine, "disguise": groups, "policy": policy}
        folder = tmp_path / str(len(errors))
        tree = done(around(folder, N, mode="hybrid", **options)).outcome.model
        assert isinstance(tree, DecisionTree)
        sampling = np.maximum(tree.counts - tree.counts**2 / N, 0)
        errors[str(noise)] = tree.errors**2 - sampling
    assert np.allclose(errors.pop("none"), 0)
    (with_noise,) = errors.values()
    # Each side's, of scale 4, has a variance of 31.8; the class is the leader's own to count.
    assert with_noise[1:].max() >= 2 * 31.8
