"""What a user may choose for single columns, each compared with pandas in a few lines."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from commanding import Command
from deniable.base.errors import DataError, DeniableError, SchemaError
from deniable.source.prepare import column_values
from deniable.source.prepare.preparation import Preparation
from deniable.source.prepare.recipe import Bins, Groups

N = 3000
CITIES = [f"city {place}" for place in range(40)]


def table(seed: int = 1) -> pd.DataFrame:
    """People; a few of many cities, some answers missing."""
    rng = np.random.default_rng(seed)
    born = pd.Timestamp("1950-01-01") + pd.to_timedelta(rng.integers(0, 20_000, N), unit="D")
    return pd.DataFrame(
        {
            "id": rng.permutation(N),
            "age": rng.integers(18, 90, N),
            "income": rng.gamma(2, 1000, N).round(2),
            "born": born.strftime("%Y-%m-%d"),
            "city": np.where(rng.random(N) < 0.05, "?", rng.choice(CITIES, N, p=zipf(len(CITIES)))),
            "ill": rng.choice(["no", "yes", "?"], N, p=[0.6, 0.35, 0.05]),
        }
    )


def zipf(many: int) -> Any:
    shares = 1 / np.arange(1, many + 1) ** 2
    return shares / shares.sum()


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    path = tmp_path / "raw.csv"
    table().to_csv(path, index=False)
    return path


def prepared(deniable: Command, raw: Path, *words: object) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Prepare by the command, and again by its schema file: the same bytes."""
    out, again = raw.with_name("prepared.parquet"), raw.with_name("again.parquet")
    schema = raw.with_name("schema.yaml")
    done = deniable("prepare", raw, "--out", out, "--schema", schema, *words, "--json")
    assert done.code == 0, done.err
    assert deniable("prepare", raw, "--out", again, "--like", schema).code == 0
    assert again.read_bytes() == out.read_bytes()
    return pq.read_table(out).to_pandas().astype(str), json.loads(done.out)


def refused(deniable: Command, raw: Path, *words: object) -> str:
    out, schema = raw.with_name("out.parquet"), raw.with_name("s.yaml")
    done = deniable("prepare", raw, "--out", out, "--schema", schema, *words)
    assert done.code == 1
    assert not out.exists()
    return done.err


# Bins by column


def test_each_column_may_have_bins_of_its_own(deniable: Command, raw: Path) -> None:
    words = ("--bins", "3", "--bins", "age=5", "--bins", "income=midrange", "--bins", "born=none")
    found, said = prepared(deniable, raw, *words, "--drop", "id")
    truth = table()
    edges = np.quantile(truth["age"], [0.2, 0.4, 0.6, 0.8], method="averaged_inverted_cdf")
    codes = np.searchsorted(edges, truth["age"], side="left")
    assert [said["attributes"]["age"].index(value) for value in found["age"]] == codes.tolist()
    middle = (truth["income"].min() + truth["income"].max()) / 2
    above = found["income"].str.startswith(">").tolist()
    assert above == (truth["income"] > middle).tolist()
    assert found["born"].tolist() == truth["born"].tolist()
    assert said["preparation"]["bins"] == ["3", "age=5", "income=midrange", "born=none"]


def test_a_name_may_hold_an_equals_sign(deniable: Command, tmp_path: Path) -> None:
    raw = tmp_path / "raw.csv"
    raw.write_text("a=b,c\n1,1\n2,2\n3,3\n4,4\n", encoding="utf-8")
    _, said = prepared(deniable, raw, "--bins", "a=b=4")
    assert [len(values) for values in said["attributes"].values()] == [4, 2]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--bins", "agee=5"], "'agee'. Did you mean 'age'?"),
        (["--bins", "age=year"], "'age' cannot be binned by year:"),
        (["--bins", "year"], "Only dates can be binned by year. Name their column: COLUMN=year."),
        (["--bins", "city=5"], "'city' cannot be binned: 'city"),
        (["--bins", "age=1"], "'1' does not say into how many bins."),
        (["--bins", "age=deciles"], "There is no binning 'deciles'."),
        (["--bins", "3", "--bins", "4"], "'4' becomes 'COLUMN=4'"),
        (["--bins", "age=3", "--bins", "age=4"], "bins are given twice for 'age'."),
        (["--bins", "age=3", "--drop", "age"], "'age' is left out, and bins are given for it."),
        (["--rare", "0"], "'0' does not say which values are rare. Write 10"),
        (["--rare", "few"], "'few' does not say which values are rare."),
        (["--rare", "100%"], "'100%' does not say which values are rare."),
        (["--rare", "1/0"], "'1/0' does not say which values are rare."),
        (["--rare", "town=5"], "'town'"),
        (["--rare", "5", "--nominal", "binary"], "Binary columns have no rare values"),
        (["--missing", "join"], "there is nothing to join missing answers with"),
    ],
)
def test_choices_that_make_no_sense_are_one_sentence(
    deniable: Command, raw: Path, words: list[str], sentence: str
) -> None:
    assert sentence in refused(deniable, raw, *words)


