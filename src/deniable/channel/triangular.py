"""Triangular (Yu, Tian & Tang 2008): "neither statement is true", or "at least one is"."""

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

from deniable.channel.yes_no import YesNoByTheta, for_yes_no
from deniable.schema import Attribute


class Triangular(YesNoByTheta):
    """The telling report is "at least one"; it is recorded as the sensitive value."""

    kind: ClassVar[str] = "triangular"
    device: ClassVar[str] = "the share of people with the harmless trait"

    @staticmethod
    def _chances(theta: Fraction) -> tuple[Fraction, Fraction]:
        return Fraction(1), theta

    def _theta(self) -> Fraction:
        return self.reported()[1]

    @classmethod
    def plan_range(cls, attributes: Sequence[Attribute]) -> tuple[Fraction, Fraction] | None:
        """From a harmless trait that all have to one that nobody has."""
        return for_yes_no(attributes, Fraction(1), Fraction(0))
