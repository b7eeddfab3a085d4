"""Passwords that are tried by the hundred cost respondents nothing, and lock nobody out."""

import asyncio
import socket
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest
from argon2 import PasswordHasher

from deniable.survey.server.logins import PasswordCheck, hash_password
from forking import Nursery
from survey.attackers import connect, read_all
from survey.nursery import nursery_in, served
from survey.serving import PASSWORD, open_store
from survey.visitors import person, send, stranger, write_survey
from waiting import eventually, free_port

pytestmark = pytest.mark.slow

WITHOUT_HINTS = """
from deniable.survey.server import logins
logins.PasswordCheck.may_be = lambda self, password, hashed: None
"""

ENDLESS = """
import time
from deniable.survey.server import logins
logins._verify = lambda *_: time.sleep(10**6)
logins.PasswordCheck.may_be = lambda self, password, hashed: True
"""
"""Every check takes for ever: what argon2 does, made so slow that nobody has to measure it."""

SHARED = """
from starlette.concurrency import run_in_threadpool
logins.PasswordCheck.fits = lambda self, *given: run_in_threadpool(logins._verify, *given)
"""
"""The weakness: passwords are checked by the threads that read the page's files, too."""


@pytest.fixture(scope="module")
def nursery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nursery]:
    with nursery_in(tmp_path_factory.mktemp("nursery")) as found:
        yield found


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    """A survey whose password is known."""
    path = write_survey(tmp_path)
    open_store(path).database.close()
    return path


def log_in(client: httpx.Client, password: str = PASSWORD) -> int:
    return client.post("/researcher/login", data={"password": password}).status_code


def wrong(url: str, number: int, addresses: int) -> Counter[int]:
    """Try wrong passwords, many at once, from some addresses."""
    with ExitStack() as stack, ThreadPoolExecutor(50) as pool:
        clients = [stack.enter_context(stranger(url)) for _ in range(addresses)]
        tries = range(number)
        return Counter(
            pool.map(lambda n: log_in(clients[n % addresses], f"wrong-{n}"), tries, timeout=600)
        )


@pytest.mark.parametrize("addresses", [1, 300])
def test_wrong_passwords_do_not_lock_the_right_one_out(
    addresses: int, nursery: Nursery, survey: Path
) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with served(nursery, survey, survey.with_suffix(".db"), port):
        tried = wrong(url, 300, addresses)
        assert set(tried) <= {403, 429}
        assert (tried[429] > 0) == (addresses == 1)
        with stranger(url) as researcher:
            assert log_in(researcher) == 303


def test_not_even_those_of_a_neighbour_at_the_same_address(nursery: Nursery, survey: Path) -> None:
    for plant, expected in (("", 303), (WITHOUT_HINTS, 429)):
        port = free_port()
        url = f"http://127.0.0.1:{port}"
        database = survey.with_suffix(".db")
        with served(nursery, survey, database, port, plant=plant), stranger(url) as shared:
            tries = [log_in(shared, f"wrong-{number}") for number in range(30)]
            assert tries[0] == 403
            assert tries[-1] == 429
            assert log_in(shared) == expected


BODY = b"password=wrong"
LOGIN = (
    b"POST /researcher/login HTTP/1.1\r\nHost: here\r\nConnection: close\r\n"
    b"Content-Length: %d\r\n\r\n%s" % (len(BODY), BODY)
)


@contextmanager
def endless_checks(url: str) -> Iterator[list[socket.socket]]:
    """Send a hundred passwords, and do not wait for what comes of them."""
    with ExitStack() as stack:
        held = [stack.enter_context(connect(url)) for _ in range(100)]
        for opened in held:
            opened.sendall(LOGIN)
        yield held


def shows_the_page(client: httpx.Client) -> bool:
    try:
        return client.get("/", timeout=5).is_success
    except httpx.TimeoutException:
        return False


def test_checks_of_passwords_hold_up_neither_the_page_nor_answers(
    nursery: Nursery, survey: Path
) -> None:
    port, database = free_port(), survey.with_suffix(".db")
    url = f"http://127.0.0.1:{port}"
    with (
        served(nursery, survey, database, port, plant=ENDLESS),
        stranger(url) as client,
        endless_checks(url) as held,
    ):
        described = client.get("/api/survey").json()
        for _ in range(5):
            assert shows_the_page(client)
            assert send(client, person(described).answer).status_code == 200
        # Few may wait, and only for a while; all others are told at once to come again.
        assert {read_all(opened).split()[1] for opened in held} == {b"429"}
    with (
        served(nursery, survey, database, port, plant=ENDLESS + SHARED),
        stranger(url) as client,
        endless_checks(url),
    ):
        eventually(lambda: not shows_the_page(client))


def test_a_wrong_password_that_looks_right_is_checked_once() -> None:
    hashed = hash_password(PASSWORD)
    check = PasswordCheck()
    assert check.may_be(PASSWORD, hashed)
    likely = [f"{n}" for n in range(300_000) if check.may_be(f"{n}", hashed)]
    assert len(likely) < 20  # 4.6 are expected: the chance of 20 and more is below 1e-6
    for password in likely:
        assert not asyncio.run(check.fits(password, hashed))
        assert check.may_be(password, hashed) is False
    assert asyncio.run(check.fits(PASSWORD, hashed))
    assert check.may_be(PASSWORD, hashed)


def test_a_password_of_an_earlier_version_is_still_good(nursery: Nursery, survey: Path) -> None:
    store = open_store(survey)
    store.set("password", PasswordHasher().hash(PASSWORD))
    store.database.close()
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with served(nursery, survey, survey.with_suffix(".db"), port), stranger(url) as client:
        assert log_in(client, "wrong") == 403
        assert log_in(client) == 303
