"""Secure counting as two keys: what a side can do with its own, and what with the other's.

A side *seals* its vectors under a key of its own, one a session. Whoever has a sealed vector can
multiply numbers into it and have the sum *opened*: masked, so that the key's owner sees a uniform
number, and the asker takes the mask off. That is how counts are made (`masked`). Sums of products
of sealed vectors are how a side is held to the rules (`proof`): see `proofs`.

Sums are of numbers modulo t. Sealing the same about the same twice gives the same bytes, so
whatever was sealed once is bound.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from deniable.base.arrays import Codes, Mask
from deniable.base.errors import AnswerError
from deniable.collab.counting.parameters import Parameters

Bits = Mask
Numbers = Codes
"""Modulo t."""

SealedVector = Any
"""The other side's vector, loaded; only its backend knows what it is."""

Weighted = Sequence[tuple[SealedVector, Numbers]]
"""Σ numbers ∘ vector, slot by slot."""


@dataclass(frozen=True)
class CountingSession:
    """What both sides of a session have in common."""

    parameters: Parameters
    seed: bytes
    """Drawn by both together, so that neither could choose it."""


@dataclass(frozen=True, eq=False)
class Product:
    """One term of a proof, summed over all slots: (Σ rᵢ ∘ vᵢ) · (constant − Σ uᵢ)."""

    weighted: Weighted
    constant: int
    less: Sequence[SealedVector]


@dataclass(frozen=True, eq=False)
class Square:
    """Another: (Σ rᵢ ∘ vᵢ)², which costs two thirds of a product."""

    weighted: Weighted


Quadratic = Product | Square


class OwnKey(ABC):
    """A side's key of one session; what is secret of it never leaves this object."""

    public: bytes
    """What the other side needs of it."""

    @abstractmethod
    def seal(self, about: str, values: Numbers | Bits) -> bytes:
        """Encrypt a vector; one thing must always be sealed about the same words."""

    @abstractmethod
    def open(self, answer: bytes) -> int:
        """Decrypt what the other side has computed: a number modulo t."""


class PeerKey(ABC):
    """The other side's key of one session."""

    @abstractmethod
    def load(self, about: str, sealed: bytes, length: int) -> SealedVector:
        """Read a sealed vector of so many numbers; AnswerError if it is malformed."""

    @abstractmethod
    def masked(self, weighted: Weighted, mask: int) -> bytes:
        """Answer Σ weights · vectors + mask; it shows the key's owner nothing else."""

    @abstractmethod
    def proof(self, products: Sequence[Quadratic], weighted: Weighted, mask: int) -> bytes:
        """Answer a sum of products, and of weighted vectors, + mask."""


class Backend(Protocol):
    """A way to count securely."""

    def own_key(self, session: CountingSession, side: str) -> OwnKey:
        """Make a fresh key."""

    def peer_key(self, session: CountingSession, side: str, public: bytes) -> PeerKey:
        """Load the other side's key; AnswerError if it is malformed."""

    def sealed_size(self, parameters: Parameters) -> int:
        """Bytes of a sealed vector."""

    def answer_size(self, parameters: Parameters) -> int:
        """Bytes of a masked answer; a proof has as many again."""


def malformed(what: str) -> AnswerError:
    """Say that something received or asked breaks the protocol."""
    return AnswerError(
        f"This breaks the secure counting protocol: {what}.",
        hint="Both sides must run the same version; `deniable party check` compares them.",
    )


def require_size(what: str, data: bytes, size: int) -> None:
    """Refuse bytes that cannot be what they should be, before anything reads them."""
    if len(data) != size:
        raise malformed(f"{what} of {len(data):,} bytes in place of {size:,}")
