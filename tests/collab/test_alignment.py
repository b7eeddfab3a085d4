"""Who is common, in which order, and what a peer's broken messages do: nothing."""

import hmac
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deniable.base.errors import CollabError
from deniable.collab.session.intersection import (
    Identifiers,
    IntersectionClient,
    IntersectionServer,
    Rows,
    found,
    same_identifiers,
    tags,
)
from deniable.collab.wire.message_limits import POINT_BYTES
from effort import calls_of

KEY = bytes(range(32))
NORTH = Identifiers.of(["ann", "bob", "carl", "Zoë", "eve", "7", "007"])
SOUTH = Identifiers.of(["Zoë", "7", "ann", "Bob", "dora"])
COMMON = ["ann", "Zoë", "7"]


def sides(
    mine: Identifiers = NORTH, theirs: Identifiers = SOUTH
) -> tuple[IntersectionClient, IntersectionServer]:
    return IntersectionClient(mine, KEY, "digest"), IntersectionServer(theirs, KEY[::-1], "digest")


def intersected(mine: Identifiers, theirs: Identifiers) -> Rows:
    seeker, giver = sides(mine, theirs)
    return seeker.common(giver.setup, giver.respond(seeker.request(), len(mine)))


def order(ids: Identifiers, rows: Rows, key: bytes) -> list[int]:
    """Rows by the keyed hash of their identifiers: the naive twin."""
    return sorted(rows.tolist(), key=lambda row: hmac.digest(key, ids[row].encode(), "sha256"))


def test_identifiers_are_text_without_what_files_add() -> None:
    given = [" a ", 7, 8.0, Decimal("9.00"), Decimal("1.5"), "007", "Zoe\u0308", "A"]
    assert Identifiers.of(given) == ("a", "7", "8", "9", "1.5", "007", "Zo\u00eb", "A")


@pytest.mark.parametrize(
    ("values", "told"),
    [
        (
            ["secret", None, "x", "  ", float("nan")],
            r"^3 records have no identifier: rows 2, 4, 5\.",
        ),
        (["secret", "x", " secret"], r"^1 record has an .* further up already: row 3\."),
        (["7", 7.0, 7], r"^2 records have .*: rows 2, 3\."),
        ([""] * 9, r"rows 1, 2, 3, 4, 5, …\."),
        ([2.0**53], "too large"),
        ([["secret"]], "no plain values"),
    ],
)
def test_blanks_and_duplicates_are_counted_and_never_named(values: list[object], told: str) -> None:
    with pytest.raises(CollabError, match=told) as caught:
        Identifiers.of(values)
    assert "secret" not in str(caught.value)


def test_the_intersection_is_exact() -> None:
    rows = intersected(NORTH, SOUTH)
    assert [NORTH[row] for row in rows] == COMMON
    assert rows.tolist() == sorted(rows)
    assert intersected(NORTH, Identifiers.of(["x"])).tolist() == []


def test_what_travels_holds_no_identifier_and_hides_the_order_of_rows() -> None:
    seeker, giver = sides()
    setup, request = giver.setup, seeker.request()
    for name in (*NORTH, *SOUTH):
        if len(name) > 2:
            assert name.encode() not in setup + request
    assert points_of(setup) == sorted(points_of(setup))
    for secret, agreement in ((KEY, "digest"), (KEY[::-1], "another")):
        other = IntersectionServer(SOUTH, secret, agreement).setup
        assert not set(points_of(setup)) & set(points_of(other)), "no two runs have a point"


def test_who_begins_again_sends_the_same_points() -> None:
    (first, there), (again, back) = sides(), sides()
    assert (first.request(), there.setup) == (again.request(), back.setup)
    asked = first.request()
    assert there.respond(asked, len(NORTH)) == back.respond(asked, len(NORTH))


def test_sides_of_two_agreements_find_nobody() -> None:
    seeker = IntersectionClient(NORTH, KEY, "one")
    giver = IntersectionServer(NORTH, KEY[::-1], "two")
    assert len(seeker.common(giver.setup, giver.respond(seeker.request(), len(NORTH)))) == 0


def points_of(message: bytes) -> list[bytes]:
    return [message[start : start + POINT_BYTES] for start in range(0, len(message), POINT_BYTES)]


