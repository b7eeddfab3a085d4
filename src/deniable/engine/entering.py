"""Whatever a caller holds, or names, as an engine: in memory, in files, in a database."""

from pathlib import Path
from typing import Any

from deniable.engine.base import Engine
from deniable.engine.memory import MemoryEngine
from deniable.engine.records import Records, fingerprint_of, require_fingerprint
from deniable.engine.table import Table
from deniable.schema import Schema


def engine_of(records: Any, schema: Schema, fingerprint: str | None = None) -> Engine:
    """Take an engine as it is, open a table by its name, and hold any other table in memory.

    A table of Ibis's is counted where it is. Where a fingerprint is given, a table that carries
    another one is refused.
    """
    if callable(getattr(records, "tabulate", None)):
        engine: Engine = records
        return engine
    if isinstance(records, str | Path):
        from deniable.engine.opening import open_table

        records = open_table(records)
    elif type(records).__module__.startswith("ibis."):
        from deniable.engine.relation import Relation

        records = Relation("The table", records)
    if isinstance(records, Table):
        if fingerprint is not None:
            records.check_fingerprint(fingerprint)
        return records.held(schema)
    if fingerprint is not None:
        require_fingerprint(fingerprint_of(records), fingerprint, "The table")
    return MemoryEngine(Records.of(records, schema))
