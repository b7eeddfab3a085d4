"""A collector with database, logs and invitation list cannot tell whose answer is whose.

People take a token and answer at once, one after the other. This is the worst case: any trace of
the order in which answers arrived would match them with people. The collector knows in which order
the invitations were used, and tries every order in which a database can show its rows.
"""

import hashlib
import re
import signal
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest

from contracts.postgres import fresh_database
from deniable.base.fingerprint import digest_of
from deniable.survey.invitations import invitations
from deniable.survey.tokens import PublicKey, from_base64
from forking import Nursery
from survey.matching import chance, score
from survey.nursery import nursery_in, served
from survey.serving import open_store
from survey.visitors import Person, person, send, stranger, take_token, write_survey
from waiting import free_port

pytestmark = pytest.mark.slow

PEOPLE = 120
PAGE = 4096
"""Bytes in a page of SQLite."""

Row = tuple[Any, ...]
Match = tuple[float, str]
"""A standard score, and what was matched with what."""

Clue = Mapping[str, float]
"""A number for each row of a table, by the row's key."""


@dataclass(frozen=True)
class Loot:
    """What the collector holds; only the test knows that `people` stand in the order of `codes`."""

    database: str | Path
    codes: Sequence[str]
    """The invitations, in the order of their use."""

    people: Sequence[Person]

    def rows(self, query: str) -> list[Row]:
        """Ask the database."""
        if isinstance(self.database, Path):
            with closing(sqlite3.connect(self.database)) as connection:
                return connection.execute(query).fetchall()
        with psycopg.connect(self.database) as connection:
            return connection.execute(query).fetchall()


# --- The attack ----------------------------------------------------------------------------------


def clues(loot: Loot, table: str) -> dict[str, Clue]:
    """Every order in which a database shows the rows of a table, whose first column is its key."""
    rows = loot.rows(f"SELECT * FROM {table}")  # noqa: S608
    keys = [row[0] for row in rows]
    rest = [str(row[1:]) for row in rows]
    ranks = {words: rank for rank, words in enumerate(sorted(set(rest)))}
    see = _in_sqlite if isinstance(loot.database, Path) else _in_postgres
    return see(loot, table) | {
        "as they come": dict(zip(keys, range(len(keys)), strict=True)),
        "key": {key: int(key[:12], 16) for key in keys},
        "content": {key: ranks[words] for key, words in zip(keys, rest, strict=True)},
    }


def _in_sqlite(loot: Loot, table: str) -> dict[str, Clue]:
    assert isinstance(loot.database, Path)
    # What else lies beside the file is looked through in test_linking_copies.py.
    raw = loot.database.read_bytes()
    key = loot.rows(f"PRAGMA table_info({table})")[0][1]
    places = {
        name: raw.index(name.encode())
        for (name,) in loot.rows(f"SELECT {key} FROM {table}")  # noqa: S608
    }
    found: dict[str, Clue] = {
        "place in the file": places,
        "place in its page": {name: place % PAGE for name, place in places.items()},
    }
    with suppress(sqlite3.OperationalError):  # unless it has no numbers, as it should be
        found["number"] = dict(loot.rows(f"SELECT {key}, rowid FROM {table}"))  # noqa: S608
    return found


def _in_postgres(loot: Loot, table: str) -> dict[str, Clue]:
    names = ("block", "line", "transaction", "command")
    found: dict[str, dict[str, float]] = {name: {} for name in names}
    query = f"SELECT ctid::text, xmin::text, cmin::text, * FROM {table}"  # noqa: S608
    for place, transaction, command, key, *_ in loot.rows(query):
        block, line = map(int, re.findall(r"\d+", place))
        found["block"][key] = 1000 * block + line
        found["line"][key] = line
        found["transaction"][key] = int(transaction)
        found["command"][key] = int(command)
    return dict(found)


def best_match(loot: Loot) -> Match:
    """How well the best order of answers fits the best order of people, as a standard score."""
    used = {digest_of(code): place for place, code in enumerate(loot.codes)}
    of_people = {"order of use": used, **clues(loot, "invitations")}
    found = []
    for table in ("waiting", "answers"):
        for seen, answers in clues(loot, table).items():
            here = [
                (digest_of(code), someone.answer.id)
                for code, someone in zip(loot.codes, loot.people, strict=True)
                if someone.answer.id in answers
            ]
            for known, people in of_people.items():
                theirs = [answers[id_] for _, id_ in here]
                fit = score([people[code] for code, _ in here], theirs)
                found.append((fit, f"{known} of people, {seen} of {table}"))
    return max(found)


TRIES = 100
"""No fewer than `best_match` makes: at most 7 orders of people, twice 6 of answers."""


# --- The survey ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def nursery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nursery]:
    with nursery_in(tmp_path_factory.mktemp("nursery")) as found:
        yield found


