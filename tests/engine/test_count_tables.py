import fcntl
import hashlib
import multiprocessing
import os
import random
import sqlite3
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from deniable.base.errors import DataError, EstimateError, FingerprintError, OutputError
from deniable.engine import MemoryEngine, Records
from deniable.engine.counts.append import Appended, append
from deniable.engine.counts.count_table import BATCHES, COUNT, MOST_RECORDS, batches_in
from deniable.engine.files.file_tables import TableFile
from deniable.engine.memory.counted_engine import CountedEngine
from deniable.engine.memory.records import DESIGN_STAMP
from deniable.engine.open_table import open_table
from deniable.schema import Schema

SCHEMA = Schema.of({"a b": ["no", "yes"], "count": ["x", "ü"], "c": ["0", "1", "2"]})
DESIGN = "f" * 64


def records(n: int, seed: int = 0) -> Records:
    rng = np.random.default_rng(seed)
    return Records.from_codes([rng.integers(0, size, n) for size in SCHEMA.sizes], SCHEMA)


def batch(path: Path, n: int = 100, seed: int = 0) -> Path:
    table = records(n, seed).to_arrow().replace_schema_metadata({DESIGN_STAMP: DESIGN.encode()})
    pq.write_table(table, path)
    return path


def added(into: Path, *names: object, schema: Schema = SCHEMA, again: bool = False) -> Appended:
    return append([open_table(str(name)) for name in names], schema, DESIGN, into, again=again)


def counts(path: object) -> list[int]:
    (found,) = open_table(str(path)).engine(SCHEMA).tabulate([SCHEMA.names])
    dense: list[int] = found.dense().ravel().tolist()
    return dense


def test_batches_are_counted_into_one_table(tmp_path: Path) -> None:
    into = tmp_path / "counts.parquet"
    first, second = batch(tmp_path / "1.parquet", 60, 1), batch(tmp_path / "2.parquet", 40, 2)
    assert added(into, first).records == 60
    done = added(into, second)
    assert (done.added, done.records) == (40, 100)
    whole = np.array(counts(first)) + counts(second)
    assert counts(into) == whole.tolist()
    assert done.distinct == np.count_nonzero(whole)


def test_the_file_says_what_it_is_and_any_reader_can_read_it(tmp_path: Path) -> None:
    into = tmp_path / "counts.parquet"
    name = batch(tmp_path / "1.parquet", 5)
    added(into, name)
    table = pq.read_table(into)
    assert table.column_names == ["a b", "count", "c", "count_"]  # an attribute is called count
    assert table.schema.field("count_").type == pa.int64()
    assert min(table["count_"].to_pylist()) > 0
    assert sum(table["count_"].to_pylist()) == 5
    metadata = table.schema.metadata
    assert metadata[DESIGN_STAMP].decode() == DESIGN
    assert metadata[COUNT] == b"count_"
    assert metadata[BATCHES].decode() == hashlib.sha256(name.read_bytes()).hexdigest()


