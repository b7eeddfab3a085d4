"""Connections that never end, come by the thousand or send without measure hold up nobody."""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import httpx
import pytest

from forking import Nursery
from survey.attackers import connect, is_open, many_files, read_all, slow_crowd, told
from survey.nursery import nursery_in, served
from survey.visitors import person, send, stranger, write_survey
from waiting import eventually, free_port

pytestmark = pytest.mark.slow

WITHOUT = """
from deniable.survey.server import limited_connection as one, open_connections as all
one.HEAD_BYTES = one.BODY_BYTES = one.MOST_HEADERS = 10**12
one.HEAD_SECONDS = one.BODY_SECONDS = one.STALL_SECONDS = 10**9
all.room_for_connections = lambda: 10**6
from deniable.survey.server import serve
serve.room_for_connections = all.room_for_connections
for name in (
    *("on_message_begin", "on_header"),
    *("_start_asgi_task", "_unsupported_upgrade_warning"),
):
    delattr(one.LimitedConnection, name)
"""
"""The weakness: uvicorn as it is, without any of our limits."""

FEW_FILES = """
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (1024, 1024))
"""


@dataclass(frozen=True)
class Pair:
    """The server as it is, and the same with a weakness."""

    url: str
    weak: str


@pytest.fixture(scope="module")
def nursery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nursery]:
    with nursery_in(tmp_path_factory.mktemp("nursery")) as found:
        yield found


