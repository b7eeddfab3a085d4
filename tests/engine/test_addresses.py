"""Every way to write an address: what is read from it, and what is never shown of it."""

import sqlite3
from pathlib import Path

import pytest

from deniable.base.errors import DataError
from deniable.engine.address import Address, is_address
from deniable.engine.open_table import open_table

SERVERS = "postgresql://", "mysql://", "postgres://"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("postgresql://host/clinic#t", True),
        ("spark+local://4#/data", True),
        ("nonsense://x", True),
        ("data.parquet", False),
        ("shards/*.parquet", False),
        ("C:/data.parquet", False),
        ("C:\\data.parquet", False),
        ("C://data.parquet", False),
        ("odd:name.csv", False),
        ("what is://this", False),
        ("://", False),
    ],
)
def test_addresses_are_told_from_paths(name: str, expected: bool) -> None:
    assert is_address(name) is expected


@pytest.mark.parametrize(
    ("name", "shown", "secret"),
    [
        ("postgresql://host/db#t", "postgresql://host/db#t", None),
        ("postgresql://me@host:5433/db#t", "postgresql://me@host:5433/db#t", None),
        ("postgresql://me:pw@host/db#t", "postgresql://me@host/db#t", "pw"),
        ("postgresql://me:@host/db#t", "postgresql://me@host/db#t", None),
        ("postgresql://:pw@host/db#t", "postgresql://@host/db#t", "pw"),
        ("postgresql://me:a%23b%40c%2Fd%3F@host/db#t", "postgresql://me@host/db#t", "a#b@c/d?"),
        ("postgresql://me:a:b@host/db#t", "postgresql://me@host/db#t", "a:b"),
        ("postgresql://me:pw@[::1]:5432/db#t", "postgresql://me@[::1]:5432/db#t", "pw"),
        ("postgresql://me:pw@host:1,[::1]:2/db#t", "postgresql://me@host:1,[::1]:2/db#t", "pw"),
        ("postgresql://me:pw@a:1,b:2/db#t", "postgresql://me@a:1,b:2/db#t", "pw"),
        ("postgresql:///db?host=/run/pg#t", "postgresql:///db?host=/run/pg#t", None),
        ("postgresql://h/db?password=pw#t", "postgresql://h/db#t", "pw"),
        ("postgresql://h/db?sslmode=require&sslpassword=x#t", "postgresql://h/db#t", None),
        ("POSTGRESQL://h/db#t", "postgresql://h/db#t", None),
        ("databricks://h?access_token=abc#t", "databricks://h#t", None),
        ("spark://host:7077?spark.password=pw#/data/a@b", "spark://host:7077#/data/a@b", None),
        ("postgresql://h/db#a%0Ab", "postgresql://h/db#a·b", None),
    ],
)
def test_what_is_shown_holds_no_secret(name: str, shown: str, secret: str | None) -> None:
    address = Address.of(name)
    assert (address.shown, address.secret) == (shown, secret)
    assert address.place == shown.partition("#")[0]


@pytest.mark.parametrize(
    ("fragment", "table"),
    [
        ("reports", "reports"),
        ("my table", "my table"),
        ("my%20table", "my table"),
        ("clinic.reports", "clinic.reports"),
        ("50%25%20%23%22x%22", '50% #"x"'),
        ("50%", "50%"),
        ("Gr%C3%B6%C3%9Fe", "Größe"),
        ("Größe", "Größe"),
        ("a%40b", "a@b"),
        ("", ""),
    ],
)
def test_a_table_s_name_may_be_percent_encoded(fragment: str, table: str) -> None:
    assert Address.of(f"postgresql://me@host/db#{fragment}").table == table


@pytest.mark.parametrize(
    "rest",
    [
        "me:hush#hush@host/db#t",
        "me:hush/hush@host/db#t",
        "me:hush?hush@host/db#t",
        "me:hush@hush@host/db#t",
        "me:12#hush@host/db",
        "me:12/hush@host/db#t",
        "me:hush[@host/db#t",
        "me:hush@host/db#a#b",
        "me:hush℀@host/db#t",
    ],
)
@pytest.mark.parametrize("scheme", SERVERS)
def test_a_sign_that_may_belong_to_the_password_is_refused_without_it(
    scheme: str, rest: str
) -> None:
    with pytest.raises(DataError, match=r"can be read in several ways.*# as %23") as refused:
        open_table(scheme + rest)
    assert "hush" not in str(refused.value)
    assert "12" not in str(refused.value)


def test_files_are_found_from_here_and_from_the_root(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    for path in ("a.db", "sub/a b.db", "odd#?.db"):
        connection = sqlite3.connect(tmp_path / path)
        connection.execute("CREATE TABLE t (x TEXT)")
        connection.close()
    for written, path in {
        "sqlite:///a.db": "a.db",
        "sqlite://a.db": "a.db",
        "sqlite:///sub/a%20b.db": "sub/a b.db",
        "sqlite://sub/a b.db": "sub/a b.db",
        "sqlite:///odd%23%3F.db": "odd#?.db",
        f"sqlite:///{tmp_path}/a.db": "a.db",
        f"sqlite://{tmp_path}/a.db": "a.db",
    }.items():
        table = open_table(f"{written}#t")
        assert table.names == ("x",)
        assert [file.resolve() for file in table.paths] == [(tmp_path / path).resolve()]


def test_a_file_address_is_a_path_from_the_root(tmp_path: Path) -> None:
    (tmp_path / "a b.csv").write_text("x\n1\n")
    (tmp_path / "c.csv").write_text("x\n1\n")
    assert len(open_table(f"file://{tmp_path}/a%20b.csv").paths) == 1
    assert len(open_table(f"file://{tmp_path}/").paths) == 2
    assert len(open_table(f"file://{tmp_path}/*.csv").paths) == 2
    with pytest.raises(DataError, match=r"holds no tables\. Write # in a file's name as %23\."):
        open_table(f"file://{tmp_path}/c.csv#x")
    with pytest.raises(DataError, match=r"takes no options\. Write \? in a file's name as %3F\."):
        open_table(f"file://{tmp_path}/c.csv?x=1")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("postgresq://host/db#t", "postgresq:// is no kind of table .* mean 'postgresql'?"),
        ("https://host/data.csv", "no kind of table .* Use a path, duckdb://, sqlite://, postgres"),
        ("s3://bucket/data.parquet", "s3:// is no kind of table that deniable knows."),
        ("postgresql+psycopg://me:hush@host/db#t", "no kind of table .* mean 'postgresql'?"),
        ("mysql://me:hush@host/db#t", "needs 'ibis-framework.mysql.'. Run pip install"),
        ("sqlite:///no%23such.db#t", "no#such.db does not exist. Check the name."),
        ("sqlite:///no#such.db#t", "no does not exist. Write # in a file's name as %23."),
        ("duckdb:///.#t", "is a directory"),
        ("postgresql://me:hush%zz@host/db#t", "has a % that .* Write % itself as %25."),
        ("postgresql://me:hush@host/db?nonsense=1#t", 'invalid URI query parameter: "nonsense".'),
    ],
)
def test_what_cannot_be_opened_is_said_in_one_sentence(name: str, sentence: str) -> None:
    with pytest.raises(DataError, match=sentence) as refused:
        open_table(name)
    assert "\n" not in str(refused.value)
    assert "hush" not in str(refused.value)
