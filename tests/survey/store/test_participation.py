"""Counts of who takes part: right in the end, and while it runs nobody's part shows in them."""

import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from deniable.survey.protocol import Submission
from deniable.survey.questionnaire import load
from deniable.survey.store.database import SurveyDatabase
from deniable.survey.store.participation import SPAN, Closing, Span, roughly
from deniable.survey.store.store import Store

SURVEY = """
survey: trial
title: A trial
languages: [en]
consent: We ask you kindly.
contact: us@example.org
invitations: yes
results: {after: 20, every: 5}
questions:
  drugs:
    text: Have you ever taken drugs?
    options: {"no": "No", "yes": "Yes"}
groups:
  - {attributes: [drugs], channel: related, theta: 4/5}
"""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    path = tmp_path / "trial.yaml"
    path.write_text(SURVEY, encoding="utf-8")
    found = Store(SurveyDatabase(tmp_path / "trial.db"), load(path))
    yield found
    found.database.close()


def invited(store: Store, many: int) -> list[str]:
    codes = [secrets.token_hex(13) for _ in range(many)]
    store.invite(codes)
    return codes


def began(store: Store, codes: list[str]) -> None:
    for code in codes:
        store.use_invitation(code, code.encode())


def finished(store: Store, many: int, after: int = 0) -> None:
    store.keep(
        [
            Submission("0" * 64, secrets.token_hex(16), str(n), "disguised", "page", 2, "0")
            for n in range(after, after + many)
        ]
    )


@pytest.mark.parametrize("most", [None, 12, 19, 20, 27, 100])
def test_no_count_that_is_watched_tells_one_person_from_ten_others(most: int | None) -> None:
    spans = [roughly(count, most) for count in range((most or 199) + 1)]
    for count, span in enumerate(spans):
        assert span.low <= count <= span.high
        assert spans.count(span) == min(span.high, len(spans) - 1) - span.low + 1 >= SPAN
    # A span changes at most once in ten people, and neither nobody nor everybody is told.
    assert all(span.low < span.high for span in spans)


def test_counts_are_spans_while_it_runs_and_exact_when_it_is_over(store: Store) -> None:
    codes = invited(store, 60)
    began(store, codes[:34])
    finished(store, 31)
    found = store.participation()
    assert (found.invited, found.begun, found.finished) == (60, Span(30, 39), Span(31, 40))
    assert not found.over
    store.close()
    found = store.participation()
    assert (found.invited, found.begun, found.finished) == (60, Span(34, 34), Span(31, 31))
    assert found.over


def test_one_who_begins_shows_in_no_count_while_it_runs(store: Store) -> None:
    codes = invited(store, 60)
    before = store.participation()
    began(store, codes[:1])
    finished(store, 1)
    assert store.participation() == before


def test_what_stays_hidden_is_not_counted_exactly_either(store: Store) -> None:
    began(store, invited(store, 60))
    finished(store, 12)
    store.close()
    assert store.participation().finished == Span(10, 19)
    assert not store.participation().over


@pytest.mark.parametrize("people", [25, 29, 30])
def test_one_who_comes_after_it_was_opened_again_shows_in_no_count(
    store: Store, people: int
) -> None:
    """Also where what was told exactly before is the last of a span of ten."""
    codes = invited(store, 60)
    began(store, codes[:people])
    finished(store, people)
    store.close()
    assert store.participation().begun == Span(people, people)
    store.reopen()
    opened = store.participation()
    assert store.close() == Closing(again=False, shown=True, hidden=True)
    nobody_came = store.participation()
    for step in range(2):
        store.reopen()
        assert store.participation() == opened
        began(store, codes[people : people + 1])
        finished(store, step, after=100)
        assert store.close() == Closing(again=False, shown=True, hidden=True)
        assert store.participation() == nobody_came
    assert not nobody_came.over
    assert nobody_came.finished == Span(people, people + SPAN - 1)


def test_the_next_person_after_a_batch_ends_no_span(store: Store) -> None:
    """Results say exactly how many a batch has, so whoever watches knows where counting stands."""
    invited(store, 60)
    finished(store, 29)
    before = store.participation()
    finished(store, 1, after=100)
    assert store.participation() == before
    finished(store, 4, after=200)  # with it, they are a batch
    assert store.participation().finished == Span(34, 43)


def test_those_who_began_without_finishing_are_counted_when_it_ends(store: Store) -> None:
    codes = invited(store, 60)
    began(store, codes[:20])
    finished(store, 20)  # the batch
    began(store, codes[20:27])
    store.close()
    found = store.participation()
    assert (found.begun, found.finished) == (Span(27, 27), Span(20, 20))


def test_opening_what_is_open_changes_nothing(store: Store) -> None:
    finished(store, 22)
    assert not store.reopen()
    assert store.close() == Closing(again=False, shown=True, hidden=False)
    assert store.close() == Closing(again=True, shown=True, hidden=False)
    assert store.reopen()
