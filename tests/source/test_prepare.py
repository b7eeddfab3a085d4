import csv
import datetime as dt
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from deniable.base.documents import read_yaml
from deniable.base.errors import DataError, DeniableError, DesignError, OutputError, SchemaError
from deniable.cli.prepare import prepare
from deniable.design import Design
from deniable.papers.datasets import SETS
from deniable.source.prepare.binning import Distribution, Split, labels
from deniable.source.prepare.preparation import Preparation, PreparedCount
from deniable.source.prepare.recipe import Bins, Groups
from papersets import dataset
from waiting import stages_under_way

NUMERIC_IN_ADULT = (
    "age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week",
)  # fmt: skip

app = typer.Typer(pretty_exceptions_enable=False)
app.command()(prepare)


def run(*words: object) -> str:
    """Run the command; what the user could mend is raised as it is."""
    done = CliRunner().invoke(app, [str(word) for word in words])
    if done.exception is not None:
        raise done.exception
    return done.output


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def column(path: Path, name: str) -> list[str]:
    return [row[name] for row in rows(path)]


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def write_column(path: Path, values: list[str]) -> Path:
    # A second column, because an empty line would be no record.
    return write(path, "\n".join(["x,n", *(f"{value},1" for value in values)]) + "\n")


def store(path: Path, **columns: Any) -> Path:
    pq.write_table(pa.table(columns), path)
    return path


def prepared(plan: Preparation, raw: Path) -> dict[str, list[str]]:
    out = raw.with_name("prepared.parquet")
    plan.apply(raw, out)
    return dict(pq.read_table(out).to_pydict())


# The data sets of the papers


@pytest.mark.slow
def test_adult_made_binary_has_two_values_everywhere(tmp_path: Path) -> None:
    raw, out = dataset("adult"), tmp_path / "adult.parquet"
    plan = Preparation.learn(raw, nominal="binary", missing="drop", drop=["fnlwgt"])
    count = plan.apply(raw, out)
    whole = [row for row in rows(raw) if "?" not in row.values()]
    assert count == PreparedCount(len(whole), len(rows(raw)) - len(whole))
    assert set(plan.schema.sizes) == {2}
    assert "fnlwgt" not in plan.schema
    table = pq.read_table(out)
    assert table.num_rows == len(whole)
    for attribute in plan.schema:
        assert set(table[attribute.name].unique().to_pylist()) == set(attribute.values)


@pytest.mark.slow
@pytest.mark.parametrize("name", NUMERIC_IN_ADULT)
def test_the_split_is_the_median_of_the_column(name: str) -> None:
    plan = Preparation.learn(dataset("adult"))
    recipe = plan.recipes[name]
    assert isinstance(recipe, Bins)
    ages = np.array(column(dataset("adult"), name), dtype=float)
    assert recipe.splits == (Split(float(np.median(ages))),)


@pytest.mark.slow
def test_bins_hold_what_their_labels_say(tmp_path: Path) -> None:
    out = tmp_path / "adult.parquet"
    Preparation.learn(dataset("adult"), bins="quantiles:3").apply(dataset("adult"), out)
    ages = np.array(column(dataset("adult"), "age"), dtype=float)
    low, high = np.quantile(ages, [1 / 3, 2 / 3], method="averaged_inverted_cdf")
    expected = np.where(
        ages <= low, f"<={low:g}", np.where(ages <= high, f"{low:g}<x<={high:g}", f">{high:g}")
    )
    assert pq.read_table(out)["age"].to_pylist() == expected.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_the_same_again_gives_the_same_bytes(name: str, tmp_path: Path) -> None:
    raw = dataset(name)
    first, again, schema = tmp_path / "1.parquet", tmp_path / "2.parquet", tmp_path / "schema.yaml"
    run(raw, "--out", first, "--schema", schema, "--nominal", "binary")
    run(raw, "--out", again, "--like", schema)
    assert first.read_bytes() == again.read_bytes()


def test_votes_keep_their_values_and_name_the_missing(tmp_path: Path) -> None:
    raw, out = dataset("house-votes-84"), tmp_path / "votes.parquet"
    plan = Preparation.learn(raw)
    assert plan.schema["party"].values == ("democrat", "republican")
    assert plan.schema["crime"].values == ("n", "y", "missing")
    plan.apply(raw, out)
    votes = [vote.replace("?", "missing") for vote in column(raw, "crime")]
    assert pq.read_table(out)["crime"].to_pylist() == votes


def test_the_attributes_make_a_design(tmp_path: Path) -> None:
    plan = Preparation.learn(dataset("breast-cancer-wisconsin"), bins="quantiles:4")
    plan.save(tmp_path / "schema.yaml")
    document = read_yaml(tmp_path / "schema.yaml")
    assert isinstance(document, dict)
    assert Design.of({"attributes": document["attributes"]}).schema == plan.schema


