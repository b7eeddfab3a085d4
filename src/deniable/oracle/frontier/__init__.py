"""Counting down a tree, level by level."""
