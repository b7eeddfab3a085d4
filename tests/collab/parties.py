"""Parties around one table: each gets some columns, or some rows, as its own data."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from collab.party_folders import exchange, write_agreement, write_party
from deniable.collab.agreement.agreement import Agreement
from deniable.collab.agreement.approvals import approve
from deniable.collab.agreement.party_file import PartyFile
from deniable.collab.counting.backend import Backend
from deniable.collab.follower.dispatcher import Dispatcher
from deniable.collab.leader.lead import RunOutcome, lead
from deniable.collab.session.remote_party import Transport
from deniable.collab.session.run import Run
from deniable.collab.wire.message import Message
from deniable.engine.memory.records import Records
from deniable.schema import Schema

Brought = tuple[
    Mapping[str, Sequence[str]], Mapping[str, Sequence[str]], Sequence[Mapping[str, Any]]
]
"""A party's data, the values of its columns, and how they are disguised."""

PATIENTS = Schema.of(
    {
        "smokes": ["no", "yes"],
        "age": ["young", "middle", "old"],
        "region": ["hills", "coast"],
        "drinks": ["never", "some", "much"],
        "ill": ["well", "sick"],
    }
)
TWO_HOSPITALS = {"north": ["smokes", "age", "ill"], "south": ["region", "drinks", "ill"]}

EXACT = {"noise": "none", "people": "0", "people per count": "0"}
"""Counts without noise, many and of however few people: for tests that look at counts."""

EVERYTHING = {**EXACT, "minimum cell": "0", "counts": "1000000"}
"""The policy of the papers: every count is released."""


@dataclass
class Gathering:
    """Parties on one machine, with an agreement that all approved."""

    folder: Path
    agreement: Agreement
    parties: Mapping[str, Path]
    dispatchers: dict[str, Dispatcher] = field(default_factory=dict)

    def party(self, name: str) -> PartyFile:
        """Read a party's file."""
        return PartyFile.load(self.parties[name])

    def state(self, name: str) -> Path:
        """The folder in which a party keeps this collaboration."""
        return self.party(name).state / self.agreement.digest[:40]

    def ledger(self, name: str, peer: str) -> Path:
        """What a party wrote about a peer."""
        return self.state(name) / f"ledger-{peer}.jsonl"

    def lead_here(
        self,
        leader: str | None = None,
        *,
        backend: Backend | None = None,
        rehearsal: int | None = None,
        between: Callable[[str, Message], None] | None = None,
    ) -> RunOutcome:
        """Lead in this process, without a network: messages are still written and read."""
        leader = leader or self.agreement.leader
        run = Run(self.party(leader), self.agreement, rehearsal)
        try:
            return lead(
                run, lambda name: self.loop(leader, name, backend, between), backend=backend
            )
        finally:
            run.close()
            self.close()

    def loop(
        self,
        asker: str,
        name: str,
        backend: Backend | None = None,
        between: Callable[[str, Message], None] | None = None,
    ) -> Transport:
        """A way to ask a party of this process."""
        if name not in self.dispatchers:
            self.dispatchers[name] = Dispatcher(
                self.party(name), lambda other: self.loop(name, other, backend), backend
            )
        return _Loop(asker, self.dispatchers[name], between)

    def close(self) -> None:
        """Let go of all runs."""
        for dispatcher in self.dispatchers.values():
            dispatcher.close()
        self.dispatchers.clear()


@dataclass
class _Loop:
    asker: str
    dispatcher: Dispatcher
    between: Callable[[str, Message], None] | None

    def ask(self, message: Message) -> Message:
        if self.between is not None:
            self.between(self.dispatcher.party.name, message)
        from io import BytesIO

        arrived = Message.read(BytesIO(message.encode()))
        return Message.read(BytesIO(self.dispatcher.answer(self.asker, arrived).encode()))


def by_columns(
    folder: Path,
    records: Records,
    shares: Mapping[str, Sequence[str]],
    *,
    mode: str,
    mine: Mapping[str, Any],
    disguise: Mapping[str, Sequence[Mapping[str, Any]]] | None = None,
    policy: Mapping[str, Any] | None = None,
    strangers: int = 0,
    outside: str | None = None,
    seeds: Mapping[str, int] | None = None,
    **others: Any,
) -> Gathering:
    """Split a table by columns; each party also has some people that the others do not have."""
    names = records.schema.names
    brought: dict[str, Brought] = {}
    for number, (party, columns) in enumerate(shares.items()):
        rng = np.random.default_rng(number)
        rows = rng.permutation(len(records))
        data: dict[str, list[str]] = {"id": [f"p{row}" for row in rows]}
        data["id"] += [f"{party}-{other}" for other in range(strangers)]
        for column in columns:
            values = records.schema[column].values
            codes = records.columns[names.index(column)][rows].tolist()
            data[column] = [values[code] for code in codes]
            data[column] += [values[0]] * strangers
        domains = {column: records.schema[column].values for column in columns}
        brought[party] = data, domains, list((disguise or {}).get(party, ()))
    settings = (policy, outside, seeds or {}, others)
    return _agreed(folder, brought, mode, mine, *settings, identifier="id")


def by_rows(
    folder: Path,
    sites: Mapping[str, Records],
    *,
    mode: str,
    mine: Mapping[str, Any],
    disguise: Mapping[str, Sequence[Mapping[str, Any]]],
    policy: Mapping[str, Any] | None = None,
    outside: str | None = None,
    seeds: Mapping[str, int] | None = None,
    undisguised: Sequence[str] = (),
    **others: Any,
) -> Gathering:
    """Sites with the same columns and people of their own."""
    brought: dict[str, Brought] = {}
    for party, records in sites.items():
        domains = {attribute.name: attribute.values for attribute in records.schema}
        brought[party] = records.to_arrow().to_pydict(), domains, list(disguise.get(party, ()))
    settings = (policy, outside, seeds or {}, others)
    return _agreed(folder, brought, mode, mine, *settings, undisguised=undisguised)


def _agreed(
    folder: Path,
    brought: Mapping[str, Brought],
    mode: str,
    mine: Mapping[str, Any],
    policy: Mapping[str, Any] | None,
    outside: str | None,
    seeds: Mapping[str, int],
    others: Mapping[str, Any],
    identifier: str | None = None,
    undisguised: Sequence[str] = (),
) -> Gathering:
    """Write everybody's file and the agreement, and have everybody approve it."""
    parties = {
        party: write_party(
            folder / party,
            party,
            data=data,
            id=identifier,
            columns=domains,
            disguise=groups,
            undisguised=undisguised,
            policy=policy,
            seed=seeds.get(party),
        )
        for party, (data, domains, groups) in brought.items()
    }
    entries = {
        party: {
            "columns": domains,
            **({"disguise": groups} if groups else {}),
            **({"undisguised": list(undisguised)} if undisguised else {}),
        }
        for party, (_, domains, groups) in brought.items()
    }
    if outside is not None:
        parties[outside] = write_party(folder / outside, outside, policy=policy)
        others = {**others, "leader": outside}
    exchange(*parties.values())
    path = write_agreement(
        folder, parties=entries, mode=mode, mine=mine, policy=dict(policy or {}), **others
    )
    agreement = Agreement.load(path)
    for file in parties.values():
        approve(PartyFile.load(file), agreement)
    return Gathering(folder, agreement, parties)
