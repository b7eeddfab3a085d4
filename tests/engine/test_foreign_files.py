"""Files that somebody else made: what they may not read, and what is not told of them."""

import os
import sqlite3
from collections.abc import Mapping
from pathlib import Path

import duckdb
import pytest

from deniable.base.errors import DataError, UnknownValueError
from deniable.engine.open_table import open_table
from deniable.engine.sql import drivers
from deniable.schema import Schema

DIAGNOSIS = "J. Smith, HIV-positive"


def foreign(folder: Path) -> Path:
    """A database whose views look around on whatever machine it is opened."""
    secret, path = folder / "secret.csv", folder / "foreign.db"
    secret.write_text(f'a\n"{DIAGNOSIS}"\n')
    views = {
        "csv": "SELECT * FROM read_csv('{secret}')",
        "file": "SELECT * FROM '{secret}'",
        "text": "SELECT content AS a FROM read_text('{secret}')",
        "names": "SELECT file AS a FROM glob('{folder}/*')",
        "stumbling": "SELECT CAST('{value}' AS INTEGER) AS a FROM honest",
    }
    with duckdb.connect(str(path)) as made:
        made.execute("CREATE TABLE honest AS SELECT 'yes' AS a FROM range(5)")
        for name, query in views.items():
            told = query.format(secret=secret, folder=folder, value=DIAGNOSIS)
            made.execute(f"CREATE VIEW {name} AS {told}")
    return path


def everything(path: Path, table: str) -> list[object]:
    found = open_table(f"duckdb:///{path}#{table}")
    return [value for batch in found.batches(found.names) for value in batch["a"].to_pylist()]


@pytest.mark.parametrize("view", ["csv", "file", "text", "names"])
def test_a_view_of_somebody_elses_reads_no_other_file(tmp_path: Path, view: str) -> None:
    path = foreign(tmp_path)
    assert everything(path, "honest") == ["yes"] * 5
    with pytest.raises(DataError, match="wants to read more than its own file") as told:
        everything(path, view)
    assert DIAGNOSIS not in str(told.value)


@pytest.mark.parametrize("view", ["csv", "file", "text", "names"])
def test_with_the_door_open_it_would(
    tmp_path: Path, view: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        drivers.DuckDB,
        "_alone",
        staticmethod(lambda file: drivers.connect(database=str(file), read_only=True)),
    )
    found = str(everything(foreign(tmp_path), view))
    assert DIAGNOSIS in found or "secret.csv" in found


def test_a_value_that_a_view_stumbles_over_is_not_told(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="a value does not fit") as told:
        everything(foreign(tmp_path), "stumbling")
    assert "Smith" not in str(told.value)


@pytest.mark.parametrize(
    "order",
    [
        "SET enable_external_access = true",
        "SET lock_configuration = false",
        "COPY honest TO '{folder}/copy.csv'",
        "ATTACH '{folder}/other.db'",
        "LOAD httpfs",
        "INSTALL httpfs",
    ],
)
def test_nothing_opens_the_door_again(tmp_path: Path, order: str) -> None:
    opened = drivers.DuckDB(foreign(tmp_path))
    with pytest.raises(duckdb.Error):
        opened._backend.con.execute(order.format(folder=tmp_path))
    assert not (tmp_path / "copy.csv").exists()


def test_a_view_of_sqlite_calls_no_function_of_this_program(tmp_path: Path) -> None:
    path = tmp_path / "foreign.sqlite"
    with sqlite3.connect(path) as made:
        made.execute("CREATE TABLE honest AS SELECT 'yes' AS a")
        made.execute("CREATE VIEW v AS SELECT seen(a) AS a FROM honest")
    made.close()
    seen: list[str] = []
    opened = drivers.SQLite(path)
    opened._connection.create_function("seen", 1, seen.append)
    with pytest.raises(sqlite3.OperationalError, match="unsafe use of"):
        opened._connection.execute("SELECT * FROM v").fetchall()
    assert seen == []
    opened._connection.execute("PRAGMA trusted_schema = ON")  # as it is without us
    opened._connection.execute("SELECT * FROM v").fetchall()
    assert seen == ["yes"]


# --- What would fill the memory ------------------------------------------------------------------

ENDLESS = 1 << 36
"""64 GiB of nothing: as a file with a hole, or packed, it takes no room to send."""


@pytest.mark.parametrize(
    ("begin", "what"),
    [
        ("", "a first line"),
        pytest.param("a,b\nno,x\n", "a line", marks=pytest.mark.slow),
        pytest.param('a,b\nno,"', "a line", marks=pytest.mark.slow),
    ],
)
def test_a_line_without_end_is_not_read_to_its_end(tmp_path: Path, begin: str, what: str) -> None:
    path = tmp_path / "long.csv"
    path.write_text(begin)
    os.truncate(path, ENDLESS)
    with pytest.raises(DataError, match=f"has {what} of more than 16 MiB"):
        for _ in open_table(path).batches(["a"]):
            pass


def test_a_view_of_sqlite_makes_no_value_that_fills_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "foreign.sqlite"
    with sqlite3.connect(path) as made:
        made.execute("CREATE TABLE honest AS SELECT 'yes' AS a")
        made.execute("CREATE VIEW long AS SELECT hex(zeroblob(8000000)) AS a FROM honest")
        made.execute("CREATE VIEW endless AS SELECT hex(zeroblob(400000000)) AS a FROM honest")
    made.close()

    def read(view: str) -> int:
        found = open_table(f"sqlite:///{path}#{view}")
        return sum(len(batch["a"][0].as_py()) for batch in found.batches(["a"]))

    assert read("long") == 16_000_000
    with pytest.raises(DataError, match="has a record of more than 16 MiB"):
        read("endless")


# --- What is not told ----------------------------------------------------------------------------

LINES: Mapping[str, str] = {
    "plain": f'"{DIAGNOSIS}",yes,1961\n"K. Jones",no,1970\n',
    "of two alike": f'"{DIAGNOSIS}",yes,"{DIAGNOSIS}"\n',
    "ragged": f'"{DIAGNOSIS}",yes,1961\n"{DIAGNOSIS}",no\n',
}


@pytest.mark.parametrize("lines", LINES.values(), ids=LINES)
@pytest.mark.parametrize("wanted", [["smokes"], ["smokes", "born"], ["yes", "smokes"]])
def test_a_table_without_a_header_is_refused_without_a_word_of_it(
    tmp_path: Path, lines: str, wanted: list[str]
) -> None:
    path = tmp_path / "raw.csv"
    path.write_text(lines)
    with pytest.raises(DataError) as told:
        open_table(path).read(Schema.of({name: ["no", "yes"] for name in wanted}))
    assert "Smith" not in str(told.value)
    assert "1961" not in str(told.value)


def test_how_many_columns_there_are_is_told(tmp_path: Path) -> None:
    path = tmp_path / "raw.csv"
    path.write_text(LINES["plain"])
    with pytest.raises(DataError) as told:
        open_table(path).require(["smokes"])
    assert told.value.hint == (
        "It has 3 columns, and none of that name. The first line must name them."
    )


def test_a_value_that_is_not_listed_is_told_to_its_holder_and_not_to_logs(tmp_path: Path) -> None:
    path = tmp_path / "raw.csv"
    path.write_text(f'smokes\nyes\n"{DIAGNOSIS}"\n')
    with pytest.raises(UnknownValueError, match="Smith") as told:
        open_table(path).read(Schema.of({"smokes": ["no", "yes"]}))
    assert told.value.discreet == f"{path}, row 2: 'smokes' has a value that is not in its list."
