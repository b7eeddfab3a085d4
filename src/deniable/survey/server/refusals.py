"""Refusals: a sentence and a hint. What was sent is repeated neither to its sender nor in a log."""

import logging
import traceback
from collections.abc import Mapping

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from deniable.survey.store.database import DatabaseError

LOG = logging.getLogger("deniable.survey")


class Refusal(Exception):  # noqa: N818 (the request is at fault, not the program)
    """A request that is not granted."""

    def __init__(
        self, status: int, sentence: str, hint: str, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(sentence)
        self.status, self.sentence, self.hint, self.headers = status, sentence, hint, headers

    def response(self) -> JSONResponse:
        """Say it as JSON."""
        words = {"problem": self.sentence, "hint": self.hint}
        return JSONResponse(words, self.status, self.headers)


class Away(Refusal):
    """What is needed for an answer is not at hand: the database is away, or everybody wants it."""

    def __init__(self) -> None:
        sentence = "The survey cannot be reached just now."
        super().__init__(503, sentence, "Try again soon.", {"Retry-After": "2"})


MALFORMED = Refusal(422, "This request is malformed.", "Use our own page.")
FOREIGN = Refusal(403, "This request comes from another site.", "Open our own page.")
TOO_LARGE = Refusal(413, "This request is too large.", "Send what our own page sends.")
BROKEN = Refusal(500, "Something went wrong on our side.", "Try again soon.")


def add_refusals(app: FastAPI) -> None:
    """Answer whatever goes wrong in the same way."""

    async def refuse(_: Request, error: Exception) -> Response:
        assert isinstance(error, Refusal | DatabaseError)
        return response_to(error)

    async def malformed(_: Request, __: Exception) -> Response:
        return MALFORMED.response()

    async def http(_: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        said = Refusal(error.status_code, f"{error.detail}.", "Check the address.", error.headers)
        return said.response()

    app.add_exception_handler(Refusal, refuse)
    app.add_exception_handler(RequestValidationError, malformed)
    app.add_exception_handler(DatabaseError, refuse)
    app.add_exception_handler(HTTPException, http)


def response_to(error: Refusal | DatabaseError) -> JSONResponse:
    """Say why a request is not granted; a database that is away is no fault of the request."""
    if isinstance(error, Refusal):
        return error.response()
    log_place(error)
    return Away().response()


def log_place(error: BaseException) -> None:
    """Log where something failed, without the error's own words: they may repeat an answer."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    LOG.error("%s in %s, line %s", type(error).__name__, place.name, place.lineno)
