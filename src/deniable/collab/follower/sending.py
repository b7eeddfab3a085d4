"""What leaves a party besides secure counts: its disguised records, or estimated counts of them."""

import hashlib

import pyarrow as pa

from deniable.collab.cells import family_of, unlisted, written
from deniable.collab.follower.reading import rows_since
from deniable.collab.ledger import Entry
from deniable.collab.run import DIGITS, Run
from deniable.collab.wire.message import Message
from deniable.design import Design
from deniable.engine.records import Records
from deniable.errors import CollabError, PolicyError
from deniable.oracle.base import Target
from deniable.oracle.randomized import RandomizedOracle


def own_reports(run: Run, design: Design) -> Records:
    """The party's reports: disguised once, and the same ever after.

    They are kept beside all runs: the same data by the same design are disguised the same in every
    collaboration, or else two of them together would tell more than one.
    """
    name = f"{design.fingerprint[:DIGITS]}-{run.holding.digest[:DIGITS]}.parquet"
    folder = (run.party.state if run.rehearsal is None else run.folder) / "disguised"
    folder.mkdir(mode=0o700, exist_ok=True)
    return run.records.reports(design, folder / name, run.party.seed)


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


def send_estimates(run: Run, peer: str, message: Message) -> Message:
    """Send counts estimated from the disguised records, which stay here ("probability terms")."""
    design = run.agreement.led_by(peer).sent(run.name)
    oracle = RandomizedOracle(own_reports(run, design), design)
    cells = unlisted(message.fields.get("cells"), design.schema)
    of: Target = "population" if message.fields.get("of") == "population" else "sample"
    ledger = run.ledger(peer)
    names = [f"{written(cell, design.schema)} · {of}" for cell in cells]
    fresh = [name for name in dict.fromkeys(names) if ledger.find("estimate", name) is None]
    most = run.policy.counts
    given = sum(row.kind == "estimate" for row in ledger.rows)
    if most is not None and given + len(fresh) > most:
        raise PolicyError(
            f"{run.name} releases at most {most:,} counts, and {given:,} are released.",
            hint="Ask for a smaller model, or agree on a higher limit.",
        )
    found = oracle.count(family_of(cells, design.schema), of=of)
    value = dict(zip(names, found.value.tolist(), strict=True))
    ledger.append([_entry(run, "estimate", name, value[name], peer) for name in fresh])
    arrays = [found.value, found.variance, found.tilt, found.bend]
    return Message(
        "estimates",
        {
            "rows": rows_since(ledger, message.fields.get("have")),
            "n": found.n,
            "arrays": [array.tolist() for array in arrays],
        },
    )


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
        raise CollabError(
            f"{sender} sent records that cannot be read.", hint="All must use one version."
        ) from None
    for name, column in zip(design.schema.names, columns, strict=True):
        size = design.schema[name].size
        if column.dtype.kind not in "iu" or (
            len(column) and not 0 <= column.min() <= column.max() < size
        ):
            raise CollabError(
                f"{sender} sent values of {name!r} that it does not have.",
                hint="All parties must use the same agreement and version.",
            )
    return Records.from_codes(columns, design.schema)
