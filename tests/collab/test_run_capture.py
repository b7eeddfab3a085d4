"""What others see of a run: a wiretap, a stranger, and a party that changes its mind."""

import json
import shutil
import socket
import struct
from collections.abc import Callable, Iterator
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from collab.identities import dated
from collab.intruder import around
from collab.parties import PATIENTS, Gathering
from collab.party_folders import FILE
from collab.processes import Servers, finished, running, serving
from collab.proxy import Proxy
from deniable.base.documents import read_yaml, to_yaml
from deniable.base.errors import DeniableError
from deniable.collab.agreement.approvals import approval
from deniable.collab.counting.plain_twin import Twin
from deniable.collab.ledger import read
from deniable.collab.session.run_folder import RunFile
from deniable.collab.wire.identity import CERTIFICATE, make
from deniable.collab.wire.message import Message
from waiting import eventually

pytestmark = pytest.mark.slow

GROUPS = {
    "north": [{"attributes": ["smokes", "age"], "channel": "related", "theta": "0.9"}],
    "south": [{"attributes": ["region", "drinks"], "channel": "related", "theta": "0.9"}],
}
HANDSHAKE, CHANGE, ALERT, APPLICATION = 22, 20, 21, 23


def recorded(folder: Path, mode: str) -> Gathering:
    return around(
        folder, 300, mode=mode, disguise=GROUPS if mode == "hybrid" else None, strangers=5
    )


def words(gathering: Gathering) -> Iterator[bytes]:
    """Everything that must not be seen on the way; short words would be found by chance.

    Six letters are found in 10 MB of random bytes once in thirty million times, four once in 400.
    """
    for attribute in PATIENTS:
        yield from (text.encode() for text in (attribute.name, *attribute.values) if len(text) > 5)
    yield from (f"north-{n}".encode() for n in range(5))
    yield from (f'"p{n}"'.encode() for n in range(100, 300))
    yield from (gathering.agreement.digest.encode(), b'"verb"', b"tokens", b"minimum cell")
    for line in gathering.ledger("north", "south").read_bytes().splitlines():
        row = json.loads(line)
        yield row["about"].encode()
        yield row["hash"].encode()
    yield (gathering.state("north") / RunFile.RESULT).read_bytes()[:64]


def heard(said: bytes, gathering: Gathering) -> set[bytes]:
    return {word for word in words(gathering) if word in said}