@pytest.mark.slow
def test_the_output_is_dictionary_encoded_text(tmp_path: Path) -> None:
    Preparation.learn(dataset("adult")).apply(dataset("adult"), tmp_path / "a.parquet")
    assert {str(kind) for kind in pq.read_schema(tmp_path / "a.parquet").types} == {
        "dictionary<values=string, indices=int8, ordered=0>"
    }


# Numbers


@pytest.mark.parametrize(
    ("values", "bins", "expected"),
    [
        ([1, 2, 3, 4], "median", ("<=2.5", ">2.5")),
        ([1, 2, 3], "median", ("<=2", ">2")),
        ([1, 9, 9], "median", ("<9", ">=9")),
        ([5, 5, 5], "median", ("any",)),
        ([0, 1, 10], "midrange", ("<=5", ">5")),
        ([0.1, 0.3], "midrange", ("<=0.2", ">0.2")),
        ([7], "midrange", ("any",)),
        ([1, 2, 3, 4], "quantiles:4", ("<=1.5", "1.5<x<=2.5", "2.5<x<=3.5", ">3.5")),
        ([1, 2, 2, 2], "quantiles:4", ("<=1.5", ">1.5")),
        ([1, 5, 9, 9, 9, 9], "quantiles:3", ("<=7", ">7")),
        ([1, 5, 9, 9, 9, 9], "quantiles:6", ("<=3", "3<x<=7", ">7")),
        ([1, 2, 5, 9, 9, 9, 9, 9], "quantiles:4", ("<=3.5", "3.5<x<9", ">=9")),
        ([-2, -1], "median", ("<=-1.5", ">-1.5")),
        ([1e300, 2e300], "median", ("<=1.5e+300", ">1.5e+300")),
        ([1.7e308, 1.6e308], "midrange", ("<=1.65e+308", ">1.65e+308")),
    ],
)
def test_numbers_are_split_so_that_no_bin_is_empty(
    values: list[float], bins: str, expected: tuple[str, ...], tmp_path: Path
) -> None:
    raw = store(tmp_path / "raw.parquet", x=values)
    plan = Preparation.learn(raw, bins=bins)
    assert plan.schema["x"].values == expected
    assert set(prepared(plan, raw)["x"]) == set(expected)


@given(
    st.lists(st.floats(-1e6, 1e6) | st.integers(-5, 5).map(float), min_size=1, max_size=40),
    st.integers(2, 7),
)
def test_quantiles_are_exact_order_statistics(values: list[float], parts: int) -> None:
    unique, counts = np.unique(np.array(values) + 0.0, return_counts=True)
    found = Distribution(tuple(unique.tolist()), tuple(counts.tolist()))
    for part in range(1, parts):
        # In whole ranks: NumPy's own n·(part/parts) may be off by one in the last binary digit.
        rank, rest = divmod(len(values) * part, parts)
        ordered = sorted(values)
        exact = ordered[rank] if rest else (ordered[rank - 1] + ordered[rank]) / 2
        assert found.quantile(part, parts) == exact
    assert found.quantile(1, 2) == np.median(values)


@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=30),
    st.sampled_from(["median", "midrange", "quantiles:3", "quantiles:9"]),
)
def test_every_bin_is_used_and_every_label_is_its_own(values: list[float], bins: str) -> None:
    recipe = Bins.learn(dict.fromkeys(np.array(values) + 0.0, 1), bins, missing=False)
    codes = recipe.encode(pa.array(values, pa.float64()))
    assert set(codes) == set(range(len(recipe.values)))
    assert len(set(recipe.values)) == len(recipe.values)
    order = np.argsort(values, kind="stable")
    assert (np.diff(codes[order]) >= 0).all()


def test_labels_that_would_clash_are_written_in_full() -> None:
    close = [Split(0.1), Split(np.nextafter(0.1, 1).item())]
    assert labels(close) == (
        "<=0.1", "0.1<x<=0.10000000000000002", ">0.10000000000000002"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["1", " 2 ", "+3", "4.", ".5", "1e1"], ("<=2.5", ">2.5")),
        (["1", "2", "x"], ("1", "2", "x")),
        (["1", "2", "inf"], ("1", "2", "inf")),
        (["1", "2", "1e999"], ("1", "1e999", "2")),
        (["1", "2", "1_000"], ("1", "1_000", "2")),
        (["1", "2", " ? ", "NA"], ("<=1.5", ">1.5", "missing")),
    ],
)
def test_a_csv_column_is_numeric_if_all_its_values_are(
    values: list[str], expected: tuple[str, ...], tmp_path: Path
) -> None:
    raw = write_column(tmp_path / "raw.csv", values)
    assert Preparation.learn(raw).schema["x"].values == expected


