"""Tokens by the thousand, for tests of load: signed in the open, but otherwise like any other."""

import secrets

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding

from deniable.survey.tokens import MESSAGE_BYTES, SigningKey, Token

PADDING = padding.PSS(padding.MGF1(hashes.SHA384()), salt_length=48)


def mint(key: SigningKey, n: int) -> list[str]:
    """Sign n tokens without blinding, which OpenSSL does far quicker than Python signs blinded."""
    prepared = [secrets.token_bytes(32 + MESSAGE_BYTES) for _ in range(n)]
    signed = (key._key.sign(message, PADDING, hashes.SHA384()) for message in prepared)
    return [Token(*pair).encode() for pair in zip(prepared, signed, strict=True)]
