"""Strangers and peers that try to keep a party's server busy, full or waiting; on the real server.

Every attack is tried a second time on a server in which what stops it was taken out.
"""

import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

import pytest

from collab.identities import made
from collab.intruder import around
from collab.parties import Gathering
from collab.processes import Servers, finished, running, serving
from collab.test_people_in_common import second
from deniable.base.errors import CollabError, PeerError
from deniable.collab.wire.connection import Connection
from deniable.collab.wire.dial import OpenLine
from deniable.collab.wire.identity import CERTIFICATE, KEY, Identity
from deniable.collab.wire.message import Message
from deniable.collab.wire.message_limits import SMALL_MESSAGE
from deniable.collab.wire.tls import client_context

pytestmark = pytest.mark.slow

PATIENCE = 60.0
CROWD = 300
"""Strangers at a time: more than there are places."""

HELLO = bytes.fromhex("16 0301 3f00 01 003efc 0303") + bytes(1000)
"""How a handshake of 16 kB begins."""

FIRST_COME_FIRST_SERVED = """
import deniable.collab.wire.handshake_places as places, deniable.collab.wire.listener as listener
def enter(self, connected, host):
    if len(self._waiting) >= places.PLACES:
        connected.close()
    else:
        self._waiting[connected] = True, host
places.HandshakePlaces.enter = enter
listener.Listener.__init__.__kwdefaults__["handshake"] = 600.0
"""


def peer_of(gathering: Gathering, patience: float = PATIENCE) -> Connection:
    """North, who is pinned at south."""
    north = gathering.party("north")
    return Connection(Identity.load(north.identity), north.peers["south"], patience=patience)


def address(gathering: Gathering) -> tuple[str, int]:
    return gathering.party("south").listen


def silent(stack: ExitStack, gathering: Gathering, host: str) -> None:
    """Connect, and say nothing."""
    with suppress(OSError):  # hung up on, when the next ones come
        stack.enter_context(
            socket.create_connection(address(gathering), PATIENCE, source_address=(host, 0))
        )


def elsewhere(number: int) -> str:
    """An address that is no peer's."""
    return f"127.0.{1 + number // 200}.{1 + number % 200}"


@contextmanager
def strangers(gathering: Gathering, *hosts: str) -> Iterator[None]:
    """Silent ones at the door, one from each of the hosts."""
    with ExitStack() as stack:
        for host in hosts:
            silent(stack, gathering, host)
        yield


CROWDS = {
    "from one address": ["127.0.0.9"] * CROWD,
    "from many addresses": [elsewhere(number) for number in range(CROWD)],
    "from the peer's own": ["127.0.0.1"] * CROWD,
}


@pytest.mark.parametrize("hosts", CROWDS.values(), ids=CROWDS)
def test_a_peer_gets_in_however_many_strangers_are_silent(tmp_path: Path, hosts: list[str]) -> None:
    gathering = around(tmp_path, 40)
    with serving(gathering, "south"), strangers(gathering, *hosts):
        for _ in range(3):
            with strangers(gathering, *hosts[:50]), peer_of(gathering) as line:
                assert line.ask(Message("check")).verb == "checked"


@pytest.mark.parametrize("hosts", CROWDS.values(), ids=CROWDS)
def test_first_come_first_served_would_keep_it_out(tmp_path: Path, hosts: list[str]) -> None:
    gathering = around(tmp_path, 40)
    with (
        serving(gathering, "south", planted=FIRST_COME_FIRST_SERVED),
        strangers(gathering, *hosts),
        peer_of(gathering, patience=2) as line,
        pytest.raises(CollabError, match=r"lost|did not answer"),
    ):
        line.ask(Message("check"))


