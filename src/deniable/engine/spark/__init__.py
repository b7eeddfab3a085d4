"""Spark: a cluster, or this machine's cores."""
