"""The respondent's endpoints. They learn nothing but disguised reports, and log nothing."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from deniable.base.errors import DataError
from deniable.survey.protocol import (
    REPORT_LETTERS,
    Submission,
    fits,
    read_receipt,
    receipt_id,
    size_of,
)
from deniable.survey.questionnaire import Survey
from deniable.survey.questionnaire.conditions import stray
from deniable.survey.server.bounded_threads import BoundedThreads
from deniable.survey.server.rate_limit import (
    REQUESTS_A_MINUTE,
    REQUESTS_AT_ONCE,
    SIGNATURES_A_MINUTE,
    SIGNATURES_AT_ONCE,
    Limit,
    address_of,
)
from deniable.survey.server.reads import Health, Reads
from deniable.survey.server.refusals import Away, Refusal
from deniable.survey.server.writer import Writer
from deniable.survey.store.intake import Verdict
from deniable.survey.store.store import Store
from deniable.survey.tokens import SigningKey, Token, TokenError, from_base64, to_base64

MOST_SIGNED, SIGN_SECONDS = 500, 10
"""Blinded messages that may wait to be signed, one after the other, and for how long."""

REFUSED = {
    Verdict.CLOSED: (410, "This survey is closed.", "Thank you for your interest."),
    Verdict.SPENT: (
        409,
        "This invitation was already used.",
        "Each invitation counts once. If you answered before, there is nothing more to do.",
    ),
    Verdict.TAKEN: (
        409,
        "Another answer carries the same number.",
        "Open the survey again in its own page.",
    ),
    Verdict.FULL: (
        409,
        "We have enough answers from people like you.",
        "Nothing was kept. Thank you for your readiness.",
    ),
}


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)


class TokenRequest(_Strict):
    """An invitation, and the blinded message to be signed for it."""

    invitation: Annotated[str, Field(pattern=r"^[a-z2-7]{26}$")]
    blinded: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{512}$")]


class TokenAnswer(BaseModel):
    """The blind signature."""

    signature: str


class Kept(BaseModel):
    """The answer is on the disk."""

    kept: bool


class CheckRequest(_Strict):
    """The public name of an answer."""

    id: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]


class Included(BaseModel):
    """Whether an answer is kept."""

    included: bool


class DeleteRequest(_Strict):
    """A receipt, as it was shown."""

    receipt: Annotated[str, Field(min_length=16, max_length=40)]


class Deleted(BaseModel):
    """Whether there was such an answer; it is gone now."""

    deleted: bool


class Problem(BaseModel):
    """What is wrong, and what to do."""

    problem: str
    hint: str


Handler = Callable[[Request], Awaitable[Response]]

PROBLEMS: Mapping[int | str, dict[str, Any]] = {
    status: {"model": Problem} for status in (400, 403, 409, 410, 413, 415, 422, 429, 503)
}


def keeping(store: Store, key: SigningKey | None, writer: Writer) -> Handler:
    """Make the handler of answers."""
    survey = store.survey
    answers = Limit(burst=REQUESTS_AT_ONCE, per_minute=REQUESTS_A_MINUTE)

    async def keep(request: Request) -> Response:
        """Keep one disguised answer. The same body again is the same answer."""
        submission = await _submission(request)
        _require_fit(submission, survey)
        if key is None:
            _not_too_often(answers, address_of(request))
        _require_invitation(submission, key)
        verdict = await writer.keep(submission)
        if verdict is not Verdict.KEPT:
            raise Refusal(*REFUSED[verdict])
        return Response(b'{"kept":true}', media_type="application/json")

    return keep


def routes(
    store: Store, key: SigningKey | None, writer: Writer, reads: Reads, keep: Handler
) -> APIRouter:
    """Make the endpoints of a survey."""
    survey = store.survey
    health = Health(store, writer)
    visits = Limit(burst=REQUESTS_AT_ONCE, per_minute=REQUESTS_A_MINUTE)
    retries = Limit(burst=SIGNATURES_AT_ONCE, per_minute=SIGNATURES_A_MINUTE)
    signer = BoundedThreads("signer", threads=1, most=MOST_SIGNED, seconds=SIGN_SECONDS)
    router = APIRouter(prefix="/api", responses=dict(PROBLEMS))

    @router.get("/survey")
    async def show_survey() -> JSONResponse:
        """Everything the page needs: texts, questions, how answers are disguised."""
        is_open = await reads.setting("closed") is None
        public = key.public.jwk() if key else None
        return JSONResponse({**survey.document(), "open": is_open, "key": public})

    @router.post("/token", response_model=TokenAnswer)
    async def sign(request: Request, asked: TokenRequest) -> JSONResponse:
        """Sign one blinded message for an invitation. The server cannot know the message again."""
        _not_too_often(visits, address_of(request))
        if key is None:
            raise Refusal(403, "This survey needs no invitation.", "Just answer it.")
        blinded = from_base64(asked.blinded)
        if not key.public.fits(blinded):  # before the invitation is used up
            raise Refusal(422, "The blinded message does not fit.", "Load the page once more.")
        # Whoever guesses does not keep the thread busy that writes.
        verdict = None
        if await reads.run(store.knows_invitation, asked.invitation):
            # Nor does one invitation, asked for again and again, keep everybody else waiting.
            _not_too_often(retries, asked.invitation)
            verdict = await writer.run(store.use_invitation, asked.invitation, blinded)
        if verdict is None:
            raise Refusal(
                403, "There is no such invitation.", "Open the link that you were sent, as a whole."
            )
        if verdict is not Verdict.KEPT:
            raise Refusal(*REFUSED[verdict])
        signature = await signer.run(key.sign, blinded)
        return JSONResponse({"signature": to_base64(signature)})

    router.post("/answers", response_model=Kept, openapi_extra=_body_of(survey))(keep)

    @router.post("/receipts/check", response_model=Included)
    async def check(request: Request, asked: CheckRequest) -> JSONResponse:
        """Whether an answer is kept, by its public name."""
        _not_too_often(visits, address_of(request))
        return JSONResponse({"included": await reads.run(store.holds, asked.id)})

    @router.post("/receipts/delete", response_model=Deleted)
    async def withdraw(request: Request, asked: DeleteRequest) -> JSONResponse:
        """Delete the answer of a receipt."""
        _not_too_often(visits, address_of(request))
        try:
            named = receipt_id(read_receipt(asked.receipt))
        except DataError as error:
            raise Refusal(422, error.message, error.hint) from None
        found = await reads.run(store.holds, named)
        return JSONResponse({"deleted": found and await writer.run(store.withdraw, named)})

    @router.get("/health")
    async def show_health() -> JSONResponse:
        """Whether an answer that came now could be kept."""
        if not await health.is_well():
            raise Away
        return JSONResponse({"status": "ok"})

    return router


async def _submission(request: Request) -> Submission:
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        raise Refusal(415, "An answer is sent as application/json.", "Use our own page.")
    try:
        return Submission.decode(await request.body())
    except DataError as error:
        raise Refusal(422, error.message, error.hint) from None


def _require_fit(submission: Submission, survey: Survey) -> None:
    if submission.survey != survey.fingerprint:
        raise Refusal(422, "This answer belongs to another survey.", "Load the page once more.")
    if (
        not fits(submission.report, survey.design.schema)
        or (submission.arm == "direct" and survey.direct is None)
        or submission.device not in survey.devices
        or _answers_what_was_not_asked(submission.report, survey)
    ):
        raise Refusal(422, "This answer does not fit the questions.", "Load the page once more.")


def _answers_what_was_not_asked(report: str, survey: Survey) -> bool:
    """Of what is not asked everybody sends the same: anything else could mark an answer."""
    codes = [REPORT_LETTERS.index(letter) for letter in report]
    return stray(survey.reported, survey.design.schema, codes)


def _require_invitation(submission: Submission, key: SigningKey | None) -> None:
    if key is None and submission.token:
        raise Refusal(422, "This survey takes no invitations.", "Load the page once more.")
    if key is not None and not _is_valid(submission.token, key):
        raise Refusal(
            403, "This answer carries no valid invitation.", "Open the link that you were sent."
        )


def _is_valid(token: str, key: SigningKey) -> bool:
    try:
        return Token.decode(token).proves(key.public)
    except TokenError:
        return False


def _not_too_often(limit: Limit, visitor: str) -> None:
    seconds = limit.wait(visitor)
    if seconds:
        raise Refusal(
            429,
            "Too many requests came from you, or from your network.",
            "Wait a little, then try again.",
            {"Retry-After": str(seconds)},
        )


def _body_of(survey: Survey) -> dict[str, Any]:
    names = ("survey", "id", "token", "arm", "device", "report", "padding")
    size = size_of(len(survey.design.schema))
    schema = {
        "type": "object",
        "description": f"Exactly {size} bytes, written as the page writes it.",
        "properties": {
            **{name: {"type": "string"} for name in names},
            "understood": {"type": "integer"},
        },
        "required": [*names, "understood"],
        "additionalProperties": False,
    }
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}
