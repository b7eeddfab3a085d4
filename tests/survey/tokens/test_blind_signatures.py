"""Blind signatures: the RFC's own vectors, and what a cheat would try."""

import hashlib
import json
import secrets
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519
from hypothesis import given, settings
from hypothesis import strategies as st

from deniable.survey.tokens import (
    MESSAGE_BYTES,
    PublicKey,
    SigningKey,
    Token,
    TokenError,
    blind,
    finalize,
    from_base64,
    to_base64,
)
from deniable.survey.tokens.blinding import blind_by
from deniable.survey.tokens.variants import VARIANTS
from survey.tokens.rfc9474 import RFC, inverse_of, rfc_key


@pytest.fixture(scope="module")
def key() -> SigningKey:
    return SigningKey.generate()


def issue(key: SigningKey, message: bytes | None = None) -> Token:
    message = secrets.token_bytes(MESSAGE_BYTES) if message is None else message
    blinded, state = blind(key.public, message)
    return finalize(state, key.sign(blinded))


@pytest.mark.slow
@pytest.mark.parametrize("vector", RFC["vectors"], ids=lambda vector: vector["name"])
def test_every_variant_gives_the_test_vectors_of_the_rfc(vector: dict[str, Any]) -> None:
    (variant,) = [variant for variant in VARIANTS if variant.name == vector["name"]]
    key = rfc_key(variant)
    prepared = bytes.fromhex(vector["msg_prefix"] + RFC["msg"])
    salt = bytes.fromhex(vector["salt"])
    assert len(salt) == variant.salt_bytes
    assert len(variant.prepare(b"")) == variant.prefix_bytes == len(vector["msg_prefix"]) // 2
    inverse = inverse_of(vector)
    r = pow(inverse, -1, key.public.n)

    blinded, state = blind_by(key.public, prepared, salt, r)
    assert blinded.hex() == vector["blinded_msg"]
    assert state.inverse == inverse
    signature = key.sign(blinded)
    assert signature.hex() == vector.get("blind_sig", signature.hex())
    assert finalize(state, signature).signature.hex() == vector["sig"]


def test_a_token_proves_an_invitation_and_survives_being_written(key: SigningKey) -> None:
    token = issue(key)
    assert token.proves(key.public)
    text = token.encode()
    assert len(text) == 576
    assert set(text) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    assert Token.decode(text) == token


def test_keys_survive_being_written(key: SigningKey) -> None:
    again = SigningKey.load(key.pem())
    public = PublicKey.of_jwk(json.loads(json.dumps(key.public.jwk())))
    token = issue(again)
    assert token.proves(public)
    assert public.print_with("asked") == key.public.print_with("asked")
    n = from_base64(key.public.jwk()["n"])
    assert len(n) == 384
    assert public.print_with("asked") == hashlib.sha256(n + b"asked").hexdigest()
    assert public.print_with("asked ") != public.print_with("asked")


def test_signing_twice_gives_the_same_so_that_a_retry_can_be_answered(key: SigningKey) -> None:
    blinded, _ = blind(key.public, b"message")
    assert key.sign(blinded) == key.sign(blinded)


@settings(max_examples=25)  # each takes a signature
@given(one=st.binary(min_size=1, max_size=40), other=st.binary(min_size=1, max_size=40))
def test_a_blinded_message_could_be_any_message(key: SigningKey, one: bytes, other: bytes) -> None:
    """Whatever the server saw, some number blinds any other message into exactly that.

    So what it saw says nothing about the message: the blinding is perfect, not merely hard to undo.
    """
    public = key.public
    salt = bytes(public.variant.salt_bytes)
    blinded, _ = blind_by(public, one, salt, public.unit())
    encoded, _ = blind_by(public, other, salt, 1)
    seen, unblinded = int.from_bytes(blinded), int.from_bytes(encoded)
    # The number is the e-th root of seen/unblinded, which only the key's owner can take.
    quotient = seen * pow(unblinded, -1, public.n) % public.n
    root = int.from_bytes(key.sign(quotient.to_bytes(public.size)))
    again, _ = blind_by(public, other, salt, root)
    assert again == blinded


