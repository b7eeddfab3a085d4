"""Requests that no page sends."""

import json
import socket
from collections.abc import Callable, Iterator
from typing import Any

from starlette.routing import Route

from deniable.survey.server.app import create
from deniable.survey.store.store import Store

MARK = "xyzzymark"
"""Stands in what is sent, and never in what comes back."""

JSON = {"content-type": "application/json"}

Change = Callable[[bytes], bytes]

MALFORMED: dict[str, Change] = {
    "nothing": lambda body: b"",
    "a byte less": lambda body: body[:-1],
    "a byte more": lambda body: body + b" ",
    "less padding": lambda body: body.replace(b'.."}', b'"}'),
    "other padding": lambda body: body.replace(b'."}', b'x"}'),
    "spaces": lambda body: body.replace(b'..."}', b'"}  ').replace(b"}  ", b"}   "),
    "an unknown option": lambda body: with_part(body, report="90"),
    "a letter for an option": lambda body: with_part(body, report="z0"),
    "an answer less": lambda body: with_part(body, report="0"),
    "an answer more": lambda body: with_part(body, report="000"),
    "no answers": lambda body: with_part(body, report=""),
    "a list of answers": lambda body: with_part(body, report=["0", "0"]),
    "another survey": lambda body: with_part(body, survey="0" * 64),
    "an id in capitals": lambda body: with_part(body, id="A" * 32),
    "a short id": lambda body: with_part(body, id="a" * 31),
    "an id with a line break": lambda body: with_part(body, id="a" * 31 + "\n"),
    "another arm": lambda body: with_part(body, arm=MARK),
    "an arm that nobody draws": lambda body: with_part(body, arm="direct"),
    "another device": lambda body: with_part(body, device=MARK),
    "understood too well": lambda body: with_part(body, understood=3),
    "understood less than nothing": lambda body: with_part(body, understood=-1),
    "half understood": lambda body: with_part(body, understood=1.0),
    "understood, truly": lambda body: with_part(body, understood=True),
    "not a number": lambda body: body.replace(b'"understood":2', b'"understood":NaN'),
    "infinity": lambda body: body.replace(b'"understood":2', b'"understood":1e999'),
    "a long number": lambda body: body.replace(b"..", b"")[:-900] + b"1" * 900,
    "a key twice": lambda body: body.replace(
        b'"understood":2', b'"understood":1,"understood":2'
    ).replace(b"." * 15, b"", 1),
    "a key more": lambda body: with_part(body, **{MARK: 1}),
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


def with_part(body: bytes, **parts: object) -> bytes:
    found = {**json.loads(body), **parts}
    padding = found.pop("padding")
    text = json.dumps({**found, "padding": ""}, separators=(",", ":"))
    assert padding
    return (text[:-2] + "." * (len(body) - len(text)) + text[-2:]).encode()


def _in_order(body: bytes, *, reverse: bool) -> bytes:
    found = sorted(json.loads(body).items(), reverse=reverse)
    return json.dumps(dict(found), separators=(",", ":")).encode()


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


def send_raw(url: str, request: bytes) -> bytes:
    """Send bytes as they are, and read the first line of the answer."""
    host, port = url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall(request.replace(b"\r\n", b"\r\nConnection: close\r\n", 1) + b"\r\n")
        return connection.makefile("rb").readline()


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
