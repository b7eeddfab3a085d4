"""Whatever is sent, nothing breaks and nothing changes."""

from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from survey.mischief import JSON, MALFORMED, MARK, RAW, addresses, send_raw, with_part
from survey.serving import Served, serving
from survey.visitors import everything, person, send, stranger, write_survey

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    survey = write_survey(tmp_path_factory.mktemp("malformed"))
    with serving(survey) as found:
        yield found


@pytest.fixture
def invited(tmp_path: Path) -> Iterator[Served]:
    with serving(write_survey(tmp_path, invitations=True)) as found:
        yield found


@pytest.fixture
def client(served: Served) -> Iterator[httpx.Client]:
    with stranger(served.url) as found:
        yield found


def test_a_malformed_answer_is_refused_and_changes_nothing(
    served: Served, client: httpx.Client
) -> None:
    described = client.get("/api/survey").json()
    good = person(described).answer
    # What is refused below is refused for its change.
    assert with_part(good.encode()) == good.encode()
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


def test_requests_that_no_browser_sends_get_an_answer_and_change_nothing(
    served: Served, client: httpx.Client
) -> None:
    before = everything(served.store)
    for how, request in RAW.items():
        first = send_raw(served.url, request)
        assert first.split()[1][:1] in {b"2", b"3", b"4"}, (how, first)
    assert b" 413 " in send_raw(served.url, RAW["too long"])
    assert b" 413 " in send_raw(served.url, RAW["too long in parts"])
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


OPERATIONS = (
    ("/api/survey", "get"),
    ("/api/health", "get"),
    ("/api/token", "post"),
    ("/api/answers", "post"),
    ("/api/receipts/check", "post"),
    ("/api/receipts/delete", "post"),
)
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


def test_whatever_is_sent_is_answered_as_described_and_changes_nothing(
    invited: Served,
) -> None:
    api = schemathesis.openapi.from_url(f"{invited.url}/api/openapi.json")
    paths = api.raw_schema["paths"]
    assert {(path, method) for path, ways in paths.items() for method in ways} == set(OPERATIONS)
    before = everything(invited.store)
    statuses = Counter[int]()
    for (path, method), mode in product(OPERATIONS, GenerationMode):
        operation = api[path][method]
        if method == "get" and mode is GenerationMode.NEGATIVE:
            continue  # there is nothing that could be wrong

        @settings(max_examples=20)
        @given(case=operation.as_strategy(mode))
        def answered_as_described(case: schemathesis.Case[Any]) -> None:
            answer = case.call_and_validate(checks=CHECKS)
            statuses[answer.status_code] += 1

        answered_as_described()
    assert everything(invited.store) == before
    assert {200, 403, 422} <= set(statuses), statuses
