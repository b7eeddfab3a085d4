import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from commanding import Command
from deniable import Design, ExactOracle, RandomizedOracle, Records
from deniable.engine.open_table import open_table

N = 4000


@pytest.fixture
def raw(tmp_path: Path, design: Design) -> Path:
    rng = np.random.default_rng(7)
    shares = ([0.8, 0.2], [0.6, 0.4], [0.7, 0.3], [0.2, 0.3, 0.5])
    records = Records.from_codes(
        [rng.choice(len(p), N, p=p) for p in shares],
        design.schema,
    )
    table = records.to_arrow().append_column("name", pa.array([f"person {i}" for i in range(N)]))
    path = tmp_path / "raw.parquet"
    pq.write_table(table, path)
    return path


@pytest.fixture
def reports(deniable: Command, raw: Path, design_file: Path, tmp_path: Path) -> Path:
    out = tmp_path / "reports.parquet"
    done = deniable("disguise", raw, "--design", design_file, "--out", out, "--random-state", 1)
    assert done.code == 0, done.err
    return out


def test_design_check_says_in_plain_words_what_happens(
    deniable: Command, design_file: Path
) -> None:
    done = deniable("design", "check", design_file)
    assert done.code == 0
    assert "smokes and drinks: one coin for the group; with probability 80 %" in done.out
    assert "region: public, reported as it is." in done.out
    assert "It can be undone" in done.out
    document = json.loads(deniable("design", "check", design_file, "--json").out)
    assert document["groups"][0]["theta"] == "0.8"
    assert len(document["fingerprint"]) == 64


def test_disguise_leaves_other_columns_behind_and_signs_the_file(
    reports: Path, design: Design
) -> None:
    assert pq.read_schema(reports).names == list(design.schema.names)
    assert pq.read_schema(reports).metadata[b"deniable.design"].decode() == design.fingerprint
    assert pq.read_metadata(reports).num_rows == N


def test_a_seed_is_reproducible_and_earns_a_warning(
    deniable: Command, raw: Path, design_file: Path, reports: Path, tmp_path: Path
) -> None:
    again = tmp_path / "again.parquet"
    done = deniable("disguise", raw, "--design", design_file, "--out", again, "--random-state", 1)
    assert "warning: A seed was given" in done.err
    assert pq.read_table(again).equals(pq.read_table(reports))
    fresh = deniable("disguise", raw, "--design", design_file, "--out", again, "--json")
    assert fresh.err == ""
    assert json.loads(fresh.out)["records"] == N
    assert not pq.read_table(again).equals(pq.read_table(reports))


def test_estimates_agree_with_python_and_stay_near_the_truth(
    deniable: Command, reports: Path, raw: Path, design_file: Path, design: Design
) -> None:
    asked = ["smokes=yes", "smokes=yes & income=high & region=west", "*"]
    done = deniable("estimate", reports, "--design", design_file, *asked, "--json")
    found = json.loads(done.out)
    python = RandomizedOracle(open_table(reports).engine(design.schema), design).count(asked)
    truth = ExactOracle(open_table(raw).engine(design.schema), design.schema).count(asked)
    assert [entry["expression"] for entry in found] == asked
    for i, entry in enumerate(found):
        assert entry["value"] == python.value[i]
        assert entry["share"] == python.value[i] / N
        assert entry["std_error"] == python.std_error[i]
        assert entry["low"] <= entry["value"] <= entry["high"]
        # A fixed seed, and an interval of 5 standard errors either side.
        assert abs(entry["value"] - truth.value[i]) <= 5 * entry["std_error"]
        assert entry["n"] == N
        assert entry["of"] == "sample"


def test_estimates_print_for_people_and_say_what_they_are_about(
    deniable: Command, reports: Path, design_file: Path
) -> None:
    sample = deniable("estimate", reports, "--design", design_file, "smokes=yes")
    assert "About these 4,000 respondents; the only error is the disguise." in sample.out
    population = deniable(
        "estimate", reports, "--design", design_file, "smokes=yes", "--of", "population",
        "--level", "0.9",
    )  # fmt: skip
    assert "About the population" in population.out
    assert "90 % interval" in population.out


def test_the_population_interval_is_wider_and_levels_nest(
    deniable: Command, reports: Path, design_file: Path
) -> None:
    def width(*options: str) -> float:
        command = ("estimate", reports, "--design", design_file, "smokes=yes", "--json", *options)
        (entry,) = json.loads(deniable(*command).out)
        return float(entry["high"] - entry["low"])

    assert width("--level", "0.8") < width() < width("--of", "population")


