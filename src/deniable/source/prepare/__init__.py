"""Preparing raw tables: columns into attributes with few values, repeatably."""

from deniable.source.prepare.preparation import Preparation, PreparedCount

__all__ = ["Preparation", "PreparedCount"]
