"""From what the parties send to something that counts: the miners' view of a collaboration."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from deniable.base.errors import AnswerError
from deniable.collab.agreement.agreement import Agreement
from deniable.collab.cells import cells_of
from deniable.collab.protocol.verbs import EstimateCounts, SendRecords
from deniable.collab.session.own_reports import own_reports, unpacked
from deniable.collab.session.remote_party import RemoteParty
from deniable.collab.session.run import Run
from deniable.design import Design, Group
from deniable.engine.memory.records import Records
from deniable.expression import Expression, Family
from deniable.oracle.api import CountOracle, Estimates, Target
from deniable.oracle.pooled import PooledOracle
from deniable.oracle.randomized import RandomizedOracle
from deniable.schema import Schema

Parts = dict[str, tuple[Records, Design]]
"""By party: its records as the leader has them, and the design that disguised them."""


class SiteOracle:
    """A site that keeps its disguised records and sends estimated counts only."""

    def __init__(self, site: RemoteParty, design: Design) -> None:
        self._site, self.schema = site, design.schema
        self.n = self.count([{}]).n

    def count(
        self, expressions: Iterable[Expression] | Family, *, of: Target = "sample"
    ) -> Estimates:
        """Ask the site to estimate."""
        cells = cells_of(Family.of(expressions, self.schema), self.schema)
        reply = self._site.ask(EstimateCounts(cells, of))
        if len(reply.arrays[0]) != len(cells):
            raise AnswerError(f"{self._site.name} sent no estimates.", hint="Use one version.")
        # A count that the site may not tell is null, and becomes NaN.
        return Estimates(reply.n, of, *(np.array(a, dtype=np.float64) for a in reply.arrays))


def gathered(
    run: Run, agreement: Agreement, contacts: Iterable[RemoteParty], told: Callable[[str], None]
) -> Parts:
    """The reports of every party, and the leader's own as the agreement wants them."""
    by_name = {contact.name: contact for contact in contacts}
    found = {}
    for name in agreement.names:
        design = agreement.sent(name)
        if name in by_name:
            told(f"records of {name}")
            found[name] = unpacked(by_name[name].ask(SendRecords()).table, design, name), design
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
