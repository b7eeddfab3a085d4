"""How much a message may hold: of bytes, of rows, of counts and of vectors."""

from typing import Final

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

MOST_REHEARSED: Final = 1 << 20
"""Invented records of a dry run: they are held in memory."""

MOST_CELLS_TAKEN, MOST_CELLS_ASKED = 10_000, 2_000
"""Cells in one question that a follower takes, each of which may become a row of the ledger; and
that a leader asks. A tree's nodes come one after the other, so few are torn apart."""

MOST_VECTORS_TAKEN, MOST_VECTORS_SENT = 256, 64
"""Vectors in a message, or waiting for a leader's next one; and as many as a leader sends."""

VECTOR_BYTES_SENT: Final = 1 << 26
"""Of ciphertexts in one message of a leader, about."""
