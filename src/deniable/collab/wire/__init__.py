"""Framed messages between pinned peers, over mutual TLS 1.3 and nothing else."""
