"""Engines: where records are, and how distinct ones are counted there."""

from deniable.engine.base import Engine, Tabulation
from deniable.engine.memory import MemoryEngine
from deniable.engine.records import Records

__all__ = ["Engine", "MemoryEngine", "Records", "Tabulation"]
