"""Doing the papers' experiments again: cells of work, figures, claims, and the report of them."""
