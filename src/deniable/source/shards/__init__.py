"""Disguising many files, or large ones, by several processes within a memory limit."""
