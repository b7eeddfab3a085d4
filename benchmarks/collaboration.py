"""A whole tree between two parties over TLS: secure counts alone, and the hybrid beside them.

Alone: ``python -m benchmarks.collaboration [--max-depth 4]``.
"""

import argparse
import socket
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from shutil import copy
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.report import Row, Section
from deniable import ExactOracle, Records
from deniable.base.documents import to_yaml
from deniable.collab.agreement.agreement import Agreement
from deniable.collab.agreement.approvals import approve
from deniable.collab.agreement.party_file import PartyFile
from deniable.collab.counting.backend import (
    Bits,
    CountingSession,
    Numbers,
    OwnKey,
    PeerKey,
    SealedVector,
)
from deniable.collab.counting.bfv import Bfv
from deniable.collab.leader.lead import lead
from deniable.collab.party_server import Connections, serve
from deniable.collab.session.run import Run
from deniable.collab.wire.identity import CERTIFICATE, Certificate, make
from deniable.collab.wire.message import Message
from deniable.mine.tree.decision_tree import DecisionTree
from deniable.mine.tree.mine_tree import mine_tree
from deniable.papers.datasets import SETS
from deniable.papers.prepared_sets import binary

RECORDS = 10_000
TARGET = SETS["adult"].target
LEADER, FOLLOWER = "north", "south"
GROUPS, THETA = 2, "0.45"
"""Of the follower's columns; the leader knows its own, which makes four groups with them."""

SEED = "20261120"
EVERYTHING = {
    "minimum cell": "0",
    "counts": "1000000",
    "people per count": "0",
    "noise": "none",
}


@dataclass(frozen=True)
class Measured:
    """What one run took."""

    seconds: float
    counts: int
    vectors: int
    sent: int
    received: int
    tree: DecisionTree


class Tallied(Bfv):
    """The real cryptography; notes how many vectors were sealed, by either side."""

    def __init__(self) -> None:
        self.vectors = 0

    def own_key(self, session: CountingSession, side: str) -> OwnKey:
        """A key that tells when it seals."""
        key = super().own_key(session, side)
        seal = key.seal

        def counted(about: str, values: Numbers | Bits) -> bytes:
            self.vectors += 1
            return seal(about, values)

        key.seal = counted  # type: ignore[method-assign]
        return key

    def peer_key(self, session: CountingSession, side: str, public: bytes) -> PeerKey:
        """A key that tells when it takes what was sealed."""
        key = super().peer_key(session, side, public)
        load = key.load

        def counted(about: str, sealed: bytes, length: int) -> SealedVector:
            self.vectors += 1
            return load(about, sealed, length)

        key.load = counted  # type: ignore[method-assign]
        return key


def run(max_depth: int | None = None) -> Section:
    """Grow both trees."""
    people = binary("adult", RECORDS)
    options = {} if max_depth is None else {"max_depth": str(max_depth)}
    secure = _measured(people, "secure", {"target": TARGET, **options})
    hybrid = _measured(people, "hybrid", {"target": TARGET, "window": "adaptive", **options})
    full = _measured(people, "hybrid", {"target": TARGET, "window": "full", **options})
    for found in (secure, full):
        _require_plain(found.tree, people, max_depth)
    rows = [
        Row(
            f"hybrid, adaptive window: {question}",
            "secure only",
            shown(ours := getattr(hybrid, figure)),
            shown(theirs := getattr(secure, figure)),
            ours / theirs,
        )
        for question, (figure, shown) in FIGURES.items()
    ]
    return Section("A tree of two parties over TLS", "share", rows, _notes(secure, hybrid))


def _mb(size: float) -> str:
    return f"{size / 1e6:.1f} MB"


FIGURES: dict[str, tuple[str, Callable[[float], str]]] = {
    "time": ("seconds", "{:.0f} s".format),
    "secure counts": ("counts", "{:,}".format),
    "encrypted vectors": ("vectors", "{:,}".format),
    "bytes up": ("sent", _mb),
    "bytes down": ("received", _mb),
}
"""Of `Measured`, and how they are written."""


def _notes(secure: Measured, hybrid: Measured) -> list[str]:
    each = 1000 * secure.seconds / secure.counts
    return [
        f"Adult, the first {RECORDS:,} records in two values, columns in turn to two parties, "
        "which both know the class. Two processes, mutual TLS 1.3 on this machine's loopback, "
        "every count released; wall time from the first greeting to the model at both parties.",
        "Secure only gives the tree of plain ID3, node by node, and so does the hybrid with a full "
        "window (asserted): "
        f"{len(secure.tree.axis):,} nodes, {each:.1f} ms a count with everything. By the "
        f"adaptive window: the follower's columns disguised in {GROUPS} related groups, "
        f"θ = {THETA}; {len(hybrid.tree.axis):,} nodes.",
        "Up is to the follower. Either side seals, whichever takes fewer vectors; those of audits "
        "are among them.",
    ]


