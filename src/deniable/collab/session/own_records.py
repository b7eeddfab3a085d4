"""A party's own records: the only place of a collaboration where raw values are.

Databases give rows in any order, so records are kept in an order of their own: by identifier. Row
numbers and digests then mean the same whenever the data are opened.

A person is disguised once. Whoever could have the same record disguised again and again would
average the disguise away; so reports are made of all records the first time they are wanted, kept,
and read ever after, whichever of the records take part.
"""

import json
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from deniable.base.arrays import Mask
from deniable.base.errors import CollabError
from deniable.base.files import sync, whole_file
from deniable.base.fingerprint import digest_of
from deniable.collab.cells import Cell
from deniable.collab.session.intersection import Identifiers, Rows
from deniable.design import Design, personal_schema
from deniable.engine.memory.records import Records, stamp_in, stamped
from deniable.engine.open_table import open_table
from deniable.schema import Schema
from deniable.source.disguise import bits_for, disguise_records
from deniable.source.stream import require_raw

if TYPE_CHECKING:
    from deniable.collab.agreement.agreement import Member
    from deniable.collab.agreement.party_file import PartyFile

DATA_STAMP = b"deniable.data"
"""Where the reports' metadata hold the digest of the data that they were made of."""

TRAITS = 4
"""Kinds of invented people, so that columns depend on each other and a tree has something to find.
"""

NOTHING_PERSONAL = Schema(())

_disguising = Lock()


