"""Oracles take whatever a caller holds, or names."""

from pathlib import Path

import ibis
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from deniable import Design, ExactOracle, RandomizedOracle, open_table
from deniable.base.errors import FingerprintError
from deniable.source.disguise import disguise

DESIGN = Design.of(
    {
        "attributes": {"a": ["no", "yes"], "b": ["x", "y", "z"]},
        "groups": [{"attributes": ["a"], "channel": "related", "theta": "4/5"}],
    }
)
OTHER = Design.of({"attributes": {"a": ["no", "yes"], "b": ["x", "y", "z"]}, "groups": []})
PEOPLE = {"a": ["no", "yes", "yes"] * 40, "b": ["x", "y", "z", "x"] * 30}
ASKED = ["a=yes", "a=yes & b=z", "b=x"]


@pytest.mark.filterwarnings("ignore:fetch_arrow_table")  # Ibis, of DuckDB
def test_a_name_a_table_and_records_count_alike(tmp_path: Path) -> None:
    reports: pa.Table = disguise(PEOPLE, DESIGN)
    pq.write_table(reports, tmp_path / "reports.parquet")
    path = tmp_path / "reports.parquet"
    expected = RandomizedOracle(reports, DESIGN).count(ASKED)
    connection = ibis.duckdb.connect()
    there = connection.read_parquet(path)
    for given in (path, str(path), open_table(path), reports.to_pandas(), there):
        found = RandomizedOracle(given, DESIGN).count(ASKED)
        np.testing.assert_array_equal(found.value, expected.value)
        np.testing.assert_array_equal(found.std_error, expected.std_error)
    exact = ExactOracle(path, DESIGN.schema).count(["b=x"])
    assert exact.value == 60


def test_a_table_of_another_design_is_refused_however_it_is_given(tmp_path: Path) -> None:
    reports = disguise(PEOPLE, DESIGN)
    pq.write_table(reports, tmp_path / "reports.parquet")
    path = tmp_path / "reports.parquet"
    for given in (reports, path, str(path), open_table(path)):
        with pytest.raises(FingerprintError, match="disguised by another design"):
            RandomizedOracle(given, OTHER)
