"""Engines: where records are, and how distinct ones are counted there."""

from deniable.engine.engine import Engine, Tabulation
from deniable.engine.memory.numpy_engine import MemoryEngine
from deniable.engine.memory.records import Records

__all__ = ["Engine", "MemoryEngine", "Records", "Tabulation"]
