"""The page's blind signatures: the RFC's own vectors, Python's other half, and what a cheat tries.

The module under test is the very file that is shipped, run by Node.
"""

import secrets
from typing import Any

import pytest

from deniable.survey.tokens import SigningKey, Token, TokenError, blind, to_base64
from deniable.survey.tokens.blinding import PREPARED_BYTES, Blinding, blind_by, finalize
from deniable.survey.tokens.keys import KEY_BITS, PublicKey
from deniable.survey.tokens.variants import RANDOMIZED, VARIANTS, encode_pss
from survey.node import browser
from survey.tokens.rfc9474 import RFC, RFC_BITS, inverse_of, rfc_key

SIZE = KEY_BITS // 8


@pytest.fixture(scope="module")
def key() -> SigningKey:
    return SigningKey.generate()


def blinded_by_page(key: SigningKey, prepared: bytes) -> dict[str, str]:
    found = browser("blinded", jwk=key.public.jwk(), prepared=prepared.hex())
    assert isinstance(found, dict)
    return found


def finalized(key: SigningKey, prepared: bytes, signed: bytes, inverse: str) -> str:
    """What the page makes of a signature: the token's, or its complaint."""
    jwk = key.public.jwk()
    given: dict[str, Any] = {"prepared": prepared.hex(), "signed": signed.hex(), "inverse": inverse}
    return str(browser("finalized", jwk=jwk, **given))


# --- The right thing -----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("vector", RFC["vectors"], ids=lambda vector: vector["name"])
def test_the_page_gives_the_test_vectors_of_the_rfc(vector: dict[str, Any]) -> None:
    (variant,) = [variant for variant in VARIANTS if variant.name == vector["name"]]
    key = rfc_key(variant)
    size = RFC_BITS // 8
    inverse = inverse_of(vector)
    r = pow(inverse, -1, key.public.n)
    given: dict[str, Any] = {"jwk": key.public.jwk(), "bits": RFC_BITS}
    prepared = vector["msg_prefix"] + RFC["msg"]
    found = browser(
        "blinded", **given, prepared=prepared, salt=vector["salt"], r=r.to_bytes(size).hex()
    )
    assert found["blinded"] == vector["blinded_msg"]
    assert found["inverse"] == inverse.to_bytes(size).hex()
    signed = vector.get("blind_sig", key.sign(bytes.fromhex(found["blinded"])).hex())
    signature = browser(
        "finalized",
        **given,
        prepared=prepared,
        signed=signed,
        inverse=found["inverse"],
        salt=variant.salt_bytes,
    )
    assert signature == vector["sig"]


def test_a_token_of_the_page_is_one_for_python(key: SigningKey) -> None:
    prepared = bytes.fromhex(browser("prepared", message="ab" * 16))
    assert len(prepared) == PREPARED_BYTES
    assert prepared.endswith(b"\xab" * 16)
    found = blinded_by_page(key, prepared)
    signed = key.sign(bytes.fromhex(found["blinded"]))
    signature = bytes.fromhex(finalized(key, prepared, signed, found["inverse"]))
    assert Token(prepared, signature).proves(key.public)
    # Python, given the same number, makes the same of it.
    state = Blinding(key.public, prepared, int(found["inverse"], 16))
    assert finalize(state, signed).signature == signature


def test_the_page_never_prepares_or_blinds_the_same_way_twice(key: SigningKey) -> None:
    assert len({browser("prepared", message="") for _ in range(20)}) == 20
    found = [blinded_by_page(key, bytes(PREPARED_BYTES)) for _ in range(20)]
    for part in ("blinded", "inverse"):
        assert len({each[part] for each in found}) == 20


# --- The number ----------------------------------------------------------------------------------


