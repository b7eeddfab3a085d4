"""Answers enter once, leave when asked, and show no order; the same in SQLite and PostgreSQL."""

import random
import secrets
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from contracts.postgres import fresh_database
from deniable.base.errors import DataError
from deniable.design import Design
from deniable.engine.open_table import open_table
from deniable.oracle.randomized import RandomizedOracle
from deniable.survey.protocol import Submission, receipt_id
from deniable.survey.questionnaire import Survey, load
from deniable.survey.store.backup import back_up, restore
from deniable.survey.store.database import DatabaseError, SurveyDatabase
from deniable.survey.store.intake import Verdict
from deniable.survey.store.participation import Closing
from deniable.survey.store.store import Store

SURVEY = """
survey: trial
title: A trial
languages: [en]
consent: We ask you kindly.
contact: us@example.org
invitations: no
results: {after: 10, every: 5}
quotas: {age: {"over 60": 3}}
questions:
  drugs:
    text: Have you ever taken drugs?
    options: {"no": "No", "yes": "Yes"}
  age:
    text: How old are you?
    options: {"under 60": "Under 60", "over 60": "Over 60"}
groups:
  - {attributes: [drugs], channel: related, theta: 4/5}
"""


def survey_of(tmp_path: Path, words: str = SURVEY) -> Survey:
    path = tmp_path / "trial.yaml"
    path.write_text(words, encoding="utf-8")
    return load(path)


Address = str | Path


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Address:
    return tmp_path / "trial.db" if request.param == "sqlite" else fresh_database()


@pytest.fixture
def store(address: Address, tmp_path: Path) -> Iterator[Store]:
    found = Store(SurveyDatabase(address), survey_of(tmp_path))
    yield found
    found.database.close()


def sent(report: str = "00", *, id_: str = "", by: str = "", **more: Any) -> Submission:
    given = {"arm": "disguised", "device": "page", "understood": 2, **more}
    return Submission("0" * 64, id_ or secrets.token_hex(16), by, report=report, **given)


def rows(store: Store, table: str) -> list[tuple[Any, ...]]:
    with store.database.reading() as connection:
        return [tuple(row) for row in connection.execute(text(f"SELECT * FROM {table}"))]  # noqa: S608


@pytest.mark.slow
def test_an_answer_is_kept_once(store: Store) -> None:
    one = sent("10")
    assert store.keep([one, one]) == [Verdict.KEPT, Verdict.KEPT]
    assert store.keep([one]) == [Verdict.KEPT]
    assert rows(store, "waiting") == [(one.id, "disguised", "10")]
    assert store.tallies()["in waiting"] == store.tallies()["device page"] == 1


@pytest.mark.slow
def test_an_id_is_not_taken_over_by_another_answer(store: Store) -> None:
    one = sent("10")
    store.keep([one])
    assert store.keep([sent("00", id_=one.id), sent("10", id_=one.id, arm="direct")]) == [
        Verdict.TAKEN,
        Verdict.TAKEN,
    ]


def test_a_token_is_spent_by_what_is_committed_only(store: Store) -> None:
    first, second = sent(by="a"), sent(by="a")
    assert store.keep([first, second]) == [Verdict.KEPT, Verdict.SPENT]
    assert store.keep([second, first]) == [Verdict.SPENT, Verdict.KEPT]
    store.close()
    late = sent(by="b")
    assert store.keep([late, first]) == [Verdict.CLOSED, Verdict.KEPT]
    store.reopen()
    assert store.keep([late]) == [Verdict.KEPT]


def test_a_withdrawn_answer_is_gone_and_its_token_stays_spent(store: Store) -> None:
    one = sent(by="a", id_=receipt_id(b"0123456789"))
    store.keep([one])
    assert store.holds(one.id)
    assert store.withdraw(one.id)
    assert not store.withdraw(one.id)
    assert not store.holds(one.id)
    assert store.keep([sent(by="a")]) == [Verdict.SPENT]
    assert store.tallies()["in waiting"] == 0


