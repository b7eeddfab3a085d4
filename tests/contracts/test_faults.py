"""Whatever goes wrong with a database: one sentence, a code, nothing left behind; then it works.

Servers are real, and so are the ways in which they fail.
"""

import gc
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from socket import socket
from urllib.parse import quote

import duckdb
import pyarrow as pa
import pytest

from commanding import Command, Outcome
from contracts.postgres import Server, load, run, server
from deniable.base.errors import DataError
from deniable.engine.open_table import open_table
from deniable.engine.sql.postgres import CONNECT_OPTIONS
from deniable.engine.sql.relation import Relation
from deniable.engine.table import Table
from deniable.schema import Schema
from waiting import eventually, free_port

pytestmark = pytest.mark.slow

SCHEMA = Schema.of({"smokes": ["no", "yes"], "age": ["0", "1", "2"], "region": ["north", "south"]})

DESIGN = """\
attributes:
  smokes: ["no", "yes"]
  age: ["0", "1", "2"]
  region: [north, south]
groups:
  - {attributes: [smokes], channel: related, theta: 4/5}
"""

N = 120

PROMPTLY = 15.0
"""Seconds in which a command ends that was told to; a query would go on for an hour."""

STOPS = (signal.SIGINT, 130), (signal.SIGTERM, 143)
"""Ctrl-C and kill, and what a command ends with."""

PEOPLE = pa.table(
    {
        "smokes": [("no", "yes")[number % 2] for number in range(N)],
        "age": [str(number % 3) for number in range(N)],
        "region": [("north", "south")[number % 5 % 2] for number in range(N)],
    }
)

SLOW = """
CREATE VIEW slow AS SELECT smokes, age, region FROM people
WHERE (SELECT pg_sleep(CASE WHEN (SELECT asleep FROM pace) THEN 3600 ELSE 0 END)) IS NOT NULL
"""
"""A view that takes an hour while someone says so."""


@dataclass(frozen=True)
class Work:
    """A command as its user would type it."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    out: str | None
    """The file it writes."""

    def words(self, table: str, folder: Path) -> list[str]:
        target = [] if self.out is None else [self.after[-1], str(folder / self.out)]
        rest = self.after if self.out is None else self.after[:-1]
        return [*self.before, table, *rest, *target, "--design", str(folder / "design.yaml")]


WORKS = {
    "tree": Work(("mine", "tree"), ("--target", "smokes", "--out"), "model.json"),
    "bayes": Work(("mine", "bayes"), ("--target", "smokes", "--out"), "model.json"),
    "rules": Work(
        ("mine", "rules"),
        ("--min-support", "0.1", "--min-confidence", "0.1", "--out"),
        "model.json",
    ),
    "estimate": Work(("estimate",), ("smokes=yes & age=1",), None),
    "tabulate": Work(("tabulate",), ("--into",), "counts.parquet"),
    "disguise": Work(("disguise",), ("--out",), "reports.parquet"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (place := tmp_path / "work").mkdir()
    (place / "design.yaml").write_text(DESIGN, encoding="utf-8")
    return place


@pytest.fixture
def temporary(tmp_path: Path) -> Path:
    (place := tmp_path / "temporary").mkdir()
    return place


@pytest.fixture(scope="module")
def mortal() -> Iterator[Server]:
    """A server that tests may kill."""
    own = Server()
    try:
        load(own.url(), "people", PEOPLE)
        own.run("CREATE TABLE pace (asleep boolean)")
        own.run(SLOW)
        yield own
    finally:
        own.remove()


@pytest.fixture
def private(mortal: Server) -> Server:
    """The same, up and slow."""
    mortal.start()
    mortal.run("TRUNCATE pace")
    mortal.run("INSERT INTO pace VALUES (true)")
    return mortal


def started(words: Sequence[str], temporary: Path, **environment: str) -> "subprocess.Popen[str]":
    """Start the command line, as a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "deniable", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(temporary), **environment},
    )


def ended(process: "subprocess.Popen[str]", within: float = 60.0) -> Outcome:
    try:
        out, err = process.communicate(timeout=within)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise
    return Outcome(process.returncode, out, err)


def sentence_of(done: Outcome, code: int = 1) -> str:
    """The one sentence on standard error; notes and warnings come before it."""
    assert done.code == code, done
    assert done.out == ""
    lines = done.err.splitlines()
    said = [line for line in lines if not line.startswith(("deniable: note:", "deniable: warning"))]
    assert len(said) == 1, done.err
    assert said[0].startswith("deniable: ")
    assert "Traceback" not in done.err
    return said[0].removeprefix("deniable: ")


def assert_nothing_is_left(folder: Path, temporary: Path) -> None:
    assert [path.name for path in folder.iterdir()] == ["design.yaml"]
    assert list(temporary.iterdir()) == []


