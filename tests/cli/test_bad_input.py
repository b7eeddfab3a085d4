"""Every bad input: one sentence that names the culprit, exit 1, nothing left behind."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from commanding import Command
from waiting import PATIENCE

HEADER = "smokes,drinks,income,region\n"


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    path = tmp_path / "raw.csv"
    path.write_text(HEADER + "no,yes,low,north\nyes,no,high,west\n" * 50)
    return path


@pytest.fixture
def reports(deniable: Command, raw: Path, design_file: Path, tmp_path: Path) -> Path:
    out = tmp_path / "reports.parquet"
    assert deniable("disguise", raw, "--design", design_file, "--out", out).code == 0
    return out


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "raw.csv is empty."),
        (HEADER, "raw.csv has no records."),
        ("smokes,drinks,income\nno,no,low\n", "raw.csv has no column 'region'."),
        (HEADER + "no,no,low,north\nno,maybe,low,north\n", "row 2: 'drinks' has the value 'maybe'"),
        (HEADER + "no,no,low,\n", "row 1: 'region' has the value ''"),
        (HEADER + "no,no,low\n", "raw.csv, line 2: expected 4 columns, got 3."),
    ],
)
def test_a_raw_file_that_does_not_fit_is_refused(
    content: str, sentence: str, deniable: Command, design_file: Path, tmp_path: Path
) -> None:
    (tmp_path / "raw.csv").write_text(content)
    before = sorted(tmp_path.iterdir())
    out = tmp_path / "reports.parquet"
    done = deniable("disguise", tmp_path / "raw.csv", "--design", design_file, "--out", out)
    assert done.code == 1
    assert sentence in done.err
    assert done.err.count("\n") == 1
    assert done.out == ""
    assert sorted(tmp_path.iterdir()) == before


def test_an_unknown_value_far_down_is_named_by_its_row(
    deniable: Command, design_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deniable.engine.files.file_tables.BLOCK_BYTES", 1000)
    (tmp_path / "raw.csv").write_text(HEADER + "no,no,low,north\n" * 9999 + "no,no,mid,north\n")
    out = tmp_path / "reports.parquet"
    done = deniable("disguise", tmp_path / "raw.csv", "--design", design_file, "--out", out)
    assert "raw.csv, row 10000: 'income' has the value 'mid'" in done.err
    assert not out.exists()


@pytest.mark.slow
def test_inputs_that_are_no_files_are_named(
    deniable: Command, design_file: Path, raw: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.parquet"
    (nothing := tmp_path / "nothing").mkdir()
    for words, sentence in [
        (("disguise", nothing, "--design", design_file, "--out", out), "is a directory"),
        (("disguise", tmp_path / "no.csv", "--design", design_file, "--out", out), "not exist"),
        (("disguise", raw, "--design", tmp_path / "no.yaml", "--out", out), "does not exist"),
        (("disguise", raw, "--design", raw, "--out", out), "raw.csv"),
        (("disguise", raw, "--design", design_file, "--out", tmp_path), "parquet"),
        (("disguise", raw, "--design", design_file, "--out", tmp_path / "x.csv"), "fingerprint"),
        (("disguise", raw, "--design", design_file, "--out", tmp_path / "a/b.parquet"), "no such"),
        (("estimate", nothing, "--design", design_file, "smokes=yes"), "is a directory"),
        (("estimate", raw, "--design", design_file, "smokes=yes", "--with", "x"), "--with x"),
        (("table", raw, "--design", design_file, "smokes", "region", "regio"), "'regio'"),
        (("table", raw, "--design", design_file, "smokes", "smokes"), "'smokes' is listed twice"),
        (("estimate", raw, "--design", design_file, "smokes=yes", "--level", "95"), "level = 95"),
        (("design", "check", tmp_path), "is a directory"),
    ]:
        done = deniable(*words)
        assert done.code == 1, words
        assert sentence in done.err
        assert done.err.splitlines()[-1].startswith("deniable: ")
        assert "Traceback" not in done.err
        assert not out.exists()


def test_the_raw_file_is_never_overwritten(
    deniable: Command, design_file: Path, reports: Path
) -> None:
    before = reports.read_bytes()
    done = deniable("disguise", reports, "--design", design_file, "--out", reports)
    assert done.code == 1
    assert "is read, so it is not written" in done.err
    assert reports.read_bytes() == before


def test_reports_of_another_design_are_refused(
    deniable: Command, reports: Path, design_file: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.yaml"
    other.write_text(design_file.read_text().replace("4/5", "3/4"))
    copy = tmp_path / "copied_reports.parquet"
    copy.write_bytes(reports.read_bytes())
    for words in (
        ("estimate", reports, "--design", other, "smokes=yes"),
        ("table", reports, "--design", other, "smokes"),
        (
            "estimate",
            reports,
            "--design",
            design_file,
            "smokes=yes",
            "--with",
            f"{copy}:{other}",
        ),
    ):
        done = deniable(*words)
        assert done.code == 1
        assert "reports.parquet was disguised by another design" in done.err


def test_a_truncated_parquet_file_is_refused(
    deniable: Command, reports: Path, design_file: Path, tmp_path: Path
) -> None:
    cut = tmp_path / "cut.parquet"
    cut.write_bytes(reports.read_bytes()[:-40])
    for words in (
        ("estimate", cut, "--design", design_file, "smokes=yes"),
        ("disguise", cut, "--design", design_file, "--out", tmp_path / "out.parquet"),
    ):
        done = deniable(*words)
        assert done.code == 1
        assert "cut.parquet cannot be read" in done.err
    assert not (tmp_path / "out.parquet").exists()


def test_an_expression_error_points_at_the_word(
    deniable: Command, reports: Path, design_file: Path
) -> None:
    done = deniable("estimate", reports, "--design", design_file, "smokes=yes & regin=north")
    assert done.code == 1
    assert "'regin' (at character 14" in done.err
    assert "Did you mean 'region'?" in done.err


def test_wrong_usage_exits_with_two(deniable: Command, reports: Path) -> None:
    assert deniable("estimate", reports).code == 2
    assert deniable("nonsense").code == 2


@pytest.mark.slow
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_disguise_leaves_nothing_behind(
    stop: signal.Signals, design_file: Path, tmp_path: Path
) -> None:
    # Long enough (some seconds of work) to be stopped in the middle.
    raw = tmp_path / "raw.csv"
    raw.write_text(HEADER + "no,no,low,north\n" * 3_000_000)
    out = tmp_path / "out.parquet"
    command: list[str | Path] = [sys.executable, "-m", "deniable", "disguise", raw]
    command += ["--design", design_file, "--out", out]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        while not list(tmp_path.glob(".out.parquet.*")) and process.poll() is None:
            time.sleep(0.01)
        os.kill(process.pid, stop)
        process.communicate(timeout=PATIENCE)
    assert process.returncode != 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["design.yaml", "raw.csv"]


def test_reports_stay_readable_by_any_parquet_reader(reports: Path) -> None:
    assert pq.read_table(reports).num_rows == 100


def test_the_same_file_is_not_counted_twice(
    deniable: Command, reports: Path, design_file: Path
) -> None:
    done = deniable(
        "estimate", reports, "--design", design_file, "*", "--with", f"{reports}:{design_file}"
    )
    assert done.code == 1
    assert "reports.parquet is given twice" in done.err


def test_disguising_a_disguised_file_is_refused(
    deniable: Command, reports: Path, design_file: Path, tmp_path: Path
) -> None:
    out = tmp_path / "twice.parquet"
    done = deniable("disguise", reports, "--design", design_file, "--out", out)
    assert done.code == 1
    assert "reports.parquet is disguised already." in done.err
    assert not out.exists()


@pytest.mark.parametrize(
    ("column", "sentence"),
    [
        (pa.array([["no"], ["yes"]]), "is of type list<"),
        (pa.array([{"a": 1}, {"a": 2}]), "is of type struct<"),
        (pa.array([b"\xff", b"\xfe"]), "'smokes'"),
        (pa.array([1.5, 2.5]).cast(pa.float16()), "'smokes' has the value '1.5'"),
    ],
)
def test_columns_that_hold_no_plain_values_are_refused(
    column: pa.Array, sentence: str, deniable: Command, design_file: Path, tmp_path: Path
) -> None:
    columns = {
        "smokes": column,
        "drinks": ["no"] * 2,
        "income": ["low"] * 2,
        "region": ["west"] * 2,
    }
    pq.write_table(pa.table(columns), tmp_path / "raw.parquet")
    out = tmp_path / "out.parquet"
    for words in (
        ("disguise", tmp_path / "raw.parquet", "--design", design_file, "--out", out),
        ("estimate", tmp_path / "raw.parquet", "--design", design_file, "smokes=yes"),
    ):
        done = deniable(*words)
        assert done.code == 1
        assert sentence in done.err
        assert done.err.count("\n") == 1


def test_two_columns_of_one_name_in_parquet_are_refused(
    deniable: Command, design_file: Path, tmp_path: Path
) -> None:
    table = pa.table(
        [["no"], ["no"], ["low"], ["west"], ["no"]],
        names=["smokes", "drinks", "income", "region", "smokes"],
    )
    pq.write_table(table, tmp_path / "raw.parquet")
    done = deniable("estimate", tmp_path / "raw.parquet", "--design", design_file, "smokes=yes")
    assert done.code == 1
    assert "has two columns of one name" in done.err


FORK_EACH = """
import gc, json, os, sys
import altair, pyarrow.parquet, scipy.stats
from deniable.cli import main