@pytest.mark.slow
def test_quotas_count_and_a_withdrawn_answer_makes_room(store: Store) -> None:
    old = [sent("01") for _ in range(4)]
    assert store.keep(old[:2]) == [Verdict.KEPT] * 2
    assert store.keep(old[2:]) == [Verdict.KEPT, Verdict.FULL]
    assert store.keep([sent("00")]) == [Verdict.KEPT]
    store.withdraw(old[0].id)
    assert store.keep([old[3]]) == [Verdict.KEPT]


@pytest.mark.slow
def test_answers_wait_for_a_batch_and_are_then_moved_together(store: Store) -> None:
    for number in range(1, 18):
        store.keep([sent()])
        released = 0 if number < 10 else 10 if number < 15 else 15
        assert len(rows(store, "answers")) == released
        assert len(rows(store, "waiting")) == number - released
        found = store.released()
        assert (found["in answers"] if found else 0) == released
    assert store.close() == Closing(again=False, shown=True, hidden=False)
    assert len(rows(store, "answers")) == 17


def test_a_survey_that_ends_with_too_few_answers_shows_none(store: Store) -> None:
    store.keep([sent() for _ in range(9)])
    assert store.close() == Closing(again=False, shown=False, hidden=True)
    assert rows(store, "disguised") == []
    assert store.released() is None


@pytest.mark.slow
def test_closing_again_and_again_does_not_show_the_newest_answer(store: Store) -> None:
    store.keep([sent() for _ in range(12)])
    assert not store.close().hidden
    assert len(rows(store, "answers")) == 12
    for _ in range(4):
        store.reopen()
        store.keep([sent()])
        assert store.close() == Closing(again=False, shown=True, hidden=True)
        assert len(rows(store, "answers")) == 12
    store.reopen()
    store.keep([sent()])
    assert len(rows(store, "answers")) == 17


@pytest.mark.slow
def test_a_late_retry_does_not_bring_a_withdrawn_answer_back(store: Store) -> None:
    one = sent()
    store.keep([one])
    store.withdraw(one.id)
    assert store.keep([one]) == [Verdict.KEPT]
    assert not store.holds(one.id)
    assert store.tallies()["in waiting"] == 0


@pytest.mark.slow
def test_a_quota_that_is_changed_goes_on_counting(address: Address, tmp_path: Path) -> None:
    for words, verdicts in (
        (SURVEY.replace('quotas: {age: {"over 60": 3}}', ""), [Verdict.KEPT] * 2),
        (SURVEY, [Verdict.KEPT, Verdict.FULL]),
        (SURVEY.replace('"over 60": 3', '"over 60": 4'), [Verdict.KEPT, Verdict.FULL]),
    ):
        with closing(SurveyDatabase(address)) as database:
            store = Store(database, survey_of(tmp_path, words))
            assert store.keep([sent("01"), sent("01")]) == verdicts


@pytest.mark.slow
def test_who_is_asked_directly_is_not_counted_among_coins(store: Store) -> None:
    store.keep([sent(arm="direct", understood=0), sent(device="own", understood=1)])
    counts = store.tallies()
    assert (counts["device page"], counts["device own"]) == (0, 1)
    assert (counts["understood 0"], counts["understood 1"]) == (0, 1)


def test_nobody_else_can_read_the_file_or_a_backup(tmp_path: Path) -> None:
    with closing(SurveyDatabase(tmp_path / "trial.db")) as database:
        store = Store(database, survey_of(tmp_path))
        store.keep([sent()])
        back_up(database, tmp_path / "backup")
        for name in ("trial.db", "trial.db-wal", "trial.db-shm", "backup"):
            assert (tmp_path / name).stat().st_mode & 0o077 == 0, name


@pytest.mark.slow
def test_rows_stand_in_the_order_of_their_random_ids(store: Store) -> None:
    for _ in range(17):
        store.keep([sent()])
    for table in ("waiting", "answers"):
        ids = [row[0] for row in rows(store, table)]
        assert ids == sorted(ids)
    if not store.database.is_sqlite:  # nor do they tell by whom they were written
        with store.database.reading() as connection:
            for table in ("waiting", "answers"):
                writers = connection.execute(text(f"SELECT DISTINCT xmin FROM {table}"))  # noqa: S608
                assert len(writers.all()) == 1


