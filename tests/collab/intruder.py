"""A leader that does as it likes: every message of a real run, and any other, by hand."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from collab.parties import EVERYTHING, PATIENTS, TWO_HOSPITALS, Gathering, by_columns
from deniable.collab.agreement.run_terms import RunTerms
from deniable.collab.cells import Cell, listed
from deniable.collab.counting.backend import (
    Backend,
    Bits,
    CountingSession,
    Numbers,
    OwnKey,
    PeerKey,
    SealedVector,
)
from deniable.collab.counting.parameters import Parameters
from deniable.collab.counting.plain_twin import Twin
from deniable.collab.counting.proofs import Opened
from deniable.collab.follower.dispatcher import Dispatcher
from deniable.collab.protocol import counting_verbs, verbs
from deniable.collab.protocol.body import R, Request, Stamp
from deniable.collab.protocol.fields import AskedVector
from deniable.collab.secure.batches import CountingKeys, EvaluatedBatch, HeldBatch
from deniable.collab.secure.count_party import CountParty
from deniable.collab.session.alignment import align
from deniable.collab.session.remote_party import RemoteParty, Transport
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
    sealed: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)

    @property
    def used(self) -> int:
        """How often any vector was sealed, or taken."""
        return len(self.sealed) + len(self.loaded)

    def own_key(self, session: CountingSession, side: str) -> OwnKey:
        key = self.real.own_key(session, side)
        seal = key.seal

        def noted(about: str, values: Numbers | Bits) -> bytes:
            self.sealed.append(about)
            return seal(about, values)

        key.seal = noted  # type: ignore[method-assign]
        return key

    def peer_key(self, session: CountingSession, side: str, public: bytes) -> PeerKey:
        key = self.real.peer_key(session, side, public)
        load = key.load

        def noted(about: str, sealed: bytes, length: int) -> SealedVector:
            self.loaded.append(about)
            return load(about, sealed, length)

        key.load = noted  # type: ignore[method-assign]
        return key

    def sealed_size(self, parameters: Parameters) -> int:
        return self.real.sealed_size(parameters)

    def answer_size(self, parameters: Parameters) -> int:
        return self.real.answer_size(parameters)


def agreed(run: Run, follower: RemoteParty) -> RunTerms:
    """Greet a follower, and have it accept the terms, as an honest leader does."""
    follower.greet()
    terms = RunTerms(
        run.agreement.digest,
        {run.name: run.party.policy.document(), follower.name: follower.policy},
        {run.name: run.commitment, follower.name: follower.commitment},
    )
    run.agree(terms)
    follower.ask(verbs.AcceptTerms(terms))
    return terms


class Intruder:
    """The leader of a run whose parties have agreed and are aligned; from there on, by hand.

    The follower is in this process, or, by a line to it, in one of its own.
    """

    def __init__(
        self,
        gathering: Gathering,
        backend: Backend | None = None,
        line: Transport | None = None,
    ) -> None:
        self.gathering = gathering
        self.backend = Watched(backend or Twin())
        if line is None:
            party = gathering.party("south")
            self.dispatcher = Dispatcher(
                party, lambda name: gathering.loop("south", name), self.backend
            )
            gathering.dispatchers["south"] = self.dispatcher
        self.line: Transport = line or gathering.loop("north", "south")
        self.run = Run(gathering.party("north"), gathering.agreement)
        self.contact = RemoteParty(self.run, "south", self.line)
        self.terms = agreed(self.run, self.contact)
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

    def asks(self, question: Request[R]) -> R:
        """Ask the follower as an honest leader would."""
        message = self.line.ask(question.message(**self.stamp))
        return question.answered(message, self.gathering.agreement.schema)

    def begin(self) -> CountingKeys:
        """Begin a session of secure counting."""
        party = CountParty(self.run, "south", self.backend.real)
        nonce = Opened.of(())
        theirs = self.asks(counting_verbs.BeginCounting(nonce.commitment)).nonce
        own = party.own_vectors(party.session(nonce.salt, theirs))
        return party.keys(own, self.asks(counting_verbs.ShareKey(nonce.salt, own.key.public)).key)

    def holding(
        self, asked: Sequence[AskedVector], stop: str = "", kind: type[HeldBatch] = HeldBatch
    ) -> Message:
        """Hold vectors, step by step; give the message of the step to stop before, or the last."""
        return self._until(stop, self._held(kind(self.begin(), asked), asked))

    def evaluating(
        self,
        asked: Sequence[AskedVector],
        stop: str = "",
        kind: type[EvaluatedBatch] = EvaluatedBatch,
    ) -> Message:
        """Evaluate the follower's vectors, step by step."""
        return self._until(stop, self._evaluated(kind(self.begin(), asked), asked))

    def _until(self, stop: str, steps: Generator[Request[Any], Any, Message]) -> Message:
        question = next(steps)
        while question.verb != stop:
            reply = self.asks(question)
            try:
                question = steps.send(reply)
            except StopIteration:
                message: Message = reply.message()
                return message
        return question.message()

    def _held(
        self, batch: HeldBatch, asked: Sequence[AskedVector]
    ) -> Generator[Request[Any], Any, Message]:
        reply = yield counting_verbs.EvaluateVectors(asked, batch.sealed())
        material = yield counting_verbs.AuditFollower(
            *batch.audit(reply.answers, reply.commitments)
        )
        opened, asks = batch.answered(material.expected, material.given, material.masks)
        bound = yield counting_verbs.QuestionFollower(opened.values, opened.salt, tuple(asks))
        proof = yield counting_verbs.ExpectProof(batch.expected(bound.commitment))
        values = batch.values(Opened(tuple(proof.opened), proof.salt))
        judged = yield counting_verbs.UnmaskCounts(values)
        yield counting_verbs.ReleaseCounts(judged.values)
        message: Message = judged.message()
        return message

    def _evaluated(
        self, batch: EvaluatedBatch, asked: Sequence[AskedVector]
    ) -> Generator[Request[Any], Any, Message]:
        held = yield counting_verbs.HoldVectors(asked)
        answers, commitments = batch.answered(held.sealed)
        audit = yield counting_verbs.AnswerVectors(commitments, tuple(answers))
        expected, material, masks = batch.reveal(audit.commitment, audit.audited)
        sealed = tuple(material.values())
        asks = yield counting_verbs.ShowMaterial(expected, list(material), masks, sealed)
        bound = batch.commit(Opened(tuple(asks.opened), asks.salt), asks.answers)
        expectation = yield counting_verbs.CommitProof(bound)
        shown = batch.prove(expectation.expected)
        opened = yield counting_verbs.ShowProof(shown.values, shown.salt)
        yield counting_verbs.ReleaseCounts(batch.counts(opened.values, lambda value: value))
        message: Message = opened.message()
        return message

    def permit(self, *cells: Cell) -> None:
        """Have cells judged."""
        self.asks(counting_verbs.PermitCounts(cells, {}))

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
