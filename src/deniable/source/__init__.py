"""The source: the only code that sees raw answers, and all of the randomness."""

from deniable.source.disguise import SeedWarning, disguise

__all__ = ["SeedWarning", "disguise"]
