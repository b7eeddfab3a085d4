"""Many people answer one survey, some at a time; and what became of their answers."""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx
import numpy as np

from deniable.base.arrays import Mask
from deniable.base.errors import DataError
from deniable.base.fingerprint import digest_of
from deniable.compliance.behaviours import Behaviour
from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.respondents.crowd import Crowd
from deniable.respondents.invented_population import InventedPopulation, ShareTable
from deniable.respondents.person import (
    SURVEY,
    AnswerRefusedError,
    Door,
    Doors,
    GaveUpError,
    get_token,
    send,
)
from deniable.survey.invitation_links import Invitation
from deniable.survey.tokens import PublicKey

SIMULATED_CONNECTIONS = 20
SIMULATION_PATIENCE = 60.0
"""Seconds that a person keeps trying."""

KNOCK = 5.0
"""Seconds to try whether there is a survey at all."""

Truth = Records | InventedPopulation | Mapping[str, ShareTable]
"""What is true of the people: it itself, whom to draw them from, or shares of some attributes."""

Progress = Callable[[int, int], None]


@dataclass(eq=False, repr=False)
class SimulationOutcome:
    """A simulation's result, and the invented truth to compare estimates with."""

    crowd: Crowd
    population: InventedPopulation | None
    """Whom the people were drawn from; None where their truth was given."""

    receipts: dict[int, bytes] = field(default_factory=dict)
    """By the number of the person: the receipt of each answer that was acknowledged."""

    refused: Counter[str] = field(default_factory=Counter)
    """Answers that the server refused for good, by what it said."""

    gave_up: int = 0
    """People who ran out of patience."""

    retried: int = 0
    """Requests that were sent again."""

    seconds: float = 0.0

    @property
    def acknowledged(self) -> int:
        """Answers that the server said it has kept."""
        return len(self.receipts)

    @property
    def ended(self) -> int:
        """People who are done, one way or another."""
        return self.acknowledged + self.refused.total() + self.gave_up

    def truth(self, arm: str | None = None) -> Records:
        """What is true of those whose answers were acknowledged, of one arm or of both."""
        return self.crowd.truth.among(self._those(arm))

    def asked(self, name: str, arm: str | None = None) -> Mask:
        """Which of those of `truth` were asked for an attribute."""
        those = self._those(arm)
        return self.crowd.asked.get(name, those)[those]

    def reports(self, arm: str | None = None) -> Records:
        """What they reported."""
        return self.crowd.reports.among(self._those(arm))

    def _those(self, arm: str | None) -> Mask:
        those = np.zeros(len(self.crowd), dtype=bool)
        those[list(self.receipts)] = True
        return those if arm is None else those & (self.crowd.direct == (arm == "direct"))


def simulate(url: str, people: int, **options: Any) -> SimulationOutcome:
    """Let people answer the survey at an address; see `simulation` for the options."""
    return asyncio.run(simulation(url, people, **options))


async def simulation(
    url: str,
    people: int,
    *,
    ignoring: Mapping[Behaviour, float] | None = None,
    truth: Truth | None = None,
    random_state: int | None = None,
    invitations: Sequence[Invitation] | None = None,
    connections: int = SIMULATED_CONNECTIONS,
    patience: float = SIMULATION_PATIENCE,
    transport: httpx.AsyncBaseTransport | None = None,
    progress: Progress = lambda done, total: None,
) -> SimulationOutcome:
    """Let people answer a survey, so many at a time; each ends acknowledged, refused or weary.

    ``ignoring`` are the shares of people who do not follow the device, by what they do instead. A
    ``random_state`` makes truth and disguise reproducible, but neither tokens nor receipts.
    ``transport`` may be an ``httpx.ASGITransport``, to ask an application in this process.
    """
    _require_address(url)
    doors = Doors(url, transport)
    async with doors.opened(min(patience, KNOCK)) as door:
        document = await _survey(door, url)
    key, asked = _key(document, people, invitations), document["asked"]
    crowd, population = _crowd(document, people, ignoring, truth, random_state)
    outcome = SimulationOutcome(crowd, population)
    reports = crowd.written()
    waiting = iter(range(people))

    async def answer(door: Door, person: int) -> None:
        token = (
            await get_token(door, key, asked, invitations[person]) if key and invitations else ""
        )
        outcome.receipts[person] = await send(
            door,
            survey=document["fingerprint"],
            token=token,
            arm=crowd.arm(person),
            device=str(crowd.devices[person]),
            understood=int(crowd.understood[person]),
            report=reports[person],
        )

    async def queue() -> None:
        async with doors.opened(patience) as door:
            for person in waiting:
                try:
                    await answer(door, person)
                except AnswerRefusedError as refusal:
                    outcome.refused[str(refusal)] += 1
                except GaveUpError:
                    outcome.gave_up += 1
                progress(outcome.ended, people)
            outcome.retried += door.retried

    start = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for _ in range(min(connections, people)):
            group.create_task(queue())
    outcome.seconds = time.perf_counter() - start
    return outcome


def _require_address(url: str) -> None:
    try:
        fits = httpx.URL(url).scheme in {"http", "https"}
    except httpx.InvalidURL:
        fits = False
    if not fits:
        raise DataError(f"{url!r} is no address of a survey.", hint="Write http://127.0.0.1:8000.")


async def _survey(door: Door, url: str) -> Mapping[str, Any]:
    try:
        told = await door.ask("GET", SURVEY)
        document = {**told, **json.loads(told["asked"]), "fingerprint": digest_of(told["asked"])}
        if not document["open"]:
            raise DataError("The survey is closed.", hint="Run deniable survey close --reopen.")
    except (GaveUpError, AnswerRefusedError, KeyError, TypeError, ValueError) as error:
        raise DataError(
            f"There is no survey at {url} ({str(error).rstrip('.')}).",
            hint="Start one by deniable survey serve.",
        ) from None
    return document


def _key(
    document: Mapping[str, Any], people: int, invitations: Sequence[Invitation] | None
) -> PublicKey | None:
    """The key that signs tokens, where there are enough invitations to have any signed."""
    if not document["invitations"]:
        return None
    if invitations is None or len(invitations) < people:
        raise DataError(
            f"The survey asks for an invitation each: {people} people have "
            f"{len(invitations or ())}.",
            hint="Give the file that deniable survey invite wrote by --invitations; or name the "
            "survey's file in place of its address, and the people are invited.",
        )
    return PublicKey.of_jwk(document["key"])


def _crowd(
    document: Mapping[str, Any],
    people: int,
    ignoring: Mapping[Behaviour, float] | None,
    truth: Truth | None,
    random_state: int | None,
) -> tuple[Crowd, InventedPopulation | None]:
    schema = Design.of(document["design"]).schema
    invented, drawn, disguised = np.random.SeedSequence(random_state).spawn(3)
    population = None
    if isinstance(truth, Records):
        records = truth.select(schema)
    else:
        population = (
            truth
            if isinstance(truth, InventedPopulation)
            else InventedPopulation.invent(schema, np.random.default_rng(invented), shares=truth)
        )
        records = population.draw(people, np.random.default_rng(drawn))
    if len(records) != people:
        raise DataError(
            f"There are {people} people, but the truth of {len(records)}.",
            hint="Give one record for each.",
        )
    use = None if random_state is None else disguised
    return Crowd.gather(document, records, ignoring=ignoring, random_state=use), population
