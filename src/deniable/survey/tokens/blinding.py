"""The respondent's half: blind a message, take the blinding off its signature, keep the token."""

import secrets
from dataclasses import dataclass
from math import gcd

from deniable.survey.tokens.keys import KEY_BITS, PublicKey, TokenError, from_base64, to_base64
from deniable.survey.tokens.variants import RANDOMIZED, encode_pss

MESSAGE_BYTES = 16
"""Random bytes in a token's message."""

PREPARED_BYTES = RANDOMIZED.prefix_bytes + MESSAGE_BYTES
TOKEN_BYTES = PREPARED_BYTES + KEY_BITS // 8


@dataclass(frozen=True)
class Blinding:
    """What the respondent keeps secret until the signature has come."""

    public: PublicKey
    prepared: bytes
    inverse: int


@dataclass(frozen=True)
class Token:
    """Proof of one invitation, nobody knows which."""

    prepared: bytes
    signature: bytes

    def encode(self) -> str:
        """Write it as 576 characters."""
        return to_base64(self.prepared + self.signature)

    @classmethod
    def decode(cls, text: str) -> "Token":
        """Read what `encode` wrote; a token has one spelling only."""
        data = from_base64(text)
        if len(data) != TOKEN_BYTES:
            raise TokenError("This is not a token.", hint="Open the survey again.")
        return cls(data[:PREPARED_BYTES], data[PREPARED_BYTES:])

    def proves(self, public: PublicKey) -> bool:
        """Whether the survey's key has signed it."""
        return public.verify(self.prepared, self.signature)


def blind(public: PublicKey, message: bytes) -> tuple[bytes, Blinding]:
    """Blind a message for a signature (RFC 9474, 4.1 and 4.2)."""
    salt = secrets.token_bytes(public.variant.salt_bytes)
    return blind_by(public, public.variant.prepare(message), salt, public.unit())


def blind_by(public: PublicKey, prepared: bytes, salt: bytes, r: int) -> tuple[bytes, Blinding]:
    """Blind a prepared message by a given salt and a given number."""
    encoded = int.from_bytes(encode_pss(prepared, public.n.bit_length() - 1, salt))
    if gcd(encoded, public.n) != 1 or gcd(r, public.n) != 1:
        raise TokenError(
            "The survey's key has a small factor.", hint="Ask those who run the survey."
        )  # a multiple of it stays one, and would be known again
    blinded = encoded * pow(r, public.e, public.n) % public.n
    return blinded.to_bytes(public.size), Blinding(public, prepared, pow(r, -1, public.n))


def finalize(blinding: Blinding, signature: bytes) -> Token:
    """Take the blinding off, and refuse a signature that is not the key's (RFC 9474, 4.4)."""
    public = blinding.public
    plain = int.from_bytes(signature) * blinding.inverse % public.n
    token = Token(blinding.prepared, plain.to_bytes(public.size))
    if len(signature) != public.size or not token.proves(public):
        raise TokenError(
            "The server's signature does not fit its key.", hint="Ask those who run the survey."
        )
    return token