def test_without_bins_numbers_stay_the_text_they_are_in_numeric_order(tmp_path: Path) -> None:
    raw = write_column(tmp_path / "raw.csv", ["10", "9", "7.0", "10", "?"])
    plan = Preparation.learn(raw, bins="none", nominal="binary")
    assert plan.schema["x"].values == ("7.0", "9", "10", "missing")
    assert prepared(plan, raw)["x"] == ["10", "9", "7.0", "10", "missing"]


# Nominal values


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ({"A": 1, "B": 1, "C": 1, "D": 1}, ("A..B", "C..D")),
        ({"A": 5, "B": 1, "C": 1}, ("A", "B..C")),
        ({"A": 1, "B": 1, "C": 5}, ("A..B", "C")),
        ({"b": 1, "a": 7}, ("a", "b")),
        ({"a": 1}, ("a",)),
        ({"!": 1, "!.": 1, "!..!.": 9}, ("!..!.", "!..!._")),
    ],
)
def test_binary_splits_sorted_values_at_the_median_record(
    counts: dict[str, int], expected: tuple[str, ...]
) -> None:
    recipe = Groups.halved(counts, missing=False)
    assert recipe.values == expected
    assert sorted(recipe.known) == sorted(counts)


@pytest.mark.slow
def test_binary_agrees_with_a_naive_median_of_codes(tmp_path: Path) -> None:
    raw = dataset("mushroom")
    plan = Preparation.learn(raw, nominal="binary", missing="drop")
    out = tmp_path / "m.parquet"
    plan.apply(raw, out)
    colors = [row["gill-color"] for row in rows(raw) if "?" not in row.values()]
    codes = np.array([sorted(set(colors)).index(color) for color in colors])
    upper = codes > np.median(codes)
    values = plan.schema["gill-color"].values
    assert pq.read_table(out)["gill-color"].to_pylist() == [values[int(u)] for u in upper]


# Missing values


def test_a_taken_name_for_missing_is_avoided(tmp_path: Path) -> None:
    raw = write_column(tmp_path / "raw.csv", ["missing", "", "yes"])
    plan = Preparation.learn(raw)
    assert plan.schema["x"].values == ("missing", "yes", "missing_")
    assert prepared(plan, raw)["x"] == ["missing", "missing_", "yes"]


def test_other_words_can_mean_missing(tmp_path: Path) -> None:
    raw = write_column(tmp_path / "raw.csv", ["1", "-9", "?"])
    plan = Preparation.learn(raw, na=["-9"])
    assert plan.schema["x"].values == ("1", "?", "missing")


def test_dropped_records_do_not_count_for_the_bins(tmp_path: Path) -> None:
    raw = write(tmp_path / "raw.csv", "x,y\n1,a\n2,b\n900,\n901,\n902,\n")
    plan = Preparation.learn(raw, missing="drop")
    assert plan.schema["x"].values == ("<=1.5", ">1.5")
    assert plan.apply(raw, tmp_path / "out.parquet") == PreparedCount(2, 3)


def test_a_column_that_is_always_missing_has_that_one_value(tmp_path: Path) -> None:
    raw = store(
        tmp_path / "raw.parquet",
        x=pa.array([None, None], pa.float64()),
        y=pa.nulls(2),
        z=["a", "b"],
    )
    plan = Preparation.learn(raw)
    plan.save(tmp_path / "schema.yaml")
    again = prepared(Preparation.load(tmp_path / "schema.yaml"), raw)
    assert again == {"x": ["missing"] * 2, "y": ["missing"] * 2, "z": ["a", "b"]}
    assert plan.warnings[0] == "'x' is missing in every record; perhaps leave it out: --drop x"


# Parquet


