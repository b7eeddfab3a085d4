"""Counts at rest: tables of distinct reports, and how often each occurs."""
