"""A leader that does as it likes: every message of a real run, and any other, by hand."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from collab.parties import EVERYTHING, PATIENTS, TWO_HOSPITALS, Gathering, by_columns
from deniable.collab.agreement.run_terms import RunTerms
from deniable.collab.cells import Cell, listed
from deniable.collab.counting.backend import Backend, Bits, EncryptedVector, Evaluation, Holder
from deniable.collab.counting.plain_twin import Twin
from deniable.collab.follower.dispatcher import Dispatcher
from deniable.collab.protocol.body import Stamp
from deniable.collab.protocol.verbs import AcceptTerms
from deniable.collab.session.alignment import align
from deniable.collab.session.remote_party import RemoteParty
from deniable.collab.session.run import Run
from deniable.collab.wire.message import Message
from deniable.schema import Schema
from mine.datasets import random_records

TREE = {"tree": {"target": "ill", "growth": "faithful"}}


def around(
    folder: Path, n: int = 200, *, schema: Schema = PATIENTS, mode: str = "secure", **others: Any
) -> Gathering:
    """Two parties around an invented table."""
    options: dict[str, Any] = {"mine": TREE, "policy": EVERYTHING, **others}
    return by_columns(
        folder, random_records(schema, n, seed=1), TWO_HOSPITALS, mode=mode, **options
    )


def cell(**terms: str) -> Cell:
    """A conjunction."""
    return frozenset(terms.items())


@dataclass
class Watched:
    """A backend that keeps a list of what it was used for."""

    real: Backend = field(default_factory=Twin)
    held: list[Bits] = field(default_factory=list)
    evaluated: list[EncryptedVector] = field(default_factory=list)

    @property
    def used(self) -> int:
        """How often any cryptography was begun."""
        return len(self.held) + len(self.evaluated)

    def hold(self, vector: Bits) -> Holder:
        self.held.append(vector)
        return self.real.hold(vector)

    def evaluate(self, encrypted: EncryptedVector) -> Evaluation:
        self.evaluated.append(encrypted)
        return self.real.evaluate(encrypted)


class Intruder:
    """The leader of a run whose parties have agreed and are aligned; from there on, by hand."""

    def __init__(self, gathering: Gathering, backend: Backend | None = None) -> None:
        self.gathering = gathering
        self.backend = Watched(backend or Twin())
        party = gathering.party("south")
        self.dispatcher = Dispatcher(
            party, lambda name: gathering.loop("south", name), self.backend
        )
        gathering.dispatchers["south"] = self.dispatcher
        self.run = Run(gathering.party("north"), gathering.agreement)
        self.contact = RemoteParty(self.run, "south", gathering.loop("north", "south"))
        self.contact.greet()
        self.terms = RunTerms(
            gathering.agreement.digest,
            {"north": self.run.party.policy.document(), "south": self.contact.policy},
            {"north": self.run.commitment, "south": self.contact.commitment},
        )
        self.run.agree(self.terms)
        self.contact.ask(AcceptTerms(self.terms))
        align(self.run, [self.contact])

    @property
    def stamp(self) -> dict[str, Any]:
        """What every honest message says."""
        return {
            "collaboration": self.gathering.agreement.digest,
            "terms": self.terms.digest,
            "rehearsal": None,
            "have": 0,
        }

    def say(
        self,
        verb: str,
        fields: Mapping[str, Any] | None = None,
        parts: Sequence[bytes] = (),
        *,
        by: str = "north",
    ) -> Message:
        """Ask the follower anything, as any peer."""
        message = Message(verb, {**self.stamp, **(fields or {})}, tuple(parts))
        return self.dispatcher.answer(by, message)

    def permit(self, *cells: Cell) -> None:
        """Have cells judged."""
        self.say("ask", {"cells": listed(cells), "refused": {}})

    def ours(self, of: Cell) -> Bits:
        """Which of the leader's records are in a cell, as far as it can tell."""
        return self.run.records.part(of)

    def theirs(self, of: Cell) -> Bits:
        """What the leader must never see: which of the follower's records are in a cell."""
        return self.dispatcher.session("north", Stamp(**self.stamp)).run.records.part(of)

    def written(self) -> bytes:
        """The follower's ledger."""
        return self.gathering.ledger("south", "north").read_bytes()

    def told(self) -> list[bytes]:
        """What the follower's ledger says, without mere notes of what was tried."""
        return [row for row in self.written().splitlines() if b'"kind":"aligned"' not in row]

    def close(self) -> None:
        self.run.close()
        self.gathering.close()


@contextmanager
def intruding(gathering: Gathering, backend: Backend | None = None) -> Iterator[Intruder]:
    """Lead by hand while inside."""
    intruder = Intruder(gathering, backend)
    try:
        yield intruder
    finally:
        intruder.close()


def vector(part: Cell, *cells: Cell) -> dict[str, Any]:
    """A vector as messages describe it."""
    return {"part": listed([part])[0], "cells": listed(cells)}


def weights_of_two(n: int, bits: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """1, 2, 4, … for the first records: a weighted count is then a list of their bits."""
    weights = np.zeros(n, dtype=np.int64)
    weights[:bits] = 1 << np.arange(bits)
    return weights