@pytest.mark.parametrize("cells", [1 << 22, 1])
def test_the_order_of_batches_leaves_no_trace(
    cells: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deniable.engine.engine.DENSE_CELLS", cells)  # an array, or sorted keys
    names = [batch(tmp_path / f"{i}.parquet", 30, i) for i in range(3)]
    one, other = tmp_path / "one.parquet", tmp_path / "other.parquet"
    for name in names:
        added(one, name)
    added(other, *names[::-1])
    assert one.read_bytes() == other.read_bytes()
    assert counts(one) == counts(tmp_path / "?.parquet")


def test_two_count_tables_are_merged_with_their_batches(tmp_path: Path) -> None:
    names = [batch(tmp_path / f"{i}.parquet", 30, i) for i in range(3)]
    north, south, both = (tmp_path / f"{name}.parquet" for name in ("north", "south", "both"))
    added(north, *names[:2])
    added(south, names[2])
    assert added(both, north, south).records == 90
    assert counts(both) == counts(tmp_path / "?.parquet")
    assert len(batches_in(TableFile(both))) == 3
    for known in (names[1], south):
        with pytest.raises(DataError, match=r"already counted in .*both\.parquet"):
            added(both, known)
    assert added(both, south, again=True).records == 120


def test_a_batch_is_known_by_its_contents(tmp_path: Path) -> None:
    into = tmp_path / "counts.parquet"
    name = batch(tmp_path / "1.parquet")
    copy = tmp_path / "copy.parquet"
    copy.write_bytes(name.read_bytes())
    with pytest.raises(DataError, match=r"copy\.parquet holds reports .* counted in .*1\.parquet"):
        added(into, name, copy)
    assert not into.exists()
    added(into, name)
    before = into.read_bytes()
    with pytest.raises(DataError, match=r"counts\.parquet\. Nothing was added; --again"):
        added(into, batch(tmp_path / "2.parquet", 10, 2), copy)
    assert into.read_bytes() == before
    assert added(into, copy, again=True).records == 200


def test_shards_without_records_are_alike_and_no_reason_to_refuse(tmp_path: Path) -> None:
    into = tmp_path / "counts.parquet"
    for night in range(2):
        folder = tmp_path / f"night{night}"
        folder.mkdir()
        batch(folder / "1.parquet", 20, night)
        batch(folder / "2.parquet", 0)
        assert added(into, folder).added == 20
    with pytest.raises(DataError, match="has no records"):
        added(into, tmp_path / "night0" / "2.parquet")


def test_a_database_is_a_new_batch_each_time_but_its_count_table_is_not(tmp_path: Path) -> None:
    database = sqlite3.connect(tmp_path / "reports.db")
    database.execute('create table answers ("a b" text, "count" text, "c" text)')
    rows = records(50).to_arrow().to_pylist()
    database.executemany("insert into answers values (?, ?, ?)", [[*r.values()] for r in rows])
    database.commit()
    database.close()
    into, other = tmp_path / "counts.parquet", tmp_path / "other.parquet"
    address = f"sqlite:///{tmp_path / 'reports.db'}#answers"
    assert added(into, address).records == 50
    assert added(into, address).records == 100
    assert added(other, into).records == 100
    with pytest.raises(DataError, match="already counted"):
        added(other, into)


def test_a_file_that_grows_while_it_is_counted_is_refused(tmp_path: Path) -> None:
    into, name = tmp_path / "counts.parquet", tmp_path / "log.csv"
    name.write_text("a b,count,c\n" + "no,x,0\n" * 10)
    table = open_table(name)
    counted = table.engine

    class Growing(type(table)):  # type: ignore[misc]  # the class of an opened table
        def engine(self, schema: Schema) -> object:
            found = counted(schema)
            with name.open("a") as log:
                log.write("yes,x,0\n")
            return found

    table.__class__ = Growing
    with pytest.raises(DataError, match=r"log\.csv changed while it was read"):
        append([table], SCHEMA, DESIGN, into)
    assert not into.exists()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is empty"),
        (b"PAR1 and then nothing", "cannot be read"),
        (b"precious", "is not a Parquet file"),
    ],
)
def test_a_file_that_is_no_count_table_is_left_alone(
    content: bytes, sentence: str, tmp_path: Path
) -> None:
    into = tmp_path / "counts.parquet"
    into.write_bytes(content)
    with pytest.raises(DataError, match=sentence):
        added(into, batch(tmp_path / "1.parquet"))
    assert into.read_bytes() == content


def test_records_are_not_written_over(tmp_path: Path) -> None:
    name, into = batch(tmp_path / "1.parquet"), batch(tmp_path / "2.parquet", 10, 2)
    before = into.read_bytes()
    with pytest.raises(DataError, match="is there already, and is no count table"):
        added(into, name)
    with pytest.raises(OutputError, match="is read, so it is not written"):
        added(into, into)
    assert into.read_bytes() == before
    (tmp_path / "folder.parquet").mkdir()
    with pytest.raises(DataError, match="is a directory"):
        added(tmp_path / "folder.parquet", name)
    with pytest.raises(OutputError, match=r"End its name in \.parquet"):
        added(tmp_path / "counts.csv", name)
    with pytest.raises(OutputError, match="no such file or directory"):
        added(tmp_path / "no" / "counts.parquet", name)


