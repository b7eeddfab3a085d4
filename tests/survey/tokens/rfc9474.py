"""The test vectors of RFC 9474, Appendix A, and the key that they were made with."""

import json
from collections.abc import Mapping
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric import rsa

from deniable.survey.tokens import SigningKey
from deniable.survey.tokens.keys import EXPONENT
from deniable.survey.tokens.variants import Variant

RFC = json.loads(Path(__file__).with_name("rfc9474.json").read_text())
RFC_BITS = 4096


def rfc_key(variant: Variant) -> SigningKey:
    """The key of the vectors."""
    p, q = int(RFC["p"], 16), int(RFC["q"], 16)
    d = pow(EXPONENT, -1, (p - 1) * (q - 1))
    numbers = rsa.RSAPrivateNumbers(
        p=p,
        q=q,
        d=d,
        dmp1=d % (p - 1),
        dmq1=d % (q - 1),
        iqmp=pow(q, -1, p),
        public_numbers=rsa.RSAPublicNumbers(EXPONENT, p * q),
    )
    return SigningKey(numbers.private_key(), variant)


def inverse_of(vector: Mapping[str, str]) -> int:
    """What a vector is unblinded by; all but the last are blinded by one number."""
    return int(vector.get("inv", RFC["vectors"][0]["inv"]), 16)
