"""Leading a collaboration from the first greeting to the model in everybody's hands."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from deniable.base.errors import AnswerError, CollabError, EstimateError, PeerError
from deniable.base.files import whole_file
from deniable.base.fingerprint import digest_of
from deniable.collab.agreement.agreement import SECURE_MODES, Agreement
from deniable.collab.agreement.run_terms import RunTerms
from deniable.collab.cells import cells_of
from deniable.collab.counting.backend import Backend
from deniable.collab.counting.bfv import Bfv
from deniable.collab.leader.plausibility import PlausibilityCheck
from deniable.collab.leader.secure_oracle import SecureOracle
from deniable.collab.ledger import tally
from deniable.collab.protocol import verbs
from deniable.collab.session.alignment import align
from deniable.collab.session.own_reports import own_reports, unpacked
from deniable.collab.session.remote_party import RemoteParty, Transport
from deniable.collab.session.run import Run
from deniable.collab.session.run_folder import RunFile
from deniable.design import Design, Group
from deniable.engine.memory.records import Records, stamped
from deniable.expression import Expression, Family
from deniable.mine.model import Model
from deniable.mine.models.model_files import model_bytes
from deniable.oracle.api import CountOracle, Estimates, Function, Target, Totals
from deniable.oracle.counted_reports import reports_from_counts
from deniable.oracle.pooled import PooledOracle
from deniable.oracle.randomized import RandomizedOracle
from deniable.oracle.two_samples import GreenbergOracle
from deniable.schema import Schema

Told = Callable[[str], None]
"""Told in a few words what is being done."""


Parts = dict[str, tuple[Records, Design]]
"""By party: its records as the leader has them, and the design that disguised them."""


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
        sites = [
            RandomizedOracle(*part) for part in gathered(run, agreement, contacts, told).values()
        ]
        screen = GreenbergOracle(*sites) if agreement.several_samples else PooledOracle(sites)
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
    oracle = secure if screen is None else screen
    assert oracle is not None, "every mode has an oracle"
    options: dict[str, Any] = dict(agreement.task.options)
    if screen is not None and secure is not None:
        options["confirm"] = secure
    model = agreement.task.miner.mine(oracle, **options)
    told("handing out the result")
    _deliver(run, agreement, contacts, model)
    released, refused = tally(row for contact in contacts for row in contact.ledger.rows)
    asked = secure.asked if secure is not None else 0
    return RunOutcome(model, oracle.n, asked, refused, released)


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
        contact.ask(verbs.AcceptTerms(terms))


def _align(run: Run, contacts: Sequence[RemoteParty]) -> None:
    if run.name in run.agreement.names:
        align(run, contacts)
        return
    (seeker,) = (contact for contact in contacts if contact.name == run.seeker)
    seeker.ask(verbs.FindPeople())


def _keep_collected(run: Run, records: Records, design: Design) -> None:
    """Leave what was collected beside its design, for every other command."""
    reports = run.folder.file(RunFile.COLLECTED)
    if reports.exists():
        return
    with whole_file(reports, private=True) as path:
        pq.write_table(stamped(records.to_arrow(), design.fingerprint), path)
    design.save(run.folder.file(RunFile.COLLECTED_DESIGN))


def _deliver(run: Run, agreement: Agreement, contacts: Sequence[RemoteParty], model: Model) -> None:
    """Give the model to everybody who may have it, the leader last."""
    body = model_bytes(model)
    for contact in contacts:
        if contact.name in agreement.results:
            contact.ask(verbs.TakeResult(digest_of(body), body))
    if run.name in agreement.results:
        run.folder.write(RunFile.RESULT, body)


class SiteOracle:
    """A site that keeps its disguised records and sends estimated counts only."""

    def __init__(self, site: RemoteParty, design: Design) -> None:
        self._site, self._design, self.schema = site, design, design.schema
        self.n = self.count([{}]).n

    def count(
        self, expressions: Iterable[Expression] | Family, *, of: Target = "sample"
    ) -> Estimates:
        """Ask the site to estimate."""
        cells = cells_of(Family.of(expressions, self.schema), self.schema)
        reply = self._site.ask(verbs.EstimateCounts(cells, of))
        if len(reply.arrays[0]) != len(cells):
            raise AnswerError(f"{self._site.name} sent no estimates.", hint="Use one version.")
        # A count that the site may not tell is null, and becomes NaN.
        return Estimates(reply.n, of, *(np.array(a, dtype=np.float64) for a in reply.arrays))

    def total(self, columns: Sequence[str], function: Function, *, of: Target = "sample") -> Totals:
        """Add up functions of the true records, by counts of all joint values of the columns."""
        try:
            reports = reports_from_counts(self, self._design, columns, of)
        except PeerError:
            raise
        except CollabError as error:  # no count is left for this
            raise EstimateError(str(error)) from error
        return reports.total(columns, function, of=of)


def gathered(run: Run, agreement: Agreement, contacts: Iterable[RemoteParty], told: Told) -> Parts:
    """The reports of every party, and the leader's own as the agreement wants them."""
    by_name = {contact.name: contact for contact in contacts}
    found = {}
    for name in agreement.names:
        design = agreement.sent(name)
        if name in by_name:
            told(f"records of {name}")
            found[name] = (
                unpacked(by_name[name].ask(verbs.SendRecords()).table, design, name),
                design,
            )
        else:
            found[name] = own_part(run, agreement, design), design
    return found


def own_part(run: Run, agreement: Agreement, design: Design) -> Records:
    """The leader's own records: as they are, or disguised as everybody's."""
    if agreement.own_plain:
        return run.records.records.select(design.schema)
    return own_reports(run, design)


def side_by_side(agreement: Agreement, parts: Parts) -> tuple[Records, Design]:
    """Columns of the same people, each party's disguised by its own groups."""
    sizes = {name: len(records) for name, (records, _) in parts.items()}
    if len(set(sizes.values())) > 1:
        raise AnswerError(
            f"The parties sent different numbers of records: {sizes}.",
            hint="Begin a new collaboration.",
        )
    columns: dict[str, Any] = {}
    groups: list[Group] = []
    for records, design in parts.values():
        columns |= dict(zip(records.schema.names, records.columns, strict=True))
        groups += design.groups
    schema = agreement.schema
    used = Schema(tuple(attribute for attribute in schema if attribute.name in columns))
    joint = Records(used, tuple(columns[name] for name in used.names))
    return joint, Design(used, tuple(groups))


def only_counted(run: Run, agreement: Agreement, contacts: Iterable[RemoteParty]) -> PooledOracle:
    """Sites that send estimates only; the leader's own records are counted here."""
    sites: dict[str, CountOracle] = {
        contact.name: SiteOracle(contact, agreement.sent(contact.name)) for contact in contacts
    }
    if not agreement.outside:
        design = agreement.sent(run.name)
        sites[run.name] = RandomizedOracle(own_part(run, agreement, design), design)
    return PooledOracle([sites[name] for name in agreement.names])