# Dates


@pytest.mark.parametrize("form", ["%Y-%m-%d", " %Y-%m-%d ", "%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%d %H:%M"])
def test_dates_are_split_at_the_median_day_however_precise_they_are(
    deniable: Command, tmp_path: Path, form: str
) -> None:
    times = pd.to_datetime(table()["born"]) + pd.Timedelta("23:59:59")
    raw = tmp_path / "raw.csv"
    pd.DataFrame({"born": times.dt.strftime(form), "n": "x"}).to_csv(raw, index=False)
    found, said = prepared(deniable, raw)
    days = np.sort(times.dt.normalize().to_numpy())
    last = days[N // 2 - 1 : N // 2 + 1].astype("datetime64[D]").astype(int).sum() // 2
    edge = np.datetime64(0, "D") + last
    assert said["attributes"]["born"] == [f"<={edge}", f">={edge + 1}"]
    below = (times.dt.normalize() <= pd.Timestamp(str(edge))).tolist()
    assert found["born"].str.startswith("<=").tolist() == below


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("quarter", lambda born: "Q" + born.dt.quarter.astype(str)),
        ("month", lambda born: born.dt.month_name()),
        ("weekday", lambda born: born.dt.day_name()),
    ],
)
def test_dates_are_told_apart_by_what_comes_round(
    deniable: Command, raw: Path, how: str, expected: Any
) -> None:
    found, said = prepared(deniable, raw, "--bins", f"born={how}")
    assert found["born"].tolist() == expected(pd.to_datetime(table()["born"])).tolist()
    # All of them are listed in order, whichever occur.
    assert len(said["attributes"]["born"]) == {"quarter": 4, "month": 12, "weekday": 7}[how]
    assert said["attributes"]["born"][0] == {"quarter": "Q1", "month": "January"}.get(how, "Monday")


def test_years_that_did_not_occur_fall_into_those_around(deniable: Command, tmp_path: Path) -> None:
    raw, new = tmp_path / "raw.csv", tmp_path / "new.csv"
    raw.write_text("born,n\n2001-05-05,1\n2004-01-01,1\n2003-12-31,1\n?,1\n", encoding="utf-8")
    found, said = prepared(deniable, raw, "--bins", "born=year")
    assert said["attributes"]["born"] == ["<=2001", "2002..2003", ">=2004", "missing"]
    assert found["born"].tolist() == ["<=2001", ">=2004", "2002..2003", "missing"]
    new.write_text("born,n\n1900-05-05,1\n2002-01-01,1\n2030-12-31,1\n,1\n", encoding="utf-8")
    out, like = tmp_path / "new.parquet", tmp_path / "schema.yaml"
    assert deniable("prepare", new, "--out", out, "--like", like).code == 0
    again = pq.read_table(out)["born"].to_pylist()
    assert again == ["<=2001", "2002..2003", ">=2004", "missing"]
    new.write_text("born,n\n2001-05-05,1\n2001-02-29,1\n", encoding="utf-8")
    done = deniable("prepare", new, "--out", out, "--like", like)
    assert "row 2: 'born' has the value '2001-02-29', which is no date." in done.err


def test_what_is_no_date_everywhere_stays_words(tmp_path: Path) -> None:
    raw = tmp_path / "raw.csv"
    raw.write_text("born,n\n2001-05-05,1\n2001-13-01,1\n", encoding="utf-8")
    assert Preparation.learn(raw).schema["born"].values == ("2001-05-05", "2001-13-01")
    with pytest.raises(SchemaError, match="'2001-13-01' is no date"):
        Preparation.learn(raw, bins=["born=month"])


