"""Requests that mean harm: cookies that take long to read, headers behind the body, odd hosts."""

import json
import signal
import socket
import sqlite3
import ssl
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path

import httpx
import pytest

from deniable.survey.invitations import invitations
from deniable.survey.store.store import Store
from deniable.survey.tokens import to_base64
from forking import Command, Nursery
from survey.attackers import connect, is_open, many_files, slow_crowd, told
from survey.certificates import certified
from survey.mischief import MARK
from survey.nursery import nursery_in, served
from survey.serving import PASSWORD, open_store, serving
from survey.visitors import person, send, some_address, stranger, write_survey
from waiting import eventually, free_port

pytestmark = pytest.mark.slow

IDS = ("ours", "planted")
LAST = b"Host: here\r\nConnection: close\r\n\r\n"

READS_ALL_COOKIES = """
from deniable.survey.server import http_headers
http_headers.drop_escaped_cookies = lambda scope: None
"""

READS_TRAILERS = """
from deniable.survey.server.limited_connection import LimitedConnection
del LimitedConnection.on_header
del LimitedConnection._start_asgi_task
"""

WRITES_ALWAYS = """
from deniable.survey.store.store import Store
Store.holds = lambda self, id: True
"""


@pytest.fixture(scope="module")
def nursery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nursery]:
    with nursery_in(tmp_path_factory.mktemp("nursery")) as found:
        yield found


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    path = write_survey(tmp_path)
    open_store(path).database.close()
    return path


def log_in(client: httpx.Client) -> httpx.Response:
    return client.post("/researcher/login", data={"password": PASSWORD})


# --- Cookies -------------------------------------------------------------------------------------


SLOW_COOKIES = sys.version_info < (3, 11, 10) or (3, 12) <= sys.version_info < (3, 12, 6)
"""Whether this is a Python that takes long to read escaped cookies."""


