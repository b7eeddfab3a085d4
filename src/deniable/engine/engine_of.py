"""Whatever a caller holds, or names, as an engine: in memory, in files, in a database."""

from pathlib import Path
from typing import Any

from deniable.engine.engine import Engine
from deniable.engine.memory.numpy_engine import MemoryEngine
from deniable.engine.memory.records import Records, fingerprint_of, require_fingerprint
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
        from deniable.engine.open_table import open_table

        records = open_table(records)
    elif type(records).__module__.startswith("ibis."):
        from deniable.engine.sql.relation import Relation

        records = Relation("The table", records)
    if isinstance(records, Table):
        if fingerprint is not None:
            records.check_fingerprint(fingerprint)
        return records.held(schema)
    if fingerprint is not None:
        require_fingerprint(fingerprint_of(records), fingerprint, "The table")
    return MemoryEngine(Records.of(records, schema))
