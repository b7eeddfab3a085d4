"""A whole survey among invented people, in this process: invited, asked, and what is learnt.

The application is the real one, with a database of its own; only the network is left out.
"""

import asyncio
from collections import Counter
from dataclasses import dataclass
from typing import Any

import httpx

from deniable.base.errors import DataError
from deniable.respondents.simulation import SimulationOutcome, simulation
from deniable.survey.invitation_links import Invitation
from deniable.survey.invitations import invitations
from deniable.survey.results import Results, results
from deniable.survey.server.app import create
from deniable.survey.server.rate_limit import REQUESTS_AT_ONCE
from deniable.survey.store.store import Store

PILOT_ADDRESS = "http://127.0.0.1"


@dataclass(frozen=True, eq=False)
class PilotSurvey:
    """What became of the answers, and what they say beside the invented truth."""

    outcome: SimulationOutcome
    results: Results
    """Of all answers, whether or not they are enough to be shown."""


def pilot_survey(store: Store, people: int, **options: Any) -> PilotSurvey:
    """Hold a survey in an empty database; see `simulation` for the options.

    The answers are released at the end, so that they can be looked at on the researcher's pages.
    """
    if any(store.tallies().values()):
        raise DataError(
            "There are answers in this database already.",
            hint="Hold a pilot in one of its own, which is made: --database trial.db.",
        )
    survey = store.survey
    invited = None
    if survey.invitations:
        codes, links = invitations(store, PILOT_ADDRESS, people)
        store.invite(codes)
        invited = [Invitation.of(link) for link in links]
    app = create(store)
    outcome = asyncio.run(
        simulation(
            PILOT_ADDRESS, people, invitations=invited, transport=_ManyAddresses(app), **options
        )
    )
    store.close()
    written, kept = outcome.crowd.written(), sorted(outcome.receipts)
    arms = {
        arm: Counter(written[person] for person in kept if outcome.crowd.arm(person) == arm)
        for arm in ("disguised", "direct")
    }
    return PilotSurvey(outcome, results(survey, arms["disguised"], arms["direct"]))


class _ManyAddresses(httpx.AsyncBaseTransport):
    """Asks an application, from another address before one has asked too much."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self._asked = 0
        self._transport = self._from(0)

    def _from(self, number: int) -> httpx.ASGITransport:
        high, low = divmod(number, 256)
        return httpx.ASGITransport(self._app, client=(f"10.{high}.{low}.1", 1))

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        number, place = divmod(self._asked, REQUESTS_AT_ONCE // 2)
        if not place:
            self._transport = self._from(number)
        self._asked += 1
        return await self._transport.handle_async_request(request)
