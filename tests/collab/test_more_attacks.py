"""Further attacks of peers on the line, the files and the logs of a party; on the real server."""

import io
import re
import socket
import ssl
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from collab.identities import pin, vouched_for
from collab.intruder import around
from collab.network_intruder import PATIENCE, NetworkIntruder
from collab.processes import finished, running, serving
from collab.proxy import Proxy
from deniable.base.errors import AnswerError, CollabError, PeerError
from deniable.collab.agreement.approvals import approval
from deniable.collab.session.intersection import Identifiers, tags
from deniable.collab.session.run_folder import MOST_REHEARSALS, RunFolder
from deniable.collab.wire.connection import Connection
from deniable.collab.wire.identity import CERTIFICATE, KEY, Identity, make
from deniable.collab.wire.message import MAGIC, MESSAGE_HEAD, PROTOCOL, Message
from deniable.collab.wire.tls import client_context
from waiting import eventually

pytestmark = pytest.mark.slow

GROUPS = {
    "south": [{"attributes": ["region", "drinks"], "channel": "related", "theta": "0.9"}],
}


def test_what_was_recorded_of_a_session_cannot_be_played_again(tmp_path: Path) -> None:
    gathering = around(tmp_path, 40)
    north = gathering.party("north")
    host, port = gathering.party("south").listen
    stamp = {"collaboration": gathering.agreement.digest, "have": 0}
    with serving(gathering, "south") as servers, Proxy(host, port) as proxy:
        peer = pin(Identity.load(gathering.party("south").identity), proxy.port)
        with Connection(Identity.load(north.identity), peer, patience=PATIENCE) as line:
            assert line.ask(Message("hello", stamp)).verb == "welcome"
        recorded = bytes(proxy.sent)
        assert len(recorded) > 500
        for _ in range(2):
            with socket.create_connection((host, port), PATIENCE) as plain:
                with suppress(OSError):
                    plain.sendall(recorded)
                    plain.shutdown(socket.SHUT_WR)
                heard = b""
                with suppress(OSError):
                    while more := plain.recv(1 << 16):
                        heard += more
            # Its half of a handshake, and an alert: a welcome alone is longer.
            assert len(heard) < 3000
        servers.running["south"].terminate()
        log = servers.running["south"].stderr
        assert log is not None
        assert log.read().decode().count("north begins") == 1


def test_no_session_is_taken_up_again(tmp_path: Path) -> None:
    gathering = around(tmp_path, 40)
    north, address = gathering.party("north"), gathering.party("south").listen
    context = client_context(Identity.load(north.identity), north.peers["south"])
    with serving(gathering, "south"):
        sessions: list[ssl.SSLSession | None] = []
        for _ in range(2):
            session = sessions[-1] if sessions else None
            plain = socket.create_connection(address, PATIENCE)
            with context.wrap_socket(plain, session=session) as secure:
                assert secure.recv(100).startswith(MAGIC)
                assert not secure.session_reused
                assert secure.session is None or not secure.session.has_ticket
                sessions.append(secure.session)


def test_a_pinned_name_with_another_key_is_a_stranger(tmp_path: Path) -> None:
    gathering = around(tmp_path, 40)
    north = gathering.party("north")
    real = Identity.load(north.identity)
    forged = make(tmp_path / "forged", "north")
    chained = vouched_for(tmp_path / "chained", "north", by=real)
    # The real certificate, which everybody may have, and a key that is not its own.
    stolen = tmp_path / "stolen"
    stolen.mkdir()
    (stolen / CERTIFICATE).write_bytes((real.folder / CERTIFICATE).read_bytes())
    (stolen / KEY).write_bytes((forged.folder / KEY).read_bytes())
    with serving(gathering, "south"):
        for identity in (forged, chained):
            with (
                Connection(identity, north.peers["south"]) as line,
                pytest.raises(PeerError, match="does not know our certificate"),
            ):
                line.ask(Message("check"))
        with pytest.raises(CollabError, match="is not the key of"):
            Identity.load(stolen)


def test_a_frame_that_claims_other_lengths_than_it_has_is_the_end_of_the_line(
    tmp_path: Path,
) -> None:
    """What comes after it is never taken for a message."""
    gathering = around(tmp_path, 40)
    north, address = gathering.party("north"), gathering.party("south").listen
    context = client_context(Identity.load(north.identity), north.peers["south"])
    check = Message("check").encode()
    opening = b'{"verb": "check", "fields": {}}'
    wrong = [
        MESSAGE_HEAD.pack(MAGIC, PROTOCOL, len(opening) - 1, 0, 0) + opening,
        MESSAGE_HEAD.pack(MAGIC, PROTOCOL, len(opening) + 1, 0, 0) + opening,
        MESSAGE_HEAD.pack(MAGIC, PROTOCOL, len(opening), 3, 0) + opening + b"[1]",
        MESSAGE_HEAD.pack(MAGIC, PROTOCOL, len(opening), 0, 1) + bytes(7) + b"\xff" + opening,
        check[:-1] + b" " + check[:10],
    ]
    with serving(gathering, "south"):
        for frame in wrong:
            plain = socket.create_connection(address, PATIENCE)
            with context.wrap_socket(plain) as secure:
                told = io.BytesIO()
                with suppress(OSError, ssl.SSLError):
                    secure.sendall(frame + check)
                    socket.socket.shutdown(secure, socket.SHUT_WR)
                    while more := secure.recv(1 << 16):
                        told.write(more)
            told.seek(0)
            verbs = []
            with suppress(EOFError):
                while True:
                    verbs.append(Message.read(told).verb)
            assert verbs in (["hello"], ["hello", "error"]), frame