def test_the_number_is_drawn_anew_until_it_is_below_the_key_and_can_be_divided_by() -> None:
    """All numbers from 1 to n − 1 are as likely, but for those that share a factor with n."""
    key = rfc_key(RANDOMIZED)
    size, prepared, salt = RFC_BITS // 8, bytes(PREPARED_BYTES), secrets.token_bytes(48)
    r = key.public.unit()
    too_large, has_factor = b"\xff" * size, (int(RFC["p"], 16) - 1).to_bytes(size)
    script = salt + too_large + has_factor + (r - 1).to_bytes(size)
    given: dict[str, Any] = {"jwk": key.public.jwk(), "bits": RFC_BITS, "prepared": prepared.hex()}
    found = browser("blinded", **given, script=script.hex())
    assert found["asked"] == [48, size, size, size]
    blinded, state = blind_by(key.public, prepared, salt, r)
    assert found["blinded"] == blinded.hex()
    assert int(found["inverse"], 16) == state.inverse


def with_factor(factor: int) -> PublicKey:
    """A key as a cheat may make it: with a factor that shows in what is blinded."""
    n = (1 << KEY_BITS) - 1
    while n % factor or n % 2 == 0:
        n -= 1
    return PublicKey.of_jwk(
        {"kty": "RSA", "alg": "PS384", "e": "AQAB", "n": to_base64(n.to_bytes(SIZE))}
    )


def test_a_key_with_a_small_factor_marks_nobody() -> None:
    """A message that the factor divides is blinded into one that it divides: a mark."""
    factor, salt = 3, bytes(48)
    public = with_factor(factor)
    messages = (number.to_bytes(PREPARED_BYTES) for number in range(1000))
    marked = next(
        message
        for message in messages
        if int.from_bytes(encode_pss(message, KEY_BITS - 1, salt)) % factor == 0
    )
    r = public.unit()
    encoded = int.from_bytes(encode_pss(marked, KEY_BITS - 1, salt))
    assert encoded * pow(r, public.e, public.n) % public.n % factor == 0  # without the check
    with pytest.raises(TokenError, match="small factor"):
        blind_by(public, marked, salt, r)
    given: dict[str, Any] = {"jwk": public.jwk(), "prepared": marked.hex(), "salt": salt.hex()}
    with pytest.raises(AssertionError, match="cannot be blinded"):
        browser("blinded", **given, r=r.to_bytes(SIZE).hex())


# --- What a server may try -----------------------------------------------------------------------


def test_the_page_uses_no_signature_that_is_not_of_the_key(key: SigningKey) -> None:
    prepared = secrets.token_bytes(PREPARED_BYTES)
    found = blinded_by_page(key, prepared)
    signed = key.sign(bytes.fromhex(found["blinded"]))
    foreign = SigningKey.generate()
    other, _ = blind(key.public, b"another")
    tries = {
        "of another message": key.sign(other),
        "of another key": foreign.sign(b"\0" + bytes.fromhex(found["blinded"])[1:]),
        "one bit off": bytes([*signed[:-1], signed[-1] ^ 1]),
        "cut": signed[:-1],
        "with a zero before it": b"\0" + signed,
        "nothing": b"",
        "one": (1).to_bytes(SIZE),
    }
    for name, each in tries.items():
        assert finalized(key, prepared, each, found["inverse"]).startswith("Error"), name
    right = finalized(key, prepared, signed, found["inverse"])
    assert Token(prepared, bytes.fromhex(right)).proves(key.public)


@pytest.mark.parametrize(
    "change",
    [
        {"n": to_base64(b"\xff" * 256)},
        {"n": to_base64(b"\xff" * 512)},
        {"n": to_base64(b"\x7f" + b"\xff" * 383)},
        {"n": to_base64(b"\0" + b"\xff" * 384)},
        {"n": to_base64(b"\xff" * 383 + b"\xfe")},
        {"n": to_base64(b"\xff" * 384) + "="},
        {"n": ""},
        {"e": "Aw"},
        {"e": "AAEAAQ"},
        {"kty": "EC"},
        {"alg": "RS256"},
    ],
)
def test_the_page_refuses_weak_or_foreign_keys(key: SigningKey, change: dict[str, str]) -> None:
    jwk = key.public.jwk()
    assert browser("takes", jwk=jwk) is True
    assert browser("takes", jwk={**jwk, **change}) is False
