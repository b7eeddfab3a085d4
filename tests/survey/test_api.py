"""One invitation, one token, one answer: the respondent's endpoints, over a real connection."""

import secrets
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from deniable.survey.invitations import invitations
from deniable.survey.protocol import receipt_id
from deniable.survey.server import respondent_routes as answering
from deniable.survey.server.rate_limit import Limit
from deniable.survey.store.store import Store
from deniable.survey.tokens import MESSAGE_BYTES, PublicKey, SigningKey, Token, blind, to_base64
from survey.serving import Served, open_store, serving
from survey.tokens.minting import mint
from survey.visitors import everything, person, send, stranger, take_token, write_survey

pytestmark = pytest.mark.slow

QUOTA = "quotas: {age: {old: 2}}\ndirect: 1/4"


@pytest.fixture(scope="module")
def key() -> SigningKey:
    """The key of all surveys here: a new one for each would take its time."""
    return SigningKey.generate()


@pytest.fixture
def served(tmp_path: Path, key: SigningKey) -> Iterator[Served]:
    """A survey that needs invitations."""
    survey = write_survey(tmp_path, invitations=True, more=QUOTA)
    store = open_store(survey)
    store.set("signing key", key.pem())
    store.database.close()
    with serving(survey) as found:
        yield found


@pytest.fixture
def client(served: Served) -> Iterator[httpx.Client]:
    with stranger(served.url) as found:
        yield found


@pytest.fixture
def described(client: httpx.Client) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/api/survey").json()
    return found


def invite(store: Store, number: int = 1) -> list[str]:
    codes, _ = invitations(store, "http://127.0.0.1", number)
    store.invite(codes)
    return codes


def blinded(public: PublicKey) -> str:
    return to_base64(blind(public, secrets.token_bytes(MESSAGE_BYTES))[0])


def rows(store: Store) -> int:
    found = everything(store)
    return len(found["waiting"]) + len(found["answers"])


# --- Tokens --------------------------------------------------------------------------------------


def test_an_invitation_gives_one_token_and_the_token_one_answer(
    served: Served, client: httpx.Client, described: dict[str, Any]
) -> None:
    (code,) = invite(served.store)
    token = take_token(client, PublicKey.of_jwk(described["key"]), code)
    one = person(described, token, "00")
    assert send(client, one.answer).json() == {"kept": True}
    once = everything(served.store)
    assert send(client, one.answer).json() == {"kept": True}
    assert everything(served.store) == once
    another = person(described, token, "00")
    assert send(client, another.answer).status_code == 409
    for changed in (replace(one.answer, report="01"), replace(one.answer, arm="direct")):
        assert send(client, changed).status_code == 409
    assert everything(served.store) == once


def test_an_invitation_is_signed_for_one_blinded_message(
    served: Served, client: httpx.Client, described: dict[str, Any]
) -> None:
    (code,) = invite(served.store)
    public = PublicKey.of_jwk(described["key"])
    asked = {"invitation": code, "blinded": blinded(public)}
    first = client.post("/api/token", json=asked)
    assert first.status_code == 200
    assert client.post("/api/token", json=asked).json() == first.json()
    again = client.post("/api/token", json={**asked, "blinded": blinded(public)})
    assert again.status_code == 409
    unknown = client.post("/api/token", json={**asked, "invitation": "a" * 26})
    assert unknown.status_code == 403


def test_what_cannot_be_signed_does_not_use_up_an_invitation(
    served: Served, client: httpx.Client, described: dict[str, Any]
) -> None:
    (code,) = invite(served.store)
    public = PublicKey.of_jwk(described["key"])
    before = everything(served.store)
    for number in (0, public.n, public.n + 1, 2**3072 - 1):
        asked = {"invitation": code, "blinded": to_base64(number.to_bytes(384))}
        assert client.post("/api/token", json=asked).status_code == 422
    assert everything(served.store) == before
    assert take_token(client, public, code)


