"""Two sides of secure counting in one process, and what those do that break the rules."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from deniable.collab.cells import Cell
from deniable.collab.counting.backend import Backend, Bits, CountingSession, Numbers, OwnKey
from deniable.collab.counting.parameters import parameters
from deniable.collab.counting.proofs import Opened
from deniable.collab.protocol.fields import AskedVector
from deniable.collab.secure.batches import CountingKeys, EvaluatedBatch, HeldBatch
from deniable.collab.secure.sealed_vectors import OwnVectors, PeerVectors
from deniable.schema import Schema

SEED = b"drawn by both"
SCHEMA = Schema.of(
    {name: ["no", "yes"] for name in ("held", "other", "a", "b", "c", "d", "e", "f")}
)


def part(*names: str) -> Cell:
    """A conjunction of columns that say yes."""
    return frozenset((name, "yes") for name in names)


HELD = part("held")


@dataclass
class Side:
    """One side's columns, and how it makes its key."""

    name: str
    columns: dict[str, Bits]
    backend: Backend
    vectors: type[OwnVectors] = OwnVectors
    seal: Callable[[OwnKey], OwnKey] = lambda key: key
    own: OwnVectors = field(init=False)

    def __post_init__(self) -> None:
        (self.n,) = {len(column) for column in self.columns.values()}
        session = CountingSession(parameters(self.n), SEED)
        key = self.seal(self.backend.own_key(session, self.name))
        self.own = self.vectors(key, SCHEMA, session, self.bits)

    def bits(self, of: Cell) -> Bits:
        """Which records are in a part."""
        found = np.ones(self.n, dtype=bool)
        for name, value in of:
            found &= self.columns[name] == (value == "yes")
        return found

    def keys(self, other: "Side") -> CountingKeys:
        """What it has of both."""
        session = self.own.session
        key = self.backend.peer_key(session, other.name, other.own.key.public)
        return CountingKeys(
            session.parameters, self.own, PeerVectors(key, SCHEMA, session.parameters)
        )


def columns(n: int, *names: str, seed: int = 1) -> dict[str, Bits]:
    """Columns of zeros and ones."""
    rng = np.random.default_rng(seed)
    return {name: rng.random(n) < 0.5 for name in names}


def counted(held: HeldBatch, evaluated: EvaluatedBatch) -> list[list[int]]:
    """Take a batch through all of its steps."""
    answers, commitments = evaluated.answered(held.sealed())
    expected, material, masks = evaluated.reveal(*held.audit(answers, commitments))
    opened, questions = held.answered(expected, material, masks)
    expected = held.expected(evaluated.commit(opened, questions))
    values = held.values(evaluated.prove(expected))
    return evaluated.counts(values, lambda value: value)


def proven(key: OwnKey, answers: list[bytes], expected: list[int]) -> bool:
    """Whether an honest prover's values are those that a checker waits for."""
    return Opened.of(map(key.open, answers)).values == tuple(expected)


def one_vector(*cells: Cell) -> list[AskedVector]:
    """Counts within one held vector."""
    return [AskedVector(HELD, [HELD | cell for cell in cells])]


def weights_in(key: OwnKey, weights: Numbers, named: str = "part held=yes") -> OwnKey:
    """A key that seals weights in place of zeros and ones, of one vector."""
    seal = key.seal

    def weighed(about: str, values: Numbers | Bits) -> bytes:
        return seal(about, weights if about == named else values)

    key.seal = weighed  # type: ignore[method-assign]
    return key


def powers_of_two(n: int, bits: int) -> NDArray[np.int64]:
    """1, 2, 4, … for the first records: a weighted count is then a list of their bits."""
    weights = np.zeros(n, dtype=np.int64)
    weights[:bits] = 1 << np.arange(bits)
    return weights
