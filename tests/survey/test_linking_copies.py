"""A copy of every file of a survey's database, taken at any moment, links nobody with an answer.

People take a token and answer at once, one after the other, and the thief knows in which order. The
thief copies the whole folder once: the database, its log, and whatever else lies there.
"""

import random
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from math import sqrt
from pathlib import Path
from threading import Thread

import httpx
import pytest

from deniable.base.fingerprint import digest_of
from deniable.survey.invitations import invitations
from deniable.survey.store.backup import back_up
from deniable.survey.store.database import SurveyDatabase
from deniable.survey.store.intake import Verdict
from deniable.survey.tokens import PublicKey
from forking import Nursery
from survey.matching import chance, score, signed_score
from survey.nursery import nursery_in, served
from survey.serving import open_store, serving
from survey.visitors import person, send, stranger, take_token, write_survey
from waiting import free_port

pytestmark = pytest.mark.slow

PEOPLE = 60
PAGE = 4096
ON_LINUX = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="it stops a process")

Copy = Mapping[str, bytes]
"""All files of a folder, by name."""


def copied(folder: Path) -> Copy:
    """Copy a folder."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


# --- The attack ----------------------------------------------------------------------------------


def places(content: bytes, name: str) -> list[int]:
    """Everywhere in a file that a name stands."""
    found, at = [], content.find(name.encode())
    while at >= 0:
        found.append(at)
        at = content.find(name.encode(), at + 1)
    return found


CLUES = {
    "first": lambda found: found[0],
    "last": lambda found: found[-1],
    "first in its page": lambda found: found[0] % PAGE,
    "last in its page": lambda found: found[-1] % PAGE,
    "how often": len,
}


def best_fit(copy: Copy, arrived: Sequence[str]) -> tuple[float, str]:
    """How well any trace in any file fits the order in which answers arrived."""
    found = [(0.0, "")]
    for file, content in copy.items():
        seen = {name: where for name in arrived if (where := places(content, name))}
        order = [arrived.index(name) for name in seen]
        for clue, read in CLUES.items():
            fit = score(order, [read(where) for where in seen.values()])
            found.append((fit, f"{clue} in {file}"))
    return max(found)


def linked(copy: Copy, arrived: Sequence[str]) -> int:
    """How many people the log gives their answers, by the first place where each stands."""
    log = copy["habits.db-wal"]
    listed = sorted(arrived, key=lambda name: [*places(log, name), len(log)][0])
    return sum(ours == theirs for ours, theirs in zip(arrived, listed, strict=True))


def newest(copy: Copy, arrived: Sequence[str]) -> list[str]:
    """Answers that the log holds and the database does not hold yet."""
    log, file = copy.get("habits.db-wal", b""), copy["habits.db"]
    return [name for name in arrived if name.encode() in log and name.encode() not in file]


# --- The survey ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Invited:
    """A survey, and the codes of those who are invited, in the order of their coming."""

    survey: Path
    codes: Sequence[str]

    @property
    def folder(self) -> Path:
        """Where the database is."""
        return self.survey.parent

    @property
    def database(self) -> Path:
        """The database."""
        return self.survey.with_suffix(".db")


@pytest.fixture
def invited(tmp_path: Path) -> Invited:
    survey = write_survey(tmp_path, invitations=True, after=PEOPLE // 2, every=PEOPLE)
    store = open_store(survey)
    codes, _ = invitations(store, "http://127.0.0.1", PEOPLE)
    store.invite(codes)
    store.database.close()
    return Invited(survey, codes)


def answering(client: httpx.Client, codes: Sequence[str], arrived: list[str]) -> Iterator[None]:
    """Let people answer, one after the other; each is noted before their answer is sent."""
    described = client.get("/api/survey").json()
    public = PublicKey.of_jwk(described["key"])
    for code in codes:
        someone = person(described, take_token(client, public, code)).answer
        arrived.append(someone.id)
        assert send(client, someone).status_code == 200
        yield


def everybody_answers(found: Invited) -> list[tuple[Copy, list[str]]]:
    """Serve the survey until all have answered; copy the folder after each answer."""
    arrived: list[str] = []
    with serving(found.survey) as served_, stranger(served_.url) as client:
        coming = answering(client, found.codes, arrived)
        return [(copied(found.folder), list(arrived)) for _ in coming]


TRIES = PEOPLE * 3 * len(CLUES)
"""Copies, files and clues."""

TOLD = 7.0
"""What is told anyway: who was released and who waits are two tables. Where these lie one after the
other, and each in no order, a rank correlation of 3/4 is left, a score of 5.8 with a deviation of
0.25 (two halves of 30). The order of all of them would be 7.7."""


def test_a_copy_after_any_answer_matches_nobody(invited: Invited) -> None:
    copies = everybody_answers(invited)
    for copy, arrived in copies:
        assert copy["habits.db-wal"] == b""
        assert all(name.encode() in copy["habits.db"] for name in arrived)
        assert best_fit(copy, arrived) < (max(chance(TRIES), TOLD), "")
    final, arrived = copies[-1]
    assert all(len(places(final["habits.db"], name)) == 1 for name in arrived[PEOPLE // 2 :])


def test_the_attack_links_everybody_where_the_log_is_left_to_grow(
    invited: Invited, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SurveyDatabase, "_empty_log", lambda _: None)
    copy, arrived = everybody_answers(invited)[-1]
    assert best_fit(copy, arrived) > (max(chance(TRIES), TOLD), "")
    assert linked(copy, arrived) == PEOPLE
    assert len(newest(copy, arrived)) > 1


@pytest.fixture(scope="module")
def nursery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nursery]:
    with nursery_in(tmp_path_factory.mktemp("nursery")) as found:
        yield found


@ON_LINUX
def test_a_copy_in_the_middle_of_a_commit_tells_that_commit_and_no_more(
    invited: Invited, nursery: Nursery
) -> None:
    port, pauses = free_port(), random.Random(16)
    copies, arrived = [], list[str]()

    def all_answer() -> None:
        with stranger(f"http://127.0.0.1:{port}") as client:
            for _ in answering(client, invited.codes, arrived):
                pass

    with served(nursery, invited.survey, invited.database, port) as server:
        people = Thread(target=all_answer)
        people.start()
        while people.is_alive():
            time.sleep(pauses.uniform(0, 0.01))
            with server.halted():
                copies.append((copied(invited.folder), list(arrived)))
        people.join()
    assert len(arrived) == PEOPLE
    assert any(copy.get("habits.db-wal") for copy, _ in copies)  # some moments were in a commit
    for copy, known in copies:
        assert len(newest(copy, known)) <= 1  # people came one by one: a commit holds one answer
        assert best_fit(copy, known) < (chance(len(copies) * 3 * len(CLUES)), "")


# --- Batches -------------------------------------------------------------------------------------

FIRST, SECOND = 500, 100


def in_their_pages(folder: Path, came: Mapping[str, int]) -> float:
    """How well the places of rows in their pages fit the order in which they came.

    Each page has a score of its own; their sum, over the root of their number, is one again.
    """
    content = (folder / "habits.db").read_bytes()
    pages: dict[int, list[tuple[int, int]]] = {}
    for name, order in came.items():
        page, place = divmod(content.index(name.encode()), PAGE)
        pages.setdefault(page, []).append((order, place))
    full = [list(zip(*page, strict=True)) for page in pages.values() if len(page) > 2]
    return abs(sum(signed_score(*page) for page in full)) / sqrt(len(full))


def order_of_batches(folder: Path) -> float:
    """How well one copy tells which of two batches answers came with."""
    store = open_store(write_survey(folder, after=FIRST, every=SECOND))
    described = {"asked": store.survey.asked}
    ids = [digest_of(str(number))[:32] for number in range(FIRST + SECOND)]  # the same in every run
    with closing(store.database):
        for batch in (ids[:FIRST], ids[FIRST:]):
            store.keep([replace(person(described).answer, id=each) for each in batch])
        assert store.tallies()["in waiting"] == 0
        for _ in range(2):  # one after the other: now there is time
            store.keep([person(described).answer])
        return in_their_pages(folder, {name: ids.index(name) >= FIRST for name in ids})


def test_one_copy_does_not_tell_which_batch_an_answer_came_with(tmp_path: Path) -> None:
    assert order_of_batches(tmp_path) < chance(1)


def test_answers_that_are_only_added_would_tell_their_batches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deniable.survey.store.store.MOST_REWRITTEN", 0)
    assert order_of_batches(tmp_path) > chance(1)


# --- Invitations ---------------------------------------------------------------------------------

CODES = [f"{number:026}" for number in range(2000)]
USED = 300
"""Of so many invitations; the same in every run, so that the files are, too."""


def order_of_use(folder: Path) -> float:
    """How well one copy tells in which order invitations were used."""
    store = open_store(write_survey(folder, invitations=True))
    with closing(store.database):
        store.invite(CODES)
        for code in CODES[:USED]:
            assert store.use_invitation(code, code.encode()) is Verdict.KEPT
        return in_their_pages(
            folder, {digest_of(code): use for use, code in enumerate(CODES[:USED])}
        )


def test_one_copy_does_not_tell_in_which_order_invitations_were_used(tmp_path: Path) -> None:
    assert order_of_use(tmp_path) < chance(1)


def test_rows_that_grow_when_they_are_used_would_tell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deniable.survey.store.store.UNUSED", None)
    assert order_of_use(tmp_path) > chance(1)


# --- Readers -------------------------------------------------------------------------------------


def log_of(found: Invited) -> int:
    return found.database.with_name("habits.db-wal").stat().st_size


def test_a_long_backup_does_not_keep_the_log_from_being_emptied(
    invited: Invited, tmp_path_factory: pytest.TempPathFactory
) -> None:
    store = open_store(invited.survey)
    described = {"asked": store.survey.asked}
    with closing(store.database), store.database.snapshot():  # as long as it likes
        store.keep([person(described, "x").answer])
        assert log_of(invited) == 0
        rows = back_up(store.database, tmp_path_factory.mktemp("backup") / "copy")
        assert rows > PEOPLE


def test_a_reader_who_stays_stops_neither_the_survey_nor_the_next_emptying(
    invited: Invited, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deniable.survey.store.database.LOG_PATIENCE", 0.05)
    store, other = open_store(invited.survey), open_store(invited.survey)
    described = {"asked": store.survey.asked}
    with closing(store.database), closing(other.database):
        with other.database.reading() as connection:
            connection.exec_driver_sql("SELECT count(*) FROM waiting").all()
            store.keep([person(described, "x").answer])
            assert log_of(invited) > 0
            store.keep([person(described, "y").answer])
        store.keep([person(described, "z").answer])
        assert log_of(invited) == 0
        assert store.tallies()["in waiting"] == 3
