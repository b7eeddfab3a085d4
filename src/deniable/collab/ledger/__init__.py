"""What was released, row by row, on both sides."""

from deniable.collab.ledger.chain import Comparison, Ledger, compare, read
from deniable.collab.ledger.ledger_rows import LedgerEntry, LedgerRow

__all__ = ["Comparison", "Ledger", "LedgerEntry", "LedgerRow", "compare", "read"]