def _next_letter(token: str, place: int) -> str:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    other = letters[letters.index(token[place]) ^ 1]
    return token[:place] + other + token[place:][1:]


def _with_signature(token: str, change: Callable[[int], int]) -> str:
    found = Token.decode(token)
    number = change(int.from_bytes(found.signature)) % 2**3072
    return Token(found.prepared, number.to_bytes(384)).encode()


FORGERIES: dict[str, Callable[[str, SigningKey], str]] = {
    "none": lambda token, key: "",
    "nothing": lambda token, key: "A" * 576,
    "random": lambda token, key: to_base64(secrets.token_bytes(432)),
    "another message": lambda token, key: _next_letter(token, 0),
    "another signature": lambda token, key: _next_letter(token, 575),
    "another key's": lambda token, key: mint(SigningKey.generate(), 1)[0],
    "one more": lambda token, key: _with_signature(token, lambda number: number + 1),
    "the same modulo n": lambda token, key: _with_signature(token, key.public.n.__add__),
    "the negative": lambda token, key: _with_signature(token, key.public.n.__sub__),
    "the one": lambda token, key: _with_signature(token, lambda number: 1),
}


def test_forged_tokens_are_refused(
    served: Served, client: httpx.Client, described: dict[str, Any], key: SigningKey
) -> None:
    (token,) = mint(key, 1)
    before = everything(served.store)
    for how, forge in FORGERIES.items():
        forged = forge(token, key)
        assert forged != token
        assert send(client, person(described, forged).answer).status_code == 403, how
    assert everything(served.store) == before
    assert send(client, person(described, token).answer).status_code == 200


def test_a_token_has_one_spelling(
    served: Served, client: httpx.Client, described: dict[str, Any], key: SigningKey
) -> None:
    (token,) = mint(key, 1)
    before = everything(served.store)
    for spelled in (token[:-2] + "==", token[:-1], token[:-1] + "+", token[:-1] + " ", token + "A"):
        assert send(client, person(described, spelled).answer).status_code == 422, spelled[-9:]
    assert everything(served.store) == before


# --- At the same time ----------------------------------------------------------------------------


def test_an_answer_that_is_sent_often_at_once_is_kept_once(
    served: Served, client: httpx.Client, described: dict[str, Any], key: SigningKey
) -> None:
    one = person(described, mint(key, 1)[0], "00")
    with ThreadPoolExecutor(8) as pool:
        sent = list(pool.map(lambda _: send(client, one.answer).status_code, range(24)))
    assert sent == [200] * 24
    assert rows(served.store) == served.store.tallies()["in waiting"] == 1


def test_of_many_answers_with_one_token_at_once_one_is_kept(
    served: Served, client: httpx.Client, described: dict[str, Any], key: SigningKey
) -> None:
    (token,) = mint(key, 1)
    people = [person(described, token, "00") for _ in range(24)]
    with ThreadPoolExecutor(8) as pool:
        sent = list(pool.map(lambda one: send(client, one.answer).status_code, people))
    assert sorted(sent) == [200] + [409] * 23
    assert rows(served.store) == 1