def broken(message: bytes) -> dict[str, bytes]:
    rng = np.random.default_rng(1)
    points = len(message) // POINT_BYTES
    noise = rng.integers(0, 256, (points, POINT_BYTES), dtype=np.uint8)
    # Half of all coordinates are on the curve: with 7 points, 1 in 128 all are.
    return {
        "empty": b"",
        "truncated": message[:-1],
        "a point short": message[:-POINT_BYTES],
        "a point more": message + message[:POINT_BYTES],
        "a point twice": message[:POINT_BYTES] + message[:-POINT_BYTES],
        "beyond the field": b"\xff" * POINT_BYTES + message[POINT_BYTES:],
        "off the curve": noise.tobytes(),
        "zeros": bytes(len(message)),
    }


@pytest.mark.parametrize("kind", broken(bytes(POINT_BYTES)))
def test_broken_messages_are_refused_in_a_sentence(kind: str) -> None:
    seeker, giver = sides()
    setup, request = giver.setup, seeker.request()
    with pytest.raises(CollabError, match="The peer's request is not"):
        giver.respond(broken(request)[kind], len(NORTH))
    response = giver.respond(request, len(NORTH))
    with pytest.raises(CollabError, match="The peer's response is not"):
        seeker.common(setup, broken(response)[kind])
    if kind not in {"a point short", "off the curve", "beyond the field"}:
        # a setup is compared with, not decoded
        with pytest.raises(CollabError, match="The peer's setup is not"):
            seeker.common(broken(setup)[kind], response)
    assert len(seeker.common(setup, response)) == len(COMMON)


def test_a_seeker_is_held_to_the_number_it_announced() -> None:
    seeker, giver = sides()
    with pytest.raises(CollabError, match="request"):
        giver.respond(seeker.request(), len(NORTH) - 1)


def test_people_come_in_one_order_at_every_party() -> None:
    rows = intersected(NORTH, SOUTH)
    mine = order(NORTH, rows, KEY)
    theirs = found(SOUTH, tags(NORTH, rows, KEY), KEY)
    assert [NORTH[row] for row in mine] == [SOUTH[row] for row in theirs]
    assert mine == found(NORTH, tags(NORTH, rows, KEY), KEY).tolist()


def test_another_key_is_another_order() -> None:
    ids, rows = Identifiers.of(range(100)), np.arange(100)
    first, second = (found(ids, tags(ids, rows, key), key) for key in (KEY, KEY[::-1]))
    assert sorted(first) == sorted(second)
    assert first.tolist() != second.tolist()
    with pytest.raises(CollabError, match="5 bytes, not 32"):
        tags(ids, rows, b"short")


@pytest.mark.slow
@given(st.sets(st.text(min_size=1, max_size=5).filter(str.strip), min_size=1), st.data())
def test_tags_name_anybody_whatever_the_name(names: set[str], data: st.DataObject) -> None:
    ids = Identifiers.of(sorted({text for name in names for text in Identifiers.of([name])}))
    chosen = data.draw(st.sets(st.integers(0, len(ids) - 1)))
    rows = np.array(sorted(chosen), np.int64)
    assert found(ids, tags(ids, rows, KEY), KEY).tolist() == order(ids, rows, KEY)


def test_people_that_a_party_does_not_have_are_noticed() -> None:
    named = tags(NORTH, np.arange(len(NORTH)), KEY)
    with pytest.raises(CollabError, match="4 of 7 people said to be in common are not") as caught:
        found(SOUTH, named, KEY)
    assert "eve" not in str(caught.value)
    for wrong in (named[:-1], named[32:] + named[:32], named[:32] + named):
        with pytest.raises(CollabError, match="list of people in common"):
            found(NORTH, wrong, KEY)


def test_equal_identifiers_in_any_order_have_one_hash() -> None:
    shuffled = Identifiers(reversed(NORTH))
    assert same_identifiers(NORTH, KEY) == same_identifiers(shuffled, KEY)
    assert same_identifiers(NORTH, KEY) != same_identifiers(NORTH, KEY[::-1])
    assert same_identifiers(NORTH, KEY) != same_identifiers(Identifiers(NORTH[1:]), KEY)


def test_ordering_takes_a_few_calls_for_each_identifier() -> None:
    ids = Identifiers.of(range(10_000))
    work = calls_of(lambda: tags(ids, np.arange(len(ids)), KEY))
    assert work["digest"] <= 2 * len(ids)
    assert work.total() < 10 * len(ids)  # however many there are: 8 each
