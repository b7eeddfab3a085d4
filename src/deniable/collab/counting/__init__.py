"""Secure counts: how many records satisfy both sides' conditions, and nothing else."""
