"""Leading a collaboration from the first greeting to the model in everybody's hands."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow.parquet as pq

from deniable.base.files import whole_file
from deniable.base.fingerprint import digest_of
from deniable.collab.agreement.agreement import SECURE_MODES, Agreement
from deniable.collab.agreement.run_terms import RunTerms
from deniable.collab.counting import Backend, Bfv
from deniable.collab.leader.oracles import gathered, only_counted, side_by_side
from deniable.collab.leader.plausibility import PlausibilityCheck
from deniable.collab.leader.secure_oracle import SecureOracle
from deniable.collab.protocol.verbs import AcceptTerms, FindPeople, TakeResult
from deniable.collab.session.alignment import align
from deniable.collab.session.remote_party import RemoteParty, Transport
from deniable.collab.session.run import Run
from deniable.collab.session.run_folder import RunFile
from deniable.design import Design
from deniable.engine.memory.records import Records, stamped
from deniable.mine.model import Model
from deniable.oracle.api import CountOracle
from deniable.oracle.pooled import PooledOracle
from deniable.oracle.randomized import RandomizedOracle

Told = Callable[[str], None]
"""Told in a few words what is being done."""


def _silent(_: str) -> None:
    """Tell nobody."""


@dataclass(frozen=True, eq=False)
class RunOutcome:
    """What a collaboration gave, and what it took."""

    model: Model
    records: int
    secure_counts: int
    """Made in this process; none where all were in the ledger already."""

    refused: int
    """Counts that the policy withheld."""

    released: int
    """Values in the ledgers that were released to this party."""


def lead(
    run: Run,
    connect: Callable[[str], Transport],
    *,
    backend: Backend | None = None,
    told: Told = _silent,
) -> RunOutcome:
    """Lead a run, or go on with one that was interrupted."""
    agreement = run.agreement.led_by(run.name)
    others = [name for name in agreement.names if name != run.name]
    contacts = [RemoteParty(run, name, connect(name)) for name in others]
    told("greeting everybody")
    _agree(run, contacts)
    if agreement.vertical:
        told("finding the people in common")
        _align(run, contacts)
    secure = None
    screen: CountOracle | None = None
    if agreement.mode in {"collect", "hybrid"}:
        joint, design = side_by_side(agreement, gathered(run, agreement, contacts, told))
        _keep_collected(run, joint, design)
        screen = RandomizedOracle(joint, design)
    elif agreement.mode == "pool":
        parts = gathered(run, agreement, contacts, told)
        screen = PooledOracle([RandomizedOracle(*part) for part in parts.values()])
    elif agreement.mode == "counts":
        screen = only_counted(run, agreement, contacts)
    if agreement.mode in SECURE_MODES:
        (follower,) = contacts
        secure = SecureOracle(
            follower,
            backend or Bfv(),
            plausible=PlausibilityCheck(screen) if isinstance(screen, RandomizedOracle) else None,
            progress=lambda made: told(f"{made:,} secure counts"),
        )
    told("mining")
    model = _mined(agreement, screen, secure)
    told("handing out the result")
    _deliver(run, agreement, contacts, model)
    rows = [row for contact in contacts for row in contact.ledger.rows]
    return RunOutcome(
        model,
        (screen or secure or _nobody()).n,
        secure.asked if secure is not None else 0,
        sum(row.kind == "refused" for row in rows),
        sum(row.kind in {"count", "estimate"} for row in rows),
    )


def _agree(run: Run, contacts: Sequence[RemoteParty]) -> None:
    """Learn what everybody brings, and have everybody accept it."""
    for contact in contacts:
        contact.greet()
    policies = {contact.name: contact.policy for contact in contacts}
    commitments = {contact.name: contact.commitment for contact in contacts}
    terms = RunTerms(
        run.agreement.digest,
        {**policies, run.name: run.party.policy.document()},
        {**commitments, run.name: run.commitment},
    )
    run.agree(terms)
    for contact in contacts:
        contact.ask(AcceptTerms(terms))


def _align(run: Run, contacts: Sequence[RemoteParty]) -> None:
    if run.name in run.agreement.names:
        align(run, contacts)
        return
    (seeker,) = (contact for contact in contacts if contact.name == run.seeker)
    seeker.ask(FindPeople())


def _keep_collected(run: Run, records: Records, design: Design) -> None:
    """Leave what was collected beside its design, for every other command."""
    reports = run.folder.file(RunFile.COLLECTED)
    if reports.exists():
        return
    with whole_file(reports, private=True) as path:
        pq.write_table(stamped(records.to_arrow(), design.fingerprint), path)
    design.save(run.folder.file(RunFile.COLLECTED_DESIGN))


def _mined(agreement: Agreement, screen: CountOracle | None, secure: CountOracle | None) -> Model:
    """One miner each, for plain, disguised, secure and hybrid data alike."""
    options: dict[str, Any] = dict(agreement.task.options)
    if screen is not None and secure is not None:
        options["confirm"] = secure
    return agreement.task.miner.mine(screen or secure or _nobody(), **options)


def _nobody() -> CountOracle:
    raise AssertionError("every mode has an oracle")


def _deliver(run: Run, agreement: Agreement, contacts: Sequence[RemoteParty], model: Model) -> None:
    """Give the model to everybody who may have it, the leader last."""
    body = json.dumps(model.document(), ensure_ascii=False, allow_nan=False).encode() + b"\n"
    for contact in contacts:
        if contact.name in agreement.results:
            contact.ask(TakeResult(digest_of(body), body))
    if run.name in agreement.results:
        run.folder.write(RunFile.RESULT, body)
