"""Two hospitals, one tree: disguised records, then secure counts, over mutual TLS on loopback."""

import csv
import socket
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from deniable.collab.agreement.agreement import Agreement
from deniable.collab.agreement.approvals import approve
from deniable.collab.agreement.party_file import PartyFile
from deniable.collab.ledger import compare
from deniable.collab.party_server import Connections, PartyServer
from deniable.collab.session.run_folder import RunFolder
from deniable.collab.start_run import start
from deniable.collab.wire.identity import Identity, make
from deniable.mine.draw.tree_drawing import text
from deniable.mine.tree.decision_tree import DecisionTree


def free_port() -> int:
    """Find a port that nobody uses."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


COLUMNS = {
    "north": "{smokes: [no, yes], readmitted: [no, yes]}",
    "south": "{age: [young, old], alone: [no, yes]}",
}
PORTS = {"north": free_port(), "south": free_port()}
DISGUISE = """
  - {attributes: [age], channel: keep-or-uniform, theta: 1/2}
  - {attributes: [alone], channel: keep-or-uniform, theta: 1/2}"""

AGREEMENT = f"""
collaboration: readmission
mode: hybrid
parties:
  north: {{columns: {COLUMNS["north"]}}}
  south:
    columns: {COLUMNS["south"]}
    disguise: {DISGUISE.replace("  -", "    -")}
leader: north
mine: {{tree: {{target: readmitted, max_depth: 2}}}}
"""


def patients(folder: Path) -> None:
    """Invent 1,200 patients: 1,000 go to both hospitals, a hundred to each alone."""
    rng = np.random.default_rng(1)
    rows: dict[str, list[list[str]]] = {"north": [], "south": []}
    for number in range(1200):
        old, alone, smokes = rng.random(3) < (0.5, 0.3, 0.3)
        back = rng.random() < 0.05 + 0.3 * (old and alone) + 0.2 * smokes
        answer = ["no", "yes"]
        if number < 1100:
            rows["north"].append([f"P{number}", answer[int(smokes)], answer[int(back)]])
        if number >= 100:
            rows["south"].append([f"P{number}", ["young", "old"][int(old)], answer[int(alone)]])
    for name, columns in (("north", ["smokes", "readmitted"]), ("south", ["age", "alone"])):
        with (folder / name / "patients.csv").open("w", newline="") as file:
            csv.writer(file).writerows([["patient", *columns], *rows[name]])


def hospital(home: Path, name: str, disguise: str, peer: Identity) -> PartyFile:
    """Write what a hospital offers, and to whom."""
    file = home / name / "party.yaml"
    file.write_text(
        f"""
party: {name}
listen: 127.0.0.1:{PORTS[name]}
data: patients.csv
id: patient
columns: {COLUMNS[name]}
disguise: {disguise}
peers:
  {peer.name}:
    address: 127.0.0.1:{PORTS[peer.name]}
    certificate: ../{peer.name}/identity/certificate.pem
    fingerprint: {peer.fingerprint}
"""
    )
    return PartyFile.load(file)


with TemporaryDirectory() as temporary:
    home = Path(temporary)
    for name in COLUMNS:
        (home / name).mkdir()
    first, second = (make(home / name / "identity", name) for name in COLUMNS)
    patients(home)
    (home / "agreement.yaml").write_text(AGREEMENT)
    agreement = Agreement.load(home / "agreement.yaml")

    south = hospital(home, "south", DISGUISE, peer=first)
    approve(south, agreement)
    server = PartyServer(south)
    server.start()
    try:
        north = hospital(home, "north", "[]", peer=second)
        approve(north, agreement)
        with Connections(north) as connect:
            run = start(north, agreement, connect, told=lambda stage: print(f"… {stage}"))
    finally:
        server.close()

    assert run.outcome is not None  # north leads, and leads here
    assert isinstance(run.outcome.model, DecisionTree)
    print(text(run.outcome.model))
    ledgers = [
        RunFolder(own, agreement).ledger(peer.name)
        for own, peer in ((north, second), (south, first))
    ]
    found = compare(*ledgers)
    print(f"{run.outcome.released} counts released; both ledgers are the same: {found.equal}")
