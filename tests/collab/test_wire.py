import logging
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from random import Random
from threading import Barrier, Event, Lock, Thread
from types import SimpleNamespace

import pytest

from collab.identities import dated, made, pin, vouched_for
from collab.proxy import Proxy
from deniable.base.errors import CollabError, PeerError, PolicyError
from deniable.collab.wire import connection as connecting
from deniable.collab.wire import handshake_places
from deniable.collab.wire import listener as listening
from deniable.collab.wire.connection import Connection
from deniable.collab.wire.dial import OpenLine
from deniable.collab.wire.identity import CERTIFICATE, KEY, Identity, Peer, make, spoken
from deniable.collab.wire.listener import Listener
from deniable.collab.wire.message import MAGIC, MESSAGE_HEAD, PROTOCOL, Message, Stream
from deniable.collab.wire.message_limits import Allowance
from deniable.collab.wire.tls import client_context, server_context
from deniable.collab.wire.wire_errors import PeerRefusedError

MARKER = "a-value-that-nobody-else-may-see"


PATIENCE = 60.0
"""Seconds after which something that should come about has not."""


class Follower:
    """Says who asked what; fails where it is told to, and is slow until it is let go."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        self.let_go = Event()

    def __call__(self, name: str, message: Message) -> Message:
        self.asked.append((name, message.verb))
        match message.verb:
            case "forbidden":
                raise PolicyError("Fewer than 10.", hint="Ask for more.")
            case "broken":
                raise ZeroDivisionError(MARKER)
            case "unsendable":
                return Message("so", {"what": object()})
            case "rude":
                raise CollabError("\x1b[2Jgone")
            case "slow":
                assert self.let_go.wait(PATIENCE)
        return Message("so", {"who": name, **message.fields}, message.parts)


def instead_of_sleeping(act: Callable[[float], object]) -> SimpleNamespace:
    """The module time, for a connection that does something else between two tries."""
    return SimpleNamespace(monotonic=time.monotonic, sleep=act)


@pytest.fixture
def follower() -> Follower:
    return Follower()


@contextmanager
def serving(
    identity: Identity, follower: Follower, peers: list[Peer], **options: float
) -> Iterator[Listener]:
    known = {peer.name: peer for peer in peers}
    with Listener(("127.0.0.1", 0), identity, known, follower, **options) as listener:  # type: ignore[arg-type]
        yield listener


@pytest.fixture
def north(tmp_path: Path) -> Identity:
    return made(tmp_path, "north")


@pytest.fixture
def south(tmp_path: Path) -> Identity:
    return made(tmp_path, "south")


@pytest.fixture
def listener(north: Identity, south: Identity, follower: Follower) -> Iterator[Listener]:
    with serving(north, follower, [pin(south, 1)]) as running:
        yield running


def test_a_question_is_answered_with_its_fields_and_parts(
    listener: Listener, north: Identity, south: Identity
) -> None:
    large = Random(0).randbytes(3_000_000)
    with Connection(south, pin(north, listener.port)) as connection:
        assert connection.open() == "TLSv1.3"
        answer = connection.ask(Message("echo", {"é": [1, 2.5, None]}, (b"", large)))
        assert answer == Message("so", {"who": "south", "é": [1, 2.5, None]}, (b"", large))
        sent = connection.traffic.sent
    assert 3_000_000 < sent < 3_000_200


def test_a_peer_is_known_by_its_certificate_whatever_it_calls_itself(
    north: Identity, south: Identity, follower: Follower
) -> None:
    with (
        serving(north, follower, [pin(south, 1, name="our-friend")]) as listener,
        Connection(south, pin(north, listener.port)) as connection,
    ):
        connection.ask(Message("echo"))
    assert follower.asked == [("our-friend", "echo")]


def test_errors_come_back_as_what_they_were_and_others_without_a_word(
    listener: Listener, north: Identity, south: Identity, caplog: pytest.LogCaptureFixture
) -> None:
    with Connection(south, pin(north, listener.port)) as connection:
        with pytest.raises(PolicyError) as forbidden:
            connection.ask(Message("forbidden"))
        assert (forbidden.value.message, forbidden.value.hint) == (
            "Fewer than 10.",
            "Ask for more.",
        )
        for verb in ("broken", "unsendable"):
            with pytest.raises(CollabError, match="The other side failed") as broken:
                connection.ask(Message(verb))
            assert MARKER not in str(broken.value)
        with pytest.raises(CollabError) as rude:
            connection.ask(Message("rude"))
        assert "\x1b" not in str(rude.value)
        assert connection.ask(Message("echo")).verb == "so"
    assert "ZeroDivisionError in test_wire.py" in caplog.text
    assert MARKER not in caplog.text


def test_an_answer_may_take_longer_than_the_timeout(
    listener: Listener,
    north: Identity,
    south: Identity,
    follower: Follower,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waits: list[float] = []
    read = connecting._next

    def reading(stream: Stream, most: int) -> Message:
        waits.append(getattr(stream, "timeout", 0))
        message = read(stream, most)
        if waits.count(PATIENCE) == 4:  # after three signs of life
            follower.let_go.set()
        return message

    monkeypatch.setattr(listening, "BEAT", 0.01)
    monkeypatch.setattr(connecting, "_next", reading)
    with Connection(south, pin(north, listener.port), timeout=PATIENCE) as connection:
        assert connection.ask(Message("slow")).verb == "so"
    # Each sign of life begins the time anew; the greeting has what is left for connecting.
    assert len(waits) > 4
    assert set(waits[1:]) == {PATIENCE}


@pytest.mark.parametrize("longest", [None, 0.3], ids=["by itself", "for all"])
def test_a_peer_that_says_it_is_working_for_ever_is_left(
    listener: Listener,
    north: Identity,
    south: Identity,
    follower: Follower,
    monkeypatch: pytest.MonkeyPatch,
    longest: float | None,
) -> None:
    monkeypatch.setattr(listening, "BEAT", 0.01)
    question = Message("slow", allows=Allowance(seconds=PATIENCE if longest else 0.3))
    peer = pin(north, listener.port)
    with Connection(south, peer, patience=PATIENCE, longest=longest) as connection:
        with pytest.raises(PeerRefusedError, match=r"north worked on one answer for 0 s, and none"):
            connection.ask(question)
        follower.let_go.set()


def test_a_peer_that_drips_an_answer_is_left(north: Identity, south: Identity) -> None:
    """A byte now and then is a sign of life too."""
    answer = Message("so", {}, (bytes(50_000),)).encode()

    def drip(secure: ssl.SSLSocket) -> Iterator[None]:
        return map(secure.sendall, (bytes([byte]) for byte in answer))

    with (
        _tardy(north, south, drip) as port,
        Connection(south, pin(north, port), longest=0.5) as connection,
        pytest.raises(PeerRefusedError, match="north worked on one answer"),
    ):
        connection.ask(Message("echo"))


def send_with_a_timeout_for_each_record(self: connecting._Patient, encoded: bytes) -> None:
    """As it was."""
    self.line.secure.settimeout(self.timeout)
    self.line.send(encoded)


@pytest.mark.slow
@pytest.mark.parametrize("planted", [True, False], ids=["planted", "as it is"])
def test_a_peer_that_takes_a_question_by_drops_is_left(
    north: Identity, south: Identity, monkeypatch: pytest.MonkeyPatch, planted: bool
) -> None:
    """Nothing has come that would say that it works for ever; it kept a leader for days."""
    if planted:
        monkeypatch.setattr(connecting._Patient, "send", send_with_a_timeout_for_each_record)

    def sip(secure: ssl.SSLSocket) -> Iterator[bytes]:
        until = time.monotonic() + 3
        return iter(lambda: secure.recv(1000) if time.monotonic() < until else b"", b"")

    question, began = Message("echo", {}, (bytes(1 << 25),)), time.monotonic()
    with (
        _tardy(north, south, sip) as port,
        Connection(south, pin(north, port), longest=0.5) as connection,
        pytest.raises(PeerRefusedError, match="north worked on one answer"),
    ):
        connection.ask(question)
    assert (time.monotonic() - began > 2) is planted


Steps = Callable[[ssl.SSLSocket], Iterator[object]]


@contextmanager
def _tardy(identity: Identity, peer: Identity, steps: Steps) -> Iterator[int]:
    """A pinned party that greets, and then takes a step now and then."""
    over = Event()
    context = server_context(identity, [pin(peer, 1)])
    with socket.create_server(("127.0.0.1", 0)) as listening_socket:
        listening_socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 12)

        def run() -> None:
            with suppress(OSError):
                plain, _ = listening_socket.accept()
                with context.wrap_socket(plain, server_side=True) as secure:
                    secure.sendall(Message("hello").encode())
                    for _ in steps(secure):
                        if over.wait(0.05):
                            return

        thread = Thread(target=run)
        thread.start()
        try:
            yield int(listening_socket.getsockname()[1])
        finally:
            over.set()
            thread.join()


def test_an_answer_larger_than_the_question_allows_is_not_read(
    listener: Listener, north: Identity, south: Identity
) -> None:
    with Connection(south, pin(north, listener.port)) as connection:
        question = Message("echo", {}, (bytes(100_000),), Allowance(bytes=100_000))
        assert connection.ask(question).parts == (bytes(100_000),)
        with pytest.raises(CollabError, match="A message of 100,000 bytes is too long"):
            connection.ask(Message("echo", {}, (bytes(100_000),), Allowance(bytes=99_999)))
        assert connection.ask(question).verb == "so", "what was not read is not the next answer"


def test_a_peer_without_a_sign_of_life_is_given_up(
    listener: Listener,
    north: Identity,
    south: Identity,
    follower: Follower,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(listening, "BEAT", PATIENCE)
    with Connection(south, pin(north, listener.port)) as connection:
        connection.open()
        connection.timeout = 0.1
        with pytest.raises(PeerError, match=r"north did not answer at .* within 0\.1 s"):
            connection.ask(Message("slow"))
        follower.let_go.set()


def test_of_one_peer_two_questions_are_answered_at_a_time(north: Identity, south: Identity) -> None:
    at_once = [0, 0]
    counting = Lock()
    two_have_come = Barrier(listening.QUESTIONS_AT_ONCE)

    def answer(name: str, message: Message) -> Message:
        with counting:
            at_once[0] += 1
            at_once[1] = max(at_once)
        two_have_come.wait(PATIENCE)  # here the others would come in
        with counting:
            at_once[0] -= 1
        return message

    with Listener(("127.0.0.1", 0), north, {"south": pin(south, 1)}, answer) as listener:

        def ask() -> None:
            with Connection(south, pin(north, listener.port)) as connection:
                connection.ask(Message("echo"))

        threads = [Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert at_once == [0, 2]


def test_threads_that_share_a_connection_each_get_their_own_answer(
    listener: Listener, north: Identity, south: Identity
) -> None:
    answers: dict[int, int] = {}
    with Connection(south, pin(north, listener.port)) as connection:

        def ask(number: int) -> None:
            answers[number] = connection.ask(Message("echo", {"number": number})).fields["number"]

        threads = [Thread(target=ask, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert answers == {number: number for number in range(8)}


Impostor = Callable[[Path, Identity], Identity]


def _unknown(folder: Path, real: Identity) -> Identity:
    return make(folder / "stranger", "stranger")


def _same_name(folder: Path, real: Identity) -> Identity:
    return make(folder / "impostor", real.name)


def _another_party(folder: Path, real: Identity) -> Identity:
    return made(folder, "west")  # which is pinned, too, as west


def _vouched_for(folder: Path, real: Identity) -> Identity:
    return vouched_for(folder / "vouched", real.name, by=real)


IMPOSTORS = [_unknown, _same_name, _another_party, _vouched_for]


@pytest.mark.parametrize("impostor", IMPOSTORS)
def test_whoever_listens_in_place_of_a_peer_is_refused_and_gets_nothing(
    impostor: Impostor,
    tmp_path: Path,
    north: Identity,
    south: Identity,
    follower: Follower,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    no_patience = instead_of_sleeping(lambda _: pytest.fail("it tried again"))
    monkeypatch.setattr(connecting, "time", no_patience)
    false_north = impostor(tmp_path, north)
    with (
        serving(false_north, follower, [pin(south, 1)]) as listener,
        Proxy("127.0.0.1", listener.port) as proxy,
        Connection(south, pin(north, proxy.port), patience=10) as connection,
    ):
        with pytest.raises(PeerRefusedError, match="is not the one pinned for north") as refused:
            connection.ask(Message("echo", {"secret": MARKER}))
        assert connection.traffic.sent == 0
    assert spoken(north.fingerprint) in str(refused.value)
    assert spoken(false_north.fingerprint) in str(refused.value)
    assert follower.asked == []
    assert "was refused" in caplog.text  # the listener noticed that it was not believed


@pytest.mark.parametrize("impostor", [_unknown, _same_name, _vouched_for])
def test_whoever_asks_in_place_of_a_peer_is_refused_and_told_why(
    impostor: Impostor,
    tmp_path: Path,
    north: Identity,
    south: Identity,
    follower: Follower,
    caplog: pytest.LogCaptureFixture,
) -> None:
    false_south = impostor(tmp_path, south)
    with (
        serving(north, follower, [pin(south, 1)]) as listener,
        Connection(false_south, pin(north, listener.port), patience=10) as connection,
    ):
        with pytest.raises(
            PeerRefusedError, match="north does not know our certificate"
        ) as refused:
            connection.ask(Message("echo", {"secret": MARKER}))
        assert connection.traffic.sent == 0
    assert spoken(false_south.fingerprint) in str(refused.value)
    assert follower.asked == []
    assert "127.0.0.1 was refused" in caplog.text


def test_another_peer_is_only_ever_itself(
    tmp_path: Path, north: Identity, south: Identity, follower: Follower
) -> None:
    west = made(tmp_path, "west")
    with (
        serving(north, follower, [pin(south, 1), pin(west, 1)]) as listener,
        Connection(west, pin(north, listener.port)) as connection,
    ):
        connection.ask(Message("echo", {"who": "south"}))
    assert follower.asked == [("west", "echo")]


def test_an_expired_certificate_is_refused_on_both_sides(
    tmp_path: Path, north: Identity, south: Identity, follower: Follower
) -> None:
    old = dated(tmp_path / "old", "old", timedelta(days=-20), timedelta(days=-3))
    date = f"{old.certificate.ends:%Y-%m-%d}"
    with (
        serving(old, follower, [pin(south, 1)]) as listener,
        Connection(south, pin(old, listener.port)) as connection,
        pytest.raises(PeerRefusedError, match=f"The certificate of old expired on {date}"),
    ):
        connection.ask(Message("echo"))
    with (
        serving(north, follower, [pin(old, 1)]) as listener,
        Connection(old, pin(north, listener.port)) as connection,
        pytest.raises(
            PeerRefusedError, match=f"north refuses our certificate: it expired on {date}"
        ),
    ):
        connection.ask(Message("echo"))
    assert follower.asked == []


def test_a_certificate_of_tomorrow_is_refused(
    tmp_path: Path, south: Identity, follower: Follower
) -> None:
    early = dated(tmp_path / "early", "early", timedelta(days=2), timedelta(days=9))
    with (
        serving(early, follower, [pin(south, 1)]) as listener,
        Connection(south, pin(early, listener.port)) as connection,
        pytest.raises(PeerRefusedError, match="is not valid before"),
    ):
        connection.ask(Message("echo"))


def test_a_certificate_file_that_was_exchanged_is_noticed(
    tmp_path: Path, north: Identity, south: Identity
) -> None:
    peer = Peer("north", "127.0.0.1", 1, south.folder / CERTIFICATE, north.fingerprint)
    with pytest.raises(CollabError, match="does not have the fingerprint given for north"):
        Connection(south, peer)
    with pytest.raises(CollabError, match="does not have the fingerprint given for north"):
        Listener(("127.0.0.1", 0), south, {"north": peer}, Follower())
    twice = {"a": pin(north, 1, "a"), "b": pin(north, 1, "b")}
    with pytest.raises(CollabError, match="a and b have the same certificate"):
        Listener(("127.0.0.1", 0), south, twice, Follower())


def _let_in(listener: Listener, context: ssl.SSLContext) -> bool:
    """Whether a client gets a byte of an answer."""
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    with socket.create_connection(("127.0.0.1", listener.port), timeout=PATIENCE) as plain:
        try:
            with context.wrap_socket(plain) as secure:
                secure.sendall(Message("echo").encode())
                return bool(secure.recv(1))
        except (ssl.SSLError, ConnectionError):
            return False


def test_tls_1_2_is_refused(listener: Listener, south: Identity, follower: Follower) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_cert_chain(south.folder / CERTIFICATE, south.folder / KEY)
    assert _let_in(listener, context)
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    assert not _let_in(listener, context)


def test_a_client_without_a_certificate_is_refused(listener: Listener, follower: Follower) -> None:
    assert not _let_in(listener, ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))
    assert follower.asked == []


def test_plain_tcp_is_refused(listener: Listener, follower: Follower) -> None:
    for words in (b"GET / HTTP/1.1\r\n\r\n", Message("check").encode(), Random(1).randbytes(500)):
        with (
            suppress(ConnectionError),  # hung up on, or reset: both send it away
            socket.create_connection(("127.0.0.1", listener.port), timeout=PATIENCE) as plain,
        ):
            plain.sendall(words)
            assert not plain.recv(1 << 12).startswith(MAGIC)
    assert follower.asked == []


HELLO = bytes.fromhex("16 0301 3f00 01 003efc 0303") + bytes(1000)
"""How a handshake of 16 kB begins; a byte at a time, it would take many minutes."""


@pytest.mark.slow
@pytest.mark.parametrize("drops", [b"", HELLO], ids=["silent", "slow"])
def test_a_stranger_who_is_silent_or_slow_is_sent_away(
    north: Identity,
    south: Identity,
    follower: Follower,
    drops: bytes,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with (
        serving(north, follower, [pin(south, 1)], handshake=0.4) as listener,
        socket.create_connection(("127.0.0.1", listener.port), timeout=0.1) as plain,
    ):
        for number in range(600):
            try:
                plain.sendall(drops[number : number + 1])
                if not plain.recv(1):
                    break
            except TimeoutError:
                continue
            except ConnectionError:  # hung up on while it sent: reset
                break
        else:
            pytest.fail("it was never sent away")
    assert "127.0.0.1 was refused: it was silent for too long" in caplog.text


@pytest.mark.slow
def test_strangers_who_take_every_place_do_not_keep_a_peer_out(
    north: Identity, south: Identity, follower: Follower
) -> None:
    with serving(north, follower, [pin(south, 1)], handshake=0.4) as listener, ExitStack() as stack:
        address = "127.0.0.1", listener.port
        for _ in range(2 * handshake_places.PLACES):
            stack.enter_context(socket.create_connection(address, timeout=PATIENCE))
        # The peer's own handshake has as little time: on a busy machine it tries again.
        peer = pin(north, listener.port)
        connection = stack.enter_context(Connection(south, peer, patience=PATIENCE))
        assert connection.ask(Message("echo")).verb == "so"


def test_a_peer_may_not_open_connections_without_end(
    listener: Listener, north: Identity, south: Identity
) -> None:
    with ExitStack() as stack:
        peer = pin(north, listener.port)
        for _ in range(listening.MOST_CONNECTIONS):
            stack.enter_context(Connection(south, peer)).open()
        one_more = stack.enter_context(Connection(south, peer))
        with pytest.raises(PeerError, match="8 connections are open already"):
            one_more.ask(Message("echo"))
    with Connection(south, peer, patience=PATIENCE) as connection:
        assert connection.ask(Message("echo")).verb == "so"


def test_a_peer_that_was_silent_is_cut_off_and_comes_back_unnoticed(
    north: Identity, south: Identity, follower: Follower
) -> None:
    with (
        serving(north, follower, [pin(south, 1)], silence=0.2) as listener,
        Connection(south, pin(north, listener.port), patience=PATIENCE) as connection,
    ):
        connection.ask(Message("first"))
        for thread in list(listener._open):
            thread.join(PATIENCE)
        assert not listener._open  # it was cut off
        connection.ask(Message("second"))
    assert [verb for _, verb in follower.asked] == ["first", "second"]


def _malformed() -> Iterator[bytes]:
    random = Random(7)
    good = Message("echo", {"a": 1}, (b"part",)).encode()
    yield from (random.randbytes(random.randrange(1, 400)) for _ in range(20))
    yield from (good[: random.randrange(1, len(good))] for _ in range(10))
    yield MESSAGE_HEAD.pack(MAGIC, PROTOCOL, 2, 0xFFFFFFFF, 0)
    yield MESSAGE_HEAD.pack(MAGIC, PROTOCOL, 2, 0, 0xFFFF)
    yield MESSAGE_HEAD.pack(MAGIC, PROTOCOL, 2, 0, 1) + b"\xff" * 8 + b"{}"
    yield MESSAGE_HEAD.pack(MAGIC, PROTOCOL + 1, 2, 0, 0) + b"{}"
    bomb = b"[" * 50_000
    yield MESSAGE_HEAD.pack(MAGIC, PROTOCOL, len(bomb), 0, 0) + bomb


def test_no_malformed_message_of_a_peer_ends_the_listener(
    listener: Listener, north: Identity, south: Identity, follower: Follower
) -> None:
    peer = pin(north, listener.port)
    for bad in _malformed():
        plain = socket.create_connection(("127.0.0.1", listener.port), timeout=PATIENCE)
        with client_context(south, peer).wrap_socket(plain) as secure:
            line = OpenLine(secure)
            assert Message.read(line).verb == "hello"
            line.send(bad)
            socket.socket.shutdown(secure, socket.SHUT_WR)
            answers = []
            with suppress(EOFError, OSError):
                while True:
                    answers.append(Message.read(line).verb)
            assert answers in ([], ["error"])  # and then the end
    assert follower.asked == []
    with Connection(south, peer) as connection:
        assert connection.ask(Message("echo")).verb == "so"


def test_the_line_shows_no_plaintext(listener: Listener, north: Identity, south: Identity) -> None:
    secret = MARKER.encode()
    with (
        Proxy("127.0.0.1", listener.port) as proxy,
        Connection(south, pin(north, proxy.port)) as connection,
    ):
        answer = connection.ask(Message("echo", {"field": MARKER}, (secret * 50,)))
        assert answer.fields["field"] == MARKER
        assert answer.parts == (secret * 50,)
        assert len(proxy.sent) > len(secret) * 50
        assert len(proxy.received) > len(secret) * 50
        for seen in (proxy.sent, proxy.received):
            for word in (secret, b"echo", b"south", b"north", MAGIC, b"verb"):
                assert word not in seen


@pytest.mark.slow
def test_a_connection_that_was_cut_is_made_again(
    listener: Listener, north: Identity, south: Identity
) -> None:
    part = Random(2).randbytes(100_000)
    with (
        Proxy("127.0.0.1", listener.port) as proxy,
        Connection(south, pin(north, proxy.port), patience=PATIENCE) as connection,
    ):
        connection.ask(Message("echo"))
        proxy.cut()
        assert connection.ask(Message("echo", {}, (part,))).parts == (part,)
        for count in (1, 50, 2_000, 90_000, 101_000, 150_000, 199_000):
            proxy.cut_after(count)
            assert connection.ask(Message("echo", {}, (part,))).parts == (part,)
        assert proxy.connections == 9


def test_a_cut_without_patience_is_one_sentence(
    listener: Listener, north: Identity, south: Identity
) -> None:
    with (
        Proxy("127.0.0.1", listener.port) as proxy,
        Connection(south, pin(north, proxy.port)) as connection,
    ):
        proxy.cut_after(5_000)
        with pytest.raises(PeerError, match=r"connection to north was lost|middle of a message"):
            connection.ask(Message("echo", {}, (bytes(100_000),)))


def test_patience_waits_for_a_peer_that_comes_later(
    north: Identity, south: Identity, follower: Follower, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with Connection(south, pin(north, port)) as connection:
        with pytest.raises(PeerError, match=f"Nothing listens at 127.0.0.1:{port}, where north"):
            connection.ask(Message("echo"))
        late = Listener(("127.0.0.1", port), north, {"south": pin(south, 1)}, follower)
        after_the_first_try = instead_of_sleeping(lambda _: late.start())
        monkeypatch.setattr(connecting, "time", after_the_first_try)
        try:
            connection.patience = PATIENCE
            assert connection.ask(Message("echo")).verb == "so"
        finally:
            late.close()


@contextmanager
def _other_server(greeting: bytes | None, context: ssl.SSLContext | None = None) -> Iterator[int]:
    """Something that listens, and is no party; silent if it has no greeting."""
    over = Event()
    with socket.create_server(("127.0.0.1", 0)) as listening_socket:
        listening_socket.settimeout(0.05)

        def run() -> None:
            while not over.is_set():
                with suppress(OSError):
                    plain, _ = listening_socket.accept()
                    with plain, suppress(OSError):
                        plain.settimeout(PATIENCE)
                        if context is not None:
                            context.wrap_socket(plain, server_side=True).close()
                        elif greeting is not None:
                            plain.sendall(greeting)
                            plain.recv(1 << 12)
                        else:
                            over.wait(PATIENCE)

        thread = Thread(target=run)
        thread.start()
        try:
            yield int(listening_socket.getsockname()[1])
        finally:
            over.set()
            thread.join()


def test_what_is_no_party_is_told_from_one(north: Identity, south: Identity) -> None:
    with (
        _other_server(b"220 mail.example ESMTP\r\n" * 10) as port,
        pytest.raises(PeerRefusedError, match="does not speak TLS, so it is not north"),
    ):
        Connection(south, pin(north, port)).ask(Message("echo"))
    old = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    old.maximum_version = ssl.TLSVersion.TLSv1_2
    old.load_cert_chain(north.folder / CERTIFICATE, north.folder / KEY)
    with (
        _other_server(None, old) as port,
        pytest.raises(PeerRefusedError, match=r"does not speak TLS 1\.3"),
    ):
        Connection(south, pin(north, port)).ask(Message("echo"))


def test_silence_ends_with_the_timeout(north: Identity, south: Identity) -> None:
    with (
        _other_server(None) as port,
        pytest.raises(PeerError, match=r"did not answer at 127.0.0.1:\d+ within 0.1 s"),
    ):
        Connection(south, pin(north, port), timeout=0.1).ask(Message("echo"))


def test_a_name_that_no_machine_has_ends_with_the_timeout(north: Identity, south: Identity) -> None:
    for host in ("nowhere.invalid", "x" * 70):
        with pytest.raises(PeerError, match=r"is not known here|did not answer"):
            Connection(south, pin(north, 7440, host=host), timeout=2).ask(Message("echo"))


def test_a_port_that_is_taken_is_one_sentence(
    listener: Listener, north: Identity, follower: Follower
) -> None:
    with pytest.raises(CollabError, match=f"Port {listener.port} of 127.0.0.1 cannot be opened"):
        Listener(("127.0.0.1", listener.port), north, {}, follower).start()


def test_closing_hangs_up_and_frees_the_port(
    north: Identity, south: Identity, follower: Follower, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    with serving(north, follower, [pin(south, 1)]) as listener:
        port = listener.port
        connection = Connection(south, pin(north, port))
        connection.ask(Message("echo"))
        stranger = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    with stranger, suppress(ConnectionError):
        assert stranger.recv(1) == b""
    assert not listener._open
    with pytest.raises(PeerError, match="Nothing listens"):
        connection.ask(Message("echo"))
    with Listener(("127.0.0.1", port), north, {}, follower) as again:
        assert again.port == port