@pytest.fixture(scope="module")
def pair(nursery: Nursery, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    with pair_in(nursery, tmp_path_factory.mktemp("hostile")) as found:
        yield found


class pair_in(ExitStack):  # noqa: N801 (a context manager)
    """Serve both."""

    def __init__(self, nursery: Nursery, folder: Path, plant: str = "") -> None:
        super().__init__()
        self._nursery, self._folder, self._plant = nursery, folder, plant

    def __enter__(self) -> Pair:  # type: ignore[override]
        urls: list[str] = []
        for weakness in ("", WITHOUT):
            place = self._folder / f"{len(urls)}"
            place.mkdir()
            port = free_port()
            survey = write_survey(place)
            plant = self._plant + weakness
            command = served(self._nursery, survey, place / "it.db", port, plant=plant)
            self.enter_context(command)
            urls.append(f"http://127.0.0.1:{port}")
        return Pair(*urls)


def check_that_people_can_answer(url: str) -> None:
    with stranger(url) as client:
        assert "<title>" in client.get("/").text
        answer = person(client.get("/api/survey").json()).answer
        assert send(client, answer).status_code == 200


# --- Without measure -----------------------------------------------------------------------------

GET = b"GET /api/health HTTP/1.1\r\nHost: here\r\n"
POST = b"POST /api/answers HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n"
LAST = b"Connection: close\r\n\r\n"


def test_a_head_without_end_is_refused(pair: Pair) -> None:
    heads = {
        "a long header": [GET, b"X-A: ", *[b"a" * 65_536] * 4, b"\r\n", LAST],
        "many headers": [GET, b"X-A: a\r\n" * 120, LAST],
        "a long address": [b"GET /", *[b"a" * 65_536] * 4, b" HTTP/1.1\r\n", LAST],
        "empty lines": [b"\r\n" * 65_536, GET, LAST],
    }
    for how, parts in heads.items():
        said = told(pair.url, *parts)
        assert not said or said.startswith(b"HTTP/1.1 431 "), (how, said[:100])
        assert told(pair.weak, *parts)[:10] in {b"HTTP/1.1 2", b"HTTP/1.1 4"}, how
        assert b" 431 " not in told(pair.weak, *parts)[:20], how
    check_that_people_can_answer(pair.url)


def test_a_head_that_goes_on_for_ever_is_ended_soon(pair: Pair) -> None:
    def taken(url: str) -> int:
        """How much of a head the server takes, up to 8 MB."""
        with connect(url) as opened:
            opened.sendall(GET + b"X-A: ")
            for sent in range(128):
                try:
                    opened.sendall(b"a" * 65_536)
                except ConnectionError:
                    return sent
        return 128

    assert taken(pair.url) < 128  # what the system itself takes for both of them included
    assert taken(pair.weak) == 128


def test_a_body_without_end_is_ended(pair: Pair) -> None:
    begin = POST + b"Content-Type: application/json\r\n\r\n"
    bodies = {
        "parts": [b"8000\r\n" + b"x" * 0x8000 + b"\r\n"] * 64,
        "small parts": [b"1\r\nx\r\n" * 8_000] * 64,
        "remarks about a part": [b"1;" + b"a" * 65_536, *[b"a" * 65_536] * 64],
        "headers after it": [b"1\r\nx\r\n0\r\n", *[b"X-A: " + b"a" * 65_536 + b"\r\n"] * 64],
    }

    def ended(url: str, parts: list[bytes]) -> bool:
        """Whether the server ended the connection before all of it was sent, and twice as much."""
        with connect(url) as opened:
            opened.settimeout(60)
            try:
                for part in [begin, *parts, *parts[1:]]:
                    opened.sendall(part)
                opened.sendall(b"0\r\n\r\n" + GET + LAST)
            except ConnectionError:
                return True
            return b'"status":"ok"' not in read_all(opened)

    for how, parts in bodies.items():
        assert ended(pair.url, parts), how
    assert not ended(pair.weak, bodies["parts"])
    check_that_people_can_answer(pair.url)


def test_requests_that_come_before_the_first_was_answered_are_not_read(pair: Pair) -> None:
    once = GET + b"\r\n"
    for number in (2, 5_000):
        requests = once * (number - 1) + GET + LAST
        assert told(pair.url, requests).count(b'"status":"ok"') <= 1
        assert told(pair.weak, requests).count(b'"status":"ok"') == number
    with stranger(pair.url) as client:  # one after the other, a connection takes many
        for _ in range(5):
            assert client.get("/api/health").status_code == 200


def test_what_follows_the_wish_for_another_protocol_is_not_read_as_a_request(pair: Pair) -> None:
    hidden = b"GET /hidden HTTP/1.1\r\nHost: here\r\n" + LAST

    def answers(url: str, protocol: bytes) -> bytes:
        """What is said to a request with a body, which is sent when the request was answered."""
        head = POST.replace(b"Transfer-Encoding: chunked", b"Content-Length: %d" % len(hidden))
        wish = b"Connection: Upgrade\r\nUpgrade: " + protocol + b"\r\n\r\n"
        with begun(url, head + wish, b"}") as opened, suppress(ConnectionError):
            opened.sendall(hidden)
            return read_all(opened)
        return b""

    for protocol in (b"websocket", b"h2c", b"other"):
        assert b" 404 " not in answers(pair.url, protocol)
    assert b" 404 " in answers(pair.weak, b"websocket")  # the body of one was read as another


# --- Slowly --------------------------------------------------------------------------------------

PAGE = b"GET /respondent.js HTTP/1.1\r\nHost: here\r\n\r\n"


def unread(url: str) -> socket.socket:
    """Ask for more than the system keeps for somebody who does not read it."""
    opened = connect(url, receive=2_048)
    for _ in range(60):
        opened.sendall(PAGE)
        time.sleep(0.05)  # for one that comes before the last was answered ends the connection
    return opened


SLOW: dict[str, Callable[[str], socket.socket]] = {
    "nothing": lambda url: begun(url, b""),
    "half a line": lambda url: begun(url, b"GET / HT"),
    "half a head": lambda url: begun(url, GET),
    "an answer before": lambda url: begun(url, GET + b"\r\n", b"}", GET),
    "half a body": lambda url: begun(
        url, b"POST /api/answers HTTP/1.1\r\nContent-Length: 1000\r\n\r\n{"
    ),
    "half a refused body": lambda url: begun(
        url, b"POST /api/answers HTTP/1.1\r\nContent-Length: 100000\r\n\r\n{", b"}"
    ),
    "half a part": lambda url: begun(url, POST + b"\r\n5\r\nab"),
    "answers that are not read": unread,
}


def begun(
    url: str, first: bytes, until: bytes = b"", then: bytes = b"", receive: int | None = None
) -> socket.socket:
    """Send something, read up to a sign, send something more, and leave it at that."""
    opened = connect(url, receive=receive)
    opened.sendall(first)
    found = b""
    while until not in found:
        found += opened.recv(65_536)
    opened.sendall(then)
    return opened


def test_connections_that_are_slow_or_quiet_end(pair: Pair) -> None:
    weak = {how: begin(pair.weak) for how, begin in SLOW.items()}
    ours = {how: begin(pair.url) for how, begin in SLOW.items()}
    try:
        for how, opened in ours.items():
            eventually(partial(_has_ended, opened), otherwise=how.__str__)
        # These began before ours, and nobody ends them. Of a body, the application tires itself.
        for how, opened in weak.items():
            if "body" not in how and "part" not in how:
                assert is_open(opened), how
    finally:
        for opened in (*weak.values(), *ours.values()):
            opened.close()
    check_that_people_can_answer(pair.url)


def _has_ended(opened: socket.socket) -> bool:
    return not is_open(opened)


# --- By the thousand -----------------------------------------------------------------------------


def test_thousands_of_slow_connections_leave_room_for_the_next_person(pair: Pair) -> None:
    with many_files() as most, slow_crowd(pair.url, min(4_500, most - 500), 500):
        for _ in range(5):
            check_that_people_can_answer(pair.url)


def test_one_address_cannot_take_the_places_of_others(pair: Pair) -> None:
    with many_files(), connect(pair.url) as early:
        early.sendall(GET)  # somebody else is slow, too, but no flood
        with slow_crowd(pair.url, 1_500, 1) as held:
            eventually(lambda: sum(map(is_open, held)) <= 1_024)
            assert sum(map(is_open, held)) > 500
            assert is_open(early)
            check_that_people_can_answer(pair.url)
            early.sendall(LAST)
            assert b" 200 " in read_all(early)


def test_where_few_files_may_be_open_there_is_room_for_the_next_person_too(
    nursery: Nursery, tmp_path: Path
) -> None:
    with many_files(), pair_in(nursery, tmp_path, FEW_FILES) as few:
        with slow_crowd(few.url, 1_500, 300):
            check_that_people_can_answer(few.url)
        with (
            slow_crowd(few.weak, 1_500, 300),
            stranger(few.weak) as client,
            pytest.raises(httpx.TransportError),
        ):
            client.get("/", timeout=5)