@pytest.mark.parametrize(
    "kind",
    [pa.date32(), pa.date64(), pa.timestamp("ns"), pa.timestamp("us", "UTC"), pa.string()],
    ids=str,
)
@pytest.mark.parametrize("how", ["median", "4", "year", "weekday"])
def test_parquet_dates_are_prepared_as_those_of_csv(
    tmp_path: Path, kind: pa.DataType, how: str
) -> None:
    born = table()["born"].head(300)
    born.to_frame().assign(n="x").to_csv(tmp_path / "raw.csv", index=False)
    typed = pa.array(born, pa.string())
    if pa.types.is_timestamp(kind):
        typed = typed.cast(pa.timestamp("us")).cast(kind)
    elif not pa.types.is_string(kind):
        typed = typed.cast(pa.date32()).cast(kind)
    pq.write_table(pa.table({"born": typed}), tmp_path / "raw.parquet")
    found = []
    for name in ("raw.csv", "raw.parquet"):
        plan = Preparation.learn(tmp_path / name, bins=[f"born={how}"])
        plan.apply(tmp_path / name, tmp_path / "out.parquet")
        found.append(pq.read_table(tmp_path / "out.parquet")["born"].to_pylist())
    assert found[0] == found[1]
    assert len(set(found[0])) > 1


@pytest.mark.parametrize("zone", ["America/New_York", "Asia/Tokyo", "+05:30"])
def test_a_time_with_a_zone_has_the_day_that_it_is_in_utc(tmp_path: Path, zone: str) -> None:
    """Or one moment would be in another month, by which program wrote the file."""
    moments = pa.array(["2024-03-31T23:30:00", "2024-04-01T01:00:00", "2023-12-31T20:00:00"])
    times = moments.cast(pa.timestamp("us")).cast(pa.timestamp("us", "UTC"))
    raw, out = tmp_path / "raw.parquet", tmp_path / "out.parquet"
    pq.write_table(pa.table({"born": times.cast(pa.timestamp("us", zone))}), raw)
    Preparation.learn(raw, bins=["born=month"]).apply(raw, out)
    assert pq.read_table(out)["born"].to_pylist() == ["March", "April", "December"]


# Rare values


@pytest.mark.parametrize(
    ("word", "least"), [("20", 20), ("1%", 30), ("0.0101", 31), ("city=20", 20)]
)
def test_values_that_few_records_have_become_one(
    deniable: Command, raw: Path, word: str, least: int
) -> None:
    found, said = prepared(deniable, raw, "--rare", word)
    city = table()["city"]
    common = city.map(city.value_counts()) >= least
    expected = np.where(city == "?", "missing", np.where(common, city, "other"))
    assert found["city"].tolist() == expected.tolist()
    kept = sorted(set(city[common]) - {"?"})
    assert said["attributes"]["city"] == [*kept, "other", "missing"]
    rare = set(city[~common])
    assert (
        f"{len(rare)} values of 'city', of {sum(~common):,} records, became 'other'"
        in (said["notes"][0])
    )
    # A rare value can identify somebody: the schema file does not hold it.
    text = raw.with_name("schema.yaml").read_text(encoding="utf-8")
    assert rare
    assert not any(f"{value}\n" in text or f"{value}," in text for value in rare)


def test_new_values_are_other_where_rare_ones_were_merged(deniable: Command, raw: Path) -> None:
    prepared(deniable, raw, "--rare", "20")
    new, out = raw.with_name("new.csv"), raw.with_name("new.parquet")
    new.write_text(
        "id,age,income,born,city,ill\n1,20,5,1980-01-01,Ulm,no\n2,20,5,1980-01-01,,yes\n",
        encoding="utf-8",
    )
    assert deniable("prepare", new, "--out", out, "--like", raw.with_name("schema.yaml")).code == 0
    assert pq.read_table(out)["city"].to_pylist() == ["other", "missing"]
    # Nothing was rare among no and yes, so nothing is other there.
    new.write_text(new.read_text().replace("Ulm,no", "Ulm,perhaps"), encoding="utf-8")
    done = deniable("prepare", new, "--out", out, "--like", raw.with_name("schema.yaml"))
    assert "'ill' has the value 'perhaps', which the preparation does not know" in done.err


def test_a_taken_name_for_other_is_avoided(tmp_path: Path) -> None:
    raw = tmp_path / "raw.csv"
    raw.write_text("x,n\n" + "other,1\n" * 9 + "a,1\n", encoding="utf-8")
    assert Preparation.learn(raw, rare="5").schema["x"].values == ("other", "other_")


# Binary, and what is missing


