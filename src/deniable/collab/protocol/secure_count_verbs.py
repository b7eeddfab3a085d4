"""Secure counts: for each, one side holds a vector (encrypts it) and the other evaluates.

A vector's size is counted first, then the cells within it. What waits in the follower's memory for
the leader's next message has a token.
"""

from deniable.collab.agreement.agreement import SECURE_MODES
from deniable.collab.protocol.body import Question, R, Reply
from deniable.collab.protocol.fields import (
    Cells,
    CountLists,
    PartPairs,
    Parts,
    Reasons,
    Tokens,
    Vectors,
    VerdictLists,
)  # fmt: skip
from deniable.collab.protocol.run_verbs import LedgerRows


class SecureQuestion(Question[R], modes=SECURE_MODES):
    """One of the steps."""

    of_no_use = "No secure counts are made in this collaboration."


class PermitCounts(SecureQuestion[LedgerRows], verb="ask"):
    """Which cells may be asked, before any ciphertext is made."""

    cells: Cells
    refused: Reasons
    """What the leader's own policy refuses."""


class MaskedAnswers(Reply, verb="answers"):
    """A masked answer for each size and cell, one vector after the other."""

    tokens: Tokens
    answers: Parts


class EvaluateVectors(SecureQuestion[MaskedAnswers], verb="evaluate"):
    """The leader holds: a key and ciphertexts of each vector."""

    vectors: Vectors
    encrypted: PartPairs

    def __post_init__(self) -> None:
        if len(self.vectors) != len(self.encrypted):
            raise ValueError


class JudgedCounts(Reply, verb="judged"):
    """The masks are off: what the follower lets pass."""

    values: VerdictLists


class UnmaskCounts(SecureQuestion[JudgedCounts], verb="opened"):
    """The leader has opened the masked answers."""

    tokens: Tokens
    values: CountLists

    def __post_init__(self) -> None:
        if len(self.tokens) != len(self.values):
            raise ValueError


class HeldVectors(Reply, verb="held"):
    """A key and ciphertexts of each vector."""

    tokens: Tokens
    encrypted: PartPairs

    def __post_init__(self) -> None:
        if len(self.tokens) != len(self.encrypted):
            raise ValueError


class HoldVectors(SecureQuestion[HeldVectors], verb="hold"):
    """The follower holds."""

    vectors: Vectors


class OpenedAnswers(Reply, verb="opened"):
    """Opened, and still masked."""

    values: CountLists


class OpenAnswers(SecureQuestion[OpenedAnswers], verb="open"):
    """The leader's masked answers, one vector after the other."""

    tokens: Tokens
    answers: Parts


class ReleaseCounts(SecureQuestion[LedgerRows], verb="release"):
    """The leader has judged too: what both let pass is written, and so released."""

    tokens: Tokens
    values: VerdictLists

    def __post_init__(self) -> None:
        if len(self.tokens) != len(self.values):
            raise ValueError