def seconds_of_work(command: Command) -> float:
    """What a process has computed for: how busy the machine is does not count."""
    words = Path(f"/proc/{command.process}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / 100


@pytest.mark.parametrize(("plant", "is_quick"), [("", True), (READS_ALL_COOKIES, False)], ids=IDS)
def test_a_cookie_takes_no_time_to_read(
    plant: str, is_quick: bool, nursery: Nursery, survey: Path
) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with served(nursery, survey, survey.with_suffix(".db"), port, plant=plant) as command:
        before = seconds_of_work(command)
        for path in (b"/", b"/api/survey", b"/researcher"):
            cookie = b'Cookie: session="' + b"\\" * 31_000 + b'"\r\n'
            assert b" 200 " in told(url, b"GET " + path + b" HTTP/1.1\r\n" + cookie + LAST)
        took = seconds_of_work(command) - before  # three seconds each, or next to nothing
        assert (took < 1) == (is_quick or not SLOW_COOKIES), took


def test_a_session_that_somebody_else_chose_is_not_taken_over(
    nursery: Nursery, survey: Path
) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with (
        served(nursery, survey, survey.with_suffix(".db"), port),
        stranger(url) as researcher,
        stranger(url) as thief,
    ):
        for client in (researcher, thief):
            client.cookies.set("session", MARK)
        assert log_in(researcher).status_code == 303
        assert "Sign out" in researcher.get("/researcher").text
        assert "Sign out" not in thief.get("/researcher").text


# --- Headers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("plant", "is_in"), [("", False), (READS_TRAILERS, True)], ids=IDS)
def test_what_comes_behind_the_body_is_no_header(
    plant: str, is_in: bool, nursery: Nursery, survey: Path
) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with (
        served(nursery, survey, survey.with_suffix(".db"), port, plant=plant),
        stranger(url) as client,
    ):
        log_in(client)
        session = client.cookies["session"].encode()
        head = b"GET /researcher HTTP/1.1\r\nTransfer-Encoding: chunked\r\n" + LAST
        said = told(url, head + b"1\r\nx\r\n0\r\nCookie: session=" + session + b"\r\n\r\n")
        assert b" 200 " in said
        assert (b"Sign out" in said) == is_in


def test_no_host_path_or_query_comes_back_in_an_answer(nursery: Nursery, survey: Path) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    mark = MARK.encode()
    with served(nursery, survey, survey.with_suffix(".db"), port):
        for path in (b"/", b"/researcher", b"/researcher/export", b"/api/survey", b"/nothing"):
            for query in (b"", b"?a=%0d%0aSet-Cookie:%20" + mark, b"?language=" + mark):
                for host in (mark, b"here\r\nX-Forwarded-Host: " + mark, mark + b":80@evil"):
                    line = b"GET " + path + query + b" HTTP/1.1\r\nConnection: close\r\n"
                    said = told(url, line + b"Host: " + host + b"\r\n\r\n")
                    assert said.startswith(b"HTTP/1.1 ")
                    assert mark not in said
                    assert b"no-store" in said  # and no proxy keeps it for others


def test_a_method_cannot_be_disguised_as_another(nursery: Nursery, survey: Path) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with (
        served(nursery, survey, survey.with_suffix(".db"), port),
        stranger(url) as client,
    ):
        log_in(client)
        for name in ("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"):
            client.get("/researcher/close", headers={name: "POST"})
        client.head("/researcher/close")
        client.get("/researcher/close", params={"_method": "POST"})
        assert client.get("/api/survey").json()["open"]
        client.post("/researcher/close")
        assert not client.get("/api/survey").json()["open"]


# --- What costs others ---------------------------------------------------------------------------


@pytest.mark.parametrize(("plant", "status"), [("", 200), (WRITES_ALWAYS, 503)], ids=IDS)
def test_receipts_that_are_guessed_do_not_keep_the_writer_busy(
    plant: str, status: int, nursery: Nursery, survey: Path
) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    database = survey.with_suffix(".db")
    with (
        served(nursery, survey, database, port, plant=plant),
        stranger(url) as client,
        closing(sqlite3.connect(database, isolation_level=None)) as connection,
    ):
        client.timeout = httpx.Timeout(60)
        guessed = person(client.get("/api/survey").json()).shown_receipt
        connection.execute("BEGIN IMMEDIATE")  # the writer is busy
        answer = client.post("/api/receipts/delete", json={"receipt": guessed})
        assert answer.status_code == status


@pytest.mark.parametrize(("looks_first", "status"), [(True, 403), (False, 503)], ids=IDS)
def test_invitations_that_are_guessed_do_not_keep_the_writer_busy(
    looks_first: bool, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deniable.survey.server.writer.LINE_SECONDS", 0.5)
    if not looks_first:
        monkeypatch.setattr(Store, "knows_invitation", lambda *_: True)
    survey = write_survey(tmp_path, invitations=True)
    with (
        serving(survey) as found,
        stranger(found.url) as client,
        closing(sqlite3.connect(survey.with_suffix(".db"), isolation_level=None)) as connection,
    ):
        client.timeout = httpx.Timeout(60)
        connection.execute("BEGIN IMMEDIATE")  # the writer is busy
        asked = {"invitation": "a" * 26, "blinded": to_base64((1).to_bytes(384))}
        assert client.post("/api/token", json=asked).status_code == status
        connection.execute("ROLLBACK")


WITHOUT_LIMIT = """
from deniable.survey.server import respondent_routes
respondent_routes.SIGNATURES_AT_ONCE = 10**6
"""
ENDLESS = """
import time
from deniable.survey.tokens import SigningKey
SigningKey.sign = lambda *_: time.sleep(10**6)
"""
"""Every signature takes for ever: what RSA does, made so slow that nobody has to measure it."""

SHARED = """
from starlette.concurrency import run_in_threadpool
from deniable.survey.server import respondent_routes
respondent_routes.BoundedThreads.run = lambda self, *given: run_in_threadpool(*given)
"""
"""The weakness: invitations are signed by the threads that read the page's files, too."""


@pytest.fixture
def invited(tmp_path: Path) -> tuple[Path, list[bytes]]:
    """A survey, and what asks for a token for each of ten invitations."""
    survey = write_survey(tmp_path, invitations=True)
    store = open_store(survey)
    codes, _ = invitations(store, "https://survey.example", 10)
    store.invite(codes)
    store.database.close()
    return survey, [_token_request(code) for code in codes]


def _token_request(code: str) -> bytes:
    body = json.dumps({"invitation": code, "blinded": to_base64((2).to_bytes(384))}).encode()
    kind = b"Content-Type: application/json\r\nContent-Length: %d\r\n" % len(body)
    return b"POST /api/token HTTP/1.1\r\n" + kind + LAST + body


@pytest.mark.parametrize(("plant", "most"), [("", 20), (WITHOUT_LIMIT, 60)], ids=IDS)
def test_one_invitation_asked_for_again_and_again_is_not_signed_each_time(
    plant: str, most: int, nursery: Nursery, invited: tuple[Path, list[bytes]]
) -> None:
    survey, (one, other, *_) = invited
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with served(nursery, survey, survey.with_suffix(".db"), port, plant=plant):
        status = Counter(told(url, one).split()[1] for _ in range(60))  # by 60 addresses
        assert status[b"200"] == most
        assert status[b"429"] == 60 - most
        assert told(url, other).split()[1] == b"200"  # others lose nothing by that


@pytest.mark.parametrize(("plant", "is_shown"), [("", True), (SHARED, False)], ids=IDS)
def test_invitations_that_are_signed_hold_up_neither_the_page_nor_health(
    plant: str, is_shown: bool, nursery: Nursery, invited: tuple[Path, list[bytes]]
) -> None:
    survey, requests = invited
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with (
        served(nursery, survey, survey.with_suffix(".db"), port, plant=ENDLESS + plant),
        ExitStack() as stack,
        stranger(url) as client,
    ):
        for number in range(100):
            opened = stack.enter_context(connect(url))
            opened.sendall(requests[number % len(requests)])

        def shows_the_page() -> bool:
            try:
                return "<title>" in client.get("/", timeout=5).text
            except httpx.TimeoutException:
                return False

        if is_shown:
            for _ in range(5):
                assert shows_the_page()
                assert client.get("/api/health").status_code == 200
        else:
            eventually(lambda: not shows_the_page())


# --- Encryption ----------------------------------------------------------------------------------


def test_handshakes_that_never_end_do_and_others_are_served(
    nursery: Nursery, survey: Path, tmp_path: Path
) -> None:
    certificate, key = certified(tmp_path, "localhost")
    ports = free_port(), free_port()
    options = ("--certificate", certificate, "--key", key)
    endless = "from deniable.survey.server import tls_handshake as it\nit.HEAD_SECONDS = 10**6"
    context = ssl.create_default_context(cafile=str(certificate))
    with (
        encrypted(nursery, survey, ports[0], options, plant=endless) as weak,
        encrypted(nursery, survey, ports[1], options) as ours,
        ExitStack() as stack,
    ):
        silent = [stack.enter_context(connect(url)) for url in (weak, ours)]
        begun = [stack.enter_context(connect(url)) for url in (weak, ours)]
        for opened in begun:
            opened.sendall(b"\x16\x03\x01")  # a handshake, up to here
        for opened in (silent[1], begun[1]):
            eventually(partial(_has_ended, opened))
        assert is_open(silent[0])
        assert is_open(begun[0])
        assert b"<title>" not in told(ours, b"GET / HTTP/1.1\r\n" + LAST)
        transport = httpx.HTTPTransport(verify=context, local_address=some_address())
        url = ours.replace("127.0.0.1", "localhost")
        with httpx.Client(transport=transport, base_url=url) as client:
            answer = person(client.get("/api/survey").json()).answer
            assert send(client, answer).status_code == 200
            assert "strict-transport-security" in client.get("/").headers


FEW_FILES = "import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (1024, 1024))\n"
UNCOUNTED = (
    "import uvicorn\nfrom deniable.survey.server import serve\n"
    "serve._Server.startup = uvicorn.Server.startup\n"
)
"""The weakness: handshakes as uvicorn has them, which take files and no place."""


def test_handshakes_by_the_thousand_leave_room_for_the_next_person(
    nursery: Nursery, survey: Path, tmp_path: Path
) -> None:
    certificate, key = certified(tmp_path, "localhost")
    options = ("--certificate", certificate, "--key", key)
    context = ssl.create_default_context(cafile=str(certificate))

    def page(url: str) -> str:
        transport = httpx.HTTPTransport(verify=context, local_address=some_address())
        with httpx.Client(transport=transport) as client:
            return client.get(url.replace("127.0.0.1", "localhost"), timeout=10).text

    with (
        many_files(),
        encrypted(nursery, survey, free_port(), options, plant=FEW_FILES + UNCOUNTED) as weak,
        encrypted(nursery, survey, free_port(), options, plant=FEW_FILES) as ours,
    ):
        with slow_crowd(ours, 1_200, 100):
            for _ in range(20):  # each of them has to be heard, however soon they speak
                assert "<title>" in page(ours)
        with slow_crowd(weak, 1_200, 100), pytest.raises(httpx.TransportError):
            page(weak)


def _has_ended(opened: socket.socket) -> bool:
    return not is_open(opened)


@contextmanager
def encrypted(
    nursery: Nursery, survey: Path, port: int, options: tuple[object, ...], plant: str = ""
) -> Iterator[str]:
    """Serve a survey by https."""
    words = ("survey", "serve", survey, "--port", port, "--database", survey.with_suffix(".db"))
    command = nursery.start(*words, *options, plant=plant)
    try:
        url = f"https://127.0.0.1:{port}"
        eventually(lambda: told(url, b"no handshake\r\n") is not None)
        yield url
    finally:
        command.end(signal.SIGKILL)