def test_binary_columns_have_two_values_and_missing_comes_first(
    deniable: Command, raw: Path
) -> None:
    found, said = prepared(deniable, raw, "--nominal", "binary", "--drop", "id")
    assert {len(values) for values in said["attributes"].values()} == {2}
    truth = table()
    for name in ("city", "ill"):
        order = sorted(set(truth[name]), key=lambda value: (value != "?", value))
        codes = truth[name].map(order.index)
        upper = codes > np.median(codes)
        expected = [said["attributes"][name][int(each)] for each in upper]
        assert found[name].tolist() == expected
    assert said["attributes"]["ill"] == ["missing..no", "yes"]
    many = (truth == "?").sum()
    assert f"'city' ({many['city']} records) and 'ill' ({many['ill']} records)" in said["notes"][0]
    assert "--missing category makes it a value of its own" in said["notes"][0]
    shown = deniable(
        "prepare", raw, "--out", raw.with_name("o.parquet"), "--schema", raw.with_name("o.yaml"),
        "--nominal", "binary",
    )  # fmt: skip
    assert "Note: A missing answer counts as a value that comes before all others" in " ".join(
        shown.out.split()
    )


def test_missing_is_a_third_value_only_if_asked_for_or_of_numbers_and_that_is_said(
    deniable: Command, tmp_path: Path
) -> None:
    raw = tmp_path / "raw.csv"
    raw.write_text("age,x,y\n1,a,u\n2,b,\n3,c,u\n,,u\n", encoding="utf-8")
    _, said = prepared(deniable, raw, "--nominal", "binary")
    assert said["attributes"]["age"] == ["<=2", ">2", "missing"]
    assert said["attributes"]["x"] == ["missing..a", "b..c"]
    assert said["attributes"]["y"] == ["u", "missing"]  # two values as they are
    assert "'age' (1 record), so these are not binary. --missing drop" in said["notes"][1]
    _, said = prepared(deniable, raw, "--nominal", "binary", "--missing", "category")
    assert said["attributes"]["x"] == ["a..b", "c", "missing"]
    assert "in 'age' (1 record) and 'x' (1 record), so these are not binary" in said["notes"][0]
    _, said = prepared(deniable, raw, "--nominal", "binary", "--missing", "drop")
    assert [len(values) for values in said["attributes"].values()] == [2, 2, 1]


def test_mostly_missing_is_one_of_the_two_values(tmp_path: Path) -> None:
    recipe = Groups.halved({"a": 1, "b": 1}, missing=False, absent=5)
    assert recipe.values == ("missing", "a..b")
    assert recipe.encode(pa.array([None, "a", "c"])).tolist() == [0, 1, -1]


# Words for missing


@pytest.mark.parametrize(
    ("words", "missing"),
    [
        ((), {"", "?", "NA", " ? ", "null"}),
        (("--na", "-9"), {"-9"}),
        (("--na", "-9", "--na", ""), {"-9", ""}),
        (("--na", "NA", "--na", "?"), {"NA", "?", " ? "}),
    ],
)
def test_the_words_for_missing_are_those_that_are_given_or_else_the_default_ones(
    deniable: Command, tmp_path: Path, words: tuple[str, ...], missing: set[str]
) -> None:
    cells = ["", "?", "NA", " ? ", "null", "-9", "na", "x"]
    raw = tmp_path / "raw.csv"
    raw.write_text("x,n\n" + "".join(f"{cell},1\n" for cell in cells), encoding="utf-8")
    found, _ = prepared(deniable, raw, *words)
    assert {
        cell for cell, is_ in zip(cells, found["x"] == "missing", strict=True) if is_
    } == missing


def test_words_for_missing_in_parquet_are_said_to_have_no_use(tmp_path: Path) -> None:
    raw = tmp_path / "raw.parquet"
    pq.write_table(pa.table({"x": ["-9", "a", None]}), raw)
    plan = Preparation.learn(raw, na=["-9"])
    assert plan.schema["x"].values == ("-9", "a", "missing")
    assert plan.notes == (
        "Words for missing (--na) are looked for in CSV only; in Parquet, nulls and NaN are "
        "missing.",
    )
    assert Preparation.learn(raw).notes == ()


# Warnings


def test_identifiers_and_nearly_unique_columns_are_warned_of(tmp_path: Path) -> None:
    raw = tmp_path / "raw.csv"
    people = table().assign(
        mail=[f"{n}@example.org" for n in range(N)],
        street=[f"street {n // 2}" for n in range(N)],
        sample=[n if n % 30 else 0 for n in range(N)],
    )
    people.to_csv(raw, index=False)
    said = Preparation.learn(raw).warnings
    assert [text.split("'")[1] for text in said] == ["id", "mail", "street", "sample"]
    assert said[0] == (
        "'id' has another value in each of 3,000 records, as identifiers have; perhaps leave it "
        "out: --drop id"
    )
    assert "1,500 different values in 3,000 records, too many to learn from" in said[2]
    assert "--drop street, or merge the rare ones: --rare street=10" in said[2]
    assert "2,901 different whole numbers in 3,000 records, nearly as identifiers have" in said[3]
    # What is said helps.
    left = Preparation.learn(raw, drop=["id", "mail", "sample"], rare=["street=10"])
    assert [text.split("'")[1] for text in left.warnings] == ["street"]
    assert "is other in every record" in left.warnings[0]
    assert not Preparation.learn(raw, drop=["id", "mail", "sample", "street"]).warnings