def test_counts_of_another_design_are_refused(tmp_path: Path) -> None:
    into, name = tmp_path / "counts.parquet", batch(tmp_path / "1.parquet")
    added(into, name)
    before = into.read_bytes()
    other = batch(tmp_path / "2.parquet", 10, 2)
    with pytest.raises(FingerprintError, match=r"counts\.parquet was disguised by another design"):
        append([], SCHEMA, "0" * 64, into)
    with pytest.raises(FingerprintError, match=r"2\.parquet was disguised by another design"):
        append([open_table(other)], SCHEMA, "0" * 64, into)
    assert into.read_bytes() == before


def retold(path: Path, **columns: pa.Array) -> Path:
    """Write a count table with other columns."""
    table = pq.read_table(path)
    for name, column in columns.items():
        table = table.set_column(table.column_names.index(name), name, column)
    pq.write_table(table, path)
    return path


@pytest.mark.parametrize(
    "column",
    [
        pa.array([3, -1]),
        pa.array([3, None]),
        pa.array([3, 1.5]),
        pa.array([3, float("nan")]),
        pa.array([3, 1 << 63], pa.uint64()),
        pa.array(["3", "many"]),
        pa.array([[3], [1]]),
    ],
    ids=str,
)
def test_counts_that_are_none_are_refused_in_one_sentence(column: pa.Array, tmp_path: Path) -> None:
    into, name = tmp_path / "counts.parquet", tmp_path / "1.csv"
    name.write_text("a b,count,c\nno,x,0\nyes,ü,2\n")
    added(into, name)
    before = retold(into, count_=column).read_bytes()
    with pytest.raises(DataError, match=r"counts\.parquet has a count that is missing, negative"):
        open_table(into).engine(SCHEMA)
    with pytest.raises(DataError, match=r"counts\.parquet has a count that is missing, negative"):
        added(into, batch(tmp_path / "2.parquet"))
    assert into.read_bytes() == before


def test_counts_stay_exact_up_to_where_floats_are(tmp_path: Path) -> None:
    into, name = tmp_path / "counts.parquet", tmp_path / "1.csv"
    name.write_text("a b,count,c\nno,x,0\nyes,ü,2\n")
    added(into, name)
    most = MOST_RECORDS - 1
    retold(into, count_=pa.array([most - 1, 1]))
    (found,) = open_table(into).engine(SCHEMA).tabulate([("c",)])
    assert found.dense().tolist() == [most - 1, 0, 1]
    assert found.n == most
    with pytest.raises(DataError, match="9,007,199,254,740,992 reports or more"):
        added(into, batch(tmp_path / "2.parquet", 1))
    for large in ([most, 1], [1 << 62, 1 << 62], [0, (1 << 63) - 1]):
        retold(into, count_=pa.array(large))
        with pytest.raises(DataError, match="9,007,199,254,740,992 reports or more"):
            open_table(into).engine(SCHEMA)


def test_a_count_table_without_its_counts_or_columns_is_refused(tmp_path: Path) -> None:
    into = tmp_path / "counts.parquet"
    added(into, batch(tmp_path / "1.parquet"))
    whole = pq.read_table(into)
    pq.write_table(whole.drop_columns(["count_"]), into)
    with pytest.raises(DataError, match="has no counts in 'count_'"):
        open_table(into)
    pq.write_table(whole.drop_columns(["c"]), into)
    with pytest.raises(DataError, match="has no column 'c'"):
        added(into, batch(tmp_path / "2.parquet", 10, 2))
    pq.write_table(whole.replace_schema_metadata({COUNT: b"count_"}), into)
    with pytest.raises(DataError, match="is no count table"):  # of no design
        added(into, batch(tmp_path / "2.parquet", 10, 2))


