"""Experiments: simulated and real data, table in, table out, plots."""
