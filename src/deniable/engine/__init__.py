"""Engines: where records are, and how distinct ones are counted there."""

from deniable.engine.address import Address
from deniable.engine.engine import Engine, HoldsRecords, Tabulation, tally_keys
from deniable.engine.memory.numpy_engine import MemoryEngine
from deniable.engine.memory.records import Records
from deniable.engine.table import Table

__all__ = [
    "Address",
    "Engine",
    "HoldsRecords",
    "MemoryEngine",
    "Records",
    "Table",
    "Tabulation",
    "tally_keys",
]