def test_the_same_message_is_never_blinded_the_same_way_twice(key: SigningKey) -> None:
    seen = {blind(key.public, bytes(MESSAGE_BYTES))[0] for _ in range(20)}
    assert len(seen) == 20


@pytest.mark.parametrize("place", [0, 47, 48, 431])
def test_a_token_with_one_bit_changed_is_refused(key: SigningKey, place: int) -> None:
    token = issue(key)
    forged = bytearray(token.prepared + token.signature)
    forged[place] ^= 1
    assert not Token.decode(to_base64(bytes(forged))).proves(key.public)


def test_a_token_of_another_survey_is_refused(key: SigningKey) -> None:
    other = SigningKey.generate()
    assert not issue(other).proves(key.public)
    blinded, state = blind(key.public, b"message")
    while not other.public.fits(blinded):  # the other modulus may be smaller
        blinded, state = blind(key.public, b"message")
    with pytest.raises(TokenError, match="does not fit its key"):
        finalize(state, other.sign(blinded))


def test_two_tokens_do_not_multiply_into_a_third(key: SigningKey) -> None:
    one, other = issue(key), issue(key)
    n = key.public.n
    product = int.from_bytes(one.signature) * int.from_bytes(other.signature) % n
    for prepared in (one.prepared, other.prepared):
        assert not key.public.verify(prepared, product.to_bytes(384))


def test_a_token_has_no_second_signature(key: SigningKey) -> None:
    """Adding the modulus gives the same number to the key; another spelling of a spent token."""
    while True:  # one token in some has room for it below 2^3072
        token = issue(key)
        raised = int.from_bytes(token.signature) + key.public.n
        if raised < 1 << 3072:
            break
    assert not key.public.verify(token.prepared, raised.to_bytes(384))


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text[:-1],
        lambda text: text + "A",
        lambda text: text + "AAAA",
        lambda text: text[:-1] + "=",
        lambda text: text[:-1] + "\n",
        lambda text: text[:-1] + "+",
        lambda text: text[:-1] + "é",
        lambda text: "",
    ],
)
def test_a_token_has_one_spelling(key: SigningKey, change: Any) -> None:
    with pytest.raises(TokenError):
        Token.decode(change(issue(key).encode()))


@given(data=st.binary(max_size=64))
def test_base64url_is_read_as_it_was_written(data: bytes) -> None:
    assert from_base64(to_base64(data)) == data


@pytest.mark.parametrize("stray", ["_-9", "AB=", "A B", "A", "AA\n"])
def test_base64url_with_stray_bits_or_signs_is_refused(stray: str) -> None:
    with pytest.raises(TokenError):
        from_base64(stray)


def test_what_does_not_fit_the_key_is_not_signed(key: SigningKey) -> None:
    n = key.public.n
    for blinded in (b"", bytes(384), bytes(383), b"\1" * 385, n.to_bytes(384), b"\xff" * 384):
        with pytest.raises(TokenError, match="does not fit"):
            key.sign(blinded)


def test_a_wrong_signature_never_leaves(key: SigningKey, monkeypatch: pytest.MonkeyPatch) -> None:
    """One faulty half of the computation would let anyone factor the key (Boneh et al. 1997)."""
    power = SigningKey._power
    monkeypatch.setattr(SigningKey, "_power", lambda self, message: power(self, message) + 1)
    with pytest.raises(RuntimeError, match="withheld"):
        key.sign(blind(key.public, b"message")[0])


@pytest.mark.parametrize(
    "change",
    [
        {"n": to_base64(b"\xff" * 256)},
        {"n": to_base64(b"\xff" * 383 + b"\xfe")},
        {"n": to_base64(b"\0" + b"\xff" * 384)},
        {"e": "Aw"},
        {"kty": "EC"},
        {"alg": "RS256"},
        {"n": "?"},
    ],
)
def test_respondents_refuse_weak_or_foreign_keys(key: SigningKey, change: dict[str, str]) -> None:
    with pytest.raises(TokenError):
        PublicKey.of_jwk({**key.public.jwk(), **change})


def test_a_key_that_cannot_be_read_is_named(key: SigningKey) -> None:
    foreign = ed25519.Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    for pem in (b"", b"no key", foreign, key.pem().replace("A", "B")):
        with pytest.raises(TokenError, match="cannot be read"):
            SigningKey.load(pem)
