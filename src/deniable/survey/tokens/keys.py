"""A survey's RSA key: the half that signs without seeing, and the half that anyone may check with.

The power with the secret exponent is that of GMP whose time does not depend on its numbers, and
every signature is computed on a message that was multiplied by a fresh random number: times say
nothing about the key. Each signature is checked before it leaves, because one wrong half of a CRT
computation would give the key away.
"""

import base64
import secrets
from collections.abc import Mapping
from math import gcd

import gmpy2
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from deniable.base.errors import DataError
from deniable.base.fingerprint import digest_of
from deniable.survey.tokens.variants import RANDOMIZED, Variant

KEY_BITS = 3072
EXPONENT = 65537


class TokenError(DataError):
    """A key, a blinded message, a signature or a token that is not what it should be."""


class PublicKey:
    """Checks tokens."""

    def __init__(self, key: rsa.RSAPublicKey, variant: Variant = RANDOMIZED) -> None:
        self._key = key
        self.variant = variant
        self.n, self.e = key.public_numbers().n, key.public_numbers().e
        mask = padding.MGF1(hashes.SHA384())
        self._padding = padding.PSS(mask, salt_length=variant.salt_bytes)

    @classmethod
    def of_jwk(cls, jwk: Mapping[str, object]) -> "PublicKey":
        """Read what `jwk` wrote, and refuse a key of another kind or size."""
        n = from_base64(str(jwk.get("n", "")))
        number = int.from_bytes(n)
        kind = (jwk.get("kty"), jwk.get("alg"), jwk.get("e"))
        whole = 8 * len(n) == number.bit_length() == KEY_BITS and number & 1
        if kind != ("RSA", "PS384", "AQAB") or not whole:
            raise TokenError(
                "The survey's key is not one that signs invitations.",
                hint="Ask those who run the survey.",
            )
        return cls(rsa.RSAPublicNumbers(EXPONENT, number).public_key())

    @property
    def size(self) -> int:
        """Bytes of the modulus, of a blinded message and of a signature."""
        return (self.n.bit_length() + 7) // 8

    def jwk(self) -> dict[str, str]:
        """Give the key as a JSON Web Key."""
        e = self.e.to_bytes((self.e.bit_length() + 7) // 8)
        return {
            "kty": "RSA",
            "alg": "PS384",
            "n": to_base64(self.n.to_bytes(self.size)),
            "e": to_base64(e),
        }

    def print_with(self, asked: str) -> str:
        """What a link says about the key and the survey, so that everybody is seen to get the same.

        It has all of its hash's digits: whoever makes the key could look for two with one short
        print, and tell people apart by which of them they were given.
        """
        return digest_of(self.n.to_bytes(self.size) + asked.encode())

    def verify(self, prepared: bytes, signature: bytes) -> bool:
        """Whether the key has signed a prepared message."""
        try:
            self._key.verify(signature, prepared, self._padding, hashes.SHA384())
        except InvalidSignature:
            return False
        return True

    def fits(self, blinded: bytes) -> bool:
        """Whether a blinded message can be signed."""
        return len(blinded) == self.size and 0 < int.from_bytes(blinded) < self.n

    def unit(self) -> int:
        """Draw a number that can be divided by, evenly (RFC 9474, 4.2, step 5)."""
        while True:
            r = 1 + secrets.randbelow(self.n - 1)
            if gcd(r, self.n) == 1:
                return r


class SigningKey:
    """Signs what it cannot read."""

    def __init__(self, key: rsa.RSAPrivateKey, variant: Variant = RANDOMIZED) -> None:
        self._key = key
        self.public = PublicKey(key.public_key(), variant)

    @classmethod
    def generate(cls) -> "SigningKey":
        """Make a new key."""
        return cls(rsa.generate_private_key(EXPONENT, KEY_BITS))

    @classmethod
    def load(cls, pem: str | bytes, variant: Variant = RANDOMIZED) -> "SigningKey":
        """Read what `pem` wrote."""
        text = pem.encode() if isinstance(pem, str) else pem
        try:
            key = serialization.load_pem_private_key(text, password=None)
        except (TypeError, ValueError):
            key = None
        if not isinstance(key, rsa.RSAPrivateKey):
            raise TokenError(
                "The survey's signing key cannot be read.",
                hint="Restore the database from a backup.",
            )
        return cls(key, variant)

    def pem(self) -> str:
        """Write the key as PKCS #8, unencrypted: whoever reads it can make tokens, not link them.

        A token was never shown to this key, so the key does not lead from a token to an invitation.
        """
        return self._key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        ).decode()

    def sign(self, blinded: bytes) -> bytes:
        """Sign a blinded message (RFC 9474, 4.3)."""
        n, e = self.public.n, self.public.e
        if not self.public.fits(blinded):
            raise TokenError(
                "The blinded message does not fit the survey's key.", hint="Open the survey again."
            )
        message = int.from_bytes(blinded)
        r = self.public.unit()
        masked = self._power(message * pow(r, e, n) % n)
        signature = masked * pow(r, -1, n) % n
        if pow(signature, e, n) != message:
            raise RuntimeError("A signature came out wrong and was withheld.")
        return signature.to_bytes(self.public.size)

    def _power(self, message: int) -> int:
        """``message^d mod n``, by the two primes (RFC 8017, 5.1.2)."""
        numbers = self._key.private_numbers()
        p, q = numbers.p, numbers.q
        m1 = int(gmpy2.powmod_sec(message % p, numbers.dmp1, p))
        m2 = int(gmpy2.powmod_sec(message % q, numbers.dmq1, q))
        return m2 + (m1 - m2) * numbers.iqmp % p * q


def to_base64(data: bytes) -> str:
    """Write bytes for an address or a JSON document, without padding signs."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64(text: str) -> bytes:
    """Read what `to_base64` wrote, in this one spelling.

    >>> list(from_base64("__8"))
    [255, 255]
    >>> from_base64("//8")
    Traceback (most recent call last):
        ...
    deniable.survey.tokens.keys.TokenError: This is not base64url. Open the survey again.
    """
    try:
        data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        data = b""
    # Python's decoder overlooks foreign signs and stray bits: two spellings of one token.
    if to_base64(data) != text:
        raise TokenError("This is not base64url.", hint="Open the survey again.")
    return data