@pytest.mark.slow
def test_an_invitation_is_used_for_one_blinded_message(store: Store) -> None:
    store.invite(["abc", "def"])
    assert store.use_invitation("xyz", b"1") is None
    assert store.use_invitation("abc", b"1") is Verdict.KEPT
    assert store.use_invitation("abc", b"1") is Verdict.KEPT
    assert store.use_invitation("abc", b"2") is Verdict.SPENT
    store.close()
    assert store.use_invitation("def", b"1") is Verdict.CLOSED
    assert "abc" not in str(rows(store, "invitations"))


def test_an_invitation_that_was_lost_is_replaced_once(store: Store) -> None:
    store.invite(["lost", "unopened", "other"])
    store.use_invitation("lost", b"1")
    assert store.replace_invitations(["lost", "unopened"], ["new 1", "new 2"]) == 1
    assert store.tallies()["replaced"] == 1
    for code in ("lost", "unopened"):  # the old links end, also for a retry
        assert store.use_invitation(code, b"1") is Verdict.SPENT
    assert store.use_invitation("new 1", b"2") is Verdict.KEPT
    with pytest.raises(DataError, match="replaced already"):
        store.replace_invitations(["lost"], ["new 3"])
    with pytest.raises(DataError, match="Not all of these"):
        store.replace_invitations(["nobody's"], ["new 3"])
    assert store.use_invitation("new 3", b"3") is None


def test_no_more_invitations_are_replaced_than_tokens_can_have_been_lost(store: Store) -> None:
    """Two begin and one of them answers: at most one of the two can need another."""
    store.invite(["one", "two"])
    for code in ("one", "two"):
        store.use_invitation(code, code.encode())
    store.keep([sent("00", by="a" * 576)])
    with pytest.raises(DataError, match="1 have not answered yet, and 2 of these"):
        store.replace_invitations(["one", "two"], ["new", "newer"])
    assert store.tallies()["replaced"] == 0
    assert store.replace_invitations(["one"], ["new"]) == 1  # whichever of the two had answered
    with pytest.raises(DataError, match="0 have not answered yet"):
        store.replace_invitations(["two"], ["newer"])


def test_an_invitation_of_a_version_before_is_used_once_too(store: Store) -> None:
    store.invite(["code"])
    with store.database.writing() as connection:
        connection.execute(text("UPDATE invitations SET blinded = NULL"))
    assert store.use_invitation("code", b"one") is Verdict.KEPT
    assert store.use_invitation("code", b"two") is Verdict.SPENT


@pytest.mark.slow
def test_the_database_is_an_engines_table(store: Store, address: Address) -> None:
    reports = random.Random(1).choices(["00", "10", "00"], k=200)
    store.keep([sent(report) for report in reports])
    store.close()
    design: Design = store.survey.design
    url = store.database.url
    plain = url.set(drivername=url.get_backend_name()).render_as_string(hide_password=False)
    found = open_table(f"{plain}#disguised")
    assert list(found.names) == ["drugs", "age"]
    oracle = RandomizedOracle(found.engine(design.schema), design)
    ones = Counter(reports)["10"]
    assert oracle.n == 200
    assert oracle.count(["drugs=yes"]).value[0] == pytest.approx((ones - 0.2 * 200) / 0.6)


@pytest.mark.slow
def test_a_backup_restores_into_either_database(
    store: Store, tmp_path: Path, address: Address
) -> None:
    store.invite(["abc"])
    answers = [sent("10", by=str(number)) for number in range(12)]
    store.keep(answers)
    copy = tmp_path / "backup"
    back_up(store.database, copy)
    with pytest.raises(DatabaseError, match="exists already"):
        back_up(store.database, copy)
    with pytest.raises(DatabaseError, match="holds a survey already"):
        restore(copy, store.database, store.survey)
    assert not list(tmp_path.glob("backup-*"))
    for other in (tmp_path / "other.db", fresh_database()):
        database = SurveyDatabase(other)
        restore(copy, database, store.survey)
        again = Store(database, store.survey)
        for table in ("settings", "invitations", "spent", "waiting", "answers", "tallies"):
            assert sorted(rows(again, table)) == sorted(rows(store, table))
        assert again.keep(answers) == [Verdict.KEPT] * 12
        database.close()