def test_a_table_adds_up_and_reports_convergence(
    deniable: Command, reports: Path, design_file: Path
) -> None:
    done = deniable("table", reports, "--design", design_file, "smokes", "region", "--json")
    found = json.loads(done.out)
    assert sum(cell["value"] for cell in found["cells"]) == pytest.approx(N)
    assert sum(cell["maximum_likelihood"] for cell in found["cells"]) == pytest.approx(N)
    assert found["likelihood"]["converged"] is True
    assert found["independence"]["df"] == 2
    assert found["cells"][0]["values"] == {"smokes": "no", "region": "north"}
    people = deniable("table", reports, "--design", design_file, "smokes", "income")
    assert "Likeliest table:" in people.out
    assert "Independence: X² = " in people.out


def test_sites_with_designs_of_their_own_pool(
    deniable: Command, raw: Path, reports: Path, design_file: Path, tmp_path: Path
) -> None:
    other_design = tmp_path / "other.yaml"
    text = design_file.read_text().replace("theta: 4/5", "theta: 9/10")
    other_design.write_text(text.replace("[north, south, west]", "[west, north, south]"))
    other = tmp_path / "other.parquet"
    assert deniable("disguise", raw, "--design", other_design, "--out", other).code == 0

    def value(*command: object) -> dict[str, Any]:
        (entry,) = json.loads(
            deniable("estimate", *command, "smokes=yes&region=west", "--json").out
        )
        return dict(entry)

    one = value(reports, "--design", design_file)
    two = value(other, "--design", other_design)
    both = value(reports, "--design", design_file, "--with", f"{other}:{other_design}")
    assert both["value"] == pytest.approx(one["value"] + two["value"])
    assert both["n"] == 2 * N
    assert both["std_error"] ** 2 == pytest.approx(one["std_error"] ** 2 + two["std_error"] ** 2)
    table = deniable(
        "table", reports, "--design", design_file, "smokes", "region", "--json",
        "--with", f"{other}:{other_design}",
    )  # fmt: skip
    cells = {tuple(cell["values"].values()): cell for cell in json.loads(table.out)["cells"]}
    assert cells["yes", "west"]["value"] == pytest.approx(both["value"])


def test_an_unknown_personal_distribution_takes_two_samples(
    deniable: Command, tmp_path: Path
) -> None:
    """Greenberg: 30 % have the trait; 40 % say yes to the personal question, which no one knows."""
    rng = np.random.default_rng(3)
    files = []
    for number, theta in enumerate(("0.7", "0.3")):
        design = tmp_path / f"d{number}.yaml"
        design.write_text(
            "attributes: {a: [no, yes], region: [n, s]}\n"
            "groups: [{attributes: [a], channel: unrelated, personal: unknown, "
            f"theta: {theta}}}]\n"
        )
        words = np.array(["no", "yes"])
        raw, out = tmp_path / f"raw{number}.parquet", tmp_path / f"out{number}.parquet"
        columns = {
            "a": words[(rng.random(20_000) < 0.3).astype(int)],
            "personal.a": words[(rng.random(20_000) < 0.4).astype(int)],
            "region": np.array(["n", "s"])[rng.integers(0, 2, 20_000)],
        }
        pq.write_table(pa.table(columns), raw)
        done = deniable("disguise", raw, "--design", design, "--out", out, "--random-state", number)
        assert done.code == 0, done.err
        files.append((out, design))
    (one, first), (two, second) = files
    done = deniable(
        "estimate", one, "--design", first, "--with", f"{two}:{second}",
        "a=yes", "a=yes & region=n", "region=n", "--json",
    )  # fmt: skip
    found = json.loads(done.out)
    for entry, share in zip(found, (0.3, 0.15, 0.5), strict=True):
        assert entry["of"] == "population"
        assert abs(entry["share"] - share) * entry["n"] <= 4 * entry["std_error"]
    alone = deniable("estimate", one, "--design", first, "a=yes")
    assert alone.code == 1
    assert "takes two samples; there is 1" in alone.err
    sample = deniable(
        "estimate", one, "--design", first, "--with", f"{two}:{second}", "a=yes", "--of", "sample"
    )
    assert "Ask about the population" in sample.err