def test_verbs_in_another_order_get_nothing(tmp_path: Path) -> None:
    gathering = around(tmp_path, 40, mode="collect", own_columns="plain", disguise=GROUPS)
    ids = Identifiers.of(f"p{number}" for number in range(40))
    key = b"k" * 32
    with serving(gathering, "south"), NetworkIntruder(gathering) as intruder:
        for verb in ("records", "result", "settle", "intersect", "seek"):
            with pytest.raises(AnswerError, match="not under the terms"):
                intruder.say(verb)
        intruder.agree()
        with pytest.raises(AnswerError, match="has not been aligned"):
            intruder.say("records")
        named = tags(ids, np.arange(40), key)
        assert intruder.say("settle", {}, (key, named)).verb == "settled"
        rows = intruder.rows()
        assert '"people in common"' in rows, "who guesses all of them is in the ledger as well"
        few = tags(ids, np.arange(30), key)
        with pytest.raises(AnswerError, match="refuses the list"):
            intruder.say("settle", {}, (key, few))
        assert intruder.say("records").verb == "records"


# --- what a follower sends a leader -----------------------------------------------------------

BOMB = """
import pyarrow as pa, numpy as np
import deniable.collab.follower.follower_session as session
def bomb(records):
    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    zeros = pa.array(np.zeros(1 << 26, np.uint8))
    table = pa.table({name: zeros for name in records.schema.names})
    with pa.ipc.new_stream(sink, table.schema, options=options) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())
session.packed = bomb
"""
ENDLESS_LEDGER = """
from dataclasses import replace
import deniable.collab.follower.follower_session as session
import deniable.collab.follower.dispatcher as dispatcher
from deniable.collab.ledger import LedgerEntry, LedgerRow
ROWS = []
def endless(ledger, have):
    while len(ROWS) < have + 5_500:
        entry = LedgerEntry("refused", f"row {len(ROWS)}", "south", "x" * 200)
        ROWS.append(LedgerRow.after(ROWS[-1:], entry, "2026-01-01T00:00:00Z"))
    return [row.document() for row in ROWS[have : have + 5_500]]
dispatcher._rows_since = endless
welcome = session.FollowerSession.welcome
dispatcher.HANDLERS[session.verbs.Hello] = lambda self, asked: replace(
    welcome(self, asked), total=10**12)
"""
TAKES_ANY_LEDGER = """
from deniable.collab.session.remote_party import RemoteParty
RemoteParty._require_room = lambda *_: None
"""


def test_reports_that_unpack_to_more_than_memory_are_not_unpacked(tmp_path: Path) -> None:
    gathering = around(tmp_path, 40, mode="collect", own_columns="plain", disguise=GROUPS)
    with serving(gathering, "south", planted=BOMB):
        code, _, errors = finished(running(gathering, "north"))
        assert code != 0
        refused = r"south sent (records that cannot be read|values of)|different numbers of records"
        assert re.search(refused, errors)


def test_arrow_would_unpack_them() -> None:
    """What was read before: 64 MB of zeros out of a few kB."""
    sink = pa.BufferOutputStream()
    zeros = pa.table({"region": pa.nulls(1 << 26, pa.uint8()).fill_null(0)})
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.ipc.new_stream(sink, zeros.schema, options=options) as writer:
        writer.write_table(zeros)
    body = sink.getvalue()
    assert body.size < 100_000
    assert pa.ipc.open_stream(body).read_all().nbytes >= 1 << 26


def test_a_ledger_without_end_is_not_taken_over(tmp_path: Path) -> None:
    gathering = around(tmp_path, 40)
    with serving(gathering, "south", planted=ENDLESS_LEDGER):
        code, _, errors = finished(running(gathering, "north"))
        assert code != 0
        assert "south sends more rows of a ledger than a run can have" in errors
        assert gathering.ledger("north", "south").stat().st_size == 0


def test_without_a_limit_it_would_be(tmp_path: Path) -> None:
    gathering = around(tmp_path, 40)
    with serving(gathering, "south", planted=ENDLESS_LEDGER):
        leading = running(gathering, "north", planted=TAKES_ANY_LEDGER)
        try:
            ledger = gathering.ledger("north", "south")
            eventually(lambda: leading.poll() is not None or ledger.stat().st_size > 5_000_000)
            assert leading.poll() is None, finished(leading)
        finally:
            leading.kill()
            leading.communicate()