@dataclass(frozen=True, eq=False)
class Holding:
    """Records in memory, as codes: all that the party has, or those that take part, in order."""

    records: Records
    digest: str
    """Of all of the party's data: identifiers, names, domains and codes, in whatever order the rows
    came. It is the owner's: sent to others, it would confirm guesses."""

    _ids: Identifiers | None = None
    _whole: "Holding | None" = None
    _rows: Rows | None = None
    personal: Records | None = None
    """Answers to personal questions whose distribution is unknown; a device may send them instead
    of the record, and nothing else is done with them."""

    @classmethod
    def open(cls, party: "PartyFile", member: "Member", aligned: bool) -> "Holding":
        """Read the columns of a collaboration, and identifiers where people are aligned."""
        if aligned and party.id is None:
            raise CollabError(
                f"{party.name} does not say how its records are aligned.",
                hint=f"Add id: COLUMN to {party.path.name}.",
            )
        schema, table = member.schema, open_table(party.data)
        require_raw(table, Design.truthful(schema))
        personal = personal_schema(Design(schema, member.groups))
        key = [party.id] if aligned and party.id is not None else []
        table.require([*key, *personal.names])
        parts, ids, start = [], [], 0
        everything = Schema((*schema, *personal))
        for batch in table.batches([*everything.names, *key]):
            parts.append(Records.of(batch, everything, where=table.name, start=start))
            for name in key:
                ids += batch.column(name).to_pylist()
            start += batch.num_rows
        table.require_some(start)
        whole = Records.joined(parts)
        return cls.of(whole, Identifiers.of(ids) if aligned else None, personal)

    @classmethod
    def rehearse(cls, member: "Member", records: int, seed: int) -> "Holding":
        """Invent records of the same shape, for people called 1 to n.

        Parties that use the same seed invent the same people, and give a shared column the same
        values.
        """
        trait = np.random.default_rng(seed).integers(TRAITS, size=records)
        columns = []
        personal = personal_schema(Design(member.schema, member.groups))
        everything = Schema((*member.schema, *personal))
        for attribute in everything:
            generator = np.random.default_rng([seed, *attribute.name.encode()])
            shares = generator.dirichlet(np.ones(attribute.size), TRAITS)
            codes = np.zeros(records, np.int64)
            for kind, chances in enumerate(shares):
                those = trait == kind
                codes[those] = generator.choice(attribute.size, int(those.sum()), p=chances)
            columns.append(codes)
        ids = Identifiers.of(range(1, records + 1))
        return cls.of(Records.from_codes(columns, everything), ids, personal)

    @classmethod
    def of(
        cls, records: Records, ids: Identifiers | None, personal: Schema = NOTHING_PERSONAL
    ) -> "Holding":
        """Hold all records of a party, in an order of their own; some columns may be personal."""
        if ids is None:
            by_value = np.lexsort(records.columns[::-1])
            digest = _digest(_taken(records, by_value), None)
        else:
            by_id = np.array(sorted(range(len(ids)), key=ids.__getitem__), np.int64)
            records, ids = _taken(records, by_id), Identifiers(ids[row] for row in by_id)
            digest = _digest(records, ids)
        own = [name for name in records.schema.names if name not in personal]
        beside = records.select(personal) if len(personal) else None
        return cls(records.select(records.schema.select(own)), digest, ids, personal=beside)

    @property
    def n(self) -> int:
        """How many records there are."""
        return len(self.records)

    @property
    def schema(self) -> Schema:
        """The party's columns in this collaboration."""
        return self.records.schema

    @property
    def ids(self) -> Identifiers:
        """Who the records are about, in their order."""
        if self._ids is None:
            raise CollabError(
                "These records were read without identifiers.",
                hint="People are aligned in the modes collect, secure and hybrid only.",
            )
        return self._ids

    def taken(self, order: Rows) -> "Holding":
        """The records of some rows, in that order."""
        ids = None if self._ids is None else Identifiers(self._ids[row] for row in order)
        whole = self._whole or self
        rows = order if self._rows is None else self._rows[order]
        beside = None if self.personal is None else _taken(self.personal, order)
        return Holding(_taken(self.records, order), self.digest, ids, whole, rows, beside)

    def narrowed(self, schema: Schema) -> "Holding":
        """Some of the columns, of all records."""
        return Holding.of(self.records.select(schema), self._ids)

    def part(self, cell: Cell) -> Mask:
        """Which records satisfy the terms about own columns; all, where there is none."""
        return self.records.having({name: value for name, value in cell if name in self.schema})

    def reports(self, design: Design, store: Path, seed: int | None = None) -> Records:
        """The records disguised, by the first call; read from the store by all others.

        Reports of people who are not aligned come sorted: their order would tell which rows they
        are.
        """
        whole = self._whole or self
        with _disguising:
            if not store.exists():
                whole._disguise(design, store, seed)  # noqa: SLF001 (another of its kind)
            kept = whole._kept(design, store)  # noqa: SLF001
        return kept if self._rows is None else _taken(kept, self._rows)

    def _disguise(self, design: Design, store: Path, seed: int | None) -> None:
        raw = self.records.select(design.schema)
        reports = disguise_records(raw, self.personal, design, bits_for(seed))
        if self._ids is None:
            reports = _taken(reports, np.lexsort(reports.columns))
        with whole_file(store, private=True) as path:
            told = stamped(reports.to_arrow(), design.fingerprint, {DATA_STAMP: self.digest})
            pq.write_table(told, path)
        # A name lost in a power cut would mean a second disguise of what was sent already.
        sync(store.parent)

    def _kept(self, design: Design, store: Path) -> Records:
        try:
            table = pq.read_table(store)
        except (OSError, pa.ArrowException):
            raise CollabError(
                f"The disguised records in {store.name} cannot be read.",
                hint="Bring the file back, or begin a new collaboration.",
            ) from None
        marks = table.schema.metadata or {}
        if stamp_in(marks) != design.fingerprint:
            raise CollabError(
                "The records were disguised by another design for this collaboration.",
                hint="Use that design, or begin a new collaboration.",
            )
        if marks.get(DATA_STAMP) != self.digest.encode() or table.num_rows != self.n:
            raise CollabError(
                "The data changed since they were disguised for this collaboration.",
                hint="Bring them back as they were, or begin a new collaboration.",
            )
        return Records.of(table, design.schema, where=store.name)


def _taken(records: Records, order: Rows) -> Records:
    return Records(records.schema, tuple(column[order] for column in records.columns))


def _digest(records: Records, ids: Identifiers | None) -> str:
    """Hash the data; before each identifier stands its length, so that none runs into the next."""
    domains = [[attribute.name, attribute.values] for attribute in records.schema]
    head = json.dumps([len(records), ids is None, domains]).encode()
    columns = (c.astype(c.dtype.newbyteorder("<")).tobytes() for c in records.columns)
    named = (len(word).to_bytes(8, "little") + word for word in map(str.encode, ids or ()))
    return digest_of(chain([head], columns, named))
