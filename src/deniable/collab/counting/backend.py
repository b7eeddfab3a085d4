"""A secure count is the dot product of two private 0/1 vectors, one per side, over aligned records.

One side *holds*: it encrypts its vector under a fresh key. The other *evaluates*: it answers with
count + R mod t, encrypted, for each of its candidates, and keeps the masks R. The holder opens the
answers, sees only uniform numbers and returns them; the evaluator takes the masks off, checks and
releases. All of it is for semi-honest sides: they follow the protocol, and may try to learn more
from what they receive. What a dishonest side can do is limited by checks here (sizes, ranges, 64
answers a key) and by the caller's (a count is at most the evaluator's own, all-ones queries,
comparison with the disguised estimate).
"""

import secrets
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from deniable.base.arrays import Mask
from deniable.base.errors import AnswerError
from deniable.base.fingerprint import digest_of

Bits = Mask

ANSWERS_PER_KEY = 64
"""Whoever has about 316 chosen answers opened recovers the key (secure-counting.md, step 8)."""

MODULUS = 1 << 21
"""Counts are known modulo t, so there must be fewer records than this."""

TAG_SIZE = 16
"""Every answer begins with so many bytes that name the vector it belongs to."""


@dataclass(frozen=True)
class EncryptedVector:
    """What travels of a held vector."""

    key: bytes
    """The public key."""
    blocks: bytes
    """The ciphertexts."""
    records: int

    @property
    def parts(self) -> tuple[bytes, bytes]:
        """What a message takes; the other side knows how many records there are."""
        return self.key, self.blocks

    @property
    def tag(self) -> bytes:
        """Name of this vector; its key is fresh, so no other one has it."""
        return bytes.fromhex(digest_of(self.key))[:TAG_SIZE]


class Holder(ABC):
    """The side that encrypts one vector and opens answers about it."""

    def __init__(self, encrypted: EncryptedVector, answer_size: int) -> None:
        self.encrypted = encrypted
        self._size = TAG_SIZE + answer_size
        self._opened: dict[bytes, int] = {}

    def open(self, answers: Sequence[bytes]) -> list[int]:
        """Give N + R mod t for each answer; at most 64 different answers in its life.

        An answer that was opened before (a message sent again after a lost connection) gives the
        same number, tells nothing new, and is not counted again.
        """
        for answer in answers:
            self._check(answer)
        new = set(answers) - self._opened.keys()
        if len(self._opened) + len(new) > ANSWERS_PER_KEY:
            raise _used_up()
        self._opened |= {answer: self._decrypted(answer[TAG_SIZE:]) for answer in new}
        return [self._opened[answer] for answer in answers]

    def _check(self, answer: bytes) -> None:
        if len(answer) != self._size:
            raise malformed(f"an answer of {len(answer):,} bytes in place of {self._size:,}")
        if answer[:TAG_SIZE] != self.encrypted.tag:
            raise malformed("an answer about another vector")

    @abstractmethod
    def _decrypted(self, body: bytes) -> int:
        """Open one answer of the right size."""


class Evaluation(ABC):
    """The other side's encrypted vector, loaded and validated."""

    def __init__(self, encrypted: EncryptedVector, key_size: int, blocks_size: int) -> None:
        given = len(encrypted.key), len(encrypted.blocks)
        if given != (key_size, blocks_size):
            raise malformed(
                f"a key of {given[0]:,} bytes and {given[1]:,} bytes of ciphertexts for "
                f"{encrypted.records:,} records, in place of {key_size:,} and {blocks_size:,}"
            )
        self._records, self._tag = encrypted.records, encrypted.tag
        self._answered = 0

    def answer(self, candidates: Bits) -> tuple[list[bytes], list[int]]:
        """Give an answer to send and a mask R to keep for each row of candidates; 64 in all."""
        if candidates.dtype != np.bool_ or candidates.shape[1:] != (self._records,):
            raise malformed(f"candidates of shape {candidates.shape} for {self._records:,} records")
        if self._answered + len(candidates) > ANSWERS_PER_KEY:
            raise _used_up()
        self._answered += len(candidates)
        masks = [secrets.randbelow(MODULUS) for _ in candidates]
        return [
            self._tag + self._masked(candidate, mask)
            for candidate, mask in zip(candidates, masks, strict=True)
        ], masks

    @abstractmethod
    def _masked(self, candidate: Bits, mask: int) -> bytes:
        """Compute one encrypted N + R."""


class Backend(Protocol):
    """A way to count securely."""

    def hold(self, vector: Bits) -> Holder:
        """Encrypt a vector under a fresh key."""

    def evaluate(self, encrypted: EncryptedVector) -> Evaluation:
        """Load what the other side has encrypted; AnswerError if it is malformed."""


def unmasked(opened: int, mask: int) -> int:
    """Take the mask off what the holder has opened.

    >>> unmasked(5, 7) == MODULUS - 2
    True
    """
    return (opened - mask) % MODULUS


def countable(records: object) -> int:
    """Refuse a number of records that cannot be counted."""
    if not isinstance(records, int) or not 1 <= records < MODULUS:
        raise AnswerError(
            f"Secure counts are for 1 to {MODULUS - 1:,} records, not {records!r}.",
            hint="Count over fewer records, for instance a sample that both sides agree on.",
        )
    return records


def malformed(what: str) -> AnswerError:
    """Say that something received or asked breaks the protocol."""
    return AnswerError(
        f"This breaks the secure counting protocol: {what}.",
        hint="Both sides must run the same version; `deniable party check` compares them.",
    )


def _used_up() -> AnswerError:
    return AnswerError(
        f"More than {ANSWERS_PER_KEY} answers about one encrypted vector were asked for.",
        hint="Encrypt the vector again, under a fresh key, and go on with that.",
    )
