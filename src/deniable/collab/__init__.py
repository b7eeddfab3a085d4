"""Several organisations, one model: parties over TLS, disguise, secure counts, a ledger."""
