"""Secure counts between two sides, above the cryptography: what to ask, and what to let pass."""