@pytest.mark.parametrize(
    ("values", "bins", "expected"),
    [
        (pa.array([1, 2, None]), "median", ["<=1.5", ">1.5", "missing"]),
        (pa.array([1.0, float("nan"), 3.5]), "median", ["<=2.25", "missing", ">2.25"]),
        (pa.array([1.0, float("nan"), 3.5]), "none", ["1", "missing", "3.5"]),
        (pa.array([0.5, 1.5], pa.float32()), "median", ["<=1", ">1"]),
        (pa.array(np.array([0.5, 1.5], np.float16)), "median", ["<=1", ">1"]),
        (pa.array([-0.0, 0.0]), "none", ["0", "0"]),
        (pa.array([Decimal("1.50"), Decimal("2.50")]), "median", ["<=2", ">2"]),
        (pa.array([0, 1 << 63], pa.uint64()), "midrange",
         ["<=4.61168601843e+18", ">4.61168601843e+18"]),
        (pa.array([True, False, None]), "median", ["true", "false", "missing"]),
        (pa.array(["1", "2", "?"]), "median", ["1", "2", "?"]),
        (pa.array(["1", "2"]), "none", ["1", "2"]),
        (pa.array(["a", "b"], pa.large_string()), "median", ["a", "b"]),
        (pa.array(["b", "a", None]).dictionary_encode(), "median", ["b", "a", "missing"]),
        (pa.array([4, 8, None]).dictionary_encode(), "median", ["<=6", ">6", "missing"]),
        (pa.array([dt.date(2020, 1, 2)]), "none", ["2020-01-02"]),
        (pa.array([dt.date(2020, 1, 2), None, dt.date(2020, 1, 5)]), "median",
         ["<=2020-01-03", "missing", ">=2020-01-04"]),
        (pa.array([dt.time(10), None]), "median", ["10:00:00.000000", "missing"]),
    ],
)  # fmt: skip
def test_parquet_columns_of_every_kind(
    values: pa.Array, bins: str, expected: list[str], tmp_path: Path
) -> None:
    raw = store(tmp_path / "raw.parquet", x=values)
    assert prepared(Preparation.learn(raw, bins=bins), raw)["x"] == expected


def test_csv_and_parquet_of_the_same_numbers_are_prepared_alike(tmp_path: Path) -> None:
    table = store(tmp_path / "raw.parquet", x=[0.1, 0.7, 2.0], y=["a", "b", "a"])
    text = write(tmp_path / "raw.csv", "x,y\n0.1,a\n0.7,b\n2,a\n")
    for bins in ("median", "none"):
        plan = Preparation.learn(table, bins=bins)
        assert Preparation.learn(text, bins=bins) == plan
        assert prepared(plan, text) == prepared(plan, table)


def test_strange_names_of_columns_are_kept(tmp_path: Path) -> None:
    names = ["größe in cm", 'he said "no"', "a.b", "a", "x: y", "- #", "yes", "<<", "名", "[b]"]
    raw = store(tmp_path / "raw.parquet", **{name: ["u", "v"] for name in names})
    text = tmp_path / "raw.csv"
    with text.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([names, ["u"] * len(names), ["v"] * len(names)])
    for path in (raw, text):
        Preparation.learn(path).save(tmp_path / "schema.yaml")
        plan = Preparation.load(tmp_path / "schema.yaml")
        assert prepared(plan, path) == {name: ["u", "v"] for name in names}
        assert "[b]" in run(path, "--out", tmp_path / "o.parquet", "--schema", tmp_path / "s.yaml")


def test_small_blocks_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = dataset("breast-cancer-wisconsin")
    whole = Preparation.learn(raw)
    whole.apply(raw, tmp_path / "whole.parquet")
    monkeypatch.setattr("deniable.engine.files.file_tables.BLOCK_BYTES", 1000)
    monkeypatch.setattr("deniable.engine.files.file_tables.BATCH_RECORDS", 100)
    monkeypatch.setattr("deniable.engine.files.write_parquet.GROUP_RECORDS", 100)
    parts = Preparation.learn(raw)
    parts.apply(raw, tmp_path / "parts.parquet")
    assert parts == whole
    assert pq.ParquetFile(tmp_path / "parts.parquet").num_row_groups > 1
    assert pq.read_table(tmp_path / "parts.parquet") == pq.read_table(tmp_path / "whole.parquet")


# The schema file


# PyYAML folds the rarer line breaks of Unicode even inside quotes.
words = st.text(st.characters(exclude_categories=["Cs"]))
cells = (
    st.none()
    | words.map(lambda word: word[:6])
    | st.sampled_from(["a", "b", "missing", "?", "yes", "1"])
)
tables = st.integers(1, 12).flatmap(
    lambda n: st.dictionaries(
        words.filter(bool),
        st.lists(cells, min_size=n, max_size=n).map(lambda c: pa.array(c, pa.string()))
        | st.lists(st.none() | st.floats(allow_infinity=False), min_size=n, max_size=n).map(
            lambda c: pa.array(c, pa.float64())
        )
        | st.lists(st.none() | st.integers(-(2**63), 2**63 - 1), min_size=n, max_size=n).map(
            lambda c: pa.array(c, pa.int64())
        )
        | st.lists(st.none() | st.dates(), min_size=n, max_size=n).map(
            lambda c: pa.array(c, pa.date32())
        ),
        min_size=1,
        max_size=4,
    )
)


