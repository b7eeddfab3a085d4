"""Behind a proxy, and without: who says where a request comes from is believed or not.

The settings of nginx and Caddy are those that the page shows; only ports and files are our own.
"""

import os
import re
import socket
import ssl
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

import proxies
from forking import Nursery
from survey.certificates import certified
from survey.mischief import JSON
from survey.nursery import nursery_in, served
from survey.serving import PASSWORD, open_store
from survey.visitors import person, some_address, stranger, write_survey
from waiting import eventually, free_port

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[2] / "docs/how-to/survey.md"


@pytest.fixture(scope="module")
def nursery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nursery]:
    with nursery_in(tmp_path_factory.mktemp("nursery")) as found:
        yield found


@pytest.fixture(scope="module")
def survey(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = write_survey(tmp_path_factory.mktemp("proxied"))
    open_store(path).database.close()
    return path


@dataclass(frozen=True)
class Proxied:
    """A survey behind a proxy."""

    url: str
    folder: Path


def shown(name: str) -> str:
    """The settings that the page shows."""
    (found,) = re.findall(rf"```{name}\n(.*?)```", PAGE.read_text(), re.DOTALL)
    return str(found)


@pytest.fixture(scope="module", params=["nginx", "caddy"])
def proxied(
    request: pytest.FixtureRequest,
    nursery: Nursery,
    survey: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Proxied]:
    folder = tmp_path_factory.mktemp(request.param)
    certificate, key = certified(folder, "survey.example")
    inner, outer = free_port(), free_port()
    settings = shown(request.param)
    for ours, theirs in (
        ("listen 443", f"listen {outer}"),
        ("survey.example {", f"survey.example:{outer} {{"),
        ("admin off", f"admin off\n\thttp_port {free_port()}"),  # from where Caddy leads to https
        ("/etc/ssl/survey/cert.pem", str(certificate)),
        ("/etc/ssl/survey/key.pem", str(key)),
        ("127.0.0.1:8000", f"127.0.0.1:{inner}"),
    ):
        settings = settings.replace(ours, theirs)
    with (
        served(nursery, survey, survey.with_suffix(".db"), inner, "--behind-proxy"),
        proxies.running(request.param, settings, folder),
    ):
        found = Proxied(f"https://survey.example:{outer}", folder)
        eventually(lambda: _is_up(found), otherwise=(folder / "output").read_text)
        yield found


class _Named(httpx.HTTPTransport):
    """Asks this machine for survey.example."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.extensions["sni_hostname"] = "survey.example"
        return super().handle_request(request)


def visit(proxied: Proxied, address: str | None = None) -> httpx.Client:
    """Somebody at an address."""
    port = int(proxied.url.rpartition(":")[2])
    return httpx.Client(
        base_url=f"https://127.0.0.1:{port}",
        transport=_Named(verify=_anybody(), local_address=address or some_address()),
        headers={"Host": f"survey.example:{port}"},
    )


def _is_up(proxied: Proxied) -> bool:
    with visit(proxied) as client, suppress(httpx.TransportError):
        return client.get("/").is_success
    return False


def _anybody() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def log_in(client: httpx.Client, password: str = PASSWORD, **headers: str) -> httpx.Response:
    return client.post("/researcher/login", data={"password": password}, headers=headers)


# --- Through the proxies of the page -------------------------------------------------------------


def test_people_answer_and_the_researcher_signs_in_through_a_proxy(proxied: Proxied) -> None:
    with visit(proxied) as client:
        page = client.get("/")
        assert "<title>" in page.text
        assert "strict-transport-security" in page.headers
        described = client.get("/api/survey").json()
        for own in ({"origin": proxied.url}, {"sec-fetch-site": "same-origin"}):
            body = person(described).answer.encode()
            answer = client.post("/api/answers", content=body, headers={**JSON, **own})
            assert answer.json() == {"kept": True}
        foreign = {**JSON, "origin": "https://elsewhere.example"}
        assert client.post("/api/answers", content=body, headers=foreign).status_code == 403
        signed_in = log_in(client)
        assert signed_in.status_code == 303
        assert signed_in.headers["set-cookie"].startswith("__Host-session=")


def test_a_proxy_tells_visitors_apart_and_none_can_be_another(proxied: Proxied) -> None:
    with visit(proxied) as guesser, visit(proxied) as other:
        tries = [
            log_in(guesser, f"wrong-{n}", **forged(n), Forwarded="for=127.0.0.1").status_code
            for n in range(30)
        ]
        assert tries[0] == 403
        assert tries[-1] == 429
        assert log_in(other, "wrong").status_code == 403


def forged(number: int) -> dict[str, str]:
    """Headers by which somebody would be somebody else each time."""
    address = f"198.51.100.{number}"
    return {"X-Forwarded-For": f"{address}, {address}", "X-Real-IP": address}


HIDDEN = b"GET /hidden HTTP/1.1\r\nHost: survey.example\r\n\r\n"


def smuggled() -> dict[str, bytes]:
    """Requests that two servers might cut at different places."""
    head = (
        b"POST /api/answers HTTP/1.1\r\nHost: survey.example\r\nContent-Type: application/json\r\n"
    )
    both = b"Content-Length: %d\r\nTransfer-Encoding: %s\r\n\r\n"
    chunked = b"0\r\n\r\n" + HIDDEN
    return {
        "both": head + both % (len(chunked), b"chunked") + chunked,
        "both, the other way": head + both % (4, b"chunked") + b"5c\r\n" + HIDDEN + b"0\r\n\r\n",
        "an odd coding": head + both % (len(chunked), b"xchunked") + chunked,
        "a coding with a tab": head + both % (len(chunked), b"\tchunked") + chunked,
        "a space before the colon": head + b"Content-Length : %d\r\n\r\n" % len(HIDDEN) + HIDDEN,
        "two lengths": head + b"Content-Length: 0\r\nContent-Length: 64\r\n\r\n" + HIDDEN,
        "a signed length": head + b"Content-Length: +0\r\n\r\n" + HIDDEN,
        "a folded line": head + b"Transfer-Encoding:\r\n chunked\r\n\r\n" + chunked,
        "only line feeds": head.replace(b"\r\n", b"\n") + b"Content-Length: 0\n\n" + HIDDEN,
        "another protocol": head
        + b"Connection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: %d\r\n\r\n" % len(HIDDEN)
        + HIDDEN,
    }


def test_no_request_hides_in_the_body_of_another(proxied: Proxied) -> None:
    """A hidden one would be answered to whoever comes next through the same connection."""
    port = int(proxied.url.rpartition(":")[2])
    for how, request in smuggled().items():
        with (
            socket.create_connection(("127.0.0.1", port), timeout=60) as plain,
            _anybody().wrap_socket(plain, server_hostname="survey.example") as opened,
            visit(proxied) as next_one,
        ):
            opened.sendall(request)
            for _ in range(5):
                assert next_one.get("/api/survey").status_code == 200, how


def test_a_proxy_of_the_page_writes_no_address_down(proxied: Proxied) -> None:
    address = some_address()
    with visit(proxied, address) as client:
        client.get("/")
        client.get("/nothing")
        client.post("/api/answers", content=b"x" * 100_000)
        log_in(client, "wrong")
    written = [path for path in proxied.folder.rglob("*") if path.is_file()]
    assert written
    assert not [path for path in written if address.encode() in path.read_bytes()]


# --- Without a proxy -----------------------------------------------------------------------------


def guesses(url: str) -> list[int]:
    with stranger(url) as client:
        return [log_in(client, f"{n}", **forged(n)).status_code for n in range(30)]


def test_without_a_proxy_nobody_is_believed_to_be_somebody_else(
    survey: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(os.environ, "FORWARDED_ALLOW_IPS", "*")  # a variable that uvicorn knows
    database = survey.with_suffix(".db")
    with nursery_in(tmp_path) as nursery:
        port = free_port()
        url = f"http://127.0.0.1:{port}"
        with served(nursery, survey, database, port):
            assert guesses(url)[-1] == 429
            secure = {"X-Forwarded-Proto": "https"}
            assert "strict-transport-security" not in httpx.get(url, headers=secure).headers
        with served(nursery, survey, database, port, "--behind-proxy"):
            assert set(guesses(url)) == {403}  # who is believed gets through: the test can tell


def test_a_server_that_is_reached_past_its_proxy_is_refused(nursery: Nursery, survey: Path) -> None:
    words = ("survey", "serve", survey, "--host", "0.0.0.0", "--behind-proxy")  # noqa: S104
    status, output = nursery.run(*words)
    assert status == 1
    assert "must not be reached past it" in output
