"""Secure counts between two processes over TLS, beside Paillier at the same 128-bit security.

Alone: ``python -m benchmarks.secure_counting``, where the peers are.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np
import paillier

from benchmarks.report import Bar, Row, Section, milliseconds
from deniable.collab.counting.backend import Bits, EncryptedVector, unmasked
from deniable.collab.counting.bfv import Bfv
from deniable.collab.wire.connection import Connection
from deniable.collab.wire.identity import CERTIFICATE, Certificate, Identity, Peer, make
from deniable.collab.wire.listener import Listener
from deniable.collab.wire.message import Message

COUNTS = 50
RECORDS, MANY = 50_000, 1_000_000
FRACTION = 25
"""Paillier is measured on this part of the records; all its work but decryption grows with them."""

REPEATS = 5
KEY_BITS = 3072
UP, DOWN = 24.3e6, 2.5e6
"""Bytes that secure-counting.md tells for many records."""

SPEED_BAR = Bar(100, "≥")
SIZE_BAR = Bar(0.1, "<")

NOTES = (
    f"{COUNTS} counts of two private 0/1 vectors, half of each ones. Ours: two processes and "
    "mutual TLS 1.3 on this machine's loopback, wall time of everything, from the handshake and a "
    f"fresh key to counts that were asserted to be right. Both in turns, best of {REPEATS}.",
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


def run() -> Section:
    """Count fifty times by both."""
    keys = paillier.generate_keypair(KEY_BITS)
    with _evaluator() as peer:
        turns = [(_exchange(peer, RECORDS).seconds, _paillier(*keys)) for _ in range(REPEATS)]
    ours, theirs = map(min, zip(*turns, strict=True))
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
    weights = {"up": (exchange.sent, UP), "down": (exchange.received, DOWN)}
    rows = [
        Row(f"bytes {way}", "its arithmetic", _mb(ours), _mb(figure), _off(ours, figure), SIZE_BAR)
        for way, (ours, figure) in weights.items()
    ]
    took = f"It took {exchange.seconds:.1f} s."
    return Section("Secure counts over many records", "share off", rows, [SIZE_NOTE, took])


def _off(ours: float, figure: float) -> float:
    return abs(ours / figure - 1)


def _mb(size: float) -> str:
    return f"{size / 1e6:.2f} MB"


def _vectors(side: str, rows: int, n: int) -> Bits:
    """Each side's own vectors, which the benchmark knows both of."""
    return np.random.default_rng([len(side), n]).random((rows, n)) < 0.5


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


def _serve(folder: Path, pipe: "Pipe[object, object]") -> None:
    """Evaluate until told to end."""
    masks: list[int] = []

    def answer(_who: str, message: Message) -> Message:
        if message.verb == "opened":
            pairs = zip(message.fields["values"], masks, strict=True)
            return Message("counts", {"values": [unmasked(*pair) for pair in pairs]})
        records = message.fields["records"]
        key, blocks = message.parts
        evaluation = Bfv().evaluate(EncryptedVector(key, blocks, records))
        answers, masks[:] = evaluation.answer(candidates[records])
        return Message("answers", parts=tuple(answers))

    candidates = {n: _vectors("evaluator", COUNTS, n) for n in (RECORDS, MANY)}
    peers = {"holder": _peer(folder, "holder", 0)}
    identity = Identity.load(folder / "evaluator")
    with Listener(("127.0.0.1", 0), identity, peers, answer) as listener:
        pipe.send(listener.port)
        pipe.recv()


def _exchange(where: tuple[Identity, Peer], n: int) -> Exchange:
    """Hold a vector, have it evaluated, open the answers, be told the counts."""
    (vector,) = _vectors("holder", 1, n)
    begin = perf_counter()
    with Connection(*where, timeout=60) as connection:
        holder = Bfv().hold(vector)
        sealed = holder.encrypted
        question = Message("evaluate", {"records": n}, (sealed.key, sealed.blocks))
        opened = holder.open(connection.ask(question).parts)
        counts = connection.ask(Message("opened", {"values": opened})).fields["values"]
        traffic = connection.traffic
    seconds = perf_counter() - begin
    assert counts == (_vectors("evaluator", COUNTS, n) & vector).sum(axis=1).tolist()
    return Exchange(seconds, traffic.sent, traffic.received)


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