@pytest.mark.slow
@settings(max_examples=200)
@given(
    tables,
    st.sampled_from(["median", "midrange", "quantiles:3", "none"]),
    st.sampled_from(["keep", "binary", "2", "30%"]),
)
def test_a_plan_that_was_saved_and_loaded_is_the_same_plan(
    tmp_path_factory: pytest.TempPathFactory, table: dict[str, pa.Array], bins: str, words: str
) -> None:
    folder = tmp_path_factory.mktemp("plan")
    raw = store(folder / "raw.parquet", **table)
    nominal = {"nominal": words} if words in {"keep", "binary"} else {"rare": words}
    plan = Preparation.learn(raw, bins=bins, **nominal)
    plan.save(folder / "schema.yaml")
    loaded = Preparation.load(folder / "schema.yaml")
    assert loaded == plan
    assert list(loaded.recipes) == list(plan.recipes)
    assert prepared(loaded, raw) == prepared(plan, raw)
    assert loaded.schema == plan.schema


def test_a_bin_may_be_renamed_in_the_schema_file(tmp_path: Path) -> None:
    raw = write_column(tmp_path / "raw.csv", ["20", "70"])
    schema = tmp_path / "schema.yaml"
    Preparation.learn(raw).save(schema)
    write(schema, schema.read_text().replace("x: [<=45,", "x: [young,"))
    assert prepared(Preparation.load(schema), raw)["x"] == ["young", ">45"]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("preparation:", "prep:", "'preparation' is missing. Name a schema file"),
        ("version: '2'", "version: '3'", "its preparation is of version 3, not 2."),
        (
            "kind: numeric",
            "kind: numerical",
            "x.kind: There is no 'numerical' here. Did you",
        ),
        ("kind: numeric", "kind: [a]", "columns.x.kind: This must be text."),
        ("[<=45.0]", "[at 45]", "columns.x: 'at 45' is no split."),
        ("[<=45.0]", "[<=nan]", "columns.x: '<=nan' is no split."),
        ("[<=45.0]", "[<=45.0, <=50.0]", "columns.x: 2 splits make 3 bins, but there are"),
        ("[<=45.0]", "[<=45.0, <=45.0]", "columns.x: its splits do not ascend."),
        ("splits: [<=45.0]", "splits: all", "columns.x.splits: This must be a list."),
        ("[<=45, ", "['>45', ", "Attribute 'x' lists the value '>45' twice."),
        ("missing: missing", "missing: none", "columns.y: its last value is not 'none'."),
        ("a..b:", "ab:", "columns.y: its groups and its values differ."),
        ("[a, b]", "[a, a]", "columns.y: a value is in its groups twice."),
        ("bins: median", "bins: medain", "There is no binning 'medain'. Did you mean 'median'?"),
        ("nominal: binary", "nominal: both", "nominal cannot be 'both'."),
        ("na:", "no:", "preparation: 'na' is missing."),
        ("  x: [<=45", "  z: [<=45", "preparation differ: 'x', 'z'."),
        ("  x: [<=45", "  y: [<=45", "'y' stands twice, the second time in line 5."),
    ],
)
def test_a_schema_file_that_makes_no_sense_is_refused(
    old: str, new: str, sentence: str, tmp_path: Path
) -> None:
    raw = write(tmp_path / "raw.csv", "x,y\n20,a\n70,b\n20,c\n70,d\n45,?\n")
    schema = tmp_path / "schema.yaml"
    Preparation.learn(raw, nominal="binary", missing="category").save(schema)
    text = schema.read_text()
    assert old in text
    write(schema, text.replace(old, new, 1))
    with pytest.raises((SchemaError, DesignError)) as refused:
        Preparation.load(schema)
    assert sentence in str(refused.value)
    assert str(refused.value).startswith(f"{schema}: ")


@pytest.mark.parametrize("text", ["", "x", "[1]", "attributes: {}", "attributes: [x]"])
def test_a_file_that_is_no_schema_is_refused(text: str, tmp_path: Path) -> None:
    said = r"(mapping|nothing in it|'(attributes|preparation)' is missing)\. Name a schema"
    with pytest.raises(SchemaError, match=said):
        Preparation.load(write(tmp_path / "schema.yaml", text))


# New data


@pytest.fixture
def known(tmp_path: Path) -> Preparation:
    raw = write(tmp_path / "old.csv", "age,town\n20,Bonn\n30,Kiel\n40,Kiel\n50,\n")
    return Preparation.learn(raw)