def _require_plain(found: DecisionTree, people: Records, max_depth: int | None) -> None:
    joint = people.select(found.schema)
    exact = ExactOracle(joint, joint.schema)
    wanted = mine_tree(exact, TARGET, growth="faithful", max_depth=max_depth)
    assert found.features == wanted.features
    assert np.array_equal(found.axis, wanted.axis)
    assert np.array_equal(found.counts, wanted.counts)


def _measured(people: Records, mode: str, tree: Mapping[str, str]) -> Measured:
    with TemporaryDirectory() as name:
        folder = Path(name)
        agreement = _written(folder, people, mode, tree)
        party = PartyFile.load(folder / LEADER / "party.yaml")
        backend = Tallied()
        with (
            _serving(folder / FOLLOWER / "party.yaml"),
            Connections(party) as connect,
            closing(Run(party, agreement)) as here,
        ):
            connect(FOLLOWER).ask(Message("check"))  # Python takes its time to start
            begin = perf_counter()
            outcome = lead(here, connect, backend=backend)
            seconds = perf_counter() - begin
            traffic = connect(FOLLOWER).traffic
    assert isinstance(outcome.model, DecisionTree)
    return Measured(
        seconds,
        outcome.secure_counts,
        backend.vectors,
        traffic.sent,
        traffic.received,
        outcome.model,
    )


@contextmanager
def _serving(party: Path) -> Iterator[None]:
    """Let the follower answer in another process."""
    process = get_context("spawn").Process(target=serve, args=(party,), daemon=True)
    process.start()
    try:
        yield
    finally:
        process.kill()
        process.join()


def _written(folder: Path, people: Records, mode: str, tree: Mapping[str, str]) -> Agreement:
    """Write both parties' files and data, and what both approve."""
    features = [name for name in people.schema.names if name != TARGET]
    columns = {LEADER: [*features[::2], TARGET], FOLLOWER: [*features[1::2], TARGET]}
    brought: dict[str, dict[str, Any]] = {
        name: {"columns": {each: list(people.schema[each].values) for each in columns[name]}}
        for name in columns
    }
    if mode == "hybrid":
        brought[FOLLOWER]["disguise"] = _groups(features[1::2])
    ports = {name: str(_free_port()) for name in columns}
    for name in columns:
        (folder / name).mkdir()
        make(folder / name / "identity", name)
    for name, other in ((LEADER, FOLLOWER), (FOLLOWER, LEADER)):
        _write_data(folder / name / "data.parquet", people, columns[name])
        certificate = folder / name / "other.pem"
        copy(folder / other / "identity" / CERTIFICATE, certificate)
        peer = {
            "address": f"127.0.0.1:{ports[other]}",
            "certificate": certificate.name,
            "fingerprint": Certificate.load(certificate).fingerprint,
        }
        document = {
            "party": name,
            "listen": f"127.0.0.1:{ports[name]}",
            "identity": "identity",
            "state": "state",
            "data": "data.parquet",
            "id": "id",
            **brought[name],
            "policy": EVERYTHING,
            "seed": SEED,
            "peers": {other: peer},
        }
        (folder / name / "party.yaml").write_text(to_yaml(document), encoding="utf-8")
    agreement = Agreement.of(
        {
            "collaboration": "adult",
            "mode": mode,
            "parties": brought,
            "leader": LEADER,
            "align": "key",
            "mine": {"tree": dict(tree)},
            "policy": EVERYTHING,
        }
    )
    for name in columns:
        approve(PartyFile.load(folder / name / "party.yaml"), agreement)
    return agreement


def _groups(names: Sequence[str]) -> list[dict[str, Any]]:
    return [
        {"attributes": list(names[at::GROUPS]), "channel": "related", "theta": THETA}
        for at in range(GROUPS)
    ]


def _write_data(path: Path, people: Records, columns: Sequence[str]) -> None:
    table = people.to_arrow().select(list(columns))
    identifiers = pa.array([str(number) for number in range(len(people))])
    pq.write_table(table.append_column("id", identifiers), path)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def main(arguments: list[str]) -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.collaboration")
    parser.add_argument("--max-depth", type=int, help="levels of the trees; all by default")
    print(run(parser.parse_args(arguments).max_depth))


if __name__ == "__main__":
    main(sys.argv[1:])