def spoil(output):
    if output == "full":
        os.dup2(os.open("/dev/full", os.O_WRONLY), 1)
    elif output == "unread":
        reader, writer = os.pipe()
        os.dup2(writer, 1)
        os.close(reader)
    else:  # as Python finds it when it starts with a closed one
        os.close(1)
        sys.stdout = None

gc.freeze()
for words in json.loads(sys.argv[1]):
    for output in ("full", "unread", "closed"):
        if not (child := os.fork()):
            spoil(output)
            sys.argv = ["deniable", *words]
            main()
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1
"""
"""Runs commands with three standard outputs that take nothing; its imports are made only once."""


@pytest.mark.slow
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_standard_output_that_takes_nothing_is_one_sentence(
    unbuffered: str, design_file: Path, reports: Path
) -> None:
    design = ["--design", str(design_file)]
    commands = [
        ["--version"],
        ["--help"],
        ["design", "check", str(design_file)],
        ["design", "check", str(design_file), "--json"],
        ["estimate", str(reports), *design, "smokes=yes"],
        ["table", str(reports), *design, "income", "region"],
    ]
    done = subprocess.run(
        [sys.executable, "-c", FORK_EACH, json.dumps(commands)],
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        capture_output=True,
        text=True,
        check=False,
    )
    reasons = ("No space left on device", "Broken pipe", "it is closed")
    sentences = [f"deniable: Standard output cannot be written: {reason}." for reason in reasons]
    assert done.stderr.splitlines() == sentences * len(commands)
    assert done.returncode == 0


def test_a_file_that_no_command_thought_of_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "people.csv"
    code = (
        "from importlib import import_module; app = import_module('deniable.cli.app'); "
        f"app._run = lambda: open({str(missing)!r}); app.main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    said = f"deniable: {missing} cannot be read or written: No such file or directory."
    assert " ".join(done.stderr.split()) == said
    assert done.returncode == 1


def test_a_negative_seed_is_wrong_usage(
    deniable: Command, raw: Path, design_file: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.parquet"
    assert (
        deniable("disguise", raw, "--design", design_file, "--out", out, "--random-state", -1).code
        == 2
    )


RAW_RECORDS = "age,town,ill\n" + "20,Bonn,no\n30,Kiel,yes\n40,Kiel,no\n50,?,yes\n" * 30


@pytest.mark.parametrize(
    ("row", "fault"), [("20,Bonn,no", "'age' has the value"), ("<=35,?,no", "'town' has the value")]
)
def test_raw_records_are_told_to_be_prepared_alike_wherever_they_are_given(
    deniable: Command, tmp_path: Path, row: str, fault: str
) -> None:
    raw, schema, table = (tmp_path / name for name in ("raw.csv", "schema.yaml", "table.parquet"))
    raw.write_text(RAW_RECORDS, encoding="utf-8")
    assert deniable("prepare", raw, "--out", table, "--schema", schema).code == 0
    design, model = tmp_path / "design.yaml", tmp_path / "bayes.json"
    attributes = schema.read_text(encoding="utf-8").partition("preparation:")[0]
    design.write_text(attributes, encoding="utf-8")
    ask = ("--design", design, "--target", "ill")
    assert deniable("mine", "bayes", table, *ask, "--out", model).code == 0
    raw.write_text(f"age,town,ill\n{row}\n", encoding="utf-8")
    for words in (
        ("predict", model, raw),
        ("score", model, raw),
        ("mine", "tree", raw, *ask),
        ("mine", "rules", raw, "--design", design),
        ("estimate", raw, "--design", design, "ill=yes & age='<=35' & town=Kiel"),
    ):
        done = deniable(*words)
        assert done.code == 1
        assert fault in done.err
        assert "deniable prepare RAW --out NEW.parquet --like SCHEMA.yaml" in done.err
        assert "Did you mean" not in done.err
    # What is said helps.
    new = tmp_path / "new.parquet"
    raw.write_text("age,town,ill\n20,Bonn,no\n70,?,no\n", encoding="utf-8")
    assert deniable("prepare", raw, "--out", new, "--like", schema).code == 0
    assert deniable("predict", model, new).code == 0


def test_labels_that_only_begin_like_bins_keep_their_own_hint(
    deniable: Command, tmp_path: Path
) -> None:
    design, data = tmp_path / "design.yaml", tmp_path / "data.csv"
    design.write_text('attributes: {income: ["<=50K", ">50K"]}', encoding="utf-8")
    data.write_text("income\n<=50k\n", encoding="utf-8")
    done = deniable("estimate", data, "--design", design, "income='>50K'")
    assert "Did you mean '<=50K'?" in done.err
