"""What a permutation of the target is told of reports: how many, and how to undo them."""

from itertools import product

import numpy as np
import pytest

from deniable.base.arrays import AnyCodes, Codes, Floats
from deniable.base.errors import EstimateError
from deniable.design import Design
from deniable.oracle.api import Permutable, permutable
from deniable.oracle.exact import ExactOracle
from deniable.oracle.pooled import PooledOracle
from deniable.oracle.randomized import RandomizedOracle
from deniable.oracle.recoded import RecodedOracle
from deniable.schema import Schema
from oracle.simulated import Reports

DESIGN = Design.of(
    {
        "attributes": {
            "a": ["0", "1"],
            "b": ["0", "1", "2"],
            "c": ["0", "1"],
            "d": ["0", "1"],
            "y": ["0", "1", "2"],
        },
        "groups": [
            {"attributes": ["b", "a"], "channel": "keep-or-uniform", "theta": "0.6"},
            {"attributes": ["c"], "channel": "related", "theta": "0.7"},
            {"attributes": ["y"], "channel": "keep-or-uniform", "theta": "0.8"},
        ],
    }
)


def oracle(seed: int = 1) -> RandomizedOracle:
    counts = np.random.default_rng(seed).integers(0, 5, 2 * 3 * 2 * 2 * 3)
    return RandomizedOracle(Reports(DESIGN.schema, counts), DESIGN)


def test_strata_hold_every_report_and_its_undoing() -> None:
    given = oracle()
    (stratum,) = given.strata("y", ("c", "a", "b"))
    first, c, y = (group.channel for group in DESIGN.groups)
    expected = {
        ("a",): first.matrix([1]),
        ("a", "b"): first.matrix([1, 0]),
        ("b", "a"): first.matrix([0, 1]),
        ("b", "c"): np.kron(first.matrix([0]), c.matrix([0])),
        ("c", "d"): np.kron(c.matrix([0]), np.eye(2)),
        ("d",): np.eye(2),
        ("y",): y.matrix([0]),
    }
    for names, matrix in expected.items():
        assert np.allclose(stratum.inverse(names) @ matrix, np.eye(len(matrix))), names


def test_undone_reports_are_the_oracles_counts() -> None:
    given = oracle()
    (stratum,) = given.strata("y", ("a", "b", "c"))
    assert stratum.classes.sum() == given.n
    reported = np.zeros((3, 2, 3))
    np.add.at(reported, (stratum.columns["b"], stratum.columns["c"]), stratum.classes)
    undone = stratum.inverse(("b", "c")) @ reported.reshape(6, 3) @ stratum.inverse(("y",)).T
    cells = [f"b={b} & c={c} & y={y}" for b, c, y in product("012", "01", "012")]
    assert np.allclose(undone.ravel(), given.count(cells).value)


def test_a_device_is_all_that_it_disguises() -> None:
    given = oracle()
    assert given.device("a") == {"a", "b"}
    assert given.device("y") == {"y"}
    assert given.device("d") == {"d"}
    (stratum,) = given.strata("y", ("a", "b", "c", "d"))
    assert stratum.group == {"a": 0, "b": 0, "c": 1, "d": None, "y": 2}


def test_sites_are_read_in_the_first_ones_codes() -> None:
    # The same people, their values listed in another order.
    rng = np.random.default_rng(3)
    people = {"a": rng.integers(0, 3, 90).astype(str), "y": rng.integers(0, 2, 90).astype(str)}
    first, second = (
        Design.of(
            {
                "attributes": {"a": list(a), "y": list(y)},
                "groups": [{"attributes": ["a"], "channel": "keep-or-uniform", "theta": "0.6"}],
            }
        )
        for a, y in (("012", "01"), ("201", "10"))
    )
    pooled = PooledOracle([RandomizedOracle(people, first), RandomizedOracle(people, second)])
    one, two = pooled.strata("y", ("a",))
    assert np.array_equal(
        table(one.columns["a"], one.classes), table(two.columns["a"], two.classes)
    )
    assert np.allclose(one.inverse(("a",)), two.inverse(("a",)))
    assert pooled.device("a") == {"a"}


def table(codes: AnyCodes, classes: Codes) -> Floats:
    found = np.zeros((3, 2))
    np.add.at(found, codes, classes)
    return found


def test_a_site_that_gives_counts_only_cannot_be_permuted() -> None:
    schema = Schema.of({"a": ["0", "1"], "y": ["0", "1"]})
    exact = ExactOracle({"a": ["0", "1"], "y": ["0", "1"]}, schema)
    pooled = PooledOracle([exact, RecodedOracle(exact, schema)])
    assert isinstance(exact, Permutable)
    assert permutable(exact)
    assert not permutable(pooled)
    with pytest.raises(EstimateError, match="Site 2 gives counts only"):
        pooled.strata("y", ("a",))


def test_reports_too_wide_to_be_numbered_are_left_as_they_are() -> None:
    names = [f"x{place}" for place in range(70)]
    rng = np.random.default_rng(4)
    people = {name: rng.integers(0, 2, 30).astype(str) for name in names}
    exact = ExactOracle(people, Schema.of({name: ["0", "1"] for name in names}))
    (stratum,) = exact.strata("x0", tuple(names[1:]))
    assert stratum.classes.shape == (30, 2)
    assert np.array_equal(stratum.columns["x69"].astype(str), people["x69"])
    assert np.array_equal(stratum.classes[:, 1].astype(str), people["x0"])
