import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

import deniable as package
from collab.identities import dated
from commanding import Command
from deniable.collab.agreement.party_file import PartyFile
from deniable.collab.wire import listener as listening
from deniable.collab.wire.identity import CERTIFICATE, Identity, Peer, make, spoken
from deniable.collab.wire.listener import Listener
from deniable.collab.wire.message import Message


def _never(name: str, message: Message) -> Message:
    raise AssertionError


def _listed(name: str, identity: Identity, port: int) -> str:
    return (
        f"  {name}:\n    address: 127.0.0.1:{port}\n"
        f"    certificate: {identity.folder.name}/{CERTIFICATE}\n"
        f'    fingerprint: "{spoken(identity.fingerprint)}"\n'
    )


class Neighbours:
    """North with its party file, and South, who listens."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.party = folder / "party.yaml"
        self.north = make(folder / "identity", "north")
        self.south = make(folder / "south", "south")

    def pin(self, identity: Identity, port: int) -> None:
        listed = _listed("south", identity, port)
        self.party.write_text(f"party: north\nlisten: 127.0.0.1:7440\npeers:\n{listed}")

    def listening(self, who: Identity, known: Identity, name: str = "north") -> Listener:
        peer = Peer(name, "127.0.0.1", 1, known.folder / CERTIFICATE, known.fingerprint)
        return Listener(("127.0.0.1", 0), who, {name: peer}, _never)


@pytest.fixture
def both(tmp_path: Path) -> Neighbours:
    return Neighbours(tmp_path)


@pytest.fixture
def south(both: Neighbours) -> Iterator[Listener]:
    with both.listening(both.south, both.north) as listener:
        both.pin(both.south, listener.port)
        yield listener


def test_init_makes_an_identity_and_a_file_to_start_from(deniable: Command, tmp_path: Path) -> None:
    folder = tmp_path / "identity"
    done = deniable("party", "init", "north", "--folder", folder)
    assert done.code == 0
    assert spoken(Identity.load(folder).fingerprint) in done.out
    party = PartyFile.load(tmp_path / "party.yaml")
    assert (party.name, party.identity) == ("north", folder)
    assert "deniable party check PEER" in done.err


def test_the_commented_peer_is_one_once_it_is_filled_in(deniable: Command, tmp_path: Path) -> None:
    deniable("party", "init", "no", "--folder", tmp_path / "identity")  # YAML's no is not a name
    file = tmp_path / "party.yaml"
    head, peers, rest = file.read_text(encoding="utf-8").partition("# peers:")
    lines = (peers + rest).replace("0123 4567 …", "0123 4567 " * 8).splitlines()
    file.write_text(head + "\n".join(line[2:] for line in lines), encoding="utf-8")
    party = PartyFile.load(file)
    assert party.name == "no"
    assert (party.peers["south"].host, party.peers["south"].port) == ("south.example", 7440)


def test_init_overwrites_nothing(deniable: Command, tmp_path: Path) -> None:
    folder, party = tmp_path / "identity", tmp_path / "party.yaml"
    party.write_text("mine")
    assert deniable("party", "init", "north", "--folder", folder).code == 0
    before = Identity.load(folder)
    again = deniable("party", "init", "north", "--folder", folder)
    assert (again.code, again.out) == (1, "")
    assert "exists already" in again.err
    assert Identity.load(folder) == before
    assert party.read_text() == "mine"


def test_check_tells_of_certificates_versions_and_clocks(
    deniable: Command, both: Neighbours, south: Listener
) -> None:
    shown = deniable("party", "check", "south", "--party", both.party)
    assert (shown.code, shown.err) == (0, "")
    for words in ("south answers in", "TLSv1.3", "729 days left", "clocks: 0.0 s apart"):
        assert words in shown.out
    found = json.loads(deniable("party", "check", "south", "--party", both.party, "--json").out)
    assert found["version"] == package.__version__
    assert found["theirs"]["fingerprint"] == both.south.fingerprint
    assert found["ours"]["fingerprint"] == both.north.fingerprint
    assert found["known_as"] == "north"
    assert found["warnings"] == []
    assert abs(found["clock"]) <= found["round_trip"]  # one machine, one clock
    assert found["round_trip"] > 0


def test_check_warns_of_clocks_and_names_that_differ(
    deniable: Command, both: Neighbours, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Late:
        """A clock, as of a machine that is two minutes behind."""

        monotonic, sleep = time.monotonic, time.sleep

        @staticmethod
        def time() -> float:
            return time.time() - 120

    monkeypatch.setattr(listening, "time", Late)
    with both.listening(both.south, both.north, name="nord") as listener:
        both.pin(both.south, listener.port)
        shown = deniable("party", "check", "south", "--party", both.party)
    assert shown.code == 0
    assert "the clock of south is 120 s behind ours" in shown.err
    assert "south knows us as 'nord', and we are 'north'" in shown.err


def _fails(deniable: Command, both: Neighbours, timeout: float = 60) -> str:
    done = deniable("party", "check", "south", "--party", both.party, "--timeout", timeout)
    assert (done.code, done.out) == (1, "")
    assert done.err.count("\n") == 1
    return done.err


@pytest.mark.slow
def test_each_way_to_fail_has_its_sentence(
    deniable: Command, both: Neighbours, south: Listener, tmp_path: Path
) -> None:
    unknown = deniable("party", "check", "sout", "--party", both.party)
    assert "'sout' is not among the peers" in unknown.err
    assert "Did you mean 'south'?" in unknown.err

    other = make(tmp_path / "other", "south")
    both.pin(other, south.port)
    refused = _fails(deniable, both)
    assert "is not the one pinned for south" in refused
    assert spoken(other.fingerprint) in refused
    assert spoken(both.south.fingerprint) in refused

    with both.listening(both.south, other) as listener:
        both.pin(both.south, listener.port)
        assert "south does not know our certificate" in _fails(deniable, both)
    assert "Nothing listens at" in _fails(deniable, both)

    with socket.create_server(("127.0.0.1", 0)) as silent:
        both.pin(both.south, silent.getsockname()[1])
        assert "within 0.5 s" in _fails(deniable, both, timeout=0.5)

    old = dated(tmp_path / "old", "south", timedelta(days=-9), timedelta(days=-2))
    with both.listening(old, both.north) as listener:
        both.pin(old, listener.port)
        assert f"expired on {old.certificate.ends:%Y-%m-%d}" in _fails(deniable, both)


def test_check_without_an_identity_says_how_to_make_one(
    deniable: Command, both: Neighbours, south: Listener
) -> None:
    both.north.folder.rename(both.folder / "elsewhere")
    assert "deniable party init" in _fails(deniable, both)


@pytest.mark.slow
def test_serve_says_where_it_listens_answers_a_check_and_stops(
    deniable: Command, both: Neighbours
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    both.pin(both.south, port)
    own = _listed("north", both.north, 1).replace("identity/", "../identity/")
    (both.folder / "there").mkdir()
    file = both.folder / "there" / "party.yaml"
    file.write_text(f"party: south\nlisten: 127.0.0.1:{port}\nidentity: ../south\npeers:\n{own}")
    command = [sys.executable, "-m", "deniable", "party", "serve", str(file)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as serving:
        try:
            assert serving.stderr is not None
            assert f"south listens at 127.0.0.1, port {port}" in serving.stderr.readline()
            assert deniable("party", "check", "south", "--party", both.party).code == 0
            serving.send_signal(signal.SIGINT)
            assert "stopped" in serving.stderr.read()
            assert serving.wait(60) == 0
        finally:
            serving.kill()