def assert_stopped(done: Outcome, code: int) -> None:
    assert done.code == code
    assert done.out == ""
    assert "Traceback" not in done.err
    assert len(done.err.splitlines()) <= 2
    assert all(line.startswith("deniable: ") for line in done.err.splitlines())


def assert_works(work: Work, done: Outcome, folder: Path) -> None:
    assert done.code == 0, done.err
    assert work.out is None or (folder / work.out).stat().st_size > 0


# The server goes away, or the user does


def stop(server: Server, how: str) -> None:
    if how == "session ended":
        for session in server.asleep():
            server.run(f"SELECT pg_terminate_backend({session})")
    elif how == "power cut":
        server.kill()
    else:
        server.stop()


@pytest.mark.parametrize(
    ("work", "how"),
    [
        *((name, "power cut") for name in WORKS),
        *((name, how) for name in ("tree", "disguise") for how in ("shut down", "session ended")),
    ],
)
def test_a_server_that_goes_away_in_the_middle_of_a_query(
    work: str, how: str, private: Server, deniable: Command, folder: Path, temporary: Path
) -> None:
    words = WORKS[work].words(f"{private.url()}#slow", folder)
    process = started(words, temporary)
    try:
        eventually(private.asleep)
        stop(private, how)
        done = ended(process, PROMPTLY)
    finally:
        process.kill()
    assert "went away in the middle of a query. Nothing was written; run it" in sentence_of(done)
    assert_nothing_is_left(folder, temporary)
    private.start()
    private.run("UPDATE pace SET asleep = false")
    assert_works(WORKS[work], deniable(*words), folder)


@pytest.mark.parametrize(
    ("work", "number", "code"),
    [
        ("bayes", *STOPS[0]),
        ("tabulate", *STOPS[1]),
        ("disguise", *STOPS[0]),
        ("disguise", *STOPS[1]),
    ],
)
def test_a_user_who_goes_away_ends_the_query_on_the_server_too(
    work: str,
    number: signal.Signals,
    code: int,
    private: Server,
    deniable: Command,
    folder: Path,
    temporary: Path,
) -> None:
    words = WORKS[work].words(f"{private.url()}#slow", folder)
    process = started(words, temporary)
    try:
        eventually(private.asleep)
        process.send_signal(number)
        done = ended(process, PROMPTLY)
    finally:
        process.kill()
    assert_stopped(done, code)
    eventually(lambda: not private.asleep())
    assert_nothing_is_left(folder, temporary)
    private.run("UPDATE pace SET asleep = false")
    assert_works(WORKS[work], deniable(*words), folder)


def test_a_user_who_is_killed_does_not_leave_a_query_behind(
    private: Server, folder: Path, temporary: Path
) -> None:
    process = started(WORKS["estimate"].words(f"{private.url()}#slow", folder), temporary)
    try:
        eventually(private.asleep)
    finally:
        process.kill()
        process.communicate()
    eventually(lambda: not private.asleep())  # the server looks after its askers every 10 seconds


# Ways in


@pytest.fixture(scope="module")
def door() -> Server:
    """The shared server, with people in it, and some who know a password."""
    shared = server()
    load(shared.url(), "people", PEOPLE)
    for user, password in KEYS.items():
        shared.run(f'DROP ROLE IF EXISTS "{user}"')
        shared.add_user(user, password)
        shared.run(f'GRANT pg_read_all_data TO "{user}"')
    return shared


KEYS = {"nurse": "hush-hush", "o'hara @ work": "h:u#s/h?h@u%s&h =+\\'\"é"}


WAYS_IN: dict[str, tuple[Callable[[Server], str], str]] = {
    "wrong password": (lambda s: s.tcp("nurse", "hush-hush!"), "does not let this user in. Check"),
    "no password": (lambda s: s.tcp("nurse", None), "does not let this user in. Check the name"),
    "unknown user": (lambda s: s.tcp("nobody", "hush-hush"), "does not let this user in."),
    "unknown user on the socket": (
        lambda s: s.url().replace("postgres@", "nobody:hush-hush@"),
        "does not let this user in.",
    ),
    "unknown database": (
        lambda s: s.tcp("nurse", "hush-hush", "clinics"),
        "/clinics#people is in a database that does not exist. Check the database's name.",
    ),
    "wrong port": (
        lambda s: f"postgresql://nurse:hush-hush@127.0.0.1:{free_port()}/postgres",
        "cannot be reached. Check that the server runs, its address and its port.",
    ),
    "wrong host": (
        lambda s: "postgresql://nurse:hush-hush@no-such-host.invalid/postgres",
        "no-such-host.invalid/postgres#people cannot be reached.",
    ),
    "no host of several": (
        lambda s: f"postgresql://nurse:hush-hush@127.0.0.1:{free_port()},[::1]:{free_port()}/x",
        "cannot be reached.",
    ),
    "wrong socket": (
        lambda s: "postgresql://nurse:hush-hush@/postgres?host=/no/such/folder",
        "?host=/no/such/folder#people cannot be reached.",
    ),
    "encryption where there is none": (
        lambda s: s.tcp("nurse", "hush-hush") + "?sslmode=require",
        "cannot be read: connection failed: ",
    ),
}