def test_of_many_messages_for_one_invitation_at_once_one_is_signed(
    served: Served, client: httpx.Client, described: dict[str, Any]
) -> None:
    (code,) = invite(served.store)
    public = PublicKey.of_jwk(described["key"])
    asked = [{"invitation": code, "blinded": blinded(public)} for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        sent = list(pool.map(lambda one: client.post("/api/token", json=one).status_code, asked))
    assert sorted(sent) == [200] + [409] * 7


# --- Closing, quotas, receipts -------------------------------------------------------------------


def test_a_closed_survey_takes_nothing_new_but_knows_what_it_has(
    served: Served, client: httpx.Client, described: dict[str, Any], key: SigningKey
) -> None:
    used, fresh = mint(key, 2)
    codes = invite(served.store, 2)
    public = PublicKey.of_jwk(described["key"])
    take_token(client, public, codes[0])
    one, late = person(described, used), person(described, fresh)
    assert send(client, one.answer).status_code == 200
    served.store.close()
    assert client.get("/api/survey").json()["open"] is False
    before = everything(served.store)
    assert send(client, one.answer).status_code == 200
    assert send(client, late.answer).status_code == 410
    asked = {"invitation": codes[1], "blinded": blinded(public)}
    assert client.post("/api/token", json=asked).status_code == 410
    assert everything(served.store) == before
    served.store.reopen()
    assert send(client, late.answer).status_code == 200


def test_a_full_quota_spends_no_token(
    served: Served, client: httpx.Client, described: dict[str, Any], key: SigningKey
) -> None:
    tokens = mint(key, 3)
    people = [person(described, token, "10") for token in tokens]
    assert [send(client, one.answer).status_code for one in people] == [200, 200, 409]
    assert rows(served.store) == 2
    assert send(client, person(described, tokens[2], "00").answer).status_code == 200


def test_an_answer_is_found_by_its_id_and_deleted_by_its_receipt_only(
    served: Served, client: httpx.Client, described: dict[str, Any], key: SigningKey
) -> None:
    (token,) = mint(key, 1)
    one, other = person(described, token, "00"), person(described)
    send(client, one.answer)

    def included(id_: str) -> bool:
        found = client.post("/api/receipts/check", json={"id": id_})
        return bool(found.json()["included"])

    def delete(receipt: str) -> httpx.Response:
        return client.post("/api/receipts/delete", json={"receipt": receipt})

    assert included(one.answer.id)
    assert not included(other.answer.id)
    before = everything(served.store)
    assert delete(other.shown_receipt).json() == {"deleted": False}
    for wrong in (one.answer.id, one.shown_receipt[:-1] + "U", one.shown_receipt[:-1], "é" * 16):
        assert delete(wrong).status_code == 422
    assert everything(served.store) == before
    assert delete(one.shown_receipt.lower().replace("-", " ")).json() == {"deleted": True}
    assert delete(one.shown_receipt).json() == {"deleted": False}
    assert not included(one.answer.id)
    assert rows(served.store) == 0
    assert send(client, person(described, token).answer).status_code == 409
    assert send(client, one.answer).status_code == 200  # a late retry, of what was kept once
    assert rows(served.store) == 0
    assert receipt_id(one.receipt) == one.answer.id


def test_an_open_survey_takes_answers_without_tokens_only(tmp_path: Path) -> None:
    with serving(write_survey(tmp_path)) as served, stranger(served.url) as client:
        described = client.get("/api/survey").json()
        assert described["key"] is None
        assert send(client, person(described).answer).status_code == 200
        before = everything(served.store)
        assert send(client, person(described, "A" * 576).answer).status_code == 422
        asked = {"invitation": "a" * 26, "blinded": "A" * 512}
        assert client.post("/api/token", json=asked).status_code == 403
        assert everything(served.store) == before


def test_who_asks_too_often_is_told_when_to_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answering, "Limit", lambda **_: Limit(burst=5, per_minute=60))
    with (
        serving(write_survey(tmp_path)) as served,
        stranger(served.url) as busy,
        stranger(served.url) as calm,
    ):
        described = busy.get("/api/survey").json()
        requests: list[Callable[[httpx.Client], httpx.Response]] = [
            lambda client: send(client, person(described).answer),
            lambda client: client.post("/api/receipts/check", json={"id": "0" * 32}),
            lambda client: client.post("/api/receipts/delete", json={"receipt": "0" * 16}),
        ]
        for ask in requests:
            answers = [ask(busy) for _ in range(8)]
            refused = next(answer for answer in answers if answer.status_code == 429)
            assert int(refused.headers["retry-after"]) >= 1
            assert ask(calm).status_code == 200
        assert rows(served.store) < 8
