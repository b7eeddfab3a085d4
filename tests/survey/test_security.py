"""Visitors who mean harm: nothing they send breaks, changes or shows anything."""

import asyncio
import json
import signal
import socket
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.routing import Route

from deniable.survey.server.app import create
from deniable.survey.server.sessions import HOURS, Sessions, hash_password
from deniable.survey.store.store import Store
from survey.nursery import free_port, nursery_in
from survey.nursery import served as served_by_command
from survey.serving import PASSWORD, Served, serving
from survey.visitors import everything, person, send, stranger, write_survey

HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
MARK = "xyzzymark"
"""Stands in what is sent, and never in what comes back."""

JSON = {"content-type": "application/json"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("security")
    with serving(write_survey(folder, after=10, every=5)) as found:
        with stranger(found.url) as client:
            described = client.get("/api/survey").json()
            for _ in range(12):
                assert send(client, person(described).answer).status_code == 200
        yield found


@pytest.fixture
def client(served: Served) -> Iterator[httpx.Client]:
    with stranger(served.url) as found:
        yield found


@pytest.fixture
def researcher(served: Served) -> Iterator[httpx.Client]:
    with stranger(served.url) as found:
        log_in(found)
        yield found


def log_in(client: httpx.Client, password: str = PASSWORD) -> httpx.Response:
    return client.post("/researcher/login", data={"password": password})


def addresses(store: Store) -> list[tuple[str, str]]:
    """Every method and path that the application knows."""
    found = {
        (method, route.path)
        for route in _routes(create(store))
        for method in (route.methods or set()) - {"HEAD"}
    }
    assert {("POST", "/api/answers"), ("GET", "/researcher/export"), ("GET", "/")} <= found
    return sorted(found)


def _routes(router: Any) -> Iterator[Route]:
    for route in router.routes:
        if isinstance(route, Route):
            yield route
        else:  # of its own, a router that was included keeps them
            yield from _routes(route.original_router)


# --- Malformed requests --------------------------------------------------------------------------

Change = Callable[[bytes], bytes]

MALFORMED: dict[str, Change] = {
    "nothing": lambda body: b"",
    "a byte less": lambda body: body[:-1],
    "a byte more": lambda body: body + b" ",
    "less padding": lambda body: body.replace(b'.."}', b'"}'),
    "other padding": lambda body: body.replace(b'."}', b'x"}'),
    "spaces": lambda body: body.replace(b'..."}', b'"}  ').replace(b"}  ", b"}   "),
    "an unknown option": lambda body: _part(body, report="90"),
    "a letter for an option": lambda body: _part(body, report="z0"),
    "an answer less": lambda body: _part(body, report="0"),
    "an answer more": lambda body: _part(body, report="000"),
    "no answers": lambda body: _part(body, report=""),
    "a list of answers": lambda body: _part(body, report=["0", "0"]),
    "another survey": lambda body: _part(body, survey="0" * 64),
    "an id in capitals": lambda body: _part(body, id="A" * 32),
    "a short id": lambda body: _part(body, id="a" * 31),
    "an id with a line break": lambda body: _part(body, id="a" * 31 + "\n"),
    "another arm": lambda body: _part(body, arm=MARK),
    "an arm that nobody draws": lambda body: _part(body, arm="direct"),
    "another device": lambda body: _part(body, device=MARK),
    "understood too well": lambda body: _part(body, understood=3),
    "understood less than nothing": lambda body: _part(body, understood=-1),
    "half understood": lambda body: _part(body, understood=1.0),
    "understood, truly": lambda body: _part(body, understood=True),
    "not a number": lambda body: body.replace(b'"understood":2', b'"understood":NaN'),
    "infinity": lambda body: body.replace(b'"understood":2', b'"understood":1e999'),
    "a long number": lambda body: body.replace(b"..", b"")[:-900] + b"1" * 900,
    "a key twice": lambda body: body.replace(
        b'"understood":2', b'"understood":1,"understood":2'
    ).replace(b"." * 15, b"", 1),
    "a key more": lambda body: _part(body, **{MARK: 1}),
    "a key less": lambda body: body.replace(b',"understood":2', b"").replace(b'."', b'"' * 1),
    "another order": lambda body: _in_order(body, reverse=True),
    "escaped letters": lambda body: body.replace(b"page", b"p\\u0061ge").replace(b"." * 5, b"", 1),
    "half a letter": lambda body: body.replace(b'"page"', b'"\\ud800"'),
    "a null character": lambda body: body.replace(b'"page"', b'"pa\\u0000e"'),
    "bytes that are no text": lambda body: body.replace(b"page", b"p\xffge"),
    "a byte order mark": lambda body: b"\xef\xbb\xbf" + body[:-3],
    "two bytes a letter": lambda body: body[:1024].decode().encode("utf-16-le"),
    "deep lists": lambda body: b"[" * len(body),
    "deep objects": lambda body: b'{"a":' * (len(body) // 5),
    "a list": lambda body: b"[" + body[:-2] + b"]",
    "a word": lambda body: json.dumps(MARK).encode(),
    "null": lambda body: b"null",
    "two documents": lambda body: body[: len(body) // 2] * 2,
    "a form": lambda body: f"report={MARK}".encode(),
}


def _part(body: bytes, **parts: object) -> bytes:
    found = {**json.loads(body), **parts}
    padding = found.pop("padding")
    text = json.dumps({**found, "padding": ""}, separators=(",", ":"))
    assert padding
    return (text[:-2] + "." * (len(body) - len(text)) + text[-2:]).encode()


def _in_order(body: bytes, *, reverse: bool) -> bytes:
    found = sorted(json.loads(body).items(), reverse=reverse)
    return json.dumps(dict(found), separators=(",", ":")).encode()


def test_a_malformed_answer_is_refused_and_changes_nothing(
    served: Served, client: httpx.Client
) -> None:
    described = client.get("/api/survey").json()
    good = person(described).answer
    assert _part(good.encode()) == good.encode()  # what is refused below is refused for its change
    before = everything(served.store)
    for how, change in MALFORMED.items():
        changed = change(good.encode())
        assert changed != good.encode(), how
        for path in ("/api/answers", "/api/token", "/api/receipts/check", "/api/receipts/delete"):
            answer = client.post(path, content=changed, headers=JSON)
            assert answer.status_code in {400, 413, 422}, (how, path)
            assert set(answer.json()) == {"problem", "hint"}, (how, path)
            assert MARK not in answer.text, (how, path)
    assert everything(served.store) == before
    assert send(client, good).status_code == 200


def test_an_answer_must_say_that_it_is_json(served: Served, client: httpx.Client) -> None:
    body = person(client.get("/api/survey").json()).answer.encode()
    before = everything(served.store)
    for kind in ("text/plain", "application/x-www-form-urlencoded", MARK, ""):
        answer = client.post("/api/answers", content=body, headers={"content-type": kind})
        assert answer.status_code == 415
    assert everything(served.store) == before


RAW = {
    "too long": b"POST /api/answers HTTP/1.1\r\nContent-Length: 99999999\r\n",
    "far too long": b"POST /api/answers HTTP/1.1\r\nContent-Length: " + b"9" * 5000 + b"\r\n",
    "less than nothing": b"POST /api/answers HTTP/1.1\r\nContent-Length: -1\r\n",
    "two lengths": b"POST /api/answers HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n",
    "too long in parts": b"POST /api/answers HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    + (b"400\r\n" + b"x" * 1024 + b"\r\n") * 5
    + b"0\r\n",
    "odd parts": b"POST /api/answers HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "a long header": b"GET /api/health HTTP/1.1\r\nX-A: " + b"a" * 200_000 + b"\r\n",
    "many headers": b"GET /api/health HTTP/1.1\r\n" + b"X-A: a\r\n" * 5000,
    "a long path": b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\n",
    "odd signs in the path": b"GET /%zz%ff%00%c0%ae HTTP/1.1\r\n",
    "a way up": b"GET /..%2f..%2f..%2fetc/passwd HTTP/1.1\r\n",
    "an odd query": b"GET /researcher/model?target=%ff%zz&&=&target HTTP/1.1\r\n",
    "an odd host": b"GET /researcher HTTP/1.1\r\nHost: [\r\n",
    "an odd origin": b"POST /api/answers HTTP/1.1\r\nOrigin: http://[\r\nContent-Length: 0\r\n",
    "an odd cookie": b"GET /researcher HTTP/1.1\r\nCookie: session=\xff\xfe; =;;session\r\n",
    "an odd range": b"GET /style.css HTTP/1.1\r\nRange: bytes=abc\r\n",
    "a range beyond": b"GET /style.css HTTP/1.1\r\nRange: bytes=99999999-\r\n",
    "many ranges": b"GET /style.css HTTP/1.1\r\nRange: bytes=" + b"0-1," * 500 + b"2-3\r\n",
    "an odd proxy": b"GET /researcher HTTP/1.1\r\nX-Forwarded-For: \xff,,\r\n"
    b"X-Forwarded-Proto: gopher\r\n",
    "a web socket": b"GET /api/health HTTP/1.1\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n",
    "another protocol": b"PRI * HTTP/2.0\r\n",
    "no protocol": b"hello\r\n",
    "an odd method": b"BREW /api/answers HTTP/1.1\r\n",
}


def _raw(url: str, request: bytes) -> bytes:
    """Send bytes as they are, and read the first line of the answer."""
    host, port = url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall(request.replace(b"\r\n", b"\r\nConnection: close\r\n", 1) + b"\r\n")
        return connection.makefile("rb").readline()


def test_requests_that_no_browser_sends_get_an_answer_and_change_nothing(
    served: Served, client: httpx.Client
) -> None:
    before = everything(served.store)
    for how, request in RAW.items():
        first = _raw(served.url, request)
        assert first.split()[1][:1] in {b"2", b"3", b"4"}, (how, first)
    assert b" 413 " in _raw(served.url, RAW["too long"])
    assert b" 413 " in _raw(served.url, RAW["too long in parts"])
    assert everything(served.store) == before
    assert client.get("/api/health").json() == {"status": "ok"}


def test_other_methods_and_paths_are_refused_everywhere(
    served: Served, client: httpx.Client
) -> None:
    known = addresses(served.store)
    before = everything(served.store)
    paths = sorted({path for _, path in known})
    for path in [*paths, f"/{MARK}", *(f"{path.rstrip('/')}/{MARK}" for path in paths)]:
        for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"):
            if (method, path) not in known:
                answer = client.request(method, path, params={MARK: MARK})
                assert answer.status_code in {404, 405}, (method, path)
                assert MARK not in f"{answer.text}{answer.headers}", (method, path)
    assert everything(served.store) == before


# --- Headers, cookies, sessions ------------------------------------------------------------------


def check_headers(answer: httpx.Response) -> None:
    where = str(answer.request.url)
    assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS, where
    policy = dict(
        part.strip().partition(" ")[::2]
        for part in answer.headers["content-security-policy"].split(";")
    )
    assert policy["default-src"] == "'none'", where
    assert policy["frame-ancestors"] == "'none'", where
    assert "unsafe" not in policy.get("script-src", ""), where
    for sources in policy.values():  # nothing loads from another host
        assert not any(mark in sources for mark in ("http", "*", "data:", "blob:", "//")), where
    if answer.request.url.path != "/researcher/model.svg":
        assert "unsafe" not in answer.headers["content-security-policy"], where
    assert "server" not in answer.headers, where


def test_every_answer_carries_the_headers_that_protect_its_reader(
    served: Served, client: httpx.Client, researcher: httpx.Client
) -> None:
    quiet = {("POST", "/researcher/logout"), ("POST", "/researcher/close")}
    for visitor in (client, researcher):
        for method, path in [*addresses(served.store), ("GET", f"/{MARK}"), ("PUT", "/")]:
            if (method, path) not in quiet:
                check_headers(visitor.request(method, path))
    foreign = {"sec-fetch-site": "cross-site"}
    check_headers(client.post("/api/answers", headers=foreign))
    check_headers(client.post("/api/answers", content=b"x" * 10_000))
    check_headers(client.get("/style.css", headers={"range": "bytes=abc"}))
    for target in ("drugs", MARK):
        check_headers(researcher.get("/researcher/model.svg", params={"target": target}))
        check_headers(researcher.get("/researcher/model", params={"target": target}))


def test_a_broken_server_still_protects_and_says_nothing(served: Served) -> None:
    app = create(served.store)

    def broken() -> None:
        raise RuntimeError(MARK)

    app.add_api_route("/broken", broken)
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)

    async def ask() -> httpx.Response:
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            return await client.get("/broken")

    answer = asyncio.run(ask())
    assert answer.status_code == 500
    assert MARK not in answer.text
    check_headers(answer)


def test_a_session_is_bound_to_its_host_and_hidden_from_scripts(served: Served) -> None:
    def cookie(**headers: str) -> set[str]:
        with stranger(served.url) as client:
            client.headers.update(headers)
            answer = log_in(client)
            assert answer.status_code == 303
            name, *flags = answer.headers["set-cookie"].split("; ")
            return {name.partition("=")[0], *(flag.lower() for flag in flags)}

    flags = {"httponly", "samesite=strict", "path=/", f"max-age={HOURS * 3600}"}
    assert cookie() == {"session", *flags}
    assert cookie(**{"X-Forwarded-Proto": "https"}) == {"__Host-session", "secure", *flags}


def test_browsers_are_told_to_come_back_encrypted_only_where_they_came_so(
    client: httpx.Client,
) -> None:
    name = "strict-transport-security"
    assert name not in client.get("/api/health").headers
    secure = client.get("/api/health", headers={"X-Forwarded-Proto": "https"})
    assert int(secure.headers[name].removeprefix("max-age=")) >= 31_536_000


def test_a_session_ends_when_its_owner_leaves(served: Served, researcher: httpx.Client) -> None:
    taken = dict(researcher.cookies)
    assert "Sign out" in researcher.get("/researcher").text
    left = researcher.post("/researcher/logout")
    assert left.status_code == 303
    assert 'session=""' in left.headers["set-cookie"]
    with stranger(served.url) as thief:
        thief.cookies.update(taken)
        assert "Sign out" not in thief.get("/researcher").text
        assert thief.get("/researcher/privacy").status_code == 303


def test_a_session_ends_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr("deniable.survey.server.sessions.time.monotonic", lambda: now[0])
    hashed = hash_password(PASSWORD)
    sessions = Sessions(lambda: hashed)
    session = sessions.enter(PASSWORD)
    assert sessions.knows(session)
    now[0] += HOURS * 3600
    assert not sessions.knows(session)


def test_a_made_up_session_opens_nothing(served: Served) -> None:
    for made_up in (b"", b"x", b"0" * 43, b"\xff\xfe", b"a" * 4000):
        with stranger(served.url) as thief:
            cookie = [(b"cookie", b"session=" + made_up)]
            answer = thief.get("/researcher/export", headers=cookie)
            assert answer.status_code == 303


def test_passwords_cannot_be_tried_in_bulk(served: Served) -> None:
    with stranger(served.url) as guesser, stranger(served.url) as owner:
        tries = [log_in(guesser, f"{MARK}{number}") for number in range(11)]
        assert [answer.status_code for answer in tries] == [403] * 10 + [429]
        assert int(tries[-1].headers["retry-after"]) >= 1
        assert log_in(guesser).status_code == 429
        assert MARK not in tries[0].text
        assert log_in(owner).status_code == 303


# --- Other sites ---------------------------------------------------------------------------------

FOREIGN = (
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
    {"sec-fetch-site": MARK},
    {"origin": "https://evil.example"},
    {"origin": "null"},
    {"origin": "http://127.0.0.1"},
    {"origin": "http://["},
    {"sec-fetch-site": "cross-site", "origin": "OWN"},
)


def test_other_sites_cannot_send_anything_in_a_visitors_name(
    served: Served, researcher: httpx.Client
) -> None:
    posts = [path for method, path in addresses(served.store) if method == "POST"]
    body = person(researcher.get("/api/survey").json()).answer.encode()
    before = everything(served.store)
    for path in posts:
        for headers in FOREIGN:
            given = {name: value.replace("OWN", served.url) for name, value in headers.items()}
            answer = researcher.post(path, content=body, headers={**JSON, **given})
            assert answer.status_code == 403, (path, headers)
            assert "another site" in answer.json()["problem"]
    assert everything(served.store) == before
    assert "Sign out" in researcher.get("/researcher").text
    for own in ({"sec-fetch-site": "same-origin"}, {"origin": served.url}, {}):
        assert researcher.post("/api/answers", content=body, headers={**JSON, **own}).is_success


# --- What visitors see ---------------------------------------------------------------------------


def seen(served: Served, client: httpx.Client) -> dict[tuple[str, str], tuple[int, bytes]]:
    """All that a visitor can get to see."""
    found = {}
    for method, path in addresses(served.store):
        for query in ("", "?target=drugs", "?language=en"):
            answer = client.request(method, path + query)
            found[method, path + query] = (answer.status_code, answer.content)
    return found


def test_a_visitor_sees_no_estimate_no_count_and_no_export(
    tmp_path: Path,
) -> None:
    with serving(write_survey(tmp_path, after=10, every=5)) as served:

        def answers(number: int) -> None:
            with stranger(served.url) as client:
                described = client.get("/api/survey").json()
                for _ in range(number):
                    assert send(client, person(described).answer).status_code == 200

        with stranger(served.url) as visitor:
            none = seen(served, visitor)
            answers(25)
            assert served.store.released() is not None
            assert seen(served, visitor) == none
            behind = {path for (method, path), (status, _) in none.items() if status == 303}
            assert {"/researcher/export", "/researcher/model.svg", "/researcher/close"} <= behind
        with stranger(served.url) as researcher:
            log_in(researcher)
            assert "25" in researcher.get("/researcher").text
            assert researcher.get("/researcher/export").content.startswith(b"PK")


# --- What is written down ------------------------------------------------------------------------


def test_a_server_logs_nothing_of_what_it_is_sent(tmp_path: Path) -> None:
    survey = write_survey(tmp_path)
    database = tmp_path / "habits.db"
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with (
        nursery_in(tmp_path) as nursery,
        served_by_command(nursery, survey, database, port) as command,
    ):
        welcome = command.output.read_text()
        with stranger(url) as client:
            body = person(client.get("/api/survey").json()).answer.encode()
            for change in MALFORMED.values():
                client.post("/api/answers", content=change(body), headers=JSON)
                client.post("/api/token", content=change(body), headers=JSON)
            log_in(client, MARK)
            client.get(f"/{MARK}?{MARK}", headers={"cookie": f"session={MARK}"})
            assert send(client, body).status_code == 200
        for request in RAW.values():
            _raw(url, request)
        assert command.output.read_text() == welcome
        _break(database)
        with stranger(url) as client:
            another = person({"fingerprint": json.loads(body)["survey"]}).answer
            refused = send(client, another)
        assert refused.status_code == 503
        check_headers(refused)
        said = command.output.read_text().removeprefix(welcome)
        assert "Error" in said
        for secret in (another.id, another.id[:8], "disguised", "INSERT", "127.0.0.1"):
            assert secret not in said
        assert command.end(signal.SIGTERM) == 0


def _break(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("DROP TABLE waiting")


def test_the_description_of_the_interface_names_no_host(client: httpx.Client) -> None:
    found: dict[str, Any] = client.get("/api/openapi.json").json()
    assert "servers" not in found
    assert not [path for path in found["paths"] if path.startswith("/researcher")]
