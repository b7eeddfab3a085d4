"""How much a message may hold: of bytes, of rows, of counts and of vectors; and how long it takes.

Before anybody knows what a message is about it may have an opening of `MOST_OPENING` bytes, and
nothing else. What may follow is what its verb says (`collab.protocol.body`).
"""

from dataclasses import dataclass
from typing import Final

MOST_OPENING: Final = (1 << 16) - 1
"""Bytes of the JSON that says the verb, and for which run."""

SMALL_MESSAGE: Final = 1 << 16
"""Bytes that may follow the opening of any message."""

MOST_MESSAGE_BYTES: Final = 1 << 30
"""Of a whole message, unless the reader says less."""

MOST_JSON: Final = 8 << 20
"""Bytes of JSON. Parsed, it may take ten times as much: large things travel as parts."""

MOST_PARTS: Final = 4096

MOST_ERROR_LETTERS: Final = 2000
"""Of an error of the other side that is shown here."""

MOST_REASON_LETTERS: Final = 200
"""Of a reason: it goes into the ledger, and from there to people's screens."""

MOST_LEDGER_ROWS: Final = 5_000
"""Of a ledger in one message."""

MOST_LEDGER_BYTES: Final = 1 << 30
"""Of a whole ledger that another party writes, and this one keeps on its disk."""

MOST_REHEARSED: Final = 1 << 20
"""Invented records of a dry run: they are held in memory."""

MOST_CELLS_TAKEN, MOST_CELLS_ASKED = 10_000, 2_000
"""Cells in one question that a follower takes, each of which may become a row of the ledger; and
that a leader asks. A tree's nodes come one after the other, so few are torn apart."""

MOST_ESTIMATED: Final = 1 << 62
"""Of people whom a site says that it has, and of an estimate or its variance: sums stay numbers."""

MOST_REFUSALS: Final = 250_000
"""Counts that a follower refuses in one run, each a row of its ledger: they are charged to nothing,
and each tells whether people are few. A tree that needs more asks for what is not there."""

MOST_VECTORS_TAKEN, MOST_VECTORS_SENT = 256, 64
"""Vectors in a message, or waiting for a leader's next one; and as many as a leader sends."""

VECTOR_BYTES_SENT: Final = 1 << 26
"""Of ciphertexts in one message of a leader, about."""

AUDIT_BYTES_SENT: Final = 1 << 27
"""Of vectors that an audit of one batch asks for, about."""

MOST_ANSWERS: Final = 5 << 26
"""Bytes of ciphertexts in one message: 64 vectors, and 64 answers each, are 204 MB."""

VECTOR_BYTES_EACH: Final = 128
"""More, for each person, in a vector that is alone in its message; BFV takes 14."""

AUDIT_BYTES_EACH: Final = 512
"""More, for each person, in what proves an audit: some twenty vectors, and terms."""

KEY_BYTES_SENT: Final = 1 << 17
"""Of a public key of secure counting; the larger lattice's has 114,688."""

MOST_MODEL_BYTES: Final = 1 << 25
"""Of a model that is handed out."""

RECORD_BYTES: Final = 256
"""Of a disguised record."""

SHORT_FIELD: Final = 1 << 10

POINT_BYTES: Final = 32
"""A point of P-256: one coordinate."""

TAG_BYTES: Final = 32

MOST_IDENTIFIERS: Final = 10_000_000
"""Of one party: 320 MB a message."""

FEW_SOUGHT, SOUGHT_EACH = 10_000, 10
"""Identifiers that a party may seek at another: ten for each that this one has, and a few more.
A city may seek those of a clinic; to try all numbers there are takes more."""

ANSWER_SECONDS: Final = 3600.0
"""For an answer, from the question to its last byte, whatever signs of life are given meanwhile."""

PERSON_SECONDS: Final = 0.02
"""More, for each person that it is about: ten times what the slowest step takes on one core."""


@dataclass(frozen=True)
class Allowance:
    """What an answer may cost whoever waits for it."""

    bytes: int = MOST_MESSAGE_BYTES
    seconds: float = ANSWER_SECONDS