def test_several_count_tables_are_read_as_one_unless_they_share_reports(tmp_path: Path) -> None:
    names = [batch(tmp_path / f"{i}.parquet", 30, i) for i in range(2)]
    stored = tmp_path / "counts"
    stored.mkdir()
    for number, name in enumerate(names):
        added(stored / f"{number}.parquet", name)
    assert counts(stored) == counts(stored / "*.parquet") == counts(tmp_path / "?.parquet")
    added(stored / "both.parquet", stored / "?.parquet")
    with pytest.raises(DataError, match="count the same reports"):
        open_table(stored)
    batch(stored / "both.parquet", 3)
    with pytest.raises(DataError, match=r"is records and counts|has other columns"):
        open_table(stored)


def test_every_report_comes_as_often_as_it_was_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deniable.engine.counts.count_table.BATCH_RECORDS", 7)
    into = tmp_path / "counts.parquet"
    name = batch(tmp_path / "1.parquet", 100)
    added(into, name)
    laid_out = open_table(into).all_records(SCHEMA)
    assert len(laid_out) == 100
    (found,) = MemoryEngine(laid_out).tabulate([SCHEMA.names])
    assert found.dense().ravel().tolist() == counts(name)
    monkeypatch.setattr("deniable.engine.counts.count_table.MOST_COUNT_CELLS", 299)
    with pytest.raises(DataError, match="too many reports to lay them out"):
        open_table(into).all_records(SCHEMA)


def test_wide_reports_are_counted_and_held_as_counts(tmp_path: Path) -> None:
    schema = Schema.of({f"a{i}": ["no", "yes", "maybe"] for i in range(30)})
    rng = np.random.default_rng(1)
    few = rng.integers(0, 3, (40, 30))
    people = Records.from_codes(few[rng.integers(0, 40, 1000)], schema)
    pq.write_table(people.to_arrow(), tmp_path / "wide.parquet")
    into = tmp_path / "counts.parquet"
    done = added(into, tmp_path / "wide.parquet", schema=schema)
    assert (done.records, done.distinct) == (1000, 40)
    held = open_table(into).held(schema)
    assert isinstance(held, CountedEngine)
    columns = ("a3", "a17", "a29")
    (found,), (expected,) = held.tabulate([columns]), MemoryEngine(people).tabulate([columns])
    np.testing.assert_array_equal(found.dense(), expected.dense())


def test_too_many_joint_patterns_or_batches_are_refused_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    into = tmp_path / "counts.parquet"
    schema = Schema.of({f"a{i}": ["no", "yes"] for i in range(2000)})
    with pytest.raises(EstimateError, match=r"2000 attributes .* Mine the reports themselves"):
        append([], schema, DESIGN, into)
    monkeypatch.setattr("deniable.engine.counts.append.MOST_BATCHES", 1)
    added(into, batch(tmp_path / "1.parquet"))
    with pytest.raises(DataError, match="would list more than 1 batches"):
        added(into, batch(tmp_path / "2.parquet", 10, 2))
    assert len(batches_in(TableFile(into))) == 1


def test_what_a_killed_writer_left_is_swept_and_other_files_are_not(tmp_path: Path) -> None:
    into = tmp_path / "counts.parquet"
    (tmp_path / ".counts.parquet.01234567.part").write_bytes(b"half")
    (tmp_path / ".counts2.parquet.01234567.part").write_bytes(b"somebody else's")
    added(into, batch(tmp_path / "1.parquet"))
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == [".counts2.parquet.01234567.part", "1.parquet", "counts.parquet"]


