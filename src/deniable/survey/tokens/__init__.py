"""Blind signatures: one invitation, one token, and no link between them (RFC 9474).

The respondent blinds a random message, the server signs it unseen for an invitation, the
respondent takes the blinding off. What is left is an ordinary RSA-PSS signature by the survey's
key on a message that the server has never seen: it proves that some invitation was used, not whose.

What leaks: when tokens are signed and when they are used. Who uses a token at once, while nobody
else does, is linked by the clock. And a server that showed each person a key of their own would
know all of them again, which is why every link carries the print of the key.
"""

from deniable.survey.tokens.blinding import MESSAGE_BYTES, Blinding, Token, blind, finalize
from deniable.survey.tokens.keys import PublicKey, SigningKey, TokenError, from_base64, to_base64

__all__ = [
    "MESSAGE_BYTES",
    "Blinding",
    "PublicKey",
    "SigningKey",
    "Token",
    "TokenError",
    "blind",
    "finalize",
    "from_base64",
    "to_base64",
]
