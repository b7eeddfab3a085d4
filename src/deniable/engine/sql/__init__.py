"""Databases: scans run where the data is, and only counts come back."""