def test_new_numbers_out_of_range_fall_into_the_outer_bins(
    known: Preparation, tmp_path: Path
) -> None:
    raw = write(tmp_path / "new.csv", "town,age,more\nKiel,-5,x\nBonn,1e6,y\nNA,35,z\n")
    assert prepared(known, raw) == {
        "age": ["<=35", ">35", "<=35"],
        "town": ["Kiel", "Bonn", "missing"],
    }


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ("30,Kiel2", "row 2: 'town' has the value 'Kiel2', which the preparation does not know. "
         "Did you mean 'Kiel'?"),
        ("30,Ulm", "Known: 'Bonn', 'Kiel'. Mend it, or prepare all data together."),
        ("old,Kiel", "row 2: 'age' has the value 'old', which is not a finite number."),
        ("?,Kiel", "row 2: 'age' is missing, but none was when the preparation was learned. "
         "Fill it in or leave the record out, or prepare all the data together."),
    ],
)  # fmt: skip
def test_what_the_preparation_does_not_know_is_refused_with_its_row(
    row: str, sentence: str, known: Preparation, tmp_path: Path
) -> None:
    raw = write(tmp_path / "new.csv", f"age,town\n20,Bonn\n{row}\n")
    before = sorted(tmp_path.iterdir())
    with pytest.raises(DataError) as refused:
        known.apply(raw, tmp_path / "out.parquet")
    assert sentence in str(refused.value)
    assert str(raw) in str(refused.value)
    assert sorted(tmp_path.iterdir()) == before


def test_rows_are_counted_over_blocks_and_dropped_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = Preparation.learn(write(tmp_path / "old.csv", "x,y\na,1\nb,2\n"), missing="drop")
    monkeypatch.setattr("deniable.engine.files.file_tables.BLOCK_BYTES", 100)
    raw = write(tmp_path / "new.csv", "x,y\n" + "a,1\nb,?\n" * 100 + "c,?\nc,1\n")
    with pytest.raises(DataError, match=r"new.csv, row 202: 'x' has the value 'c'"):
        plan.apply(raw, tmp_path / "out.parquet")


def test_a_column_that_new_data_lacks_is_named(known: Preparation, tmp_path: Path) -> None:
    raw = write(tmp_path / "new.csv", "age,towns\n20,Bonn\n")
    with pytest.raises(DataError, match=r"new.csv has no column 'town'. Did you mean 'towns'?"):
        known.apply(raw, tmp_path / "out.parquet")


# Bad input


@pytest.mark.parametrize(
    ("content", "options", "sentence"),
    [
        ("", {}, "raw.csv is empty."),
        ("x,y\n", {}, "raw.csv has no records."),
        ("\n\n", {}, "raw.csv has no columns."),
        ("x,x\n1,2\n", {}, "raw.csv has two columns of one name, the 1. and the 2."),
        (",x\n1,2\n", {}, "Column 1 of {raw} has no name. Name it, or leave it out: --drop ''"),
        ("x,y\n1\n", {}, "raw.csv, line 2: expected 2 columns, got 1."),
        ("age,y\n1,2\n", {"drop": ["agee"]}, "raw.csv has no column 'agee'. Did you mean 'age'?"),
        ("x,y\n1,2\n", {"drop": ["x", "y"]}, "No column of {raw} is left."),
        ("x,y\n1,\n,2\n", {"missing": "drop"}, "Every record of {raw} misses a value, so none"),
        ("x,y\n1,2\n", {"bins": "mean"}, "There is no binning 'mean'."),
        ("x,y\n1,2\n", {"bins": "quantiles:1"}, "'quantiles:1' does not say into how many bins."),
        ("x,y\n1,2\n", {"bins": "quantiles:²"}, "'quantiles:²' does not say into how many bins."),
        ("x,y\n1,2\n", {"nominal": "binari"}, "nominal cannot be 'binari'. Did you mean 'binary'?"),
        ("x,y\n1,2\n", {"missing": "keep"}, "missing cannot be 'keep'."),
    ],
)
def test_a_raw_file_that_does_not_do_is_refused(
    content: str, options: dict[str, Any], sentence: str, tmp_path: Path
) -> None:
    raw = write(tmp_path / "raw.csv", content)
    with pytest.raises(DeniableError) as refused:
        Preparation.learn(raw, **options)
    assert sentence.format(raw=raw) in str(refused.value)


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"is a directory without tables\. Name a CSV"):
        Preparation.learn(tmp_path)
    with pytest.raises(DataError, match=r"none\.csv does not exist\. Check the name\."):
        Preparation.learn(tmp_path / "none.csv")
    with pytest.raises(DataError, match=r"none\.yaml does not exist\. Check the name\."):
        Preparation.load(tmp_path / "none.yaml")


