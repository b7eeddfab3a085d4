"""Thin commands: parse, call, render."""

from deniable.cli.app import app, main

__all__ = ["app", "main"]
