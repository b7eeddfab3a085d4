"""Wide tables far away: only counts cross the wire, and never a joint table of everything."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
import pytest

from contracts.engines import EACH_PLACE, FAR_AWAY, PLACES
from contracts.postgres import load, postgres_url, server
from deniable.design import Design
from deniable.engine import Records
from deniable.engine.open_table import open_table
from deniable.mine.bayes import mine_bayes
from deniable.mine.rules.association_rules import mine_rules
from deniable.mine.tree.mine_tree import mine_tree
from deniable.oracle.randomized import RandomizedOracle
from deniable.schema import Schema
from deniable.source.disguise import disguise_records
from deniable.source.randomness import SeededBits

ATTRIBUTES, N, DEEPEST = 40, 4000, 4
CLASS = "q39"

SCHEMA = Schema.of({f"q{number}": ["no", "yes"] for number in range(ATTRIBUTES)})
DESIGN = Design.of(
    {
        "attributes": {name: ["no", "yes"] for name in SCHEMA.names},
        "groups": [
            {
                "attributes": list(SCHEMA.names[start : start + 3]),
                "channel": "related",
                "theta": "9/10",
            }
            for start in range(0, 30, 3)
        ],
    }
)


def reports() -> Records:
    rng = np.random.default_rng(3)
    answers = rng.random((ATTRIBUTES, N)) < 0.5
    one, two, three = answers[[0, 4, 31]]
    answers[-1] = np.where(one, two, three & answers[8]) ^ (rng.random(N) < 0.1)
    truth = Records.from_codes(list(answers.astype(int)), SCHEMA)
    return disguise_records(truth, None, DESIGN, SeededBits(3))


def models(oracle: RandomizedOracle) -> dict[str, Any]:
    """Models of every kind; the test against chance permutes reports, or judges by counts."""
    found = {
        "tree": mine_tree(oracle, CLASS, max_depth=DEEPEST, strength=1.0).document(),
        "bayes": mine_bayes(oracle, CLASS).document(),
        "rules": mine_rules(
            oracle, min_support=0.2, min_confidence=0.7, target=CLASS, max_len=2
        ).document(),
    }
    tests = [found[kind].pop("evidence") for kind in ("tree", "bayes")]
    for test in tests:
        assert test["p"] <= 0.03
        assert (test["attributes"], oracle.divides or test["pairs"] == 0) == (ATTRIBUTES - 1, True)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("place", EACH_PLACE)
def test_wide_tables_give_the_same_models_everywhere(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deniable.engine.files.file_tables.READ_CELLS", 0)
    engine = open_table(PLACES[place](reports().to_arrow(), tmp_path)).engine(SCHEMA)
    assert isinstance(engine, FAR_AWAY)
    far = RandomizedOracle(engine, DESIGN)
    assert not far.divides
    assert alike(models(far), models(RandomizedOracle(reports(), DESIGN)))


def alike(one: Any, other: Any) -> bool:
    """The same models; numbers may differ by rounding, since they are added in another order."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(alike, one, other))
    return (
        one == pytest.approx(other, rel=1e-9, abs=1e-9) if isinstance(one, float) else one == other
    )


@pytest.mark.slow
def test_only_counts_leave_the_server() -> None:
    url = postgres_url()
    load(url, "wide", reports().to_arrow())
    before = len(server().log)
    oracle = RandomizedOracle(open_table(f"{url}#wide").held(SCHEMA), DESIGN)
    assert mine_tree(oracle, CLASS, max_depth=DEEPEST, strength=1.0).depth == DEEPEST
    models(oracle)
    asked = [
        words
        for words in statements(server().log[before:])
        if '"wide"' in words and "SELECT" in words
    ]
    assert len(asked) > DEEPEST
    with psycopg.connect(url) as connection:
        for words in asked:
            plan = connection.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {words}").fetchone()
            assert plan is not None
            node = plan[0][0]["Plan"]
            while node["Node Type"] in {"Limit", "Gather", "Sort"}:
                node = node["Plans"][0]
            assert "Aggregate" in node["Node Type"]
            # Some paths, the class, and what is crossed with them: a small part of all columns.
            assert len(node.get("Group Key", [])) <= ATTRIBUTES // 4
            assert plan[0][0]["Plan"]["Actual Rows"] <= N // 8


def statements(log: str) -> list[str]:
    """What the server was asked; an entry's further lines begin with a tab."""
    entries = re.findall(r"(?:statement|execute \S+): (.*(?:\n\t.*)*)", log)
    return [entry.replace("\n\t", "\n") for entry in entries]
