"""A party's disguised records: made once, kept, sent and read."""

from pathlib import Path

import pyarrow as pa

from deniable.base.errors import AnswerError
from deniable.collab.party_documents import DIGEST_DIGITS
from deniable.collab.session.intersection import Rows
from deniable.collab.session.own_records import Holding
from deniable.collab.session.run import Run
from deniable.collab.session.run_folder import REPORTS_FOLDER
from deniable.design import Design
from deniable.engine.memory.records import Records


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
