"""A party's disguised records: made once, kept, sent and read."""

from pathlib import Path
from typing import Any

import numpy as np

from deniable.base.errors import AnswerError
from deniable.collab.party_documents import DIGEST_DIGITS
from deniable.collab.session.intersection import Rows
from deniable.collab.session.own_records import Holding
from deniable.collab.session.run import Run
from deniable.collab.session.run_folder import REPORTS_FOLDER
from deniable.design import Design
from deniable.engine.engine import code_type
from deniable.engine.memory.records import Records
from deniable.schema import Attribute


def own_reports(run: Run, design: Design) -> Records:
    """The party's reports: disguised once, and the same ever after.

    They are kept beside all runs, by group: whoever has two disguises of the same answers knows
    more than by one, so a group of the same people is disguised the same in every collaboration,
    whatever stands beside it. Without identifiers, or by a seed, it is the whole design.
    """
    folder = (run.party.state if run.rehearsal is None else run.folder.path) / REPORTS_FOLDER
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
    name = f"{design.fingerprint[:DIGEST_DIGITS]}-{holding.digest[:DIGEST_DIGITS]}.parquet"
    taking_part = holding if order is None else holding.taken(order)
    return taking_part.reports(design, folder / name, seed)


def packed(records: Records) -> bytes:
    """Write records for a message: the codes of each column, one column after the other.

    As bare as can be: formats that unpack, or point into themselves, are not for what peers send.
    """
    columns = zip(records.schema, records.columns, strict=True)
    return b"".join(column.astype(_sent_type(attribute)).tobytes() for attribute, column in columns)


def unpacked(body: bytes, design: Design, sender: str) -> Records:
    """Read records from a message, and check every code."""
    types = [_sent_type(attribute) for attribute in design.schema]
    many, rest = divmod(len(body), max(1, sum(each.itemsize for each in types)))
    if rest:
        raise AnswerError(
            f"{sender} sent records that cannot be read.", hint="All must use one version."
        )
    columns, start = [], 0
    for attribute, each in zip(design.schema, types, strict=True):
        column = np.frombuffer(body, each, many, start)
        start += column.nbytes
        if many and not 0 <= column.min() <= column.max() < attribute.size:
            raise AnswerError(
                f"{sender} sent values of {attribute.name!r} that it does not have.",
                hint="All parties must use the same agreement and version.",
            )
        columns.append(column)
    return Records.from_codes(columns, design.schema)


def _sent_type(attribute: Attribute) -> np.dtype[Any]:
    """How a column's codes travel: whatever the machine, the lowest byte first."""
    return np.dtype(code_type(attribute.size)).newbyteorder("<")