@contextmanager
def attacked(attack: Callable[[], None], workers: int = 2) -> Iterator[list[int]]:
    """Attack again and again while inside; how often, in a list."""
    over, done = Event(), [0] * workers

    def work(number: int) -> None:
        while not over.is_set() and done[number] < 5_000:
            with suppress(OSError):
                attack()
            done[number] += 1

    threads = [Thread(target=work, args=(number,)) for number in range(workers)]
    for thread in threads:
        thread.start()
    try:
        yield done
    finally:
        over.set()
        for thread in threads:
            thread.join()


def test_a_peer_gets_in_while_strangers_shake_hands_by_other_certificates(tmp_path: Path) -> None:
    gathering = around(tmp_path, 40)
    stranger = made(tmp_path, "stranger")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.load_cert_chain(stranger.folder / CERTIFICATE, stranger.folder / KEY)

    def shake() -> None:
        with (
            socket.create_connection(address(gathering), PATIENCE) as plain,
            context.wrap_socket(plain) as secure,
        ):
            assert not secure.recv(1), "nobody but a peer gets a byte"

    with serving(gathering, "south"), attacked(shake) as done:
        for _ in range(20):
            with peer_of(gathering) as line:
                assert line.ask(Message("check")).verb == "checked"
        assert sum(done) > 5


def test_a_peer_gets_in_while_strangers_drip_bytes(tmp_path: Path) -> None:
    gathering = around(tmp_path, 40)
    with serving(gathering, "south"), ExitStack() as stack:
        dripping = []
        for number in range(CROWD):
            with suppress(OSError):
                plain = socket.create_connection(
                    address(gathering), PATIENCE, source_address=(elsewhere(number), 0)
                )
                dripping.append(stack.enter_context(plain))
        for drop in HELLO[:20]:
            for plain in dripping:
                with suppress(OSError):
                    plain.send(bytes([drop]))
            with peer_of(gathering) as line:
                assert line.ask(Message("check")).verb == "checked"


# --- memory -------------------------------------------------------------------------------------

LARGE = 96 << 20
ANYTHING_GOES = """
from deniable.collab.follower.dispatcher import Dispatcher
import deniable.collab.wire.listener as listener
Dispatcher.room = lambda *_: 1 << 30
listener.QUESTIONS_AT_ONCE = 8
"""


def large_messages(gathering: Gathering) -> dict[str, Message]:
    """Of a pinned peer: of no verb, of no collaboration, and of one that needs no such size."""
    stamp = {"collaboration": gathering.agreement.digest, "have": 0}
    return {
        "no verb": Message("nothing", {}, (bytes(LARGE),)),
        "no collaboration": Message("result", {"collaboration": "0" * 64}, (bytes(LARGE),)),
        "before the terms": Message("evaluate", stamp, (bytes(LARGE),)),
        "a small verb": Message("hello", stamp, (bytes(LARGE),)),
        "many fields": Message("hello", {**stamp, "more": ["x" * 60] * 100_000}),
    }


