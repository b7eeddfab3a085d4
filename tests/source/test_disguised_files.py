"""One file is disguised by a pipeline: the same reports, errors in one sentence, no thread left."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
import pytest

from deniable import Design, Records
from deniable.base.documents import to_yaml
from deniable.base.errors import DataError
from deniable.engine.open_table import open_table
from deniable.source.disguise import disguise_records, read_personal
from deniable.source.randomness import SeededBits
from deniable.source.stream import BATCH_CELLS, disguise_file, raw_columns, together
from waiting import PATIENCE, eventually, stages_under_way

N = 90_000
"""Records of a file: several blocks of CSV, more than a row group of Parquet."""

DESIGN = Design.of(
    {
        "attributes": {
            "smokes": ["no", "yes"],
            "income": ["low", "middle", "high"],
            "region": ["north", "south", "west"],
            "drinks": ["no", "yes"],
        },
        "groups": [
            {"attributes": ["smokes", "income"], "channel": "keep-or-uniform", "theta": "2/3"},
            {
                "attributes": ["drinks"],
                "channel": "unrelated",
                "theta": "7/10",
                "personal": "unknown",
            },
        ],
    }
)
"""Chances that no word of bits hits exactly, and personal answers that come with the data."""


PAIRED = ("drinks", "personal.drinks")


def raw_table(seed: int) -> pa.Table:
    rng = np.random.default_rng(seed)
    columns = {
        attribute.name: np.array(attribute.values)[rng.integers(0, attribute.size, N)]
        for attribute in DESIGN.schema
    }
    columns["name"] = np.array(["somebody"] * N)
    columns["personal.drinks"] = columns["drinks"][::-1]
    return pa.table(columns)


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    """A folder of two CSV files."""
    folder = tmp_path / "raw"
    folder.mkdir()
    for seed, name in enumerate("ab"):
        pacsv.write_csv(raw_table(seed), folder / f"{name}.csv")
    return folder


def one_by_one(raw: Path, seed: int) -> pa.Table:
    """Every batch read, disguised and kept before the next: the same randomness, nothing else."""
    bits, found = SeededBits(seed), []
    for _, _, batch in open_table(raw).numbered(raw_columns(DESIGN)):
        truth, personal = Records.of(batch, DESIGN.schema), read_personal(batch, DESIGN)
        found.append(disguise_records(truth, personal, DESIGN, bits))
    return Records.joined(found).to_arrow()


def test_a_seed_gives_the_reports_of_batches_one_by_one(raw: Path, tmp_path: Path) -> None:
    with pytest.warns(match="A seed was given"):
        assert disguise_file(raw, DESIGN, tmp_path / "out.parquet", random_state=7) == 2 * N
    expected = one_by_one(raw, 7)
    found = pq.read_table(tmp_path / "out.parquet")
    assert len(list(open_table(raw).batches(["smokes"]))) > 6
    for name in DESIGN.schema.names:
        assert found[name].to_pylist() == expected[name].to_pylist()
    assert not stages_under_way()


def test_progress_is_told_of_what_was_taken_to_be_written(raw: Path, tmp_path: Path) -> None:
    told: list[int] = []
    disguise_file(raw, DESIGN, tmp_path / "out.parquet", progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 2 * N


@pytest.mark.parametrize("row", [1, 7_000, N])
def test_an_unknown_value_is_named_by_its_row_and_nothing_is_left(
    row: int, raw: Path, tmp_path: Path
) -> None:
    columns = raw_table(1).to_pydict()
    columns["income"][row - 1] = "mid"
    pacsv.write_csv(pa.table(columns), raw / "b.csv")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(DataError, match=rf"b\.csv, row {row}: 'income' has the value 'mid'"):
        disguise_file(raw, DESIGN, tmp_path / "out.parquet")
    assert sorted(tmp_path.rglob("*")) == before
    assert not stages_under_way()


def test_a_line_with_too_few_values_is_named_from_its_thread(raw: Path, tmp_path: Path) -> None:
    lines = (raw / "b.csv").read_text().splitlines()
    lines[50_000] = "no,low"
    (raw / "b.csv").write_text("\n".join(lines))
    with pytest.raises(DataError, match=r"b\.csv, line 50001: expected 6 columns, got 2"):
        disguise_file(raw, DESIGN, tmp_path / "out.parquet")
    assert not stages_under_way()


def run(raw: Path, tmp_path: Path, before: str = "") -> "subprocess.Popen[str]":
    (tmp_path / "design.yaml").write_text(to_yaml(DESIGN.document()), encoding="utf-8")
    words = ["disguise", raw, "--design", tmp_path / "design.yaml", "--out", tmp_path / "o.parquet"]
    code = f"{before}from deniable.cli import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, words)], stderr=subprocess.PIPE, text=True
    )


@pytest.mark.slow
def test_a_full_disk_is_one_sentence(raw: Path, tmp_path: Path) -> None:
    little = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)); "
    with run(raw, tmp_path, little) as process:
        said = process.communicate(timeout=PATIENCE)[1]
    assert process.returncode == 1
    assert re.fullmatch(r"deniable: \S+/o\.parquet cannot be written: file too large\. .*\n", said)
    assert not list(tmp_path.glob("*o.parquet*"))


@pytest.mark.slow
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_run_ends_at_once_and_leaves_nothing_behind(
    stop: signal.Signals, raw: Path, tmp_path: Path
) -> None:
    whole = (raw / "b.csv").read_bytes()
    for place in range(30):  # enough for some seconds of work
        (raw / f"c{place}.csv").write_bytes(whole)
    with run(raw, tmp_path) as process:
        eventually(lambda: any(path.stat().st_size for path in tmp_path.glob(".o.parquet.*")))
        process.send_signal(stop)
        said = process.communicate(timeout=PATIENCE)[1]
    assert process.returncode not in {0, -stop}
    assert said.startswith("deniable: Stopped; nothing was written.\n")
    assert not list(tmp_path.glob("*o.parquet*"))


def test_small_batches_of_one_place_are_put_together_up_to_a_size() -> None:
    def batch(records: int) -> pa.RecordBatch:
        return pa.record_batch({"a": np.zeros(records, np.int8)})

    half, whole = BATCH_CELLS // 2, BATCH_CELLS
    batches = [("x", 0, batch(half)), ("x", half, batch(half)), ("x", whole, batch(1))]
    batches += [("y", 0, batch(1)), ("y", 1, batch(2)), ("y", 3, batch(whole)), ("y", 9, batch(1))]
    found = [(where, start, len(several)) for where, start, several in together(batches)]
    assert found == [("x", 0, 2), ("x", whole, 1), ("y", 0, 3), ("y", 9, 1)]
    assert not list(together([]))


def test_without_a_seed_public_answers_and_personal_ones_stay_where_they_are(
    raw: Path, tmp_path: Path
) -> None:
    disguise_file(raw, DESIGN, tmp_path / "out.parquet")
    found = pq.read_table(tmp_path / "out.parquet")
    tables = [raw_table(seed) for seed in range(2)]
    assert found["region"].to_pylist() == [r for t in tables for r in t["region"].to_pylist()]
    # Drinks are reported with 7/10, else the personal answer: one of the two, whatever is tossed.
    drinks, personal = ([v for t in tables for v in t[c].to_pylist()] for c in PAIRED)
    pairs = zip(found["drinks"].to_pylist(), drinks, personal, strict=True)
    assert all(report in {answer, other} for report, answer, other in pairs)
