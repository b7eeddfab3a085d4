"""Visitors who mean harm: nothing they send breaks, changes or shows anything."""

import asyncio
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from deniable.survey.server.app import create
from deniable.survey.server.logins import HOURS, Sessions
from survey.mischief import JSON, MALFORMED, MARK, RAW, addresses, send_raw
from survey.nursery import nursery_in
from survey.nursery import served as served_by_command
from survey.serving import PASSWORD, Served, serving
from survey.visitors import everything, person, send, stranger, write_survey
from waiting import free_port

pytestmark = pytest.mark.slow

HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


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


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A survey that is told of a proxy in front of it."""
    with serving(write_survey(tmp_path_factory.mktemp("proxied")), behind_proxy=True) as found:
        yield found


SECURE = {"X-Forwarded-Proto": "https"}


def test_a_session_is_bound_to_its_host_and_hidden_from_scripts(
    served: Served, proxied: Served
) -> None:
    def cookie(url: str, headers: dict[str, str]) -> set[str]:
        with stranger(url) as client:
            client.headers.update(headers)
            answer = log_in(client)
            assert answer.status_code == 303
            name, *flags = answer.headers["set-cookie"].split("; ")
            return {name.partition("=")[0], *(flag.lower() for flag in flags)}

    flags = {"httponly", "samesite=strict", "path=/", f"max-age={HOURS * 3600}"}
    assert cookie(served.url, {}) == cookie(proxied.url, {}) == {"session", *flags}
    assert cookie(proxied.url, SECURE) == {"__Host-session", "secure", *flags}
    assert cookie(served.url, SECURE) == {"session", *flags}


def test_browsers_are_told_to_come_back_encrypted_only_where_they_came_so(
    served: Served, proxied: Served
) -> None:
    name = "strict-transport-security"
    with stranger(served.url) as client, stranger(proxied.url) as behind:
        for answer in (client.get("/", headers=SECURE), client.get("/"), behind.get("/")):
            assert name not in answer.headers
        secure = behind.get("/", headers=SECURE)
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
    monkeypatch.setattr("deniable.survey.server.logins.time.monotonic", lambda: now[0])
    sessions = Sessions()
    session = sessions.open("hashed")
    assert sessions.password_of(session) == "hashed"
    now[0] += HOURS * 3600
    assert sessions.password_of(session) is None


def test_a_made_up_session_opens_nothing(served: Served) -> None:
    for made_up in (b"", b"x", b"0" * 43, b"\xff\xfe", b"a" * 4000):
        with stranger(served.url) as thief:
            cookie = [(b"cookie", b"session=" + made_up)]
            answer = thief.get("/researcher/export", headers=cookie)
            assert answer.status_code == 303


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
            described = client.get("/api/survey").json()
            body = person(described).answer.encode()
            for change in MALFORMED.values():
                client.post("/api/answers", content=change(body), headers=JSON)
                client.post("/api/token", content=change(body), headers=JSON)
            log_in(client, MARK)
            client.get(f"/{MARK}?{MARK}", headers={"cookie": f"session={MARK}"})
            assert send(client, body).status_code == 200
        for request in RAW.values():
            send_raw(url, request)
        assert command.output.read_text() == welcome
        _break(database)
        with stranger(url) as client:
            another = person(described).answer
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


SERVER = """
import sys
from pathlib import Path
from deniable.survey.questionnaire import EXAMPLE, load
from deniable.survey.server.app import create
from deniable.survey.server.researcher_routes import privacy_page
from deniable.survey.server.serve import in_background
from deniable.survey.store.database import SurveyDatabase
from deniable.survey.store.store import Store
file = Path(sys.argv[1])
file.write_text(EXAMPLE, encoding="utf-8")
survey = load(file)
create(Store(SurveyDatabase(file.with_suffix(".db")), survey))
assert "What the reports give away" in privacy_page(survey)[0]
print(*sys.modules)
"""


def test_the_server_s_process_never_loads_the_code_that_disguises(tmp_path: Path) -> None:
    command = [sys.executable, "-c", SERVER, str(tmp_path / "survey.yaml")]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert "deniable.privacy.page" in loaded
    assert not [name for name in loaded if name.startswith(("deniable.source", "deniable.respond"))]
