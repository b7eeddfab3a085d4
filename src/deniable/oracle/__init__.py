"""Oracles count records through the disguise, with standard errors."""
