"""What holds for every request: headers, the size of bodies, and where a request comes from."""

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from deniable.survey.server.refusals import BROKEN, FOREIGN, TOO_LARGE, log_place

POLICY = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    b"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Nothing from another host, nothing inline, no frame around the page."""

SECURITY_HEADERS = [
    (b"content-security-policy", POLICY),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
    (b"cache-control", b"no-store"),
]
TLS_SECURITY_HEADERS = [*SECURITY_HEADERS, (b"strict-transport-security", b"max-age=31536000")]


class Guard:
    """Wraps an application."""

    def __init__(self, app: ASGIApp, most_bytes: int) -> None:
        self._app = app
        self._most_bytes = most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        started = False

        async def with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                own = {name for name, _ in message["headers"]}
                always = TLS_SECURITY_HEADERS if scope["scheme"] == "https" else SECURITY_HEADERS
                message["headers"] += [header for header in always if header[0] not in own]
            await send(message)

        try:
            await self._answer(scope, receive, with_headers)
        except ClientDisconnect:
            return  # nobody is left to be answered
        except Exception as error:
            log_place(error)
            if started:
                raise
            await BROKEN.response()(scope, receive, with_headers)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        drop_escaped_cookies(scope)
        headers = Headers(scope=scope)
        if scope["method"] not in {"GET", "HEAD"} and not same_origin(headers):
            await FOREIGN.response()(scope, receive, send)
            return
        body = await _body(receive, headers, self._most_bytes)
        if body is None:
            await TOO_LARGE.response()(scope, receive, send)
        elif body["type"] == "http.request":  # unless the visitor has left
            await self._app(scope, _given(body, receive), send)


def drop_escaped_cookies(scope: Scope) -> None:
    """Leave out cookies that are written with backslashes: none of ours is.

    Python took three seconds to read 32 KB of them, and the framework reads them on every path.
    """
    if any(name == b"cookie" and b"\\" in value for name, value in scope["headers"]):
        scope["headers"] = [header for header in scope["headers"] if header[0] != b"cookie"]


async def _body(receive: Receive, headers: Headers, most: int) -> Message | None:
    """Receive a body as a whole, or None as soon as it is too large."""
    length = headers.get("content-length", "0")
    if not length.isdecimal() or int(length) > most:
        return None
    body = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return message
        body += message.get("body", b"")
        if len(body) > most:
            return None
        if not message.get("more_body"):
            return {"type": "http.request", "body": body}


def _given(body: Message, receive: Receive) -> Receive:
    """Give what was received, then whatever comes."""
    parts = [body]

    async def receive_again() -> Message:
        return parts.pop() if parts else await receive()

    return receive_again


def same_origin(headers: Headers) -> bool:
    """Whether a request that changes something comes from our own pages, or from no browser."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in {"same-origin", "none"}
    origin = headers.get("origin")
    return origin is None or origin.partition("://")[2] == headers.get("host")
