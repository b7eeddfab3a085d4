"""Preparing raw tables: columns into attributes with few values, repeatably."""

from deniable.source.preparing.preparation import Preparation, PreparedCount

__all__ = ["Preparation", "PreparedCount"]
