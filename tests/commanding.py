"""The command line as tests run it, in their own process: see the fixture ``deniable``."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Outcome:
    """How a command ended, and what it wrote."""

    code: int
    out: str
    err: str


Command = Callable[..., Outcome]
