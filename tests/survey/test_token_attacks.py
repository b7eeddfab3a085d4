"""Cheats at tokens, against a survey that is served: none knows a token again, or makes one more.

The server here remembers every blinded message that it signs, which ours does not.
"""

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log, sqrt

import gmpy2
import httpx
import pytest

from deniable.survey.invitations import invitations
from deniable.survey.tokens import PublicKey, SigningKey, Token, from_base64, to_base64
from deniable.survey.tokens.blinding import MESSAGE_BYTES, PREPARED_BYTES, blind_by, finalize
from survey.matching import FALSE_ALARM
from survey.serving import Served, serving
from survey.visitors import person, send, stranger, take_token, write_survey

pytestmark = pytest.mark.slow

PEOPLE = 60


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("tokens")
    with serving(write_survey(folder, invitations=True)) as found:
        yield found


@pytest.fixture
def client(served: Served) -> Iterator[httpx.Client]:
    with stranger(served.url) as found:
        yield found


@pytest.fixture
def public(client: httpx.Client) -> PublicKey:
    return PublicKey.of_jwk(client.get("/api/survey").json()["key"])


def codes_for(served: Served, number: int) -> list[str]:
    codes, _ = invitations(served.store, served.url, number)
    served.store.invite(codes)
    return codes


# --- To know a token again -----------------------------------------------------------------------


@dataclass(frozen=True)
class Seen:
    """What a server has seen of one person, in the order of their coming; and their token."""

    blinded: int
    token: Token


def encoded(token: Token, public: PublicKey) -> int:
    """The encoded message, which anybody can read off a token."""
    return pow(int.from_bytes(token.signature), public.e, public.n)


def agreeing(seen: Sequence[Seen], public: PublicKey) -> tuple[int, int]:
    """For how many people blinded message and token are equal, and have one Jacobi symbol.

    The symbol is a property of a number that a bad choice of the blinding one would not hide.
    """
    pairs = [(each.blinded, encoded(each.token, public)) for each in seen]
    symbols = [gmpy2.jacobi(a, public.n) == gmpy2.jacobi(b, public.n) for a, b in pairs]
    return sum(a == b for a, b in pairs), sum(symbols)


def most_by_chance(number: int) -> float:
    """Agreements that blind luck exceeds with a chance below `FALSE_ALARM`: Hoeffding's bound."""
    return number / 2 + sqrt(number * log(2 / FALSE_ALARM) / 2)


def test_a_server_that_remembers_all_it_signed_knows_no_token_again(
    served: Served, client: httpx.Client, public: PublicKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed: list[int] = []
    sign = SigningKey.sign

    def remember(self: SigningKey, blinded: bytes) -> bytes:
        signed.append(int.from_bytes(blinded))
        return sign(self, blinded)

    monkeypatch.setattr(SigningKey, "sign", remember)
    taken = []
    for code in codes_for(served, PEOPLE):
        with stranger(served.url) as someone:
            taken.append(Token.decode(take_token(someone, public, code)))
    seen = [Seen(*pair) for pair in zip(signed, taken, strict=True)]
    same, alike = agreeing(seen, public)
    assert same == 0
    assert PEOPLE - most_by_chance(PEOPLE) < alike < most_by_chance(PEOPLE)


@pytest.mark.parametrize("weak", ["one", "a square"])
def test_the_server_would_know_tokens_that_were_blinded_badly(weak: str) -> None:
    key = SigningKey.generate()
    public, seen = key.public, []
    for _ in range(PEOPLE):
        r = 1 if weak == "one" else pow(public.unit(), 2, public.n)
        prepared = secrets.token_bytes(PREPARED_BYTES)
        blinded, state = blind_by(public, prepared, secrets.token_bytes(48), r)
        seen.append(Seen(int.from_bytes(blinded), finalize(state, key.sign(blinded))))
    same, alike = agreeing(seen, public)
    assert alike == PEOPLE > most_by_chance(PEOPLE)
    assert same == (PEOPLE if weak == "one" else 0)


# --- To make a token more ------------------------------------------------------------------------


def asked(client: httpx.Client, code: str, blinded: bytes) -> httpx.Response:
    given = {"invitation": code, "blinded": to_base64(blinded)}
    return client.post("/api/token", json=given)


def accepted(client: httpx.Client, token: Token) -> bool:
    described = client.get("/api/survey").json()
    found = send(client, person(described, token.encode()).answer)
    assert found.status_code in {200, 403, 409}
    return found.status_code == httpx.codes.OK


def test_one_message_for_two_invitations_is_one_token(
    served: Served, client: httpx.Client, public: PublicKey
) -> None:
    one, other = codes_for(served, 2)
    prepared = secrets.token_bytes(PREPARED_BYTES)
    blinded, state = blind_by(public, prepared, bytes(48), public.unit())
    signatures = {asked(client, code, blinded).json()["signature"] for code in (one, other)}
    (signature,) = signatures
    token = finalize(state, from_base64(signature))
    assert accepted(client, token)
    assert not accepted(client, token)
    again, _ = blind_by(public, prepared, bytes(48), public.unit())
    assert asked(client, other, again).status_code == httpx.codes.CONFLICT


def test_signatures_of_chosen_numbers_give_no_token_more(
    served: Served, client: httpx.Client, public: PublicKey
) -> None:
    """RSA multiplies: a signature of a product is the product of signatures. Messages do not."""
    n, size = public.n, public.size
    messages = [secrets.token_bytes(PREPARED_BYTES) for _ in range(2)]
    plain = [int.from_bytes(blind_by(public, each, bytes(48), 1)[0]) for each in messages]
    tries = {"one": 1, "minus one": n - 1, "product": plain[0] * plain[1] % n, "first": plain[0]}
    codes = dict(zip(tries, codes_for(served, len(tries)), strict=True))
    signatures = {}
    for name, number in tries.items():
        answer = asked(client, codes[name], number.to_bytes(size))
        assert answer.status_code == httpx.codes.OK
        signatures[name] = int.from_bytes(from_base64(answer.json()["signature"]))
    # From the product and the first, anybody computes a signature of the second: that is a second
    # token for a second invitation, and no third.
    second = signatures["product"] * pow(signatures["first"], -1, n) % n
    made = [
        Token(message, signature.to_bytes(size))
        for message, signature in zip(messages, (signatures["first"], second), strict=True)
    ]
    assert [accepted(client, token) for token in made] == [True, True]
    forged = [
        Token(message, (signature * factor % n).to_bytes(size))
        for message in [*messages, secrets.token_bytes(PREPARED_BYTES)]
        for signature in (*signatures.values(), second)
        for factor in (1, n - 1, signatures["one"], signatures["minus one"], 2)
    ]
    new = [token for token in forged if token not in made]
    assert len(new) > 50
    assert not any(token.proves(public) for token in new)


def test_a_token_cannot_be_bent_into_another(
    served: Served, client: httpx.Client, public: PublicKey
) -> None:
    (code,) = codes_for(served, 1)
    token = Token.decode(take_token(client, public, code))
    s, n, size = int.from_bytes(token.signature), public.n, public.size
    bent = [
        Token(token.prepared, (n - s).to_bytes(size)),
        Token(token.prepared, pow(s, -1, n).to_bytes(size)),
        Token(token.prepared, (s * 2 % n).to_bytes(size)),
        Token(token.prepared[MESSAGE_BYTES:] + token.prepared[:MESSAGE_BYTES], token.signature),
        Token(bytes(PREPARED_BYTES), token.signature),
    ]
    assert not any(accepted(client, each) for each in bent)
    assert accepted(client, token)