def growth(gathering: Gathering, servers: Servers, *messages: Message) -> int:
    """Bytes that a server's memory grew by, over messages on as many lines as a peer may have."""
    with peer_of(gathering) as line:
        line.ask(Message("check"))
    before = servers.most_memory("south")

    def ask(message: Message) -> None:
        with suppress(CollabError), peer_of(gathering, patience=0) as line:
            line.ask(message)

    for message in messages:
        threads = [Thread(target=ask, args=(message,)) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return servers.most_memory("south") - before


def test_large_messages_of_a_peer_take_no_memory(tmp_path: Path) -> None:
    gathering = around(tmp_path, 40)
    with serving(gathering, "south") as servers:
        assert growth(gathering, servers, *large_messages(gathering).values()) < LARGE / 2
        with peer_of(gathering) as line:
            assert line.ask(Message("check")).verb == "checked"


def test_if_anything_went_they_would(tmp_path: Path) -> None:
    gathering = around(tmp_path, 40)
    with serving(gathering, "south", planted=ANYTHING_GOES) as servers:
        assert growth(gathering, servers, large_messages(gathering)["no verb"]) > 2 * LARGE


@pytest.mark.parametrize("kind", ["no verb", "a small verb"])
def test_a_message_that_is_too_large_is_told_so(tmp_path: Path, kind: str) -> None:
    gathering = around(tmp_path, 40)
    message = large_messages(gathering)[kind]
    sentence = "does not understand 'nothing'|bytes is too long|has not approved"
    with serving(gathering, "south"), peer_of(gathering) as line:
        stopped = Message(message.verb, message.fields, (bytes(2 * SMALL_MESSAGE),))
        with pytest.raises(CollabError, match=sentence):
            line.ask(stopped)


def test_one_peer_that_stalls_its_messages_keeps_no_other_waiting(tmp_path: Path) -> None:
    """South's own commands are another peer to its server."""
    gathering = around(tmp_path, 40)
    north, south = gathering.party("north"), gathering.party("south")
    identity = Identity.load(north.identity)
    begun = Message("nothing", {}, (bytes(SMALL_MESSAGE // 2),)).encode()[:-1]
    with serving(gathering, "south") as servers, ExitStack() as stack:
        for _ in range(8):
            plain = socket.create_connection(south.listen, PATIENCE)
            secure = client_context(identity, north.peers["south"]).wrap_socket(plain)
            line = OpenLine(stack.enter_context(secure))
            assert Message.read(line).verb == "hello"
            line.send(begun)
        servers.wait("south")
        with pytest.raises(PeerError, match="8 connections are open already"):
            peer_of(gathering, patience=0).ask(Message("check"))


# --- dry runs ------------------------------------------------------------------------------------

INVENTS_SLOWLY = """
import time
from deniable.collab.session.own_records import Holding
invent = Holding.rehearse
def slowly(*given):
    time.sleep(5)
    return invent(*given)
Holding.rehearse = staticmethod(slowly)
"""
ONE_AT_A_TIME = """
from threading import RLock
from deniable.collab.follower.dispatcher import Dispatcher
lock, session = RLock(), Dispatcher.session
def one_at_a_time(self, peer, stamp):
    with lock:
        return session(self, peer, stamp)
Dispatcher.session = one_at_a_time
"""


@pytest.mark.parametrize("planted", [ONE_AT_A_TIME, ""], ids=["planted", "as it is"])
def test_dry_runs_of_one_collaboration_hold_up_no_other(tmp_path: Path, planted: str) -> None:
    """One of a million people takes seconds to invent; another size each time, and so for ever."""
    begun = around(tmp_path, 40)
    other = second(begun, without=0)

    def greet(gathering: Gathering, rehearsal: int | None = None) -> float:
        about = {"collaboration": gathering.agreement.digest, "rehearsal": rehearsal, "have": 0}
        asked = time.monotonic()
        with peer_of(gathering) as connection:
            connection.ask(Message("hello", about))
        return time.monotonic() - asked

    with serving(begun, "south", planted=INVENTS_SLOWLY + planted), ExitStack() as stack:
        greet(other)
        inventing = Thread(target=greet, args=(begun, 1000))
        inventing.start()
        stack.callback(inventing.join)
        time.sleep(1)
        assert (greet(other) > 2) is bool(planted)


# --- waiting ------------------------------------------------------------------------------------

WORKS_FOR_EVER = """
import time
from deniable.collab.follower.follower_session import FollowerSession
FollowerSession.accept_terms = lambda *_: time.sleep(10_000)
"""


def test_a_follower_that_works_for_ever_is_left(tmp_path: Path) -> None:
    gathering = around(tmp_path, 40)
    with serving(gathering, "south", planted=WORKS_FOR_EVER):
        code, _, errors = finished(running(gathering, "north", "--longest-answer", "5"))
        assert code != 0
        assert "south worked on one answer for 5 s, and none came." in errors
        waiting = running(gathering, "north", "--longest-answer", "5000")
        try:
            with pytest.raises(subprocess.TimeoutExpired):
                finished(waiting, timeout=12)
        finally:
            waiting.kill()
            waiting.communicate()