@pytest.mark.parametrize("way", WAYS_IN)
def test_no_way_in(
    way: str, door: Server, deniable: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PGPASSWORD", raising=False)
    address, sentence = WAYS_IN[way]
    table = f"{address(door)}#people"
    for work in WORKS.values():
        said = deniable(*work.words(table, folder))
        assert sentence in sentence_of(said)
        assert "hush" not in said.err
        assert [path.name for path in folder.iterdir()] == ["design.yaml"]
    with pytest.raises(DataError) as refused:
        open_table(table)
    assert "hush" not in "".join(traceback.format_exception(refused.value))


@pytest.mark.parametrize("user", KEYS)
def test_any_password_opens_when_its_signs_are_encoded(
    user: str, door: Server, deniable: Command, folder: Path
) -> None:
    for scheme in ("postgresql", "postgres"):
        address = door.tcp(user, KEYS[user]).replace("postgresql", scheme)
        work = WORKS["bayes"]
        done = deniable(*work.words(f"{address}?sslmode=disable#people", folder))
        assert_works(work, done, folder)
        for secret in (KEYS[user], quote(KEYS[user], safe="")):
            assert secret not in done.err + done.out + (folder / "model.json").read_text()


def test_a_password_may_come_from_the_environment(
    door: Server, deniable: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGPASSWORD", "hush-hush")
    done = deniable(*WORKS["bayes"].words(f"{door.tcp('nurse', None)}#people", folder))
    assert_works(WORKS["bayes"], done, folder)
    monkeypatch.setenv("PGPASSWORD", "hush-hush!")
    said = deniable(*WORKS["bayes"].words(f"{door.tcp('nurse', None)}#people", folder))
    assert "does not let this user in." in sentence_of(said)
    assert "hush" not in said.err


def test_several_hosts_are_tried_in_turn(door: Server, deniable: Command, folder: Path) -> None:
    address = door.tcp("nurse", "hush-hush").replace("@", f"@127.0.0.1:{free_port()},")
    done = deniable(*WORKS["bayes"].words(f"{address}#people", folder))
    assert_works(WORKS["bayes"], done, folder)


@pytest.mark.parametrize("work", ["tree", "disguise"])
def test_no_process_shows_the_password(
    work: str, private: Server, folder: Path, temporary: Path
) -> None:
    private.run("DROP ROLE IF EXISTS nurse")
    private.add_user("nurse", "hush-hush")
    private.run("GRANT pg_read_all_data TO nurse")
    words = WORKS[work].words(f"{private.tcp('nurse', None)}#slow", folder)
    if work == "disguise":
        words[words.index("--out") + 1] = f"{folder}/reports/"  # by several processes
    process = started(words, temporary, PGPASSWORD="hush-hush")
    try:
        eventually(private.asleep)
        shown = subprocess.check_output(["ps", "-A", "-ww", "-o", "args="], text=True)
        process.send_signal(signal.SIGTERM)
        ended(process, PROMPTLY)
    finally:
        process.kill()
    assert words[-1] in shown
    assert "hush" not in shown


def test_a_server_that_never_answers_is_given_up(
    deniable: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen(16)
        address = f"postgresql://127.0.0.1:{silent.getsockname()[1]}/clinic"
        table, hasty = f"{address}#people", f"{address}?connect_timeout=2#people"
        assert "cannot be reached." in sentence_of(deniable(*WORKS["tree"].words(hasty, folder)))
        assert CONNECT_OPTIONS["connect_timeout"] <= 30
        monkeypatch.setitem(CONNECT_OPTIONS, "connect_timeout", 2)
        assert "cannot be reached." in sentence_of(deniable(*WORKS["tree"].words(table, folder)))
        monkeypatch.setitem(CONNECT_OPTIONS, "connect_timeout", 3600)
        monkeypatch.setenv("PGCONNECT_TIMEOUT", "2")
        assert "cannot be reached." in sentence_of(deniable(*WORKS["tree"].words(table, folder)))


# Tables


@pytest.fixture
def clinic(door: Server) -> Iterator[str]:
    """An empty database of the shared server."""
    door.run("CREATE DATABASE clinic")
    try:
        yield door.url("clinic")
    finally:
        gc.collect()
        door.run("DROP DATABASE clinic WITH (FORCE)")


def test_a_table_that_is_not_there(clinic: str, deniable: Command, folder: Path) -> None:
    load(clinic, "reports", PEOPLE)
    run(clinic, "CREATE SCHEMA ward")
    run(clinic, "CREATE VIEW ward.visits AS SELECT * FROM reports")
    for name, sentence in {
        "#report": "has no table 'report'. Did you mean 'reports'?",
        "#ward.visit": "has no table 'ward.visit'. Did you mean 'ward.visits'?",
        "#wart.visits": "has no table 'wart.visits'. Did you mean 'ward.visits'?",
        "#zzz": "has no table 'zzz'. Known: 'reports', 'ward.visits'.",
        "": "names no table. Put its name after #; there are 'reports', 'ward.visits'.",
        "#": "names no table. Put its name after #; there are 'reports', 'ward.visits'.",
    }.items():
        for work in WORKS.values():
            assert sentence in sentence_of(deniable(*work.words(clinic + name, folder)))
    for number in range(9):
        run(clinic, f"CREATE TABLE t{number} ()")
    said = sentence_of(deniable(*WORKS["tree"].words(clinic, folder)))
    assert "'t6', … (11 in all)" in said
    assert [path.name for path in folder.iterdir()] == ["design.yaml"]


def test_tables_of_every_kind_are_read(clinic: str, deniable: Command, folder: Path) -> None:
    load(clinic, "reports", PEOPLE)
    run(clinic, "CREATE SCHEMA ward")
    run(clinic, "CREATE TABLE ward.reports AS SELECT * FROM reports")
    run(clinic, 'CREATE TABLE ward."a.b" AS SELECT * FROM reports')
    run(clinic, "CREATE VIEW seen AS SELECT * FROM reports")
    run(clinic, "CREATE MATERIALIZED VIEW kept AS SELECT * FROM reports")
    run(clinic, "CREATE TABLE parts (LIKE reports) PARTITION BY LIST (age)")
    for age in "012":
        run(clinic, f"CREATE TABLE part{age} PARTITION OF parts FOR VALUES IN ('{age}')")
    run(clinic, "INSERT INTO parts SELECT * FROM reports")
    names = ["reports", "ward.reports", "ward.a.b", "seen", "kept", "parts"]
    for name in ("my table", 'say "no"', "50 % #1", "Größe/Straße?", "o'clock", "a@b", "SELECT"):
        load(clinic, name, PEOPLE)
        names.append(quote(name, safe=""))
    answers = set()
    for name in names:
        done = deniable(*WORKS["estimate"].words(f"{clinic}#{name}", folder), "--json")
        assert done.code == 0, done.err
        answers.add(done.out)
    assert len(answers) == 1


def test_a_table_that_may_not_be_read(clinic: str, deniable: Command, folder: Path) -> None:
    load(clinic, "people", PEOPLE.append_column("diagnosis", [["flu"] * N]))
    run(clinic, "CREATE SCHEMA locked")
    run(clinic, "CREATE TABLE locked.people AS SELECT * FROM people")
    run(clinic, "DROP ROLE IF EXISTS guest")
    run(clinic, "CREATE ROLE guest LOGIN")
    guest = clinic.replace("postgres@", "guest@")
    for work in WORKS.values():
        for name, problem in {
            "people": "permission denied for table people",
            "locked.people": "permission denied for schema locked",
        }.items():
            said = sentence_of(deniable(*work.words(f"{guest}#{name}", folder)))
            assert f"may not be read by this user: {problem}. Ask its owner" in said
    assert [path.name for path in folder.iterdir()] == ["design.yaml"]
    # Columns that the design does not name need not be readable.
    run(clinic, "GRANT SELECT (smokes, age, region) ON people TO guest")
    for work in WORKS.values():
        assert_works(work, deniable(*work.words(f"{guest}#people", folder)), folder)
    gc.collect()
    run(clinic, "DROP OWNED BY guest")
    run(clinic, "DROP ROLE guest")


def test_a_column_that_is_not_there(clinic: str, deniable: Command, folder: Path) -> None:
    load(clinic, "people", PEOPLE.rename_columns(["smoke", "age", "region"]))
    for work in WORKS.values():
        said = sentence_of(deniable(*work.words(f"{clinic}#people", folder)))
        assert "#people has no column 'smokes'. Did you mean 'smoke'?" in said


# Types of columns

EXPECTED = [[1, 0, 0], [0, 0, 1]]

GOOD_TYPES = {
    "text and integer": ("text", "integer", "'no', 0", "'yes', 2"),
    "boolean and smallint": ("boolean", "smallint", "false, 0", "true, 2"),
    "padded and numeric": ("char(9)", "numeric", "'no', 0", "'yes', 2.00"),
    "varchar and decimals": ("varchar(3)", "numeric(9, 3)", "'no', 0", "'yes', 2"),
    "real": ("text", "real", "'no', 0", "'yes', 2"),
    "double": ("text", "double precision", "'no', 0", "'yes', 2"),
    "padded digit": ("text", "char(3)", "'no', '0'", "'yes', '2'"),
    "an enum": ("mood", "bigint", "'no', 0", "'yes', 2"),
    "an enum elsewhere": ('ward."my mood"', "bigint", "'no', 0", "'yes', 2"),
    "domains": ("agreed", "score", "false, 0", "true, 2"),
    "one number in three ways": ("text", "numeric", "'no', 0.00", "'yes', 2.0"),
}

BAD_TYPES = {
    "array": ("text[]", "'{no}'", "is of type array<string>, which holds no plain values"),
    "bytes": ("bytea", "'no'", "is of type binary, which holds no plain values"),
    "json": ("json", "'\"no\"'", "is of type json, which holds no plain values"),
    "jsonb": ("jsonb", "'\"no\"'", "is of type jsonb, which holds no plain values"),
    "point": ("point", "'(1, 2)'", "is of type point:geometry, which holds no plain values"),
    "date": ("date", "'2020-02-29'", "has the value '2020-02-29', which is not one of 'no'"),
    "timestamp": ("timestamp", "'infinity'", "has the value 'infinity', which is not one of"),
    "moment": ("timestamptz", "'2020-01-01 00:00Z'", "the value '2020-01-01 00:00:00+00', which"),
    "interval": ("interval", "'1 day'", "has the value '1 day', which is not one of 'no', 'yes'"),
    "uuid": ("uuid", "gen_random_uuid()", "which is not one of 'no', 'yes'"),
    "address": ("inet", "'127.0.0.1'", "has the value '127.0.0.1/32', which is not one of"),
    "money": ("money", "1", "which is not one of 'no', 'yes'"),
    "integer": ("integer", "7", "has the value '7', which is not one of 'no', 'yes'"),
    "huge number": ("numeric", "1e60", "has the value '1e+60', which is not one of 'no', 'yes'"),
    "not a number": ("numeric", "'NaN'", "'smokes' is missing."),
    "null": ("text", "NULL", "'smokes' is missing."),
    "unknown value": ("text", "'maybe'", "'smokes' has the value 'maybe', which is not one of"),
    "another enum": ("mood", "'mixed'", "'smokes' has the value 'mixed', which is not one of"),
}


def make_types(clinic: str) -> None:
    run(clinic, "CREATE SCHEMA ward")
    run(clinic, "CREATE TYPE mood AS ENUM ('no', 'yes', 'mixed')")
    run(clinic, "CREATE TYPE ward.\"my mood\" AS ENUM ('no', 'yes')")
    run(clinic, "CREATE DOMAIN agreed AS boolean")
    run(clinic, "CREATE DOMAIN score AS numeric CHECK (value >= 0)")


def test_columns_of_every_plain_type_are_counted_and_read(clinic: str) -> None:
    make_types(clinic)
    schema = Schema.of({"smokes": ["no", "yes"], "age": ["0", "1", "2"]})
    for number, (smokes, age, *rows) in enumerate(GOOD_TYPES.values()):
        run(clinic, f"CREATE TABLE t{number} (smokes {smokes}, age {age}, place point)")
        for row in rows:
            run(clinic, f"INSERT INTO t{number} VALUES ({row})")  # noqa: S608
        table = open_table(f"{clinic}#t{number}")
        (found,) = table.engine(schema).tabulate([("smokes", "age")])
        assert found.dense().tolist() == EXPECTED, (smokes, age)
        (records,) = table.records(schema)
        assert [column.tolist() for column in records.columns] == [[0, 1], [0, 2]], (smokes, age)


def test_columns_of_other_types_are_refused(clinic: str, deniable: Command, folder: Path) -> None:
    make_types(clinic)
    for number, (kind, value, sentence) in enumerate(BAD_TYPES.values()):
        run(clinic, f"CREATE TABLE t{number} (smokes {kind}, age integer, region text)")
        run(clinic, f"INSERT INTO t{number} VALUES ({value}, 1, 'north')")  # noqa: S608
        for work in WORKS.values():
            said = sentence_of(deniable(*work.words(f"{clinic}#t{number}", folder)))
            assert sentence in said
    assert [path.name for path in folder.iterdir()] == ["design.yaml"]


def test_raw_records_that_do_not_fit_are_named_by_their_row(
    clinic: str, deniable: Command, folder: Path
) -> None:
    smokes = PEOPLE.column("smokes").to_pylist()
    table = PEOPLE.set_column(0, "smokes", [[*smokes[:-1], "maybe"]])
    address = load(clinic, "people", table)
    said = sentence_of(deniable(*WORKS["disguise"].words(address, folder)))
    assert f"#people, row {N}: 'smokes' has the value 'maybe'" in said
    empty = load(clinic, "people", PEOPLE.slice(0, 0))
    for work in WORKS.values():
        said = sentence_of(deniable(*work.words(empty, folder)))
        assert "#people has no records. Collect some first." in said
    assert [path.name for path in folder.iterdir()] == ["design.yaml"]


# One snapshot, nothing written


def count_of(table: Table) -> int:
    return table.engine(SCHEMA).tabulate([("smokes",)])[0].n


def test_records_that_arrive_meanwhile_change_nothing(clinic: str) -> None:
    table = open_table(load(clinic, "people", PEOPLE))
    assert count_of(table) == N
    run(clinic, "INSERT INTO people SELECT * FROM people")
    assert count_of(table) == N
    assert sum(map(len, table.records(SCHEMA))) == N
    first = next(iter(table.batches(SCHEMA.names)))
    assert first.num_rows == N
    run(clinic, "DELETE FROM people")
    assert count_of(table) == N
    assert sum(batch.num_rows for batch in table.batches(SCHEMA.names)) == N


def test_a_question_that_fails_does_not_end_the_snapshot(clinic: str) -> None:
    load(clinic, "people", PEOPLE)
    run(
        clinic,
        "CREATE VIEW risky AS SELECT smokes, region, (1 / (age::int - 1))::text AS age FROM people",
    )
    table = open_table(f"{clinic}#risky")
    assert count_of(table) == N
    run(clinic, "INSERT INTO people SELECT * FROM people")
    for _ in range(2):
        with pytest.raises(DataError, match="cannot be read: division by zero"):
            table.engine(SCHEMA).tabulate([("age",)])
    assert count_of(table) == N


def test_two_readers_do_not_mind_each_other(clinic: str) -> None:
    table = open_table(load(clinic, "people", PEOPLE))
    both = zip(table.batches(("smokes",)), table.batches(("age",)), strict=True)
    assert [(one.num_rows, other.num_rows, count_of(table)) for one, other in both] == [(N, N, N)]


def test_a_session_cannot_write(clinic: str) -> None:
    load(clinic, "people", PEOPLE)
    run(
        clinic,
        "CREATE FUNCTION spy() RETURNS text LANGUAGE sql VOLATILE AS "
        "$$ INSERT INTO people VALUES ('no', '0', 'north') RETURNING age $$",
    )
    run(clinic, "CREATE VIEW watched AS SELECT smokes, spy() AS age, region FROM people")
    with pytest.raises(DataError, match="cannot execute INSERT in a read-only transaction"):
        open_table(f"{clinic}#watched").engine(SCHEMA).tabulate([("age",)])
    assert run(clinic, "SELECT count(*) FROM people") == [(N,)]


def test_counts_are_not_taken_through_a_cursor_but_records_are(clinic: str) -> None:
    # PostgreSQL never fills a cursor by several processes.
    table = open_table(load(clinic, "people", PEOPLE))
    before = len(server().log)
    assert count_of(table) == N
    assert "DECLARE" not in server().log[before:]
    assert "GROUP BY" in server().log[before:]
    assert sum(batch.num_rows for batch in table.batches(SCHEMA.names)) == N
    assert "DECLARE" in server().log[before:]


ENDLESS = {
    "postgresql": "SELECT 'no' AS smokes, '0' AS age, 'north' AS region, "
    "generate_series(1, 1000000000)",
    "sqlite": "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r WHERE x < 1000000000)"
    " SELECT 'no' AS smokes, '0' AS age, 'north' AS region FROM r",
    "duckdb": "SELECT 'no' AS smokes, '0' AS age, 'north' AS region FROM range(1000000000)",
}


@pytest.mark.parametrize("engine", ENDLESS)
def test_records_come_as_they_are_asked_for(engine: str, clinic: str, tmp_path: Path) -> None:
    view = f"CREATE VIEW endless AS {ENDLESS[engine]}"
    if engine == "postgresql":
        run(clinic, view)
        address = clinic
    elif engine == "sqlite":
        address = f"sqlite:///{sqlite_file(tmp_path, view)}"
    else:
        address = f"duckdb:///{duckdb_file(tmp_path, view)}"
    # A billion records would take many minutes, and all of the memory.
    batches = open_table(f"{address}#endless").batches(SCHEMA.names)
    assert 0 < next(batches).num_rows <= 1 << 16
    assert 0 < next(batches).num_rows <= 1 << 16
    batches.close()  # type: ignore[attr-defined]


# Files of SQLite and DuckDB


def sqlite_file(folder: Path, *statements: str) -> Path:
    connection = sqlite3.connect(path := folder / "clinic.sqlite")
    connection.execute("CREATE TABLE people (smokes TEXT, age INTEGER, region TEXT)")
    connection.executemany(
        "INSERT INTO people VALUES (?, ?, ?)", [tuple(row.values()) for row in PEOPLE.to_pylist()]
    )
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()
    return path


def duckdb_file(folder: Path, *statements: str) -> Path:
    with duckdb.connect(str(path := folder / "clinic.duckdb")) as connection:
        connection.register("arriving", PEOPLE)
        connection.execute("CREATE TABLE people AS SELECT * FROM arriving")
        for statement in statements:
            connection.execute(statement)
    return path


FILES = {"sqlite": sqlite_file, "duckdb": duckdb_file}

each_file = pytest.mark.parametrize("engine", FILES)


@each_file
def test_a_file_of_a_database_is_only_read(
    engine: str, deniable: Command, folder: Path, tmp_path: Path
) -> None:
    file = FILES[engine](tmp_path)
    file.chmod(0o444)
    before, contents = sorted(tmp_path.rglob("*")), file.read_bytes()
    table = f"{engine}:///{file}#people"
    assert deniable(*WORKS["estimate"].words(table, folder)).code == 0
    opened = open_table(table)
    assert isinstance(opened, Relation)
    with pytest.raises((sqlite3.OperationalError, duckdb.Error), match=r"read-?only"):
        opened._table.get_backend().con.execute("CREATE TABLE unwanted (x INTEGER)")
    del opened
    for name, sentence in {
        f"{file}#peopel": "has no table 'peopel'. Did you mean 'people'?",
        f"{file}": "names no table. Put its name after #; there are 'people'.",
        f"{file}.gone#people": ".gone does not exist. Check the name.",
        f"{tmp_path}#people": "is a directory. Check the name.",
    }.items():
        for work in WORKS.values():
            assert sentence in sentence_of(deniable(*work.words(f"{engine}:///{name}", folder)))
    gc.collect()
    assert sorted(tmp_path.rglob("*")) == before
    assert file.read_bytes() == contents


@each_file
def test_a_file_that_is_no_database(
    engine: str,
    deniable: Command,
    folder: Path,
    temporary: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    (file := tmp_path / "letter.db").write_text("Dear diary, " * 1000)
    other = {"sqlite": "duckdb", "duckdb": "sqlite"}[engine]
    for path in (file, FILES[other](tmp_path)):
        for work in WORKS.values():
            said = sentence_of(deniable(*work.words(f"{engine}:///{path}#people", folder)))
            assert "is not such a database. Check the file, and the word before ://." in said
    assert_nothing_is_left(folder, temporary)


HOLD = {
    "sqlite": "import sqlite3; c = sqlite3.connect({!r}); c.execute('BEGIN EXCLUSIVE')",
    "duckdb": "import duckdb; c = duckdb.connect({!r})",
}


@each_file
def test_a_file_that_another_program_writes(
    engine: str,
    deniable: Command,
    folder: Path,
    temporary: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    file = FILES[engine](tmp_path)
    words = WORKS["bayes"].words(f"{engine}:///{file}#people", folder)
    script = HOLD[engine].format(str(file)) + "; print('held', flush=True); input()"
    holder = subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        said = sentence_of(deniable(*words))
        assert "is locked by another program. Wait until it is done, or close it." in said
        assert_nothing_is_left(folder, temporary)
    finally:
        holder.kill()
        holder.communicate()
    assert_works(WORKS["bayes"], deniable(*words), folder)


def test_records_that_arrive_in_sqlite_meanwhile_change_nothing(tmp_path: Path) -> None:
    file = sqlite_file(tmp_path, "PRAGMA user_version = 1")
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    table = open_table(f"sqlite:///{file}#people")
    assert count_of(table) == N
    connection.execute("INSERT INTO people SELECT * FROM people")
    connection.commit()
    assert count_of(table) == N
    assert sum(batch.num_rows for batch in table.batches(SCHEMA.names)) == N
    connection.close()
    assert count_of(open_table(f"sqlite:///{file}#people")) == 2 * N


def test_columns_of_sqlite_may_hold_anything(tmp_path: Path) -> None:
    file = sqlite_file(
        tmp_path,
        "CREATE TABLE loose (smokes, age INTEGER, region TEXT)",
        "INSERT INTO loose VALUES ('no', 0, 'north'), ('yes', 2, 'south')",
        "CREATE VIEW nobody AS SELECT smokes || '' AS smokes, age, region FROM loose WHERE age = 7",
        "CREATE TABLE looser (smokes BOOLEAN, age INTEGER, region TEXT)",
        "INSERT INTO looser VALUES (0, 1, 'north'), (1, 'many', 'south')",
    )
    assert count_of(open_table(f"sqlite:///{file}#loose")) == 2
    with pytest.raises(DataError, match="#nobody has no records"):
        count_of(open_table(f"sqlite:///{file}#nobody"))
    table = open_table(f"sqlite:///{file}#looser")
    assert count_of(table) == 2
    with pytest.raises(DataError, match="'age' has the value 'many', which is not one of '0', '1'"):
        table.engine(SCHEMA).tabulate([("age",)])
    with pytest.raises(DataError, match="row 2: 'age' has the value 'many'"):
        list(table.records(SCHEMA))


def test_two_tables_of_one_file_are_pooled(deniable: Command, folder: Path, tmp_path: Path) -> None:
    for engine, make in FILES.items():
        file = make(tmp_path, "CREATE TABLE more AS SELECT * FROM people")
        done = deniable(
            *WORKS["estimate"].words(f"{engine}:///{file}#people", folder),
            *("--with", f"{engine}:///{file}#more:{folder / 'design.yaml'}", "--json"),
        )
        assert done.code == 0, done.err


LONG = {
    "sqlite": "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) "
    "SELECT people.* FROM people, r WHERE r.x < 0",
    "duckdb": "SELECT people.* FROM people, range(100000000) a, range(100000000) b "
    "WHERE a.range + b.range < 0",
}
"""Views that take for ever, and have no records in the end."""


def busy_seconds(process: int) -> float:
    said = subprocess.check_output(["ps", "-o", "time=", "-p", str(process)], text=True)
    hours, minutes, seconds = ["0", *said.strip().split(":")][-3:]
    return int(hours) * 3600 + int(minutes) * 60 + float(seconds)


@pytest.mark.parametrize(
    ("work", "number", "code"), [("estimate", *STOPS[0]), ("disguise", *STOPS[1])]
)
@each_file
def test_a_user_who_goes_away_ends_a_query_on_a_file(
    engine: str,
    work: str,
    number: signal.Signals,
    code: int,
    folder: Path,
    temporary: Path,
    tmp_path: Path,
) -> None:
    file = FILES[engine](tmp_path, f"CREATE VIEW long AS {LONG[engine]}")
    process = started(WORKS[work].words(f"{engine}:///{file}#long", folder), temporary)
    try:
        eventually(lambda: busy_seconds(process.pid) > 5)  # to start takes two
        process.send_signal(number)
        assert_stopped(ended(process, PROMPTLY), code)
    finally:
        process.kill()
    assert_nothing_is_left(folder, temporary)


# No room


CRAMPED = """
import resource, sys
import deniable.engine.sql.drivers as drivers
from deniable.cli import main
drivers.MEMORY = sys.argv.pop(1)
most = int(sys.argv.pop(1))
resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
main()
"""
"""The command line with little memory, and files of no more than so many bytes."""

MANY = "CREATE TABLE many AS SELECT md5(range::text) AS smokes, '0' AS age, 'north' AS region "


@pytest.mark.parametrize(
    ("memory", "most", "sentence"),
    [
        ("40MiB", 1 << 20, "could not be counted: there is no room left on the disk for what"),
        ("2MiB", 1 << 40, "could not be counted within the memory allowed. Ask about fewer"),
    ],
)
def test_no_room_for_what_does_not_fit_into_memory(
    memory: str, most: int, sentence: str, folder: Path, temporary: Path, tmp_path: Path
) -> None:
    file = duckdb_file(tmp_path, MANY + "FROM range(2000000)")
    (script := tmp_path / "cramped.py").write_text(CRAMPED)
    words = WORKS["estimate"].words(f"duckdb:///{file}#many", folder)
    process = subprocess.Popen(
        [sys.executable, str(script), memory, str(most), *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(temporary)},
    )
    assert sentence in sentence_of(ended(process))
    assert_nothing_is_left(folder, temporary)


def test_no_room_on_the_server(clinic: str, deniable: Command, folder: Path) -> None:
    run(clinic, MANY.replace("range::text", "i::text") + "FROM generate_series(1, 300000) AS i")
    tight = f"{clinic}&options=-c%20work_mem%3D64kB%20-c%20temp_file_limit%3D64kB%20"
    said = sentence_of(deniable(*WORKS["estimate"].words(f"{tight}#many", folder)))
    assert "could not be counted: its server has no room left on its disk. Make room" in said


def test_a_server_that_allows_little_time(clinic: str, deniable: Command, folder: Path) -> None:
    load(clinic, "people", PEOPLE)
    run(clinic, "CREATE VIEW slow AS SELECT people.* FROM people, pg_sleep(60)")
    brief = f"{clinic}&options=-c%20statement_timeout%3D300"
    said = sentence_of(deniable(*WORKS["estimate"].words(f"{brief}#slow", folder)))
    assert "#slow takes longer to count than its server allows." in said


@pytest.mark.parametrize("work", ["bayes", "tabulate", "disguise"])
def test_no_room_for_the_output(
    work: str, clinic: str, folder: Path, temporary: Path, tmp_path: Path
) -> None:
    address = load(clinic, "people", PEOPLE)
    (script := tmp_path / "cramped.py").write_text(CRAMPED)
    words = WORKS[work].words(address, folder)
    process = subprocess.Popen(
        [sys.executable, str(script), "1GiB", "100", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(temporary)},
    )
    assert "cannot be written: file too large." in sentence_of(ended(process))
    assert_nothing_is_left(folder, temporary)
