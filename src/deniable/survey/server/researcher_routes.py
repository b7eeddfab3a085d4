"""The researcher's pages, behind a password: results batch by batch, models, privacy, exports."""

import base64
from collections.abc import Awaitable, Callable
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import parse_qs
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
from fastapi import APIRouter, Request
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, RedirectResponse, Response

from deniable.base.errors import DeniableError, EstimateError
from deniable.base.fingerprint import digest_of
from deniable.base.wording import percent, signed_points
from deniable.mine.draw.tree_drawing import svg
from deniable.mine.tree.decision_tree import mine_tree
from deniable.oracle.randomized import RandomizedOracle
from deniable.privacy.page import page
from deniable.privacy.page.markup import STYLE
from deniable.privacy.report.measure_privacy import measure_privacy
from deniable.survey.export import export
from deniable.survey.protocol import ARMS
from deniable.survey.questionnaire import Survey
from deniable.survey.reports import shuffled
from deniable.survey.results import published
from deniable.survey.server import charts
from deniable.survey.server.logins import HOURS, Sessions
from deniable.survey.server.rate_limit import ALL_LOGINS_A_MINUTE, LOGINS_A_MINUTE, Limit
from deniable.survey.server.writer import Writer
from deniable.survey.store.store import Store

HOME = "/researcher"
PAGE_TEMPLATES = Path(__file__).with_name("pages")

Handler = Callable[[Request], Awaitable[Response]]


def routes(store: Store, writer: Writer) -> APIRouter:
    """Make the researcher's pages."""
    desk = _Desk(store, writer)
    router = APIRouter(prefix=HOME, include_in_schema=False)
    router.add_api_route("", desk.home, methods=["GET"], response_model=None)
    router.add_api_route("/login", desk.login, methods=["POST"], response_model=None)
    router.add_api_route("/style.css", desk.style, methods=["GET"], response_model=None)
    for path, handler, method in (
        ("/logout", desk.logout, "POST"),
        ("/close", desk.close, "POST"),
        ("/reopen", desk.reopen, "POST"),
        ("/model", desk.model, "GET"),
        ("/model.svg", desk.tree, "GET"),
        ("/privacy", desk.privacy, "GET"),
        ("/export", desk.export, "GET"),
    ):
        guarded = desk.behind_the_door(handler)
        router.add_api_route(path, guarded, methods=[method], response_model=None)
    return router


