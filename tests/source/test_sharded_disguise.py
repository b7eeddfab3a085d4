"""Disguising by several processes: the same reports, bounded memory, all shards or none."""

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
import pytest

from commanding import Command
from deniable import Design, Records, disguise
from deniable.base.errors import DataError, DeniableError, OutputError
from deniable.engine.counts.count_table import COUNT
from deniable.source.disguise import SeedWarning
from deniable.source.shards.disguise_shards import Shards, disguise_shards, names_folder
from deniable.source.shards.memory_limit import GROWTH_BYTES, MEBIBYTE, bytes_of, in_words, resident
from deniable.source.stream import disguise_file
from waiting import PATIENCE, eventually

N = 3000
LARGE = 10_500_000


def raw_table(design: Design, n: int = N, seed: int = 0) -> pa.Table:
    rng, schema = np.random.default_rng(seed), design.schema
    return Records.from_codes([rng.integers(0, s, n) for s in schema.sizes], schema).to_arrow()


@pytest.fixture
def raw(tmp_path: Path, design: Design) -> Path:
    """A folder of three files, of which the middle one has no records."""
    folder = tmp_path / "raw files"
    folder.mkdir()
    for place, n in enumerate([N, 0, N]):
        pq.write_table(raw_table(design, n, place), folder / f"day {place}.parquet")
    return folder


