"""What is summed group by group from a joint table is what every record weighs, added up."""

from typing import Any

import numpy as np
import pytest

from deniable import Design, RandomizedOracle
from deniable.base.arrays import Codes, Floats
from deniable.expression import ANY, Family
from deniable.oracle import contraction
from deniable.oracle.api import Target
from deniable.oracle.contraction import contracted
from oracle.test_frontiers import DESIGNS, SIZES, WIDE, oracle_of

NAMES = tuple(SIZES)
ALL: dict[str, list[dict[str, Any]]] = DESIGNS | WIDE


def conjunctions(many: int, names: tuple[str, ...] = NAMES, seed: int = 1) -> Family:
    """Each of them leaves some attributes open; the first one, all."""
    rng = np.random.default_rng(seed)
    codes = np.stack([rng.integers(SIZES[name], size=many) for name in names], axis=1)
    codes[rng.random(codes.shape) < rng.random((many, 1))] = ANY
    codes[0] = ANY
    return Family(names, codes)


def weighed(design: Design, family: Family, records: Codes) -> list[Floats]:
    """Σw, Σw² and Σw³ over records ``[record, attribute]``, one conjunction after the other."""
    sums = []
    place = {name: column for column, name in enumerate(design.schema.names)}
    for asked in family.codes.tolist():
        code = dict(zip(family.columns, asked, strict=True))
        weight = np.ones(len(records))
        for group in design.groups:
            pattern = [code.get(name, ANY) for name in group.names]
            reports = records[:, [place[name] for name in group.names]]
            if pattern != [ANY] * len(pattern):
                weight *= group.channel.weights(pattern, reports)
        for name in design.public:
            if code.get(name, ANY) != ANY:
                weight *= records[:, place[name]] == code[name]
        sums.append([(weight**power).sum() for power in (1, 2, 3)])
    return list(np.array(sums).T)


def require_weighed(oracle: RandomizedOracle, family: Family) -> None:
    records = np.stack(oracle.engine.codes(NAMES), axis=1).astype(np.int64)
    found = contracted(family, oracle.design, oracle.reported(family.columns))
    for mine, naive in zip(found, weighed(oracle.design, family, records), strict=True):
        # Sums of 300 weights, each of a few roundings.
        np.testing.assert_allclose(mine, naive, rtol=1e-9, atol=1e-9 * np.abs(naive).max())


@pytest.mark.parametrize("groups", ALL)
@pytest.mark.parametrize("widest", [64, 4, 1])
def test_sums_over_a_joint_table_are_sums_over_records(
    groups: str, widest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contraction, "BLOCK_REPORTS", widest)  # 1: every group is written as terms
    require_weighed(oracle_of(ALL[groups]), conjunctions(60))


@pytest.mark.parametrize("groups", ALL)
def test_a_family_may_name_few_attributes_in_any_order(groups: str) -> None:
    oracle = oracle_of(ALL[groups])
    for names in (("z", "b"), ("y", "d", "a", "c"), ("e",)):
        require_weighed(oracle, conjunctions(20, names))


@pytest.mark.parametrize("groups", ALL)
def test_what_is_left_of_the_table_may_be_made_piece_by_piece(
    groups: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contraction, "BLOCK_REPORTS", 2)
    monkeypatch.setattr(contraction, "MOST_LEFT", 1)
    require_weighed(oracle_of(ALL[groups]), conjunctions(40))


@pytest.mark.parametrize("groups", ALL)
@pytest.mark.parametrize("of", ["sample", "population"])
def test_many_conjunctions_are_counted_as_they_are_term_by_term(
    groups: str, of: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    oracle, family = oracle_of(ALL[groups]), conjunctions(200)
    found = []
    for contracts in (True, False):
        monkeypatch.setattr(RandomizedOracle, "_contracts", lambda *_, told=contracts: told)
        found.append(oracle.count(family, of=of))
    for figure in ("value", "variance", "tilt", "bend"):
        together, apart = (getattr(each, figure) for each in found)
        largest = np.abs(apart).max()
        np.testing.assert_allclose(together, apart, rtol=1e-9, atol=1e-9 * largest)


def test_a_joint_table_is_for_many_terms_and_few_cells() -> None:
    plain, grouped = oracle_of([]), oracle_of(DESIGNS["two related groups"])
    assert plain._contracts(conjunctions(1 << 13))
    assert not plain._contracts(conjunctions(1 << 12))
    assert grouped._contracts(conjunctions(1 << 12))  # up to four terms each
    assert not grouped._contracts(conjunctions(1 << 10))
    wide = conjunctions(1 << 13)
    far = Family(wide.columns * 3, np.tile(wide.codes, 3))  # 288^3 cells
    assert not plain._contracts(far)
