"""The survey's web application: the respondent's page, its endpoints, the researcher's pages.

It cannot disguise and cannot undo a disguise: reports come disguised, and no import leads from
here to `deniable.source`.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from fastapi.telemetry import TelemetryConfig
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

import deniable
from deniable.survey.invitations import signing_key
from deniable.survey.protocol import size_of
from deniable.survey.questionnaire.group_on_page import BROWSER
from deniable.survey.server import researcher_routes, respondent_routes
from deniable.survey.server.http_headers import Guard
from deniable.survey.server.reads import Reads
from deniable.survey.server.refusals import Refusal, add_refusals, response_to
from deniable.survey.server.writer import Writer
from deniable.survey.store.database import DatabaseError
from deniable.survey.store.store import Store

PAGE_FILES = {"/": "index.html", "/respondent.js": "respondent.js", "/style.css": "style.css"}

SILENT: TelemetryConfig = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}
"""Traces would hold addresses and times, wherever the machine's own settings send them."""

LEAST_BODY = 4096
"""Bytes that any request may have; logins, tokens and receipts need no more."""


def create(store: Store) -> FastAPI:
    """Make the application of a survey."""
    key = signing_key(store) if store.survey.invitations else None
    writer, reads = Writer(store.keep), Reads(store)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await writer.close()  # what was taken is committed before the server ends

    app = FastAPI(
        title="deniable survey",
        version=deniable.__version__,
        openapi_url="/api/openapi.json",
        docs_url=None,  # they would load scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,  # a redirect would repeat what was asked
        lifespan=lifespan,
        telemetry=SILENT,
    )
    keep = respondent_routes.keeping(store, key, writer)
    app.include_router(respondent_routes.routes(store, key, writer, reads, keep))
    researcher, log_in = researcher_routes.routes(store, writer, reads)
    app.include_router(researcher)
    for address, name in PAGE_FILES.items():
        app.add_api_route(
            address,
            _page(BROWSER / name),
            methods=["GET"],
            include_in_schema=False,
            response_model=None,
        )
    app.add_api_route("/favicon.ico", _nothing, methods=["GET"], include_in_schema=False)
    add_refusals(app)
    app.add_middleware(ShortCut, handlers={"/api/answers": keep, researcher_routes.LOGIN: log_in})
    app.add_middleware(Guard, most_bytes=max(LEAST_BODY, size_of(len(store.survey.design.schema))))
    return app


class ShortCut:
    """Some paths straight to their handlers: what the framework does around took half of the time.

    They are what comes most: answers from many, and from those who mean harm, wrong passwords.
    """

    def __init__(self, app: ASGIApp, handlers: Mapping[str, respondent_routes.Handler]) -> None:
        self._app, self._handlers = app, handlers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a POST to one of the paths; leave everything else to the application."""
        handler = self._handlers.get(scope.get("path", ""))
        if handler is None or scope.get("method") != "POST":
            await self._app(scope, receive, send)
            return
        try:
            response = await handler(Request(scope, receive))
        except (Refusal, DatabaseError) as error:
            response = response_to(error)
        await response(scope, receive, send)


async def _nothing() -> Response:
    """Browsers ask for an icon; there is none."""
    return Response(status_code=204)


def _page(path: Path) -> Callable[[], Awaitable[Response]]:
    async def page() -> Response:
        return FileResponse(path)

    return page
