"""Several organisations, one model: parties over TLS, disguise, alignment, secure counts, ledger."""