# --- what stays on the disk, and in the log ---------------------------------------------------


KEEPS_ALL = """
from deniable.collab.session.run_folder import RunFolder
RunFolder.drop_old_rehearsals = lambda _: None
"""


@pytest.mark.parametrize("planted", ["", KEEPS_ALL], ids=["as it is", "unlimited"])
def test_dry_runs_of_every_size_leave_a_few_folders(tmp_path: Path, planted: str) -> None:
    gathering = around(tmp_path, 40)
    many = 3 * MOST_REHEARSALS
    with serving(gathering, "south", planted=planted), NetworkIntruder(gathering) as intruder:
        for records in range(1, many + 1):
            assert intruder.say("hello", {"rehearsal": records}).verb == "welcome"
        folders = [path.name for path in gathering.party("south").state.glob("*rehearsal*")]
        assert any(name.endswith(f"rehearsal-{many}") for name in folders)
        assert len(folders) == (many if planted else MOST_REHEARSALS)


@pytest.mark.parametrize(
    "name", ["../../party", "a/b", "..", "/etc/passwd", "a\0b", "0" * 63 + "/", "0" * 63, None, 5]
)
def test_no_file_is_named_by_what_a_peer_calls_a_run(tmp_path: Path, name: object) -> None:
    gathering = around(tmp_path, 40)
    with serving(gathering, "south"), NetworkIntruder(gathering) as intruder:
        before = sorted(tmp_path.rglob("*"))
        for field in ("collaboration", "rehearsal"):
            if (field, name) not in {("rehearsal", None), ("rehearsal", 5)}:
                with pytest.raises(AnswerError, match=r"names no collaboration|needs a number"):
                    intruder.say("hello", {field: name})
        assert sorted(tmp_path.rglob("*")) == before


def test_two_agreements_that_begin_alike_have_folders_of_their_own(tmp_path: Path) -> None:
    """16 digits, as they were, can be made to agree by whoever writes both agreements."""
    gathering = around(tmp_path, 40)
    party = gathering.party("south")

    class Like:
        digest = gathering.agreement.digest[:24] + "0" * 40

    other: Any = Like()
    assert RunFolder(party, other).path != RunFolder(party, gathering.agreement).path
    assert approval(party, other.digest) != approval(party, gathering.agreement.digest)


def test_a_peer_writes_no_lines_of_its_own_into_the_log(tmp_path: Path) -> None:
    gathering = around(tmp_path, 40)
    line = "deniable: 2026-01-01 00:00:00 the model of readmission is in /tmp/forged"
    forged = f"x\n{line}\r\x1b[2J\u202e"
    with serving(gathering, "south") as servers, NetworkIntruder(gathering) as intruder:
        tries: list[tuple[str, dict[str, Any]]] = [
            (forged, {}),
            ("hello", {"collaboration": forged}),
            ("hello", {"terms": forged}),
            ("agree", {"document": {"agreement": forged, "policies": {forged: 1}}}),
            ("agree", {"document": {"agreement": "", "policies": {forged: 1}, "commitments": {}}}),
            ("intersect", {"records": 10**300}),
            ("drawn", {"numbers": {forged: forged}}),
            ("commit", {forged: 1}),
        ]
        for verb, fields in tries:
            with suppress(CollabError):
                intruder.say(verb, fields)
        with suppress(CollabError):
            intruder.say("x" * 60_000)
        servers.running["south"].terminate()
        log = servers.running["south"].stderr
        assert log is not None
        lines = log.read().decode().splitlines()
    assert not any(each.startswith(line) for each in lines)
    assert all(each.isprintable() and len(each) < 1000 for each in lines)
    assert any("was refused" in each or "not answered" in each for each in lines)


UNLIMITED = """
import deniable.collab.follower.server_log as log
from deniable.collab.wire.refusal_log import RefusalLog
init = RefusalLog.__init__
RefusalLog.__init__ = lambda self, log, burst: init(self, log, 10**9)
"""


@pytest.mark.parametrize("planted", ["", UNLIMITED], ids=["as it is", "unlimited"])
def test_a_peer_that_is_refused_again_and_again_fills_no_log(tmp_path: Path, planted: str) -> None:
    gathering = around(tmp_path, 40)
    with (
        serving(gathering, "south", planted=planted) as servers,
        NetworkIntruder(gathering) as intruder,
    ):
        for number in range(200):
            with pytest.raises(AnswerError, match="does not understand"):
                intruder.say(f"nothing {number}")
        servers.running["south"].terminate()
        log = servers.running["south"].stderr
        assert log is not None
        lines = log.read().decode().count("does not understand")
    # A minute may end in between, on a slow machine.
    assert lines == 200 if planted else 20 <= lines <= 60