def test_parquet_that_is_cut_short_is_refused(tmp_path: Path) -> None:
    raw = store(tmp_path / "raw.parquet", x=list(range(1000)))
    raw.write_bytes(raw.read_bytes()[:-20])
    with pytest.raises(
        DataError, match=r"raw.parquet cannot be read: .* The file may be cut short"
    ):
        Preparation.learn(raw)


def test_parquet_with_a_column_twice_is_refused(tmp_path: Path) -> None:
    pq.write_table(pa.table([[1], [2]], names=["x", "x"]), tmp_path / "raw.parquet")
    with pytest.raises(DataError, match=r"raw.parquet has two columns of one name"):
        Preparation.learn(tmp_path / "raw.parquet")


def test_parquet_without_records_is_refused(tmp_path: Path) -> None:
    raw = store(tmp_path / "raw.parquet", x=pa.array([], pa.string()))
    with pytest.raises(DataError, match=r"raw.parquet has no records"):
        Preparation.learn(raw)


def test_lists_in_parquet_are_refused_unless_dropped(tmp_path: Path) -> None:
    raw = store(tmp_path / "raw.parquet", x=[[1], [2]], y=["a", "b"])
    with pytest.raises(DataError, match=r"column 'x' is of type list<.*>, which is no plain text"):
        Preparation.learn(raw)
    assert prepared(Preparation.learn(raw, drop=["x"]), raw) == {"y": ["a", "b"]}


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    raw = store(tmp_path / "raw.parquet", x=[b"\xff"])
    with pytest.raises(DataError, match="column 'x' is of type binary, which is no plain text"):
        Preparation.learn(raw)


def test_an_infinite_number_is_named_by_its_row(tmp_path: Path) -> None:
    raw = store(tmp_path / "raw.parquet", x=[1.0, None, float("inf")])
    with pytest.raises(DataError, match="row 3: 'x' has the value 'inf', which is not a finite"):
        Preparation.learn(raw)
    assert prepared(Preparation.learn(raw, bins="none"), raw)["x"] == ["1", "missing", "inf"]


@pytest.mark.parametrize(
    ("out", "schema", "sentence"),
    [
        ("out.csv", "s.yaml", "out.csv is not named like Parquet."),
        ("raw.parquet", "s.yaml", "raw.parquet is read, so it is not written."),
        ("out.parquet", "raw.parquet", "raw.parquet is read, so it is not written."),
        ("out.parquet", "./out.parquet", "out.parquet cannot hold both outputs."),
        ("no/out.parquet", "s.yaml", "out.parquet cannot be written: no such file or directory."),
        ("out.parquet", "no/s.yaml", "s.yaml cannot be written: no such file or directory."),
        ("dir.parquet", "s.yaml", "dir.parquet is a directory."),
        ("out.parquet", "dir.parquet", "dir.parquet is a directory."),
    ],
)
def test_outputs_that_cannot_be_written_leave_nothing_behind(
    out: str, schema: str, sentence: str, tmp_path: Path
) -> None:
    raw = store(tmp_path / "raw.parquet", x=[1, 2])
    (tmp_path / "dir.parquet").mkdir()
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(OutputError) as refused:
        run(raw, "--out", tmp_path / out, "--schema", tmp_path / schema)
    assert sentence in str(refused.value)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_failure_late_leaves_older_outputs_as_they_were(
    known: Preparation, tmp_path: Path
) -> None:
    out, schema = write(tmp_path / "out.parquet", "old"), write(tmp_path / "s.yaml", "old")
    raw = write(tmp_path / "new.csv", "age,town\n20,Bonn\n20,Ulm\n")
    with pytest.raises(DataError, match="row 2"):
        known.apply(raw, out, schema)
    assert out.read_text() == schema.read_text() == "old"
    assert not list(tmp_path.glob(".*"))


# The command


def test_the_command_says_what_was_done(tmp_path: Path) -> None:
    lines = [f"{n},name{n},7,{'?' if n == 3 else 'yes'}" for n in range(60)]
    raw = write(tmp_path / "raw.csv", "\n".join(["x,who,same,y", *lines]) + "\n")
    out, schema = tmp_path / "o.parquet", tmp_path / "s.yaml"
    said = run(raw, "--out", out, "--schema", schema, "--missing", "drop")
    assert "Prepared 59 records into" in said
    assert "Dropped 1 records that miss a value." in said
    assert "Warning: 'who' has another value in each of 59 records, as identifiers have" in said
    assert "perhaps leave it out: --drop who" in said
    assert "Warning: 'same' is 7 in every record" in said
    assert "'<=30', '>30'" in said


