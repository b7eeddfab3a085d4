"""Secure counts between two processes over TLS, beside Paillier at the same 128-bit security.

Alone: ``python -m benchmarks.secure_counting``, where the peers are.
"""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np
import paillier

from benchmarks.report import Bar, Row, Section, milliseconds
from deniable.collab.cells import Cell
from deniable.collab.counting.backend import Bits, CountingSession
from deniable.collab.counting.bfv import Bfv
from deniable.collab.counting.parameters import parameters
from deniable.collab.counting.proofs import Opened
from deniable.collab.protocol import counting_verbs
from deniable.collab.protocol.body import R, Request
from deniable.collab.protocol.fields import AskedVector
from deniable.collab.secure.batches import CountingKeys, EvaluatedBatch, HeldBatch
from deniable.collab.secure.sealed_vectors import OwnVectors, PeerVectors
from deniable.collab.wire.connection import Connection
from deniable.collab.wire.identity import CERTIFICATE, Certificate, Identity, Peer, make
from deniable.collab.wire.listener import Listener
from deniable.collab.wire.message import Message
from deniable.schema import Schema

COUNTS = 50
RECORDS, MANY = 50_000, 1_000_000
FRACTION = 25
"""Paillier is measured on this part of the records; all its work but decryption grows with them."""

REPEATS = 5
OURS = 5
"""Exchanges a repeat: how many counts are audited is left to coins, and so is the time."""

KEY_BITS = 3072
UP, DOWN = 14.1e6, 5.7e6
"""Bytes that secure-counting.md tells for many records. An audited count brings a vector down, of
as many bytes as go up."""

SPEED_BAR = Bar(100, "≥")
SIZE_BAR = Bar(0.1, "<")

NOTES = (
    f"{COUNTS} counts of two private 0/1 vectors, half of each ones. Ours: two processes and "
    "mutual TLS 1.3 on this machine's loopback, wall time of everything, from the handshake and "
    "fresh keys to counts that were asserted to be right: the "
    "proof of bits, and the audit of about one count in ten are in it. Both in turns, the median "
    f"of {REPEATS}, ours of {REPEATS * OURS}: how many counts are audited is left to coins.",
    f"pypaillier (GMP, on all cores), {KEY_BITS} bits: encrypt the vector, add up the chosen "
    "ciphertexts, re-randomise, decrypt; wall time, without its key (seconds) and without any "
    f"transport. Measured on {RECORDS // FRACTION:,} records; the times of encrypting and adding, "
    f"which grow with the records, are multiplied by {FRACTION}.",
)
SIZE_NOTE = (
    f"{MANY:,} records, {COUNTS} counts, as above; the peer is the arithmetic of "
    "secure-counting.md. Bytes of whole messages; TLS adds 22 to every 16 kB."
)


@dataclass(frozen=True)
class Exchange:
    """One vector's counts: how long it took, and what travelled."""

    seconds: float
    sent: int
    received: int
    audited: int


def run() -> Section:
    """Count fifty times by both."""
    keys = paillier.generate_keypair(KEY_BITS)
    with _evaluator() as peer:
        turns = [
            ([_exchange(peer, RECORDS).seconds for _ in range(OURS)], _paillier(*keys))
            for _ in range(REPEATS)
        ]
    ours, theirs = median(each for mine, _ in turns for each in mine), median(t for _, t in turns)
    question = f"{COUNTS} counts, {RECORDS:,} records"
    row = Row(
        question,
        f"Paillier, {KEY_BITS} bits",
        milliseconds(ours),
        f"{theirs:.0f} s",
        theirs / ours,
        SPEED_BAR,
    )
    return Section("Secure counts", "times faster", [row], NOTES)


def size() -> Section:
    """Weigh what travels for a million records."""
    with _evaluator() as peer:
        exchange = min((_exchange(peer, MANY) for _ in range(2)), key=lambda each: each.seconds)
    down = DOWN + exchange.audited * UP
    weights = {"up": (exchange.sent, UP), "down": (exchange.received, down)}
    rows = [
        Row(f"bytes {way}", "its arithmetic", _mb(ours), _mb(figure), _off(ours, figure), SIZE_BAR)
        for way, (ours, figure) in weights.items()
    ]
    took = f"It took {exchange.seconds:.1f} s; {exchange.audited} of the counts were audited."
    return Section("Secure counts over many records", "share off", rows, [SIZE_NOTE, took])


def _off(ours: float, figure: float) -> float:
    return abs(ours / figure - 1)


def _mb(size: float) -> str:
    return f"{size / 1e6:.2f} MB"


SCHEMA = Schema.of({"held": ["no", "yes"], **{f"c{k}": ["no", "yes"] for k in range(COUNTS)}})
HELD: Cell = frozenset({("held", "yes")})
ASKED = [AskedVector(HELD, [HELD | {(f"c{k}", "yes")} for k in range(COUNTS)])]


def _vectors(side: str, rows: int, n: int) -> Bits:
    """Each side's own vectors, which the benchmark knows both of."""
    return np.random.default_rng([len(side), n]).random((rows, n)) < 0.5


class _Side:
    """What a party has of secure counting: its columns, and keys."""

    def __init__(self, name: str, n: int) -> None:
        self.name, self.n = name, n
        self._vectors = _vectors(name, COUNTS if name == "evaluator" else 1, n)

    def bits(self, part: Cell) -> Bits:
        """A part of own columns."""
        places = [0 if name == "held" else int(name[1:]) for name, _ in part]
        found = np.ones(self.n, dtype=bool)
        for place in places:
            found &= self._vectors[place]
        return found

    def own(self, seed: str) -> OwnVectors:
        session = CountingSession(parameters(self.n), seed.encode())
        return OwnVectors(Bfv().own_key(session, self.name), SCHEMA, session, self.bits)

    def keys(self, own: OwnVectors, public: bytes) -> CountingKeys:
        other = {"holder": "evaluator", "evaluator": "holder"}[self.name]
        key, p = Bfv().peer_key(own.session, other, public), own.session.parameters
        return CountingKeys(p, own, PeerVectors(key, SCHEMA, p))


