"""The researcher's pages, behind a password: results batch by batch, models, privacy, exports."""

import base64
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import parse_qs
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
from fastapi import APIRouter, Request
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse, RedirectResponse, Response

from deniable.base.errors import DeniableError, EstimateError
from deniable.base.fingerprint import digest_of
from deniable.base.wording import percent, points, signed_points
from deniable.compliance.check_sentences import sentences
from deniable.mine.best.comparison import HELD_OUT_FOLDS, beside_larger_class
from deniable.mine.draw.tree_drawing import svg
from deniable.mine.tree.decision_tree import DecisionTree
from deniable.mine.tree.mine_tree import mine_tree
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
from deniable.survey.server.bounded_threads import BoundedThreads
from deniable.survey.server.logins import HOURS, PasswordCheck, Sessions
from deniable.survey.server.rate_limit import LOGINS_A_MINUTE, Limit, address_of
from deniable.survey.server.reads import Reads
from deniable.survey.server.refusals import Refusal
from deniable.survey.server.writer import Writer
from deniable.survey.store.store import Store

HOME = "/researcher"
LOGIN = f"{HOME}/login"
PAGE_TEMPLATES = Path(__file__).with_name("pages")

LONGEST_WORK = 120
"""Seconds for results, a tree or an export. A tree is kept, and who asks again has it at once."""

Handler = Callable[[Request], Awaitable[Response]]


def routes(store: Store, writer: Writer, reads: Reads) -> tuple[APIRouter, Handler]:
    """Make the researcher's pages; the handler of `LOGIN` also by itself."""
    desk = _Desk(store, writer, reads)
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
    return router, desk.login