@pytest.mark.slow
def test_words_with_quotes_and_signs_reach_the_views(address: Address, tmp_path: Path) -> None:
    odd = SURVEY.replace('"under 60": "Under 60"', '"it\'s 100 % {}; :x --": Odd')
    store = Store(SurveyDatabase(address), survey_of(tmp_path, odd))
    store.keep([sent("00") for _ in range(10)])
    assert rows(store, "disguised") == [("no", "it's 100 % {}; :x --")] * 10
    assert rows(store, "direct") == []
    store.database.close()


@pytest.mark.slow
def test_a_database_belongs_to_one_survey(store: Store, tmp_path: Path, address: Address) -> None:
    def opened(old: str, new: str) -> None:
        with closing(SurveyDatabase(address)) as database:
            Store(database, survey_of(tmp_path, SURVEY.replace(old, new)))

    with pytest.raises(DatabaseError, match="was changed after"):
        opened("4/5", "3/5")
    with pytest.raises(DatabaseError, match="another survey, 'trial'"):
        opened(": trial", ": other")
    opened("us@", "we@")


REFUSED: dict[str, Callable[[Path], Address]] = {
    "is not kept in 'mysql'": lambda _: "mysql://host/x",
    "folder .* does not exist": lambda path: path / "nowhere" / "x.db",
    "cannot be used": lambda _: "postgresql://nobody@127.0.0.1:1/x",
    "cannot be read": lambda _: "postgresql://host:port/x",
}


@pytest.mark.parametrize("words", REFUSED)
def test_a_database_that_cannot_be_used_is_named(words: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=words):
        SurveyDatabase(REFUSED[words](tmp_path))


def test_a_password_is_not_repeated() -> None:
    with pytest.raises(DataError) as refused:
        SurveyDatabase("postgresql://nobody:hush@127.0.0.1:1/x")
    assert "hush" not in str(refused.value)


EARLIER = (
    "f5cc5bffd660af0114377feb750c176f4206e15031398006743f915ffc19c517",
    "f74d88ab3e9b0bb3b9483962133d98caaecc5712f5bed92e8f9e3c0bf22fe565",
    "bacd3e23314a21e517cfd0dddc56e1f8bd019cea8f5e3b7f5266a92a7db89d4d",
)
"""The trial's fingerprints, as versions before took them."""


@pytest.mark.parametrize("earlier", EARLIER)
def test_a_database_of_a_version_before_goes_on(earlier: str, tmp_path: Path) -> None:
    survey, path = survey_of(tmp_path), tmp_path / "trial.db"
    assert survey.earlier_fingerprints == EARLIER
    assert survey.fingerprint not in EARLIER
    answers = [sent("00") for _ in range(12)]
    with closing(SurveyDatabase(path)) as database:
        Store(database, survey).keep(answers)
        with database.writing() as connection:
            made = text("UPDATE settings SET value = :value WHERE name = 'fingerprint'")
            connection.execute(made, {"value": earlier})
    with (
        closing(SurveyDatabase(path)) as database,
        closing(SurveyDatabase(tmp_path / "copy.db")) as copy,
    ):
        assert Store(database, survey).keep(answers) == [Verdict.KEPT] * 12
        back_up(database, tmp_path / "backup")
        restore(tmp_path / "backup", copy, survey)
        assert Store(copy, survey).keep(answers) == [Verdict.KEPT] * 12
        changed = survey_of(tmp_path, SURVEY.replace("4/5", "3/5"))
        with pytest.raises(DatabaseError, match="was changed after"):
            Store(database, changed)
