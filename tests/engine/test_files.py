import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from deniable.base.errors import DataError, EstimateError
from deniable.engine import MemoryEngine, Records
from deniable.engine.engine import Tabulation
from deniable.engine.files.file_tables import TableFile
from deniable.engine.open_table import open_table
from deniable.schema import Schema

SCHEMA = Schema.of({"a": ["no", "yes"], "b": ["x", "y", "z"], "c": ["0", "1"]})


def records(n: int, seed: int = 0) -> Records:
    rng = np.random.default_rng(seed)
    return Records.from_codes([rng.integers(0, size, n) for size in SCHEMA.sizes], SCHEMA)


def write_csv(path: Path, table: pa.Table) -> None:
    rows = zip(*(column.to_pylist() for column in table.columns), strict=True)
    lines = [",".join(table.column_names), *(",".join(row) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.fixture(params=["csv", "parquet", "parquet-text"])
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    table = records(3000).to_arrow()
    if request.param == "csv":
        path = tmp_path / "data.csv"
        write_csv(path, table)
        return path
    path = tmp_path / "data.parquet"
    if request.param == "parquet-text":
        table = table.cast(pa.schema([(name, pa.string()) for name in table.column_names]))
    pq.write_table(table, path, row_group_size=700)
    return path


def test_a_file_counts_like_memory(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deniable.engine.files.file_tables.BATCH_RECORDS", 500)
    monkeypatch.setattr("deniable.engine.files.file_tables.BLOCK_BYTES", 2000)
    sets = [("a", "b", "c"), ("b", "a"), ("c",), ()]
    found = open_table(file).engine(SCHEMA).tabulate(sets)
    expected = MemoryEngine(records(3000)).tabulate(sets)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one.dense(), other.dense())
        assert one.n == 3000


def test_large_joint_domains_are_counted_by_sorting(monkeypatch: pytest.MonkeyPatch) -> None:
    sets = [("a", "b", "c"), ("b", "a")]
    dense = MemoryEngine(records(500)).tabulate(sets)
    monkeypatch.setattr("deniable.engine.engine.DENSE_CELLS", 1)
    monkeypatch.setattr("deniable.engine.memory.numpy_engine.DENSE_CELLS", 1)
    halves = [MemoryEngine(records(500, seed)).tabulate(sets) for seed in (0, 0)]
    for one, two, plain in zip(*halves, dense, strict=True):
        assert one.keys is not None
        merged = Tabulation.merged([one, two])
        np.testing.assert_array_equal(merged.dense(), 2 * plain.dense())
        np.testing.assert_array_equal(
            merged.marginal(("a",)).dense(), 2 * plain.marginal(("a",)).dense()
        )


def test_a_joint_domain_beyond_one_number_is_refused() -> None:
    schema = Schema.of({f"a{i}": [str(v) for v in range(1000)] for i in range(8)})
    engine = MemoryEngine(Records.from_codes([[0]] * 8, schema))
    with pytest.raises(EstimateError, match="Ask about fewer attributes at once"):
        engine.tabulate([schema.names])


def test_a_csv_of_only_a_header_has_no_records(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("a,b,c\n")
    (counts,) = open_table(tmp_path / "data.csv").engine(SCHEMA).tabulate([("a",)])
    assert counts.n == 0
    with pytest.raises(DataError, match="has no records"):
        open_table(tmp_path / "data.csv").all_records(SCHEMA)


@pytest.mark.parametrize("content", ["a,b,c", "a,b,c\r\n"])
def test_a_header_alone_has_no_records_however_it_ends(content: str, tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text(content)
    (counts,) = open_table(tmp_path / "data.csv").engine(SCHEMA).tabulate([("a",)])
    assert counts.n == 0
    with pytest.raises(DataError, match="has no records"):
        open_table(tmp_path / "data.csv").all_records(SCHEMA)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_end_is_read(end: str, tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_bytes(end.join(["a,b,c", "no,x,0", "yes,y,1"]).encode())
    (counts,) = open_table(tmp_path / "data.csv").engine(SCHEMA).tabulate([("a",)])
    assert counts.dense().tolist() == [1, 1]


@pytest.mark.parametrize(
    ("name", "sign"), [("data.csv", ";"), ("data.tsv", "\t"), ("data.csv", "\t")]
)
def test_semicolons_and_tabs_are_understood(name: str, sign: str, tmp_path: Path) -> None:
    lines = ["a,b,c", "no,x,0", "yes,y,1", "yes,y,1"]
    (tmp_path / name).write_text("\n".join(lines).replace(",", sign))
    (counts,) = open_table(tmp_path / name).engine(SCHEMA).tabulate([("a",)])
    assert counts.dense().tolist() == [1, 2]


def test_a_missing_column_is_named_with_the_nearest_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("a,bb,c\nno,x,0\n")
    with pytest.raises(
        DataError, match=r"has no column 'b'\. (Did you mean 'bb'|Known: 'a', 'bb')"
    ):
        open_table(tmp_path / "data.csv").engine(SCHEMA).tabulate([("a", "b")])


def test_a_line_longer_than_a_block_is_read(tmp_path: Path) -> None:
    lines = ["note,a"] + ["short,no"] * 200_000 + ["long " * 300_000 + ",yes"] + ["short,no"] * 9
    (tmp_path / "data.csv").write_text("\n".join(lines))
    (counts,) = (
        open_table(tmp_path / "data.csv").engine(Schema.of({"a": ["no", "yes"]})).tabulate([("a",)])
    )
    assert counts.dense().tolist() == [200_009, 1]


def test_an_empty_line_of_a_one_column_file_is_a_value(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("a\nno\n\nyes\n")
    (counts,) = (
        open_table(tmp_path / "data.csv")
        .engine(Schema.of({"a": ["no", "yes", ""]}))
        .tabulate([("a",)])
    )
    assert counts.dense().tolist() == [1, 1, 1]


@pytest.mark.parametrize("held", [True, False], ids=["held", "DuckDB"])
@pytest.mark.parametrize("name", ["odd:name.parquet", "s3:data.parquet", "a*[b]?.parquet"])
def test_a_name_that_looks_like_an_address_or_a_pattern_is_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, *, held: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    if not held:
        monkeypatch.setattr("deniable.engine.files.file_tables.READ_CELLS", 0)
        monkeypatch.setattr("deniable.engine.files.file_tables.HELD_CELLS", 0)
    pq.write_table(records(100).to_arrow(), tmp_path / name)
    (found,) = open_table(name).engine(SCHEMA).tabulate([("a", "b")])
    (expected,) = MemoryEngine(records(100)).tabulate([("a", "b")])
    np.testing.assert_array_equal(found.dense(), expected.dense())


def test_a_pipe_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(DataError, match="is not a regular file"):
        TableFile(tmp_path / "pipe.csv")


def test_quotes_newlines_and_a_byte_order_mark_in_csv_are_read(tmp_path: Path) -> None:
    schema = Schema.of({"a b": ["x,y", "two\nlines", 'say "hi"']})
    path = tmp_path / "data.csv"
    path.write_text(
        '\ufeff"a b",other\n"x,y",1\n"two\nlines",2\n"say ""hi""",3\n', encoding="utf-8"
    )
    (counts,) = open_table(path).engine(schema).tabulate([("a b",)])
    assert counts.dense().tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("data.csv", b"", "data.csv is empty."),
        ("data.csv", b"a,b,c\nno,x,0\nno,x\n", "line 3: expected 3 columns, got 2."),
        ("data.csv", b"a,b,a\nno,x,0\n", "has two columns of one name, the 1. and the 3."),
        ("data.csv", b"a,b,c\nno,\xff\xfe,0\n", "data.csv"),
        ("data.parquet", b"a,b,c\nno,x,0\n", "is not a Parquet file."),
        ("data.parquet", b"PAR1 and then nothing", "cut short or damaged"),
    ],
)
def test_a_broken_file_gets_one_sentence(
    name: str, content: bytes, sentence: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError) as error:
        open_table(tmp_path / name).engine(SCHEMA).tabulate([("a", "b", "c")])
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)


def test_a_truncated_parquet_file_gets_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "data.parquet"
    pq.write_table(records(3000).to_arrow(), path)
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(DataError, match=r"data\.parquet cannot be read: .*damaged"):
        TableFile(path)


def test_damaged_pages_inside_a_parquet_file_get_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "data.parquet"
    pq.write_table(records(3000).to_arrow(), path)
    content = bytearray(path.read_bytes())
    content[20:200] = b"\xff" * 180
    path.write_bytes(content)
    with pytest.raises(DataError) as error:
        open_table(path).engine(SCHEMA).tabulate([("a", "b", "c")])
    assert "\n" not in str(error.value)