def test_the_command_prints_json(tmp_path: Path) -> None:
    raw = write(tmp_path / "raw.csv", "x,y\n1,a\n2,b\n")
    out, schema = tmp_path / "o.parquet", tmp_path / "s.yaml"
    said = json.loads(run(raw, "--out", out, "--schema", schema, "--drop", "y", "--json"))
    assert (said["records"], said["dropped"], said["notes"]) == (2, 0, [])
    assert (said["out"], said["schema"]) == (str(out), str(schema))
    assert said["attributes"] == {"x": ["<=1.5", ">1.5"]}
    assert said["preparation"]["dropped"] == ["y"]


def test_like_leaves_no_other_choice(tmp_path: Path) -> None:
    raw = write(tmp_path / "raw.csv", "x,y\n1,a\n2,b\n")
    schema = tmp_path / "s.yaml"
    with pytest.raises(DeniableError, match=r"There is no place for what was done. Add --schema"):
        run(raw, "--out", tmp_path / "o.parquet")
    Preparation.learn(raw).save(schema)
    for option in ("bins", "nominal", "missing", "na", "rare", "drop"):
        with pytest.raises(DeniableError, match=f"--like and --{option} exclude each other"):
            run(raw, "--out", tmp_path / "o.parquet", "--like", schema, f"--{option}", "x")
    assert not (tmp_path / "o.parquet").exists()
    run(raw, "--out", tmp_path / "o.parquet", "--like", schema, "--schema", tmp_path / "t.yaml")
    assert (tmp_path / "t.yaml").read_bytes() == schema.read_bytes()


def test_numbers_with_leading_zeros_are_codes_and_stay_nominal(tmp_path: Path) -> None:
    raw = write_column(tmp_path / "raw.csv", ["01234", "99999", "00501", "0", "10"])
    assert Preparation.learn(raw).schema["x"].values == ("0", "00501", "01234", "10", "99999")


# Cells


@pytest.mark.parametrize(
    "kind",
    [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())],
)
def test_text_of_any_type_keeps_what_is_missing(kind: pa.DataType, tmp_path: Path) -> None:
    words = ["b", None, "a", "b"]
    text = pa.array(words)
    column = text.dictionary_encode() if pa.types.is_dictionary(kind) else text.cast(kind)
    pq.write_table(pa.table({"a": column}), tmp_path / "raw.parquet")
    plan = Preparation.learn(tmp_path / "raw.parquet")
    plan.apply(tmp_path / "raw.parquet", tmp_path / "out.parquet")
    found = pq.read_table(tmp_path / "out.parquet")["a"].to_pylist()
    assert found == [word or "missing" for word in words]


@pytest.mark.parametrize("missing", ["category", "drop"])
def test_blocks_are_prepared_as_if_cell_by_cell(missing: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    n = 70_000  # several blocks of CSV, more than a row group of Parquet
    ages = [str(age) if age else " NA " for age in rng.integers(0, 80, n)]
    towns = [f"town {place}" if place else "?" for place in rng.integers(0, 20, n)]
    lines = map(",".join, zip(ages, towns, strict=True))
    (tmp_path / "raw.csv").write_text("age,town\n" + "\n".join(lines))
    plan = Preparation.learn(tmp_path / "raw.csv", missing=missing)
    count = plan.apply(tmp_path / "raw.csv", tmp_path / "out.parquet")
    kept = [
        pair
        for pair in zip(ages, towns, strict=True)
        if missing == "category" or (pair[0] != " NA " and pair[1] != "?")
    ]
    assert (count.records, count.dropped) == (len(kept), n - len(kept))
    (young, old) = plan.schema["age"].values[:2]
    edge = float(young.removeprefix("<="))
    bins = ["missing" if age == " NA " else young if float(age) <= edge else old for age, _ in kept]
    found = pq.read_table(tmp_path / "out.parquet")
    assert found["age"].to_pylist() == bins
    assert found["town"].to_pylist() == [town.replace("?", "missing") for _, town in kept]
    assert not stages_under_way()


def test_what_cannot_be_prepared_leaves_no_file_and_no_thread(tmp_path: Path) -> None:
    lines = [f"{row % 90}" for row in range(200_000)]
    (tmp_path / "old.csv").write_text("\n".join(["age", *lines]))
    plan = Preparation.learn(tmp_path / "old.csv")
    lines[150_000] = "old"
    (tmp_path / "new.csv").write_text("\n".join(["age", *lines]))
    before = sorted(tmp_path.iterdir())
    with pytest.raises(DataError, match=r"new\.csv, row 150001: 'age' has the value 'old'"):
        plan.apply(tmp_path / "new.csv", tmp_path / "out.parquet")
    assert sorted(tmp_path.iterdir()) == before
    assert not stages_under_way()