@pytest.fixture
def grouped(tmp_path: Path, design: Design, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One file of 30 row groups, which is cut into 5 pieces."""
    monkeypatch.setattr("deniable.source.shards.pieces.PIECE_CELLS", 600 * len(design.schema))
    path = tmp_path / "grouped.parquet"
    pq.write_table(raw_table(design), path, row_group_size=100)
    return path


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def regions(paths: Sequence[Path]) -> list[str]:
    """A public attribute, reported as it is, tells whose record is where."""
    return [value for path in paths for value in pq.read_table(path)["region"].to_pylist()]


def seeded(raw: Path, design: Design, out: Path, seed: int, workers: int) -> dict[str, bytes]:
    with pytest.warns(SeedWarning):
        done = disguise_shards(raw, design, out, random_state=seed, workers=workers)
    assert done.workers == workers
    return contents(out)


# What is written


@pytest.mark.slow
def test_a_folder_is_disguised_into_a_folder_that_commands_read(
    deniable: Command, raw: Path, design: Design, design_file: Path, tmp_path: Path
) -> None:
    out = tmp_path / "reports"
    done = deniable(
        "disguise", raw, "--design", design_file, "--out", f"{out}/", "--workers", 2, "--json"
    )
    assert done.code == 0, done.err
    assert json.loads(done.out) == {
        "records": 2 * N,
        "out": f"{out}/",
        "fingerprint": design.fingerprint,
        "shards": 2,
        "workers": 2,
    }
    assert list(contents(out)) == ["part-00000.parquet", "part-00002.parquet"]
    for shard in out.iterdir():
        assert pq.read_schema(shard).metadata[b"deniable.design"].decode() == design.fingerprint
        assert pq.read_schema(shard).names == list(design.schema.names)
    assert regions(sorted(out.iterdir())) == regions(sorted(raw.iterdir()))
    counted = deniable("estimate", out, "--design", design_file, "*", "--json")
    assert json.loads(counted.out)[0]["value"] == 2 * N, counted.err


@pytest.mark.slow
def test_a_large_file_is_cut_and_keeps_its_order(
    grouped: Path, design: Design, tmp_path: Path
) -> None:
    told: list[int] = []
    done = disguise_shards(grouped, design, tmp_path / "out", workers=3, progress=told.append)
    assert done == Shards(records=N, shards=5, workers=3)
    shards = sorted((tmp_path / "out").iterdir())
    assert [pq.read_metadata(shard).num_rows for shard in shards] == [600] * 5
    assert regions(shards) == regions([grouped])
    assert told == sorted(told)
    assert told[-1] == N


@pytest.mark.slow
def test_csv_files_are_read_and_one_file_is_still_one_file(
    deniable: Command, design: Design, design_file: Path, tmp_path: Path
) -> None:
    for name in ("a", "b"):
        pacsv.write_csv(raw_table(design), tmp_path / f"{name}.csv")
    pattern = str(tmp_path / "*.csv")
    done = deniable("disguise", pattern, "--design", design_file, "--out", tmp_path / "folder")
    assert done.out == f"Disguised {2 * N:,} records into 2 shards in {tmp_path / 'folder'}.\n"
    one = tmp_path / "one.parquet"
    assert deniable("disguise", pattern, "--design", design_file, "--out", one).code == 0
    assert regions([one]) == regions(sorted((tmp_path / "folder").iterdir()))


@pytest.mark.slow
def test_personal_answers_that_come_with_the_data_are_used(
    design_file: Path, design: Design, tmp_path: Path
) -> None:
    known = "{income: {low: 0.5, high: 0.5}}"
    design_file.write_text(design_file.read_text().replace(known, "unknown"))
    table = raw_table(design)
    # Whoever gives the true answer as the personal one reports it either way.
    pq.write_table(table.append_column("personal.income", table["income"]), tmp_path / "r.parquet")
    disguise_shards(tmp_path / "r.parquet", Design.load(design_file), tmp_path / "out")
    reports = pq.read_table(tmp_path / "out")
    assert reports.column_names == list(design.schema.names)
    assert reports["income"].to_pylist() == table["income"].to_pylist()
    assert reports["smokes"].to_pylist() != table["smokes"].to_pylist()


def test_a_table_in_a_database_is_one_shard(
    deniable: Command, design: Design, design_file: Path, tmp_path: Path
) -> None:
    rows = raw_table(design).to_pylist()
    with sqlite3.connect(tmp_path / "clinic.db") as connection:
        connection.execute("CREATE TABLE raw (smokes, drinks, income, region)")
        connection.executemany("INSERT INTO raw VALUES (:smokes,:drinks,:income,:region)", rows)
    connection.close()
    words = ("disguise", f"sqlite:///{tmp_path / 'clinic.db'}#raw", "--design", design_file)
    refused = deniable(*words, "--out", tmp_path / "out/", "--workers", 2)
    assert "is read in one stream. Leave out --workers and --memory." in refused.err
    done = deniable(*words, "--out", tmp_path / "out/")
    assert done.code == 0, done.err
    assert list(contents(tmp_path / "out")) == ["part-00000.parquet"]
    assert sorted(regions([tmp_path / "out"])) == sorted(row["region"] for row in rows)


@pytest.mark.parametrize(
    ("out", "folder"),
    [("a/", True), ("a.v2/", True), ("a", True), ("a.parquet", False), ("a.csv", False)],
)
def test_a_name_says_whether_it_is_a_folder(out: str, folder: bool) -> None:
    assert names_folder(out) is folder


@pytest.mark.slow
def test_an_empty_folder_is_filled_and_keeps_its_mode(
    raw: Path, design: Design, tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir(mode=0o700)
    disguise_shards(raw, design, tmp_path / "out")
    assert len(contents(tmp_path / "out")) == 2
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o700


# Randomness


@pytest.mark.slow
def test_a_seed_gives_the_same_shards_however_many_workers(
    grouped: Path, design: Design, tmp_path: Path
) -> None:
    one, two, three = (seeded(grouped, design, tmp_path / f"out{w}", 7, w) for w in (1, 2, 3))
    assert one == two == three
    other = seeded(grouped, design, tmp_path / "other", 8, 2)
    assert other.keys() == one.keys()
    assert all(other[name] != one[name] for name in one)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [None, 7])
def test_equal_pieces_are_not_disguised_alike(
    seed: int | None, deniable: Command, design: Design, design_file: Path, tmp_path: Path
) -> None:
    (tmp_path / "raw").mkdir()
    for name in "abc":
        pq.write_table(raw_table(design), tmp_path / "raw" / f"{name}.parquet")
    words = ["disguise", tmp_path / "raw", "--design", design_file, "--workers", 2]
    words += ["--random-state", seed] if seed else []
    assert deniable(*words, "--out", tmp_path / "out/").code == 0
    assert deniable(*words, "--out", tmp_path / "again/").code == 0
    first, again = contents(tmp_path / "out"), contents(tmp_path / "again")
    assert len(set(first.values())) == 3
    # Without a seed every worker asks the operating system, in every run.
    assert (first == again) is (seed is not None)


def test_one_file_with_a_seed_is_what_it_always_was(
    raw: Path, design: Design, tmp_path: Path
) -> None:
    with pytest.warns(SeedWarning):
        expected = disguise(pq.read_table(raw / "day 0.parquet"), design, random_state=7)
    with pytest.warns(SeedWarning):
        disguise_file(raw / "day 0.parquet", design, tmp_path / "out.parquet", random_state=7)
    assert pq.read_table(tmp_path / "out.parquet").equals(expected)


@pytest.mark.slow
def test_a_seed_is_warned_of_once(
    deniable: Command, grouped: Path, design_file: Path, tmp_path: Path
) -> None:
    words = ("--out", tmp_path / "out/", "--random-state", 1, "--workers", 2)
    done = deniable("disguise", grouped, "--design", design_file, *words)
    assert done.err.count("warning: A seed was given") == 1


# What is refused


@pytest.mark.slow
@pytest.mark.parametrize("sharded", [True, False])
def test_an_unknown_value_is_named_by_its_file_and_row(
    sharded: bool, grouped: Path, design: Design, tmp_path: Path
) -> None:
    (tmp_path / "raw").mkdir()
    grouped.rename(tmp_path / "raw" / "a.parquet")
    odd = raw_table(design).to_pydict()
    odd["income"][1234] = "mid"
    pq.write_table(pa.table(odd), tmp_path / "raw" / "b.parquet", row_group_size=100)
    before = sorted(tmp_path.rglob("*"))
    write = disguise_shards if sharded else disguise_file
    out = tmp_path / ("out" if sharded else "out.parquet")
    with pytest.raises(DataError, match=r"raw/b\.parquet, row 1235: 'income' has the value 'mid'"):
        write(tmp_path / "raw", design, out)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_folder_that_is_not_empty_is_left_alone(raw: Path, design: Design) -> None:
    before = contents(raw)
    with pytest.raises(OutputError, match=r"is a folder that is not empty\. Name a new"):
        disguise_shards(raw, design, raw)
    with pytest.raises(OutputError, match="is a file"):
        disguise_shards(raw, design, raw / "day 0.parquet")
    assert contents(raw) == before


@pytest.mark.slow
def test_reports_and_counts_are_not_disguised(raw: Path, design: Design, tmp_path: Path) -> None:
    disguise_shards(raw, design, tmp_path / "reports")
    counts = raw_table(design).append_column("n", pa.array([1] * N))
    counts = counts.replace_schema_metadata({COUNT: b"n"})
    pq.write_table(counts, tmp_path / "counts.parquet")
    for name, sentence in [("reports", "is disguised already"), ("counts.parquet", "holds counts")]:
        with pytest.raises(DataError, match=sentence):
            disguise_shards(tmp_path / name, design, tmp_path / "out")
        with pytest.raises(DataError, match=sentence):
            disguise_file(tmp_path / name, design, tmp_path / "out.parquet")
    one = next((tmp_path / "reports").iterdir())
    one.rename(raw / "day 1.parquet")
    with pytest.raises(DataError, match=r"day 1\.parquet was not disguised like"):
        disguise_shards(raw, design, tmp_path / "out")


@pytest.mark.slow
def test_files_without_any_record_are_refused(raw: Path, design: Design, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"day 1\.parquet has no records"):
        disguise_shards(raw / "day 1.parquet", design, tmp_path / "out")
    (tmp_path / "raw.csv").write_text("smokes,drinks,income,region\n")
    with pytest.raises(DataError, match=r"raw\.csv has no records"):
        disguise_shards(tmp_path / "raw.csv", design, tmp_path / "out")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "design.yaml",
        "raw files",
        "raw.csv",
    ]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--out", "x.csv"), "x.csv would not carry the design's fingerprint. End its name in"),
        (("--out", "x.parquet", "--workers", 2), "x.parquet is one file, which one process writes"),
        (("--out", "x.parquet", "--memory", "1GiB"), "x.parquet is one file"),
        (("--out", "x/", "--memory", "lots"), "'lots' is not an amount of memory. Write it like"),
        (("--out", "x/", "--memory", "1 MB"), "1MiB of memory is too little, even for one worker"),
        (("--out", "no/such/x"), "no/such/x cannot be written: no such file or directory"),
    ],
)
def test_what_cannot_be_is_one_sentence(
    words: tuple[object, ...],
    sentence: str,
    deniable: Command,
    raw: Path,
    design_file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    done = deniable("disguise", raw, "--design", design_file, *words)
    assert done.code == 1
    assert sentence in done.err
    assert done.err.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["design.yaml", "raw files"]


# Memory


def rss(pid: int) -> int:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    return int(found[1]) * 1024 if found else 0


def children(pid: int) -> list[int]:
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def command(*words: object) -> list[str]:
    return [sys.executable, "-m", "deniable", "disguise", *map(str, words)]


@pytest.mark.slow
def test_memory_stays_below_the_limit_for_a_file_far_larger(tmp_path: Path) -> None:
    # Long words, plain and uncompressed: two files, each a row group of 400 MB. A worker may hold
    # 228 MiB, of which 125 go to the interpreter and its libraries.
    words = [f"{word} " * 100 for word in ("north", "south", "east", "west")]
    attributes = {f"home {place}": words for place in range(10)}
    groups = [{"attributes": [name], "channel": "related", "theta": "4/5"} for name in attributes]
    Design.of({"attributes": attributes, "groups": groups}).save(tmp_path / "design.yaml")
    codes = np.random.default_rng(1).integers(0, 4, 70_000)
    column = pa.array(words).take(pa.array(codes))
    raw, out, limit = tmp_path / "raw", tmp_path / "out", 640 * MEBIBYTE
    raw.mkdir()
    pq.write_table(
        pa.table(dict.fromkeys(attributes, column)),
        raw / "a.parquet",
        row_group_size=len(column),
        use_dictionary=False,
        compression="none",
    )
    os.link(raw / "a.parquet", raw / "b.parquet")
    assert (raw / "a.parquet").stat().st_size > 380_000_000
    options = ("--design", tmp_path / "design.yaml", "--out", out, "--memory", "640MiB")
    highest, most = 0, 0
    try:
        with subprocess.Popen(command(raw, *options, "--workers", 2)) as process:
            while process.poll() is None:
                found = children(process.pid)
                highest = max(highest, sum(map(rss, [process.pid, *found])))
                most = max(most, len(found))
                time.sleep(0.005)
    finally:
        shutil.rmtree(raw)
    assert process.returncode == 0
    assert most == 2
    assert 300 * MEBIBYTE < highest < limit
    assert pq.read_table(out, columns=["home 0"]).num_rows == 2 * len(column)


@pytest.mark.slow
def test_as_many_workers_as_fit_and_the_least_limit_is_enough(
    grouped: Path, design_file: Path, tmp_path: Path
) -> None:
    def run(memory: str) -> subprocess.CompletedProcess[str]:
        words = ("--out", tmp_path / memory, "--memory", memory, "--workers", 5, "--json")
        raw = tmp_path / "raw"
        return subprocess.run(
            command(raw, "--design", design_file, *words),
            capture_output=True,
            text=True,
            check=False,
        )

    (tmp_path / "raw").mkdir()
    for name in "abcde":
        (tmp_path / "raw" / f"{name}.parquet").write_bytes(grouped.read_bytes())
    refused = run("200MiB")
    assert refused.returncode == 1
    found = re.search(r"Allow at least --memory (\d+MiB)\.$", refused.stderr.strip())
    assert found, refused.stderr
    assert not (tmp_path / "200MiB").exists()
    assert json.loads(run(found[1]).stdout)["workers"] == 1
    assert json.loads(run("850MiB").stdout)["workers"] == 3


@pytest.mark.slow
def test_a_worker_that_exceeds_its_share_is_stopped(
    grouped: Path, design: Design, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deniable.source.shards.memory_limit.WORKER_BYTES", 20 * MEBIBYTE)
    limit = resident() + GROWTH_BYTES + 40 * MEBIBYTE
    with pytest.raises(OutputError, match=r"A worker came to hold \d+MiB while it disguised "):
        disguise_shards(grouped, design, tmp_path / "out", memory=limit)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["design.yaml", "grouped.parquet"]


def test_sizes_are_read_and_written() -> None:
    assert [bytes_of(text) for text in ("1GiB", "1.5 gb", "512kib", "7B")] == [
        1 << 30,
        1_500_000_000,
        1 << 19,
        7,
    ]
    assert [in_words(size) for size in (1 << 30, 3 << 20, 1)] == ["1GiB", "3MiB", "1MiB"]
    for text in ("", "1", "GiB", "-1GiB", "1 byte"):
        with pytest.raises(DeniableError, match="is not an amount of memory"):
            bytes_of(text)


# Whole or nothing


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Enough for some seconds of work: five pieces."""
    path = tmp_path_factory.mktemp("large") / "raw.parquet"
    codes = pa.array(np.tile(np.array([0, 1], np.int32), LARGE // 10))
    values = {name: ["no", "yes"] for name in ("smokes", "drinks")}
    values |= {"income": ["low", "high"], "region": ["north", "west"]}
    columns = {name: pa.DictionaryArray.from_arrays(codes, v) for name, v in values.items()}
    table = pa.table(columns)
    with pq.ParquetWriter(path, table.schema) as writer:
        for _ in range(5):
            writer.write_table(table, row_group_size=len(table))
    yield path
    path.unlink()


@contextmanager
def in_the_middle(
    large: Path, design_file: Path, out: Path
) -> Iterator[tuple[subprocess.Popen[str], list[int]]]:
    """A run of two workers that has finished a shard and not the last one."""
    words = command(large, "--design", design_file, "--out", out, "--workers", 2)
    with subprocess.Popen(
        words, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            while not list(out.parent.glob(f".{out.name}.*/part-00002.parquet")):
                assert process.poll() is None, process.communicate()
                time.sleep(0.005)
            workers = children(process.pid)
            assert len(workers) == 2
            assert not out.exists()
            yield process, workers
        finally:
            if process.poll() is None:
                process.kill()


def gone(pid: int) -> bool:
    """Whether a process has ended; one that nobody waits for is as good as gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stop", "group"), [(signal.SIGINT, True), (signal.SIGTERM, True), (signal.SIGTERM, False)]
)
def test_a_stopped_run_leaves_nothing_behind(
    stop: signal.Signals, group: bool, large: Path, design_file: Path, tmp_path: Path
) -> None:
    with in_the_middle(large, design_file, tmp_path / "out") as (process, workers):
        # Ctrl-C reaches a terminal's whole group, the workers too.
        (os.killpg if group else os.kill)(process.pid, stop)
        said = process.communicate(timeout=PATIENCE)[1]
    assert process.returncode not in {0, -stop}
    assert said.startswith("deniable: ")
    assert said.count("\n") == 1
    eventually(lambda: all(gone(pid) for pid in workers))
    assert [path.name for path in tmp_path.iterdir()] == ["design.yaml"]


@pytest.mark.slow
def test_workers_leave_ctrl_c_to_the_command(
    large: Path, design_file: Path, tmp_path: Path
) -> None:
    with in_the_middle(large, design_file, tmp_path / "out") as (process, workers):
        for pid in workers:
            os.kill(pid, signal.SIGINT)
        said = process.communicate(timeout=PATIENCE)[1]
    assert (process.returncode, said) == (0, "")
    assert len(contents(tmp_path / "out")) == 5


@pytest.mark.slow
def test_a_killed_worker_is_one_sentence(large: Path, design_file: Path, tmp_path: Path) -> None:
    with in_the_middle(large, design_file, tmp_path / "out") as (process, workers):
        os.kill(workers[0], signal.SIGKILL)
        said = process.communicate(timeout=PATIENCE)[1]
    assert process.returncode == 1
    assert re.fullmatch(
        r"deniable: A worker ended while it disguised \S+/raw\.parquet \(killed by SIGKILL\)\. "
        r"Nothing was written\. .*\n",
        said,
    )
    eventually(lambda: all(gone(pid) for pid in workers))
    assert [path.name for path in tmp_path.iterdir()] == ["design.yaml"]


@pytest.mark.slow
def test_a_killed_run_leaves_no_half_folder_and_can_be_repeated(
    large: Path, design_file: Path, design: Design, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    with in_the_middle(large, design_file, out) as (process, workers):
        os.kill(process.pid, signal.SIGKILL)
        process.wait(timeout=PATIENCE)
        eventually(lambda: all(gone(pid) for pid in workers))
    assert not out.exists()
    assert disguise_shards(large, design, out).records == LARGE


@pytest.mark.slow
def test_a_full_disk_is_one_sentence(large: Path, design_file: Path, tmp_path: Path) -> None:
    little = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000)); "
    words = command(large, "--design", design_file, "--out", f"{tmp_path}/out/", "--workers", 2)
    done = subprocess.run(
        [sys.executable, "-c", f"{little}from deniable.cli import main; main()", *words[3:]],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert re.fullmatch(r"deniable: \S+/out/ cannot be written: file too large\. .*\n", done.stderr)
    assert [path.name for path in tmp_path.iterdir()] == ["design.yaml"]