@contextmanager
def _evaluator() -> Iterator[tuple[Identity, Peer]]:
    """Let another process evaluate; give what it takes to connect to it."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        for side in ("holder", "evaluator"):
            make(folder / side, side)
        spawn = get_context("spawn")
        here, there = spawn.Pipe()
        process = spawn.Process(target=_serve, args=(folder, there), daemon=True)
        process.start()
        try:
            yield Identity.load(folder / "holder"), _peer(folder, "evaluator", here.recv())
        finally:
            here.send("done")
            process.join()


def _peer(folder: Path, name: str, port: int) -> Peer:
    certificate = folder / name / CERTIFICATE
    return Peer(name, "127.0.0.1", port, certificate, Certificate.load(certificate).fingerprint)


class _Evaluator:
    """Answers one batch after the other."""

    def __init__(self) -> None:
        self._sides = {n: _Side("evaluator", n) for n in (RECORDS, MANY)}

    def answer(self, _who: str, message: Message) -> Message:
        """Take the next step."""
        if message.verb == "keys":
            side, (public,) = self._sides[message.fields["records"]], message.parts
            own = side.own(message.fields["seed"])
            self._batch = EvaluatedBatch(side.keys(own, public), ASKED)
            return Message("keys", {}, (own.key.public,))
        batch, read = self._batch, _read
        if message.verb == "evaluate":
            answers, commitments = batch.answered(message.parts)
            return counting_verbs.MaskedAnswers(commitments, tuple(answers)).message()
        if message.verb == "audit":
            asked = read(counting_verbs.AuditFollower, message)
            expected, found, masks = batch.reveal(asked.commitment, asked.audited)
            sealed = tuple(found.values())
            return counting_verbs.EvaluatorMaterial(expected, list(found), masks, sealed).message()
        if message.verb == "question":
            question = read(counting_verbs.QuestionFollower, message)
            proof = Opened(tuple(question.opened), question.salt)
            return counting_verbs.EvaluatorCommitment(
                batch.commit(proof, question.answers)
            ).message()
        if message.verb == "expect":
            shown = batch.prove(read(counting_verbs.ExpectProof, message).expected)
            return counting_verbs.EvaluatorProof(shown.values, shown.salt).message()
        counts = batch.counts(message.fields["values"], lambda value: value)
        return Message("counts", {"values": counts})


def _read(kind: type[Request[R]], message: Message) -> Any:
    return kind.read(message, SCHEMA)


def _serve(folder: Path, pipe: "Pipe[object, object]") -> None:
    """Evaluate until told to end."""
    peers = {"holder": _peer(folder, "holder", 0)}
    identity = Identity.load(folder / "evaluator")
    with Listener(("127.0.0.1", 0), identity, peers, _Evaluator().answer) as listener:
        pipe.send(listener.port)
        pipe.recv()


def _exchange(where: tuple[Identity, Peer], n: int) -> Exchange:
    """Hold a vector, have it evaluated, audit, open the answers, be told the counts."""
    side = _Side("holder", n)
    begin = perf_counter()
    with Connection(*where, timeout=60) as connection:

        def asked(question: Request[R]) -> R:
            return question.answered(connection.ask(question.message()), SCHEMA)

        seed = secrets.token_hex(16)
        own = side.own(seed)
        keys = Message("keys", {"records": n, "seed": seed}, (own.key.public,))
        batch = HeldBatch(side.keys(own, connection.ask(keys).parts[0]), ASKED)
        reply = asked(counting_verbs.EvaluateVectors(ASKED, batch.sealed()))
        material = asked(
            counting_verbs.AuditFollower(*batch.audit(reply.answers, reply.commitments))
        )
        opened, questions = batch.answered(material.expected, material.given, material.masks)
        bound = asked(counting_verbs.QuestionFollower(opened.values, opened.salt, tuple(questions)))
        proof = asked(counting_verbs.ExpectProof(batch.expected(bound.commitment)))
        values = batch.values(Opened(tuple(proof.opened), proof.salt))
        counts = connection.ask(Message("opened", {"values": values})).fields["values"][0]
        traffic = connection.traffic
    seconds = perf_counter() - begin
    (vector,) = _vectors("holder", 1, n)
    assert counts[1:] == (_vectors("evaluator", COUNTS, n) & vector).sum(axis=1).tolist()
    audited = len(material.given) - 1 if material.masks else 0  # vectors, beside their masks
    return Exchange(seconds, traffic.sent, traffic.received, audited)


def _paillier(public: paillier.PublicKey, secret: paillier.SecretKey) -> float:
    """Seconds for all records, told from a fraction of them."""
    n = RECORDS // FRACTION
    (vector,) = _vectors("holder", 1, n)
    candidates = _vectors("evaluator", COUNTS, n)
    chosen = [np.flatnonzero(each).tolist() for each in candidates]
    begin = perf_counter()
    sealed = paillier.encrypt_integers(public, vector.tolist())
    sums = paillier.add_blocks(public, sealed, chosen)
    growing = perf_counter() - begin
    opened = paillier.decrypt_exact_many(secret, paillier.rerandomize(public, sums))
    seconds = perf_counter() - begin + (FRACTION - 1) * growing
    assert [value for value, _ in opened] == (candidates & vector).sum(axis=1).tolist()
    return seconds


if __name__ == "__main__":
    print(run())
    print()
    print(size())