def test_a_file_without_a_fingerprint_is_taken_on_trust_and_said_so(
    deniable: Command, reports: Path, design_file: Path, tmp_path: Path
) -> None:
    plain = tmp_path / "plain.parquet"
    pq.write_table(pq.read_table(reports).replace_schema_metadata(None), plain)
    done = deniable("estimate", plain, "--design", design_file, "smokes=yes")
    assert done.code == 0
    assert "carries no design fingerprint" in done.err


def test_impossible_estimates_are_left_and_explained(
    deniable: Command, tmp_path: Path, design_file: Path
) -> None:
    path = tmp_path / "reports.csv"
    path.write_text("smokes,drinks,income,region\n" + "no,no,low,north\n" * 10)
    done = deniable("estimate", path, "--design", design_file, "smokes=yes")
    assert "−3.3" in done.out
    assert "so that sums stay right" in done.err


@pytest.mark.slow
def test_the_demo_leaves_its_files_and_a_picture(deniable: Command, tmp_path: Path) -> None:
    done = deniable("demo", "--out", tmp_path / "demo", "--people", 500)
    assert done.code == 0
    assert "intervals hold the truth" in done.out
    made = {path.name for path in (tmp_path / "demo").iterdir()}
    assert made == {
        "raw.parquet", "design.yaml", "reports.parquet", "estimates.svg", "estimates.png"
    }  # fmt: skip
    assert (tmp_path / "demo" / "estimates.png").read_bytes()[:4] == b"\x89PNG"


def test_the_version_is_printed(deniable: Command) -> None:
    assert deniable("--version").out.startswith("deniable 0.")


def test_what_no_truth_allows_is_called_impossible(deniable: Command, tmp_path: Path) -> None:
    """Raw records read as reports: 5 % of 4,000 say yes, where θ = .8 makes it 20 % at least."""
    design, raw = tmp_path / "design.yaml", tmp_path / "raw.csv"
    design.write_text(
        "attributes: {smokes: ['no', 'yes']}\n"
        "groups: [{attributes: [smokes], channel: related, theta: 0.8}]\n",
        encoding="utf-8",
    )
    raw.write_text("smokes\n" + "yes\n" * 200 + "no\n" * 3800, encoding="utf-8")
    for more in ([], ["--json"]):
        done = deniable("estimate", raw, "--design", design, "smokes=yes", *more)
        assert done.code == 0
        assert "no truth allows −1,000.0" in done.err
        assert "hardly reports of this design" in done.err
    raw.write_text("smokes\n" + "yes\n" * 780 + "no\n" * 3220, encoding="utf-8")
    done = deniable("estimate", raw, "--design", design, "smokes=yes")
    assert "is noise around" in done.err
    assert "no truth" not in done.err


def test_prepared_records_are_not_taken_for_reports(deniable: Command, tmp_path: Path) -> None:
    raw, people, schema = (tmp_path / name for name in ("raw.csv", "people.parquet", "schema.yaml"))
    raw.write_text("smokes,age\n" + "yes,old\nno,young\n" * 50, encoding="utf-8")
    assert deniable("prepare", raw, "--out", people, "--schema", schema).code == 0
    attributes = "attributes: {smokes: ['no', 'yes'], age: [old, young]}\n"
    hiding, open_ = tmp_path / "design.yaml", tmp_path / "open.yaml"
    hiding.write_text(
        attributes + "groups: [{attributes: [smokes], channel: related, theta: 0.8}]\n",
        encoding="utf-8",
    )
    open_.write_text(attributes, encoding="utf-8")
    for words in (
        ("estimate", people, "smokes=yes"),
        ("table", people, "smokes", "age"),
        ("mine", "tree", people, "--target", "age"),
        ("tabulate", people, "--into", tmp_path / "counts.parquet"),
    ):
        done = deniable(*words, "--design", hiding)
        assert done.code == 1
        assert "answers as they are" in done.err
        assert "Disguise them first" in done.err
    assert not (tmp_path / "counts.parquet").exists()
    # What hides nothing reads them, and so does whoever disguises them; reports say so no more.
    assert deniable("estimate", people, "smokes=yes", "--design", open_).code == 0
    reports = tmp_path / "reports.parquet"
    assert deniable("disguise", people, "--out", reports, "--design", hiding).code == 0
    assert deniable("estimate", reports, "smokes=yes", "--design", hiding).code == 0
