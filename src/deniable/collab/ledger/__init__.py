"""What was released, row by row, on both sides."""

from deniable.collab.ledger.chain import Comparison, Ledger, compare, read, verify
from deniable.collab.ledger.rows import Entry, Row

__all__ = ["Comparison", "Entry", "Ledger", "Row", "compare", "read", "verify"]