def records_of_tls(stream: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Type, version and content of every record; nothing may be left over."""
    rest = BytesIO(stream)
    while head := rest.read(5):
        kind, version, length = struct.unpack("!BHH", head)
        content = rest.read(length)
        assert len(content) == length
        yield kind, version, content


@pytest.mark.parametrize("mode", ["secure", "hybrid"])
def test_a_wiretap_hears_nothing_but_tls(tmp_path: Path, mode: str) -> None:
    gathering = recorded(tmp_path, mode)
    south = gathering.party("north").peers["south"]
    with serving(gathering), Proxy(south.host, south.port) as tap:
        redirect(gathering, "north", "south", f"127.0.0.1:{tap.port}")
        code, _, errors = finished(running(gathering, "north"))
        assert code == 0, errors
    assert tap.connections == 1
    for stream in (bytes(tap.sent), bytes(tap.received)):
        assert len(stream) > 100_000, "ciphertexts went both ways"
        assert heard(stream, gathering) == set()
        kinds = [kind for kind, *_ in records_of_tls(stream)]
        assert set(kinds) <= {HANDSHAKE, CHANGE, APPLICATION}
        assert kinds.count(HANDSHAKE) == 1, "the greeting; certificates are encrypted already"
    (_, _, greeting), *_ = records_of_tls(bytes(tap.received))
    assert b"\x00\x2b\x00\x02\x03\x04" in greeting, "TLS 1.3 was chosen"


@pytest.mark.parametrize("mode", ["secure", "hybrid"])
def test_the_same_ear_hears_everything_where_nothing_is_encrypted(
    tmp_path: Path, mode: str
) -> None:
    gathering = recorded(tmp_path, mode)
    said = bytearray()
    gathering.lead_here(backend=Twin(), between=lambda _, message: said.extend(message.encode()))
    found = heard(bytes(said), gathering)
    assert {b"smokes", b"middle", b'"verb"', gathering.agreement.digest.encode()} <= found
    assert any(word.startswith(b'{"format"') or b"model" in word for word in found)


def redirect(gathering: Gathering, name: str, peer: str, address: str) -> None:
    """Have a party look for a peer elsewhere."""
    file = gathering.folder / name / FILE
    document: Any = read_yaml(file)
    document["peers"][peer]["address"] = address
    file.write_text(to_yaml(document), encoding="utf-8")


# --- certificates ---------------------------------------------------------------------------------


def swapped(gathering: Gathering, name: str) -> None:
    """A party comes with a certificate that the other has never seen."""
    folder = gathering.folder / name / "identity"
    shutil.rmtree(folder)
    make(folder, name)


def expired(gathering: Gathering, name: str) -> None:
    """A party's certificate, pinned by the other, is out of date."""
    folder = gathering.folder / name / "identity"
    shutil.rmtree(folder)
    identity = dated(folder, name, timedelta(days=-20), timedelta(days=-1))
    other = {"north": "south", "south": "north"}[name]
    shutil.copy(folder / CERTIFICATE, gathering.folder / other / f"{name}.pem")
    file = gathering.folder / other / FILE
    document: Any = read_yaml(file)
    document["peers"][name]["fingerprint"] = identity.fingerprint
    file.write_text(to_yaml(document), encoding="utf-8")


@pytest.mark.parametrize("name", ["north", "south"])
@pytest.mark.parametrize("spoil", [swapped, expired])
def test_a_certificate_that_is_not_the_pinned_one_is_refused(
    tmp_path: Path, spoil: Callable[[Gathering, str], None], name: str
) -> None:
    gathering = around(tmp_path, 60)
    spoil(gathering, name)
    servers = Servers(gathering)
    try:
        servers.start("south", wait=False)  # it would not be let in to wait for itself
        wait_for_port(gathering.party("south").listen)
        code, out, errors = finished(running(gathering, "north", "--patience", "0"))
    finally:
        servers.stop()
    assert (code, out) == (1, "")
    assert one_sentence(errors)
    assert "certificate" in errors or "fingerprint" in errors
    for party, peer in (("north", "south"), ("south", "north")):
        ledger = gathering.ledger(party, peer)
        assert not ledger.exists() or len(read(ledger)) == 0
        assert not (gathering.state(party) / RunFile.RESULT).exists()


def wait_for_port(address: tuple[str, int]) -> None:
    def heard() -> bool:
        with socket.create_connection(address):
            return True

    eventually(heard)


def one_sentence(errors: str) -> bool:
    """One error, no traceback."""
    return (
        errors.startswith("deniable: ")
        and errors.count("deniable:") == 1
        and "Traceback" not in errors
    )


# --- what changes in the middle -------------------------------------------------------------------


def change_policy(gathering: Gathering, name: str) -> None:
    file = gathering.folder / name / FILE
    text = file.read_text()
    changed = text.replace("'0'", "'3'").replace('"0"', '"3"')
    assert changed != text
    file.write_text(changed)


def change_data(gathering: Gathering, name: str) -> None:
    import pyarrow.parquet as pq

    path = gathering.folder / name / "data.parquet"
    table = pq.read_table(path)
    pq.write_table(table.slice(1), path)


def withdraw_a_column(gathering: Gathering, name: str) -> None:
    file = gathering.folder / name / FILE
    document: Any = read_yaml(file)
    column = {"north": "smokes", "south": "drinks"}[name]
    del document["columns"][column]
    file.write_text(to_yaml(document), encoding="utf-8")


def change_the_approved_terms(gathering: Gathering, name: str) -> None:
    path = approval(gathering.party(name), gathering.agreement.digest)
    path.write_text(path.read_text().replace("faithful", "noise-aware"))


CHANGES = {
    "policy": (change_policy, "{name} changed its policy since the run began"),
    "data": (change_data, "{name} changed its data since the run began"),
    "column": (withdraw_a_column, "does not offer|cannot answer because of its own"),
    "approval": (change_the_approved_terms, "{name} no longer approves"),
}


@pytest.mark.parametrize("name", ["north", "south"])
@pytest.mark.parametrize("what", CHANGES)
def test_a_party_that_changes_in_the_middle_is_noticed(
    tmp_path: Path, what: str, name: str
) -> None:
    change, sentence = CHANGES[what]
    gathering = around(tmp_path, 200)
    seen: list[int] = []

    def between(_: str, message: Message) -> None:
        if message.verb == "evaluate":
            ledger = gathering.ledger("south", "north")
            seen.append(len(read(ledger)))
            if len(seen) == 2:
                change(gathering, name)

    with pytest.raises(DeniableError, match=sentence.format(name=name)):
        gathering.lead_here(backend=Twin(), between=between)
    rows = len(read(gathering.ledger("south", "north")))
    if name == "south":
        assert rows == seen[-1], "nothing more was released"
    else:  # the question that was under way is answered; then the leader sees to its own files
        assert len(seen) == 2
    if what in {"policy", "data"}:  # the others are looked at by whoever starts the run
        with pytest.raises(DeniableError, match=sentence.format(name=name)):
            gathering.lead_here(backend=Twin())
    assert len(read(gathering.ledger("south", "north"))) == rows
    assert not (gathering.state("south") / RunFile.RESULT).exists()


def test_another_collaboration_file_is_not_the_one_that_was_approved(tmp_path: Path) -> None:
    gathering = around(tmp_path, 60)
    gathering.lead_here(backend=Twin())
    rows = len(read(gathering.ledger("south", "north")))
    file = gathering.folder / "collaboration.yaml"
    file.write_text(file.read_text().replace("faithful", "noise-aware"))
    with serving(gathering):
        code, out, errors = finished(running(gathering, "north"))
    assert (code, out) == (1, "")
    assert one_sentence(errors)
    assert "has not approved" in errors
    assert len(read(gathering.ledger("south", "north"))) == rows
