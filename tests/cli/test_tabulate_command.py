"""`deniable tabulate`, and count tables wherever a command reads reports."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow.parquet as pq
import pytest

from commanding import Command
from deniable import Design, Records

N = 3000


@pytest.fixture
def raw(tmp_path: Path, design: Design) -> Path:
    rng = np.random.default_rng(4)
    smokes = rng.random(N) < 0.4
    drinks = rng.random(N) < np.where(smokes, 0.8, 0.2)
    columns = [smokes.astype(int), drinks.astype(int), rng.integers(2, size=N)]
    people = Records.from_codes([*columns, rng.integers(3, size=N)], design.schema)
    pq.write_table(people.to_arrow(), tmp_path / "raw.parquet")
    return tmp_path / "raw.parquet"


@pytest.fixture
def reports(deniable: Command, raw: Path, design_file: Path, tmp_path: Path) -> Path:
    out = tmp_path / "reports.parquet"
    done = deniable("disguise", raw, "--design", design_file, "--out", out, "--random-state", 3)
    assert done.code == 0, done.err
    return out


@pytest.fixture
def nights(reports: Path, tmp_path: Path) -> list[Path]:
    """The reports as they came in, night by night."""
    table, paths = pq.read_table(reports), []
    for night in range(3):
        paths.append(tmp_path / f"night{night}.parquet")
        pq.write_table(table.slice(night * 1000, 1000), paths[-1])
    return paths


@pytest.fixture
def counts(deniable: Command, nights: list[Path], design_file: Path, tmp_path: Path) -> Path:
    into = tmp_path / "counts.parquet"
    for night in nights:
        done = deniable("tabulate", night, "--design", design_file, "--into", into)
        assert done.code == 0, done.err
    return into


def answer(deniable: Command, *words: object) -> Any:
    """What a command prints for programs; how long it took aside."""
    done = deniable(*words, "--json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    if isinstance(found, dict):
        found.pop("seconds", None)
    return found


def test_a_stream_is_counted_night_by_night(
    deniable: Command, nights: list[Path], design_file: Path, design: Design, tmp_path: Path
) -> None:
    into = tmp_path / "counts.parquet"
    ask = ("--design", design_file, "--into", into)
    first = answer(deniable, "tabulate", nights[0], *ask)
    assert first == {
        "added": 1000,
        "records": 1000,
        "distinct": pq.read_table(into).num_rows,
        "into": str(into),
        "fingerprint": design.fingerprint,
    }
    assert first["distinct"] <= 24
    then = deniable("tabulate", nights[1], nights[2], *ask)
    assert then.out.startswith(f"Added 2,000 records to {into}, which holds 3,000 now: ")
    assert then.err == ""


QUESTIONS = {
    "estimate": ("smokes=yes", "drinks=no & region=west", "*"),
    "estimate --of population": ("smokes=yes & income=high", "--of", "population"),
    "table": ("smokes", "region"),
    "mine tree": ("--target", "smokes"),
    "mine forest": ("--target", "smokes", "--n-estimators", 5),
    "mine bayes": ("--target", "smokes"),
    "mine logistic": ("--target", "smokes", "--feature", "drinks", "--feature", "region"),
    "mine rules": ("--min-support", 0.05),
    "mine dependence": (),
}


@pytest.mark.slow
@pytest.mark.parametrize("question", QUESTIONS)
def test_counts_answer_bit_for_bit_as_the_reports_do(
    deniable: Command, question: str, counts: Path, reports: Path, design_file: Path
) -> None:
    command = question.partition(" --")[0].split()
    one, other = (
        answer(deniable, *command, table, "--design", design_file, *QUESTIONS[question])
        for table in (counts, reports)
    )
    assert one == other


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["tree", "bayes"])
def test_a_model_is_scored_on_counts_as_on_the_reports(
    deniable: Command, kind: str, counts: Path, reports: Path, design_file: Path, tmp_path: Path
) -> None:
    ask = ("--design", design_file)
    model = tmp_path / "model.json"
    done = deniable("mine", kind, reports, *ask, "--target", "smokes", "--out", model)
    assert done.code == 0, done.err
    one = answer(deniable, "score", model, counts, *ask)
    assert one == answer(deniable, "score", model, reports, *ask)
    refused = deniable("score", model, counts)
    assert refused.code == 1
    assert "counts.parquet holds disguised records. Name its design" in refused.err


def test_a_tree_is_cut_back_by_counts_and_sites_pool_them(
    deniable: Command, counts: Path, reports: Path, nights: list[Path], design_file: Path
) -> None:
    ask = ("--design", design_file, "--target", "smokes", "--growth", "faithful")
    one, other = (
        answer(deniable, "mine", "tree", nights[0], *ask, "--validation", table)
        for table in (counts, reports)
    )
    assert one == other
    one, other = (
        answer(
            deniable, "estimate", nights[0], "smokes=yes", *ask[:2], "--with", f"{t}:{design_file}"
        )
        for t in (counts, reports)
    )
    assert one == other


@pytest.mark.slow
@pytest.mark.parametrize("known", [[], ["--known", "region=west"]])
def test_privacy_is_the_same_from_counts(
    deniable: Command, known: list[str], raw: Path, design_file: Path, tmp_path: Path
) -> None:
    # So strong a disguise that an attacker guesses by what is common, which half the reports show.
    strong = tmp_path / "strong.yaml"
    strong.write_text(design_file.read_text().replace("4/5", "3/5"))
    reports, counts = tmp_path / "strong.parquet", tmp_path / "counted.parquet"
    deniable("disguise", raw, "--design", strong, "--out", reports, "--random-state", 3)
    assert deniable("tabulate", reports, "--design", strong, "--into", counts).code == 0
    one, other = (
        answer(deniable, "privacy", strong, "--population", table, *known)
        for table in (counts, reports)
    )
    assert one == other


@pytest.mark.slow
def test_reports_too_wide_for_a_joint_table_are_mined_from_counts_alike(
    deniable: Command, tmp_path: Path
) -> None:
    names = [f"a{i}" for i in range(24)]  # 2^24 patterns; up to 2^22 are counted into an array
    related = "[{attributes: [a0, a1], channel: related, theta: 0.9}]"
    design_file, reports = tmp_path / "wide.yaml", tmp_path / "wide.parquet"
    attributes = ", ".join(f'{name}: ["no", "yes"]' for name in names)
    design_file.write_text(f"attributes: {{{attributes}}}\ngroups: {related}\n")
    design = Design.load(design_file)
    few = np.random.default_rng(2).integers(2, size=(50, 24))
    answers = few[np.random.default_rng(3).integers(50, size=600)]
    pq.write_table(Records.from_codes(answers, design.schema).to_arrow(), tmp_path / "raw.parquet")
    ask = ("--design", design_file)
    deniable("disguise", tmp_path / "raw.parquet", *ask, "--out", reports, "--random-state", 3)
    counts = tmp_path / "counts.parquet"
    assert answer(deniable, "tabulate", reports, *ask, "--into", counts)["records"] == 600
    for words, more in [
        (("estimate",), ("a0=yes & a9=no",)),
        (("mine", "bayes"), ("--target", "a0")),
        (("mine", "rules"), ("--max-len", 2)),
        (("mine", "tree"), ("--target", "a0", "--strength", 2, "--max-depth", 3)),
    ]:
        one, other = (answer(deniable, *words, t, *ask, *more) for t in (counts, reports))
        assert one == other


def test_a_pattern_of_count_tables_is_one_table(
    deniable: Command, nights: list[Path], reports: Path, design_file: Path, tmp_path: Path
) -> None:
    (tmp_path / "counts").mkdir()
    ask = ("--design", design_file)
    for night in nights:
        done = deniable("tabulate", night, *ask, "--into", tmp_path / "counts" / night.name)
        assert done.code == 0, done.err
    pattern = tmp_path / "counts" / "*.parquet"
    mine = ("--target", "smokes")
    one = answer(deniable, "mine", "tree", pattern, *ask, *mine)
    assert one == answer(deniable, "mine", "tree", reports, *ask, *mine)
    merged = answer(deniable, "tabulate", pattern, *ask, "--into", tmp_path / "all.parquet")
    assert merged["records"] == N
    again = deniable("tabulate", nights[1], *ask, "--into", tmp_path / "all.parquet")
    assert again.code == 1
    assert "night1.parquet holds reports that are already counted in" in again.err
    doubled = deniable("tabulate", pattern, *ask, "--into", tmp_path / "counts" / "night0.parquet")
    assert "night0.parquet is read, so it is not written" in doubled.err


def test_raw_records_are_asked_for_and_counts_given(
    deniable: Command, counts: Path, reports: Path, design_file: Path, tmp_path: Path
) -> None:
    model, out = tmp_path / "model.json", tmp_path / "out.parquet"
    ask = ("--design", design_file)
    deniable("mine", "bayes", reports, *ask, "--target", "smokes", "--out", model)
    for words, sentence in [
        (("disguise", counts, *ask, "--out", out), "is disguised already"),
        (("predict", model, counts, "--out", out), "holds disguised records"),
        (
            ("prepare", counts, "--out", out, "--schema", tmp_path / "schema.yaml"),
            "holds counts of reports",
        ),
    ]:
        before = sorted(tmp_path.iterdir())
        done = deniable(*words)
        assert done.code == 1, words
        assert sentence in done.err
        assert done.err.count("\n") == 1
        assert sorted(tmp_path.iterdir()) == before


def test_another_design_is_refused_and_nothing_changes(
    deniable: Command, counts: Path, nights: list[Path], design_file: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.yaml"
    other.write_text(design_file.read_text().replace("4/5", "3/4"))
    (tmp_path / "plain.csv").write_text("smokes,drinks,income,region\nno,no,low,north\n")
    before = counts.read_bytes()
    for table in (nights[0], tmp_path / "plain.csv"):
        done = deniable("tabulate", table, "--design", other, "--into", counts)
        assert done.code == 1
        assert "was disguised by another design" in done.err
        assert done.err.count("\n") == 1
    assert counts.read_bytes() == before


def test_reports_without_a_fingerprint_are_taken_on_trust(
    deniable: Command, counts: Path, design_file: Path, tmp_path: Path
) -> None:
    (tmp_path / "plain.csv").write_text("smokes,drinks,income,region\nno,no,low,north\n")
    done = deniable("tabulate", tmp_path / "plain.csv", "--design", design_file, "--into", counts)
    assert done.code == 0
    assert "plain.csv carries no design fingerprint; it is taken on trust" in done.err
    (tmp_path / "plain.csv").write_text("smokes,drinks,income,region\nno,perhaps,low,north\n")
    done = deniable("tabulate", tmp_path / "plain.csv", "--design", design_file, "--into", counts)
    assert done.code == 1
    assert "plain.csv, row 1: 'drinks' has the value 'perhaps'" in done.err


def test_a_database_is_counted_where_it_is(
    deniable: Command, counts: Path, reports: Path, design_file: Path, tmp_path: Path
) -> None:
    with duckdb.connect(tmp_path / "clinic.db") as database:
        database.execute(f"create table answers as from read_parquet('{reports}')")
    into = tmp_path / "from_database.parquet"
    address = f"duckdb:///{tmp_path / 'clinic.db'}#answers"
    done = deniable("tabulate", address, "--design", design_file, "--into", into)
    assert done.code == 0, done.err
    assert pq.read_table(into).equals(pq.read_table(counts))


@pytest.mark.slow
def test_commands_that_run_at_the_same_time_are_all_counted(
    nights: list[Path], design_file: Path, tmp_path: Path
) -> None:
    into = tmp_path / "counts.parquet"
    before = len(list(tmp_path.iterdir()))
    command: list[str | Path] = [sys.executable, "-m", "deniable", "tabulate"]
    command += ["--design", design_file, "--into", into]
    processes = [
        subprocess.Popen([*command, night], stdout=subprocess.DEVNULL)
        for night in (*nights, nights[0])
    ]
    codes = [process.wait(60) for process in processes]
    assert sorted(codes) == [0, 0, 0, 1]  # the same night twice: once
    assert sum(pq.read_table(into)["count"].to_pylist()) == N
    assert len(list(tmp_path.iterdir())) == before + 1


@pytest.mark.slow
def test_a_full_disk_leaves_the_counts_as_they_were(
    counts: Path, nights: list[Path], design_file: Path, tmp_path: Path
) -> None:
    before = counts.read_bytes()
    code = (
        "import resource, signal, sys; from deniable.cli import main; "
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)); main()"
    )
    words = [nights[0], "--again", "--design", design_file, "--into", counts]
    done = subprocess.run(
        [sys.executable, "-c", code, "tabulate", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "counts.parquet cannot be written: file too large." in done.stderr
    assert counts.read_bytes() == before
    assert not list(tmp_path.glob(".*.part"))