def test_a_link_to_a_count_table_is_followed(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    real, link = tmp_path / "store" / "real.parquet", tmp_path / "link.parquet"
    added(real, batch(tmp_path / "1.parquet", 60))
    link.symlink_to(real)
    assert added(link, batch(tmp_path / "2.parquet", 40, 2)).records == 100
    assert link.is_symlink()
    assert sum(counts(real)) == 100


PROCESSES = multiprocessing.get_context("forkserver")
# Arrow looks for pandas when it first meets an array.
PROCESSES.set_forkserver_preload(["deniable.engine.counts.append", "pandas", "pytest"])


def in_processes(work: Callable[..., None], *many: tuple[object, ...]) -> list[int | None]:
    """Run some work in processes at the same time; give their exit codes."""
    processes = [PROCESSES.Process(target=work, args=words) for words in many]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    return [process.exitcode for process in processes]


def append_all(folder: Path, names: list[str]) -> None:
    for name in names:
        added(folder / "counts.parquet", folder / name)


@pytest.mark.slow
def test_those_who_append_at_the_same_time_are_all_counted(tmp_path: Path) -> None:
    names = [batch(tmp_path / f"{i:02}.parquet", 10, i).name for i in range(40)]
    shares = [(tmp_path, names[start::4]) for start in range(4)]
    assert in_processes(append_all, *shares) == [0, 0, 0, 0]
    assert counts(tmp_path / "counts.parquet") == counts(tmp_path / "[0-9]*.parquet")
    assert len(list(tmp_path.iterdir())) == 41


@pytest.mark.slow
def test_of_those_who_append_the_same_batch_at_once_one_is_counted(tmp_path: Path) -> None:
    batch(tmp_path / "1.parquet", 10)
    codes = in_processes(append_all, *[(tmp_path, ["1.parquet"])] * 4)
    assert codes.count(0) == 1
    assert sum(counts(tmp_path / "counts.parquet")) == 10


@pytest.mark.slow
def test_an_append_waits_while_the_folder_is_locked(tmp_path: Path) -> None:
    batch(tmp_path / "1.parquet", 10)
    folder = os.open(tmp_path, os.O_RDONLY)
    waiting = threading.Thread(target=append_all, args=(tmp_path, ["1.parquet"]))
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        waiting.start()
        waiting.join(0.5)
        assert waiting.is_alive()
        assert not (tmp_path / "counts.parquet").exists()
    finally:
        os.close(folder)
    waiting.join(60)
    assert sum(counts(tmp_path / "counts.parquet")) == 10


def append_and_tell(folder: Path, names: list[str], told: Connection) -> None:
    for name in names:
        added(folder / "counts.parquet", folder / name)
        told.send(name)


def told_so_far(ends: Connection) -> list[str]:
    found = []
    try:
        while True:
            found.append(ends.recv())
    except EOFError:
        return found


@pytest.mark.slow
def test_a_process_killed_at_any_moment_loses_and_doubles_nothing(tmp_path: Path) -> None:
    moments = random.Random(5)
    content = {
        hashlib.sha256(batch(tmp_path / f"{i:03}.parquet", 7, i).read_bytes()).hexdigest(): i
        for i in range(400)
    }
    into = tmp_path / "counts.parquet"
    inside, acknowledged = 0, 0
    for _ in range(20):
        marks = batches_in(TableFile(into)) if into.exists() else []
        before = sorted(content[mark] for mark in marks)
        rest = [f"{i:03}.parquet" for i in range(400) if i not in before]
        ends, told = PROCESSES.Pipe(duplex=False)
        process = PROCESSES.Process(target=append_and_tell, args=(tmp_path, rest, told))
        process.start()
        told.close()
        for _ in range(moments.randint(1, 5)):
            ends.recv()
            acknowledged += 1
        process.kill()
        process.join(60)
        acknowledged += len(told_so_far(ends))
        after = sorted(content[mark] for mark in batches_in(TableFile(into)))
        inside += len(after) - len(before)
        assert after == list(range(len(after)))  # each once, none left out
        assert sum(counts(into)) == 7 * len(after)
    assert acknowledged <= inside <= acknowledged + 20  # at most one each time was not told
    assert acknowledged >= 20
    rest = [f"{i:03}.parquet" for i in range(inside, 400)]
    append([open_table(tmp_path / name) for name in rest], SCHEMA, DESIGN, into)
    assert counts(into) == counts(tmp_path / "[0-9]*.parquet")
    assert len(list(tmp_path.iterdir())) == 401