@dataclass(frozen=True)
class Raid:
    """What the collector holds in the end, and what the attack found before and after closing."""

    loot: Loot
    while_open: Match
    once_closed: Match
    logs: tuple[str, str]
    """What a server wrote that was busy, and what one wrote that nobody visited."""


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def raid(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, nursery: Nursery
) -> Raid:
    """Half of the answers are released and half of them wait; then the survey is closed."""
    folder = tmp_path_factory.mktemp("linking")
    database = folder / "habits.db" if request.param == "sqlite" else fresh_database()
    survey = write_survey(folder, invitations=True, after=PEOPLE // 2, every=PEOPLE)
    store = open_store(survey, database)
    codes, _ = invitations(store, "http://127.0.0.1", PEOPLE)
    store.invite(codes)
    store.database.close()
    port = free_port()
    people = []
    with (
        served(nursery, survey, database, port) as server,
        stranger(f"http://127.0.0.1:{port}") as client,
    ):
        described = client.get("/api/survey").json()
        public = PublicKey.of_jwk(described["key"])
        for code in codes:
            people.append(person(described, take_token(client, public, code)))
            assert send(client, people[-1].answer).status_code == 200
        while_open = best_match(Loot(database, codes, people))
        assert server.end(signal.SIGTERM) == 0
    busy = server.output.read_text()
    with served(nursery, survey, database, port) as server:
        assert server.end(signal.SIGTERM) == 0
    loot = Loot(database, codes, people)
    assert nursery.run("survey", "close", survey, "--database", database)[0] == 0
    return Raid(loot, while_open, best_match(loot), (busy, server.output.read_text()))


def test_nobody_is_matched_with_an_answer_while_answers_come_in(raid: Raid) -> None:
    assert raid.while_open < (chance(TRIES), "")


def test_nobody_is_matched_with_an_answer_once_the_survey_is_closed(raid: Raid) -> None:
    assert raid.once_closed < (chance(TRIES), "")


def test_the_attack_finds_rows_that_stand_in_the_order_of_their_arrival(
    raid: Raid, tmp_path: Path
) -> None:
    found = raid.loot
    invited = found.rows("SELECT code, blinded FROM invitations ORDER BY code")
    arrived = [(one.answer.id, one.answer.arm, one.answer.report) for one in found.people]
    kinds = ("", "WITHOUT ROWID") if isinstance(found.database, Path) else ("",)
    for kind in kinds:
        weak: str | Path = fresh_database()
        if isinstance(found.database, Path):
            weak = tmp_path / f"weak{len(kind)}.db"
        opened = sqlite3.connect(weak) if isinstance(weak, Path) else psycopg.connect(weak)
        with closing(opened) as connection, connection:
            run = connection.cursor()
            sign = "?" if isinstance(weak, Path) else "%s"
            run.execute(f"CREATE TABLE invitations (code text PRIMARY KEY, blinded text) {kind}")
            run.executemany(f"INSERT INTO invitations VALUES ({sign}, {sign})", invited)  # noqa: S608
            for table, rows in (("waiting", arrived[:60]), ("answers", arrived[60:])):
                columns = "id text PRIMARY KEY, arm text, report text"
                run.execute(f"CREATE TABLE {table} ({columns}) {kind}")
                places = f"({sign}, {sign}, {sign})"
                run.executemany(f"INSERT INTO {table} VALUES {places}", rows)  # noqa: S608
        assert best_match(Loot(weak, found.codes, found.people)) > (chance(TRIES), "")


def test_nothing_that_is_kept_of_an_invitation_is_kept_of_an_answer(raid: Raid) -> None:
    loot = raid.loot
    of_invitations = {word for row in loot.rows("SELECT * FROM invitations") for word in row}
    assert {digest_of(code) for code in loot.codes} < of_invitations
    of_answers = {
        word
        for table in ("spent", "waiting", "answers", "settings", "tallies")
        for row in loot.rows(f"SELECT * FROM {table}")  # noqa: S608
        for word in row
    }
    assert {someone.answer.id for someone in loot.people} < of_answers
    assert not of_invitations & of_answers
    for someone in loot.people:  # nor does a token lead to what was signed for it
        token = from_base64(someone.answer.token)
        parts = (token, token[:48], token[48:], someone.answer.token.encode())
        assert not {hashlib.sha256(part).hexdigest() for part in parts} & of_invitations


def test_a_server_writes_nothing_about_its_visitors(raid: Raid) -> None:
    busy, idle = raid.logs
    assert busy == idle


def test_a_stopped_server_leaves_no_log_of_what_was_written_when(raid: Raid) -> None:
    if isinstance(raid.loot.database, Path):
        folder = raid.loot.database.parent
        assert sorted(path.name for path in folder.iterdir()) == ["habits.db", "habits.yaml"]
