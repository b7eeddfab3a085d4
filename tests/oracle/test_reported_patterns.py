"""Distinct reports with the chances that made them."""

import numpy as np
import pytest

from deniable.base.errors import EstimateError
from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.oracle.pooled import PooledOracle
from deniable.oracle.randomized import RandomizedOracle
from deniable.schema import Schema
from oracle.simulated import Reports, whole_matrix

DOMAINS = {"a": ["0", "1"], "y": ["0", "1"], "b": ["0", "1", "2"], "c": ["0", "1"]}
GROUPS = [
    {"attributes": ["b", "y"], "channel": "keep-or-uniform", "theta": "0.6"},
    {"attributes": ["c"], "channel": "related", "theta": "0.8"},
]
DESIGN = Design.of({"attributes": DOMAINS, "groups": GROUPS})
COUNTS = np.random.default_rng(1).integers(1, 50, 24)
ORACLE = RandomizedOracle(Reports(DESIGN.schema, COUNTS), DESIGN)


def test_public_features_part_the_reports_and_the_channel_is_of_the_rest() -> None:
    (found,) = ORACLE.reported_patterns(DESIGN.schema, "y")
    assert (found.public, found.hidden) == (("a",), ("b", "c", "y"))
    assert found.codes.tolist() == [[0], [1]]
    table = COUNTS.reshape(2, 2, 3, 2).transpose(0, 2, 3, 1)  # to a, b, c, y
    assert (found.counts == table.reshape(2, 12)).all()
    assert found.channel.sum(axis=0) == pytest.approx(1)
    # The whole record's channel does nothing to a.
    whole = whole_matrix(DESIGN).reshape(2, 2, 3, 2, 2, 2, 3, 2)[0, :, :, :, 0]
    assert found.channel == pytest.approx(whole.transpose(1, 2, 0, 4, 5, 3).reshape(12, 12))


def test_a_public_target_is_hidden_behind_nothing() -> None:
    schema = DESIGN.schema.select(["a", "c"])
    (found,) = ORACLE.reported_patterns(schema, "a")
    assert (found.public, found.hidden) == ((), ("c", "a"))
    assert found.codes.shape == (1, 0)
    assert found.channel == pytest.approx(np.kron([[0.8, 0.2], [0.2, 0.8]], np.eye(2)))


def test_codes_are_those_of_the_schema_that_is_asked() -> None:
    turned = Schema.of({name: values[::-1] for name, values in DOMAINS.items()})
    (found,) = PooledOracle([ORACLE]).reported_patterns(turned, "y")
    (straight,) = ORACLE.reported_patterns(DESIGN.schema, "y")
    assert (found.counts == straight.counts[::-1, ::-1]).all()
    assert found.channel == pytest.approx(straight.channel[::-1, ::-1])


def test_records_with_more_patterns_than_can_be_numbered_are_grouped_as_they_are() -> None:
    domains = {"y": ["0", "1"], **{f"p{k}": ["0", "1", "2", "3"] for k in range(40)}}
    design = Design.of({"attributes": domains, "groups": []})
    columns = [np.array([0, 1, 1, 1]), *[np.array([0, 3, 3, 1])] * 40]
    oracle = RandomizedOracle(Records.from_codes(columns, design.schema), design)
    (found,) = oracle.reported_patterns(design.schema, "y")
    assert found.codes[:, 0].tolist() == [0, 1, 3]
    assert found.counts.tolist() == [[1, 0], [0, 1], [0, 2]]


def test_a_site_that_only_counts_is_refused() -> None:
    class CountsOnly:
        schema, n, count = DESIGN.schema, 1, None

    pooled = PooledOracle([ORACLE, CountsOnly()])  # type: ignore[list-item]
    with pytest.raises(EstimateError, match="Site 2 gives counts only") as refused:
        pooled.reported_patterns(DESIGN.schema, "y")
    assert "method=score" in refused.value.hint