def test_endless_words_are_refused_before_they_fill_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(column_values, "MOST_WORDS", 100)
    raw = tmp_path / "raw.csv"
    people = table().assign(mail=[f"{n}@example.org" for n in range(N)])
    people.to_csv(raw, index=False)
    with pytest.raises(DataError, match="'mail' has more than 100 different values") as refusal:
        Preparation.learn(raw)
    assert refusal.value.hint == "Leave it out: --drop mail"
    plan = Preparation.learn(raw, drop=["mail"])  # distinct numbers and dates are all looked at
    assert isinstance(plan.recipes["income"], Bins)
    with pytest.raises(DataError, match="'id' has more than 100"):
        Preparation.learn(raw, bins="none")


# The schema file


def test_all_choices_together_are_repeated_over_many_blocks(
    deniable: Command, tmp_path: Path
) -> None:
    raw = tmp_path / "raw.csv"
    pd.concat([table(seed) for seed in range(25)]).to_csv(raw, index=False)  # several blocks
    words = ("--bins", "age=4", "--bins", "born=month", "--rare", "city=0.5%", "--rare", "5")
    found, said = prepared(deniable, raw, *words, "--na", "?", "--drop", "id")
    assert len(found) == 25 * N
    loaded = Preparation.load(raw.with_name("schema.yaml"))
    assert loaded == Preparation.learn(
        raw, ["age=4", "born=month"], rare=["city=0.5%", "5"], na=["?"], drop=["id"]
    )
    assert loaded.document() == {key: said[key] for key in ("attributes", "preparation")}


EARLIER = """\
attributes:
  age: [<=35, '>35', missing]
  town: [A..K, L..Z]
  born: ['1980-01-01', '1990-01-01']
preparation:
  version: '1'
  bins: median
  nominal: binary
  missing: category
  na: ['', '?']
  dropped: []
  columns:
    age:
      kind: numeric
      splits: [<=35.0]
      missing: missing
    town:
      kind: halved
      groups:
        A..K: [Aachen, Kiel]
        L..Z: [Ulm]
    born:
      kind: kept
"""


def test_schema_files_of_the_first_version_are_still_read(
    deniable: Command, tmp_path: Path
) -> None:
    like, raw, out = (tmp_path / name for name in ("old.yaml", "new.csv", "new.parquet"))
    like.write_text(EARLIER, encoding="utf-8")
    raw.write_text("age,town,born\n20,Ulm,1980-01-01\n?,Kiel,1990-01-01\n", encoding="utf-8")
    done = deniable("prepare", raw, "--out", out, "--like", like)
    assert done.code == 0, done.err
    assert pq.read_table(out).to_pylist() == [
        {"age": "<=35", "town": "L..Z", "born": "1980-01-01"},
        {"age": "missing", "town": "A..K", "born": "1990-01-01"},
    ]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("by: year", "by: decade", "columns.born.by: There is no 'decade' here."),
        ("[<=2001, <=2003]", "[<=2003, <=2001]", "columns.born: its splits do not ascend."),
        ("[<=2001, <=2003]", "[<=2001]", "columns.born: it has 2 values by year, but 3 are"),
        ("[<=2001, <=2003]", "[<=2001, soon]", "columns.born: 'soon' is no split."),
        ("other: other", "other: others", "columns.x: its last value is not 'others'."),
        ("rare: ['2']", "rare: [few]", "'few' does not say which values are rare."),
        ("bins: born=year", "bins: born=yearly", "There is no binning 'yearly'."),
        ("by: year", "to: year", "'by' is missing."),
    ],
)
def test_a_damaged_schema_file_is_refused(
    tmp_path: Path, old: str, new: str, sentence: str
) -> None:
    raw, schema = tmp_path / "raw.csv", tmp_path / "schema.yaml"
    raw.write_text("born,x\n2001-05-05,a\n2004-01-01,a\n2003-12-31,b\n", encoding="utf-8")
    plan = Preparation.learn(raw, bins=["born=year"], rare="2")
    plan.save(schema)
    assert Preparation.load(schema) == plan
    text = schema.read_text(encoding="utf-8")
    assert old in text, text
    schema.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(DeniableError) as refusal:
        Preparation.load(schema)
    assert sentence in str(refusal.value)
