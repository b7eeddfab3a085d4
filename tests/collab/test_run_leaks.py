"""Whole runs under a minimum cell, read by both parties with all that they know themselves."""

from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from collab.parties import EXACT, by_columns
from deniable.collab.cells import Cell, cells_of, read
from deniable.collab.counting.plain_twin import Twin
from deniable.collab.leader.secure_oracle import SecureOracle
from deniable.collab.ledger import Ledger
from deniable.collab.policy import Judge
from deniable.collab.secure.count_party import CountParty
from deniable.engine.memory.records import Records
from deniable.expression import Family
from deniable.schema import Schema

pytestmark = pytest.mark.slow

MINIMUM = 10
MINES: list[dict[str, Any]] = [
    {"tree": {"target": "y", "max_depth": "3"}},
    {"rules": {"min_support": "0.05", "min_confidence": "0.3", "max_len": "3"}},
    {"bayes": {"target": "y"}},
]
SHARES = {
    "the leader has the class": ("abcy", "def"),
    "the follower has the class": ("abc", "defy"),
    "both have the class": ("abcy", "defy"),
    "both have the class and a column": ("abcdy", "defy"),
}


def people(seed: int) -> Records:
    """Columns of two to four values, some of them rare, that depend on each other."""
    generator = np.random.default_rng(seed)
    n = int(generator.integers(150, 600))
    kind = generator.integers(0, 3, n)
    domains, columns = {}, []
    for name in "abcdef":
        size = int(generator.integers(2, 5))
        domains[name] = [str(value) for value in range(size)]
        chances = generator.dirichlet(np.ones(size) * 0.7, 3)
        columns.append(np.array([generator.choice(size, p=chances[k]) for k in kind]))
    domains["y"] = ["0", "1"]
    columns.append((generator.random(n) < np.array([0.2, 0.5, 0.8])[kind]).astype(np.int64))
    return Records.from_codes(columns, Schema.of(domains))


def disclosures(
    folder: Path, records: Records, shares: tuple[str, str], mine: dict[str, Any]
) -> Iterator[str]:
    """Every count, or difference of nested counts, of fewer people than the minimum."""
    seen: list[tuple[Cell, float]] = []
    count = SecureOracle.count

    def noted(self: SecureOracle, expressions: Any, **options: Any) -> Any:
        found = count(self, expressions, **options)
        cells = cells_of(Family.of(expressions, self.schema), self.schema)
        seen.extend(zip(cells, found.value.tolist(), strict=True))
        return found

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(SecureOracle, "count", noted)
        gathering = by_columns(
            folder,
            records,
            {"north": list(shares[0]), "south": list(shares[1])},
            mode="secure",
            mine=mine,
            policy={**EXACT, "minimum cell": str(MINIMUM)},
            align="key",
        )
        gathering.lead_here(backend=Twin())
    released = {
        read(row.about, records.schema): int(row.value)
        for row in Ledger.open(gathering.ledger("north", "south")).rows
        if row.kind == "count" and row.value is not None
    }
    assert all(int(having(records, cell).sum()) == value for cell, value in released.items())
    assert released
    for cell, value in [*released.items(), *seen]:
        if value < MINIMUM and not {name for name, _ in cell} <= set(shares[0]):
            yield f"{sorted(cell)} is told to be {value}"
    for own in shares:
        for cell, value in released.items():
            part = frozenset(term for term in cell if term[0] in own)
            left = int(having(records, part).sum()) - value
            if part != cell and left < MINIMUM:
                yield f"{sorted(cell)} leaves {left} of own records"
    for (wide, more), (narrow, less) in permutations(released.items(), 2):
        if wide < narrow and more - less < MINIMUM:
            yield f"{sorted(wide)} and {sorted(narrow)} differ by {more - less}"


def having(records: Records, cell: Cell) -> NDArray[np.bool_]:
    return records.having(dict(cell))


@pytest.mark.parametrize("shares", SHARES.values(), ids=SHARES)
@pytest.mark.parametrize("mine", MINES, ids=lambda mine: next(iter(mine)))
def test_no_party_learns_of_fewer_people_than_the_minimum(
    tmp_path: Path, shares: tuple[str, str], mine: dict[str, Any]
) -> None:
    for seed in (6, 12):
        assert list(disclosures(tmp_path / str(seed), people(seed), shares, mine)) == []


def test_a_judge_that_forgets_what_a_party_knows_itself_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forgetful(side: CountParty, *arguments: Any) -> None:
        original(side, *arguments)
        side.judge = Judge(side.run.policy, side.schema, side.n, None)

    original = CountParty.__init__
    monkeypatch.setattr(CountParty, "__init__", forgetful)
    shares = SHARES["both have the class"]
    assert any(
        list(disclosures(tmp_path / str(seed), people(seed), shares, MINES[0])) for seed in range(8)
    )