class _Desk:
    """Handles requests; `behind_the_door` are those that need a session."""

    def __init__(self, store: Store, writer: Writer, reads: Reads) -> None:
        self._store, self._writer, self._reads = store, writer, reads
        self._work = BoundedThreads("researcher", threads=2, most=20, seconds=LONGEST_WORK)
        self._sessions = Sessions()
        self._check = PasswordCheck()
        self._wrong = Limit(LOGINS_A_MINUTE, LOGINS_A_MINUTE)
        self._pages = Environment(
            loader=FileSystemLoader(PAGE_TEMPLATES),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._pages.filters |= {"percent": percent, "points": signed_points}
        self._pages.globals |= {"bar": charts.bar, "between": charts.between, "told": sentences}
        self._refused = self._written("login.html", wrong=True).encode()

    def behind_the_door(self, handler: Handler) -> Handler:
        async def guarded(request: Request) -> Response:
            if not await self._is_in(request):
                return RedirectResponse(HOME, 303)
            return await handler(request)

        return guarded

    async def home(self, request: Request) -> Response:
        if not await self._is_in(request):
            return self._page("login.html", wrong=False)
        found = await self._work.run(published, self._store)
        people = await self._work.run(self._store.participation)
        is_open = await self._reads.setting("closed") is None
        return self._page("overview.html", published=found, is_open=is_open, people=people)

    async def login(self, request: Request) -> Response:
        form = parse_qs((await request.body()).decode("utf-8", "replace"))
        password = form.get("password", [""])[0]
        hashed = await self._reads.setting("password")
        may_be = self._check.may_be(password, hashed)
        # Only wrong passwords are counted: those of others are not to shut the right one out.
        if not may_be and (seconds := self._wrong.wait(address_of(request))):
            return self._later(seconds)
        if may_be is False or hashed is None:
            return HTMLResponse(self._refused, 403)
        try:
            if not await self._check.fits(password, hashed):
                return HTMLResponse(self._refused, 403)
        except Refusal:
            return self._later(2)
        session = self._sessions.open(hashed)
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
        names = self._store.survey.design.schema.names
        ready = await self._reads.setting("released") is not None
        worth: list[str] = []
        if ready and target in names:
            try:
                worth = (await self._work.run(tree_view, self._store, target))["worth"]
            except DeniableError as error:
                return HTMLResponse(self._written("problem.html", error=error), 409)
        status = 404 if target and target not in names else 200
        return self._page(
            "model.html", status, target=target, names=names, ready=ready, worth=worth
        )

    async def tree(self, request: Request) -> Response:
        try:
            target = request.query_params.get("target", "")
            picture = (await self._work.run(tree_view, self._store, target))["picture"]
        except DeniableError as error:
            return HTMLResponse(self._written("problem.html", error=error), 409)
        # A drawing carries its own styles; alone on its page, they can do no harm.
        policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
        headers = {"content-security-policy": policy}
        return Response(picture, media_type="image/svg+xml", headers=headers)

    async def privacy(self, _: Request) -> Response:
        written, style = await self._work.run(privacy_page, self._store.survey)
        digest = base64.b64encode(bytes.fromhex(digest_of(style))).decode()
        policy = f"default-src 'none'; style-src 'sha256-{digest}'; frame-ancestors 'none'"
        return HTMLResponse(written, headers={"content-security-policy": policy})

    async def export(self, request: Request) -> Response:
        if await self._reads.setting("released") is None:
            return RedirectResponse(HOME, 303)
        language = request.query_params.get("language", "")
        archive = await self._work.run(zipped, self._store, language)
        name = f"{self._store.survey.name}.zip"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(archive, media_type="application/zip", headers=headers)

    async def style(self, _: Request) -> Response:
        return Response((PAGE_TEMPLATES / "researcher.css").read_bytes(), media_type="text/css")

    async def _is_in(self, request: Request) -> bool:
        hashed = self._sessions.password_of(request.cookies.get(_cookie(request)[0]))
        return hashed is not None and hashed == await self._reads.setting("password")

    def _later(self, seconds: int) -> Response:
        return HTMLResponse(self._refused, 429, {"Retry-After": str(seconds)})

    def _page(self, name: str, status: int = 200, **values: Any) -> Response:
        return HTMLResponse(self._written(name, **values), status)

    def _written(self, name: str, **values: Any) -> str:
        survey = self._store.survey
        language = survey.languages[0]
        return self._pages.get_template(name).render(
            survey=survey, title=survey.title[language], language=language, home=HOME, **values
        )


def tree_view(store: Store, target: str) -> dict[str, Any]:
    """Draw the tree that predicts one answer from the others, and say what it is worth.

    It changes only with a batch.
    """
    released = store.released()
    if released is None:
        raise EstimateError("There are not enough answers yet.", hint="Wait for the first batch.")
    store.survey.design.schema.position(target)  # of another name, nothing is kept
    grow = partial(_tree, store, target)
    view: dict[str, Any] = store.frozen(f"tree and worth of {target}", released["batch"], grow)
    return view


def _tree(store: Store, target: str) -> dict[str, Any]:
    design = store.survey.design
    # Sorted by report, folds would be dealt by answer; any fixed other order will do.
    reports = shuffled(store.records("disguised"), np.random.default_rng(0))
    oracle = RandomizedOracle(reports, design)
    tree = mine_tree(oracle, target)
    return {"picture": svg(tree), "worth": list(_worth(tree, oracle))}


def _worth(tree: DecisionTree, oracle: RandomizedOracle) -> Iterator[str]:
    """What chance makes of it, and how often it is right beside the commonest answer alone."""
    if tree.evidence is not None:
        yield tree.evidence.sentence
    if len(tree.leaves) == 1:
        return
    mine = partial(mine_tree, target=tree.target)
    rng = np.random.default_rng(0)
    try:
        ours, larger = beside_larger_class(oracle, tree.target, mine, HELD_OUT_FOLDS, rng)
    except DeniableError as error:
        yield f"How often it is right could not be estimated. {error.message}"
        return
    low, high = map(signed_points, ours.ahead.interval())
    yield (
        "Grown from four fifths of the answers and asked about the fifth that it has not seen, the "
        f"tree is right for an estimated {percent(ours.accuracy)} ± {points(ours.std_error)}; who "
        f"always says {tree.commonest!r} is right for {percent(larger.accuracy)}. The difference: "
        f"{signed_points(ours.ahead.value)} (95 %: {low.removesuffix(' points')} to {high})."
    )


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
