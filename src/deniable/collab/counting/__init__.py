"""Secure counts: how many records satisfy both sides' conditions, and nothing else."""

from deniable.collab.counting.backend import (
    ANSWERS_PER_KEY,
    Backend,
    Bits,
    EncryptedVector,
    Evaluation,
    Holder,
    unmasked,
)
from deniable.collab.counting.bfv import Bfv
from deniable.collab.counting.plain_twin import Twin

__all__ = [
    "ANSWERS_PER_KEY",
    "Backend",
    "Bfv",
    "Bits",
    "EncryptedVector",
    "Evaluation",
    "Holder",
    "Twin",
    "unmasked",
]
