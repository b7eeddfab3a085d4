"""One person at the door: a token for the invitation, then one answer, until it is acknowledged."""

import asyncio
import random
import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx

from deniable.survey.invitation_links import Invitation
from deniable.survey.protocol import RECEIPT_BYTES, Submission, receipt_id
from deniable.survey.tokens import (
    MESSAGE_BYTES,
    PublicKey,
    TokenError,
    blind,
    finalize,
    from_base64,
    to_base64,
)

SURVEY, TOKEN_PATH, ANSWERS = PATHS = ("/api/survey", "/api/token", "/api/answers")

JSON_HEADERS = {"content-type": "application/json"}

TRY_AGAIN_LATER = frozenset({408, 429, 500, 502, 503, 504})
"""Statuses after which the same request is sent again."""

FIRST_WAIT, LONGEST_WAIT = 0.05, 5.0
"""Seconds between tries; each pause is about twice as long as the one before."""


TIMEOUT = 30.0
"""Seconds after which a request counts as lost."""


class AnswerRefusedError(Exception):
    """The server, or the person, said no for good."""


class GaveUpError(Exception):
    """No answer came within the person's patience."""


class Door:
    """The survey's endpoints, asked with patience."""

    def __init__(self, client: httpx.AsyncClient, url: str, patience: float) -> None:
        self._client = client
        self._patience = patience
        self._addresses = {path: httpx.URL(url.rstrip("/") + path) for path in PATHS}
        self._extensions = {"timeout": client.timeout.as_dict()}
        self.retried = 0

    async def ask(self, method: str, path: str, body: bytes | None = None) -> Mapping[str, Any]:
        """Send a request, the same bytes until it is answered for good."""
        clock = asyncio.get_running_loop().time
        end, pause = clock() + self._patience, FIRST_WAIT
        # Built by hand, once: the client's own way would take most of a person's time.
        request = httpx.Request(
            method,
            self._addresses[path],
            headers=JSON_HEADERS,
            content=body,
            extensions=self._extensions,
        )
        while True:
            wait = None
            try:
                answer = await self._client.send(request)
            except httpx.TransportError as error:
                reason = str(error) or type(error).__name__
            else:
                if answer.is_success:
                    found: Mapping[str, Any] = answer.json()
                    return found
                reason = _problem(answer)
                if answer.status_code not in TRY_AGAIN_LATER:
                    raise AnswerRefusedError(reason)
                wait = _asked_to_wait(answer)
            # Those who were sent away together do not come back together.
            wait = wait or pause * random.uniform(0.5, 1.0)  # noqa: S311 (no secret)
            if clock() + wait > end:
                raise GaveUpError(reason)
            pause = min(2 * pause, LONGEST_WAIT)
            await asyncio.sleep(wait)
            self.retried += 1


class Doors:
    """Connections to a survey, each kept open for one person after the other.

    Each has a client of its own: one client with many connections looks through all of them for
    every request.
    """

    def __init__(self, url: str, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self._url = url
        self._transport = transport
        self._certificates = httpx.create_ssl_context() if transport is None else True

    @asynccontextmanager
    async def opened(self, patience: float) -> AsyncIterator[Door]:
        """Connect."""
        async with httpx.AsyncClient(
            transport=self._transport,
            verify=self._certificates,
            timeout=TIMEOUT,
            trust_env=False,  # no proxy between a person and the survey
        ) as client:
            yield Door(client, self._url, patience)


def _problem(answer: httpx.Response) -> str:
    try:
        return str(answer.json()["problem"])
    except (ValueError, KeyError, TypeError):
        return f"The server answered {answer.status_code}."


def _asked_to_wait(answer: httpx.Response) -> float | None:
    text = answer.headers.get("retry-after", "")
    return float(text) if text.isdigit() else None


async def get_token(door: Door, key: PublicKey, asked: str, invitation: Invitation) -> str:
    """Trade an invitation for a token, if key and questions are those that the link names."""
    if key.print_with(asked) != invitation.print:
        raise AnswerRefusedError("The survey's key or questions are not those in the link.")
    blinded, state = blind(key, secrets.token_bytes(MESSAGE_BYTES))
    body = f'{{"invitation":"{invitation.code}","blinded":"{to_base64(blinded)}"}}'.encode()
    answer = await door.ask("POST", TOKEN_PATH, body)
    try:
        return finalize(state, from_base64(str(answer["signature"]))).encode()
    except TokenError as error:
        raise AnswerRefusedError(error.message) from None


async def send(door: Door, **answer: Any) -> bytes:
    """Send an answer; once it is acknowledged, give the receipt that only its sender knows."""
    receipt = secrets.token_bytes(RECEIPT_BYTES)
    submission = Submission(id=receipt_id(receipt), **answer)
    await door.ask("POST", ANSWERS, submission.encode())
    return receipt