class _Desk:
    """Handles requests; `behind_the_door` are those that need a session."""

    def __init__(self, store: Store, writer: Writer) -> None:
        self._store = store
        self._writer = writer
        self._sessions = Sessions(lambda: store.setting("password"))
        self._tries = Limit(LOGINS_A_MINUTE, LOGINS_A_MINUTE)
        self._all_tries = Limit(ALL_LOGINS_A_MINUTE, ALL_LOGINS_A_MINUTE)
        self._pages = Environment(
            loader=FileSystemLoader(PAGE_TEMPLATES),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._pages.filters |= {"percent": percent, "points": signed_points}
        self._pages.globals |= {"bar": charts.bar}

    def behind_the_door(self, handler: Handler) -> Handler:
        async def guarded(request: Request) -> Response:
            if not self._is_in(request):
                return RedirectResponse(HOME, 303)
            return await handler(request)

        return guarded

    async def home(self, request: Request) -> Response:
        if not self._is_in(request):
            return self._page("login.html", wrong=False)
        found = await run_in_threadpool(published, self._store)
        return self._page("overview.html", published=found, is_open=self._store.is_open)

    async def login(self, request: Request) -> Response:
        address = request.client.host if request.client else ""
        if seconds := self._tries.wait(address) or self._all_tries.wait(""):
            refused = self._page("login.html", 429, wrong=True)
            refused.headers["Retry-After"] = str(seconds)
            return refused
        form = parse_qs((await request.body()).decode("utf-8", "replace"))
        session = await run_in_threadpool(self._sessions.enter, form.get("password", [""])[0])
        if session is None:
            return self._page("login.html", 403, wrong=True)
        response = RedirectResponse(HOME, 303)
        name, secure = _cookie(request)
        response.set_cookie(
            name, session, max_age=HOURS * 3600, secure=secure, httponly=True,
            samesite="strict", path="/",
        )  # fmt: skip
        return response

    async def logout(self, request: Request) -> Response:
        name, secure = _cookie(request)
        self._sessions.leave(request.cookies.get(name))
        response = RedirectResponse(HOME, 303)
        response.delete_cookie(name, path="/", secure=secure, httponly=True)
        return response

    async def close(self, _: Request) -> Response:
        await self._writer.run(self._store.close)
        return RedirectResponse(HOME, 303)

    async def reopen(self, _: Request) -> Response:
        await self._writer.run(self._store.reopen)
        return RedirectResponse(HOME, 303)

    async def model(self, request: Request) -> Response:
        target = request.query_params.get("target", "")
        return self._page(
            "model.html",
            404 if target and target not in self._store.survey.design.schema.names else 200,
            target=target,
            names=self._store.survey.design.schema.names,
            ready=await run_in_threadpool(self._store.released) is not None,
        )

    async def tree(self, request: Request) -> Response:
        try:
            picture = await run_in_threadpool(
                tree_picture, self._store, request.query_params.get("target", "")
            )
        except DeniableError as error:
            return HTMLResponse(self._written("problem.html", error=error), 409)
        # A drawing carries its own styles; alone on its page, they can do no harm.
        policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
        headers = {"content-security-policy": policy}
        return Response(picture, media_type="image/svg+xml", headers=headers)

    async def privacy(self, _: Request) -> Response:
        written, style = await run_in_threadpool(privacy_page, self._store.survey)
        digest = base64.b64encode(bytes.fromhex(digest_of(style))).decode()
        policy = f"default-src 'none'; style-src 'sha256-{digest}'; frame-ancestors 'none'"
        return HTMLResponse(written, headers={"content-security-policy": policy})

    async def export(self, request: Request) -> Response:
        if await run_in_threadpool(self._store.released) is None:
            return RedirectResponse(HOME, 303)
        language = request.query_params.get("language", "")
        archive = await run_in_threadpool(zipped, self._store, language)
        name = f"{self._store.survey.name}.zip"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(archive, media_type="application/zip", headers=headers)

    async def style(self, _: Request) -> Response:
        return Response((PAGE_TEMPLATES / "researcher.css").read_bytes(), media_type="text/css")

    def _is_in(self, request: Request) -> bool:
        return self._sessions.knows(request.cookies.get(_cookie(request)[0]))

    def _page(self, name: str, status: int = 200, **values: Any) -> Response:
        return HTMLResponse(self._written(name, **values), status)

    def _written(self, name: str, **values: Any) -> str:
        survey = self._store.survey
        language = survey.languages[0]
        return self._pages.get_template(name).render(
            survey=survey, title=survey.title[language], language=language, home=HOME, **values
        )


def tree_picture(store: Store, target: str) -> str:
    """Draw the tree that predicts one answer from the others; it changes only with a batch."""
    released = store.released()
    if released is None:
        raise EstimateError("There are not enough answers yet.", hint="Wait for the first batch.")
    store.survey.design.schema.position(target)  # of another name, nothing is kept
    drawn: str = store.frozen(f"tree of {target}", released["batch"], lambda: _tree(store, target))
    return drawn


def _tree(store: Store, target: str) -> str:
    design = store.survey.design
    # Sorted by report, folds would be dealt by answer; any fixed other order will do.
    reports = shuffled(store.records("disguised"), np.random.default_rng(0))
    return svg(mine_tree(RandomizedOracle(reports, design), target))


def privacy_page(survey: Survey) -> tuple[str, str]:
    """Write the privacy report of the survey's design, and say which style it carries."""
    return page(measure_privacy(survey.design), survey.name), f"\n{STYLE}"


def zipped(store: Store, language: str) -> bytes:
    """Export the released answers as one archive; the language is the survey's first if unknown."""
    survey = store.survey
    arms = {arm: store.records(arm) for arm in ARMS}
    known = language if language in survey.languages else None
    with TemporaryDirectory() as temporary:
        folder = Path(temporary) / survey.name
        export(survey, arms, folder, language=known)
        archive = BytesIO()
        with ZipFile(archive, "w", ZIP_DEFLATED) as file:
            for path in sorted(folder.iterdir()):
                file.write(path, f"{survey.name}/{path.name}")
    return archive.getvalue()


def _cookie(request: Request) -> tuple[str, bool]:
    """A name that browsers bind to this host where there is encryption, and whether there is."""
    secure = request.url.scheme == "https"
    return "__Host-session" if secure else "session", secure
