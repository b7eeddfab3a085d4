"""What leaves a party besides secure counts: its disguised records, or estimated counts of them."""

import hashlib
from pathlib import Path

import pyarrow as pa

from deniable.collab.alignment import Rows
from deniable.collab.cells import Cell, family_of, read, unlisted, written
from deniable.collab.follower.reading import rows_since
from deniable.collab.holding import Holding
from deniable.collab.ledger import Entry, Row
from deniable.collab.policy import Judge
from deniable.collab.run import DIGITS, Run
from deniable.collab.wire.message import Message
from deniable.design import Design
from deniable.engine.records import Records
from deniable.errors import AnswerError, PolicyError
from deniable.oracle.base import Target
from deniable.oracle.randomized import RandomizedOracle

BETWEEN = " · "
"""Between what is counted and about whom."""


def own_reports(run: Run, design: Design) -> Records:
    """The party's reports: disguised once, and the same ever after.

    They are kept beside all runs, by group: whoever has two disguises of the same answers knows
    more than by one, so a group of the same people is disguised the same in every collaboration,
    whatever stands beside it. Without identifiers, or by a seed, it is the whole design.
    """
    folder = (run.party.state if run.rehearsal is None else run.folder) / "disguised"
    folder.mkdir(mode=0o700, exist_ok=True)
    if run.order is None or run.party.seed is not None:
        return _kept(run.holding, run.order, design, folder, run.party.seed)
    columns = dict(zip(run.records.schema.names, run.records.records.columns, strict=True))
    for group in design.groups:
        alone = Design(design.schema.select(group.names), (group,))
        reports = _kept(run.holding.narrowed(alone.schema), run.order, alone, folder, None)
        columns |= dict(zip(alone.schema.names, reports.columns, strict=True))
    return Records(design.schema, tuple(columns[name] for name in design.schema.names))


def _kept(
    holding: Holding, order: Rows | None, design: Design, folder: Path, seed: int | None
) -> Records:
    name = f"{design.fingerprint[:DIGITS]}-{holding.digest[:DIGITS]}.parquet"
    taking_part = holding if order is None else holding.taken(order)
    return taking_part.reports(design, folder / name, seed)


def send_records(run: Run, peer: str, message: Message) -> Message:
    """Send the disguised records of the columns that the agreement names."""
    design = run.agreement.led_by(peer).sent(run.name)
    body = packed(own_reports(run, design))
    digest = hashlib.sha256(body).hexdigest()
    about = f"{', '.join(design.schema.names)} · design {design.fingerprint[:DIGITS]} · {digest}"
    ledger = run.ledger(peer)
    if ledger.find("records", about) is None:
        ledger.append([_entry(run, "records", about, run.records.n, peer)])
    rows = rows_since(ledger, message.fields.get("have"))
    return Message("records", {"rows": rows}, (body,))


class EstimateDesk:
    """Sends counts estimated from the disguised records, which stay here ("probability terms").

    All estimates together tell as much as the disguised records, so no smallest count applies to
    them. Counts of columns that are not disguised are exact, and the policy judges these.
    """

    def __init__(self, run: Run, leader: str) -> None:
        self.run, self.leader = run, leader
        self.design = run.agreement.led_by(leader).sent(run.name)
        self.ledger = run.ledger(leader)
        self._oracle = RandomizedOracle(own_reports(run, self.design), self.design)
        self._judge = Judge(run.policy, self.design.schema, self._oracle.n, None)
        self._given = 0
        for row in self.ledger.rows:
            self._given += row.kind == "estimate"
            cell = self._cell(row)
            if cell is not None and row.value is not None:
                self._judge.learn(cell, round(row.value))

    def answer(self, message: Message) -> Message:
        """Estimate; a count that may not be told is null."""
        schema = self.design.schema
        cells = unlisted(message.fields.get("cells"), schema)
        of: Target = "population" if message.fields.get("of") == "population" else "sample"
        names = [f"{written(cell, schema)}{BETWEEN}{of}" for cell in cells]
        fresh = {
            name: cell
            for name, cell in zip(names, cells, strict=True)
            if self.ledger.find("estimate", name) is None
        }
        self._require_room(len(fresh))
        found = self._oracle.count(family_of(cells, schema), of=of)
        value = dict(zip(names, found.value.tolist(), strict=True))
        withheld = {name: self._why_not(cell, value[name]) for name, cell in fresh.items()}
        self.ledger.append(
            [
                _entry(self.run, "estimate", name, value[name], self.leader)
                for name in fresh
                if withheld[name] is None
            ]
        )
        self._given += len(fresh)
        arrays = [found.value, found.variance, found.tilt, found.bend]
        told = [withheld.get(name) is None for name in names]
        return Message(
            "estimates",
            {
                "rows": rows_since(self.ledger, message.fields.get("have")),
                "n": found.n,
                "arrays": [
                    [v if shown else None for v, shown in zip(array.tolist(), told, strict=True)]
                    for array in arrays
                ],
            },
        )

    def _require_room(self, fresh: int) -> None:
        most = self.run.policy.counts
        if most is not None and self._given + fresh > most:
            raise PolicyError(
                f"{self.run.name} releases at most {most:,} counts, and {self._given:,} are "
                "released.",
                hint="Ask for a smaller model, or agree on a higher limit.",
            )

    def _why_not(self, cell: Cell, value: float) -> str | None:
        if not cell or not self._is_exact(cell):
            return None
        why = self._judge.after(cell, round(value))
        if why is None:
            self._judge.learn(cell, round(value))
        return why

    def _is_exact(self, cell: Cell) -> bool:
        return {name for name, _ in cell} <= set(self.design.public)

    def _cell(self, row: Row) -> Cell | None:
        """What a row about an exact count is about."""
        if row.kind != "estimate":
            return None
        cell = read(row.about.rpartition(BETWEEN)[0], self.design.schema)
        return cell if self._is_exact(cell) else None


def _entry(run: Run, kind: str, about: str, value: float, peer: str) -> Entry:
    policy = run.policy.digest[:DIGITS]
    return Entry(kind=kind, about=about, value=value, why=None, by=peer, policy=policy)


def packed(records: Records) -> bytes:
    """Write records for a message: Arrow, a column of codes each."""
    names = records.schema.names
    table = pa.table(
        {name: pa.array(column) for name, column in zip(names, records.columns, strict=True)}
    )
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


def unpacked(body: bytes, design: Design, sender: str) -> Records:
    """Read records from a message, and check every code."""
    try:
        table = pa.ipc.open_stream(pa.BufferReader(body)).read_all()
        columns = [table.column(name).to_numpy() for name in design.schema.names]
    except (pa.ArrowException, KeyError, ValueError, OSError):
        raise AnswerError(
            f"{sender} sent records that cannot be read.", hint="All must use one version."
        ) from None
    for name, column in zip(design.schema.names, columns, strict=True):
        size = design.schema[name].size
        if column.dtype.kind not in "iu" or (
            len(column) and not 0 <= column.min() <= column.max() < size
        ):
            raise AnswerError(
                f"{sender} sent values of {name!r} that it does not have.",
                hint="All parties must use the same agreement and version.",
            )
    return Records.from_codes(columns, design.schema)
